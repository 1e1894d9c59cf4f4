// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the commands that run models: conversions of the runtime's values and
// failures.
#ifndef INVAR_TOOLS_INVAR_VALUES_H
#define INVAR_TOOLS_INVAR_VALUES_H

#include "invar-c/Invar.hpp"
#include "invar/Elements/WideNum.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace invar {

/// Converts an error of the runtime, with the matching exit code.
llvm::Error toError(rt::Error error);

template <typename T> llvm::Expected<T> toExpected(rt::Result<T> result) {
  if (!result)
    return toError(std::move(result).moveInto(*result));
  return std::move(*result);
}

/// The data type of a tensor. Both layers use ONNX's numbers.
inline DataType getType(const rt::Value &tensor) {
  return static_cast<DataType>(tensor.dataType());
}

/// A value with its name.
struct NamedValue {
  std::string name;
  rt::Value value;
};

/// Whether a value is a map, or a non-empty sequence of maps.
bool isOfMaps(const rt::Value &value);

/// Splits a value into the parts that are printed and written: a tensor is NAME; the
/// items of a sequence are NAME.0, NAME.1 …; an empty optional has no parts; a value of
/// maps is one part.
std::vector<NamedValue> getParts(llvm::StringRef name, const rt::Value &value);

/// The type of a part, such as "float" for a tensor or "map(int64, float)", and its
/// sizes.
std::string formatType(const rt::Value &part);
std::vector<int64_t> getSizes(const rt::Value &part);

/// "1x3x224x224"; empty for a scalar.
std::string formatSizes(llvm::ArrayRef<int64_t> sizes);

/// Passes the elements of a numeric tensor to `visit`, a piece at a time.
void forEachPiece(
    const rt::Value &tensor,
    llvm::function_ref<void(int64_t begin, llvm::ArrayRef<double>)> visit);

/// Prints a table of the outputs: types, sizes and a few elements.
void printOutputs(llvm::ArrayRef<NamedValue> outputs);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_VALUES_H
