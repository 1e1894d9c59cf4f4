// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If: a branch that is known to run replaces the operator, and values that both
// branches have in common do not depend on the condition.
#include "EqualOperations.h"
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Compare.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Control.h"
#include "invar/Dialect/ONNX/Ops/Logic.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The condition inside of all Nots, and whether it is negated.
static std::pair<Value, bool> skipNots(Value condition) {
  bool isOpposite = false;
  while (auto opposite = condition.getDefiningOp<NotOp>()) {
    condition = opposite.getX();
    isOpposite = !isOpposite;
  }
  return {condition, isOpposite};
}

/// The value of the condition, if an If around this one has decided it.
static std::optional<bool> getDecidedAround(IfOp op) {
  auto [condition, isOpposite] = skipNots(op.getCond());
  for (Region *graph = op->getParentRegion(); graph;
       graph = graph->getParentRegion()) {
    auto around = dyn_cast<IfOp>(graph->getParentOp());
    if (!around)
      continue;
    auto [decided, isDecidedOpposite] = skipNots(around.getCond());
    if (decided == condition)
      return (graph == &around.getThenBranch()) ==
             (isOpposite == isDecidedOpposite);
  }
  return std::nullopt;
}

static constexpr StringLiteral inlineIfPattern =
    "If(c) {a} {b} -> a or b [c known, or decided by an If around; an operator "
    "less]";
static LogicalResult inlineIf(IfOp op, Rewriting &rewriting) {
  std::optional<bool> decided;
  if (std::optional<double> number = rewriting.getSplat(op.getCond()))
    decided = *number != 0;
  else
    decided = getDecidedAround(op);
  if (!decided)
    return failure();
  rewriting.replaceByGraph(
      op, *decided ? op.getThenBranch() : op.getElseBranch(), {});
  return success();
}

static constexpr StringLiteral swapBranchesPattern =
    "If(Not(c)) {a} {b} -> If(c) {b} {a} [a Not less before an If]";
static LogicalResult swapBranches(IfOp op, Rewriting &rewriting) {
  auto opposite = op.getCond().getDefiningOp<NotOp>();
  if (!opposite)
    return failure();
  Region kept;
  kept.takeBody(op.getThenBranch());
  op.getThenBranch().takeBody(op.getElseBranch());
  op.getElseBranch().takeBody(kept);
  rewriting.setOperand(op, 0, opposite.getX());
  return success();
}

bool invar::areSameConstants(Value a, Value b, const Rewriting &rewriting) {
  constexpr uint64_t small = 1 << 10;
  const Elements *first = rewriting.getConstant(a);
  const Elements *second = rewriting.getConstant(b);
  return first && second && first->sizeInBytes() <= small &&
         haveSameContent(*first, *second);
}

namespace {
/// Compares two branches operator by operator. Each branch has its own constants.
class Comparison {
public:
  explicit Comparison(const Rewriting &rewriting) : rewriting(rewriting) {}

  bool areEqual(Region &a, Region &b) {
    return a.hasOneBlock() && b.hasOneBlock() &&
           areEqual(a.getArguments(), b.getArguments()) &&
           llvm::equal(a.front(), b.front(), [&](Operation &x, Operation &y) {
             return areEqual(&x, &y);
           });
  }

private:
  bool areEqual(Operation *a, Operation *b);
  /// Records that values correspond to each other, if they have the same types.
  bool areEqual(ValueRange a, ValueRange b) {
    if (a.getTypes() != b.getTypes())
      return false;
    for (auto [x, y] : llvm::zip_equal(a, b))
      counterparts[x] = y;
    return true;
  }

  const Rewriting &rewriting;
  llvm::DenseMap<Value, Value> counterparts;
};
} // namespace

bool Comparison::areEqual(Operation *a, Operation *b) {
  if (a->getName() != b->getName())
    return false;
  bool isConstant =
      isa<ConstantOp>(a) &&
      areSameConstants(a->getResult(0), b->getResult(0), rewriting);
  return (isConstant ||
          a->getName().compareOpProperties(a->getPropertiesStorage(),
                                           b->getPropertiesStorage())) &&
         llvm::equal(a->getOperands(), b->getOperands(),
                     [&](Value x, Value y) {
                       auto found = counterparts.find(x);
                       return found == counterparts.end() ? x == y
                                                          : found->second == y;
                     }) &&
         areEqual(a->getResults(), b->getResults()) &&
         llvm::equal(a->getRegions(), b->getRegions(),
                     [&](Region &x, Region &y) { return areEqual(x, y); });
}

static constexpr StringLiteral mergeBranchesPattern =
    "If(c) {a} {a} -> a [an operator less]";
static LogicalResult mergeBranches(IfOp op, Rewriting &rewriting) {
  if (!Comparison(rewriting).areEqual(op.getThenBranch(), op.getElseBranch()))
    return failure();
  rewriting.replaceByGraph(op, op.getThenBranch(), {});
  return success();
}

static constexpr StringLiteral mergeYieldsPattern =
    "If(c) {a, x} {b, x} -> If(c) {a} {b}, x [a result less]";
static LogicalResult mergeYields(IfOp op, Rewriting &rewriting) {
  bool isAny = false;
  for (OpResult result : SmallVector<OpResult>(op->getResults())) {
    if (result.use_empty())
      continue;
    auto yieldOf = [&](Region &branch) {
      return branch.front().back().getOperand(result.getResultNumber());
    };
    Value then = yieldOf(op.getThenBranch());
    Value otherwise = yieldOf(op.getElseBranch());
    Value same;
    if (then == otherwise)
      same = then;
    else if (areSameConstants(then, otherwise, rewriting))
      same = rewriting.makeConstant(*rewriting.getConstant(then));
    if (!same)
      continue;
    isAny = true;
    Rewriting::passName(result, same);
    rewriting.replaceUses(result, same);
  }
  return success(isAny);
}

static constexpr StringLiteral dropYieldsPattern =
    "If(c) {a, x} {b, y} -> If(c) {a} {b} [x and y used by nothing else; a "
    "result less]";
static LogicalResult dropYields(IfOp op, Rewriting &rewriting) {
  llvm::BitVector gone(op->getNumResults());
  for (OpResult result : op->getResults())
    if (result.use_empty())
      gone.set(result.getResultNumber());
  if (gone.none() || gone.all())
    return failure();
  rewriting.eraseYields(op.getThenBranch().front(), gone);
  rewriting.eraseYields(op.getElseBranch().front(), gone);
  rewriting.rebuild(op, op.getCond(), gone, {});
  return success();
}

/// The size that a condition compares with 1; none for other conditions.
static std::optional<IndexExpr> getComparedWithOne(Value condition,
                                                   Rewriting &rewriting) {
  auto equal = condition.getDefiningOp<EqualOp>();
  auto a = equal ? rewriting.getEntries(equal.getA()) : std::nullopt;
  auto b = equal ? rewriting.getEntries(equal.getB()) : std::nullopt;
  if (!a || !b || a->size() != 1 || b->size() != 1)
    return std::nullopt;
  if ((*a)[0].isLiteral(1))
    return (*b)[0];
  if ((*b)[0].isLiteral(1))
    return (*a)[0];
  return std::nullopt;
}

static constexpr StringLiteral assumeSqueezedPattern =
    "If(n == 1) {Squeeze(x, i)} {x} -> Squeeze(x, i) [n the size of axis i; an "
    "If less]";
static LogicalResult assumeSqueezed(IfOp op, Rewriting &rewriting) {
  if (op->getNumResults() != 1)
    return failure();
  auto yieldOf = [](Region &branch) {
    return branch.front().back().getOperand(0);
  };
  auto squeeze = yieldOf(op.getThenBranch()).getDefiningOp<SqueezeOp>();
  Value x = yieldOf(op.getElseBranch());
  if (!squeeze || squeeze.getData() != x ||
      squeeze->getParentRegion() != &op.getThenBranch() ||
      x.getParentRegion() == &op.getElseBranch())
    return failure();
  auto axes = rewriting.getInts(squeeze.getAxes());
  auto dims = rewriting.getDims(x);
  auto size = getComparedWithOne(op.getCond(), rewriting);
  if (!axes || axes->size() != 1 || !dims || !size)
    return failure();
  int64_t rank = int64_t(dims->size());
  int64_t axis = axes->front() < 0 ? axes->front() + rank : axes->front();
  if (axis < 0 || axis >= rank || !size->isKnownEqual((*dims)[axis]))
    return failure();
  return rewriting.tryReplace(
      op, rewriting.make<SqueezeOp>(x, rewriting.makeInts(axis)));
}

void invar::addControlRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<inlineIf>::get("inline-if", Exact, inlineIfPattern));
  rules.push_back(
      RuleFor<swapBranches>::get("swap-branches", Exact, swapBranchesPattern));
  rules.push_back(RuleFor<mergeBranches>::get("merge-branches", Exact,
                                              mergeBranchesPattern));
  rules.push_back(
      RuleFor<mergeYields>::get("merge-yields", Exact, mergeYieldsPattern));
  rules.push_back(
      RuleFor<dropYields>::get("drop-yields", Exact, dropYieldsPattern));
  // The lowering needs one rank. Compiled code checks that the size is 1.
  rules.push_back(RuleFor<assumeSqueezed>::get("assume-squeezed", Decompose,
                                               assumeSqueezedPattern)
                      .forLowering(true));
}
