// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

void invar::onnx::addTrigonometryAdapters(AdapterTable &table) {
  table.exist({{"Acos", 7},
               {"Acosh", 9},
               {"Asin", 7},
               {"Asinh", 9},
               {"Atan", 7},
               {"Atanh", 9},
               {"Cos", 7},
               {"Cosh", 9},
               {"Sin", 7},
               {"Sinh", 9},
               {"Tan", 7}});
}
