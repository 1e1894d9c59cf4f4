// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If sizes are known, tables contain the source elements of each index, and loops read
// these tables. Folding computes with the same tables. Most tables are lines, such as i
// floordiv 2 for an image that is twice as large; loops compute these instead of
// reading them.
//
// Simplify decomposes AffineGrid (decompose-affine-grid).
#include "ResizeAxes.h"
#include "ResizeTables.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using namespace invar::kernels;

//===-- Nearest ---------------------------------------------------------------===//

/// For a longer table, the operator is a call of the runtime.
static constexpr int64_t maxPlaces = 1 << 16;

/// Creates a constant vector of positions.
static Value makeTable(Lowering &to, ArrayRef<int64_t> places) {
  return to.makeConstant(DenseElementsAttr::get(
      RankedTensorType::get(int64_t(places.size()),
                            to.getBuilder().getI64Type()),
      places));
}

namespace {
/// An axis on which each index takes one element.
struct PickedAxis {
  int64_t axis;
  std::optional<Line> line;
  /// Used if there is no line; -1 is outside the tensor.
  std::vector<int64_t> places;
};
} // namespace

/// Picks elements by their positions along some axes; `otherwise` is used outside the
/// tensor.
static Value pick(Lowering &to, Value x, ArrayRef<PickedAxis> axes,
                  ArrayRef<OpFoldResult> sizes, Value otherwise) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  MLIRContext *context = builder.getContext();
  unsigned rank = sizes.size();
  Type element = getElementTypeOrSelf(x.getType());
  SmallVector<AffineExpr> exprs;
  for (unsigned i = 0; i < rank; ++i)
    exprs.push_back(builder.getAffineDimExpr(i));
  SmallVector<Value> tables(rank);
  bool isLinear = true;
  for (const PickedAxis &axis : axes)
    if (axis.line) {
      exprs[axis.axis] = axis.line->at(exprs[axis.axis]);
    } else {
      isLinear = false;
      tables[axis.axis] = makeTable(to, axis.places);
    }
  if (isLinear)
    return makeElementwise(to, {{x, AffineMap::get(rank, 0, exprs, context)}},
                           sizes, element,
                           [](ArrayRef<Number> in) { return in[0]; });
  return to.generate(
      sizes, element,
      [&](ImplicitLocOpBuilder &inside, ValueRange places) -> Value {
        SmallVector<Value> at(places);
        std::optional<scalar::Truth> isInside;
        for (const PickedAxis &axis : axes) {
          Value place = places[axis.axis];
          Number index = toPlace(inside, place);
          if (const std::optional<Line> &line = axis.line)
            index = (index + Number(line->shift)) / Number(line->divisor) *
                        Number(line->step) +
                    Number(line->offset);
          else
            index = toPlace(inside, tensor::ExtractOp::create(
                                        inside, tables[axis.axis], place)
                                        .getResult());
          if (llvm::is_contained(axis.places, -1)) {
            scalar::Truth own = index >= Number(0);
            isInside = isInside ? *isInside && own : own;
            index = maximum(index, Number(0));
          }
          at[axis.axis] = index.getValue();
        }
        Value picked = tensor::ExtractOp::create(inside, x, at);
        return isInside ? arith::SelectOp::create(inside, isInside->getValue(),
                                                  picked, otherwise)
                              .getResult()
                        : picked;
      });
}

//===-- Interpolation ---------------------------------------------------------===//

/// The maximum number of elements that are added for an index; with more the operator
/// is a call of the runtime.
static constexpr int64_t maxTaps = 8;

/// Returns a tensor with one axis resampled. `otherwise` is used outside the tensor.
static Value resample(Lowering &to, Value x, const AxisChange &change,
                      const WeightTable &table, double otherwise) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  MLIRContext *context = builder.getContext();
  int64_t axis = change.axis, length = change.resized.to;
  SmallVector<OpFoldResult> sizes = to.sizesOf(x);
  unsigned rank = sizes.size();
  sizes[axis] = builder.getIndexAttr(length);
  Type work = getElementTypeOrSelf(x.getType());
  auto makeNumbers = [&](ArrayRef<int64_t> shape, ArrayRef<double> numbers) {
    auto type = RankedTensorType::get(shape, work);
    SmallVector<Attribute> elements;
    for (double number : numbers)
      elements.push_back(builder.getFloatAttr(work, number));
    return to.makeConstant(DenseElementsAttr::get(type, elements));
  };
  AffineExpr along = builder.getAffineDimExpr(axis);
  SmallVector<LoopOperand> operands;
  Value weights = makeNumbers({table.count, length}, table.weights);
  for (int64_t k = 0; k < table.count; ++k)
    operands.push_back(
        {weights,
         AffineMap::get(rank, 0, {builder.getAffineConstantExpr(k), along},
                        context)});
  if (table.hasOutside) {
    SmallVector<double> rest;
    for (size_t i = 0; i < table.firsts.size(); ++i) {
      bool isOutside = true;
      for (int64_t k = 0; k < table.count; ++k)
        isOutside &= table.weights[size_t(k) * table.firsts.size() + i] == 0;
      rest.push_back(isOutside ? otherwise : 0);
    }
    operands.push_back(
        {makeNumbers(length, rest), AffineMap::get(rank, 0, along)});
  }
  size_t others = operands.size();
  if (table.line) {
    // Elements outside have weight zero; a border makes them readable.
    DimsExpr before(rank, 0), after(rank, 0);
    before[axis] = std::max<int64_t>(-table.firsts.front(), 0);
    after[axis] = std::max<int64_t>(
        table.firsts.back() + table.count - change.resized.from, 0);
    Value padded =
        pad(to, x, before, after, makeZero(builder, builder.getLoc(), work));
    SmallVector<AffineExpr> exprs;
    for (unsigned i = 0; i < rank; ++i)
      exprs.push_back(builder.getAffineDimExpr(i));
    for (int64_t k = 0; k < table.count; ++k) {
      exprs[axis] = table.line->at(along) + (before[axis].getLiteral() + k);
      operands.push_back({padded, AffineMap::get(rank, 0, exprs, context)});
    }
  } else {
    operands.push_back(
        {makeTable(to, table.firsts), AffineMap::get(rank, 0, along)});
  }
  return makeElementwise(to, operands, sizes, work, [&](ArrayRef<Number> in) {
    ImplicitLocOpBuilder inside(in[0].getLoc(), in[0].getBuilder());
    SmallVector<Value> at;
    for (unsigned i = 0; !table.line && i < rank; ++i)
      at.push_back(linalg::IndexOp::create(inside, i));
    auto take = [&](int64_t k) {
      if (table.line)
        return in[others + k];
      Number place = toPlace(inside, in[others].getValue()) + Number(k);
      at[axis] = minimum(place, Number(change.resized.from - 1)).getValue();
      return toNumber(inside, inside.getLoc(),
                      tensor::ExtractOp::create(inside, x, at));
    };
    Number sum = in[0] * take(0);
    for (int64_t k = 1; k < table.count; ++k)
      sum = sum + in[k] * take(k);
    return table.hasOutside ? sum + in[table.count] : sum;
  });
}

/// Computes weighted sums along each of the axes. Fails if the runtime must do it.
static FailureOr<Value> interpolate(Lowering &to, Value x,
                                    ArrayRef<AxisChange> changes,
                                    const Filter &filter, double otherwise) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Type element = getElementTypeOrSelf(x.getType());
  bool isFloat = isa<FloatType>(element);
  // Integers would have to be rounded and saturated.
  if (!canCompute(element) ||
      (!isFloat &&
       (filter.antialias || filter.interpolation == Interpolation::Cubic)))
    return failure();
  SmallVector<WeightTable> tables;
  for (const AxisChange &change : changes) {
    if (change.resized.from / std::max<int64_t>(change.resized.to, 1) > maxTaps)
      return failure();
    Taps taps = findTaps(change.resized, filter);
    tables.emplace_back(taps);
    if (tables.back().count == 0 || tables.back().count > maxTaps)
      return failure();
    if (!tables.back().hasOutside)
      tables.back().findLine(taps, change.resized);
  }
  bool isWide =
      element.isF64() || (!isFloat && element.getIntOrFloatBitWidth() > 16);
  FailureOr<Value> sums =
      to.cast(x, isWide ? builder.getF64Type() : Type(builder.getF32Type()));
  for (auto [change, table] : llvm::zip_equal(changes, tables))
    if (succeeded(sums))
      sums = resample(to, *sums, change, table, otherwise);
  return succeeded(sums) ? to.cast(*sums, element) : sums;
}

//===-- Operators -------------------------------------------------------------===//

namespace {
/// The parameters of an operator.
struct Request {
  SmallVector<int64_t> axes;
  SmallVector<double> scales;
  Coordinates coordinates;
  /// Starts and then ends of the axes; empty if they are not cropped.
  SmallVector<double> crop;
  /// The value outside the tensor.
  double otherwise;
  /// If empty, elements are interpolated.
  std::optional<Nearest> nearest;
  Filter filter;
};
} // namespace

/// Returns the line of an axis of unknown size that is enlarged by an integer factor,
/// if this repeats each element that many times.
static std::optional<Line> repeatTimes(const Request &request, double scale) {
  constexpr int64_t mostTimes = 16, sample = 64;
  auto times = int64_t(std::clamp(scale, 0.0, double(mostTimes)));
  if (!request.nearest || double(times) != scale ||
      request.coordinates == Coordinates::AlignCorners ||
      request.coordinates == Coordinates::TfCropAndResize)
    return std::nullopt;
  std::optional<Line> line = findLine(
      findNearest({sample, sample * times, scale, request.coordinates, 0, 1},
                  *request.nearest));
  bool isPlain = line && line->shift == 0 && line->divisor == times &&
                 line->step == 1 && line->offset == 0;
  return isPlain ? line : std::nullopt;
}

/// Returns the resized tensor. Fails if the runtime must do it.
static FailureOr<Value> resize(Lowering &to, Value x, RankedTensorType result,
                               const Request &request) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<OpFoldResult> sizes = to.sizesOf(x);
  SmallVector<AxisChange> changes;
  SmallVector<PickedAxis> picked;
  for (auto [i, axis] : llvm::enumerate(request.axes)) {
    double scale = request.scales[i];
    if (type.isDynamicDim(axis) && request.crop.empty()) {
      if (scale == 1 && request.coordinates != Coordinates::TfHalfPixelForNN)
        continue;
      std::optional<Line> line = repeatTimes(request, scale);
      if (!line)
        return failure();
      picked.push_back({axis, line, {}});
      sizes[axis] =
          to.toSize(to.getShapeHelper().getDim(x, axis) * line->divisor);
      continue;
    }
    ResizedAxis resized{type.getDimSize(axis),
                        result.getDimSize(axis),
                        scale,
                        request.coordinates,
                        0,
                        1};
    if (!request.crop.empty()) {
      resized.cropStart = request.crop[i];
      resized.cropEnd = request.crop[request.axes.size() + i];
    }
    for (int64_t size : {resized.from, resized.to})
      if (ShapedType::isDynamic(size) || size < 1 || size > maxPlaces)
        return failure();
    if (resized.isUnchanged())
      continue;
    changes.push_back({axis, resized});
    sizes[axis] = builder.getIndexAttr(resized.to);
  }
  if (!request.nearest)
    return interpolate(to, x, changes, request.filter, request.otherwise);
  Value otherwise;
  for (const AxisChange &change : changes) {
    std::vector<int64_t> places = findNearest(change.resized, *request.nearest);
    bool hasOutside = llvm::is_contained(places, -1);
    picked.push_back({change.axis, hasOutside ? std::nullopt : findLine(places),
                      std::move(places)});
    if (!hasOutside || otherwise)
      continue;
    if (!canCompute(type.getElementType()))
      return failure();
    Number number(builder, builder.getLoc(),
                  arith::ConstantOp::create(
                      builder, builder.getF64FloatAttr(request.otherwise)));
    otherwise = toElement(number, type.getElementType());
  }
  return picked.empty() ? x : pick(to, x, picked, sizes, otherwise);
}

/// Returns the floats of a constant list; empty if it is unknown.
static std::optional<SmallVector<double>> getFloats(Lowering &to, Value list) {
  SmallVector<double> floats;
  ElementsAttr content = to.getConstant(list);
  if (!content || content.getNumElements() > 256)
    return std::nullopt;
  for (int64_t i = 0; i < content.getNumElements(); ++i) {
    std::optional<double> number =
        to.getShapeHelper().getBuilder().getFloatFromArrayAsLiteral(
            to.get(list), i);
    if (!number)
      return std::nullopt;
    floats.push_back(*number);
  }
  return floats;
}

/// Returns the scale of each axis; empty if it is unknown.
static std::optional<SmallVector<double>> getScales(ResizeOp op, Lowering &to,
                                                    ArrayRef<int64_t> axes) {
  RankedTensorType from = to.getType(op.getX());
  RankedTensorType result = to.getType(op.getY());
  if (op.getScales())
    if (auto scales = getFloats(to, op.getScales());
        scales && (!scales->empty() || !op.getSizes()))
      return scales;
  if (!op.getSizes())
    return std::nullopt;
  SmallVector<double> scales;
  auto given = to.getInts(op.getSizes());
  if (!given && op.getKeepAspectRatioPolicy() != "stretch")
    return std::nullopt;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t size =
        given && i < given->size() ? (*given)[i] : result.getDimSize(axis);
    if (ShapedType::isDynamic(size) || from.isDynamicDim(axis))
      return std::nullopt;
    scales.push_back(double(size) / double(from.getDimSize(axis)));
  }
  keepAspect(getAspect(op), scales);
  return scales;
}

/// For sizes and scales that only a run knows.
template <typename Op> static LogicalResult callRuntime(Op op, Lowering &to) {
  FailureOr<RuntimeCall> call = op.describeCall(to.getShapeHelper());
  return succeeded(call) ? to.call(*call)
                         : to.decline("it is not known whether 'scales' or "
                                      "'sizes' is given");
}

static LogicalResult lower(ResizeOp op, Lowering &to) {
  RankedTensorType type = to.getType(op.getX());
  RankedTensorType result = to.getType(op.getY());
  if (!to.canMoveAll())
    return callRuntime(op, to);
  Request request;
  request.axes = op.getResizedAxes(type.getRank());
  request.coordinates = getCoordinates(op);
  request.otherwise = op.getExtrapolationValue();
  request.filter = getFilter(op);
  if (op.getMode() == "nearest")
    request.nearest = getNearest(op);
  auto scales = getScales(op, to, request.axes);
  if (!scales || scales->size() != request.axes.size())
    return callRuntime(op, to);
  request.scales = std::move(*scales);
  if (request.coordinates == Coordinates::TfCropAndResize) {
    auto crop = op.getRoi() ? getFloats(to, op.getRoi()) : std::nullopt;
    if (!crop || crop->size() != 2 * request.axes.size())
      return callRuntime(op, to);
    request.crop = std::move(*crop);
  }
  FailureOr<Value> made = resize(to, to.get(op.getX()), result, request);
  return succeeded(made) ? to.set(op.getY(), *made) : callRuntime(op, to);
}

static LogicalResult lower(UpsampleOp op, Lowering &to) {
  RankedTensorType type = to.getType(op.getX());
  RankedTensorType result = to.getType(op.getY());
  auto scales = getFloats(to, op.getScales());
  if (!to.canMoveAll() || !scales || int64_t(scales->size()) != type.getRank())
    return callRuntime(op, to);
  Request request;
  request.axes = llvm::to_vector(llvm::seq(type.getRank()));
  request.scales = std::move(*scales);
  request.coordinates = Coordinates::Asymmetric;
  request.otherwise = 0;
  request.filter = getFilter(op);
  if (op.getMode() == "nearest")
    request.nearest = Nearest::Floor;
  FailureOr<Value> made = resize(to, to.get(op.getX()), result, request);
  return succeeded(made) ? to.set(op.getY(), *made) : callRuntime(op, to);
}

void invar::onnx::addResizeLowerings(LoweringTable &table) {
  table.addCall<GridSampleOp>();
  table.add<ResizeOp>(lower);
  table.add<UpsampleOp>(lower);
}
