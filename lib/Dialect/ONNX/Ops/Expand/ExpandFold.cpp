// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

FoldResult ExpandOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  return fold.getBuilder().expand(fold.get(getInput()), *to);
}

FoldResult TileOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getInput());
  auto repeats = fold.read<int64_t>(getRepeats());
  if (!repeats)
    return repeats.takeError();
  if (int64_t(repeats->get().size()) != x.getRank())
    return notFolded("expected a number for each of " + Twine(x.getRank()) +
                     " axes, but got " + Twine(repeats->get().size()));
  return tile(fold, x, *repeats);
}
