// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Movement.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;

//===-- Reading ---------------------------------------------------------------===//

Refusal Movement::match(Operation *op, std::optional<Movement> &found) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return Refusal::Nothing;
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!from || !to || from.getEncoding() || to.getEncoding())
    return Refusal::Nothing;
  Movement made(op);
  Refusal refusal = made.readAxes();
  if (refusal != Refusal::None)
    return refusal;
  if (!from.hasStaticShape() || !to.hasStaticShape())
    return Refusal::OpenSizes;
  if (!op->getDiscardableAttrs().empty())
    return Refusal::Marked;
  found = std::move(made);
  return Refusal::None;
}

Value Movement::getSource() const { return op->getOperand(0); }

Refusal Movement::readAxes() {
  auto type = cast<RankedTensorType>(getSource().getType());
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    axes.emplace_back().to = unsigned(i);
    axes.back().size = size;
  }
  if (auto copy = Elementwise::match(op->getResult(0));
      copy && copy->isCopy() && copy->getOperands()[0].value == getSource() &&
      copy->getOperands()[0].map.isPermutation()) {
    readTranspose(*copy);
    return Refusal::None;
  }
  if (isa<tensor::ExtractSliceOp>(op))
    readSlice();
  else if (isa<tensor::ReshapeOp, tensor::ExpandShapeOp,
               tensor::CollapseShapeOp>(op))
    readReshape();
  else if (isa<linalg::PackOp>(op))
    return readPack();
  else
    return Refusal::Nothing;
  return Refusal::None;
}

void Movement::readTranspose(const Elementwise &copy) {
  for (auto [axis, place] :
       llvm::zip_equal(axes, copy.getOperands()[0].map.getResults()))
    axis.to = cast<AffineDimExpr>(place).getPosition();
}

/// An axis of the source equals an axis of the result if both have the same size, and
/// the products of the sizes before them are equal.
void Movement::readReshape() {
  ArrayRef<int64_t> shape = getType().getShape();
  auto isOpen = ShapedType::isDynamicShape(shape) ||
                ShapedType::isDynamicShape(
                    cast<RankedTensorType>(getSource().getType()).getShape());
  SmallVector<std::optional<int64_t>> inFront = {1};
  auto countOn = [](std::optional<int64_t> &count, int64_t size) {
    if (count && llvm::MulOverflow(*count, size, *count))
      count.reset();
  };
  for (int64_t size : shape) {
    inFront.push_back(inFront.back());
    countOn(inFront.back(), size);
  }
  std::optional<int64_t> before = 1;
  for (Axis &axis : axes) {
    axis.to.reset();
    for (unsigned i = 0; i < shape.size() && !isOpen; ++i)
      if (before && inFront[i] == before && shape[i] == axis.size)
        axis.to = i;
    axis.isMerged = !axis.to && axis.size != 1;
    countOn(before, axis.size);
  }
}

void Movement::readSlice() {
  auto slice = cast<tensor::ExtractSliceOp>(op);
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  unsigned next = 0;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    axis.to = dropped[unsigned(i)] ? std::nullopt : std::optional(next++);
    int64_t whole = std::exchange(axis.size, slice.getStaticSizes()[i]);
    axis.offset = slice.getStaticOffsets()[i];
    axis.stride = slice.getStaticStrides()[i];
    axis.isCut = axis.size != whole || axis.offset != 0;
    // Offsets that are unknown at compile time cannot be applied to another tensor.
    axis.isMerged = ShapedType::isDynamic(axis.offset) ||
                    ShapedType::isDynamic(axis.stride);
  }
}

Refusal Movement::readPack() {
  auto pack = cast<linalg::PackOp>(op);
  if (pack.getPaddingValue())
    return Refusal::Fills;
  if (ShapedType::isDynamicShape(pack.getStaticInnerTiles()))
    return Refusal::OpenSizes;
  for (auto [to, from] : llvm::enumerate(pack.getOuterDimsPerm()))
    axes[from].to = unsigned(to);
  for (auto [i, from] : llvm::enumerate(pack.getInnerDimsPos())) {
    axes[from].inner = unsigned(axes.size() + i);
    axes[from].tile = pack.getStaticInnerTiles()[i];
  }
  return Refusal::None;
}

//===-- Building --------------------------------------------------------------===//

Value Movement::build(OpBuilder &builder, Value source) const {
  Type element = cast<RankedTensorType>(source.getType()).getElementType();
  RankedTensorType type = getType().clone(element);
  auto makeInit = [&] {
    return tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(),
                                   element);
  };
  if (auto copy = Elementwise::match(op->getResult(0)))
    return copy->build(builder, {{source, copy->getOperands()[0].map}},
                       makeInit());
  Value init = isa<linalg::PackOp>(op) ? makeInit() : Value();
  Operation *made = builder.clone(*op);
  made->setOperand(0, source);
  if (init)
    made->setOperand(1, init);
  made->getResult(0).setType(type);
  return made->getResult(0);
}

bool Movement::takes(const LoopOperand &operand) const {
  if (auto type = dyn_cast<RankedTensorType>(operand.value.getType());
      type && !type.hasStaticShape())
    return false;
  return llvm::all_of(operand.map.getResults(), [&](AffineExpr place) {
    if (auto loop = dyn_cast<AffineDimExpr>(place))
      return !axes[loop.getPosition()].isMerged;
    // Other expressions may only use loops over axes that stay whole.
    return llvm::all_of(llvm::enumerate(axes), [&](auto each) {
      const Axis &axis = each.value();
      return !place.isFunctionOfDim(unsigned(each.index())) ||
             (!axis.isMerged && !axis.isCut && !axis.inner && axis.to);
    });
  });
}

RankedTensorType Movement::getMovedType(const LoopOperand &operand) const {
  auto type = dyn_cast<RankedTensorType>(operand.value.getType());
  if (!type) // A number.
    return RankedTensorType::get({}, operand.value.getType());
  SmallVector<int64_t> shape(type.getShape()), inner;
  for (auto [size, place] : llvm::zip_equal(shape, operand.map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(place);
    if (!loop)
      continue;
    const Axis &axis = axes[loop.getPosition()];
    size = axis.size;
    if (!axis.inner)
      continue;
    size /= axis.tile;
    inner.push_back(axis.tile);
  }
  llvm::append_range(shape, inner);
  return type.clone(shape);
}

LoopOperand Movement::moveAlong(OpBuilder &builder,
                                const LoopOperand &operand) const {
  Location loc = op->getLoc();
  auto type = dyn_cast<RankedTensorType>(operand.value.getType());
  SmallVector<AffineExpr> loops;
  for (const Axis &axis : axes)
    loops.push_back(axis.to ? builder.getAffineDimExpr(*axis.to)
                            : builder.getAffineConstantExpr(0));
  SmallVector<AffineExpr> places, inner;
  SmallVector<OpFoldResult> offsets, sizes, strides, tiles;
  SmallVector<int64_t> tiled;
  bool isCut = false;
  for (auto [i, place] : llvm::enumerate(operand.map.getResults())) {
    Axis axis{};
    axis.size = type.getDimSize(unsigned(i));
    if (auto loop = dyn_cast<AffineDimExpr>(place))
      axis = axes[loop.getPosition()];
    isCut |= axis.isCut;
    offsets.push_back(builder.getIndexAttr(axis.offset));
    sizes.push_back(builder.getIndexAttr(axis.size));
    strides.push_back(builder.getIndexAttr(axis.stride));
    places.push_back(place.replaceDims(loops));
    if (!axis.inner)
      continue;
    tiled.push_back(int64_t(i));
    tiles.push_back(builder.getIndexAttr(axis.tile));
    inner.push_back(builder.getAffineDimExpr(*axis.inner));
  }
  Value moved = operand.value;
  if (isCut)
    moved = tensor::ExtractSliceOp::create(builder, loc, moved, offsets, sizes,
                                           strides);
  if (!tiled.empty()) {
    Value init = tensor::EmptyOp::create(
        builder, loc, getMovedType(operand).getShape(), type.getElementType());
    moved = linalg::PackOp::create(builder, loc, moved, init, tiled, tiles)
                .getResult();
  }
  llvm::append_range(places, inner);
  return {moved, AffineMap::get(unsigned(getType().getRank()), 0, places,
                                builder.getContext())};
}
