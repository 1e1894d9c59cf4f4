// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_NUMBERTEXT_H
#define INVAR_KERNELS_NUMBERTEXT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace invar::kernels {

/// A number as Cast writes it, and onnxruntime does: floats with up to 8 digits, and NaN,
/// INF or -INF. For double, int64_t and uint64_t.
template <typename T> std::string printNumber(T number);

/// What a text says as a whole, but for spaces around it; rounded once. Floats are decimal
/// or hexadecimal numbers of any form, infinite ones, or none. Nothing where it is no
/// number, or one that the type does not hold: too big, or so small that it would be zero.
/// For float, double, int64_t and uint64_t.
template <typename T> std::optional<T> parseNumber(std::string_view text);

} // namespace invar::kernels

#endif // INVAR_KERNELS_NUMBERTEXT_H
