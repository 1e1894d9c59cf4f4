// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Arithmetic/ArithmeticFormulas.h"
#include "invar/Dialect/ONNX/FoldChain.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Attention.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Returns the cosines or sines of all positions, with an axis of size one for the heads.
static llvm::Expected<Elements> pickAngles(RotaryEmbeddingOp op, Folding &fold,
                                           Value cache, int64_t headAxis,
                                           int64_t count) {
  const Elements &all = fold.get(cache);
  Elements angles = all;
  Shape shape(all.getShape());
  if (op.getPositionIds() && all.getRank() == 2) {
    shape = Shape(fold.get(op.getPositionIds()).getShape());
    shape.push_back(all.getShape()[1]);
    auto places = readIndices(fold, op.getPositionIds(), all.getShape()[0]);
    if (!places)
      return places.takeError();
    if (llvm::Error error =
            pickAlong(fold, all, 0, std::move(*places)).moveInto(angles))
      return error;
  }
  if (shape.size() != 3 || shape[2] != count)
    return notFolded("expected angles of " + Twine(count) + " pairs, but got " +
                     printShape(shape));
  shape.insert(shape.begin() + headAxis, 1);
  return FoldChain(fold, angles).reshape(shape).cast(DataType::Float64);
}

FoldResult RotaryEmbeddingOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  Elements x = fold.get(getX());
  Shape original(x.getShape()), shape = original;
  int64_t headAxis = 1;
  if (shape.size() == 3) {
    int64_t heads = std::max<int64_t>(getNumHeads().value_or(1), 1);
    headAxis = 2;
    shape = {shape[0], shape[1], heads, shape[2] / heads};
    if (llvm::Error error = builder.reshape(x, shape).moveInto(x))
      return error;
  }
  int64_t size = shape[3], turned = getRotaryEmbeddingDim();
  turned = turned == 0 ? size : turned;
  if (turned > size || turned % 2 != 0)
    return notFolded("expected an even number of at most " + Twine(size) +
                     " elements to turn, but got " + Twine(turned));
  int64_t pairs = turned / 2;
  auto cos = pickAngles(*this, fold, getCosCache(), headAxis, pairs);
  auto sin = pickAngles(*this, fold, getSinCache(), headAxis, pairs);
  if (!cos || !sin)
    return llvm::joinErrors(cos.takeError(), sin.takeError());
  bool isInterleaved = getInterleaved() != 0;
  auto takeHalf = [&](int64_t half) -> llvm::Expected<Elements> {
    return FoldChain(fold, isInterleaved
                               ? sliceAlong(fold, x, 3, half, pairs, 2)
                               : sliceAlong(fold, x, 3, half * pairs, pairs))
        .cast(DataType::Float64);
  };
  auto first = takeHalf(0), second = takeHalf(1);
  if (!first || !second)
    return llvm::joinErrors(first.takeError(), second.takeError());
  // Computes one half of the result, with an axis of size one for the two elements of a
  // pair.
  Shape pairShape(shape);
  pairShape[3] = pairs;
  pairShape.push_back(1);
  auto turn = [&](const Elements &a, const Elements &b,
                  auto combine) -> llvm::Expected<Elements> {
    llvm::Expected<Elements> right =
        FoldChain(fold, *second).apply(formula::Mul(), b);
    if (!right)
      return right;
    return FoldChain(fold, *first)
        .apply(formula::Mul(), a)
        .apply(combine, *right)
        .cast(fold.getType())
        .reshape(pairShape);
  };
  auto real = turn(*cos, *sin, formula::Sub());
  auto imaginary = turn(*sin, *cos, formula::Add());
  if (!real || !imaginary)
    return llvm::joinErrors(real.takeError(), imaginary.takeError());
  Shape turnedShape(shape);
  turnedShape[3] = turned;
  // Interleave the two halves, or put one after the other.
  SmallVector<int64_t, 5> order = {0, 1, 2, 3, 4};
  if (!isInterleaved)
    std::swap(order[3], order[4]);
  return FoldChain(fold, builder.concat({*real, *imaginary}, 4))
      .transpose(order)
      .reshape(turnedShape)
      .then([&](const Elements &front) -> llvm::Expected<Elements> {
        if (turned == size)
          return front;
        auto rest = sliceAlong(fold, x, 3, turned, size - turned);
        if (!rest)
          return rest;
        return builder.concat({front, *rest}, 3);
      })
      .reshape(original);
}
