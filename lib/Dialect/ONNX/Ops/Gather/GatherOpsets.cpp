// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

void invar::onnx::addGatherAdapters(AdapterTable &table) {
  table.exist(
      {{"GatherElements", 11}, {"GatherND", 11}, {"NonMaxSuppression", 10}});
  table.add({{"Gather", 11, nullptr, countFromFront("axis")},
             {"GatherND", 12, nullptr, dropIfDefault("batch_dims", 0)}});
}
