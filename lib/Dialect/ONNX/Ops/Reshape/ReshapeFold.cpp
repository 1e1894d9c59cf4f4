// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Returns the same elements in the inferred shape.
static FoldResult reshape(Folding &fold, Value data) {
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  return fold.getBuilder().reshape(fold.get(data), *to);
}

/// Returns the sizes in the shape of a constant; they are numbers.
template <typename Op> static FoldResult foldSizes(Op op, Folding &fold) {
  ShapeHelper shape = fold.getShapeHelper();
  std::optional<DimsExpr> entries = op.computeEntries(shape, 0);
  llvm::Expected<Shape> to = fold.getShape();
  if (!entries || !to)
    return llvm::joinErrors(to.takeError(), notFolded("its shape is unknown"));
  SmallVector<int64_t> sizes;
  for (IndexExpr entry : *entries) {
    if (!entry.isLiteral())
      return notFolded("a size of its operand is no number");
    sizes.push_back(entry.getLiteral());
  }
  return fold.make<int64_t>(*to, sizes);
}

FoldResult FlattenOp::computeValues(Folding &fold) {
  return reshape(fold, getInput());
}
FoldResult IdentityOp::computeValues(Folding &fold) {
  return fold.getValue(getInput());
}
FoldResult ReshapeOp::computeValues(Folding &fold) {
  return reshape(fold, getData());
}
FoldResult ShapeOp::computeValues(Folding &fold) {
  return foldSizes(*this, fold);
}
FoldResult SizeOp::computeValues(Folding &fold) {
  return foldSizes(*this, fold);
}
FoldResult SqueezeOp::computeValues(Folding &fold) {
  return reshape(fold, getData());
}
FoldResult UnsqueezeOp::computeValues(Folding &fold) {
  return reshape(fold, getData());
}
