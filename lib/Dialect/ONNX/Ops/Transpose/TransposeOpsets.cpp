// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

void invar::onnx::addTransposeAdapters(AdapterTable &table) {
  table.exist({{"ReverseSequence", 10}});
  table.add({{"DepthToSpace", 11, nullptr, dropIfDefault("mode", "DCR")},
             {"SpaceToDepth", 28, nullptr, dropIfDefault("mode", "DCR")}});
}
