// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DisputedSizes.h"

#include "invar/Dialect/ONNX/Ops/Pool.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// From this opset on, the onnx package counts windows as runtimes do.
static constexpr int64_t firstUndisputed = 22;

/// Whether a pool has one window less along some axis than the onnx package counts.
template <typename Op> static bool isDisputed(Op op) {
  auto x = dyn_cast<RankedTensorType>(op.getX().getType());
  if (!x || !op.getCeilMode() || op.getAutoPad() != "NOTSET")
    return false;
  auto entry = [](std::optional<ArrayRef<int64_t>> list, size_t i,
                  int64_t otherwise) {
    return list && i < list->size() ? (*list)[i] : otherwise;
  };
  size_t axes = op.getKernelShape().size();
  for (auto [i, size] : llvm::enumerate(x.getShape().drop_front(2))) {
    int64_t stride = entry(op.getStrides(), i, 1);
    int64_t padBegin = entry(op.getPads(), i, 0);
    int64_t extent =
        (op.getKernelShape()[i] - 1) * entry(op.getDilations(), i, 1) + 1;
    int64_t room = size + padBegin + entry(op.getPads(), i + axes, 0) - extent;
    int64_t lastWindow = (room + stride - 1) / stride * stride;
    if (!ShapedType::isDynamic(size) && lastWindow >= size + padBegin)
      return true;
  }
  return false;
}

static bool isDisputed(Operation *op) {
  if (auto pool = dyn_cast<AveragePoolOp>(op))
    return isDisputed(pool);
  if (auto pool = dyn_cast<LpPoolOp>(op))
    return isDisputed(pool);
  if (auto pool = dyn_cast<MaxPoolOp>(op))
    return isDisputed(pool);
  return false;
}

DisputedSizes::DisputedSizes(ModuleOp module, int64_t opset) {
  if (opset < firstUndisputed)
    module.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
}

bool DisputedSizes::dependsOnDisputed(Operation *op) const {
  if (llvm::any_of(op->getOperands(), [&](Value x) { return contains(x); }))
    return true;
  // The values that the graphs of an operator use.
  return op
      ->walk([&](Operation *inner) {
        return isDisputed(inner) ||
                       llvm::any_of(inner->getOperands(),
                                    [&](Value x) { return contains(x); })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void DisputedSizes::visit(Operation *op) {
  // A function is only the place of its nodes.
  if (op->getNumResults() == 0 || !dependsOnDisputed(op))
    return;
  values.insert_range(op->getResults());
  for (Region &region : op->getRegions())
    values.insert_range(region.getArguments());
}
