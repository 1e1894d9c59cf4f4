// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A normalization is a formula of each element and of statistics of its row. Statistics
// and formulas are computed in float32 or wider, for all element types.
#include "NormalizeFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Rows.h"
#include "invar/Conversion/ONNXToLinalg/Window.h"
#include "invar/Dialect/ONNX/Ops/Normalize.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Statistics ------------------------------------------------------------===//

namespace {
/// The mean and the spread of the elements of rows.
struct Spread {
  Value mean, variance;
};
} // namespace

static Value meanOf(const Rows &rows, ArrayRef<LoopOperand> operands,
                    Compute term) {
  return rows.ofRows(
      rows.sum(operands, term), rows.getWorkType(),
      [&](ArrayRef<Number> in) { return in[0] / rows.countFor(in[0]); });
}

static Spread spreadOf(const Rows &rows, Value x) {
  Value mean =
      meanOf(rows, rows.each(x), [](ArrayRef<Number> in) { return in[0]; });
  Value variance =
      meanOf(rows, {rows.each(x), rows.perRow(mean)}, [](ArrayRef<Number> in) {
        Number distance = in[0] - in[1];
        return distance * distance;
      });
  return {mean, variance};
}

static Value invert(const Rows &rows, Value variance, float epsilon) {
  formula::InverseDeviation formula{{}, epsilon};
  return rows.ofRows(variance, rows.getWorkType(),
                     [&](ArrayRef<Number> in) { return formula(in[0]); });
}

/// Standardizes the elements, multiplies them by a scale and adds a shift, if there is
/// one.
static Value standardize(const Rows &rows, Value x, const Spread &spread,
                         float epsilon, LoopOperand scale,
                         std::optional<LoopOperand> shift, Type elementType) {
  SmallVector<LoopOperand> operands = {
      rows.each(x), rows.perRow(spread.mean),
      rows.perRow(invert(rows, spread.variance, epsilon)), scale};
  if (shift)
    operands.push_back(*shift);
  return rows.ofAll(operands, elementType, [&](ArrayRef<Number> in) {
    Number standard = formula::Standardize()(in[0], in[1], in[2]);
    Number factor = in[3].castTo(standard.getType());
    if (!shift)
      return standard * factor;
    return formula::ScaleAndShift()(standard, factor,
                                    in[4].castTo(standard.getType()));
  });
}

/// Axes [from, to).
static SmallVector<int64_t> axesFrom(int64_t from, int64_t to) {
  return llvm::to_vector(llvm::seq(std::min(from, to), to));
}

/// Returns the type of an operand with channels. If there are none, declines and
/// returns null.
static RankedTensorType getChannelled(Lowering &to, Value x,
                                      ValueRange perChannel) {
  RankedTensorType type = to.getType(x);
  bool areVectors = llvm::all_of(perChannel, [&](Value value) {
    RankedTensorType own = to.getType(value);
    return own && own.getRank() == 1;
  });
  if (type && type.getRank() >= 2 && areVectors)
    return type;
  (void)to.decline("expected an operand of a known rank, at least 2, and "
                   "vectors for its channels");
  return nullptr;
}

/// Returns an operand in a type that is at least as wide as `stash`.
static FailureOr<Value> widen(Lowering &to, Value x, int64_t stash) {
  Type type = elements::toType(to.getBuilder().getContext(),
                               *dataTypeFromNumber(stash));
  if (!type.isF64())
    return to.get(x);
  return to.cast(to.get(x), type);
}

//===-- Of channels -----------------------------------------------------------===//

/// Normalizes by given statistics. Factors that are equal at all positions are computed
/// first.
static Value normalizeChannels(BatchNormalizationOp op, Lowering &to,
                               RankedTensorType type) {
  Value x = to.get(op.getX()), scale = to.get(op.getScale());
  Rows rows(to, x, {}), channels(to, scale, {});
  Value factor = channels.ofAll(
      {channels.each(scale), channels.along(0, to.get(op.getInputVar()))},
      rows.getWorkType(), [&](ArrayRef<Number> in) {
        formula::InverseDeviation invert{{}, op.getEpsilon()};
        Type work = rows.getWorkType();
        return in[0].castTo(work) * invert(in[1].castTo(work));
      });
  return rows.ofAll({rows.each(x), rows.along(1, to.get(op.getInputMean())),
                     rows.along(1, factor), rows.along(1, to.get(op.getB()))},
                    type.getElementType(), [&](ArrayRef<Number> in) {
                      Type work = rows.getWorkType();
                      return (in[0] - in[1].castTo(work)) * in[2] +
                             in[3].castTo(work);
                    });
}

static LogicalResult lower(BatchNormalizationOp op, Lowering &to) {
  RankedTensorType type =
      getChannelled(to, op.getX(), op->getOperands().drop_front());
  if (!type)
    return failure();
  if (!op.getTrainingMode()) {
    if (op->getNumResults() != 1)
      return to.decline("running statistics are known in training only");
    return to.set(op.getY(), normalizeChannels(op, to, type));
  }
  Value x = to.get(op.getX());
  SmallVector<int64_t> axes = axesFrom(1, type.getRank());
  axes[0] = 0;
  Rows rows(to, x, axes);
  Spread spread = spreadOf(rows, x);
  if (failed(to.set(op.getY(), standardize(rows, x, spread, op.getEpsilon(),
                                           rows.along(1, to.get(op.getScale())),
                                           rows.along(1, to.get(op.getB())),
                                           type.getElementType()))))
    return failure();
  for (auto [result, running, batch] :
       {std::tuple(op.getRunningMean(), op.getInputMean(), spread.mean),
        std::tuple(op.getRunningVar(), op.getInputVar(), spread.variance)}) {
    if (!result)
      continue;
    Value old = to.get(running);
    Rows all(to, old, {});
    Value moved =
        all.ofAll({all.each(old), all.along(0, batch)},
                  getElementTypeOrSelf(old), [&](ArrayRef<Number> in) {
                    return formula::MoveTowards{{}, op.getMomentum()}(
                        in[0], in[1].castTo(in[0].getType()));
                  });
    if (failed(to.set(result, moved)))
      return failure();
  }
  return success();
}

static LogicalResult lower(InstanceNormalizationOp op, Lowering &to) {
  RankedTensorType type =
      getChannelled(to, op.getInput(), {op.getScale(), op.getB()});
  if (!type)
    return failure();
  Value x = to.get(op.getInput());
  Rows rows(to, x, axesFrom(2, type.getRank()));
  return to.set(op.getOutput(),
                standardize(rows, x, spreadOf(rows, x), op.getEpsilon(),
                            rows.along(1, to.get(op.getScale())),
                            rows.along(1, to.get(op.getB())),
                            type.getElementType()));
}

static LogicalResult lower(GroupNormalizationOp op, Lowering &to) {
  RankedTensorType type =
      getChannelled(to, op.getX(), {op.getScale(), op.getBias()});
  if (!type)
    return failure();
  FailureOr<Value> wide = widen(to, op.getX(), op.getStashType());
  if (failed(wide))
    return failure();
  // N x groups x channels of a group x D…; statistics are over all but the first two
  // axes.
  SmallVector<OpFoldResult> sizes = to.sizesOf(*wide), apart = sizes;
  IndexExpr channels = to.getShapeHelper().getDim(*wide, 1);
  OpFoldResult groups = to.getBuilder().getIndexAttr(op.getNumGroups());
  OpFoldResult members = to.toSize(channels.floorDiv(op.getNumGroups()));
  to.checkEqual(
      to.toSize(channels),
      to.toSize(channels.floorDiv(op.getNumGroups()) * op.getNumGroups()),
      "expected groups that have the same number of channels");
  apart[1] = members;
  apart.insert(apart.begin() + 1, groups);
  Value x = to.reshape(*wide, apart);
  Rows rows(to, x, axesFrom(2, int64_t(apart.size())));
  auto perChannel = [&](Value operand) {
    Value vector = to.getVector(operand);
    to.checkEqual(to.sizesOf(vector)[0], sizes[1],
                  "expected a number for each channel");
    return rows.along({1, 2}, to.reshape(vector, {groups, members}));
  };
  Value y = standardize(rows, x, spreadOf(rows, x), op.getEpsilon(),
                        perChannel(op.getScale()), perChannel(op.getBias()),
                        type.getElementType());
  return to.set(op.getY(), to.reshape(y, sizes));
}

static LogicalResult lower(LRNOp op, Lowering &to) {
  RankedTensorType type = getChannelled(to, op.getX(), {});
  if (!type)
    return failure();
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value x = to.get(op.getX());
  SmallVector<OpFoldResult> sizes = to.sizesOf(x);
  // A window never extends by more than all channels on each side.
  IndexExpr channels = to.getShapeHelper().getDim(x, 1);
  IndexExpr low = IndexExpr::min((op.getSize() - 1) / 2, channels);
  IndexExpr high = IndexExpr::min(op.getSize() / 2, channels);
  int64_t rank = type.getRank();
  DimsExpr before(rank, 0), after(rank, 0);
  before[1] = low;
  after[1] = high;
  Value padded =
      pad(to, x, before, after,
          makeZero(builder, builder.getLoc(), type.getElementType()));
  Value window = to.makeEmpty(to.toSize(low + high + 1), type.getElementType());
  SmallVector<AffineExpr> places;
  for (int64_t i = 0; i < rank; ++i)
    places.push_back(builder.getAffineDimExpr(i));
  MLIRContext *context = builder.getContext();
  AffineMap result = AffineMap::get(rank + 1, 0, places, context);
  AffineExpr tap = builder.getAffineDimExpr(rank);
  places[1] = places[1] + tap;
  SmallVector<bool> isReduced(rank, false);
  isReduced.push_back(true);
  Value squares =
      makeSum(to, {padded, window},
              {AffineMap::get(rank + 1, 0, places, context),
               AffineMap::get(rank + 1, 0, tap), result},
              isReduced, sizes, getSumType(builder, type.getElementType()),
              [](ArrayRef<Number> in) { return in[0] * in[0]; });
  Rows rows(to, x, {});
  Number scale(double(op.getAlpha()) / double(op.getSize()));
  return to.set(op.getY(),
                rows.ofAll({rows.each(x), rows.each(squares)},
                           type.getElementType(), [&](ArrayRef<Number> in) {
                             return in[0] /
                                    pow(Number(op.getBias()) + scale * in[1],
                                        Number(op.getBeta()));
                           }));
}

//===-- Of axes ---------------------------------------------------------------===//

static LogicalResult lower(LayerNormalizationOp op, Lowering &to) {
  RankedTensorType type = to.getType(op.getX());
  std::optional<int64_t> axis =
      type ? normalizeAxis(op.getAxis(), type.getRank()) : std::nullopt;
  if (!axis)
    return to.decline("its axes are not known");
  FailureOr<Value> x = widen(to, op.getX(), op.getStashType());
  if (failed(x))
    return failure();
  Rows rows(to, *x, axesFrom(*axis, type.getRank()));
  FailureOr<LoopOperand> scale = rows.broadcast(to.get(op.getScale()));
  if (failed(scale))
    return failure();
  std::optional<LoopOperand> shift;
  if (op.getB()) {
    FailureOr<LoopOperand> given = rows.broadcast(to.get(op.getB()));
    if (failed(given))
      return failure();
    shift = *given;
  }
  Spread spread = spreadOf(rows, *x);
  if (failed(
          to.set(op.getY(), standardize(rows, *x, spread, op.getEpsilon(),
                                        *scale, shift, type.getElementType()))))
    return failure();
  auto stash = [&](Value result, Value statistic) -> LogicalResult {
    FailureOr<Value> made =
        to.cast(statistic, to.getType(result).getElementType());
    return succeeded(made) ? to.set(result, rows.keepAxes(*made)) : failure();
  };
  if (op.getMean() && failed(stash(op.getMean(), spread.mean)))
    return failure();
  return op.getInvStdDev()
             ? stash(op.getInvStdDev(),
                     invert(rows, spread.variance, op.getEpsilon()))
             : success();
}

static LogicalResult lower(RMSNormalizationOp op, Lowering &to) {
  RankedTensorType type = to.getType(op.getX());
  std::optional<int64_t> axis =
      type ? normalizeAxis(op.getAxis(), type.getRank()) : std::nullopt;
  if (!axis)
    return to.decline("its axes are not known");
  FailureOr<Value> x = widen(to, op.getX(), op.getStashType());
  if (failed(x))
    return failure();
  Rows rows(to, *x, axesFrom(*axis, type.getRank()));
  FailureOr<LoopOperand> scale = rows.broadcast(to.get(op.getScale()));
  if (failed(scale))
    return failure();
  Value square = meanOf(rows, rows.each(*x),
                        [](ArrayRef<Number> in) { return in[0] * in[0]; });
  Value inverse = invert(rows, square, op.getEpsilon());
  return to.set(op.getY(),
                rows.ofAll({rows.each(*x), rows.perRow(inverse), *scale},
                           to.getType(op.getY()).getElementType(),
                           [](ArrayRef<Number> in) {
                             return in[0] * in[1] *
                                    in[2].castTo(in[0].getType());
                           }));
}

static LogicalResult lower(LpNormalizationOp op, Lowering &to) {
  RankedTensorType type = to.getType(op.getInput());
  std::optional<int64_t> axis =
      type ? normalizeAxis(op.getAxis(), type.getRank()) : std::nullopt;
  if (!axis)
    return to.decline("its axis is not known");
  Value x = to.get(op.getInput());
  Rows rows(to, x, *axis);
  bool isSquare = op.getP() == 2;
  Value norm = rows.sum(rows.each(x), [&](ArrayRef<Number> in) {
    return isSquare ? in[0] * in[0] : absolute(in[0]);
  });
  if (isSquare)
    norm = rows.ofRows(norm, rows.getWorkType(),
                       [](ArrayRef<Number> in) { return sqrt(in[0]); });
  return to.set(op.getOutput(),
                rows.ofAll({rows.each(x), rows.perRow(norm)},
                           type.getElementType(), [](ArrayRef<Number> in) {
                             return formula::DivideByNorm()(in[0], in[1]);
                           }));
}

static LogicalResult lower(MeanVarianceNormalizationOp op, Lowering &to) {
  RankedTensorType type = to.getType(op.getX());
  if (!type)
    return to.decline("the rank of its operand is not known");
  // The default of the operator, if the attribute is absent.
  static constexpr int64_t defaultAxes[] = {0, 2, 3};
  SmallVector<int64_t> axes;
  for (int64_t given : op.getAxes().value_or(defaultAxes)) {
    std::optional<int64_t> axis = normalizeAxis(given, type.getRank());
    if (!axis)
      return to.decline("expected axes of " + Twine(type.getRank()) +
                        ", but got " + Twine(given));
    axes.push_back(*axis);
  }
  llvm::sort(axes);
  Value x = to.get(op.getX());
  Rows rows(to, x, axes);
  Spread spread = spreadOf(rows, x);
  Value deviation =
      rows.ofRows(spread.variance, rows.getWorkType(), [](ArrayRef<Number> in) {
        return formula::Deviation()(in[0]);
      });
  return to.set(op.getY(),
                rows.ofAll({rows.each(x), rows.perRow(spread.mean),
                            rows.perRow(deviation)},
                           type.getElementType(), [](ArrayRef<Number> in) {
                             return (in[0] - in[1]) / in[2];
                           }));
}

//===-- Dropout ---------------------------------------------------------------===//

/// Whether a scalar is known to be zero or false.
static bool isZero(Lowering &to, Value operand) {
  ElementsAttr content = to.getConstant(operand);
  if (!content || content.getNumElements() != 1)
    return false;
  if (isa<FloatType>(content.getElementType()))
    return (*content.value_begin<APFloat>()).isZero();
  return (*content.value_begin<APInt>()).isZero();
}

/// Elements stay unchanged, unless training is selected at run time.
static LogicalResult lower(DropoutOp op, Lowering &to) {
  bool isIdle = !op.getTrainingMode() || isZero(to, op.getTrainingMode()) ||
                (op.getRatio() && isZero(to, op.getRatio()));
  if (!isIdle)
    return to.callPlain(/*isImpure=*/true);
  if (failed(to.set(op.getOutput(), to.get(op.getData()))))
    return failure();
  if (!op.getMask())
    return success();
  auto sizes = to.getSizes(op.getData());
  if (failed(sizes))
    return failure();
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value yes = arith::ConstantOp::create(builder, builder.getBoolAttr(true));
  return to.set(op.getMask(), to.makeFilled(*sizes, yes));
}

void invar::onnx::addNormalizeLowerings(LoweringTable &table) {
  table.add<BatchNormalizationOp>(lower);
  table.addAnyRank<DropoutOp>(lower);
  table.add<GroupNormalizationOp>(lower);
  table.add<InstanceNormalizationOp>(lower);
  table.add<LRNOp>(lower);
  table.add<LayerNormalizationOp>(lower);
  table.add<LpNormalizationOp>(lower);
  table.add<MeanVarianceNormalizationOp>(lower);
  table.add<RMSNormalizationOp>(lower);
}
