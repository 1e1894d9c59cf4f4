// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

void invar::onnx::addConvAdapters(AdapterTable &table) {
  table.exist(
      {{"CausalConvWithState", 27}, {"Col2Im", 18}, {"DeformConv", 19}});
}
