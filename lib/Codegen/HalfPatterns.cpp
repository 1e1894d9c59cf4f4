// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of f16 by integer arithmetic, for processors without instructions for them.
// LLVM would call functions there that no C library has to have.
#include "Formula.h"
#include "KernelLowering.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;

namespace {
/// A single of a half: the exponent counts from another number, and halves that are too
/// small for an exponent of their own are scaled.
struct ExpandExtension : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn()).isF16() ||
        !getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Formula f(b, op.getType());
    Value half = arith::ExtUIOp::create(
        b, f.getType(b.getI32Type()),
        arith::BitcastOp::create(b, f.getType(b.getI16Type()), op.getIn()));
    Value sign = f.shiftLeft(f.bitAnd(half, f.integer(0x8000)), f.integer(16));
    Value digits =
        f.shiftLeft(f.bitAnd(half, f.integer(0x7fff)), f.integer(13));
    Value exponent = f.bitAnd(digits, f.integer(0x1f << 23));
    Value moved = f.addInt(digits, f.integer((127 - 15) << 23));
    // What is no number has the greatest exponent in both types.
    Value unlimited = f.addInt(moved, f.integer((128 - 16) << 23));
    // 2^-14 is added to the digits, and taken away again, exactly.
    Value least = f.fromBits(f.integer((127 - 14) << 23));
    Value small =
        f.toBits(f.sub(f.fromBits(f.addInt(moved, f.integer(1 << 23))), least));
    auto equals = [&](Value value, int32_t number) {
      return f.compareInt(arith::CmpIPredicate::eq, value, f.integer(number));
    };
    Value result =
        f.select(equals(exponent, 0), small,
                 f.select(equals(exponent, 0x1f << 23), unlimited, moved));
    rewriter.replaceOp(op, f.fromBits(f.bitOr(result, sign)));
    return success();
  }
};

/// A half of a single, rounded to the nearest, and to even between two.
struct ExpandTruncation : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn()).isF32() ||
        !getElementTypeOrSelf(op.getType()).isF16())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Formula f(b, op.getIn().getType());
    Value bits = f.toBits(op.getIn());
    Value sign = f.bitAnd(f.shiftRight(bits, f.integer(16)), f.integer(0x8000));
    Value size = f.bitAnd(bits, f.integer(0x7fffffff));
    auto isAtLeast = [&](int32_t number) {
      return f.compareInt(arith::CmpIPredicate::uge, size, f.integer(number));
    };
    // Half of a last digit, less what makes a middle go to even, carries into the rest.
    Value even = f.bitAnd(f.shiftRight(size, f.integer(13)), f.integer(1));
    Value rounded = f.addInt(f.addInt(size, f.integer(0xfff)), even);
    Value normal = f.shiftRight(f.subInt(rounded, f.integer((127 - 15) << 23)),
                                f.integer(13));
    // Below 2^-14, the last digit of a half is that of a single next to 1/2.
    Value next = f.integer(126 << 23);
    Value small =
        f.subInt(f.toBits(f.add(f.fromBits(size), f.fromBits(next))), next);
    Value digits =
        f.bitAnd(f.shiftRight(size, f.integer(13)), f.integer(0x3ff));
    Value nan = f.bitOr(digits, f.integer(0x7e00));
    Value result = f.select(isAtLeast((127 - 14) << 23), normal, small);
    // From the middle between the largest half and the next on, it is infinite.
    result = f.select(isAtLeast(0x477ff000), f.integer(0x7c00), result);
    result = f.select(isAtLeast(0x7f800001), nan, result);
    Value half = arith::TruncIOp::create(b, f.getType(b.getI16Type()),
                                         f.bitOr(result, sign));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), half);
    return success();
  }
};
} // namespace

void invar::populateHalfPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExtension, ExpandTruncation>(patterns.getContext());
}
