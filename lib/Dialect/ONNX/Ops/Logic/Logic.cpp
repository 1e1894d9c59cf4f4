// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Logic.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult BitShiftOp::verify() {
  return Check(*this).oneOf("(C2)", "direction", getDirection(),
                            {"LEFT", "RIGHT"});
}
