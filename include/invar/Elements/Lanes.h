// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *lane* is the C++ type of one element in a loop. Most lanes are equal to the
// element in memory. These are not:
//
//   int2, int4     int8_t, sign-extended; packed in memory
//   uint2, uint4   uint8_t; packed in memory
//   float4, 6      a byte with the pattern in its low bits; packed in memory
//   bool           bool, always 0 or 1; in memory any byte but 0 is true
//   string         llvm::StringRef into memory that the tensor keeps alive
//
// So two data types can share a lane type (int4 and int8), and code is instantiated by
// data type, not by lane:
//
//   dispatch(type, [&](auto tag) {
//     using Lane = typename decltype(tag)::Lane;
//     …
//   });
#ifndef INVAR_ELEMENTS_LANES_H
#define INVAR_ELEMENTS_LANES_H

#include "invar/Elements/DataType.h"
#include "invar/Kernels/NumberTypes.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include <complex>
#include <cstdint>
#include <utility>

namespace invar {

// Raw data is little-endian, and is read in place.
static_assert(std::endian::native == std::endian::little);

namespace detail {
template <DataType T> struct LaneTraits;
#define INVAR_NUMBER(TYPE, NUMBER, LANE, BITS)                                 \
  template <> struct LaneTraits<DataType::TYPE> {                              \
    using Lane = LANE;                                                         \
    using Number = kernels::NumberType<INVAR_##NUMBER, LANE, BITS>;            \
    static_assert(Number::type == int(DataType::TYPE));                        \
  };
#include "invar/Kernels/NumberTypes.def"
template <> struct LaneTraits<DataType::String> {
  using Lane = llvm::StringRef;
};
template <> struct LaneTraits<DataType::Complex64> {
  using Lane = std::complex<float>;
};
template <> struct LaneTraits<DataType::Complex128> {
  using Lane = std::complex<double>;
};
} // namespace detail

template <DataType T> using LaneOf = typename detail::LaneTraits<T>::Lane;

/// The argument that dispatch() passes to generic code: a data type known at compile
/// time.
template <DataType T> struct TypeTag {
  static constexpr DataType type = T;
  using Lane = LaneOf<T>;
};

/// Calls `f` with the TypeTag of `type`.
template <typename F> decltype(auto) dispatch(DataType type, F &&f) {
  switch (type) {
#define INVAR_NUMBER(TYPE, NUMBER, LANE, BITS)                                 \
  case DataType::TYPE:                                                         \
    return std::forward<F>(f)(TypeTag<DataType::TYPE>());
#include "invar/Kernels/NumberTypes.def"
  case DataType::String:
    return std::forward<F>(f)(TypeTag<DataType::String>());
  case DataType::Complex64:
    return std::forward<F>(f)(TypeTag<DataType::Complex64>());
  case DataType::Complex128:
    return std::forward<F>(f)(TypeTag<DataType::Complex128>());
  }
  llvm_unreachable("a data type outside of its enumeration");
}

/// Whether elements of `type` are read as lanes of C++ type T.
template <typename T> bool hasLane(DataType type) {
  return dispatch(type, [](auto tag) {
    return std::is_same_v<typename decltype(tag)::Lane, T>;
  });
}

/// Whether a WideNum can hold the values of `type`: all types except complex numbers
/// and strings.
inline bool isNumeric(DataType type) {
  return getKind(type) <= NumberKind::Float;
}

/// The same at compile time.
template <typename Tag>
inline constexpr bool isNumericTag =
    !std::is_same_v<typename Tag::Lane, llvm::StringRef> &&
    !std::is_same_v<typename Tag::Lane, std::complex<float>> &&
    !std::is_same_v<typename Tag::Lane, std::complex<double>>;

/// Wraps a computed lane to the range of a packed integer type, as integers of every
/// width do.
template <DataType T> constexpr LaneOf<T> wrapLane(LaneOf<T> lane) {
  if constexpr (std::is_integral_v<LaneOf<T>>)
    return detail::LaneTraits<T>::Number::wrap(lane);
  else
    return lane;
}

/// Reads the lanes of `count` elements of packed data, beginning with element `begin`.
/// `type` must be packed.
void unpackLanes(DataType type, const uint8_t *packed, uint64_t begin,
                 size_t count, void *lanes);

/// Packs `count` lanes, beginning with the first bit of `packed`. Unused bits of the
/// last byte are zero.
void packLanes(DataType type, const void *lanes, size_t count, uint8_t *packed);

/// The number of elements of `type` that fill whole bytes together: 4 for 2 and 6 bits,
/// 2 for 4 bits, otherwise 1.
unsigned getPackingGroup(DataType type);

} // namespace invar

#endif // INVAR_ELEMENTS_LANES_H
