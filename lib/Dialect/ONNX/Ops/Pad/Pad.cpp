// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Pad.h"

#include "invar/Dialect/ONNX/Verify.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult PadOp::verify() {
  std::optional<int64_t> axes =
      getAxes() ? dimOf(getAxes(), 0) : rankOf(getData());
  Check check(*this);
  check.oneOf("(C1)", "mode", getMode(),
              {"constant", "reflect", "edge", "wrap"});
  // Runtimes also take one row of a matrix.
  bool isRow = rankOf(getPads()) == 2 && dimOf(getPads(), 0).value_or(1) == 1;
  if (!isRow)
    check.vector("(C2)", "pads", getPads());
  if (std::optional<int64_t> pads = dimOf(getPads(), -1)) {
    check.that("(C2)", *pads % 2 == 0,
               "'pads' to have an even number of elements", Twine(*pads));
    if (axes)
      check.length("(C2)", "pads", pads, llvm::checkedMul<int64_t>(2, *axes));
  }
  return check.oneElement("(C3)", "constant_value", getConstantValue());
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult PadOp::computeShape(ShapeHelper &) { return success(); }
