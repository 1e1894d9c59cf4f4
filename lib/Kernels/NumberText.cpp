// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/NumberText.h"

#include <charconv>
#include <cmath>
#include <type_traits>

using namespace invar;

template <typename T> std::string kernels::printNumber(T number) {
  if constexpr (std::is_integral_v<T>) {
    return std::to_string(number);
  } else {
    if (std::isnan(number))
      return "NaN";
    if (std::isinf(number))
      return number < 0 ? "-INF" : "INF";
    constexpr int digits = 8;
    char text[32];
    auto end = std::to_chars(std::begin(text), std::end(text), number,
                             std::chars_format::general, digits);
    return std::string(text, end.ptr);
  }
}

template std::string kernels::printNumber(double number);
template std::string kernels::printNumber(int64_t number);
template std::string kernels::printNumber(uint64_t number);

static std::string_view trim(std::string_view text) {
  constexpr std::string_view spaces = " \t\n\v\f\r";
  size_t first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

static bool consumeFront(std::string_view &text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

template <typename T>
std::optional<T> kernels::parseNumber(std::string_view text) {
  text = trim(text);
  bool isNegative = consumeFront(text, "-");
  if (!isNegative)
    consumeFront(text, "+");
  if (text.starts_with("-") || text.starts_with("+"))
    return std::nullopt;
  T number{};
  std::from_chars_result result{};
  const char *end = text.data() + text.size();
  if constexpr (std::is_integral_v<T>) {
    // Parse the sign with the number: the magnitude of the lowest number does not fit
    // the type.
    if (isNegative)
      text = {text.data() - 1, text.size() + 1};
    result = std::from_chars(text.data(), end, number);
  } else {
    bool isHexadecimal = consumeFront(text, "0x") || consumeFront(text, "0X");
    result = std::from_chars(text.data(), end, number,
                             isHexadecimal ? std::chars_format::hex
                                           : std::chars_format::general);
    number = isNegative ? -number : number;
  }
  if (result.ec != std::errc() || result.ptr != end)
    return std::nullopt;
  return number;
}

template std::optional<float> kernels::parseNumber(std::string_view text);
template std::optional<double> kernels::parseNumber(std::string_view text);
template std::optional<int64_t> kernels::parseNumber(std::string_view text);
template std::optional<uint64_t> kernels::parseNumber(std::string_view text);
