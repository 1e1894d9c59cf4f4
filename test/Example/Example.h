// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operator of CONTRIBUTING.md, as the generated header of a family declares it.
#ifndef INVAR_TEST_EXAMPLE_EXAMPLE_H
#define INVAR_TEST_EXAMPLE_EXAMPLE_H

#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Shapes.h"
#include "invar/Dialect/ONNX/Traits.h"

#define GET_OP_CLASSES
#include "Example.h.inc"

namespace invar::onnx {
class LoweringTable;
void addExampleLowerings(LoweringTable &table);
} // namespace invar::onnx

#endif // INVAR_TEST_EXAMPLE_EXAMPLE_H
