// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data types in the runtime: sizes, names, and conversion of one element to a machine
// number and back (LOAD and STORE of Program.h).
#ifndef INVAR_RUNTIME_DATATYPE_H
#define INVAR_RUNTIME_DATATYPE_H

#include "invar-c/Tensor.h"

#include <cstdint>
#include <optional>

namespace invar::runtime {

/// Bytes of an element in memory; 0 if no data type has this number.
size_t getElementSize(uint32_t type);
/// ONNX's name of the type; "?" if no data type has this number.
const char *getName(uint32_t type);

/// The elements, and the bytes, of a tensor of these sizes. Returns none if a size is
/// negative, or if the count or the bytes do not fit an int64_t.
std::optional<int64_t> countElements(const int64_t *sizes, size_t rank);
std::optional<int64_t> countBytes(InvarDataType type, const int64_t *sizes,
                                  size_t rank);

/// The element at an index as a number: integers are sign- or zero-extended, bools
/// are 0 or 1, floats are the bits of a double. Returns none for types that are not
/// such numbers.
std::optional<int64_t> loadNumber(InvarDataType type, const void *elements,
                                  int64_t index);
/// The inverse of loadNumber. Integers are truncated to the type, floats are rounded
/// once. Returns false, and writes nothing, for any other type.
bool storeNumber(InvarDataType type, void *elements, int64_t index,
                 int64_t number);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_DATATYPE_H
