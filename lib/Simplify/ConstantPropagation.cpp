// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Simplify/ConstantPropagation.h"

#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Elements/IR/Pool.h"
#include "invar/Simplify/Budget.h"
#include "invar/Simplify/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

StringRef invar::getName(FoldDecision::Outcome outcome) {
  switch (outcome) {
  case FoldDecision::Stored:
    return "stored";
  case FoldDecision::Absorbed:
    return "absorbed";
  case FoldDecision::Kept:
    return "kept";
  case FoldDecision::Refused:
    return "refused";
  }
  llvm_unreachable("covered switch");
}

namespace {
/// One graph, what inference knows of it, and what is to become of its constants.
class Propagation {
public:
  Propagation(func::FuncOp main, TypeInference &inference,
              const ConstantPropagationOptions &options)
      : main(main), inference(inference), options(options) {}

  void run(std::vector<FoldDecision> &decisions);

private:
  uint64_t getBytes(Value value) const;
  SetVector<Value> getInputs(Operation *op) const;
  void collect();
  void addConstant(Operation *op);
  bool hasVariableUse(Value value);
  FoldDecision decide(Operation *op);
  void explain(std::vector<FoldDecision> &decisions);
  void store(OpResult value);
  void eraseDead();

  func::FuncOp main;
  TypeInference &inference;
  const ConstantPropagationOptions &options;
  /// Operators that give nothing but constants, those inside of others left out.
  SetVector<Operation *> constantOps;
  /// Operators of constants that give something else.
  SmallVector<Operation *> refused;
  ConstantGraph graph;
  llvm::DenseMap<Value, unsigned> numbers;
  llvm::BitVector stored;
  SmallVector<Operation *> made;
};
} // namespace

//===-- What there is ---------------------------------------------------------===//

/// What it would take to store a value.
uint64_t Propagation::getBytes(Value value) const {
  const FoldValue *content = inference.getConstant(value);
  if (!content || !content->isTensor())
    return ConstantGraph::never;
  const Elements &tensor = content->getTensor();
  if (tensor.getType() != DataType::String)
    return tensor.sizeInBytes();
  uint64_t bytes = 0;
  auto strings = tensor.getArray<StringRef>();
  if (!strings) {
    llvm::consumeError(strings.takeError());
    return ConstantGraph::never;
  }
  for (StringRef string : *strings)
    bytes += string.size() + 2; // A tag and a length.
  return bytes;
}

/// All values that an operator computes with: its operands, and what its graphs use.
SetVector<Value> Propagation::getInputs(Operation *op) const {
  SetVector<Value> inputs(op->operand_begin(), op->operand_end());
  if (op->getNumRegions())
    getUsedValuesDefinedAbove(op->getRegions(), inputs);
  return inputs;
}

void Propagation::addConstant(Operation *op) {
  constantOps.insert(op);
  SmallVector<unsigned> operands;
  // What is known though an operand is not, such as a shape, is a source by itself.
  SetVector<Value> inputs = getInputs(op);
  if (llvm::all_of(inputs,
                   [&](Value value) { return numbers.contains(value); }))
    for (Value input : inputs)
      operands.push_back(numbers.lookup(input));
  for (Value result : op->getResults()) {
    uint64_t bytes = getBytes(result);
    // An empty sequence and its like stay for nothing.
    if (operands.empty() && bytes == ConstantGraph::never)
      bytes = 0;
    numbers[result] = graph.add(bytes, operands);
  }
}

void Propagation::collect() {
  main.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (inference.isConstant(op)) {
      addConstant(op);
      return WalkResult::skip();
    }
    bool isCandidate = op->getNumResults() != 0 && op->getNumOperands() != 0 &&
                       llvm::all_of(op->getOperands(), [&](Value operand) {
                         return inference.getConstant(operand) != nullptr;
                       });
    if (isCandidate)
      refused.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *op : constantOps)
    for (Value result : op->getResults())
      if (hasVariableUse(result))
        graph.need(numbers.lookup(result));
}

/// Whether something uses a value that is no constant, or that is only part of one.
bool Propagation::hasVariableUse(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    for (; user && user != main; user = user->getParentOp())
      if (constantOps.contains(user))
        return false;
    return true;
  });
}

//===-- Explaining ------------------------------------------------------------===//

static std::string nameOf(Operation *op) {
  if (auto name = op->getAttrOfType<StringAttr>(attr::name);
      name && !name.empty())
    return name.str();
  return op->getNumResults() ? getValueName(op->getResult(0)).str() : "";
}

static std::string typeOf(Operation *op) {
  if (auto custom = dyn_cast<CustomOp>(op))
    return custom.getOpType().str();
  return op->getName().stripDialect().str();
}

FoldDecision Propagation::decide(Operation *op) {
  FoldDecision decision;
  decision.outcome = FoldDecision::Refused;
  decision.node = nameOf(op);
  decision.type = typeOf(op);
  decision.microseconds = inference.getFoldTime(op);
  auto add = [&](uint64_t &sum, Value value) {
    uint64_t bytes = getBytes(value);
    sum += bytes == ConstantGraph::never ? 0 : bytes;
  };
  for (Value operand : op->getOperands())
    add(decision.bytesIn, operand);
  for (Value result : op->getResults())
    add(decision.bytesOut, result);
  return decision;
}

void Propagation::explain(std::vector<FoldDecision> &decisions) {
  for (Operation *op : constantOps) {
    if (isa<ConstantOp>(op))
      continue;
    FoldDecision decision = decide(op);
    auto any = [&](auto predicate) {
      return llvm::any_of(op->getResults(), [&](Value result) {
        return predicate(numbers.lookup(result));
      });
    };
    bool isStored = any([&](unsigned number) { return stored[number]; });
    bool isOpen = any([&](unsigned number) {
      return graph.isNeeded(number) && !stored[number];
    });
    decision.outcome = isOpen     ? FoldDecision::Kept
                       : isStored ? FoldDecision::Stored
                                  : FoldDecision::Absorbed;
    if (isOpen)
      decision.reason = any([&](unsigned number) {
        return getBytes(op->getResult(0)) == ConstantGraph::never;
      })
                            ? "its result is no tensor"
                            : "to store its result would make the model bigger";
    decisions.push_back(std::move(decision));
  }
  for (Operation *op : refused) {
    FoldDecision decision = decide(op);
    auto reason = inference.getRefusals().find(op);
    decision.reason = reason != inference.getRefusals().end() ? reason->second
                      : isa<CustomOp>(op) ? "its operator is not known"
                      : isa<FoldOpInterface>(op)
                          ? "its type is not known"
                          : "its results are not a function of its operands";
    decisions.push_back(std::move(decision));
  }
}

//===-- Replacing -------------------------------------------------------------===//

/// Puts a constant in the place of a value, under its name.
void Propagation::store(OpResult value) {
  Operation *op = value.getOwner();
  OpBuilder builder(op);
  auto constant = ConstantOp::create(builder, value.getLoc(),
                                     inference.getConstantAttr(value));
  NamedAttrList facts;
  facts.set(attr::initializer, builder.getUnitAttr());
  if (StringRef name = getValueName(value); !name.empty()) {
    facts.set(attr::outputs, builder.getStrArrayAttr(name));
    // The operator may stay for another result; this one has no name any more.
    SmallVector<Attribute> names(
        op->getAttrOfType<ArrayAttr>(attr::outputs).getAsRange<Attribute>());
    names[value.getResultNumber()] = builder.getStringAttr("");
    op->setAttr(attr::outputs, builder.getArrayAttr(names));
  }
  constant->setDiscardableAttrs(facts.getDictionary(builder.getContext()));
  value.replaceAllUsesWith(constant.getOutput());
  made.push_back(constant);
}

/// Erases the constants that nothing uses any more, users before what they use.
void Propagation::eraseDead() {
  for (Operation *op : llvm::reverse(constantOps.getArrayRef()))
    if (op->use_empty())
      op->erase();
  for (Operation *op : made)
    if (op->use_empty())
      op->erase();
}

void Propagation::run(std::vector<FoldDecision> &decisions) {
  collect();
  uint64_t bytesBefore = 0;
  for (Operation *op : constantOps)
    if (isa<ConstantOp>(op))
      bytesBefore += getBytes(op->getResult(0));
  stored = graph.choose(options.freeGrowth +
                        uint64_t(options.maxGrowth * double(bytesBefore)));
  explain(decisions);
  for (Operation *op : constantOps)
    if (!isa<ConstantOp>(op))
      for (OpResult result : op->getResults())
        if (stored[numbers.lookup(result)] && !result.use_empty() &&
            inference.getConstantAttr(result))
          store(result);
  eraseDead();
  main.setFunctionType(FunctionType::get(
      main.getContext(), main.getBody().getArgumentTypes(),
      main.getBody().front().getTerminator()->getOperandTypes()));
}

FailureOr<ConstantPropagationResult>
invar::propagateConstants(ModuleOp module, const ShapeFacts &facts,
                          const ConstantPropagationOptions &options) {
  ConstantPropagationResult result;
  LogicalResult done = forEachGraph(
      module, facts, [&](func::FuncOp graph, const ShapeFacts &itsFacts) {
        TypeInference inference(module.getContext(), options.fold);
        if (failed(inference.run(graph, itsFacts)))
          return failure();
        applyRules(graph, inference, options.rules, result.applied);
        result.visits += inference.getNumVisits();
        Propagation(graph, inference, options).run(result.decisions);
        return success();
      });
  if (failed(done))
    return failure();
  // What only went into others is not kept any longer.
  elements::Pool::get(module.getContext()).collect(module);
  return result;
}

namespace invar {
#define GEN_PASS_DEF_PROPAGATECONSTANTS
#include "invar/Simplify/Passes.h.inc"
} // namespace invar

namespace {
class PropagateConstants
    : public invar::impl::PropagateConstantsBase<PropagateConstants> {
public:
  using PropagateConstantsBase::PropagateConstantsBase;

  void runOnOperation() override {
    ConstantPropagationOptions options;
    options.freeGrowth = growth;
    options.fold.numerics = wide ? Numerics::Wide : Numerics::Exact;
    options.fold.exactOnly = exactOnly;
    options.rules.wide = wide;
    options.rules.fuse = fuse;
    for (const std::string &name : disabled)
      options.rules.disabled.insert(name);
    for (const std::string &name : enabled)
      options.rules.enabled.insert(name);
    auto result = propagateConstants(getOperation(), {}, options);
    if (failed(result))
      return signalPassFailure();
    numVisits += result->visits;
    for (const auto &applied : result->applied)
      numRules += applied.second;
    for (const FoldDecision &decision : result->decisions)
      ++(decision.outcome <= FoldDecision::Absorbed ? numFolded : numLeft);
  }
};
} // namespace
