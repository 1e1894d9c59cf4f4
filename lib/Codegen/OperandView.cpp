// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OperandView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

bool NestPoint::knows(const llvm::SmallBitVector &loops) const {
  return llvm::all_of(loops.set_bits(),
                      [&](unsigned loop) { return indices[loop] != nullptr; });
}

//===----------------------------------------------------------------------===//
// Motion
//===----------------------------------------------------------------------===//

/// Whether consecutive indices along an axis are consecutive elements.
static bool isInnermost(RankedTensorType type, unsigned axis) {
  return llvm::all_of(type.getShape().drop_front(axis + 1),
                      [](int64_t size) { return size == 1; });
}

/// How far `place` moves with an iteration of a loop; nothing if the distance varies.
static std::optional<int64_t> getStep(AffineExpr place, unsigned loop) {
  if (!place.isFunctionOfDim(loop))
    return 0;
  if (isa<AffineDimExpr>(place))
    return 1;
  auto binary = cast<AffineBinaryOpExpr>(place);
  std::optional<int64_t> lhs = getStep(binary.getLHS(), loop);
  std::optional<int64_t> rhs = getStep(binary.getRHS(), loop);
  if (lhs && rhs && place.getKind() == AffineExprKind::Add)
    return *lhs + *rhs;
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (lhs && factor && place.getKind() == AffineExprKind::Mul)
    return *lhs * factor.getValue();
  return std::nullopt;
}

Motion invar::getMotion(const NestOperand &operand, unsigned loop) {
  const Coordinate *moved = nullptr;
  for (const Coordinate &coordinate : operand.coordinates)
    if (coordinate.place.isFunctionOfDim(loop)) {
      if (moved)
        return Motion::Any;
      moved = &coordinate;
    }
  if (!moved)
    return Motion::None;
  if (getStep(moved->place, loop) != 1)
    return Motion::Any;

  Operation *view = operand.value.getDefiningOp();
  auto type = cast<RankedTensorType>(operand.value.getType());
  unsigned axis = moved->axis;
  if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(view)) {
    if (slice.getSourceType().getRank() != type.getRank() ||
        !isConstantIntValue(slice.getMixedStrides()[axis], 1))
      return Motion::Any;
    type = slice.getSourceType();
  } else if (auto pad = dyn_cast_or_null<tensor::PadOp>(view)) {
    if (!isConstantIntValue(pad.getMixedLowPad()[axis], 0) ||
        !isConstantIntValue(pad.getMixedHighPad()[axis], 0))
      return Motion::Any;
  } else if (isa_and_present<linalg::UnPackOp>(view)) {
    return Motion::Any;
  }
  return isInnermost(type, axis) ? Motion::Next : Motion::Any;
}

Motion OperandView::getMotionAt(const NestPoint &point) const {
  if (!point.lanes)
    return Motion::None;
  if (slotStride)
    return Motion::Next;
  unsigned loop = *point.vectorLoop;
  for (const Border &border : borders)
    if (border.place.isFunctionOfDim(loop))
      return Motion::Any;
  Motion motion = Motion::None;
  for (const Term &term : terms) {
    if (!term.place.isFunctionOfDim(loop))
      continue;
    bool isNext = motion == Motion::None && getStep(term.place, loop) == 1 &&
                  isConstantIntValue(term.stride, 1);
    motion = isNext ? Motion::Next : Motion::Any;
  }
  return motion;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

OperandView::OperandView(Value buffer, Type element,
                         ArrayRef<Coordinate> coordinates,
                         ArrayRef<Value> strides, Value origin)
    : buffer(buffer), origin(origin), element(element) {
  for (auto [coordinate, stride] : llvm::zip_equal(coordinates, strides))
    terms.push_back({coordinate.place, stride});
}

OperandView OperandView::ofArgument(KernelBuilder &builder,
                                    const NestOperand &operand, Value result) {
  OperandView view;
  view.element = getElementTypeOrSelf(operand.value);
  view.origin = builder.index(0);

  // The operand's elements are at `place`, scaled and shifted, along an axis of `tensor`.
  Value tensor = result ? result : operand.value;
  while (auto cast = tensor.getDefiningOp<tensor::CastOp>())
    tensor = cast.getSource();
  SmallVector<Coordinate> places(operand.coordinates);
  Values scales(places.size(), builder.index(1)),
      shifts(places.size(), view.origin);
  if (auto pad = tensor.getDefiningOp<tensor::PadOp>()) {
    tensor = pad.getSource();
    view.outside = builder.getScalar(pad.getConstantPaddingValue());
    for (auto [place, shift] : llvm::zip_equal(places, shifts)) {
      Value low = builder.getScalar(pad.getMixedLowPad()[place.axis]);
      shift = builder.sub(builder.index(0), low);
      if (!isConstantIntValue(pad.getMixedLowPad()[place.axis], 0) ||
          !isConstantIntValue(pad.getMixedHighPad()[place.axis], 0))
        view.borders.push_back(
            {place.place, low, builder.getSize(tensor, place.axis)});
    }
  } else if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>()) {
    tensor = slice.getSource();
    Values strides = builder.getStrides(builder.getSizes(tensor));
    for (auto [offset, stride] :
         llvm::zip_equal(slice.getMixedOffsets(), strides))
      view.origin = builder.add(view.origin,
                                builder.mul(builder.getScalar(offset), stride));
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<unsigned> kept;
    for (unsigned axis = 0; axis < dropped.size(); ++axis)
      if (!dropped[axis])
        kept.push_back(axis);
    for (auto [place, scale] : llvm::zip_equal(places, scales)) {
      place.axis = kept[place.axis];
      scale = builder.getScalar(slice.getMixedStrides()[place.axis]);
    }
  } else if (auto unpack = tensor.getDefiningOp<linalg::UnPackOp>()) {
    tensor = unpack.getSource();
    SmallVector<unsigned> outer(unpack.getDestRank());
    for (unsigned axis = 0; axis < outer.size(); ++axis)
      outer[unpack.getOuterDimsPerm().empty()
                ? axis
                : unpack.getOuterDimsPerm()[axis]] = axis;
    SmallVector<Coordinate> packed;
    for (const Coordinate &place : places) {
      AffineExpr at = place.place;
      for (auto [index, axis] : llvm::enumerate(unpack.getInnerDimsPos()))
        if (axis == place.axis) {
          int64_t tile = unpack.getStaticInnerTiles()[index];
          packed.push_back({at % tile, unsigned(outer.size() + index)});
          at = at.floorDiv(tile);
        }
      packed.push_back({at, outer[place.axis]});
    }
    places = std::move(packed);
    scales.assign(places.size(), builder.index(1));
    shifts.assign(places.size(), builder.index(0));
  }

  view.buffer = builder.getBuffer(tensor);
  Values strides = builder.getStrides(builder.getSizes(tensor));
  for (auto [place, scale, shift] : llvm::zip_equal(places, scales, shifts)) {
    Value stride = strides[place.axis];
    view.origin = builder.add(view.origin, builder.mul(shift, stride));
    view.terms.push_back({place.place, builder.mul(scale, stride)});
  }
  return view;
}

/// The indices of the loops for one of a point's lanes.
static Values getIndices(KernelBuilder &builder, const NestPoint &point,
                         unsigned lane) {
  Values indices = point.indices;
  if (lane)
    indices[*point.vectorLoop] =
        builder.add(indices[*point.vectorLoop], builder.index(lane));
  return indices;
}

Value OperandView::getOffset(KernelBuilder &builder, const NestPoint &point,
                             unsigned lane) const {
  Values indices = getIndices(builder, point, lane);
  Value offset = origin;
  if (slotStride)
    offset =
        builder.add(offset, builder.mul(builder.index(point.slot), slotStride));
  for (const Term &term : terms)
    offset =
        builder.add(offset, builder.mul(builder.evaluate(term.place, indices),
                                        term.stride));
  return offset;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Loads `lanes` elements, beginning with that of lane `lane`.
Value OperandView::loadAt(KernelBuilder &builder, const NestPoint &point,
                          unsigned lane, unsigned lanes) const {
  auto load = [&]() -> Value {
    Value offset = getOffset(builder, point, lane);
    if (lanes)
      return builder.loadVector(buffer, offset, element, lanes, point.mask);
    return builder.load(buffer, offset, element);
  };
  if (borders.empty())
    return load();
  Value isInside =
      arith::ConstantIntOp::create(builder, builder.getI1Type(), 1);
  Values indices = getIndices(builder, point, lane);
  for (const Border &border : borders) {
    Value place =
        builder.sub(builder.evaluate(border.place, indices), border.low);
    // As an unsigned number, a position before the beginning is larger than any size.
    Value isHere = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult,
                                         place, border.size);
    isInside = builder.createOrFold<arith::AndIOp>(isInside, isHere);
  }
  return builder
      .ifThen(
          isInside, [&] { return Values{load()}; },
          ValueRange{builder.splat(outside, lanes)})
      .front();
}

Value OperandView::load(KernelBuilder &builder, const NestPoint &point) const {
  switch (getMotionAt(point)) {
  case Motion::None:
    return loadAt(builder, point, 0, 0);
  case Motion::Next:
    return loadAt(builder, point, 0, point.lanes);
  case Motion::Any:
    break;
  }
  Values elements;
  for (unsigned lane = 0; lane < point.lanes; ++lane) {
    if (!point.mask) {
      elements.push_back(loadAt(builder, point, lane, 0));
      continue;
    }
    Value isThere = vector::ExtractOp::create(builder, point.mask, lane);
    Value zero = arith::ConstantOp::create(builder, element,
                                           builder.getZeroAttr(element));
    elements.push_back(
        builder
            .ifThen(
                isThere,
                [&] { return Values{loadAt(builder, point, lane, 0)}; }, zero)
            .front());
  }
  return vector::FromElementsOp::create(
      builder, cast<VectorType>(getRegisterType(element, point.lanes)),
      elements);
}

void OperandView::store(KernelBuilder &builder, Value value,
                        const NestPoint &point) const {
  switch (getMotionAt(point)) {
  case Motion::None:
    return builder.store(value, buffer, getOffset(builder, point, 0));
  case Motion::Next:
    return builder.storeVector(builder.splat(value, point.lanes), buffer,
                               getOffset(builder, point, 0), point.mask);
  case Motion::Any:
    break;
  }
  Value vector = builder.splat(value, point.lanes);
  for (unsigned lane = 0; lane < point.lanes; ++lane) {
    auto store = [&] {
      builder.store(vector::ExtractOp::create(builder, vector, lane), buffer,
                    getOffset(builder, point, lane));
    };
    if (point.mask)
      builder.ifThen(vector::ExtractOp::create(builder, point.mask, lane),
                     store);
    else
      store();
  }
}
