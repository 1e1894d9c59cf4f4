// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// The exponent of LpPool and GlobalLpPool became an integer in version 2.
static Refusal exponentUp(NodeForm &node, AdaptContext &context) {
  if (!node.attributes.get("p"))
    return adapted;
  float p = node.getFloat("p", 2);
  if (p != std::floor(p) || std::fabs(p) > 1e6f)
    return "expected an integral exponent 'p', but got " + std::to_string(p);
  context.setInt(node, "p", int64_t(p));
  return adapted;
}

static Refusal exponentDown(NodeForm &node, AdaptContext &context) {
  if (node.attributes.get("p"))
    context.setFloat(node, "p", float(node.getInt("p", 2)));
  return adapted;
}

// Since version 8 MaxPool can return the positions of its maxima.
static Refusal maxPoolIndicesDown(NodeForm &node, AdaptContext &) {
  if (node.hasOutput(1))
    return "the output 'Indices' exists since version 8";
  node.outputs.resize(1);
  return adapted;
}

// Below version 16 RoiAlign did not shift by half a pixel by default.
static Refusal roiAlignUp(NodeForm &node, AdaptContext &context) {
  context.setString(node, "coordinate_transformation_mode",
                    "output_half_pixel");
  return adapted;
}

static Refusal roiAlignDown(NodeForm &node, AdaptContext &) {
  if (node.getString("coordinate_transformation_mode", "half_pixel") !=
      "output_half_pixel")
    return "only 'output_half_pixel' can be said below version 16";
  node.attributes.erase("coordinate_transformation_mode");
  return adapted;
}

void invar::onnx::addPoolAdapters(AdapterTable &table) {
  table.exist({{"MaxUnpool", 9}, {"RoiAlign", 10}});
  table.add({{"AveragePool", 7, nullptr, dropIfDefault("count_include_pad", 0)},
             {"AveragePool", 10, nullptr, dropIfDefault("ceil_mode", 0)},
             {"AveragePool", 19, nullptr, dropIfDefault("dilations", 1)},
             {"GlobalLpPool", 2, exponentUp, exponentDown},
             {"LpPool", 2, exponentUp, exponentDown},
             {"LpPool", 18, nullptr, dropIfDefault("ceil_mode", 0)},
             {"LpPool", 18, nullptr, dropIfDefault("dilations", 1)},
             {"MaxPool", 8, nullptr, dropIfDefault("storage_order", 0)},
             {"MaxPool", 8, nullptr, maxPoolIndicesDown},
             {"MaxPool", 10, nullptr, dropIfDefault("ceil_mode", 0)},
             {"MaxPool", 10, nullptr, dropIfDefault("dilations", 1)},
             {"RoiAlign", 16, roiAlignUp, roiAlignDown}});
}
