// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Pipelines/Inspect.h"

#include "RunPasses.h"
#include "invar/Dialect/ONNX/DescribeType.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Dialect/ONNX/Sparse.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Elements/IR/Pool.h"
#include "invar/Frontend/Import/Import.h"
#include "invar/Frontend/Import/ImportTypes.h"
#include "invar/Support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

namespace {
/// Collects the contents of a module.
class Inspector {
public:
  explicit Inspector(ImportedModel &model, ModelSummary &summary)
      : model(model), summary(summary) {}

  void run() {
    auto main = model.module->lookupSymbol<func::FuncOp>("main");
    Block &graph = main.getBody().front();
    for (BlockArgument argument : graph.getArguments()) {
      auto name = main.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    attr::name);
      summary.inputs.push_back({name.str(), describeEnd(argument.getType())});
      if (Attribute value =
              main.getArgAttr(argument.getArgNumber(), attr::defaultValue))
        addConstant(name.getValue(), value, "input default");
    }
    const GraphView &view = *model.source->getModel().getModel().graph;
    for (auto [output, info] :
         llvm::zip(graph.getTerminator()->getOperands(), view.outputs))
      summary.outputs.push_back(
          {info.name.str(), describeEnd(getBest(info, output))});
    model.module->walk<WalkOrder::PreOrder>([&](Operation *op) { add(op); });
    llvm::stable_sort(summary.constants,
                      [](auto &a, auto &b) { return a.bytes > b.bytes; });
    for (auto &entry : operators)
      summary.operators.push_back(entry.second);
    llvm::stable_sort(summary.operators,
                      [](auto &a, auto &b) { return a.count > b.count; });
  }

private:
  /// The type of an input or output, without made-up names of sizes.
  static std::string describeEnd(Type type) {
    return describeType(withoutMadeUpNames(type));
  }

  /// The inferred type or, if nothing is known, the type that the model declares.
  static Type getBest(const ValueInfoView &info, Value value) {
    auto tensor = dyn_cast<TensorType>(value.getType());
    if (!info.type || (tensor && tensor.hasRank()))
      return value.getType();
    llvm::Expected<Type> declared = importType(value.getContext(), *info.type);
    if (declared)
      return *declared;
    llvm::consumeError(declared.takeError());
    return value.getType();
  }

  void add(Operation *op) {
    if (isa<FunctionOp>(op))
      ++summary.functions;
    if (!isa<ONNXDialect>(op->getDialect()) || isa<FunctionOp, YieldOp>(op))
      return;
    summary.subgraphs += llvm::count_if(
        op->getRegions(), [](Region &region) { return !region.empty(); });
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      bool isInitializer = op->hasAttr(attr::initializer);
      auto outputs = op->getAttrOfType<ArrayAttr>(attr::outputs);
      StringRef name = outputs && !outputs.empty()
                           ? cast<StringAttr>(outputs[0]).getValue()
                           : StringRef();
      if (outputs) {
        Attribute value = constant.getSparseValueAttr();
        addConstant(name, value ? value : constant.getValueAttr(),
                    isInitializer ? "initializer" : "Constant");
      }
      if (isInitializer || !outputs)
        return;
    }
    if (!op->hasAttr(attr::outputs))
      return; // Created by an adapter: not a node of the model.
    ++summary.nodes;
    NodeSummary node;
    std::string domain, name;
    if (auto schemaOp = dyn_cast<SchemaOpInterface>(op)) {
      domain = schemaOp.getSchema().domain.str();
      name = schemaOp.getSchema().name.str();
    } else if (auto custom = dyn_cast<CustomOp>(op)) {
      domain = custom.getDomain().str();
      name = custom.getOpType().str();
    } else {
      auto callee = symbols.lookupNearestSymbolFrom<FunctionOp>(
          op, cast<CallOp>(op).getCalleeAttr());
      domain = callee.getDomain().str();
      name = callee.getName().str();
    }
    node.type = domain.empty() ? name : domain + "." + name;
    if (auto label = op->getAttrOfType<StringAttr>(attr::name))
      node.name = label.str();
    for (Operation *around = op->getParentOp();
         isa_and_nonnull<ONNXDialect>(around->getDialect());
         around = around->getParentOp())
      ++node.depth;
    for (Value result : op->getResults())
      node.outputs.push_back(
          {getValueName(result).str(), describeType(result.getType())});
    summary.listing.push_back(std::move(node));
    OperatorSummary &entry = operators[domain + "::" + name];
    entry.domain = domain;
    entry.name = name;
    ++entry.count;
    if (auto custom = dyn_cast<CustomOp>(op)) {
      ++entry.opaque;
      if (entry.reason.empty())
        entry.reason = custom.getReason().value_or("unknown operator").str();
    }
  }

  void addConstant(StringRef name, Attribute value, StringRef kind) {
    auto sparse = dyn_cast_or_null<SparseAttr>(value);
    auto stored =
        sparse ? sparse.getValues() : dyn_cast_or_null<ElementsAttr>(value);
    FailureOr<Elements> content =
        stored ? elements::toElements(stored) : FailureOr<Elements>();
    if (failed(content))
      return;
    ConstantSummary constant;
    constant.name = name.str();
    constant.type =
        describeType(sparse ? sparse.getType() : Type(stored.getShapedType()));
    constant.bytes = sparse ? getStoredBytes(sparse) : content->sizeInBytes();
    constant.kind = ((sparse ? "sparse " : "") + kind).str();
    if (auto range = content->getFileRange();
        range && range->file != model.source->getModel().getFile())
      constant.file = range->file->getPath().str();
    summary.constantBytes += constant.bytes;
    summary.constants.push_back(std::move(constant));
  }

  ImportedModel &model;
  ModelSummary &summary;
  SymbolTableCollection symbols;
  llvm::MapVector<std::string, OperatorSummary, std::map<std::string, unsigned>>
      operators;
};
} // namespace

llvm::Expected<ModelSummary> invar::inspect(StringRef path,
                                            const InspectOptions &options) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  llvm::Expected<ImportedModel> model = importModel(context, path);
  if (!model)
    return model.takeError();
  const ModelView &view = model->source->getModel().getModel();
  ModelSummary summary;
  summary.path = path.str();
  summary.fileBytes = model->source->getModel().getFile()->getSize();
  summary.irVersion = view.irVersion;
  summary.producer =
      (view.producerName + (view.producerVersion.empty() ? "" : " ") +
       view.producerVersion)
          .str();
  summary.graphName = view.graph->name.str();
  for (const OperatorSetView &opset : view.opsetImports)
    summary.opsets.push_back(
        {opset.domain.empty() ? "ai.onnx" : opset.domain.str(), opset.version});
  summary.shapeWarnings = model->warnings;
  // A model that contradicts itself can still be inspected.
  llvm::Expected<ShapeSummary> shapes =
      inferShapes(*model, options.facts, summary.shapeWarnings);
  if (shapes)
    summary.shapes = *shapes;
  else if (options.needsShapes)
    return shapes.takeError();
  else
    summary.shapeError = describe(shapes.takeError()).second;
  Inspector(*model, summary).run();
  return std::move(summary);
}

llvm::Error invar::printIR(StringRef path, const InspectOptions &options,
                           llvm::raw_ostream &os) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  llvm::Expected<ImportedModel> model = importModel(context, path);
  if (!model)
    return model.takeError();
  std::vector<std::string> warnings;
  if (options.needsShapes)
    if (auto shapes = inferShapes(*model, options.facts, warnings); !shapes)
      return shapes.takeError();
  constexpr int64_t mostElements = 16;
  if (!options.wholeConstants)
    elements::elide(*model->module, mostElements);
  model->module->print(os);
  return llvm::Error::success();
}
