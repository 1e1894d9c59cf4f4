// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"
#include "invar/Elements/ElementsBuilder.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static llvm::Expected<Elements> fromStrings(ArrayRef<int64_t> shape,
                                            ArrayRef<Attribute> strings) {
  auto texts = llvm::map_to_vector(strings, [](Attribute text) {
    auto string = dyn_cast<StringAttr>(text);
    return string ? string.getValue() : StringRef();
  });
  return ElementsBuilder().fromStrings(shape, texts);
}

/// Returns the tensor for an attribute that is a short form: a number or string is a
/// scalar, a list is a vector. Empty for other attributes.
static std::optional<llvm::Expected<Elements>> readShortForm(Attribute value) {
  ElementsBuilder builder;
  if (auto number = dyn_cast<IntegerAttr>(value))
    return builder.fromArray<DataType::Int64>({}, number.getInt());
  if (auto number = dyn_cast<FloatAttr>(value))
    return builder.fromArray<DataType::Float32>(
        {}, number.getValue().convertToFloat());
  if (isa<StringAttr>(value))
    return fromStrings({}, value);
  if (auto list = dyn_cast<DenseI64ArrayAttr>(value))
    return builder.fromArray<DataType::Int64>(int64_t(list.size()),
                                              list.asArrayRef());
  if (auto list = dyn_cast<DenseF32ArrayAttr>(value))
    return builder.fromArray<DataType::Float32>(int64_t(list.size()),
                                                list.asArrayRef());
  if (auto list = dyn_cast<ArrayAttr>(value))
    return fromStrings(int64_t(list.size()), list.getValue());
  return std::nullopt;
}

// Constant has short forms since version 12. Inside Invar only `value` is used, which
// every version has.
static Refusal constantUp(NodeForm &node, AdaptContext &context) {
  for (StringRef name : {"value_float", "value_floats", "value_int",
                         "value_ints", "value_string", "value_strings"}) {
    Attribute given = node.attributes.get(name);
    std::optional<llvm::Expected<Elements>> content =
        given ? readShortForm(given) : std::nullopt;
    if (!content)
      continue;
    if (!*content)
      return llvm::toString(content->takeError());
    MLIRContext *mlirContext = context.builder.getContext();
    node.attributes.erase(name);
    node.attributes.set(
        "value", elements::LazyElementsAttr::get(mlirContext, **content));
    return adapted;
  }
  return adapted;
}

void invar::onnx::addConstantAdapters(AdapterTable &table) {
  table.add({{"Constant", 11, nullptr, refuseIfGiven("sparse_value")},
             {"Constant", afterAllVersions, constantUp, nullptr}});
}
