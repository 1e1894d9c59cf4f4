// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RunPasses.h"

#include "invar/Dialect/ONNX/DescribeType.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Frontend/Import/ImportTypes.h"
#include "invar/Simplify/Passes.h"
#include "invar/Stop/Scope.h"
#include "invar/Support/Error.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static StringRef nameOf(Location loc) {
  auto name = dyn_cast<NameLoc>(loc);
  return name ? name.getName().getValue() : StringRef();
}

/// A diagnostic in one line: the location, the message, and the notes.
static std::string toText(Diagnostic &diagnostic) {
  std::string text;
  auto add = [&](Diagnostic &part, StringRef separator) {
    text += separator;
    if (StringRef where = nameOf(part.getLocation()); !where.empty())
      text += (where + ": ").str();
    text += describeDiagnostic(part);
  };
  add(diagnostic, "");
  for (Diagnostic &note : diagnostic.getNotes())
    add(note, "; ");
  return text;
}

/// The values of a graph by their names.
static llvm::StringMap<Value> valuesByName(Block &graph) {
  llvm::StringMap<Value> values;
  for (Operation &op : graph)
    for (Value result : op.getResults())
      if (StringRef name = getValueName(result); !name.empty())
        values[name] = result;
  return values;
}

/// Whether two types cannot be those of one value.
static bool contradict(Type left, Type right) {
  if (!agree(left, right))
    return true;
  auto a = dyn_cast<RankedTensorType>(left),
       b = dyn_cast<RankedTensorType>(right);
  if (!a || !b)
    return false;
  return a.getRank() != b.getRank() ||
         llvm::any_of(llvm::zip(a.getShape(), b.getShape()), [](auto sizes) {
           auto [x, y] = sizes;
           return x != y && !ShapedType::isDynamic(x) &&
                  !ShapedType::isDynamic(y);
         });
}

static void checkDeclared(Block &graph, const GraphView &view, StringRef path,
                          std::vector<std::string> &warnings) {
  llvm::StringMap<Value> values = valuesByName(graph);
  auto check = [&](const ValueInfoView &info, Type type) {
    if (!info.type)
      return;
    llvm::Expected<Type> declared = importType(type.getContext(), *info.type);
    if (!declared)
      llvm::consumeError(declared.takeError());
    else if (contradict(*declared, type))
      warnings.push_back((path + ": '" + info.name + "' is declared " +
                          describeType(*declared) + ", but is " +
                          describeType(type))
                             .str());
  };
  for (auto [info, output] :
       llvm::zip(view.outputs, graph.getTerminator()->getOperands()))
    check(info, output.getType());
  for (const ValueInfoView &info : view.valueInfos)
    if (Value value = values.lookup(info.name))
      check(info, value.getType());
}

llvm::Error invar::runPass(ImportedModel &model,
                           llvm::function_ref<LogicalResult()> pass) {
  MLIRContext *context = model.module->getContext();
  // One line has no room for a printed operator, and even less for its graphs.
  context->printOpOnDiagnostic(false);
  std::string message;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = toText(diagnostic);
    return success();
  });
  bool isDone = succeeded(pass());
  if (StopScope::isDue())
    return outOfResources(model.source->getModel().getPath() + ": " +
                          StopScope::get()->explain());
  if (!isDone)
    return badInput(model.source->getModel().getPath() + ": " + message);
  return llvm::Error::success();
}

/// Summarizes the known shapes; warns if the model declares others.
static ShapeSummary summarizeShapes(ImportedModel &model, unsigned visits,
                                    std::vector<std::string> &warnings) {
  model.module->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      if (const GraphView *view = model.source->findGraph(&region))
        checkDeclared(region.front(), *view, model.source->getModel().getPath(),
                      warnings);
  });
  ShapeCounts counts = countShapes(*model.module);
  return ShapeSummary{counts.known, counts.symbolic, counts.unknown, visits};
}

llvm::Expected<ShapeSummary>
invar::inferShapes(ImportedModel &model, const ShapeFacts &facts,
                   std::vector<std::string> &warnings) {
  FailureOr<unsigned> visits;
  auto run = [&]() -> LogicalResult {
    return visits = inferTypes(*model.module, facts);
  };
  if (llvm::Error error = runPass(model, run))
    return error;
  return summarizeShapes(model, *visits, warnings);
}

llvm::Expected<ShapeSummary>
invar::runSimplify(ImportedModel &model, const ShapeFacts &facts,
                   const SimplifyOptions &options,
                   const ConfigurePasses &configure, SimplifyResult &result,
                   std::vector<std::string> &warnings) {
  auto run = [&]() -> LogicalResult {
    PassManager manager(model.module->getContext(),
                        ModuleOp::getOperationName());
    manager.enableVerifier(false);
    if (configure && failed(configure(manager)))
      return failure();
    manager.addPass(createSimplifyPass(facts, options, result));
    return manager.run(*model.module);
  };
  if (llvm::Error error = runPass(model, run))
    return error;
  for (const std::string &warning : result.warnings)
    warnings.push_back(
        (model.source->getModel().getPath() + ": " + warning).str());
  return summarizeShapes(model, result.visits, warnings);
}

/// Whether a node refers to attributes of its function, which only a call defines.
static bool hasParameters(CustomOp node) {
  return llvm::any_of(node.getNodeAttributes(), [](NamedAttribute attribute) {
    return isa<ParameterAttr>(attribute.getValue());
  });
}

llvm::Error invar::reportOpaque(ImportedModel &model, bool strict,
                                std::vector<std::string> &warnings) {
  // By error message: the first node, and the number of nodes.
  llvm::MapVector<std::string, std::pair<CustomOp, unsigned>,
                  std::map<std::string, unsigned>>
      found;
  model.module->walk<WalkOrder::PreOrder>([&](CustomOp node) {
    if (hasParameters(node))
      return;
    std::string name =
        (node.getDomain() + Twine(node.getDomain().empty() ? "" : ".") +
         node.getOpType())
            .str();
    auto &[first, count] =
        found[("expected an operator that is understood, but got '" + name +
               "'" + (node.getReason() ? ": " : "") +
               node.getReason().value_or(""))
                  .str()];
    if (count++ == 0)
      first = node;
  });
  for (auto &[message, entry] : found) {
    auto [node, count] = entry;
    std::string text = (model.source->getModel().getPath() + ": " +
                        nameOf(node.getLoc()) + ": " + message)
                           .str();
    if (strict)
      return badInput(text);
    warnings.push_back(text + (count == 1
                                   ? "; it is left as it is"
                                   : "; this and " + std::to_string(count - 1) +
                                         " more are left as they are"));
  }
  return llvm::Error::success();
}

llvm::Error invar::requireStaticShapes(ImportedModel &model) {
  Value open;
  model.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<FunctionOp>(op))
      return WalkResult::skip();
    auto isOpen = [](Value value) {
      auto tensor = dyn_cast<TensorType>(value.getType());
      return isa<UnknownType>(value.getType()) ||
             (tensor && !tensor.hasStaticShape());
    };
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        if (!open && isOpen(argument))
          open = argument;
    for (Value result : op->getResults())
      if (!open && isOpen(result))
        open = result;
    return open ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!open)
    return llvm::Error::success();
  return badInput(model.source->getModel().getPath() + ": " +
                  nameOf(open.getLoc()) + ": expected a static shape for '" +
                  getValueName(open) + "', but got " +
                  describeType(open.getType()) +
                  "; --dim=NAME=SIZE and --shape=INPUT=SHAPE state sizes");
}
