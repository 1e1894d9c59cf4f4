// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Scan had a batch axis and lengths for each sequence in version 8 only.
static Refusal scanUp(NodeForm &, AdaptContext &) {
  return "the batched form exists only in version 8";
}

static Refusal scanDown(NodeForm &, AdaptContext &) {
  return "a form without a batch exists since version 9";
}

void invar::onnx::addControlAdapters(AdapterTable &table) {
  table.exist({{"Scan", 8}, {"SequenceMap", 17}});
  table.add({{"Scan", 9, scanUp, scanDown},
             {"Scan", 11, nullptr, countFromFront("scan_input_axes")}});
}
