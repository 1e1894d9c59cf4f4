// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReadFormula.h"

#include "Rules.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The maximum depth of a formula. Deeper expressions are chains through the whole
/// model.
static constexpr unsigned mostDeep = 8;

bool invar::isOfUsualFloats(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  return isa<Float32Type, Float16Type, BFloat16Type>(type);
}

bool invar::isNear(double number, double wanted, Value like) {
  Type type = getElementTypeOrSelf(like.getType());
  double tolerance = isa<BFloat16Type>(type)  ? 0x1p-6
                     : isa<Float16Type>(type) ? 0x1p-9
                                              : 1e-6;
  return std::abs(number - wanted) <= tolerance * std::abs(wanted);
}

std::optional<double> invar::getNumber(Value constant, Value other,
                                       const Rewriting &rewriting) {
  const Elements *content = rewriting.getConstant(constant);
  if (!content || content->numElements() != 1)
    return std::nullopt;
  std::optional<int64_t> rank = getRank(other);
  if (content->getRank() > 0 && (!rank || content->getRank() > *rank))
    return std::nullopt;
  return rewriting.getSplat(constant);
}

Value invar::makeSplat(Value like, ArrayRef<int64_t> shape, double number,
                       Rewriting &rewriting) {
  auto type = elements::toDataType(getElementTypeOrSelf(like.getType()));
  if (!type)
    return {};
  auto content =
      ElementsBuilder().splat(*type, shape, WideNum::ofDouble(number));
  if (content)
    return rewriting.makeConstant(std::move(*content));
  llvm::consumeError(content.takeError());
  return {};
}

//===-- Products --------------------------------------------------------------===//

static void addFactors(Operation *op, unsigned depth, Factors &factors,
                       const Rewriting &rewriting) {
  auto add = [&](Value value) {
    Operation *inner = value.getDefiningOp();
    bool isInside = inner && value.hasOneUse() && depth < mostDeep &&
                    isa<MulOp, DivOp, NegOp>(inner);
    if (isInside)
      addFactors(inner, depth + 1, factors, rewriting);
    else
      factors.values.push_back(value);
  };
  if (isa<NegOp>(op)) {
    factors.number = -factors.number;
    return add(op->getOperand(0));
  }
  Value a = op->getOperand(0), b = op->getOperand(1);
  auto right = getNumber(b, a, rewriting);
  if (isa<DivOp>(op)) {
    if (!right || *right == 0)
      return factors.values.push_back(op->getResult(0));
    factors.number /= *right;
    return add(a);
  }
  if (right) {
    factors.number *= *right;
    return add(a);
  }
  if (auto left = getNumber(a, b, rewriting))
    factors.number *= *left;
  else
    add(a);
  add(b);
}

Factors invar::getFactors(Operation *op, const Rewriting &rewriting) {
  Factors factors;
  addFactors(op, 0, factors, rewriting);
  return factors;
}

//===-- Polynomials -----------------------------------------------------------===//

static Cubic add(const Cubic &a, const Cubic &b, double sign) {
  Cubic sum;
  for (auto [result, left, right] : llvm::zip_equal(sum, a, b))
    result = left + sign * right;
  return sum;
}

static std::optional<Cubic> multiply(const Cubic &a, const Cubic &b) {
  Cubic product{};
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t k = 0; k < b.size(); ++k) {
      double term = a[i] * b[k];
      if (term == 0)
        continue;
      if (i + k >= product.size())
        return std::nullopt;
      product[i + k] += term;
    }
  return product;
}

static std::optional<Cubic> power(const Cubic &base,
                                  std::optional<double> exponent) {
  if (exponent == 2)
    return multiply(base, base);
  if (exponent != 3)
    return std::nullopt;
  auto square = multiply(base, base);
  return square ? multiply(*square, base) : std::nullopt;
}

static std::optional<Cubic> read(Value value, Value x, unsigned depth,
                                 const Rewriting &rewriting) {
  if (value == x)
    return Cubic{0, 1, 0, 0};
  if (auto number = getNumber(value, x, rewriting))
    return Cubic{*number, 0, 0, 0};
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse() || depth == mostDeep ||
      !isa<AddOp, SubOp, MulOp, DivOp, NegOp, PowOp>(op))
    return std::nullopt;
  auto a = read(op->getOperand(0), x, depth + 1, rewriting);
  if (!a)
    return std::nullopt;
  if (isa<NegOp>(op))
    return add({}, *a, -1);
  if (isa<PowOp>(op))
    return power(*a, getNumber(op->getOperand(1), x, rewriting));
  auto b = read(op->getOperand(1), x, depth + 1, rewriting);
  if (!b)
    return std::nullopt;
  if (isa<AddOp, SubOp>(op))
    return add(*a, *b, isa<AddOp>(op) ? 1 : -1);
  if (isa<MulOp>(op))
    return multiply(*a, *b);
  auto divisor = getNumber(op->getOperand(1), x, rewriting);
  if (!divisor || *divisor == 0)
    return std::nullopt;
  return multiply(*a, {1 / *divisor, 0, 0, 0});
}

std::optional<Cubic> invar::getCubic(Value value, Value x,
                                     const Rewriting &rewriting) {
  return read(value, x, 0, rewriting);
}

bool invar::isNear(const Cubic &cubic, const Cubic &wanted, Value like) {
  return llvm::all_of(llvm::zip_equal(cubic, wanted), [&](auto pair) {
    return isNear(std::get<0>(pair), std::get<1>(pair), like);
  });
}

std::optional<Line> invar::getLine(Value value, const Rewriting &rewriting) {
  // One operand of each operator must be a number, so x is at the end of the chain.
  Value x = value;
  for (unsigned depth = 0; depth < mostDeep; ++depth) {
    Operation *op = x.getDefiningOp();
    if (!op || !x.hasOneUse() || !isa<AddOp, SubOp, MulOp, DivOp>(op))
      break;
    Value a = op->getOperand(0), b = op->getOperand(1);
    if (getNumber(b, a, rewriting))
      x = a;
    else if (getNumber(a, b, rewriting) && !isa<DivOp>(op))
      x = b;
    else
      break;
  }
  auto cubic = getCubic(value, x, rewriting);
  if (!cubic)
    return std::nullopt;
  return Line{x, (*cubic)[1], (*cubic)[0]};
}
