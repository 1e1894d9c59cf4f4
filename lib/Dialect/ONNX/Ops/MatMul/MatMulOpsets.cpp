// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Since version 7 Gemm's C broadcasts; before, it did so only with `broadcast`.
static Refusal gemmBroadcastUp(NodeForm &node, AdaptContext &) {
  node.attributes.erase("broadcast");
  return adapted;
}

static Refusal gemmBroadcastDown(NodeForm &node, AdaptContext &context) {
  std::optional<ArrayRef<int64_t>> shape = context.getShape(node.getInput(2));
  if (!shape)
    return "the shape of C, which may broadcast, is not known";
  bool isRow = shape->size() < 2 ||
               llvm::all_of(*shape, [](int64_t n) { return n == 1; });
  if (isRow) {
    context.setInt(node, "broadcast", 1);
    return adapted;
  }
  // An axis of size one could not be broadcast, and an open size may be one.
  if (llvm::any_of(
          *shape, [](int64_t n) { return n == 1 || ShapedType::isDynamic(n); }))
    return "C broadcasts in a way that cannot be said below version 7";
  return adapted;
}

// Since version 11 Gemm's C is optional.
static Refusal gemmOptionalDown(NodeForm &node, AdaptContext &context) {
  if (node.getInput(2))
    return adapted;
  std::optional<DataType> type = context.getDataType(node.getInput(0));
  if (!type)
    return "C is required below version 11, and its type is not known";
  node.setInput(2, context.scalar(*type, 0));
  return adapted;
}

void invar::onnx::addMatMulAdapters(AdapterTable &table) {
  table.exist({{"Det", 11}, {"Einsum", 12}});
  table.add({{"Gemm", 7, gemmBroadcastUp, gemmBroadcastDown},
             {"Gemm", 11, nullptr, gemmOptionalDown}});
}
