// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drops operators that could move elements but move none. Sizes that are known by name
// only are equal if both names are the same.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Dialect/ONNX/Ops/Generate.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"
#include "invar/Dialect/ONNX/Ops/Pool.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Resize.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Longer lists of indices are not inspected.
static constexpr int64_t mostIndices = 1 << 16;

//===-- What has its operand's type -------------------------------------------===//

/// Whether an operator whose result has its operand's type returns its operand.
static bool keepsOrder(Operation *op, Rewriting &rewriting) {
  auto isAll = [&](Value list, auto predicate) {
    std::optional<SmallVector<int64_t>> numbers = rewriting.getInts(list);
    return numbers && llvm::all_of(*numbers, predicate);
  };
  if (auto slice = dyn_cast<SliceOp>(op))
    return !slice.getSteps() ||
           isAll(slice.getSteps(), [](int64_t step) { return step > 0; });
  if (auto pad = dyn_cast<PadOp>(op))
    return isAll(pad.getPads(), [](int64_t size) { return size == 0; });
  return true;
}

static constexpr StringLiteral dropUnmovedPattern =
    "Reshape(x) -> x [to its own shape; an operator less]";
static LogicalResult dropUnmoved(Operation *op, Rewriting &rewriting) {
  Value x = op->getOperand(0);
  if (op->getNumResults() != 1 || !haveSameType(x, op->getResult(0)) ||
      !keepsOrder(op, rewriting))
    return failure();
  rewriting.replace(op, x);
  return success();
}

static constexpr StringLiteral dropResizePattern =
    "Resize(x) -> x [to its own size; an operator less]";
static LogicalResult dropResize(ResizeOp op, Rewriting &rewriting) {
  // With a factor near one, elements may move although the size stays.
  const Elements *scales = rewriting.getConstant(op.getScales());
  bool isBySize = !op.getScales() || (scales && scales->numElements() == 0);
  bool isEven = isBySize ? haveSameType(op.getX(), op.getY())
                         : rewriting.getSplat(op.getScales()) == 1;
  // One mode crops to a region, the other shifts by half a pixel.
  StringRef places = op.getCoordinateTransformationMode();
  if (!isEven || op.getKeepAspectRatioPolicy() != "stretch" ||
      places == "tf_crop_and_resize" || places == "tf_half_pixel_for_nn")
    return failure();
  rewriting.replace(op, op.getX());
  return success();
}

static constexpr StringLiteral dropUpsamplePattern =
    "Upsample(x, 1) -> x [an operator less]";
static LogicalResult dropUpsample(UpsampleOp op, Rewriting &rewriting) {
  if (rewriting.getSplat(op.getScales()) != 1)
    return failure();
  rewriting.replace(op, op.getX());
  return success();
}

/// Whether windows of one element cover the whole image.
template <typename Op> static bool seesEachElement(Op op) {
  auto isAll = [](std::optional<ArrayRef<int64_t>> list, int64_t number) {
    return !list ||
           llvm::all_of(*list, [&](int64_t entry) { return entry == number; });
  };
  return isAll(op.getKernelShape(), 1) && isAll(op.getStrides(), 1) &&
         isAll(op.getPads(), 0);
}

static constexpr StringLiteral dropMaxPoolPattern =
    "MaxPool(x) -> x [windows of one element; an operator less]";
static constexpr StringLiteral dropAveragePoolPattern =
    "AveragePool(x) -> x [windows of one element; an operator less]";
template <typename Op>
static LogicalResult dropPool(Op op, Rewriting &rewriting) {
  if (op->getNumResults() != 1 || !seesEachElement(op))
    return failure();
  rewriting.replace(op, op.getX());
  return success();
}

static constexpr StringLiteral dropClipPattern =
    "Clip(x) -> x [no bounds; an operator less]";
static LogicalResult dropClip(ClipOp op, Rewriting &rewriting) {
  auto limits = [&](Value bound, double most) {
    return bound && rewriting.getSplat(bound) != most;
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (limits(op.getMin(), -infinity) || limits(op.getMax(), infinity))
    return failure();
  rewriting.replace(op, op.getInput());
  return success();
}

//===-- What takes all by index -----------------------------------------------===//

/// The indices in a constant, counted from the front of an axis.
static std::optional<SmallVector<int64_t>>
getIndices(Value indices, int64_t size, Rewriting &rewriting) {
  const Elements *content = rewriting.getConstant(indices);
  if (!content || content->numElements() > mostIndices ||
      ShapedType::isDynamic(size))
    return std::nullopt;
  SmallVector<WideNum> numbers(content->numElements());
  content->readWideNums(0, numbers);
  return llvm::map_to_vector(numbers, [&](WideNum number) {
    return number.i < 0 ? number.i + size : number.i;
  });
}

/// Whether indices enumerate an axis of `data` in order.
static bool countsAxis(Value indices, Value data, int64_t axis,
                       Rewriting &rewriting) {
  auto type = dyn_cast<RankedTensorType>(indices.getType());
  if (!type || type.getRank() != 1)
    return false;
  if (auto range = indices.getDefiningOp<RangeOp>();
      range && !rewriting.isConstant(indices)) {
    std::optional<DimsExpr> limit = rewriting.getEntries(range.getLimit());
    return rewriting.getSplat(range.getStart()) == 0 &&
           rewriting.getSplat(range.getDelta()) == 1 && limit &&
           limit->size() == 1 &&
           (*limit)[0].isKnownEqual((*rewriting.getDims(data))[axis]);
  }
  int64_t size = cast<RankedTensorType>(data.getType()).getDimSize(axis);
  auto numbers = getIndices(indices, size, rewriting);
  return numbers && llvm::equal(*numbers, llvm::seq(size));
}

static constexpr StringLiteral dropGatherPattern =
    "Gather(x, [0, 1, 2]) -> x [all of the axis in order; an operator less]";
static LogicalResult dropGather(GatherOp op, Rewriting &rewriting) {
  std::optional<int64_t> rank = getRank(op.getData());
  auto axis = rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
  if (!axis || !countsAxis(op.getIndices(), op.getData(), *axis, rewriting))
    return failure();
  rewriting.replace(op, op.getData());
  return success();
}

static constexpr StringLiteral dropGatherElementsPattern =
    "GatherElements(x, [[0, 1], [0, 1]]) -> x [each its own place; an operator "
    "less]";
static LogicalResult dropGatherElements(GatherElementsOp op,
                                        Rewriting &rewriting) {
  auto type = dyn_cast<RankedTensorType>(op.getData().getType());
  auto axis = type ? normalizeAxis(op.getAxis(), type.getRank()) : std::nullopt;
  if (!axis || !type.hasStaticShape() ||
      !haveSameShape(op.getData(), op.getIndices()))
    return failure();
  int64_t size = type.getDimSize(*axis);
  auto numbers = getIndices(op.getIndices(), size, rewriting);
  if (!numbers)
    return failure();
  int64_t stride = 1;
  for (int64_t behind : type.getShape().drop_front(*axis + 1))
    stride *= behind;
  for (auto [place, index] : llvm::enumerate(*numbers))
    if (int64_t(place) / stride % size != index)
      return failure();
  rewriting.replace(op, op.getData());
  return success();
}

static constexpr StringLiteral dropCompressPattern =
    "Compress(x, true) -> x [all of the axis; an operator less]";
static LogicalResult dropCompress(CompressOp op, Rewriting &rewriting) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type || rewriting.getSplat(op.getCondition()) != 1)
    return failure();
  // Without an axis, elements are selected from the flattened tensor.
  auto axis = op.getAxis() ? normalizeAxis(*op.getAxis(), type.getRank())
              : type.getRank() == 1 ? std::optional<int64_t>(0)
                                    : std::nullopt;
  if (!axis || type.isDynamicDim(*axis) ||
      rewriting.getConstant(op.getCondition())->numElements() <
          type.getDimSize(*axis))
    return failure();
  rewriting.replace(op, op.getInput());
  return success();
}

void invar::addMovementRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(makeRuleFor<ReshapeOp, FlattenOp, SqueezeOp, UnsqueezeOp,
                              ExpandOp, TileOp, SliceOp, PadOp, SplitOp>(
      "drop-unmoved", Exact, dropUnmovedPattern, dropUnmoved));
  rules.push_back(
      RuleFor<dropResize>::get("drop-resize", Exact, dropResizePattern));
  rules.push_back(
      RuleFor<dropUpsample>::get("drop-upsample", Exact, dropUpsamplePattern));
  rules.push_back(RuleFor<dropPool<MaxPoolOp>>::get("drop-max-pool", Exact,
                                                    dropMaxPoolPattern));
  rules.push_back(RuleFor<dropPool<AveragePoolOp>>::get(
      "drop-average-pool", Exact, dropAveragePoolPattern));
  rules.push_back(RuleFor<dropClip>::get("drop-clip", Exact, dropClipPattern));
  rules.push_back(
      RuleFor<dropGather>::get("drop-gather", Exact, dropGatherPattern));
  rules.push_back(RuleFor<dropGatherElements>::get(
      "drop-gather-elements", Exact, dropGatherElementsPattern));
  rules.push_back(
      RuleFor<dropCompress>::get("drop-compress", Exact, dropCompressPattern));
}
