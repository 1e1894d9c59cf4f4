// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Elementwise.h"
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/MatrixProduct.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

FoldResult DetOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  if (llvm::Error error = checkSteps({x.numElements(), x.getShape().back()}))
    return error;
  return foldByCallWhenRead(fold, describePlainCall(*this), Floats::Doubles);
}

namespace {
/// Gemm's combination of a product and C.
struct ScaledSum : Formula<OnFloats | OnInts> {
  float alpha, beta;
  template <typename T> T operator()(T product, T c) const {
    return T(alpha) * product + T(beta) * c;
  }
};
} // namespace

/// Whether the product of an integer and a factor is again an integer.
static bool isSmallInteger(float factor) {
  return std::abs(factor) <= 0x1p24f && factor == std::trunc(factor);
}

FoldResult GemmOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  const Elements &a = fold.get(getA()), &b = fold.get(getB());
  float alpha = getAlpha();
  float beta = getC() ? getBeta() : 0;
  Matrices left{a, getTransA() != 0}, right{b, getTransB() != 0};
  DataType type = a.getType();
  if (alpha == 1 && beta == 0)
    return multiplyMatrices(fold, left, right, type);
  // Compute the sum in a type in which it is exact, and round once.
  bool inOwnType = getKind(type) != NumberKind::Float &&
                   isSmallInteger(alpha) && isSmallInteger(beta);
  DataType work = inOwnType ? type : DataType::Float64;
  llvm::Expected<Elements> product = multiplyMatrices(fold, left, right, work);
  llvm::Expected<Elements> c = beta == 0
                                   ? builder.splat(work, {}, WideNum::ofInt(0))
                                   : builder.cast(fold.get(getC()), work);
  if (!product || !c)
    return llvm::joinErrors(product.takeError(), c.takeError());
  llvm::Expected<Elements> sum =
      fold.apply(ScaledSum{{}, alpha, beta}, {*product, *c});
  return sum ? builder.cast(*sum, type) : std::move(sum);
}

FoldResult MatMulOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  const Elements &a = fold.get(getA()), &b = fold.get(getB());
  llvm::Expected<Shape> to = fold.getShape();
  // A vector is a row on the left and a column on the right.
  llvm::Expected<Elements> left =
      a.getRank() == 1 ? builder.reshape(a, {1, a.numElements()}) : a;
  llvm::Expected<Elements> right =
      b.getRank() == 1 ? builder.reshape(b, {b.numElements(), 1}) : b;
  if (!to || !left || !right)
    return llvm::joinErrors(
        to.takeError(), llvm::joinErrors(left.takeError(), right.takeError()));
  llvm::Expected<Elements> product =
      multiplyMatrices(fold, {*left}, {*right}, a.getType());
  return product ? builder.reshape(*product, *to) : std::move(product);
}
