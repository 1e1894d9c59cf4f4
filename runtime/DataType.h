// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime knows of data types: sizes and names, and how one element becomes a
// number of the machine and back (LOAD and STORE of Program.h).
#ifndef INVAR_RUNTIME_DATATYPE_H
#define INVAR_RUNTIME_DATATYPE_H

#include "invar-c/Tensor.h"

#include <cstdint>
#include <optional>

namespace invar::runtime {

/// Bytes of an element in memory; 0 where no data type has the number.
size_t getElementSize(uint32_t type);
/// ONNX's name for it; "?" where no data type has the number.
const char *getName(uint32_t type);

/// The bytes that so many elements of such sizes take; none where a size is negative, or
/// the count or the bytes do not fit an int64_t.
std::optional<int64_t> countElements(const int64_t *sizes, size_t rank);
std::optional<int64_t> countBytes(InvarDataType type, const int64_t *sizes,
                                  size_t rank);

/// The element at an index as a number: integers extended by their sign or by zeros, bools
/// 0 or 1, floats as the bits of a double. None of types that are not such numbers.
std::optional<int64_t> loadNumber(InvarDataType type, const void *elements,
                                  int64_t index);
/// The inverse; integers lose what does not fit, floats round once. False, and nothing is
/// written, where the type is none of those.
bool storeNumber(InvarDataType type, void *elements, int64_t index,
                 int64_t number);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_DATATYPE_H
