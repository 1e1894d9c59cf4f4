// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Compare.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult IsInfOp::verify() {
  return Check(*this)
      .flag("(C1)", "detect_negative", getDetectNegative())
      .flag("(C1)", "detect_positive", getDetectPositive());
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult IsInfOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult IsNaNOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult WhereOp::computeShape(ShapeHelper &) { return success(); }
