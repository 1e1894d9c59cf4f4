// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Access.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

/// Adds `factor` times `expr` to the steps of an axis. Fails if `expr` is not linear in
/// the loops or has a constant part.
static LogicalResult addSteps(AffineExpr expr, int64_t factor,
                              MutableArrayRef<int64_t> steps) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    steps[dim.getPosition()] += factor;
    return success();
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return success(constant.getValue() == 0);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure();
  if (binary.getKind() == AffineExprKind::Add)
    return success(succeeded(addSteps(binary.getLHS(), factor, steps)) &&
                   succeeded(addSteps(binary.getRHS(), factor, steps)));
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (binary.getKind() != AffineExprKind::Mul || !scale)
    return failure();
  return addSteps(binary.getLHS(), factor * scale.getValue(), steps);
}

static bool isZero(OpFoldResult value) { return isConstantIntValue(value, 0); }

Access::Axis Access::makeAxis() const {
  Axis axis;
  axis.steps.resize(loops);
  axis.offset = IntegerAttr::get(IndexType::get(tensor.getContext()), 0);
  return axis;
}

LogicalResult Access::lookThrough(tensor::PadOp pad) {
  tensor = pad.getSource();
  border = pad.getConstantPaddingValue();
  for (auto [axis, low, high] :
       llvm::zip_equal(axes, pad.getMixedLowPad(), pad.getMixedHighPad())) {
    axis.offset = low;
    axis.isBordered = !isZero(low) || !isZero(high);
  }
  return success(border != nullptr);
}

LogicalResult Access::lookThrough(tensor::ExtractSliceOp slice) {
  tensor = slice.getSource();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<Axis> seen = std::move(axes);
  axes.clear();
  auto next = seen.begin();
  for (unsigned from = 0; from < dropped.size(); ++from) {
    Axis &axis = axes.emplace_back(makeAxis());
    axis.offset = slice.getMixedOffsets()[from];
    axis.isPart = true;
    if (dropped[from])
      continue;
    std::optional<int64_t> stride =
        getConstantIntValue(slice.getMixedStrides()[from]);
    if (!stride)
      return failure();
    int64_t size = slice.getSourceType().getDimSize(from);
    axis.isPart = next->isPart || !isZero(axis.offset) || *stride != 1 ||
                  ShapedType::isDynamic(size) ||
                  !isConstantIntValue(slice.getMixedSizes()[from], size);
    for (auto [step, given] : llvm::zip_equal(axis.steps, next++->steps))
      step = given * *stride;
  }
  return success();
}

LogicalResult Access::lookThrough(linalg::UnPackOp unpack, AffineMap map) {
  tensor = unpack.getSource();
  SmallVector<Axis> seen = std::move(axes);
  axes.assign(unpack.getSourceRank(), makeAxis());
  SmallVector<unsigned> outerAxis(seen.size());
  ArrayRef<int64_t> order = unpack.getOuterDimsPerm();
  for (unsigned axis = 0; axis < seen.size(); ++axis) {
    unsigned unpacked = order.empty() ? axis : order[axis];
    outerAxis[unpacked] = axis;
    axes[axis] = seen[unpacked];
  }
  unsigned innerAxis = seen.size();
  for (auto [unpacked, size] :
       llvm::zip_equal(unpack.getInnerDimsPos(), unpack.getStaticTiles())) {
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(unpacked));
    if (!dim || ShapedType::isDynamic(size))
      return failure();
    unsigned outer = outerAxis[unpacked];
    llvm::fill(axes[outer].steps, 0);
    tiles.push_back({dim.getPosition(), size, outer, innerAxis++});
  }
  return success();
}

/// Whether loops may access only a part of an axis. If the position along the axis is
/// the index of one loop, that loop covers the whole axis. So does the only loop of a
/// window with more than one iteration, if it is as long as the axis.
static bool seesPart(AffineExpr place, ArrayRef<int64_t> steps,
                     int64_t axisSize, ArrayRef<int64_t> loopSizes) {
  if (isa<AffineDimExpr>(place))
    return false;
  int64_t seen = 1;
  for (auto [step, size] : llvm::zip_equal(steps, loopSizes)) {
    if (!step || size == 1)
      continue;
    if (step != 1 || seen != 1 || ShapedType::isDynamic(size))
      return true;
    seen = size;
  }
  return seen != axisSize;
}

FailureOr<Access> Access::get(Value operand, AffineMap map,
                              ArrayRef<int64_t> loopSizes) {
  Access access(operand, map.getNumDims());
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(operand.getType()).getShape();
  for (auto [expr, axisSize] : llvm::zip_equal(map.getResults(), shape)) {
    Axis &axis = access.axes.emplace_back(access.makeAxis());
    if (failed(addSteps(expr, 1, axis.steps)))
      return failure();
    axis.isPart = seesPart(expr, axis.steps, axisSize, loopSizes);
  }
  LogicalResult isLinear = success();
  if (auto pad = operand.getDefiningOp<tensor::PadOp>())
    isLinear = access.lookThrough(pad);
  else if (auto slice = operand.getDefiningOp<tensor::ExtractSliceOp>())
    isLinear = access.lookThrough(slice);
  else if (auto unpack = operand.getDefiningOp<linalg::UnPackOp>())
    isLinear = access.lookThrough(unpack, map);
  if (failed(isLinear) || !isa<BlockArgument>(access.tensor))
    return failure();
  for (Axis &axis : access.axes)
    for (auto [step, size] : llvm::zip_equal(axis.steps, loopSizes))
      if (size == 1)
        step = 0;
  return access;
}

const Access::Tile *Access::getTile(unsigned loop) const {
  for (const Tile &tile : tiles)
    if (tile.loop == loop)
      return &tile;
  return nullptr;
}

bool Access::moves(unsigned loop) const {
  return getTile(loop) ||
         llvm::any_of(axes, [&](const Axis &axis) { return axis.steps[loop]; });
}

bool Access::movesAlongBorder(unsigned loop) const {
  return llvm::any_of(axes, [&](const Axis &axis) {
    return axis.isBordered && axis.steps[loop];
  });
}

bool Access::isContiguous(unsigned loop) const {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor.getType()).getShape();
  unsigned last = axes.size();
  while (last && shape[last - 1] == 1)
    --last;
  for (auto [axis, other] : llvm::enumerate(axes))
    if (axis < last && other.steps[loop] != (axis + 1 == last))
      return false;
  return last && !getTile(loop);
}

bool Access::isDense(unsigned outer, unsigned inner, bool isInside) const {
  if (!moves(outer) && !moves(inner))
    return true;
  if (getTile(outer) || getTile(inner))
    return false;
  auto only = [](ArrayRef<int64_t> values, unsigned index) {
    for (auto [other, value] : llvm::enumerate(values))
      if (value != (other == index))
        return false;
    return true;
  };
  for (unsigned axis = 1; axis < axes.size(); ++axis) {
    const Axis &before = axes[axis - 1], &here = axes[axis];
    if (!only(here.steps, inner) || here.isPart || here.isBordered)
      continue;
    return before.steps[outer] == 1 && (isInside || !before.isBordered) &&
           llvm::count_if(axes, [&](const Axis &other) {
             return other.steps[outer];
           }) == 1;
  }
  return false;
}

Values Access::getStrides(KernelBuilder &builder) const {
  return builder.getStrides(builder.getSizes(tensor));
}

Value Access::getBegin(KernelBuilder &builder, unsigned axis) const {
  Value offset = builder.getScalar(axes[axis].offset);
  return axes[axis].isBordered ? builder.sub(builder.index(0), offset) : offset;
}

Walk Access::getWalk(KernelBuilder &builder) const {
  Walk walk;
  if (builder.getFrom())
    walk.buffer = builder.getBuffer(tensor);
  walk.origin = builder.index(0);
  Values strides = getStrides(builder);
  walk.steps.assign(loops, builder.index(0));
  for (auto [index, axis] : llvm::enumerate(axes)) {
    walk.origin = builder.add(
        walk.origin, builder.mul(getBegin(builder, index), strides[index]));
    for (auto [step, sum] : llvm::zip_equal(axis.steps, walk.steps))
      sum = builder.add(sum, builder.mul(builder.index(step), strides[index]));
  }
  return walk;
}
