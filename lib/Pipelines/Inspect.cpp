// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Pipelines/Inspect.h"

#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Elements/IR/Pool.h"
#include "invar/Frontend/Import/Import.h"
#include "invar/Frontend/Import/ImportTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static std::string nameElement(Type element) {
  std::optional<DataType> type = elements::toDataType(element);
  return type ? getName(*type).str() : "?";
}

/// A type as the standard's users write it.
static std::string describeType(Type type) {
  return llvm::TypeSwitch<Type, std::string>(type)
      .Case<RankedTensorType>([](RankedTensorType tensor) {
        auto names = dyn_cast_or_null<DimsAttr>(tensor.getEncoding());
        SmallVector<std::string> dims;
        for (auto [i, size] : llvm::enumerate(tensor.getShape())) {
          if (!ShapedType::isDynamic(size))
            dims.push_back(std::to_string(size));
          else if (names && !names.getNames()[i].empty())
            dims.push_back(names.getNames()[i].str());
          else
            dims.push_back("?");
        }
        return nameElement(tensor.getElementType()) + "[" +
               llvm::join(dims, ", ") + "]";
      })
      .Case<UnrankedTensorType>([](UnrankedTensorType tensor) {
        return nameElement(tensor.getElementType()) + "[…]";
      })
      .Case<SequenceType>([](SequenceType sequence) {
        return "seq(" + describeType(sequence.getElementType()) + ")";
      })
      .Case<OptionalType>([](OptionalType optional) {
        return "optional(" + describeType(optional.getElementType()) + ")";
      })
      .Case<MapType>([](MapType map) {
        return "map(" + nameElement(map.getKeyType()) + ", " +
               describeType(map.getValueType()) + ")";
      })
      .Case<SparseTensorType>([](SparseTensorType sparse) {
        return "sparse " + describeType(sparse.getDenseType());
      })
      .Default([](Type) { return std::string("?"); });
}

namespace {
/// Collects what a module holds.
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
      summary.inputs.push_back({name.str(), describeType(argument.getType())});
      if (Attribute value =
              main.getArgAttr(argument.getArgNumber(), attr::defaultValue))
        addConstant(name.getValue(), dyn_cast<ElementsAttr>(value),
                    "input default");
    }
    const GraphView &view = *model.source->getModel().getModel().graph;
    for (auto [output, info] :
         llvm::zip(graph.getTerminator()->getOperands(), view.outputs))
      summary.outputs.push_back(
          {info.name.str(), describeType(getDeclared(info, output))});
    model.module->walk([&](Operation *op) { add(op); });
    llvm::stable_sort(summary.constants,
                      [](auto &a, auto &b) { return a.bytes > b.bytes; });
    for (auto &entry : operators)
      summary.operators.push_back(entry.second);
    llvm::stable_sort(summary.operators,
                      [](auto &a, auto &b) { return a.count > b.count; });
  }

private:
  /// What the model says of an output: until shapes are inferred, `value` may say less.
  static Type getDeclared(const ValueInfoView &info, Value value) {
    if (!info.type)
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
      if (outputs)
        addConstant(name, constant.getValueAttr(),
                    isInitializer ? "initializer" : "Constant");
      if (isInitializer || !outputs)
        return;
    }
    if (!op->hasAttr(attr::outputs))
      return; // Made by an adapter: no node of the model.
    ++summary.nodes;
    std::string domain, name;
    if (auto schemaOp = dyn_cast<SchemaOpInterface>(op)) {
      domain = schemaOp.getSchema().domain.str();
      name = schemaOp.getSchema().name.str();
    } else if (auto custom = dyn_cast<CustomOp>(op)) {
      domain = custom.getDomain().str();
      name = custom.getOpType().str();
    } else {
      auto callee = SymbolTable::lookupNearestSymbolFrom<FunctionOp>(
          op, cast<CallOp>(op).getCalleeAttr());
      domain = callee.getDomain().str();
      name = callee.getName().str();
    }
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

  void addConstant(StringRef name, ElementsAttr value, StringRef kind) {
    if (!value)
      return;
    FailureOr<Elements> content = elements::toElements(value);
    if (failed(content))
      return;
    ConstantSummary constant;
    constant.name = name.str();
    constant.type = describeType(value.getShapedType());
    constant.bytes = content->sizeInBytes();
    constant.kind = kind.str();
    if (auto range = content->getFileRange();
        range && range->file != model.source->getModel().getFile())
      constant.file = range->file->getPath().str();
    summary.constantBytes += constant.bytes;
    summary.constants.push_back(std::move(constant));
  }

  ImportedModel &model;
  ModelSummary &summary;
  llvm::MapVector<std::string, OperatorSummary, std::map<std::string, unsigned>>
      operators;
};
} // namespace

llvm::Expected<ModelSummary> invar::inspect(StringRef path) {
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
  Inspector(*model, summary).run();
  return std::move(summary);
}

llvm::Error invar::printIR(StringRef path, llvm::raw_ostream &os) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  llvm::Expected<ImportedModel> model = importModel(context, path);
  if (!model)
    return model.takeError();
  constexpr int64_t mostElements = 16;
  elements::elide(*model->module, mostElements);
  model->module->print(os);
  return llvm::Error::success();
}
