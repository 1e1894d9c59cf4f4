// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_NUMBERTEXT_H
#define INVAR_KERNELS_NUMBERTEXT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace invar::kernels {

/// A number as text, in the format of Cast and onnxruntime: floats with up to 8 digits;
/// NaN, INF or -INF. For double, int64_t and uint64_t.
template <typename T> std::string printNumber(T number);

/// Parses a whole text, except for spaces around it; rounds once. Floats may be decimal
/// or hexadecimal numbers of any form, infinity, or NaN. Returns none if the text is
/// not a number or the type cannot hold it: too large, or so small that it would be
/// zero. For float, double, int64_t and uint64_t.
template <typename T> std::optional<T> parseNumber(std::string_view text);

} // namespace invar::kernels

#endif // INVAR_KERNELS_NUMBERTEXT_H
