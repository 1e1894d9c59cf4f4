// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the commands that run models share: the runtime's values and failures in the terms
// of this program.
#ifndef INVAR_TOOLS_INVAR_VALUES_H
#define INVAR_TOOLS_INVAR_VALUES_H

#include "invar-c/Invar.hpp"
#include "invar/Elements/WideNum.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace invar {

/// What the runtime says, with the exit code that goes with it.
llvm::Error toError(rt::Error error);

template <typename T> llvm::Expected<T> toExpected(rt::Result<T> result) {
  if (!result)
    return toError(std::move(result).moveInto(*result));
  return std::move(*result);
}

/// The data type of a tensor, whose number both layers take from ONNX.
inline DataType getType(const rt::Value &tensor) {
  return static_cast<DataType>(tensor.dataType());
}

/// A value with the name that it goes by.
struct NamedValue {
  std::string name;
  rt::Value value;
};

/// Whether a value is a map, or a sequence of maps that has one.
bool isOfMaps(const rt::Value &value);

/// What a value is shown and written as: tensors, NAME of a tensor, NAME.0, NAME.1 … of a
/// sequence, none of an optional that has nothing; and what is of maps as a whole.
std::vector<NamedValue> getParts(llvm::StringRef name, const rt::Value &value);

/// The type of a part, "float" of a tensor or "map(int64, float)", and its sizes.
std::string formatType(const rt::Value &part);
std::vector<int64_t> getSizes(const rt::Value &part);

/// "1x3x224x224"; empty for a scalar.
std::string formatSizes(llvm::ArrayRef<int64_t> sizes);

/// Hands the elements of a numeric tensor to `visit`, a piece at a time.
void forEachPiece(
    const rt::Value &tensor,
    llvm::function_ref<void(int64_t begin, llvm::ArrayRef<double>)> visit);

/// A table of the outputs for people: what they are and a few of their elements.
void printOutputs(llvm::ArrayRef<NamedValue> outputs);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_VALUES_H
