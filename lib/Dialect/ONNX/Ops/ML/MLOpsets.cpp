// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static constexpr StringLiteral domain = "ai.onnx.ml";

/// Whether a LabelEncoder of version 1 converts strings to numbers. This follows from
/// its operand, or from the one default that it has.
static std::optional<bool> readsStrings(const NodeForm &node,
                                        AdaptContext &context) {
  if (std::optional<DataType> type = context.getDataType(node.getInput(0)))
    return *type == DataType::String;
  bool toInt = bool(node.attributes.get("default_int64"));
  bool toString = bool(node.attributes.get("default_string"));
  return toInt != toString ? std::optional(toInt) : std::nullopt;
}

// In version 1 LabelEncoder mapped strings to their indices in a list and back; since
// version 2 it maps any keys to values.
static Refusal labelEncoderUp(NodeForm &node, AdaptContext &context) {
  auto classes =
      dyn_cast_or_null<ArrayAttr>(node.attributes.get("classes_strings"));
  std::optional<bool> fromStrings = readsStrings(node, context);
  if (!classes || !fromStrings)
    return "the list of classes or the type of the operand is not known";
  auto places = context.builder.getDenseI64ArrayAttr(
      llvm::to_vector(llvm::seq<int64_t>(classes.size())));
  node.attributes.erase("classes_strings");
  node.attributes.erase(*fromStrings ? "default_string" : "default_int64");
  node.attributes.set(*fromStrings ? "keys_strings" : "values_strings",
                      classes);
  node.attributes.set(*fromStrings ? "values_int64s" : "keys_int64s", places);
  return adapted;
}

static Refusal labelEncoderDown(NodeForm &node, AdaptContext &) {
  bool fromStrings = bool(node.attributes.get("keys_strings"));
  StringRef names = fromStrings ? "keys_strings" : "values_strings";
  StringRef numbers = fromStrings ? "values_int64s" : "keys_int64s";
  auto classes = dyn_cast_or_null<ArrayAttr>(node.attributes.get(names));
  std::optional<ArrayRef<int64_t>> places = node.getInts(numbers);
  if (!classes || !places ||
      !llvm::equal(*places, llvm::seq<int64_t>(classes.size())))
    return "only texts and their places in a list can be paired below version "
           "2";
  node.attributes.erase(names);
  node.attributes.erase(numbers);
  node.attributes.set("classes_strings", classes);
  return adapted;
}

void invar::onnx::addMLAdapters(AdapterTable &table) {
  table.exist({{"TreeEnsemble", 5}}, domain);
  table.add({{"LabelEncoder", 2, labelEncoderUp, labelEncoderDown},
             {"LabelEncoder", 4, nullptr, refuseIfGiven("keys_tensor")},
             {"LabelEncoder", 4, nullptr, refuseIfGiven("values_tensor")},
             {"LabelEncoder", 4, nullptr, refuseIfGiven("default_tensor")}},
            domain);
  for (StringRef op : {"TreeEnsembleClassifier", "TreeEnsembleRegressor"})
    for (StringRef attribute :
         {"base_values_as_tensor", "class_weights_as_tensor",
          "nodes_hitrates_as_tensor", "nodes_values_as_tensor",
          "target_weights_as_tensor"})
      table.add({op, 3, nullptr, refuseIfGiven(attribute)}, domain);
}
