// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/LimitedBroadcast.h"
#include "invar/Dialect/ONNX/Ops/Adapters.h"
#include "invar/Dialect/ONNX/Ops/Compare.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Version 12 introduced GreaterOrEqual and LessOrEqual. Not(Less) would be true for
// NaN, so they become Or(Greater, Equal) and Or(Less, Equal).
template <typename Strict>
static Refusal orEqualDown(NodeForm &node, AdaptContext &context) {
  Value a = node.getInput(0), b = node.getInput(1);
  std::optional<ArrayRef<int64_t>> shape = context.getShape(a);
  Type boolean = UnrankedTensorType::get(context.builder.getI1Type());
  if (shape && shape == context.getShape(b))
    boolean = RankedTensorType::get(*shape, context.builder.getI1Type());
  Value strict = Strict::create(context.builder, context.loc, boolean, a, b);
  Value equal = EqualOp::create(context.builder, context.loc, boolean, a, b);
  node.become("Or", {strict, equal});
  return adapted;
}

void invar::onnx::addCompareAdapters(AdapterTable &table) {
  table.exist({{"GreaterOrEqual", 12},
               {"IsInf", 10},
               {"IsNaN", 9},
               {"LessOrEqual", 12},
               {"Where", 9}});
  for (StringRef op : {"Equal", "Greater", "Less"})
    table.add({op, 7, limitedBroadcastUp, limitedBroadcastDown});
  table.add({{"GreaterOrEqual", 12, nullptr, orEqualDown<GreaterOp>},
             {"LessOrEqual", 12, nullptr, orEqualDown<LessOp>}});
}
