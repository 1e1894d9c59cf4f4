// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators with a size or a position as an operand: Expand, Tile, Slice, Resize and
// fills with one number. Exporters compute these operands from shapes even if nothing
// depends on them. The rules make the operands constants, or drop the operators that
// need them.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Cast.h"
#include "invar/Dialect/ONNX/Ops/Compare.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "invar/Dialect/ONNX/Ops/Generate.h"
#include "invar/Dialect/ONNX/Ops/Logic.h"
#include "invar/Dialect/ONNX/Ops/Recurrent.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Resize.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "invar/Elements/IR/LazyElementsAttr.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Filled with one number ------------------------------------------------===//

/// A scalar constant of the number that all elements of `value` have; null if there is
/// none.
static Value findFill(Value value, Rewriting &rewriting) {
  // Moving equal elements changes only the shape.
  static constexpr unsigned mostMoves = 8;
  for (unsigned i = 0; i < mostMoves; ++i) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<ExpandOp, FlattenOp, ReshapeOp, SliceOp, SqueezeOp,
                         TileOp, TransposeOp, UnsqueezeOp>(op))
      break;
    value = op->getOperand(0);
  }
  auto fill = value.getDefiningOp<ConstantOfShapeOp>();
  if (!fill)
    return Value();
  DataType type = DataType::Float32;
  WideNum number = WideNum::ofDouble(0);
  if (auto attribute = dyn_cast_or_null<ElementsAttr>(fill.getValueAttr())) {
    FailureOr<Elements> content = elements::toElements(attribute);
    if (failed(content) || content->numElements() != 1 ||
        content->getType() == DataType::String)
      return Value();
    type = content->getType();
    content->readWideNums(0, number);
  }
  return rewriting.makeConstant(
      llvm::cantFail(ElementsBuilder().splat(type, {}, number)));
}

//===-- What broadcasting does anyway -----------------------------------------===//

/// Whether an operator that broadcasts keeps its result shape if operand `number` is
/// replaced by `x`, which broadcasts to that operand, or by a scalar if `x` is null.
static bool keepsShape(Operation *op, unsigned number, Value x) {
  Value result = op->getResult(0);
  std::optional<int64_t> rank = getRank(result);
  if (!rank)
    return false;
  auto hasSize = [&](Value operand, int64_t axis) {
    std::optional<int64_t> its = getRank(operand);
    int64_t place = its ? axis - (*rank - *its) : -1;
    return place >= 0 && haveSameSize(operand, place, result, axis);
  };
  return llvm::all_of(llvm::seq(*rank), [&](int64_t axis) {
    return (x && hasSize(x, axis)) ||
           llvm::any_of(llvm::enumerate(op->getOperands()), [&](auto operand) {
             return operand.index() != number && hasSize(operand.value(), axis);
           });
  });
}

/// The value that was broadcast to `value`; null if there is none.
static Value findNarrow(Value value) {
  if (auto expand = value.getDefiningOp<ExpandOp>())
    return expand.getInput();
  auto tile = value.getDefiningOp<TileOp>();
  std::optional<int64_t> rank = tile ? getRank(tile.getInput()) : std::nullopt;
  if (!rank)
    return Value();
  // Repeating one element is a broadcast; repeating several is not.
  Value x = tile.getInput();
  auto shape = cast<ShapedType>(x.getType()).getShape();
  bool isBroadcast = llvm::all_of(llvm::seq(*rank), [&](int64_t axis) {
    return shape[axis] == 1 || haveSameSize(x, axis, value, axis);
  });
  return isBroadcast ? x : Value();
}

/// Replaces the first operand for which `find`, given its number and value, returns
/// another value.
static LogicalResult
replaceOperand(Operation *op, Rewriting &rewriting,
               llvm::function_ref<Value(unsigned, Value)> find) {
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Value other = rewriting.isConstant(operand) ? Value() : find(i, operand);
    if (!other)
      continue;
    SmallVector<Value> operands(op->getOperands());
    operands[i] = other;
    return rewriting.tryReplace(op, rewriting.makeLike(op, operands));
  }
  return failure();
}

static constexpr StringLiteral dropBroadcastPattern =
    "Add(x, Expand(y)) -> Add(x, y) [x has the shape; an operator on the way "
    "less]";
static LogicalResult dropBroadcast(Operation *op, Rewriting &rewriting) {
  return replaceOperand(op, rewriting, [&](unsigned number, Value operand) {
    Value narrow = findNarrow(operand);
    return narrow && keepsShape(op, number, narrow) ? narrow : Value();
  });
}

static constexpr StringLiteral dropFillPattern =
    "Add(x, ConstantOfShape(s)) -> Add(x, c) [x has the shape; a variable "
    "less]";
static LogicalResult dropFill(Operation *op, Rewriting &rewriting) {
  return replaceOperand(op, rewriting, [&](unsigned number, Value operand) {
    return keepsShape(op, number, Value()) ? findFill(operand, rewriting)
                                           : Value();
  });
}

static constexpr StringLiteral dropZeroStatePattern =
    "LSTM(x, ..., ConstantOfShape(s)) -> LSTM(x, ...) [states of 0; a variable "
    "less]";
static LogicalResult dropZeroState(Operation *op, Rewriting &rewriting) {
  auto isZero = [&](OpOperand &state) {
    Value fill = rewriting.isConstant(state.get())
                     ? state.get()
                     : findFill(state.get(), rewriting);
    std::optional<double> number =
        fill ? rewriting.getSplat(fill) : std::nullopt;
    return number == 0 && !std::signbit(*number);
  };
  auto drop = [&](MutableOperandRange state) {
    if (state.empty() || !isZero(state[0]))
      return false;
    Value old = state[0].get();
    state.clear();
    if (Operation *producer = old.getDefiningOp();
        producer && producer->use_empty())
      rewriting.erase(producer);
    return true;
  };
  bool isChanged = false;
  if (auto lstm = dyn_cast<LSTMOp>(op)) {
    isChanged |= drop(lstm.getInitialHMutable());
    isChanged |= drop(lstm.getInitialCMutable());
  } else if (auto gru = dyn_cast<GRUOp>(op)) {
    isChanged = drop(gru.getInitialHMutable());
  } else {
    isChanged = drop(cast<RNNOp>(op).getInitialHMutable());
  }
  return success(isChanged);
}

//===-- Expand ----------------------------------------------------------------===//

static constexpr StringLiteral fixExpandPattern =
    "Expand(x, Shape(y)) -> Expand(x, [1, 8, 1]) [x has the others; a variable "
    "less]";
static LogicalResult fixExpand(ExpandOp op, Rewriting &rewriting) {
  Value x = op.getInput(), result = op.getOutput();
  std::optional<int64_t> rank = getRank(x), newRank = getRank(result);
  if (rewriting.isConstant(op.getShape()) || !rank || !newRank)
    return failure();
  auto shape = cast<ShapedType>(result.getType()).getShape();
  SmallVector<int64_t> target;
  for (int64_t axis = 0; axis < *newRank; ++axis) {
    int64_t place = axis - (*newRank - *rank);
    bool isThere = place >= 0 && haveSameSize(x, place, result, axis);
    if (!isThere && ShapedType::isDynamic(shape[axis]))
      return failure();
    target.push_back(isThere ? 1 : shape[axis]);
  }
  return rewriting.tryReplace(
      op, rewriting.make<ExpandOp>(x, rewriting.makeInts(target)));
}

//===-- Slice -----------------------------------------------------------------===//

static constexpr int64_t toTheEnd = std::numeric_limits<int64_t>::max();

/// A number for the same position of an axis as `place`, in a Slice with a positive
/// step.
static std::optional<int64_t> findPlace(IndexExpr place, IndexExpr size) {
  if (place.isLiteral())
    return place.getLiteral();
  IndexExpr behind = place - size;
  if (behind.isAtLeast(0))
    return toTheEnd;
  // If n is less than 3, n - 3 is negative and may mean another position than -3. The
  // same applies to numbers below.
  if (behind.isLiteral() &&
      (behind.isAtLeast(-2) || size.isAtLeast(-behind.getLiteral())))
    return behind.getLiteral();
  IndexExpr before = place + size;
  if (before.isDefined() && before.getBounds().most <= 0)
    return 0;
  return std::nullopt;
}

static constexpr StringLiteral fixSlicePattern =
    "Slice(x, 1, Shape(x)) -> Slice(x, 1, max) [places from the end; a "
    "variable less]";
static LogicalResult fixSlice(SliceOp op, Rewriting &rewriting) {
  auto dims = rewriting.getDims(op.getData());
  auto starts = rewriting.getEntries(op.getStarts());
  auto ends = rewriting.getEntries(op.getEnds());
  if (!dims || !starts || !ends || starts->size() != ends->size())
    return failure();
  auto axes = op.getAxes()
                  ? getAxes(op.getAxes(), dims->size(), rewriting)
                  : llvm::to_vector(llvm::seq<int64_t>(starts->size()));
  std::optional<SmallVector<int64_t>> steps =
      op.getSteps() ? rewriting.getInts(op.getSteps())
                    : SmallVector<int64_t>(starts->size(), 1);
  if (!axes || !steps || axes->size() != starts->size() ||
      llvm::any_of(
          *axes, [&](int64_t axis) { return axis >= int64_t(dims->size()); }) ||
      llvm::any_of(*steps, [](int64_t step) { return step < 1; }))
    return failure();
  bool isChanged = false;
  auto fix = [&](Value places, ArrayRef<IndexExpr> entries) {
    if (rewriting.isConstant(places))
      return places;
    SmallVector<int64_t> numbers;
    for (auto [entry, axis] : llvm::zip_equal(entries, *axes)) {
      std::optional<int64_t> number = findPlace(entry, (*dims)[axis]);
      if (!number)
        return places;
      numbers.push_back(*number);
    }
    isChanged = true;
    return rewriting.makeInts(numbers);
  };
  Value newStarts = fix(op.getStarts(), *starts);
  Value newEnds = fix(op.getEnds(), *ends);
  if (!isChanged)
    return failure();
  return rewriting.tryReplace(
      op, rewriting.make<SliceOp>(op.getData(), newStarts, newEnds,
                                  op.getAxes(), op.getSteps()));
}

//===-- Resize ----------------------------------------------------------------===//

static constexpr StringLiteral fixResizePattern =
    "Resize(x, sizes = Shape(x) * 2) -> Resize(x, scales = 2) [a variable "
    "less]";
static LogicalResult fixResize(ResizeOp op, Rewriting &rewriting) {
  // Other policies are defined by sizes only, and a crop has its own size.
  auto dims = rewriting.getDims(op.getX());
  auto sizes = rewriting.getEntries(op.getSizes());
  if (!dims || !sizes || rewriting.isConstant(op.getSizes()) ||
      op.getKeepAspectRatioPolicy() != "stretch" ||
      op.getCoordinateTransformationMode() == "tf_crop_and_resize")
    return failure();
  SmallVector<int64_t> axes = op.getResizedAxes(dims->size());
  if (axes.size() != sizes->size())
    return failure();
  // Integer factors are exact as floats, and so are their products with any size.
  static constexpr int64_t mostTimes = 16;
  SmallVector<float> scales;
  for (auto [axis, size] : llvm::zip_equal(axes, *sizes)) {
    int64_t times = 1;
    while (times <= mostTimes && !((*dims)[axis] * times).isKnownEqual(size))
      ++times;
    if (times > mostTimes)
      return failure();
    scales.push_back(float(times));
  }
  Value factors = rewriting.makeConstant(
      llvm::cantFail(ElementsBuilder().fromArray<DataType::Float32>(
          int64_t(scales.size()), scales)));
  return rewriting.tryReplace(
      op, rewriting.make<ResizeOp>(
              op.getX(), op.getRoi(), factors, Value(), op.getAntialiasAttr(),
              op.getAxesAttr(), op.getCoordinateTransformationModeAttr(),
              op.getCubicCoeffAAttr(), op.getExcludeOutsideAttr(),
              op.getExtrapolationValueAttr(), op.getKeepAspectRatioPolicyAttr(),
              op.getModeAttr(), op.getNearestModeAttr()));
}

void invar::addTargetRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  auto makeForBroadcasting =
      makeRuleFor<AddOp, AndOp, BitwiseAndOp, BitwiseOrOp, BitwiseXorOp, DivOp,
                  EqualOp, GreaterOp, GreaterOrEqualOp, LessOp, LessOrEqualOp,
                  MaxOp, MinOp, ModOp, MulOp, OrOp, PowOp, SubOp, SumOp,
                  WhereOp, XorOp>;
  rules.push_back(makeForBroadcasting("drop-broadcast", Exact,
                                      dropBroadcastPattern, dropBroadcast));
  rules.push_back(
      makeForBroadcasting("drop-fill", Exact, dropFillPattern, dropFill));
  rules.push_back(makeRuleFor<GRUOp, LSTMOp, RNNOp>(
      "drop-zero-state", Exact, dropZeroStatePattern, dropZeroState));
  rules.push_back(
      RuleFor<fixExpand>::get("fix-expand", Exact, fixExpandPattern));
  rules.push_back(RuleFor<fixSlice>::get("fix-slice", Exact, fixSlicePattern));
  rules.push_back(
      RuleFor<fixResize>::get("fix-resize", Exact, fixResizePattern));
}
