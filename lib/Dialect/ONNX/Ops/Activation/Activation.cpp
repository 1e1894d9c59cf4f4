// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Activation.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult GeluOp::verify() {
  return Check(*this).oneOf("(C1)", "approximate", getApproximate(),
                            {"none", "tanh"});
}
