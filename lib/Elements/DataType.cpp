// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/DataType.h"

#include <array>

using namespace invar;

namespace {
struct Facts {
  const char *name;
  NumberKind kind;
  uint8_t bits;
  uint8_t lane;
};
} // namespace

// Indexed by the type's number.
static constexpr std::array<Facts, 29> table = {{
    {"", NumberKind::Bool, 0, 0},
    {"float", NumberKind::Float, 32, 4},
    {"uint8", NumberKind::Unsigned, 8, 1},
    {"int8", NumberKind::Signed, 8, 1},
    {"uint16", NumberKind::Unsigned, 16, 2},
    {"int16", NumberKind::Signed, 16, 2},
    {"int32", NumberKind::Signed, 32, 4},
    {"int64", NumberKind::Signed, 64, 8},
    {"string", NumberKind::String, 0, sizeof(llvm::StringRef)},
    {"bool", NumberKind::Bool, 8, 1},
    {"float16", NumberKind::Float, 16, 2},
    {"double", NumberKind::Float, 64, 8},
    {"uint32", NumberKind::Unsigned, 32, 4},
    {"uint64", NumberKind::Unsigned, 64, 8},
    {"complex64", NumberKind::Complex, 64, 8},
    {"complex128", NumberKind::Complex, 128, 16},
    {"bfloat16", NumberKind::Float, 16, 2},
    {"float8e4m3fn", NumberKind::Float, 8, 1},
    {"float8e4m3fnuz", NumberKind::Float, 8, 1},
    {"float8e5m2", NumberKind::Float, 8, 1},
    {"float8e5m2fnuz", NumberKind::Float, 8, 1},
    {"uint4", NumberKind::Unsigned, 4, 1},
    {"int4", NumberKind::Signed, 4, 1},
    {"float4e2m1", NumberKind::Float, 4, 1},
    {"float8e8m0", NumberKind::Float, 8, 1},
    {"uint2", NumberKind::Unsigned, 2, 1},
    {"int2", NumberKind::Signed, 2, 1},
    {"float6e2m3", NumberKind::Float, 6, 1},
    {"float6e3m2", NumberKind::Float, 6, 1},
}};

static const Facts &factsOf(DataType type) {
  return table[static_cast<size_t>(type)];
}

std::optional<DataType> invar::dataTypeFromNumber(int64_t number) {
  if (number < 1 || number >= static_cast<int64_t>(table.size()))
    return std::nullopt;
  return static_cast<DataType>(number);
}

llvm::StringRef invar::getName(DataType type) { return factsOf(type).name; }

std::optional<DataType> invar::dataTypeFromName(llvm::StringRef name) {
  for (DataType type : allDataTypes)
    if (name == getName(type))
      return type;
  return std::nullopt;
}

NumberKind invar::getKind(DataType type) { return factsOf(type).kind; }

unsigned invar::getBitWidth(DataType type) { return factsOf(type).bits; }

std::optional<uint64_t> invar::getPackedSize(DataType type, uint64_t count) {
  uint64_t bits = 0;
  if (__builtin_mul_overflow(count, uint64_t(getBitWidth(type)), &bits) ||
      bits > UINT64_MAX - 7)
    return std::nullopt;
  return (bits + 7) / 8;
}

size_t invar::getLaneSize(DataType type) { return factsOf(type).lane; }
