// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A WideNum holds any number of any real ONNX type without loss, in one of three C++
// types. Generic code (indices, attribute values, rare operators) handles three cases
// instead of the twenty-five types of the standard. The data type of the number, which
// is stored elsewhere, determines which of the three is in use:
//
//   Signed            int64_t
//   Unsigned, Bool    uint64_t
//   Float             double
//
// Only single numbers are wide; tensors stay as narrow as their type.
#ifndef INVAR_ELEMENTS_WIDENUM_H
#define INVAR_ELEMENTS_WIDENUM_H

#include "invar/Elements/Lanes.h"
#include "llvm/ADT/ArrayRef.h"

namespace invar {

union WideNum {
  double f;
  int64_t i;
  uint64_t u;

  static constexpr WideNum ofDouble(double value) { return {.f = value}; }
  static constexpr WideNum ofInt(int64_t value) { return {.i = value}; }
  static constexpr WideNum ofUnsigned(uint64_t value) { return {.u = value}; }
  static constexpr WideNum ofBool(bool value) { return {.u = value ? 1u : 0u}; }

  /// Converts the number, which has the numeric type `type`: integers wrap, floats are
  /// truncated as Cast does (see Cast.h), and toDouble() returns the nearest double.
  int64_t toInt(DataType type) const;
  double toDouble(DataType type) const;

  /// Equality of two values of the same `type`. NaN differs from itself.
  static bool equal(DataType type, WideNum a, WideNum b) {
    return getKind(type) == NumberKind::Float ? a.f == b.f : a.u == b.u;
  }
};

/// One lane as a wide number. The tag determines the data type.
template <typename Tag> constexpr WideNum widen(typename Tag::Lane lane) {
  using Lane = typename Tag::Lane;
  static_assert(isNumericTag<Tag>);
  if constexpr (isMiniFloat<Lane>)
    return WideNum::ofDouble(lane.toDouble());
  else if constexpr (std::is_floating_point_v<Lane>)
    return WideNum::ofDouble(static_cast<double>(lane));
  else if constexpr (std::is_same_v<Lane, bool>)
    return WideNum::ofBool(lane);
  else if constexpr (std::is_signed_v<Lane>)
    return WideNum::ofInt(lane);
  else
    return WideNum::ofUnsigned(lane);
}

/// The lane nearest to a wide number of the same kind: floats round once, to even;
/// integers wrap; a bool is true if the number is not 0.
template <typename Tag> constexpr typename Tag::Lane narrow(WideNum number) {
  using Lane = typename Tag::Lane;
  static_assert(isNumericTag<Tag>);
  if constexpr (isMiniFloat<Lane>)
    return Lane::fromDouble(number.f);
  else if constexpr (std::is_floating_point_v<Lane>)
    return static_cast<Lane>(number.f);
  else if constexpr (std::is_same_v<Lane, bool>)
    return number.u != 0;
  else if constexpr (std::is_signed_v<Lane>)
    return wrapLane<Tag::type>(static_cast<Lane>(number.i));
  else
    return wrapLane<Tag::type>(static_cast<Lane>(number.u));
}

/// The same for arrays of lanes. `type` must be numeric.
void widenLanes(DataType type, const void *lanes,
                llvm::MutableArrayRef<WideNum> numbers);
void narrowLanes(DataType type, llvm::ArrayRef<WideNum> numbers, void *lanes);

} // namespace invar

#endif // INVAR_ELEMENTS_WIDENUM_H
