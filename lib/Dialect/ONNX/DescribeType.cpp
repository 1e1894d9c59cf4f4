// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/TypeInference.h"

#include "invar/Elements/IR/DataTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static std::string nameElement(Type element) {
  std::optional<DataType> type = elements::toDataType(element);
  return type ? getName(*type).str() : "?";
}

std::string invar::onnx::describeType(Type type) {
  return llvm::TypeSwitch<Type, std::string>(type)
      .Case<RankedTensorType>([](RankedTensorType tensor) {
        auto names = dyn_cast_or_null<DimsAttr>(tensor.getEncoding());
        SmallVector<std::string> dims;
        for (auto [i, size] : llvm::enumerate(tensor.getShape())) {
          if (!ShapedType::isDynamic(size))
            dims.push_back(std::to_string(size));
          else if (names && i < names.getNames().size() &&
                   !names.getNames()[i].empty())
            dims.push_back(names.getNames()[i].str());
          else
            dims.push_back("?");
        }
        return nameElement(tensor.getElementType()) + "[" +
               llvm::join(dims, ", ") + "]";
      })
      .Case<UnrankedTensorType>([](UnrankedTensorType tensor) {
        return nameElement(tensor.getElementType()) + "[…]";
      })
      .Case<SequenceType>([](SequenceType sequence) {
        return "seq(" + describeType(sequence.getElementType()) + ")";
      })
      .Case<OptionalType>([](OptionalType optional) {
        return "optional(" + describeType(optional.getElementType()) + ")";
      })
      .Case<MapType>([](MapType map) {
        return "map(" + nameElement(map.getKeyType()) + ", " +
               describeType(map.getValueType()) + ")";
      })
      .Case<SparseTensorType>([](SparseTensorType sparse) {
        return "sparse " + describeType(sparse.getDenseType());
      })
      .Default([](Type) { return std::string("?"); });
}
