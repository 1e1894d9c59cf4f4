// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of numbers that a tensor can have, in the form that loops see:
//
//   bool isNumber = visitNumberType(type, [&](auto number) {
//     using Lane = typename decltype(number)::Lane;
//     …
//   });
#ifndef INVAR_KERNELS_NUMBERTYPES_H
#define INVAR_KERNELS_NUMBERTYPES_H

#include "invar-c/Tensor.h"
#include "invar/Kernels/MiniFloat.h"

#include <cstdint>
#include <type_traits>

namespace invar::kernels {

template <InvarDataType T, typename L, unsigned B> struct NumberType {
  static constexpr InvarDataType type = T;
  using Lane = L;
  static constexpr unsigned bits = B;

  static constexpr bool isFloat = isMiniFloat<L> || std::is_floating_point_v<L>;
  static constexpr bool isBool = std::is_same_v<L, bool>;
  static constexpr bool isInteger = std::is_integral_v<L> && !isBool;

  /// Wraps a computed lane to the range of an integer type of less than 8 bits, as
  /// integers of every width do.
  static constexpr L wrap(L lane) {
    if constexpr (isInteger && B < 8) {
      constexpr unsigned spare = 8 - B;
      return static_cast<L>(static_cast<L>(lane << spare) >> spare);
    } else {
      return lane;
    }
  }
};

/// Calls `visit` with the NumberType of a type. Returns false for types that are not
/// numbers: strings and complex numbers.
template <typename Visit>
bool visitNumberType(InvarDataType type, Visit &&visit) {
  switch (type) {
#define INVAR_NUMBER(NAME, DATA_TYPE, LANE, BITS)                              \
  case INVAR_##DATA_TYPE:                                                      \
    visit(NumberType<INVAR_##DATA_TYPE, LANE, BITS>());                        \
    return true;
#include "invar/Kernels/NumberTypes.def"
  default:
    return false;
  }
}

} // namespace invar::kernels

#endif // INVAR_KERNELS_NUMBERTYPES_H
