// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// In version 11 Scatter became ScatterElements, and its axis may be negative.
static Refusal scatterUp(NodeForm &node, AdaptContext &) {
  node.opType = "ScatterElements";
  return adapted;
}

static Refusal scatterDown(NodeForm &node, AdaptContext &context) {
  node.opType = "Scatter";
  return countFromFront("axis")(node, context);
}

// Since version 18 the reductions 'max' and 'min' exist.
static Refusal reductionDown(NodeForm &node, AdaptContext &) {
  StringRef reduction = node.getString("reduction", "none");
  if (reduction == "max" || reduction == "min")
    return ("the reduction '" + reduction + "' exists since version 18").str();
  return adapted;
}

void invar::onnx::addScatterAdapters(AdapterTable &table) {
  table.exist({{"Scatter", 9},
               {"ScatterElements", 11},
               {"ScatterND", 11},
               {"TensorScatter", 24}});
  table.add({{"Scatter", 11, scatterUp, nullptr},
             {"ScatterElements", 11, nullptr, scatterDown}});
  for (StringRef op : {"ScatterElements", "ScatterND"})
    table.add({{op, 16, nullptr, dropIfDefault("reduction", "none")},
               {op, 18, nullptr, reductionDown}});
}
