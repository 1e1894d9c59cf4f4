// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts f16 by integer arithmetic, for processors without instructions for it. On
// these, LLVM would call functions that a C library need not provide.
#include "Formula.h"
#include "KernelLowering.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;

namespace {
/// Converts f16 to f32: changes the bias of the exponent, and scales subnormal numbers.
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
    // Infinities and NaN have the greatest exponent in both types.
    Value unlimited = f.addInt(moved, f.integer((128 - 16) << 23));
    // Subnormal numbers: set the exponent to that of 2^-14, then subtract 2^-14, exactly.
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

/// Converts f32 to f16, rounded to nearest, ties to even.
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
    // Ties to even: add half of the last digit, minus 1 if that digit is even. The carry
    // reaches the exponent.
    Value even = f.bitAnd(f.shiftRight(size, f.integer(13)), f.integer(1));
    Value rounded = f.addInt(f.addInt(size, f.integer(0xfff)), even);
    Value normal = f.shiftRight(f.subInt(rounded, f.integer((127 - 15) << 23)),
                                f.integer(13));
    // Below 2^-14, the last digit of an f16 has the value of the last digit of an f32
    // near 1/2.
    Value next = f.integer(126 << 23);
    Value small =
        f.subInt(f.toBits(f.add(f.fromBits(size), f.fromBits(next))), next);
    Value digits =
        f.bitAnd(f.shiftRight(size, f.integer(13)), f.integer(0x3ff));
    Value nan = f.bitOr(digits, f.integer(0x7e00));
    Value result = f.select(isAtLeast((127 - 14) << 23), normal, small);
    // From the midpoint between the largest f16 and 2^16 on, the result is infinite.
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
