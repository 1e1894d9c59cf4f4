// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

FoldResult ConcatOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  SmallVector<Elements> parts = fold.getAll(getInputs());
  Elements first = parts.front();
  // Empty operands may have any shape.
  llvm::erase_if(parts, [](const Elements &x) { return !x.numElements(); });
  if (parts.empty())
    return fold.getBuilder().reshape(first, *to);
  std::optional<int64_t> axis = normalizeAxis(getAxis(), to->size());
  if (!axis)
    return notFolded("expected an axis of " + Twine(to->size()) + ", but got " +
                     Twine(getAxis()));
  return fold.getBuilder().concat(parts, *axis);
}
