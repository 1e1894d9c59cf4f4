// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DataType.h"

#include "invar/Kernels/MiniFloat.h"

#include <bit>
#include <iterator>
#include <type_traits>

using namespace invar;
using namespace invar::runtime;

namespace {
struct Facts {
  const char *name;
  size_t size;
};
} // namespace

/// Indexed by ONNX's type numbers.
static constexpr Facts facts[] = {
    {"?", 0},
    {"float", 4},
    {"uint8", 1},
    {"int8", 1},
    {"uint16", 2},
    {"int16", 2},
    {"int32", 4},
    {"int64", 8},
    {"string", sizeof(InvarString)},
    {"bool", 1},
    {"float16", 2},
    {"double", 8},
    {"uint32", 4},
    {"uint64", 8},
    {"complex64", 8},
    {"complex128", 16},
    {"bfloat16", 2},
    {"float8e4m3fn", 1},
    {"float8e4m3fnuz", 1},
    {"float8e5m2", 1},
    {"float8e5m2fnuz", 1},
    {"uint4", 1},
    {"int4", 1},
    {"float4e2m1", 1},
    {"float8e8m0", 1},
    {"uint2", 1},
    {"int2", 1},
    {"float6e2m3", 1},
    {"float6e3m2", 1},
};

static const Facts &getFacts(uint32_t type) {
  return facts[type < std::size(facts) ? type : 0];
}

size_t invar::runtime::getElementSize(uint32_t type) {
  return getFacts(type).size;
}
const char *invar::runtime::getName(uint32_t type) {
  return getFacts(type).name;
}

std::optional<int64_t> invar::runtime::countElements(const int64_t *sizes,
                                                     size_t rank) {
  int64_t count = 1;
  bool isEmpty = false;
  for (size_t axis = 0; axis < rank; ++axis) {
    if (sizes[axis] < 0)
      return std::nullopt;
    isEmpty |= sizes[axis] == 0;
  }
  if (isEmpty)
    return 0;
  for (size_t axis = 0; axis < rank; ++axis)
    if (__builtin_mul_overflow(count, sizes[axis], &count))
      return std::nullopt;
  return count;
}

std::optional<int64_t> invar::runtime::countBytes(InvarDataType type,
                                                  const int64_t *sizes,
                                                  size_t rank) {
  std::optional<int64_t> count = countElements(sizes, rank);
  int64_t bytes = 0;
  if (!count ||
      __builtin_mul_overflow(*count, int64_t(getElementSize(type)), &bytes))
    return std::nullopt;
  return bytes;
}

/// Calls `visit` with a zero of the C++ type that represents elements of `type`.
/// Returns false if they are not machine numbers.
template <typename Visit>
static bool visitNumbers(InvarDataType type, Visit visit) {
  switch (type) {
  case INVAR_FLOAT32:
    return visit(float()), true;
  case INVAR_FLOAT64:
    return visit(double()), true;
  case INVAR_FLOAT16:
    return visit(Float16()), true;
  case INVAR_BFLOAT16:
    return visit(BFloat16()), true;
  case INVAR_BOOL:
  case INVAR_UINT2:
  case INVAR_UINT4:
  case INVAR_UINT8:
    return visit(uint8_t()), true;
  case INVAR_INT2:
  case INVAR_INT4:
  case INVAR_INT8:
    return visit(int8_t()), true;
  case INVAR_UINT16:
    return visit(uint16_t()), true;
  case INVAR_INT16:
    return visit(int16_t()), true;
  case INVAR_UINT32:
    return visit(uint32_t()), true;
  case INVAR_INT32:
    return visit(int32_t()), true;
  case INVAR_UINT64:
    return visit(uint64_t()), true;
  case INVAR_INT64:
    return visit(int64_t()), true;
  default:
    return false;
  }
}

std::optional<int64_t>
runtime::loadNumber(InvarDataType type, const void *elements, int64_t index) {
  int64_t number = 0;
  bool isNumber = visitNumbers(type, [&](auto element) {
    using T = decltype(element);
    element = static_cast<const T *>(elements)[index];
    if constexpr (std::is_integral_v<T>)
      number = int64_t(element);
    else if constexpr (std::is_floating_point_v<T>)
      number = std::bit_cast<int64_t>(double(element));
    else
      number = std::bit_cast<int64_t>(element.toDouble());
  });
  if (!isNumber)
    return std::nullopt;
  return type == INVAR_BOOL ? int64_t(number != 0) : number;
}

/// Wraps an integer to a bool or to less than 8 bits. The conversion to T handles other
/// types.
static int64_t wrap(InvarDataType type, int64_t number) {
  switch (type) {
  case INVAR_BOOL:
    return number != 0;
  case INVAR_UINT2:
    return number & 3;
  case INVAR_UINT4:
    return number & 15;
  case INVAR_INT2:
    return int64_t(uint64_t(number) << 62) >> 62;
  case INVAR_INT4:
    return int64_t(uint64_t(number) << 60) >> 60;
  default:
    return number;
  }
}

bool invar::runtime::storeNumber(InvarDataType type, void *elements,
                                 int64_t index, int64_t number) {
  return visitNumbers(type, [&](auto element) {
    using T = decltype(element);
    if constexpr (std::is_integral_v<T>)
      element = T(wrap(type, number));
    else if constexpr (std::is_floating_point_v<T>)
      element = T(std::bit_cast<double>(number));
    else
      element = T::fromDouble(std::bit_cast<double>(number));
    static_cast<T *>(elements)[index] = element;
  });
}
