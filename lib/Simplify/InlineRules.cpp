// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Inline.h"

#include "Rules.h"
#include "invar/Dialect/ONNX/CreateOperation.h"
#include "invar/Support/Hash.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static constexpr StringLiteral inlineFunctions = "inline-functions";
static constexpr StringLiteral dropDead = "drop-dead";

//===-- Who calls whom --------------------------------------------------------===//

namespace {
/// The functions of a model, and their sizes when calls are inlined.
class CallGraph {
public:
  explicit CallGraph(ModuleOp module) : symbols(module) {}

  FunctionOp getCallee(CallOp call) const {
    return symbols.lookup<FunctionOp>(call.getCallee());
  }
  SmallVector<FunctionOp> getCallees(Operation *op) const;
  /// The number of operators that a call becomes; none if it would never end.
  std::optional<uint64_t> getSize(FunctionOp function);

private:
  struct Node {
    uint64_t size = 0;
    bool isRecursive = false, isDone = false;
  };

  SymbolTable symbols;
  llvm::DenseMap<Operation *, Node> nodes;
};
} // namespace

SmallVector<FunctionOp> CallGraph::getCallees(Operation *op) const {
  SmallVector<FunctionOp> callees;
  op->walk([&](CallOp call) {
    if (FunctionOp callee = getCallee(call))
      callees.push_back(callee);
  });
  return callees;
}

std::optional<uint64_t> CallGraph::getSize(FunctionOp root) {
  struct Step {
    FunctionOp function;
    SmallVector<FunctionOp> callees;
    size_t next = 0;
  };
  // A chain of calls may be too long for recursion.
  std::vector<Step> steps;
  auto enter = [&](FunctionOp function) {
    Node &node = nodes[function];
    function.walk([&](Operation *) { ++node.size; });
    steps.push_back({function, getCallees(function)});
  };
  if (!nodes.contains(root))
    enter(root);
  while (!steps.empty()) {
    Step &step = steps.back();
    Node &node = nodes[step.function];
    if (step.next == step.callees.size()) {
      node.isDone = true;
      steps.pop_back();
      continue;
    }
    FunctionOp callee = step.callees[step.next];
    auto known = nodes.find(callee);
    if (known == nodes.end()) {
      enter(callee);
      continue;
    }
    // A callee that is not done is on the current path.
    node.isRecursive |= !known->second.isDone || known->second.isRecursive;
    node.size = llvm::SaturatingAdd(node.size, known->second.size);
    ++step.next;
  }
  const Node &node = nodes[root];
  return node.isRecursive ? std::nullopt : std::optional(node.size);
}

//===-- One call --------------------------------------------------------------===//

/// Removes an optional operand from a node; fails if the operand is not optional.
static LogicalResult dropOperand(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  auto dropGiven = [&](auto node) {
    SmallVector<bool> given(node.getInputs().size(), true);
    if (auto known = node.getGiven())
      given.assign(known->begin(), known->end());
    unsigned there = 0;
    for (bool &flag : given)
      if (flag && there++ == number)
        flag = false;
    op->eraseOperand(number);
    node.setGiven(given);
    return success();
  };
  if (auto call = dyn_cast<CallOp>(op))
    return dropGiven(call);
  if (auto custom = dyn_cast<CustomOp>(op))
    return dropGiven(custom);
  auto node = dyn_cast<SchemaOpInterface>(op);
  if (!node)
    return failure();
  SmallVector<bool> present;
  unsigned there = 0;
  for (Value slot : getOperandSlots(op))
    present.push_back(slot && there++ != number);
  while (!present.empty() && !present.back())
    present.pop_back();
  ScopedDiagnosticHandler ignore(op->getContext(), [](Diagnostic &) {});
  auto sizes = getSegmentSizes(
      node.getSchema().operands, present, [&] { return op->emitError(); },
      "input");
  if (failed(sizes))
    return failure();
  op->eraseOperand(number);
  if (op->getInherentAttr("operandSegmentSizes"))
    op->setAttr("operandSegmentSizes",
                DenseI32ArrayAttr::get(op->getContext(), *sizes));
  return success();
}

/// Adds a prefix to all names in a list.
static ArrayAttr addPrefix(StringRef prefix, ArrayAttr names) {
  Builder builder(names.getContext());
  SmallVector<Attribute> longer;
  for (auto name : names.getAsRange<StringAttr>())
    longer.push_back(
        name.empty() ? name : builder.getStringAttr(prefix + name.strref()));
  return builder.getArrayAttr(longer);
}

/// Adds a prefix to all names in a body, because each call needs its own names.
static void addPrefix(StringRef prefix, FunctionOp body) {
  body.getBody().walk([&](Operation *op) {
    if (auto names = op->getAttrOfType<ArrayAttr>(attr::outputs))
      op->setAttr(attr::outputs, addPrefix(prefix, names));
    if (auto name = op->getAttrOfType<StringAttr>(attr::name))
      op->setAttr(attr::name,
                  StringAttr::get(op->getContext(), prefix + name.strref()));
    auto facts = op->getAttrOfType<DictionaryAttr>(attr::graph);
    if (!facts)
      return;
    NamedAttrList changed(facts);
    for (StringRef key : {"inputs", "outputs"})
      if (auto names = facts.getAs<ArrayAttr>(key))
        changed.set(key, addPrefix(prefix, names));
    op->setAttr(attr::graph, changed.getDictionary(op->getContext()));
  });
}

namespace {
/// Replaces the calls of a module by bodies.
class Inliner {
public:
  Inliner(ModuleOp module, const SimplifyOptions &options,
          SimplifyResult &result)
      : module(module), options(options), result(result), callees(module) {}

  void run(func::FuncOp graph);

private:
  /// Inlines a call. Returns the reason if the call stays, otherwise an empty string.
  std::string inlineCall(CallOp call);
  std::string adapt(FunctionOp body);
  std::string checkImport(FunctionOp body, StringRef domain, bool isExact);
  void addImport(StringRef domain, int64_t version);
  void replace(CallOp call, FunctionOp body);

  ModuleOp module;
  const SimplifyOptions &options;
  SimplifyResult &result;
  CallGraph callees;
  AdapterTable adapters;
  SmallVector<CallOp> left;
  /// The number of operators that came from functions.
  uint64_t operators = 0;
};
} // namespace

void Inliner::addImport(StringRef domain, int64_t version) {
  Builder builder(module.getContext());
  NamedAttrList imports(getImports(module));
  imports.set(domain.empty() ? "ai.onnx" : domain,
              builder.getI64IntegerAttr(version));
  NamedAttrList model(module->getAttrOfType<DictionaryAttr>(attr::model));
  model.set("opset_imports", imports.getDictionary(module.getContext()));
  module->setAttr(attr::model, model.getDictionary(module.getContext()));
}

/// Returns why a node of a domain cannot be moved from a function into the model: the
/// versions differ, or, for nodes that are adapted when written, the function's version
/// is newer. Returns an empty string if it can be moved.
std::string Inliner::checkImport(FunctionOp body, StringRef domain,
                                 bool isExact) {
  if (!getImports(module))
    return "";
  std::optional<int64_t> its = getVersion(body.getOpsetImports(), domain);
  std::optional<int64_t> own = getVersion(getImports(module), domain);
  if (!its)
    return "";
  if (!own) {
    addImport(domain, *its);
    return "";
  }
  if (*its == *own || (!isExact && *its < *own))
    return "";
  return ("expected version " + Twine(*own) + " of the domain '" + domain +
          "', but got " + Twine(*its))
      .str();
}

/// Converts custom nodes of a body to the newest form, which has the same meaning
/// everywhere. Returns why that fails, or an empty string.
std::string Inliner::adapt(FunctionOp body) {
  int64_t opset =
      options.opset ? options.opset
                    : getVersion(getImports(module), "").value_or(newestOpset);
  SmallVector<CustomOp> customs;
  body.walk([&](CustomOp custom) { customs.push_back(custom); });
  for (CustomOp custom : customs) {
    StringRef domain = custom.getDomain();
    std::optional<int64_t> version = getVersion(body.getOpsetImports(), domain);
    if (version && adaptLate(custom, adapters, *version, opset))
      continue;
    if (std::string why = checkImport(body, domain, /*isExact=*/true);
        !why.empty())
      return why;
  }
  std::string why;
  body.walk([&](SchemaOpInterface op) {
    StringRef domain = op.getSchema().domain;
    if (why.empty())
      why = checkImport(body, domain, /*isExact=*/false);
    if (why.empty() && domain.empty())
      why = checkWritable(op, adapters, opset).value_or("");
  });
  return why;
}

/// Removes the name of a value, so that it can get another one.
static void dropName(Value value) {
  auto result = dyn_cast<OpResult>(value);
  auto names = result
                   ? result.getOwner()->getAttrOfType<ArrayAttr>(attr::outputs)
                   : ArrayAttr();
  if (!names)
    return;
  SmallVector<Attribute> changed(names.getValue());
  changed[result.getResultNumber()] = StringAttr::get(value.getContext(), "");
  result.getOwner()->setAttr(attr::outputs,
                             ArrayAttr::get(value.getContext(), changed));
}

/// The prefix of all names in the body of a call. Calls that are nested n deep would
/// have names n parts long, so the end of a long name is replaced by its hash.
static std::string getPrefix(StringRef name) {
  constexpr size_t longest = 256;
  if (name.size() <= longest)
    return (name + "/").str();
  size_t kept = longest / 2;
  auto isInsideCharacter = [&] { return (uint8_t(name[kept]) & 0xc0) == 0x80; };
  while (kept > 0 && isInsideCharacter())
    --kept;
  return (name.take_front(kept) + "~" + Hasher().add(name).finish().toString() +
          "/")
      .str();
}

/// Moves the operators of a body before a call, and erases the call.
void Inliner::replace(CallOp call, FunctionOp body) {
  Block &block = body.getBody().front();
  if (std::string name = getNodeName(call); !name.empty())
    addPrefix(getPrefix(name), body);
  SmallVector<Value> yields(block.getTerminator()->getOperands());
  for (auto [result, yielded] : llvm::zip(call.getResults(), yields))
    if (!getValueName(result).empty() && yielded.getParentBlock() == &block)
      dropName(yielded);
  block.getTerminator()->erase();
  block.walk([&](CallOp nested) { left.push_back(nested); });
  call->getBlock()->getOperations().splice(Block::iterator(call),
                                           block.getOperations());
  for (auto [result, yielded] : llvm::zip(call.getResults(), yields)) {
    Rewriting::passName(result, yielded);
    result.replaceAllUsesWith(yielded);
  }
  call.erase();
}

std::string Inliner::inlineCall(CallOp call) {
  // Functions that call each other repeatedly can expand a small file to very many
  // operators.
  constexpr uint64_t maxOperators = 1 << 18;
  FunctionOp function = callees.getCallee(call);
  if (!function)
    return "expected a function, but there is none";
  std::optional<uint64_t> size = callees.getSize(function);
  if (!size)
    return "expected a function that ends, but it calls itself, or one that "
           "does";
  if (*size > maxOperators - std::min(operators, maxOperators))
    return ("expected at most " + Twine(maxOperators) +
            " operators of functions, but got " +
            Twine(llvm::SaturatingAdd(operators, *size)))
        .str();

  OwningOpRef<FunctionOp> body = function.clone();
  bindParameters(*body, call.getNodeAttributes());
  size_t next = 0;
  for (auto [i, argument] : llvm::enumerate(body->getBody().getArguments())) {
    bool isGiven = call.getGiven()
                       ? i < call.getGiven()->size() && (*call.getGiven())[i]
                       : i < call.getInputs().size();
    if (isGiven)
      argument.replaceAllUsesWith(call.getInputs()[next++]);
    for (OpOperand &use : llvm::make_early_inc_range(argument.getUses()))
      if (failed(dropOperand(use)))
        return ("expected input " + Twine(i) + ", but it is not given").str();
  }
  if (std::string why = adapt(*body); !why.empty())
    return why;
  // `size` includes nested calls. They are counted when they are inlined.
  uint64_t nested = 0;
  for (FunctionOp callee : callees.getCallees(function))
    nested += callees.getSize(callee).value_or(0);
  operators += *size - nested;
  replace(call, *body);
  return "";
}

void Inliner::run(func::FuncOp graph) {
  RuleStatistics &statistics = result.rules[inlineFunctions];
  llvm::StringSet<> said;
  graph.walk([&](CallOp call) { left.push_back(call); });
  std::reverse(left.begin(), left.end());
  while (!left.empty()) {
    CallOp call = left.pop_back_val();
    NodeChange change{false, getNodeName(call), getNodeType(call),
                      inlineFunctions.str()};
    std::string callee = call.getCallee().str();
    std::string why = inlineCall(call);
    ++statistics.tried;
    statistics.applied += why.empty();
    if (why.empty() && options.record)
      result.changes.push_back(std::move(change));
    if (!why.empty() && said.insert(callee + why).second)
      result.warnings.push_back(change.node + ": cannot inline '" + callee +
                                "': " + why);
  }
}

void invar::inlineCalls(ModuleOp module, const SimplifyOptions &options,
                        SimplifyResult &result) {
  if (!options.rules.isOn(inlineFunctions) ||
      module.getOps<FunctionOp>().empty())
    return;
  Inliner inliner(module, options, result);
  for (func::FuncOp graph : module.getOps<func::FuncOp>())
    inliner.run(graph);
}

//===-- Functions that nobody calls -------------------------------------------===//

void invar::dropUnusedFunctions(ModuleOp module, const SimplifyOptions &options,
                                SimplifyResult &result) {
  if (!options.rules.isOn(dropDead) || module.getOps<FunctionOp>().empty())
    return;
  CallGraph callees(module);
  llvm::DenseSet<Operation *> used;
  SmallVector<Operation *> left;
  for (func::FuncOp graph : module.getOps<func::FuncOp>())
    left.push_back(graph);
  while (!left.empty())
    for (FunctionOp callee : callees.getCallees(left.pop_back_val()))
      if (used.insert(callee).second)
        left.push_back(callee);
  RuleStatistics &statistics = result.rules[dropDead];
  for (FunctionOp function :
       llvm::make_early_inc_range(module.getOps<FunctionOp>())) {
    ++statistics.tried;
    if (used.contains(function))
      continue;
    ++statistics.applied;
    function.erase();
  }
}

static constexpr StringLiteral dropCallPattern =
    "Call f(x) -> nothing [unused, and f pure; an operator less]";
static LogicalResult dropCall(CallOp op, Rewriting &rewriting) {
  if (!op->use_empty())
    return failure();
  Functions &functions = rewriting.getFunctions();
  FunctionOp function = functions.find(op);
  if (!function || !functions.isPure(function))
    return failure();
  rewriting.erase(op);
  return success();
}

static constexpr StringLiteral inlineFunctionsPattern =
    "Call f(x) -> the body of f(x) [a call less]";
void invar::addInlineRules(std::vector<Rule> &rules) {
  rules.push_back(Rule{inlineFunctions,
                       RuleGroup::Decompose,
                       inlineFunctionsPattern,
                       {FunctionOp::getOperationName()},
                       nullptr}
                      .forLowering(true));
  rules.push_back(
      RuleFor<dropCall>::get("drop-call", RuleGroup::Exact, dropCallPattern));
}
