// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Cast.h"

#include "invar/Kernels/NumberText.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Numbers.h"

#include <cstring>

using namespace invar;
using namespace invar::runtime;

// Strings

/// The widest C++ type of a kind of numbers, used for printing and parsing.
template <typename Number> static auto widestOf() {
  if constexpr (Number::isFloat)
    return double();
  else if constexpr (std::is_signed_v<typename Number::Lane>)
    return int64_t();
  else
    return uint64_t();
}

static Status printNumbers(CallContext &call, const Tensor &x, Tensor &texts) {
  Status status;
  auto print = [&]<typename T>(T) {
    std::span<const T> numbers;
    if ((status = readNumbers(call, x, numbers)))
      return;
    for (int64_t i = 0; i < x.getCount(); ++i)
      if (!texts.setString(i, kernels::printNumber(numbers[size_t(i)]))) {
        status = explainNoStrings();
        return;
      }
  };
  bool areNumbers = kernels::visitNumberType(
      x.getType(), [&](auto number) { print(widestOf<decltype(number)>()); });
  return areNumbers ? std::move(status) : expectNumbers(call, x);
}

static Status noNumber(CallContext &call, std::string_view text) {
  constexpr size_t shown = 40;
  return call.fail("expected a number that the type holds, but got '",
                   text.substr(0, shown), "'");
}

/// Whether a type can represent an integer; for bool, any integer is accepted.
template <typename Number, typename T> static bool holds(T number) {
  if constexpr (Number::isInteger) {
    using Lane = typename Number::Lane;
    return T(Number::wrap(static_cast<Lane>(number))) == number;
  }
  return true;
}

/// Narrower floats are parsed as float and then converted, like other runtimes do.
template <typename Number> static auto parsedOf() {
  if constexpr (Number::isFloat && Number::type != INVAR_FLOAT64)
    return float();
  else if constexpr (Number::isBool)
    return int64_t();
  else
    return widestOf<Number>();
}

static Status parseNumbers(CallContext &call, const Tensor &texts,
                           InvarDataType type) {
  Status status;
  auto parse = [&]<typename Number, typename T>(Number, T) {
    NumberResult<T> parsed;
    if ((status = parsed.allocate(call, 0, type, texts.getSizes())))
      return;
    for (int64_t i = 0; i < texts.getCount(); ++i) {
      auto number = kernels::parseNumber<T>(texts.getString(i));
      if (!number || !holds<Number>(*number)) {
        status = noNumber(call, texts.getString(i));
        return;
      }
      parsed[i] = *number;
    }
    status = parsed.finish(call);
  };
  bool areNumbers = kernels::visitNumberType(
      type, [&](auto number) { parse(number, parsedOf<decltype(number)>()); });
  if (!areNumbers)
    return call.fail("expected numbers to cast to, but got elements of ",
                     getName(type));
  return status;
}

// Casts

Status runtime::callCast(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  InvarDataType type = call.getResultType(0).dataType;
  if (x.getType() == type) {
    call.setResult(0, call.getOperand(0));
    return Status::success();
  }
  if (x.getType() == INVAR_STRING)
    return parseNumbers(call, x, type);
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, type, x.getSizes(), result))
    return status;
  if (type == INVAR_STRING)
    return printNumbers(call, x, *result);
  for (const Tensor *tensor : {&x, static_cast<const Tensor *>(result)})
    if (Status status = expectNumbers(call, *tensor))
      return status;
  return convertNumbers(
      call, x.getType(), x.getData(), type, result->getData(), x.getCount(),
      {.saturate = call.getInt("wraps") == 0,
       .scaleRounding = ScaleRounding(call.getInt("scale_rounding"))});
}

/// The number of bits of an element; 0 for strings.
static unsigned countBits(InvarDataType type) {
  unsigned bits = type == INVAR_STRING ? 0 : unsigned(getElementSize(type)) * 8;
  kernels::visitNumberType(type, [&](auto number) { bits = number.bits; });
  return bits;
}

/// Normalizes the bytes of elements to the form of a type: integers of less than 8 bits
/// are extended, and a bool is 0 or 1.
static void normalizeBytes(InvarDataType type, std::span<uint8_t> bytes) {
  unsigned bits = countBits(type);
  uint8_t mask = bits < 8 ? uint8_t((1u << bits) - 1) : UINT8_MAX;
  uint8_t sign =
      type == INVAR_INT4 || type == INVAR_INT2 ? uint8_t(1u << (bits - 1)) : 0;
  if (type == INVAR_BOOL)
    for (uint8_t &byte : bytes)
      byte = byte != 0;
  else if (bits < 8)
    for (uint8_t &byte : bytes)
      byte = uint8_t(((byte & mask) ^ sign) - sign);
}

Status runtime::callBitCast(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  InvarDataType type = call.getResultType(0).dataType;
  if (x.getType() == type) {
    call.setResult(0, call.getOperand(0));
    return Status::success();
  }
  if (!countBits(type) || countBits(type) != countBits(x.getType()))
    return call.fail("expected elements of ", countBits(type),
                     " bits to see as ", getName(type), ", but got ",
                     describe(&x));
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, type, x.getSizes(), result))
    return status;
  std::memcpy(result->getData(), x.getData(), x.getBytes());
  if (getElementSize(type) == 1)
    normalizeBytes(type, {result->getData<uint8_t>(), result->getBytes()});
  return Status::success();
}
