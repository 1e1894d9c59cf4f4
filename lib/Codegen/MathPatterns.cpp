// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites the functions of the dialect math, and arithmetic on halves, to arithmetic on
// singles and doubles and to calls of the C library.
#include "KernelLowering.h"
#include "MathFunctions.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;

/// Marks an operation that must become a call.
static constexpr llvm::StringLiteral callAttribute = "invar.call";

static bool isHalf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

static bool isSingle(Type type) { return getElementTypeOrSelf(type).isF32(); }

//===----------------------------------------------------------------------===//
// Halves
//===----------------------------------------------------------------------===//

namespace {
/// Computes on halves in single precision and rounds at the end. For +, -, ×, ÷ and √,
/// this is exactly how operations on halves are defined, since a single has more than
/// twice the digits.
struct WidenHalves : RewritePattern {
  explicit WidenHalves(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 2, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa_and_present<arith::ArithDialect, math::MathDialect>(
            op->getDialect()) ||
        isa<arith::ExtFOp, arith::TruncFOp, arith::SelectOp, arith::BitcastOp,
            arith::ConstantOp>(op) ||
        (llvm::none_of(op->getOperandTypes(), isHalf) &&
         llvm::none_of(op->getResultTypes(), isHalf)))
      return failure();
    ImplicitLocOpBuilder b(op->getLoc(), rewriter);
    // Integers with more bits than singles have need doubles.
    bool needsDouble =
        isa<arith::SIToFPOp, arith::UIToFPOp>(op) &&
        getElementTypeOrSelf(op->getOperand(0)).getIntOrFloatBitWidth() > 16;
    auto widen = [&](Type type) {
      Type element = needsDouble ? Type(b.getF64Type()) : Type(b.getF32Type());
      return Formula(b, type).getType(element);
    };
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          isHalf(operand.getType())
              ? arith::ExtFOp::create(b, widen(operand.getType()), operand)
              : operand);
    Operation *wide = rewriter.clone(*op);
    wide->setOperands(operands);
    SmallVector<Value> results;
    for (OpResult result : wide->getResults()) {
      Type type = result.getType();
      if (isHalf(type))
        result.setType(widen(type));
      results.push_back(isHalf(type) ? arith::TruncFOp::create(b, type, result)
                                     : Value(result));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// The larger or smaller of two halves is one of them, so nothing is rounded. (LLVM would
/// undo the widening here, and then could not compile the result.)
template <typename Op> struct ChooseHalf : OpRewritePattern<Op> {
  explicit ChooseHalf(MLIRContext *context)
      : OpRewritePattern<Op>(context, /*benefit=*/3) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    using Predicate = arith::CmpFPredicate;
    if (!isHalf(op.getType()))
      return failure();
    constexpr bool isMax = std::is_same_v<Op, arith::MaximumFOp> ||
                           std::is_same_v<Op, arith::MaxNumFOp>;
    constexpr bool keepsNumbers = std::is_same_v<Op, arith::MaxNumFOp> ||
                                  std::is_same_v<Op, arith::MinNumFOp>;
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Formula f(b, op.getType());
    Value lhs = op.getLhs(), rhs = op.getRhs();
    Value left = arith::ExtFOp::create(b, f.getType(b.getF32Type()), lhs);
    Value right = arith::ExtFOp::create(b, f.getType(b.getF32Type()), rhs);
    Value isLeft =
        f.compare(isMax ? Predicate::OGT : Predicate::OLT, left, right);
    Value chosen = f.select(isLeft, lhs, rhs);
    // Zeros are equal; the sign decides.
    Type bitsType = f.getType(b.getI16Type());
    Value leftBits = arith::BitcastOp::create(b, bitsType, lhs);
    Value rightBits = arith::BitcastOp::create(b, bitsType, rhs);
    Value both =
        isMax ? f.bitAnd(leftBits, rightBits) : f.bitOr(leftBits, rightBits);
    chosen = f.select(f.compare(Predicate::OEQ, left, right),
                      arith::BitcastOp::create(b, op.getType(), both), chosen);
    Value isLeftNan = f.compare(Predicate::UNO, left, left);
    Value isRightNan = f.compare(Predicate::UNO, right, right);
    chosen = f.select(isRightNan, keepsNumbers ? lhs : rhs, chosen);
    chosen = f.select(isLeftNan, keepsNumbers ? rhs : lhs, chosen);
    rewriter.replaceOp(op, chosen);
    return success();
  }
};

/// Rounds a double to a half only once. The intermediate single is rounded to odd, so it
/// preserves on which side of the midpoint between two halves the double is.
struct TruncateDouble : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn()).isF64() || !isHalf(op.getType()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Formula f(b, op.getType());
    Value exact = op.getIn(), nearest = f.toNarrow(exact),
          back = f.toWide(nearest);
    Value bits = f.toBits(nearest);
    Value isTooFar =
        f.compare(arith::CmpFPredicate::OGT, f.abs(back), f.abs(exact));
    Value below = f.select(isTooFar, f.subInt(bits, f.integer(1)), bits);
    Value isInexact = f.compare(arith::CmpFPredicate::ONE, back, exact);
    Value odd = f.select(isInexact, f.bitOr(below, f.integer(1)), bits);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(),
                                                 f.fromBits(odd));
    return success();
  }
};

/// Converts a half to a double by way of a single.
struct ExtendToDouble : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isHalf(op.getIn().getType()) ||
        !getElementTypeOrSelf(op.getType()).isF64())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Formula f(b, op.getType());
    Value single =
        arith::ExtFOp::create(b, f.getType(b.getF32Type()), op.getIn());
    rewriter.replaceOp(op, f.toWide(single));
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Singles
//===----------------------------------------------------------------------===//

namespace {
/// Replaces a function of one single by its formula.
template <typename Op> struct ExpandFunction : OpRewritePattern<Op> {
  using Make = Value (*)(Formula &, Value);

  ExpandFunction(MLIRContext *context, Make make)
      : OpRewritePattern<Op>(context), make(make) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isSingle(op.getType()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Formula f(b, op.getType());
    rewriter.replaceOp(op, make(f, op.getOperand()));
    return success();
  }

  Make make;
};

/// Sine or cosine. The formula computes remainders of π by multiplication; for arguments
/// that are too large for it, the C library is called. The result of one lane never
/// depends on other lanes: some of them may lie beyond the end of a tensor.
template <typename Op> struct ExpandAngle : OpRewritePattern<Op> {
  using Make = Value (*)(Formula &, Value);

  ExpandAngle(MLIRContext *context, Make make)
      : OpRewritePattern<Op>(context), make(make) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isSingle(op.getType()) || op->hasAttr(callAttribute))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Formula f(b, op.getType());
    Value x = op.getOperand();
    Value isLarge =
        f.compare(arith::CmpFPredicate::OGT, f.abs(x), f.number(maxAngle));
    bool isVector = isa<VectorType>(op.getType());
    Value isAnyLarge =
        isVector
            ? vector::ReductionOp::create(b, vector::CombiningKind::OR, isLarge)
                  .getResult()
            : isLarge;
    auto branch =
        scf::IfOp::create(b, op.getType(), isAnyLarge, /*withElseRegion=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    Value exact = callLibrary(b, x);
    scf::YieldOp::create(b, isVector ? f.select(isLarge, exact, make(f, x))
                                     : exact);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, make(f, x));
    rewriter.replaceOp(op, branch.getResults());
    return success();
  }

  static Value callLibrary(ImplicitLocOpBuilder &b, Value x) {
    auto call = [&](Value scalar) -> Value {
      auto made = Op::create(b, scalar);
      made->setAttr(callAttribute, b.getUnitAttr());
      return made;
    };
    auto type = dyn_cast<VectorType>(x.getType());
    if (!type)
      return call(x);
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < type.getNumElements(); ++lane)
      elements.push_back(call(vector::ExtractOp::create(b, x, lane)));
    return vector::FromElementsOp::create(b, type, elements);
  }

  Make make;
};

/// Leaves operations to LLVM for which processors have instructions, before they become a
/// call for each lane.
template <typename Op, typename Intrinsic>
struct KeepInstruction : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<Intrinsic>(op, op.getType(), op->getOperands());
    return success();
  }
};

struct ExpandPow : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isSingle(op.getType()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Formula f(b, op.getType());
    Value x = op.getLhs(), y = op.getRhs();
    APFloat exponent(0.0f);
    bool isSquare = matchPattern(y, m_ConstantFloat(&exponent)) &&
                    exponent.isExactlyValue(2);
    rewriter.replaceOp(op, isSquare ? f.mul(x, x) : makePow(f, x, y));
    return success();
  }
};
} // namespace

void invar::populateMathPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<WidenHalves, TruncateDouble, ExtendToDouble, ExpandPow>(context);
  patterns.add<ChooseHalf<arith::MaximumFOp>, ChooseHalf<arith::MinimumFOp>,
               ChooseHalf<arith::MaxNumFOp>, ChooseHalf<arith::MinNumFOp>>(
      context);
  patterns.add<ExpandFunction<math::ExpOp>>(context, makeExp);
  patterns.add<ExpandFunction<math::Exp2Op>>(context, makeExp2);
  patterns.add<ExpandFunction<math::ExpM1Op>>(context, makeExpM1);
  patterns.add<ExpandFunction<math::LogOp>>(context, makeLog);
  patterns.add<ExpandFunction<math::Log2Op>>(context, makeLog2);
  patterns.add<ExpandFunction<math::Log10Op>>(context, makeLog10);
  patterns.add<ExpandFunction<math::Log1pOp>>(context, makeLog1p);
  patterns.add<ExpandFunction<math::TanhOp>>(context, makeTanh);
  patterns.add<ExpandFunction<math::ErfOp>>(context, makeErf);
  patterns.add<ExpandAngle<math::SinOp>>(context, makeSin);
  patterns.add<ExpandAngle<math::CosOp>>(context, makeCos);
  patterns.add<KeepInstruction<math::AbsFOp, LLVM::FAbsOp>,
               KeepInstruction<math::CeilOp, LLVM::FCeilOp>,
               KeepInstruction<math::CopySignOp, LLVM::CopySignOp>,
               KeepInstruction<math::FloorOp, LLVM::FFloorOp>,
               KeepInstruction<math::FmaOp, LLVM::FMAOp>,
               KeepInstruction<math::RoundEvenOp, LLVM::RoundEvenOp>,
               KeepInstruction<math::SqrtOp, LLVM::SqrtOp>,
               KeepInstruction<math::TruncOp, LLVM::FTruncOp>>(context);
  // Operations for which LLVM would call functions of its own library.
  math::populateExpansionPatterns(patterns, {"clampf", "fpowi"});
  populateMathToLibmConversionPatterns(patterns, PatternBenefit(0));
}
