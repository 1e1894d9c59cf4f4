// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Below version 13 there was one scale for the tensor: a scalar or, in engines and
// exporters, a vector of one element. Since then there may be one for each index of an
// axis.
static Refusal perAxisDown(NodeForm &node, AdaptContext &context) {
  std::optional<ArrayRef<int64_t>> shape = context.getShape(node.getInput(1));
  bool mayBePerAxis =
      shape ? !shape->empty() && !(shape->size() == 1 && shape->front() == 1)
            : bool(node.attributes.get("axis"));
  if (mayBePerAxis)
    return "a scale for each index of an axis exists since version 13";
  node.attributes.erase("axis");
  return adapted;
}

// Since version 21 QuantizeLinear's type may be given without a zero point.
static Refusal quantizeTypeDown(NodeForm &node, AdaptContext &context) {
  int64_t number = node.getInt("output_dtype", 0);
  node.attributes.erase("output_dtype");
  if (number == 0 || node.getInput(2))
    return adapted;
  std::optional<DataType> type = dataTypeFromNumber(number);
  if (!type || context.getRank(node.getInput(1)) != 0)
    return "the type must be that of a zero point below version 21";
  node.setInput(2, context.scalar(*type, 0));
  return adapted;
}

void invar::onnx::addQuantizeAdapters(AdapterTable &table) {
  table.exist({{"ConvInteger", 10},
               {"DequantizeLinear", 10},
               {"DynamicQuantizeLinear", 11},
               {"MatMulInteger", 10},
               {"QLinearConv", 10},
               {"QLinearMatMul", 10},
               {"QuantizeLinear", 10}});
  for (StringRef op : {"DequantizeLinear", "QuantizeLinear"})
    table.add({{op, 13, nullptr, perAxisDown},
               {op, 21, nullptr, dropIfDefault("block_size", 0)}});
  table.add(
      {{"DequantizeLinear", 23, nullptr, dropIfDefault("output_dtype", 0)},
       {"QuantizeLinear", 19, nullptr, dropIfDefault("saturate", 1)},
       {"QuantizeLinear", 21, nullptr, quantizeTypeDown},
       {"QuantizeLinear", 23, nullptr, dropIfDefault("precision", 0)}});
}
