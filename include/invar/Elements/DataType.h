// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element types of ONNX, and their properties that all parts of Invar need: the
// bits that an element takes in memory, the C++ type that a loop computes with (its
// *lane*), and which of three wide numbers holds any of its values without loss.
//
// Invariant: the enumerators are the numbers of ONNX's TensorProto.DataType, so the
// wire format uses them directly; dataTypeFromNumber() checks numbers from the wire.
#ifndef INVAR_ELEMENTS_DATATYPE_H
#define INVAR_ELEMENTS_DATATYPE_H

#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <cstdint>
#include <optional>

namespace invar {

enum class DataType : uint8_t {
  Float32 = 1,
  UInt8 = 2,
  Int8 = 3,
  UInt16 = 4,
  Int16 = 5,
  Int32 = 6,
  Int64 = 7,
  String = 8,
  Bool = 9,
  Float16 = 10,
  Float64 = 11,
  UInt32 = 12,
  UInt64 = 13,
  Complex64 = 14,
  Complex128 = 15,
  BFloat16 = 16,
  Float8E4M3FN = 17,
  Float8E4M3FNUZ = 18,
  Float8E5M2 = 19,
  Float8E5M2FNUZ = 20,
  UInt4 = 21,
  Int4 = 22,
  Float4E2M1 = 23,
  Float8E8M0 = 24,
  UInt2 = 25,
  Int2 = 26,
  Float6E2M3 = 27,
  Float6E3M2 = 28,
};

/// The kind of number that a type holds. A WideNum can hold the first four kinds.
enum class NumberKind : uint8_t {
  Bool,
  Signed,
  Unsigned,
  Float,
  Complex,
  String
};

/// All types, in the order of their numbers.
inline constexpr DataType allDataTypes[] = {
    DataType::Float32,    DataType::UInt8,          DataType::Int8,
    DataType::UInt16,     DataType::Int16,          DataType::Int32,
    DataType::Int64,      DataType::String,         DataType::Bool,
    DataType::Float16,    DataType::Float64,        DataType::UInt32,
    DataType::UInt64,     DataType::Complex64,      DataType::Complex128,
    DataType::BFloat16,   DataType::Float8E4M3FN,   DataType::Float8E4M3FNUZ,
    DataType::Float8E5M2, DataType::Float8E5M2FNUZ, DataType::UInt4,
    DataType::Int4,       DataType::Float4E2M1,     DataType::Float8E8M0,
    DataType::UInt2,      DataType::Int2,           DataType::Float6E2M3,
    DataType::Float6E3M2,
};

/// The type with ONNX's number `number`, or none if there is no such type.
std::optional<DataType> dataTypeFromNumber(int64_t number);

/// ONNX's name in lower case, as in tensor(float8e4m3fn): "float", "int64", "bool".
llvm::StringRef getName(DataType type);
std::optional<DataType> dataTypeFromName(llvm::StringRef name);

NumberKind getKind(DataType type);

/// Bits of one element in raw data: 2, 4 and 6 for the packed types, 8 for bool,
/// 0 for strings, which have no raw data.
unsigned getBitWidth(DataType type);

/// The bytes that `count` elements take as packed raw data; none if that overflows.
std::optional<uint64_t> getPackedSize(DataType type, uint64_t count);

/// The bytes of one lane, the form in which loops see an element. The lane of a packed
/// type takes one byte.
size_t getLaneSize(DataType type);

inline bool isPacked(DataType type) {
  unsigned bits = getBitWidth(type);
  return bits != 0 && bits < 8;
}

} // namespace invar

#endif // INVAR_ELEMENTS_DATATYPE_H
