// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Below version 6 Cast's `to` was the name of a type; since then it is its number.
static Refusal castUp(NodeForm &node, AdaptContext &context) {
  StringRef name = node.getString("to", "");
  std::optional<DataType> type = dataTypeFromName(name.lower());
  if (!type)
    return ("expected 'to' to name a type, but got '" + name + "'").str();
  context.setInt(node, "to", int64_t(*type));
  return adapted;
}

static Refusal castDown(NodeForm &node, AdaptContext &context) {
  std::optional<DataType> type = dataTypeFromNumber(node.getInt("to", 0));
  if (!type)
    return "expected 'to' to be the number of a type, but got " +
           std::to_string(node.getInt("to", 0));
  context.setString(node, "to", getName(*type).upper());
  return adapted;
}

// Version 15 introduced CastLike; it becomes a Cast if the type is known.
static Refusal castLikeDown(NodeForm &node, AdaptContext &context) {
  std::optional<DataType> type = context.getDataType(node.getInput(1));
  if (!type)
    return "'CastLike' exists since version 15, and the type is not known for "
           "a 'Cast'";
  node.become("Cast", node.getInput(0));
  context.setInt(node, "to", int64_t(*type));
  return adapted;
}

void invar::onnx::addCastAdapters(AdapterTable &table) {
  table.exist({{"BitCast", 26}, {"CastLike", 15}});
  for (StringRef op : {"Cast", "CastLike"})
    table.add({{op, 19, nullptr, dropIfDefault("saturate", 1)},
               {op, 24, nullptr, dropIfDefault("round_mode", "up")}});
  table.add(
      {{"Cast", 6, castUp, castDown}, {"CastLike", 15, nullptr, castLikeDown}});
}
