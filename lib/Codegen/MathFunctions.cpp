// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MathFunctions.h"

#include <cmath>

using namespace mlir;
using namespace invar;

using Predicate = arith::CmpFPredicate;

static constexpr double infinity = std::numeric_limits<double>::infinity();
/// ln 2 as a single, and the remainder.
static constexpr double ln2 = 0.693147182464599609375,
                        ln2Rest = -1.904654299957768e-9;

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

namespace {
/// A number as n + r with whole n. 2^n is a product of two factors, so that neither
/// overflows.
struct Split {
  Value whole, power, otherPower;
};
} // namespace

/// Rounds `value` * `factor` to a whole number of at most 22 bits.
static Split splitWhole(Formula &f, Value value, Value factor) {
  // Adding 1.5 · 2^23 rounds the fraction away and leaves the whole number in the low
  // bits.
  Value magic = f.number(12582912);
  Value shifted = f.fma(value, factor, magic);
  Value whole = f.subInt(f.toBits(shifted), f.integer(0x4B400000));
  Value half = f.shiftRight(whole, f.integer(1));
  auto power = [&](Value exponent) {
    return f.fromBits(
        f.shiftLeft(f.addInt(exponent, f.integer(127)), f.integer(23)));
  };
  return {f.sub(shifted, magic), power(half), power(f.subInt(whole, half))};
}

static Value scale(Formula &f, Value value, const Split &split) {
  return f.mul(f.mul(value, split.power), split.otherPower);
}

Value invar::makeExp(Formula &f, Value x) {
  // Beyond these bounds, the result is 0 or infinite. Masks are large negative numbers,
  // and a product that underflows takes a processor as long as a hundred others.
  Value isZero = f.compare(Predicate::OLT, x, f.number(-104));
  x = f.atMost(f.select(isZero, f.number(0), x), f.number(89));
  Split split = splitWhole(f, x, f.number(1.4426950408889634));
  Value r = f.fma(split.whole, f.number(-ln2), x);
  r = f.fma(split.whole, f.number(-ln2Rest), r);
  // 1 + r + r² q(r)
  Value q = f.polynomial(r, {0.5000000089455858, 0.16666521687049227,
                             0.041666217803125245, 0.008368624976162229,
                             0.0013949889179970558});
  Value p = f.add(f.fma(f.mul(r, r), q, r), f.number(1));
  return f.select(isZero, f.number(0), scale(f, p, split));
}

Value invar::makeExp2(Formula &f, Value x) {
  Value isZero = f.compare(Predicate::OLT, x, f.number(-151));
  x = f.atMost(f.select(isZero, f.number(0), x), f.number(129));
  Split split = splitWhole(f, x, f.number(1));
  Value r = f.sub(x, split.whole);
  Value q = f.polynomial(r, {0.6931472046043695, 0.2402265132922632,
                             0.05550329965354212, 0.009618005487094376,
                             0.0013399640567756436, 0.0001547592997858487});
  return f.select(isZero, f.number(0),
                  scale(f, f.fma(r, q, f.number(1)), split));
}

Value invar::makeExpM1(Formula &f, Value x) {
  Value given = x;
  // Below -18, the result is -1.
  x = f.atMost(f.atLeast(x, f.number(-18)), f.number(89));
  Split split = splitWhole(f, x, f.number(1.4426950408889634));
  Value r = f.fma(split.whole, f.number(-ln2), x);
  r = f.fma(split.whole, f.number(-ln2Rest), r);
  Value q = f.polynomial(r, {0.5000000042167809, 0.16666666811375933,
                             0.041666366525033076, 0.00833327420429473,
                             0.0013940284431510784, 0.00019913604232748411});
  Value p = f.fma(f.mul(r, r), q, r);
  // 2^n p + (2^n - 1). The largest 2^n alone is infinite, so compute half of the sum.
  Value half = f.mul(f.mul(split.power, f.number(0.5)), split.otherPower);
  Value sum = f.fma(half, p, f.sub(half, f.number(0.5)));
  Value result = f.add(sum, sum);
  // For the smallest numbers, return the argument, with its sign and digits.
  Value isSmall = f.compare(Predicate::OLT, f.abs(given), f.number(0x1p-24));
  return f.select(isSmall, given, result);
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

Value invar::makeLog(Formula &f, Value x) {
  // Scale denormal numbers to normal ones first.
  Value isTiny = f.compare(Predicate::OLT, x, f.number(0x1p-126));
  Value normal = f.select(isTiny, f.mul(x, f.number(0x1p23)), x);
  // x = 2^n m with m between √½ and √2.
  Value bits = f.toBits(normal);
  Value shifted = f.subInt(bits, f.integer(0x3F3504F3));
  Value whole = f.shiftRight(shifted, f.integer(23));
  Value m = f.fromBits(f.subInt(bits, f.shiftLeft(whole, f.integer(23))));
  Value n =
      f.sub(f.toFloat(whole), f.select(isTiny, f.number(23), f.number(0)));
  // log(1 + t) = t - t²/2 + t³ p(t)
  Value t = f.sub(m, f.number(1));
  Value p = f.polynomial(t, {0.33333318500832726, -0.2500069004598642,
                             0.20002200154483862, -0.16628198653845142,
                             0.14183901232334717, -0.13098552158191865,
                             0.12856939394840633, -0.07908279631422745});
  Value square = f.mul(t, t);
  Value tail = f.mul(f.mul(t, square), p);
  tail = f.fma(n, f.number(ln2Rest), tail);
  tail = f.fma(square, f.number(-0.5), tail);
  Value result = f.fma(n, f.number(ln2), f.add(t, tail));
  // Special cases: 0, negative numbers or NaN, and infinity.
  Value isZero = f.compare(Predicate::OEQ, x, f.number(0));
  Value isNone = f.compare(Predicate::ULT, x, f.number(0));
  Value isInfinite = f.compare(Predicate::OEQ, x, f.number(infinity));
  result = f.select(isInfinite, x, result);
  result = f.select(isZero, f.number(-infinity), result);
  return f.select(isNone, f.number(std::nan("")), result);
}

Value invar::makeLog2(Formula &f, Value x) {
  return f.mul(makeLog(f, x), f.number(1.4426950408889634));
}

Value invar::makeLog10(Formula &f, Value x) {
  return f.mul(makeLog(f, x), f.number(0.4342944819032518));
}

Value invar::makeLog1p(Formula &f, Value x) {
  // Compute log of the rounded 1 + x, then correct for the rounding error.
  Value sum = f.add(x, f.number(1));
  Value exact = f.sub(sum, f.number(1));
  Value result = f.mul(makeLog(f, sum), f.div(x, exact));
  Value isLost = f.compare(Predicate::OEQ, exact, f.number(0));
  Value isInfinite = f.compare(Predicate::OEQ, x, f.number(infinity));
  Value isZero = f.compare(Predicate::OEQ, sum, f.number(0));
  result = f.select(isZero, f.number(-infinity), result);
  return f.select(f.bitOr(isLost, isInfinite), x, result);
}

//===----------------------------------------------------------------------===//
// Sigmoid functions
//===----------------------------------------------------------------------===//

/// x p(x²) / q(x²), with x clamped to ±`bound`. At the bound, the quotient must round to
/// ±1 with and without fused multiplication: a formula such as 1 + tanh(x) is 0 from there
/// on, not a rounding error times x.
static Value makeOddQuotient(Formula &f, Value x, double bound,
                             ArrayRef<double> numerator,
                             ArrayRef<double> denominator) {
  Value cut = f.atMost(f.atLeast(x, f.number(-bound)), f.number(bound));
  Value square = f.mul(cut, cut);
  Value p = f.mul(cut, f.polynomial(square, numerator));
  Value quotient = f.div(p, f.polynomial(square, denominator));
  return f.atMost(f.atLeast(quotient, f.number(-1)), f.number(1));
}

Value invar::makeTanh(Formula &f, Value x) {
  return makeOddQuotient(f, x, 9.1,
                         {1, 0.13785365361127935, 0.004008510748076194,
                          3.158910469408304e-05, 5.076238397056879e-08},
                         {1, 0.4711869776509754, 0.02773751844388581,
                          0.00042074108491690405, 1.6174888676493652e-06,
                          7.374468556850977e-10});
}

Value invar::makeErf(Formula &f, Value x) {
  return makeOddQuotient(
      f, x, 3.92,
      {1.1283791461291437, 0.19040741180234724, 0.0527488535793484,
       0.0037656588644996297, 0.00028488390559023707, 2.0500831776828093e-06},
      {1, 0.5020769158297993, 0.11410950738004395, 0.014969300432726108,
       0.0011625461095487412, 3.80917341440218e-05});
}

//===----------------------------------------------------------------------===//
// Sine and cosine
//===----------------------------------------------------------------------===//

/// Sine of x + `quarters` right angles.
static Value makeSine(Formula &f, Value x, int32_t quarters) {
  // x = n π/2 + r, with π/2 as a sum of three singles.
  Value magic = f.number(12582912);
  Value shifted = f.fma(x, f.number(0.6366197723675814), magic);
  Value n = f.sub(shifted, magic);
  Value r = f.fma(n, f.number(-1.5707963705062866), x);
  r = f.fma(n, f.number(4.371138828673793e-08), r);
  r = f.fma(n, f.number(1.7151245100058819e-15), r);
  Value square = f.mul(r, r);
  Value sine =
      f.polynomial(square, {-0.1666666664371985, 0.008333329555694673,
                            -0.00019839376232329867, 2.718624686854205e-06});
  sine = f.fma(f.mul(r, square), sine, r);
  Value cosine =
      f.polynomial(square, {-0.5, 0.04166666664814645, -0.0013888885580369886,
                            2.47999352953485e-05, -2.724040263255851e-07});
  cosine = f.fma(square, cosine, f.number(1));
  Value whole = f.addInt(f.toBits(shifted), f.integer(quarters));
  Value isOdd = f.compareInt(arith::CmpIPredicate::ne,
                             f.bitAnd(whole, f.integer(1)), f.integer(0));
  Value isNegative = f.compareInt(arith::CmpIPredicate::ne,
                                  f.bitAnd(whole, f.integer(2)), f.integer(0));
  Value result = f.select(isOdd, cosine, sine);
  return f.select(isNegative, f.neg(result), result);
}

Value invar::makeSin(Formula &f, Value x) {
  // Keep the sign of 0.
  Value isZero = f.compare(Predicate::OEQ, x, f.number(0));
  return f.select(isZero, x, makeSine(f, x, 0));
}

Value invar::makeCos(Formula &f, Value x) { return makeSine(f, x, 1); }

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// The binary logarithm of a single that is not negative, as a double.
static Value makeWideLog2(Formula &f, Value x) {
  Value wide = f.toWide(x);
  Value bits = f.toBits(wide);
  Value shifted = f.subInt(bits, f.wideInteger(0x3FE6A09E667F3BCD));
  Value whole = f.shiftRight(shifted, f.wideInteger(52));
  Value m = f.fromBits(f.subInt(bits, f.shiftLeft(whole, f.wideInteger(52))));
  // Convert an integer of few bits to a double: put it into the digits of 1.5 · 2^52.
  Value magic = f.wideInteger(0x4338000000000000);
  Value n = f.sub(f.fromBits(f.addInt(whole, magic)), f.fromBits(magic));
  Value one = f.wideNumber(1);
  Value s = f.div(f.sub(m, one), f.add(m, one));
  Value p = f.polynomial(f.mul(s, s), {2.885390081777927, 0.9617966939242981,
                                       0.5770780172618871, 0.4121983996290533,
                                       0.3206165573446316, 0.26143881705442096,
                                       0.24298124379190844});
  Value result = f.fma(s, p, n);
  result = f.select(f.compare(Predicate::OEQ, x, f.number(0)),
                    f.wideNumber(-infinity), result);
  return f.select(f.compare(Predicate::OLT, x, f.number(infinity)), result,
                  wide);
}

/// 2 to the power of a double, as a single.
static Value makeNarrowExp2(Formula &f, Value z) {
  z = f.select(f.compare(Predicate::OLT, z, f.wideNumber(-200)),
               f.wideNumber(-200), z);
  z = f.select(f.compare(Predicate::OGT, z, f.wideNumber(200)),
               f.wideNumber(200), z);
  Value magic = f.wideNumber(6755399441055744);
  Value shifted = f.add(z, magic);
  Value r = f.sub(z, f.sub(shifted, magic));
  Value p = f.polynomial(r, {1.0000000000000129, 0.6931471805598708,
                             0.2402265069564924, 0.055504108668691786,
                             0.009618129192167953, 0.0013333557616970733,
                             0.00015403434872095424, 1.5252985039235213e-05,
                             1.3259423108941238e-06, 1.0150325618758047e-07});
  Value exponent = f.shiftLeft(f.toBits(shifted), f.wideInteger(52));
  return f.toNarrow(f.fromBits(f.addInt(f.toBits(p), exponent)));
}

Value invar::makePow(Formula &f, Value x, Value y) {
  Value one = f.number(1), size = f.abs(x);
  Value power = makeNarrowExp2(f, f.mul(f.toWide(y), makeWideLog2(f, size)));
  // Any power of ±1 has absolute value 1, even an infinite power. The formula would
  // compute infinity times log 1 = 0.
  power = f.select(f.compare(Predicate::OEQ, size, one), one, power);
  // Powers of negative numbers differ from those of positive ones only in the sign, and
  // exist only for whole exponents.
  Value sizeOfY = f.abs(y);
  Value magic = f.number(8388608);
  Value rounded = f.sub(f.add(sizeOfY, magic), magic);
  Value isBig = f.compare(Predicate::OGE, sizeOfY, magic);
  Value isWhole = f.bitOr(isBig, f.compare(Predicate::OEQ, rounded, sizeOfY));
  // From 2^24 on, all numbers are even. Below, the last bit of the number is that of the
  // sum.
  Value lastBit = f.bitAnd(
      f.toBits(f.select(isBig, sizeOfY, f.add(sizeOfY, magic))), f.integer(1));
  Value isOdd = f.bitAnd(
      isWhole,
      f.bitAnd(f.compareInt(arith::CmpIPredicate::ne, lastBit, f.integer(0)),
               f.compare(Predicate::OLT, sizeOfY, f.number(16777216))));
  Value signBit =
      f.bitAnd(f.toBits(x), f.integer(std::numeric_limits<int32_t>::min()));
  Value isNegative =
      f.compareInt(arith::CmpIPredicate::ne, signBit, f.integer(0));
  Value result = f.select(f.bitAnd(isNegative, isOdd), f.neg(power), power);
  Value isFiniteNegative =
      f.bitAnd(f.compare(Predicate::OLT, x, f.number(0)),
               f.compare(Predicate::OGT, x, f.number(-infinity)));
  Value isNoPower =
      f.bitAnd(isFiniteNegative, f.compare(Predicate::ONE, rounded, sizeOfY));
  isNoPower = f.bitAnd(isNoPower, f.compare(Predicate::OLT, sizeOfY, magic));
  result = f.select(isNoPower, f.number(std::nan("")), result);
  Value isNan = f.compare(Predicate::UNO, x, y);
  result = f.select(isNan, f.add(x, y), result);
  // These powers are 1 even if the other operand is NaN.
  Value isOne = f.bitOr(f.compare(Predicate::OEQ, x, one),
                        f.compare(Predicate::OEQ, y, f.number(0)));
  return f.select(isOne, one, result);
}
