// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Expand.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult ExpandOp::verify() {
  return Check(*this).vector("(C1)", "shape", getShape());
}

LogicalResult TileOp::verify() {
  return Check(*this).vector("(C1)", "repeats", getRepeats(),
                             rankOf(getInput()));
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult ExpandOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult TileOp::computeShape(ShapeHelper &) { return success(); }
