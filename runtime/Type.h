// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types as a program states them, and how values are checked against them. In messages a
// type reads tensor(float)[N,3,?], and one of any rank tensor(float).
#ifndef INVAR_RUNTIME_TYPE_H
#define INVAR_RUNTIME_TYPE_H

#include "Value.h"
#include "invar-c/Session.h"

#include <string>
#include <vector>

struct InvarType {
  InvarTypeKind kind = INVAR_TYPE_TENSOR;

  // Of tensors.
  InvarDataType dataType = INVAR_FLOAT32;
  bool isRanked = false;
  std::vector<int64_t> sizes;      ///< -1 where any will do
  std::vector<const char *> names; ///< null where there is none

  /// Of sequences and optionals, what is in them; of maps, a value.
  const InvarType *element = nullptr;
  /// Of maps.
  InvarDataType keyType = INVAR_INT64;
};

namespace invar::runtime {

using Type = ::InvarType;

std::string describe(const Type &type);
/// A null value is nothing.
std::string describe(const Value *value);
std::string describeTensor(InvarDataType type, Sizes sizes);

/// Bytes of a tensor of known sizes; none of anything else, and of strings.
std::optional<uint64_t> countBytes(const Type &type);

/// Whether a value, which may be null, is of a type. Names of sizes do not count here.
bool matches(const Value *value, const Type &type);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_TYPE_H
