// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Simplify/ConstantPropagation.h"

#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Dialect/ONNX/Ops/Quantize.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "invar/Dialect/ONNX/Sparse.h"
#include "invar/Support/ConstantGraph.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
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
/// Chooses and stores the constants of one graph.
class Propagation {
public:
  Propagation(Region &region, TypeInference &inference,
              const GrowthLimit &growth, bool isBody)
      : region(region), inference(inference), growth(growth), isBody(isBody) {}

  std::vector<FoldDecision> run(llvm::function_ref<void(Operation *)> erasing,
                                llvm::function_ref<void(Value)> storing);

private:
  uint64_t getBytes(Value value) const;
  bool feedsVariable(Value value) const;
  bool staysQuantized(Value value) const;
  bool staysTied(Value value) const;
  SetVector<Value> getInputs(Operation *op) const;
  void collect();
  void addConstant(Operation *op);
  bool hasVariableUse(Value value);
  FoldDecision decide(Operation *op);
  void explain(std::vector<FoldDecision> &decisions);
  void store(OpResult value);
  void eraseDead(llvm::function_ref<void(Operation *)> erasing);

  Region &region;
  TypeInference &inference;
  const GrowthLimit &growth;
  bool isBody;
  /// Operators whose results are all constants, except those nested inside of others.
  SetVector<Operation *> constantOps;
  /// Operators whose operands are all constants, but whose results are not.
  SmallVector<Operation *> refused;
  ConstantGraph graph;
  llvm::DenseMap<Value, unsigned> numbers;
  llvm::BitVector stored;
  SmallVector<Operation *> made;
};
} // namespace

//===-- What there is ---------------------------------------------------------===//

/// The number of bytes needed to store a value.
uint64_t Propagation::getBytes(Value value) const {
  const FoldValue *content = inference.getConstant(value);
  if (!content || !content->isTensor())
    return ConstantGraph::never;
  auto constant = value.getDefiningOp<ConstantOp>();
  SparseAttr sparse = constant ? constant.getSparseValueAttr() : SparseAttr();
  if (sparse && growth.keepsSparse)
    return getStoredBytes(sparse);
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

/// All values that an operator uses: its operands, and values that its graphs use.
SetVector<Value> Propagation::getInputs(Operation *op) const {
  SetVector<Value> inputs(op->operand_begin(), op->operand_end());
  if (op->getNumRegions())
    getUsedValuesDefinedAbove(op->getRegions(), inputs);
  return inputs;
}

/// Whether a non-constant operator uses a value.
bool Propagation::feedsVariable(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return !user->hasTrait<OpTrait::IsTerminator>() &&
           !inference.isConstant(user);
  });
}

bool Propagation::staysQuantized(Value value) const {
  return growth.keepsQuantized && value.getDefiningOp<DequantizeLinearOp>() &&
         feedsVariable(value);
}

bool Propagation::staysTied(Value value) const {
  auto transpose = value.getDefiningOp<TransposeOp>();
  return growth.keepsTied && transpose && feedsVariable(transpose.getData());
}

void Propagation::addConstant(Operation *op) {
  constantOps.insert(op);
  SmallVector<unsigned> operands;
  // A result that is known although an operand is not, such as a shape, is a source.
  SetVector<Value> inputs = getInputs(op);
  if (llvm::all_of(inputs,
                   [&](Value value) { return numbers.contains(value); }))
    for (Value input : inputs)
      operands.push_back(numbers.lookup(input));
  for (Value result : op->getResults()) {
    uint64_t bytes = staysQuantized(result) || staysTied(result)
                         ? ConstantGraph::never
                         : getBytes(result);
    // An empty sequence and the like cost nothing.
    if (operands.empty() && bytes == ConstantGraph::never)
      bytes = 0;
    numbers[result] = graph.add(bytes, operands);
  }
}

void Propagation::collect() {
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
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

/// Whether a value has a user that is neither a constant operator nor inside of one.
bool Propagation::hasVariableUse(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    for (; user != region.getParentOp(); user = user->getParentOp())
      if (constantOps.contains(user))
        return false;
    return true;
  });
}

//===-- Explaining ------------------------------------------------------------===//

std::string invar::getNodeName(Operation *op) {
  if (auto name = op->getAttrOfType<StringAttr>(attr::name);
      name && !name.empty())
    return name.str();
  return op->getNumResults() ? getValueName(op->getResult(0)).str() : "";
}

std::string invar::getNodeType(Operation *op) {
  if (auto custom = dyn_cast<CustomOp>(op))
    return custom.getOpType().str();
  return op->getName().stripDialect().str();
}

FoldDecision Propagation::decide(Operation *op) {
  FoldDecision decision;
  decision.outcome = FoldDecision::Refused;
  decision.node = getNodeName(op);
  decision.type = getNodeType(op);
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

/// Replaces a value by a constant with the same name.
void Propagation::store(OpResult value) {
  Operation *op = value.getOwner();
  OpBuilder builder(op);
  auto constant = ConstantOp::create(builder, value.getLoc(),
                                     inference.getConstantAttr(value));
  NamedAttrList facts;
  if (!isBody)
    facts.set(attr::initializer, builder.getUnitAttr());
  if (StringRef name = getValueName(value); !name.empty()) {
    facts.set(attr::outputs, builder.getStrArrayAttr(name));
    // The operator may stay for another result, so remove the name of this one.
    SmallVector<Attribute> names(
        op->getAttrOfType<ArrayAttr>(attr::outputs).getAsRange<Attribute>());
    names[value.getResultNumber()] = builder.getStringAttr("");
    op->setAttr(attr::outputs, builder.getArrayAttr(names));
  }
  constant->setDiscardableAttrs(facts.getDictionary(builder.getContext()));
  // A constant cannot contradict anything.
  (void)inference.visit(constant);
  value.replaceAllUsesWith(constant.getOutput());
  made.push_back(constant);
}

/// Erases unused constants, and operators that only they used.
void Propagation::eraseDead(llvm::function_ref<void(Operation *)> erasing) {
  SetVector<Operation *> candidates(constantOps.begin(), constantOps.end());
  candidates.insert(made.begin(), made.end());
  llvm::DenseSet<Operation *> erased;
  while (!candidates.empty()) {
    Operation *op = candidates.pop_back_val();
    if (erased.contains(op))
      continue; // Erased with the operator around it.
    if (!isOpTriviallyDead(op) &&
        !(constantOps.contains(op) && op->use_empty()))
      continue;
    for (Value input : getInputs(op))
      if (Operation *producer = input.getDefiningOp())
        candidates.insert(producer);
    op->walk([&](Operation *inner) {
      erasing(inner);
      erased.insert(inner);
    });
    inference.forget(op);
    op->erase();
  }
}

std::vector<FoldDecision>
Propagation::run(llvm::function_ref<void(Operation *)> erasing,
                 llvm::function_ref<void(Value)> storing) {
  collect();
  uint64_t bytesBefore = 0;
  for (Operation *op : constantOps)
    if (isa<ConstantOp>(op))
      bytesBefore += getBytes(op->getResult(0));
  stored =
      graph.choose(growth.bytes + uint64_t(growth.part * double(bytesBefore)));
  std::vector<FoldDecision> decisions;
  explain(decisions);
  for (Operation *op : constantOps)
    if (!isa<ConstantOp>(op))
      for (OpResult result : op->getResults())
        if (stored[numbers.lookup(result)] && !result.use_empty() &&
            inference.getConstantAttr(result))
          store(result);
  for (Operation *op : made)
    storing(op->getResult(0));
  eraseDead(erasing);
  return decisions;
}

std::vector<FoldDecision>
invar::storeConstants(Region &graph, TypeInference &inference,
                      const GrowthLimit &growth, bool isBody,
                      llvm::function_ref<void(Operation *)> erasing,
                      llvm::function_ref<void(Value)> storing) {
  return Propagation(graph, inference, growth, isBody).run(erasing, storing);
}
