// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Replaces a reduction over no axes by the operator's other steps.
static void becomeWithoutReduction(NodeForm &node) {
  Value data = node.getInput(0);
  if (node.opType == "ReduceL1" || node.opType == "ReduceL2")
    node.become("Abs", data);
  else if (node.opType == "ReduceLogSum")
    node.become("Log", data);
  else if (node.opType == "ReduceSumSquare")
    node.become("Mul", {data, data});
  else
    node.become("Identity", data);
}

// The axes of reductions became an operand: in version 13 for ReduceSum, in 18 for others.
static Refusal reduceUp(NodeForm &node, AdaptContext &context) {
  context.attributeToInput(node, "axes", 1);
  return adapted;
}

static Refusal reduceDown(NodeForm &node, AdaptContext &context) {
  bool nothingMeansNone = node.getInt("noop_with_empty_axes", 0) != 0;
  node.attributes.erase("noop_with_empty_axes");
  if (Refusal refusal = context.inputToAttribute(node, 1, "axes"))
    return refusal;
  if (!node.getInts("axes").value_or(ArrayRef<int64_t>()).empty())
    return adapted;
  node.attributes.erase("axes");
  if (nothingMeansNone)
    becomeWithoutReduction(node);
  return adapted;
}

// TopK's `k` became an operand in version 10.
static Refusal topKUp(NodeForm &node, AdaptContext &context) {
  node.setInput(1, context.ints(node.getInt("k", 0)));
  node.attributes.erase("k");
  return adapted;
}

static Refusal topKDown(NodeForm &node, AdaptContext &context) {
  std::optional<SmallVector<int64_t>> k = context.getInts(node.getInput(1));
  if (!k || k->size() != 1)
    return "'k' is an attribute there, but its value is not constant";
  context.setInt(node, "k", k->front());
  node.inputs.truncate(1);
  return adapted;
}

// TopK's axis may be negative since version 11; the default was -1 before, too.
static Refusal topKAxisDown(NodeForm &node, AdaptContext &context) {
  if (node.getInt("axis", -1) != -1)
    return countFromFront("axis")(node, context);
  node.attributes.erase("axis");
  return adapted;
}

// Since version 11 TopK need not sort, but it may.
static Refusal topKSortedDown(NodeForm &node, AdaptContext &) {
  node.attributes.erase("sorted");
  return adapted;
}

void invar::onnx::addReduceAdapters(AdapterTable &table) {
  table.exist({{"CumProd", 26}, {"CumSum", 11}});
  for (StringRef op :
       {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
        "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum",
        "ReduceSumSquare"})
    table.add({{op, op == "ReduceSum" ? 13 : 18, reduceUp, reduceDown},
               {op, 11, nullptr, countFromFront("axes")}});
  for (StringRef op : {"ArgMax", "ArgMin"})
    table.add({{op, 11, nullptr, countFromFront("axis")},
               {op, 12, nullptr, dropIfDefault("select_last_index", 0)}});
  table.add({{"TopK", 10, topKUp, topKDown},
             {"TopK", 11, nullptr, topKAxisDown},
             {"TopK", 11, nullptr, dropIfDefault("largest", 1)},
             {"TopK", 11, nullptr, topKSortedDown}});
}
