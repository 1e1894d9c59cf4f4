// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

void invar::onnx::addRandomAdapters(AdapterTable &table) {
  table.exist({{"Bernoulli", 15}, {"Multinomial", 7}});
}
