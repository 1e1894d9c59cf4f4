// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Below version 6 Tile repeated one axis, given by two operands; since then each axis
// has a number of repeats.
static Refusal tileUp(NodeForm &node, AdaptContext &context) {
  std::optional<double> tiles = context.getNumber(node.getInput(1));
  std::optional<double> axis = context.getNumber(node.getInput(2));
  std::optional<int64_t> rank = context.getRank(node.getInput(0));
  if (!tiles || !axis || !rank)
    return "the repeats cannot be told without constant operands and the rank";
  if (!(*axis >= 0 && *axis < double(*rank)) ||
      !(*tiles >= 0 && *tiles < 0x1p53))
    return "'tiles' or 'axis' is out of range";
  SmallVector<int64_t> repeats(*rank, 1);
  repeats[int64_t(*axis)] = int64_t(*tiles);
  node.inputs = {node.getInput(0), context.ints(repeats)};
  return adapted;
}

static Refusal tileDown(NodeForm &node, AdaptContext &context) {
  std::optional<SmallVector<int64_t>> repeats =
      context.getInts(node.getInput(1));
  std::optional<DataType> type = context.getDataType(node.getInput(0));
  if (!repeats || repeats->empty() || !type)
    return "the repeats must be constant, and the type known, below version 6";
  auto isOne = [](int64_t count) { return count == 1; };
  int64_t axis = llvm::find_if_not(*repeats, isOne) - repeats->begin();
  if (axis == int64_t(repeats->size()))
    axis = 0;
  if (!llvm::all_of(llvm::drop_begin(*repeats, axis + 1), isOne))
    return "only one axis can be repeated below version 6";
  node.inputs = {node.getInput(0),
                 context.scalar(*type, double((*repeats)[axis])),
                 context.scalar(*type, double(axis))};
  return adapted;
}

void invar::onnx::addExpandAdapters(AdapterTable &table) {
  table.exist({{"Expand", 8}});
  table.add({"Tile", 6, tileUp, tileDown});
}
