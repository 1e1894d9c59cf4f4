// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Rows.h"
#include "invar/Conversion/ONNXToLinalg/Variants.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Reductions ------------------------------------------------------------===//

namespace {
/// The operand of a reduction.
struct Operand {
  LoopOperand each;
  /// The type of the elements, and the type in which they are computed.
  Type elementType, workType;

  bool isFloat() const { return isa<FloatType>(elementType); }
};
} // namespace

namespace {
/// Axes that are known only at run time. Each axis is split into two, one of its size
/// and one of size 1: the first has the size if the axis is kept, the second if it is
/// reduced. So the positions of the reduced axes are known at compile time.
///
///   3 x 4 over axis 1      3 1 x 1 4
struct OpenAxes {
  /// Whether an axis is kept.
  SmallVector<Value> isKept;
  SmallVector<OpFoldResult> apart;
  /// The sizes of the result, in which reduced axes are 1.
  SmallVector<OpFoldResult> kept;
};
} // namespace

/// Returns for each axis whether a list contains it, and whether the list contains only
/// axes.
static std::pair<Value, Value> findAxes(Lowering &to, Value list,
                                        int64_t rank) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  MLIRContext *context = builder.getContext();
  auto type = builder.getI1Type();
  auto isAxis = [&](const Number &given, const Number &axis) {
    return given == axis || given + Number(rank) == axis;
  };
  Value isListed = makeReduction(
      to, list, {getLoops(context, 2, 1, 1), getLoops(context, 2, 0, 1)},
      {false, true}, OpFoldResult(builder.getIndexAttr(rank)),
      {builder.getIntegerAttr(type, 0), /*isUnsigned=*/true,
       [&](Number total, ArrayRef<Number> in) {
         ImplicitLocOpBuilder inside(total.getLoc(), total.getBuilder());
         Value axis = linalg::IndexOp::create(inside, 0);
         axis = arith::IndexCastOp::create(inside, in[0].getType(), axis);
         return total |
                Number(isAxis(in[0], Number(inside, inside.getLoc(), axis)));
       }});
  Value areAxes = makeReduction(
      to, list, {getLoops(context, 1, 0, 1), getLoops(context, 1, 0, 0)},
      {true}, {},
      {builder.getIntegerAttr(type, 1), /*isUnsigned=*/true,
       [&](Number total, ArrayRef<Number> in) {
         return total & Number(in[0] >= Number(-rank) && in[0] < Number(rank));
       }});
  return {isListed, areAxes};
}

static FailureOr<OpenAxes> openAxes(ReductionOpInterface op, Lowering &to) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  RankedTensorType list = to.getType(op->getOperand(1));
  if (!list || list.getRank() != 1)
    return to.decline("expected axes in a list");
  Value given = to.get(op->getOperand(1));
  SmallVector<OpFoldResult> sizes = to.sizesOf(to.get(op->getOperand(0)));
  auto [isListed, areAxes] = findAxes(to, given, int64_t(sizes.size()));
  to.check(to.extract(areAxes, {}), "expected axes of its operand");
  // An empty list means all axes, or none.
  Value isEmpty =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                            to.toValue(to.sizesOf(given)[0]), to.makeIndex(0));
  OpenAxes open;
  OpFoldResult one = builder.getIndexAttr(1);
  Value yes = arith::ConstantOp::create(builder, builder.getBoolAttr(true));
  for (auto [i, size] : llvm::enumerate(sizes)) {
    Value isReduced = to.extract(isListed, to.makeIndex(int64_t(i)));
    if (!op.getNoopWithEmptyAxes())
      isReduced = arith::OrIOp::create(builder, isReduced, isEmpty);
    auto choose = [&](OpFoldResult yes, OpFoldResult no) -> OpFoldResult {
      return arith::SelectOp::create(builder, isReduced, to.toValue(yes),
                                     to.toValue(no))
          .getResult();
    };
    open.isKept.push_back(arith::XOrIOp::create(builder, isReduced, yes));
    open.kept.push_back(choose(one, size));
    open.apart.append({open.kept.back(), choose(size, one)});
  }
  return open;
}

using Steps = function_ref<Value(const Rows &, const Operand &)>;

/// Reduces rows to one element each.
static Value reduceRows(const Rows &rows, Value x, Steps steps) {
  Type type = getElementTypeOrSelf(x.getType());
  Value totals = steps(rows, {rows.each(x), type, rows.getWorkType()});
  if (getElementTypeOrSelf(totals.getType()) == type)
    return totals;
  return rows.ofRows(totals, type, [](ArrayRef<Number> in) { return in[0]; });
}

/// Lowers a reduction; `steps` computes an element for each row.
static LogicalResult reduce(ReductionOpInterface op, Lowering &to,
                            Steps steps) {
  RankedTensorType type = to.getType(op->getOperand(0));
  RankedTensorType result = to.getType(op->getResult(0));
  if (!type || (op->getNumOperands() > 1 && !to.getType(op->getOperand(1))))
    return lowerForEachRank(to);
  auto axes = op.getReducedAxes(to.getShapeHelper());
  if (failed(axes))
    return failure();
  Value x = to.get(op->getOperand(0));
  if (*axes) {
    Rows rows(to, x, **axes);
    Value totals = reduceRows(rows, x, steps);
    return to.set(op->getResult(0),
                  op.getKeepdims() ? rows.keepAxes(totals) : totals);
  }
  FailureOr<OpenAxes> open = openAxes(op, to);
  if (failed(open))
    return failure();
  SmallVector<int64_t> second;
  for (int64_t i = 0; i < type.getRank(); ++i)
    second.push_back(2 * i + 1);
  Value apart = to.reshape(x, open->apart);
  Value totals = reduceRows(Rows(to, apart, second), apart, steps);
  if (!op.getKeepdims())
    totals = result
                 ? to.reshape(totals, chooseSizes(to, open->kept, open->isKept,
                                                  result.getRank()))
                 : chooseAxes(to, totals, open->kept, open->isKept);
  return to.set(op->getResult(0), totals);
}

/// Computes a sum in another type than that of the elements: one that does not overflow.
static Value sumAs(Lowering &to, const Rows &rows, const Operand &x, Type type,
                   function_ref<Number(Number)> term) {
  bool isSigned = !isUnsigned(x.elementType);
  return rows.reduce(x.each, {to.getBuilder().getZeroAttr(type), !isSigned,
                              [&](Number total, ArrayRef<Number> in) {
                                return total +
                                       term(in[0].castTo(type, !isSigned));
                              }});
}

static Number square(Number x) { return x * x; }
static Number identity(ArrayRef<Number> in) { return in[0]; }

static LogicalResult lower(ReduceSumOp op, Lowering &to) {
  return reduce(op, to, [](const Rows &rows, const Operand &x) {
    return rows.sum(x.each, identity);
  });
}

static LogicalResult lower(ReduceMeanOp op, Lowering &to) {
  return reduce(op, to, [&](const Rows &rows, const Operand &x) {
    Type work = x.isFloat() ? x.workType : to.getBuilder().getI64Type();
    Value sum = sumAs(to, rows, x, work, [](Number in) { return in; });
    return rows.ofRows(sum, x.elementType, [&](ArrayRef<Number> in) {
      // The sum has the signedness of its terms, which its type does not express.
      Number total(in[0].getBuilder(), in[0].getLoc(), in[0].getValue(),
                   isUnsigned(x.elementType));
      return total / rows.countFor(total);
    });
  });
}

static LogicalResult lower(ReduceProdOp op, Lowering &to) {
  return reduce(op, to, [&](const Rows &rows, const Operand &x) {
    return rows.reduce(x.each, {to.getBuilder().getOneAttr(x.workType),
                                /*isUnsigned=*/false,
                                [](Number total, ArrayRef<Number> in) {
                                  return total * in[0];
                                }});
  });
}

static LogicalResult lower(ReduceMaxOp op, Lowering &to) {
  return reduce(op, to, [](const Rows &rows, const Operand &x) {
    return rows.greatest(x.each.tensor);
  });
}

static LogicalResult lower(ReduceMinOp op, Lowering &to) {
  return reduce(op, to, [&](const Rows &rows, const Operand &x) {
    return rows.reduce(
        x.each,
        {getLimit(to.getBuilder(), x.elementType, /*isLowest=*/false),
         isUnsigned(x.elementType), [](Number total, ArrayRef<Number> in) {
           return minimum(total, in[0]);
         }});
  });
}

static LogicalResult lower(ReduceL1Op op, Lowering &to) {
  return reduce(op, to, [](const Rows &rows, const Operand &x) {
    return rows.sum(x.each,
                    [](ArrayRef<Number> in) { return absolute(in[0]); });
  });
}

static LogicalResult lower(ReduceL2Op op, Lowering &to) {
  return reduce(op, to, [&](const Rows &rows, const Operand &x) {
    Type work = x.isFloat() ? x.workType : to.getBuilder().getF64Type();
    Value sum = sumAs(to, rows, x, work, square);
    return rows.ofRows(sum, x.elementType,
                       [](ArrayRef<Number> in) { return sqrt(in[0]); });
  });
}

static LogicalResult lower(ReduceSumSquareOp op, Lowering &to) {
  return reduce(op, to, [](const Rows &rows, const Operand &x) {
    return rows.sum(x.each, [](ArrayRef<Number> in) { return square(in[0]); });
  });
}

static LogicalResult lower(ReduceLogSumOp op, Lowering &to) {
  return reduce(op, to, [](const Rows &rows, const Operand &x) {
    return rows.ofRows(rows.sum(x.each, identity), x.elementType,
                       [](ArrayRef<Number> in) { return log(in[0]); });
  });
}

/// The greatest exponent is factored out, so that nothing overflows.
static LogicalResult lower(ReduceLogSumExpOp op, Lowering &to) {
  return reduce(op, to, [](const Rows &rows, const Operand &x) {
    // An infinite exponent would lead to differences of infinities. The largest finite
    // number works as well: greater elements still give infinity, and smaller ones zero.
    const llvm::fltSemantics &semantics =
        cast<FloatType>(x.workType).getFloatSemantics();
    Number largest(llvm::APFloat::getLargest(semantics).convertToDouble());
    Value most = rows.ofRows(
        rows.greatest(x.each.tensor), x.workType, [&](ArrayRef<Number> in) {
          return minimum(maximum(in[0], -largest), largest);
        });
    Value sum = rows.sum({x.each, rows.perRow(most)}, [](ArrayRef<Number> in) {
      return exp(in[0] - in[1]);
    });
    return rows.ofRows({sum, most}, x.elementType,
                       [](ArrayRef<Number> in) { return log(in[0]) + in[1]; });
  });
}

//===-- Along one axis --------------------------------------------------------===//

template <typename Op>
static LogicalResult locate(Op op, Lowering &to, bool isGreatest) {
  RankedTensorType type = to.getType(op.getData());
  ImplicitLocOpBuilder &builder = to.getBuilder();
  bool isLast = op.getSelectLastIndex() != 0;
  if (!type)
    return lowerForEachRank(to);
  std::optional<int64_t> axis = normalizeAxis(op.getAxis(), type.getRank());
  if (!axis) // A scalar is its only element.
    return to.set(op.getReduced(),
                  to.makeConstant(DenseElementsAttr::get(
                      RankedTensorType::get({}, builder.getI64Type()),
                      builder.getI64IntegerAttr(0))));
  Value data = to.get(op.getData());
  Rows rows(to, data, *axis);
  Value places = rows.locateExtreme(data, isGreatest, isLast);
  return to.set(op.getReduced(),
                op.getKeepdims() ? rows.keepAxes(places) : places);
}

static LogicalResult lower(ArgMaxOp op, Lowering &to) {
  return locate(op, to, /*isGreatest=*/true);
}
static LogicalResult lower(ArgMinOp op, Lowering &to) {
  return locate(op, to, /*isGreatest=*/false);
}

void invar::onnx::addReduceLowerings(LoweringTable &table) {
  table.addAnyRank<ArgMaxOp>(lower);
  table.addAnyRank<ArgMinOp>(lower);
  table.addCall<CumProdOp>();
  table.addCall<CumSumOp>();
  table.addAnyRank<ReduceL1Op>(lower);
  table.addAnyRank<ReduceL2Op>(lower);
  table.addAnyRank<ReduceLogSumOp>(lower);
  table.addAnyRank<ReduceLogSumExpOp>(lower);
  table.addAnyRank<ReduceMaxOp>(lower);
  table.addAnyRank<ReduceMeanOp>(lower);
  table.addAnyRank<ReduceMinOp>(lower);
  table.addAnyRank<ReduceProdOp>(lower);
  table.addAnyRank<ReduceSumOp>(lower);
  table.addAnyRank<ReduceSumSquareOp>(lower);
  table.addCall<TopKOp>();
}
