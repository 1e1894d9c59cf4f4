// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/DescribeType.h"

#include "invar/Dialect/ONNX/TypeInference.h"
#include "invar/Elements/IR/DataTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

bool invar::onnx::isMadeUp(StringRef name) {
  auto [stem, number] = name.rsplit('.');
  return !stem.empty() && !number.empty() &&
         llvm::all_of(number, llvm::isDigit);
}

bool invar::onnx::mentionsMadeUp(StringRef size,
                                 const llvm::StringSet<> &known) {
  SmallVector<StringRef> words;
  llvm::SplitString(size, words, " ()*+,'");
  return llvm::any_of(words, [&](StringRef word) {
    return isMadeUp(word) && !known.contains(word);
  });
}

/// Returns `type` with the name of each size mapped by `change`.
static Type mapNames(Type type,
                     llvm::function_ref<std::string(StringRef)> change) {
  MLIRContext *context = type.getContext();
  if (auto sequence = dyn_cast<SequenceType>(type))
    return SequenceType::get(context,
                             mapNames(sequence.getElementType(), change));
  if (auto optional = dyn_cast<OptionalType>(type))
    return OptionalType::get(context,
                             mapNames(optional.getElementType(), change));
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto dims =
      dyn_cast_or_null<DimsAttr>(tensor ? tensor.getEncoding() : Attribute());
  if (!dims)
    return type;
  SmallVector<StringAttr> names;
  for (StringAttr name : dims.getNames())
    names.push_back(StringAttr::get(context, change(name.getValue())));
  bool isNamed =
      llvm::any_of(names, [](StringAttr name) { return !name.empty(); });
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                               isNamed ? DimsAttr::get(context, names)
                                       : DimsAttr());
}

Type invar::onnx::withoutMadeUpNames(Type type) {
  return mapNames(type, [](StringRef name) {
    return mentionsMadeUp(name) ? std::string() : name.str();
  });
}

/// Describes a type in one line: long names of sizes are replaced by "…", and the text
/// is truncated.
static std::string describeBriefly(Type type) {
  constexpr size_t longestName = 24, mostText = 120;
  std::string text = describeType(
      mapNames(withoutMadeUpNames(type), [](StringRef name) -> std::string {
        return name.size() > longestName ? "…" : name.str();
      }));
  if (text.size() <= mostText)
    return text;
  return StringRef(text).take_front(mostText).rsplit(',').first.str() + ", …";
}

std::string invar::onnx::describeDiagnostic(const Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const DiagnosticArgument &argument : diagnostic.getArguments()) {
    bool isType =
        argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::Type;
    if (isType && (isa<TensorType>(argument.getAsType()) ||
                   isa<ONNXDialect>(argument.getAsType().getDialect())))
      stream << describeBriefly(argument.getAsType());
    else
      argument.print(stream);
  }
  return text;
}

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
