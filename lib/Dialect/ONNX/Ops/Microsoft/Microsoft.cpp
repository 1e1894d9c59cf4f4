// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Microsoft.h"

#include "TokenRules.h"
#include "invar/Dialect/ONNX/RuntimeCall.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Verifiers ---------------------------------------------------------------------===//

LogicalResult MSCDistOp::verify() {
  static constexpr StringRef metrics[] = {
      "braycurtis",  "canberra",   "chebyshev",     "cityblock",
      "correlation", "cosine",     "dice",          "euclidean",
      "hamming",     "jaccard",    "jensenshannon", "kulsinski",
      "mahalanobis", "matching",   "minkowski",     "rogerstanimoto",
      "russellrao",  "seuclidean", "sokalmichener", "sokalsneath",
      "sqeuclidean", "wminkowski", "yule"};
  return Check(*this)
      .rank("(C1)", "A", getA(), 2)
      .rank("(C1)", "B", getB(), 2)
      .dim("(C1)", "B", getB(), 1, dimOf(getA(), 1))
      .oneOf("(C2)", "metric", getMetric(), metrics);
}

LogicalResult MSTokenizerOp::verify() {
  kernels::TokenRules rules = getTokenRules(*this);
  std::optional<int64_t> rank = rankOf(getX());
  Check check(*this);
  check
      .that("(C1)", !rank || *rank == 1 || *rank == 2,
            "'X' to have rank 1 or 2", "rank " + Twine(rank.value_or(0)))
      .atLeast("(C2)", "mincharnum", getMincharnum(), 1)
      .that("(C3)", !rules.separators.empty() || !rules.token.empty(),
            "'separators' or 'tokenexp'", "neither");
  if (rules.areCharacters())
    check.that("(C2)", getMincharnum() == 1,
               "'mincharnum' to be 1 where tokens are characters",
               Twine(getMincharnum()));
  return check;
}

//===-- Shapes ------------------------------------------------------------------------===//

LogicalResult MSCDistOp::computeShape(ShapeHelper &shape) {
  DimsExpr dims = {shape.getQuestionmark(), shape.getQuestionmark()};
  DimsExpr columns(2);
  for (auto [i, matrix] : llvm::enumerate(shape.getOperands()))
    if (shape.hasShape(matrix)) {
      dims[i] = shape.getDim(matrix, 0);
      columns[i] = shape.getDim(matrix, 1);
    }
  shape.setOutputDims(std::move(dims));
  return shape.expectEqual(columns[0], columns[1],
                           "the columns of 'A' and 'B'");
}

LogicalResult MSMurmurHash3Op::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (shape.hasShape(in.getX()))
    shape.setOutputDims(shape.getDims(in.getX()));
  shape.setElementType(elements::toType(
      getContext(), getPositive() == 1 ? DataType::UInt32 : DataType::Int32));
  return success();
}

LogicalResult MSTokenizerOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getX()))
    return success();
  DimsExpr dims = shape.getDims(in.getX());
  // Without strings the result has no axis of tokens, but a program that was compiled
  // for any number of strings returns one. So the rank is left unknown.
  if (llvm::any_of(dims, [](IndexExpr dim) { return dim.isLiteral(0); }))
    return success();
  dims.push_back(shape.getQuestionmark());
  shape.setOutputDims(std::move(dims));
  return success();
}

//===-- Calls -------------------------------------------------------------------------===//

RuntimeCall MSMurmurHash3Op::describeCall() {
  RuntimeCall call(*this, "MurmurHash3");
  call.add(getX()).set("seed", int64_t(getSeed()));
  return call;
}

RuntimeCall MSTokenizerOp::describeCall() {
  RuntimeCall call(*this, "Tokenizer");
  call.add(getX()).set("tokenexp", getTokenexp().value_or(""));
  call.set("mincharnum", int64_t(getMincharnum()));
  call.set("mark", getMark() != 0);
  call.set("pad_value", getPadValue());
  if (Attribute separators = getSeparatorsAttr())
    call.set("separators", separators);
  return call;
}
