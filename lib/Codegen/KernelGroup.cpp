// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelGroup.h"

#include "WinogradFilter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace invar;

/// A kernel with more steps or tensors would not stay in registers, or in a cache.
static constexpr size_t mostSteps = 24, mostTensors = 24;

/// Whether an operation is the root of a form with a special emitter: a sum of products,
/// or any reduction over a window. Only elementwise steps may follow it.
static bool isRoot(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0)
    return false;
  auto isWindow = [](AffineMap map) {
    return !map.isProjectedPermutation(/*allowZeroInResults=*/true);
  };
  if (llvm::any_of(op.getIndexingMapsArray(), isWindow))
    return true;
  // A reduction reads one tensor along all loops; a product reads two, each along some.
  unsigned loops = op.getNumLoops();
  return op.getNumDpsInputs() >= 2 &&
         llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
           AffineMap map = op.getMatchingIndexingMap(operand);
           return map.isProjectedPermutation() && map.getNumResults() == loops;
         });
}

/// Whether axis i of a tensor is read at the index of loop i; the last axes may have a
/// constant index. A step with these loops can then read an element as soon as it is
/// computed.
static bool isReadInOrder(AffineMap map) {
  bool isOver = false;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (isa<AffineConstantExpr>(expr)) {
      isOver = true;
    } else {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (isOver || !loop || loop.getPosition() != i)
        return false;
    }
  }
  return true;
}

/// Whether an elementwise operation can be written after a root. At each position of its
/// result, it must read vectors along the last axis, or one element for the whole vector.
/// The emitter of the root then has all that it needs in registers (Epilogue.h).
static bool canFollowRoot(linalg::GenericOp op) {
  if (op.getNumReductionLoops() != 0 ||
      !op.getBody()->getOps<tensor::ExtractOp>().empty())
    return false;
  unsigned last = op.getNumLoops() - 1;
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return false;
    for (auto [axis, expr] : llvm::enumerate(map.getResults()))
      if (expr.isFunctionOfDim(last) && axis + 1 < map.getNumResults())
        return false;
    Operation *view = operand->get().getDefiningOp();
    if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(view))
      return slice.getSourceType().getRank() == slice.getType().getRank() &&
             llvm::all_of(slice.getMixedStrides(), [](OpFoldResult stride) {
               return isConstantIntValue(stride, 1);
             });
    return !isa_and_nonnull<tensor::PadOp, linalg::UnPackOp>(view);
  });
}

namespace {
/// The groups of one block during construction.
class Grouping {
public:
  using Group = llvm::SmallSetVector<Operation *, 4>;

  void add(linalg::GenericOp op) {
    // The groups that compute its operands and that it can join.
    SmallVector<Group *> makers;
    for (OpOperand &operand : op->getOpOperands()) {
      auto maker = operand.get().getDefiningOp<linalg::GenericOp>();
      Group *group = maker ? groups.lookup(maker) : nullptr;
      if (!group || maker->getBlock() != op->getBlock() ||
          llvm::is_contained(makers, group))
        continue;
      if (canJoin(op, *group))
        makers.push_back(group);
    }
    // Only operations that read a root's result may follow it: no emitter of a root could
    // compute another group's result at a position of the root's loops.
    llvm::stable_sort(makers, [](const Group *one, const Group *other) {
      return isRootGroup(*one) && !isRootGroup(*other);
    });
    Group *joined = nullptr;
    for (Group *maker : makers) {
      if (joined && isRootGroup(*joined))
        break;
      if (joined && isRootGroup(*maker))
        continue;
      Group together;
      if (joined)
        together.insert(joined->begin(), joined->end());
      together.insert(maker->begin(), maker->end());
      if (!fits(together, op))
        continue;
      if (joined)
        merge(*maker, *joined);
      else
        joined = maker;
    }
    if (!joined) {
      all.push_back(std::make_unique<Group>());
      joined = all.back().get();
    }
    joined->insert(op);
    groups[op] = joined;
  }

  void collect(SmallVectorImpl<SmallVector<Operation *>> &into) {
    for (std::unique_ptr<Group> &group : all) {
      if (group->empty())
        continue;
      SmallVector<Operation *> operations(group->begin(), group->end());
      llvm::sort(operations, [](Operation *a, Operation *b) {
        return a->isBeforeInBlock(b);
      });
      into.push_back(std::move(operations));
    }
  }

private:
  static bool isRootGroup(const Group &group) {
    return llvm::any_of(group, [](Operation *op) {
      return isRoot(cast<linalg::GenericOp>(op));
    });
  }

  /// Whether an operation may be a step of the group, judged by how it reads the group's
  /// results.
  static bool canJoin(linalg::GenericOp op, const Group &group) {
    bool behindRoot = isRootGroup(group);
    if (isRoot(op) || (behindRoot && !canFollowRoot(op)))
      return false;
    // Without a common loop, there would be one work unit.
    if (op.getNumLoops() == 0 ||
        op.getIteratorTypesArray()[0] != utils::IteratorType::parallel)
      return false;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!group.contains(operand.get().getDefiningOp()))
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      if (!isReadInOrder(map) || map.getNumResults() == 0 ||
          isa<AffineConstantExpr>(map.getResult(0)))
        return false;
      if (behindRoot && !map.isIdentity())
        return false;
    }
    // A tensor that is read at computed positions must be complete.
    bool readsInside = false;
    op.getRegion().walk([&](Operation *inside) {
      for (Value operand : inside->getOperands())
        readsInside |= group.contains(operand.getDefiningOp());
    });
    return !readsInside;
  }

  /// Whether `group` and `op` can be one kernel at the position of `op`.
  bool fits(const Group &group, linalg::GenericOp op) {
    if (group.size() >= mostSteps)
      return false;
    llvm::SmallSetVector<Value, 16> tensors;
    tensors.insert(op->operand_begin(), op->operand_end());
    for (Operation *member : group) {
      tensors.insert(member->operand_begin(), member->operand_end());
      if (isWantedBefore(member, group, op))
        return false;
    }
    return tensors.size() <= mostTensors;
  }

  /// Whether an operation outside of the group uses a result of a member before `op`.
  bool isWantedBefore(Operation *member, const Group &group, Operation *op) {
    // The first user outside decides: a result with many users costs no more than the
    // group.
    for (auto [here, user] : getUsersInOrder(member))
      if (!group.contains(user) && user != op)
        return !here || here->isBeforeInBlock(op);
    return false;
  }

  /// The users of an operation's results, in the order of the block. Each follows the
  /// operation of the block that it is or that contains it. Users that are not in the
  /// block come first, with null.
  using Users = SmallVector<std::pair<Operation *, Operation *>, 2>;
  const Users &getUsersInOrder(Operation *op) {
    auto [known, isNew] = users.try_emplace(op);
    Users &list = known->second;
    if (isNew) {
      for (Operation *user : op->getUsers())
        list.emplace_back(op->getBlock()->findAncestorOpInBlock(*user), user);
      llvm::sort(list, [](const auto &a, const auto &b) {
        return a.first && b.first ? a.first->isBeforeInBlock(b.first)
                                  : !a.first && b.first;
      });
    }
    return list;
  }

  void merge(Group &from, Group &into) {
    for (Operation *op : from) {
      into.insert(op);
      groups[op] = &into;
    }
    from.clear();
  }

  std::vector<std::unique_ptr<Group>> all;
  llvm::DenseMap<Operation *, Group *> groups;
  llvm::DenseMap<Operation *, Users> users;
};
} // namespace

SmallVector<SmallVector<Operation *>>
invar::groupOperations(func::FuncOp function) {
  SmallVector<SmallVector<Operation *>> groups;
  function.walk<WalkOrder::PreOrder>([&](Block *block) {
    Grouping grouping;
    // Operations that restore a filter from its transformed form become part of the
    // kernels that read it.
    for (auto op : block->getOps<linalg::GenericOp>())
      if (!WinogradFilter::get(op))
        grouping.add(op);
    grouping.collect(groups);
  });
  return groups;
}
