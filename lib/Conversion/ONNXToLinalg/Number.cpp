// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Number.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace invar::onnx::scalar;

//===-- Literals and types ----------------------------------------------------===//

bool Number::isFloat() const { return isa<FloatType>(getType()); }

Number::Number(Truth truth)
    : Number(truth.getBuilder(), truth.getLoc(), truth.getValue(), true) {}

Number Number::like(const Number &other) const {
  if (!isLiteral())
    return *this;
  Type type = other.getType();
  TypedAttr attribute;
  if (isa<FloatType>(type))
    attribute = FloatAttr::get(type, literal);
  else
    attribute = IntegerAttr::get(type, static_cast<int64_t>(literal));
  return Number(
      *other.builder, *other.loc,
      arith::ConstantOp::create(*other.builder, *other.loc, attribute),
      other.unsignedInt);
}

/// Converts both to one type. Literals stay literals if both are.
static void unify(Number &a, Number &b) {
  if (a.isLiteral() && !b.isLiteral())
    a = a.like(b);
  else if (b.isLiteral() && !a.isLiteral())
    b = b.like(a);
}

template <typename Op, typename... Values>
static Number emit(const Number &like, Values... values) {
  return Number(like.getBuilder(), like.getLoc(),
                Op::create(like.getBuilder(), like.getLoc(), values...),
                like.isUnsigned());
}

/// Emits one operation for floats and another for integers, and computes literals.
template <typename FloatOp, typename IntOp, typename F>
static Number combine(Number a, Number b, F ofLiterals) {
  unify(a, b);
  if (a.isLiteral())
    return Number(ofLiterals(a.getLiteral(), b.getLiteral()));
  if (a.isFloat())
    return emit<FloatOp>(a, a.getValue(), b.getValue());
  return emit<IntOp>(a, a.getValue(), b.getValue());
}

//===-- Arithmetic ------------------------------------------------------------===//

namespace invar::onnx::scalar {

Number operator+(Number a, Number b) {
  return combine<arith::AddFOp, arith::AddIOp>(a, b, std::plus<double>());
}
Number operator-(Number a, Number b) {
  return combine<arith::SubFOp, arith::SubIOp>(a, b, std::minus<double>());
}
Number operator*(Number a, Number b) {
  return combine<arith::MulFOp, arith::MulIOp>(a, b, std::multiplies<double>());
}
Number operator/(Number a, Number b) { return divide(a, b); }
Number operator-(Number a) {
  if (a.isLiteral())
    return Number(-a.getLiteral());
  if (a.isFloat())
    return emit<arith::NegFOp>(a, a.getValue());
  return Number(0) - a;
}

Number divide(Number x, Number y) {
  unify(x, y);
  if (x.isLiteral())
    return Number(x.getLiteral() / y.getLiteral());
  if (x.isFloat())
    return emit<arith::DivFOp>(x, x.getValue(), y.getValue());
  // If the division would trap, divide by 1 instead.
  if (x.isUnsigned()) {
    Truth isZero = y == Number(0);
    Number by = select(isZero, Number(1), y);
    return select(isZero, Number(0),
                  emit<arith::DivUIOp>(x, x.getValue(), by.getValue()));
  }
  Truth isZero = y == Number(0), isMinusOne = y == Number(-1);
  Number by = select(isZero || isMinusOne, Number(1), y);
  Number quotient = emit<arith::DivSIOp>(x, x.getValue(), by.getValue());
  return select(isZero, Number(0), select(isMinusOne, Number(0) - x, quotient));
}

Number remainder(Number x, Number y) {
  unify(x, y);
  if (x.isFloat())
    return emit<arith::RemFOp>(x, x.getValue(), y.getValue());
  return x - divide(x, y) * y;
}

Number operator&(Number a, Number b) {
  unify(a, b);
  return emit<arith::AndIOp>(a, a.getValue(), b.getValue());
}
Number operator|(Number a, Number b) {
  unify(a, b);
  return emit<arith::OrIOp>(a, a.getValue(), b.getValue());
}
Number operator^(Number a, Number b) {
  unify(a, b);
  return emit<arith::XOrIOp>(a, a.getValue(), b.getValue());
}
Number operator~(Number a) { return a ^ Number(-1); }
Number operator!(Number a) { return a ^ Number(1); }

/// The width of an integer, as a number of its type.
static Number widthOf(const Number &x) {
  return Number(x.getType().getIntOrFloatBitWidth()).like(x);
}

/// Whether a shift by `y` is less than the width of `x`.
static Truth isShift(const Number &x, const Number &y) {
  Number places(y.getBuilder(), y.getLoc(), y.getValue(), /*isUnsigned=*/true);
  return places < widthOf(x);
}

Number shiftLeft(Number x, Number y) {
  Truth inside = isShift(x, y);
  Number by = select(inside, y, Number(0));
  return select(inside, emit<arith::ShLIOp>(x, x.getValue(), by.getValue()),
                Number(0));
}
Number shiftRight(Number x, Number y) {
  Truth inside = isShift(x, y);
  Number by = select(inside, y, Number(0));
  if (x.isUnsigned())
    return select(inside, emit<arith::ShRUIOp>(x, x.getValue(), by.getValue()),
                  Number(0));
  return select(inside, emit<arith::ShRSIOp>(x, x.getValue(), by.getValue()),
                select(x < Number(0), Number(-1).like(x), Number(0)));
}

Number absolute(Number x) {
  if (x.isFloat())
    return emit<math::AbsFOp>(x, x.getValue());
  if (x.isUnsigned())
    return x;
  return select(x < Number(0), Number(0) - x, x);
}

/// Computes powers of integers by squaring, in as many steps as the exponent has bits.
static Number integerPower(Number x, Number y) {
  Number result = Number(1).like(x), square = x, bits = y;
  unsigned width = x.getType().getIntOrFloatBitWidth();
  for (unsigned i = 0; i < width; ++i) {
    Truth isSet = (bits & Number(1)) != Number(0);
    result = select(isSet, result * square, result);
    square = square * square;
    bits = emit<arith::ShRUIOp>(bits, bits.getValue(),
                                Number(1).like(bits).getValue());
  }
  if (x.isUnsigned())
    return result;
  // With a negative exponent, only powers of 1 and -1 are not 0.
  Truth isOdd = (y & Number(1)) != Number(0);
  Number inverse =
      select(x == Number(1) || x == Number(-1),
             select(isOdd, x, Number(1).like(x)), Number(0).like(x));
  return select(y < Number(0), inverse, result);
}

Number pow(Number x, Number y) {
  unify(x, y);
  if (x.isFloat())
    return emit<math::PowFOp>(x, x.getValue(), y.getValue());
  return integerPower(x, y);
}

//===-- Comparison ------------------------------------------------------------===//

static Truth compare(Number a, Number b, arith::CmpFPredicate floats,
                     arith::CmpIPredicate ints,
                     arith::CmpIPredicate unsigneds) {
  unify(a, b);
  Value value;
  if (a.isFloat())
    value = arith::CmpFOp::create(a.getBuilder(), a.getLoc(), floats,
                                  a.getValue(), b.getValue());
  else
    value = arith::CmpIOp::create(a.getBuilder(), a.getLoc(),
                                  a.isUnsigned() ? unsigneds : ints,
                                  a.getValue(), b.getValue());
  return Truth(a.getBuilder(), a.getLoc(), value);
}

Truth operator<(Number a, Number b) {
  return compare(a, b, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt,
                 arith::CmpIPredicate::ult);
}
Truth operator<=(Number a, Number b) {
  return compare(a, b, arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle,
                 arith::CmpIPredicate::ule);
}
Truth operator>(Number a, Number b) { return b < a; }
Truth operator>=(Number a, Number b) { return b <= a; }
Truth operator==(Number a, Number b) {
  return compare(a, b, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq,
                 arith::CmpIPredicate::eq);
}
Truth operator!=(Number a, Number b) {
  return compare(a, b, arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne,
                 arith::CmpIPredicate::ne);
}

template <typename Op> static Truth join(Truth a, Truth b) {
  return Truth(
      a.getBuilder(), a.getLoc(),
      Op::create(a.getBuilder(), a.getLoc(), a.getValue(), b.getValue()));
}
Truth operator&&(Truth a, Truth b) { return join<arith::AndIOp>(a, b); }
Truth operator||(Truth a, Truth b) { return join<arith::OrIOp>(a, b); }
Truth operator!=(Truth a, Truth b) { return join<arith::XOrIOp>(a, b); }

static Truth constant(Truth like, bool value) {
  return Truth(like.getBuilder(), like.getLoc(),
               arith::ConstantOp::create(like.getBuilder(), like.getLoc(),
                                         like.getBuilder().getBoolAttr(value)));
}
Truth operator!(Truth a) { return a != constant(a, true); }
Truth operator&&(bool a, Truth b) { return a ? b : constant(b, false); }

Number select(Truth condition, Number yes, Number no) {
  unify(yes, no);
  return emit<arith::SelectOp>(yes, condition.getValue(), yes.getValue(),
                               no.getValue());
}
Truth isNaN(Number x) { return x != x; }

Number maximum(Number a, Number b) {
  unify(a, b);
  if (a.isFloat())
    return emit<arith::MaximumFOp>(a, a.getValue(), b.getValue());
  if (a.isUnsigned())
    return emit<arith::MaxUIOp>(a, a.getValue(), b.getValue());
  return emit<arith::MaxSIOp>(a, a.getValue(), b.getValue());
}
Number minimum(Number a, Number b) {
  unify(a, b);
  if (a.isFloat())
    return emit<arith::MinimumFOp>(a, a.getValue(), b.getValue());
  if (a.isUnsigned())
    return emit<arith::MinUIOp>(a, a.getValue(), b.getValue());
  return emit<arith::MinSIOp>(a, a.getValue(), b.getValue());
}

//===-- Functions -------------------------------------------------------------===//

Number copySign(Number x, Number y) {
  unify(x, y);
  // If `y` is a literal, only its sign matters, and it is known.
  return emit<math::CopySignOp>(x, x.getValue(), y.getValue());
}

#define INVAR_FUNCTION(NAME, OP)                                               \
  Number NAME(Number x) { return emit<math::OP>(x, x.getValue()); }
INVAR_FUNCTION(floor, FloorOp)
INVAR_FUNCTION(ceil, CeilOp)
INVAR_FUNCTION(roundEven, RoundEvenOp)
INVAR_FUNCTION(sqrt, SqrtOp)
INVAR_FUNCTION(exp, ExpOp)
INVAR_FUNCTION(expm1, ExpM1Op)
INVAR_FUNCTION(log, LogOp)
INVAR_FUNCTION(log1p, Log1pOp)
INVAR_FUNCTION(erf, ErfOp)
INVAR_FUNCTION(sin, SinOp)
INVAR_FUNCTION(cos, CosOp)
INVAR_FUNCTION(tan, TanOp)
INVAR_FUNCTION(asin, AsinOp)
INVAR_FUNCTION(acos, AcosOp)
INVAR_FUNCTION(atan, AtanOp)
INVAR_FUNCTION(sinh, SinhOp)
INVAR_FUNCTION(cosh, CoshOp)
INVAR_FUNCTION(tanh, TanhOp)
INVAR_FUNCTION(asinh, AsinhOp)
INVAR_FUNCTION(acosh, AcoshOp)
INVAR_FUNCTION(atanh, AtanhOp)
#undef INVAR_FUNCTION

} // namespace invar::onnx::scalar

//===-- Conversion ------------------------------------------------------------===//

/// Converts a float to another width. Narrowing rounds once.
static Value resize(OpBuilder &builder, Location loc, Value value,
                    FloatType to) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  if (value.getType() == to)
    return value;
  if (from < to.getWidth())
    return arith::ExtFOp::create(builder, loc, to, value);
  if (from > to.getWidth())
    return arith::TruncFOp::create(builder, loc, to, value);
  // Conversions between float16 and bfloat16 go through float32.
  Value wide = arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
  return arith::TruncFOp::create(builder, loc, to, wide);
}

Number Number::castTo(Type type, bool isUnsigned) const {
  OpBuilder &b = *builder;
  Location at = *loc;
  auto made = [&](Value converted) {
    return Number(b, at, converted, isUnsigned);
  };
  if (type == getType())
    return made(value);
  if (type.isInteger(1))
    return Number(*this != Number(0));
  auto toFloat = dyn_cast<FloatType>(type);
  if (isFloat() && toFloat)
    return made(resize(b, at, value, toFloat));
  if (isFloat()) {
    // Narrow integers are the low bits of wider ones, as in Elements/Cast.h.
    Number wide(b, at,
                getType().getIntOrFloatBitWidth() < 32
                    ? resize(b, at, value, b.getF32Type())
                    : value);
    auto truncate = [&](const Number &number, unsigned width) {
      return made(arith::FPToSIOp::create(b, at, b.getIntegerType(width),
                                          number.getValue()));
    };
    unsigned width = type.getIntOrFloatBitWidth();
    if (isUnsigned && width == 64) {
      // Numbers beyond the signed range are reduced by 2^63, converted, and shifted
      // back.
      Number limit(0x1p63);
      return select(wide >= limit, truncate(wide - limit, 64) + Number(-0x1p63),
                    truncate(wide, 64));
    }
    if (isUnsigned && width == 32) {
      // The low bits of the conversion to 64 bits. LLVM converts to 32 bits if the operand
      // was float16, whose numbers fit, so infinity and NaN would have other low bits.
      Truth isInside = wide < Number(0x1p63) && wide > Number(-0x1p63);
      return truncate(select(isInside, wide, Number(0)), 64)
          .castTo(type, isUnsigned);
    }
    return truncate(wide, std::max(width, 32u)).castTo(type, isUnsigned);
  }
  if (toFloat) {
    // Narrow floats are converted from float32, to which one instruction converts
    // integers.
    FloatType through =
        toFloat.getWidth() < 32 ? FloatType(b.getF32Type()) : toFloat;
    Value converted =
        unsignedInt || getType().isInteger(1)
            ? arith::UIToFPOp::create(b, at, through, value).getResult()
            : arith::SIToFPOp::create(b, at, through, value).getResult();
    return made(resize(b, at, converted, toFloat));
  }
  unsigned from = getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from > to)
    return made(arith::TruncIOp::create(b, at, type, value));
  if (from == to)
    return made(value);
  if (unsignedInt || from == 1)
    return made(arith::ExtUIOp::create(b, at, type, value));
  return made(arith::ExtSIOp::create(b, at, type, value));
}
