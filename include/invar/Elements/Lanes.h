// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *lane* is what a loop computes with: the C++ type of one element. Most
// lanes are the element as it lies in memory. These are not:
//
//   int2, int4     int8_t, sign-extended; packed in memory
//   uint2, uint4   uint8_t; packed in memory
//   float4, 6      a byte with the pattern in its low bits; packed in memory
//   bool           bool, always 0 or 1; in memory any byte but 0 is true
//   string         llvm::StringRef into memory that the tensor keeps alive
//
// So two data types can share a lane type (int4 and int8), and code is
// instantiated by data type, not by lane:
//
//   dispatch(type, [&](auto tag) {
//     using Lane = typename decltype(tag)::Lane;
//     …
//   });
#ifndef INVAR_ELEMENTS_LANES_H
#define INVAR_ELEMENTS_LANES_H

#include "invar/Elements/DataType.h"
#include "invar/Elements/MiniFloat.h"
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
#define INVAR_LANE(TYPE, LANE)                                                 \
  template <> struct LaneTraits<DataType::TYPE> {                              \
    using Lane = LANE;                                                         \
  };
INVAR_LANE(Float32, float)
INVAR_LANE(UInt8, uint8_t)
INVAR_LANE(Int8, int8_t)
INVAR_LANE(UInt16, uint16_t)
INVAR_LANE(Int16, int16_t)
INVAR_LANE(Int32, int32_t)
INVAR_LANE(Int64, int64_t)
INVAR_LANE(String, llvm::StringRef)
INVAR_LANE(Bool, bool)
INVAR_LANE(Float16, ::invar::Float16)
INVAR_LANE(Float64, double)
INVAR_LANE(UInt32, uint32_t)
INVAR_LANE(UInt64, uint64_t)
INVAR_LANE(Complex64, std::complex<float>)
INVAR_LANE(Complex128, std::complex<double>)
INVAR_LANE(BFloat16, ::invar::BFloat16)
INVAR_LANE(Float8E4M3FN, ::invar::Float8E4M3FN)
INVAR_LANE(Float8E4M3FNUZ, ::invar::Float8E4M3FNUZ)
INVAR_LANE(Float8E5M2, ::invar::Float8E5M2)
INVAR_LANE(Float8E5M2FNUZ, ::invar::Float8E5M2FNUZ)
INVAR_LANE(UInt4, uint8_t)
INVAR_LANE(Int4, int8_t)
INVAR_LANE(Float4E2M1, ::invar::Float4E2M1)
INVAR_LANE(Float8E8M0, ::invar::Float8E8M0)
INVAR_LANE(UInt2, uint8_t)
INVAR_LANE(Int2, int8_t)
INVAR_LANE(Float6E2M3, ::invar::Float6E2M3)
INVAR_LANE(Float6E3M2, ::invar::Float6E3M2)
#undef INVAR_LANE
} // namespace detail

template <DataType T> using LaneOf = typename detail::LaneTraits<T>::Lane;

/// What dispatch() hands to generic code: a data type that is known when
/// compiling.
template <DataType T> struct TypeTag {
  static constexpr DataType type = T;
  using Lane = LaneOf<T>;
};

/// Calls `f` with the TypeTag of `type`.
template <typename F> decltype(auto) dispatch(DataType type, F &&f) {
  switch (type) {
#define INVAR_CASE(TYPE)                                                       \
  case DataType::TYPE:                                                         \
    return std::forward<F>(f)(TypeTag<DataType::TYPE>());
    INVAR_CASE(Float32)
    INVAR_CASE(UInt8)
    INVAR_CASE(Int8)
    INVAR_CASE(UInt16)
    INVAR_CASE(Int16)
    INVAR_CASE(Int32)
    INVAR_CASE(Int64)
    INVAR_CASE(String)
    INVAR_CASE(Bool)
    INVAR_CASE(Float16)
    INVAR_CASE(Float64)
    INVAR_CASE(UInt32)
    INVAR_CASE(UInt64)
    INVAR_CASE(Complex64)
    INVAR_CASE(Complex128)
    INVAR_CASE(BFloat16)
    INVAR_CASE(Float8E4M3FN)
    INVAR_CASE(Float8E4M3FNUZ)
    INVAR_CASE(Float8E5M2)
    INVAR_CASE(Float8E5M2FNUZ)
    INVAR_CASE(UInt4)
    INVAR_CASE(Int4)
    INVAR_CASE(Float4E2M1)
    INVAR_CASE(Float8E8M0)
    INVAR_CASE(UInt2)
    INVAR_CASE(Int2)
    INVAR_CASE(Float6E2M3)
    INVAR_CASE(Float6E3M2)
#undef INVAR_CASE
  }
  llvm_unreachable("a data type outside of its enumeration");
}

/// Whether elements of `type` are read as lanes of C++ type T.
template <typename T> bool hasLane(DataType type) {
  return dispatch(type, [](auto tag) {
    return std::is_same_v<typename decltype(tag)::Lane, T>;
  });
}

/// Whether a WideNum can carry the values of `type`: all but complex numbers
/// and strings.
inline bool isNumeric(DataType type) {
  return getKind(type) <= NumberKind::Float;
}

/// The same question when compiling.
template <typename Tag>
inline constexpr bool isNumericTag =
    !std::is_same_v<typename Tag::Lane, llvm::StringRef> &&
    !std::is_same_v<typename Tag::Lane, std::complex<float>> &&
    !std::is_same_v<typename Tag::Lane, std::complex<double>>;

/// Brings a computed lane back into the range of a packed integer type: it
/// wraps, as integers of every width do.
template <DataType T> constexpr LaneOf<T> wrapLane(LaneOf<T> lane) {
  if constexpr (T == DataType::Int4)
    return static_cast<int8_t>(
        static_cast<int8_t>(static_cast<uint8_t>(lane) << 4) >> 4);
  else if constexpr (T == DataType::Int2)
    return static_cast<int8_t>(
        static_cast<int8_t>(static_cast<uint8_t>(lane) << 6) >> 6);
  else if constexpr (T == DataType::UInt4)
    return lane & 15;
  else if constexpr (T == DataType::UInt2)
    return lane & 3;
  else
    return lane;
}

/// Lanes of the `count` elements from number `begin` on of packed data. `type`
/// is packed.
void unpackLanes(DataType type, const uint8_t *packed, uint64_t begin,
                 size_t count, void *lanes);

/// Packs `count` lanes from the first bit of `packed` on; the last byte's rest
/// is zero.
void packLanes(DataType type, const void *lanes, size_t count, uint8_t *packed);

/// How many elements of `type` fill whole bytes together: 4 for 2 and 6 bits, 2
/// for 4, 1.
unsigned getPackingGroup(DataType type);

} // namespace invar

#endif // INVAR_ELEMENTS_LANES_H
