// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Transpose.h"

#include "invar/Dialect/ONNX/Verify.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Checks (C1) and (C2) of the operators that move blocks.
template <typename Op> static Check verifyBlocks(Op op) {
  Check check(op);
  check.atLeast("(C1)", "blocksize", op.getBlocksize(), 1)
      .oneOf("(C2)", "mode", op.getMode(), {"DCR", "CRD"});
  return check;
}

LogicalResult DepthToSpaceOp::verify() {
  Check check = verifyBlocks(*this).rank("(C3)", "input", getInput(), 4);
  std::optional<int64_t> channels = dimOf(getInput(), 1);
  if (failed(check) || !channels)
    return check;
  // Divide twice, because the square of a size from a model may overflow.
  int64_t size = getBlocksize();
  return check.that("(C3)",
                    *channels % size == 0 && *channels / size % size == 0,
                    "the square of 'blocksize' to divide the " +
                        Twine(*channels) + " channels",
                    Twine(size));
}

LogicalResult SpaceToDepthOp::verify() {
  Check check = verifyBlocks(*this).rank("(C3)", "input", getInput(), 4);
  for (int64_t axis : {2, 3})
    if (std::optional<int64_t> size = dimOf(getInput(), axis);
        size && succeeded(check))
      check.that("(C3)", *size % getBlocksize() == 0,
                 "'blocksize' to divide axis " + Twine(axis) + " of size " +
                     Twine(*size),
                 Twine(getBlocksize()));
  return check;
}

LogicalResult ReverseSequenceOp::verify() {
  return Check(*this)
      .flag("(C1)", "batch_axis", getBatchAxis())
      .oneOf("(C1)", "time_axis", getTimeAxis(), {getBatchAxis() == 0 ? 1 : 0})
      .rankAtLeast("(C2)", "input", getInput(), 2)
      .vector("(C2)", "sequence_lens", getSequenceLens());
}

LogicalResult TransposeOp::verify() {
  if (!getPerm())
    return success();
  ArrayRef<int64_t> perm = *getPerm();
  Check check(*this);
  check.length("(C1)", "perm", int64_t(perm.size()), rankOf(getData()));
  llvm::BitVector seen(perm.size());
  for (int64_t axis : perm) {
    bool isNew = axis >= 0 && axis < int64_t(perm.size()) && !seen.test(axis);
    check.that("(C1)", isNew,
               "'perm' to be a permutation of " + Twine(perm.size()) + " axes",
               "the entry " + Twine(axis));
    if (failed(check))
      break;
    seen.set(axis);
  }
  return check;
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult DepthToSpaceOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getInput()))
    return success();
  DimsExpr dims = shape.getDims(in.getInput());
  IndexExpr size = getBlocksize();
  shape.setOutputDims(
      {dims[0], dims[1].floorDiv(size * size), dims[2] * size, dims[3] * size});
  return success();
}

LogicalResult SpaceToDepthOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getInput()))
    return success();
  DimsExpr dims = shape.getDims(in.getInput());
  IndexExpr size = getBlocksize();
  shape.setOutputDims({dims[0], dims[1] * size * size, dims[2].floorDiv(size),
                       dims[3].floorDiv(size)});
  return success();
}

SmallVector<int64_t> TransposeOp::getPermutation(int64_t rank) {
  if (getPerm())
    return SmallVector<int64_t>(*getPerm());
  return llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(rank)));
}

LogicalResult TransposeOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  std::optional<int64_t> rank = shape.getRank(in.getData());
  if (!rank && getPerm())
    shape.setOutputDims(shape.getQuestionmarks(getPerm()->size()));
  if (!rank)
    return success();
  DimsExpr dims;
  for (int64_t axis : getPermutation(*rank))
    dims.push_back(shape.getDim(in.getData(), axis));
  shape.setOutputDims(std::move(dims));
  return success();
}
