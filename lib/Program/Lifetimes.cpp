// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lifetimes.h"

#include "Encoder.h"
#include "invar/ConstStore/MemoryPlan.h"
#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/Runtime/Runtime.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace invar;

/// Whether a value is an object in the runtime, and not a number.
static bool isObject(Value value) {
  return !value.getType().isIntOrIndexOrFloat();
}

/// The operand that the result of an operation is a view of, in full or in part; null if
/// it is no view.
static Value getViewed(Operation *op) {
  if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
          tensor::ExtractSliceOp, tensor::ReshapeOp, rt::CheckIndicesOp>(op))
    return op->getOperand(0);
  return nullptr;
}

Lifetimes::Lifetimes(func::FuncOp main, const Sizes &sizes)
    : body(main.getBody().front()), symbols(main->getParentOfType<ModuleOp>()),
      sizes(sizes) {
  countSteps(body);
  findFates(body);
  main.walk<WalkOrder::PreOrder>([&](Operation *op) { findAllocations(op); });
  main.walk([&](func::CallOp call) { shareMemory(call); });
}

void Lifetimes::countSteps(Block &block) {
  for (Operation &op : block) {
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        countSteps(inner);
    times[&op] = steps;
    bool isStep = llvm::any_of(op.getOperands(), isObject) ||
                  llvm::any_of(op.getResults(), isObject) ||
                  op.getNumRegions() > 0;
    if (isStep && !getViewed(&op) && !op.hasTrait<OpTrait::ConstantLike>() &&
        !isa<constants::RefOp, tensor::EmptyOp, tensor::DimOp>(op))
      ++steps;
  }
}

//===----------------------------------------------------------------------===//
// Fates
//===----------------------------------------------------------------------===//

/// Whether tensors of the two types may have the same number of bytes.
static bool mayBeEqual(Type one, Type other) {
  auto a = dyn_cast<RankedTensorType>(one),
       b = dyn_cast<RankedTensorType>(other);
  if (!a || !b || !a.hasStaticShape() || !b.hasStaticShape())
    return true;
  auto x = Sizes::getBytesOfElement(a.getElementType());
  auto y = Sizes::getBytesOfElement(b.getElementType());
  return !x || !y ||
         uint64_t(a.getNumElements()) * *x == uint64_t(b.getNumElements()) * *y;
}

/// Whether a concatenation may be one of its parts, because all others are empty.
static bool mayBePart(tensor::ConcatOp concat) {
  auto axis = int64_t(concat.getDim());
  auto hasSome = [&](Value part) {
    int64_t size = cast<RankedTensorType>(part.getType()).getDimSize(axis);
    return !ShapedType::isDynamic(size) && size > 0;
  };
  return llvm::count_if(concat.getInputs(), hasSome) < 2;
}

/// Whether a result of an operation may hold one of its operands, or be it.
static bool mayHold(Operation *op, Value operand, Value result) {
  if (!isObject(result) || op->hasTrait<OpTrait::ConstantLike>())
    return false;
  if (auto call = dyn_cast<func::CallOp>(op))
    return getWritten(call, cast<OpResult>(result).getResultNumber()) ==
           operand;
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return mayBePart(concat);
  if (Value viewed = getViewed(op))
    return viewed == operand;
  if (isa<constants::DecodeOp>(op))
    return false;
  // The result of a runtime function is new, or has all elements of an operand.
  if (isa<rt::CallOp>(op))
    return mayBeEqual(operand.getType(), result.getType());
  return true;
}

/// Whether a function of the runtime changes an operand in place if it can.
static bool mayChange(OpOperand &use) {
  auto call = dyn_cast<rt::CallOp>(use.getOwner());
  return call && use.getOperandNumber() == 0 &&
         call.getCallee().contains("Scatter");
}

void Lifetimes::addUse(Fate &fate, OpOperand &use) const {
  Operation *user = use.getOwner();
  Value value = use.get();
  Block *home = value.getParentBlock();
  auto addHolders = [&](Operation *op, bool isView) {
    for (Value result : op->getResults()) {
      if (!isObject(result) || (op == user && !mayHold(op, value, result)))
        continue;
      const Fate &later = fates.find(result)->second;
      fate.last = std::max(fate.last, later.last);
      fate.escapes |= later.escapes && result.getParentBlock() == home;
      fate.isHeld |= !isView || later.isHeld;
      fate.isChanged |= later.isChanged;
    }
  };
  fate.last = std::max(fate.last, times.lookup(user));
  fate.isChanged |= mayChange(use);
  addHolders(user, getViewed(user) == value || isa<func::CallOp>(user));
  // A loop or branch may return what it uses. A loop, unlike a branch, may iterate again.
  for (Operation *op = user; op->getBlock() != home;) {
    op = op->getParentOp();
    if (!isa<scf::IfOp>(op))
      fate.last = std::max(fate.last, times.lookup(op));
    addHolders(op, /*isView=*/false);
  }
  fate.escapes |=
      user->getBlock() == home && user->hasTrait<OpTrait::IsTerminator>();
}

Lifetimes::Fate Lifetimes::findFate(Value value) const {
  Fate fate;
  fate.last = times.lookup(value.getDefiningOp());
  for (OpOperand &use : value.getUses())
    if (!isa<tensor::DimOp>(use.getOwner())) // It reads no elements.
      addUse(fate, use);
  return fate;
}

/// Users of a value come after it, or are inside of an operation after it.
void Lifetimes::findFates(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    for (Value result : op.getResults())
      if (isObject(result))
        fates[result] = findFate(result);
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        findFates(inner);
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void Lifetimes::findAllocations(Operation *op) {
  if (!isa<tensor::EmptyOp, tensor::ConcatOp, tensor::FromElementsOp,
           constants::DecodeOp, rt::CallOp>(op))
    return;
  for (Value result : op->getResults()) {
    if (!isObject(result) || lifetimes.size() >= MemoryPlan::mostBuffers)
      continue;
    const Fate &fate = fates.find(result)->second;
    std::optional<SizeTerm> bytes = sizes.getBytes(result);
    if (!bytes || !bytes->factor || fate.escapes || fate.isChanged ||
        isOnlyTarget(result))
      continue;
    // Only the runtime knows the size of a result that it creates. And the unit of open
    // sizes must be available everywhere, so it must be computed in the outermost block.
    bool isOpen = !bytes->open.empty();
    if (isOpen && (!isa<tensor::EmptyOp>(op) || op->getBlock() != &body))
      continue;
    numbers[result] = uint32_t(lifetimes.size());
    lifetimes.push_back(
        {result, std::move(*bytes), times.lookup(op), fate.last, {}});
  }
}

/// The tensor that a value is ultimately a view of, and whether it views the whole
/// tensor.
static std::pair<Value, bool> findRoot(Value value) {
  bool isWhole = true;
  while (Operation *op = value.getDefiningOp()) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      value = getWritten(call, cast<OpResult>(value).getResultNumber());
      continue;
    }
    Value viewed = getViewed(op);
    if (!viewed)
      break;
    isWhole &= !isa<tensor::ExtractSliceOp>(op);
    value = viewed;
  }
  return {value, isWhole};
}

/// The lifetime that ends at a call, and whose memory the kernel may overwrite with its
/// result.
std::optional<uint32_t> Lifetimes::findOverwritten(func::CallOp call,
                                                   uint32_t result) const {
  auto kernel = symbols.lookup<func::FuncOp>(call.getCallee());
  auto candidates =
      kernel ? kernel->getAttrOfType<DenseI64ArrayAttr>("invar.in_place")
             : DenseI64ArrayAttr();
  uint32_t now = times.lookup(call);
  // If the result was in use before this call, the two lifetimes overlap.
  if (!candidates || lifetimes[result].first != now)
    return std::nullopt;
  for (int64_t candidate : candidates.asArrayRef()) {
    auto [root, isWhole] = findRoot(call.getOperand(unsigned(candidate)));
    auto number = numbers.find(root);
    if (!isWhole || number == numbers.end() || number->second >= result)
      continue;
    const Lifetime &given = lifetimes[number->second];
    bool isOnce =
        llvm::count_if(call.getOperands(), [root = root](Value other) {
          return findRoot(other).first == root;
        }) == 1;
    if (isOnce && given.last == now && !fates.find(root)->second.isHeld &&
        given.bytes.factor == lifetimes[result].bytes.factor &&
        given.bytes.open == lifetimes[result].bytes.open)
      return number->second;
  }
  return std::nullopt;
}

void Lifetimes::shareMemory(func::CallOp call) {
  for (unsigned i = 0; i < call.getNumResults(); ++i) {
    auto number = numbers.find(findRoot(getWritten(call, i)).first);
    if (number != numbers.end())
      lifetimes[number->second].inPlaceOf =
          findOverwritten(call, number->second);
  }
}
