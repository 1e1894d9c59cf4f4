// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that a program declares, and the check of values against them. Messages print a
// type as tensor(float)[N,3,?], and a type of unknown rank as tensor(float).
#ifndef INVAR_RUNTIME_TYPE_H
#define INVAR_RUNTIME_TYPE_H

#include "Value.h"
#include "invar-c/Session.h"

#include <string>
#include <vector>

struct InvarType {
  InvarTypeKind kind = INVAR_TYPE_TENSOR;

  // For tensors.
  InvarDataType dataType = INVAR_FLOAT32;
  bool isRanked = false;
  std::vector<int64_t> sizes;      ///< -1 for an open size
  std::vector<const char *> names; ///< null if unnamed

  /// For sequences and optionals, the type of an item; for maps, the type of a value.
  const InvarType *element = nullptr;
  /// For maps.
  InvarDataType keyType = INVAR_INT64;
};

namespace invar::runtime {

using Type = ::InvarType;

std::string describe(const Type &type);
/// Describes a null value as "nothing".
std::string describe(const Value *value);
std::string describeTensor(InvarDataType type, Sizes sizes);

/// The bytes of a tensor of known sizes. None for any other type, and for strings.
std::optional<uint64_t> countBytes(const Type &type);

/// Whether a value, which may be null, has a type. Ignores the names of sizes.
bool matches(const Value *value, const Type &type);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_TYPE_H
