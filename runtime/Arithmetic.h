// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic of the program's instructions, for cases that are undefined in
// C++: integers wrap around or saturate, and nothing traps.
#ifndef INVAR_RUNTIME_ARITHMETIC_H
#define INVAR_RUNTIME_ARITHMETIC_H

#include <algorithm>
#include <bit>
#include <cstdint>

namespace invar::runtime {

/// For sizes and positions. A result beyond 64 bits becomes the nearest representable
/// number. This keeps the order, so later min, max and comparisons decide correctly,
/// and a size beyond all memory does not become a small one.
inline int64_t addSaturated(int64_t a, int64_t b) {
  int64_t sum;
  return !__builtin_add_overflow(a, b, &sum) ? sum
         : a < 0                             ? INT64_MIN
                                             : INT64_MAX;
}
inline int64_t subtractSaturated(int64_t a, int64_t b) {
  int64_t difference;
  return !__builtin_sub_overflow(a, b, &difference) ? difference
         : a < 0                                    ? INT64_MIN
                                                    : INT64_MAX;
}
inline int64_t multiplySaturated(int64_t a, int64_t b) {
  int64_t product;
  return !__builtin_mul_overflow(a, b, &product) ? product
         : (a < 0) != (b < 0)                    ? INT64_MIN
                                                 : INT64_MAX;
}

inline int64_t divide(int64_t a, int64_t b) {
  return b == 0 ? 0 : b == -1 ? int64_t(-uint64_t(a)) : a / b;
}
inline int64_t remainder(int64_t a, int64_t b) {
  return b == 0 || b == -1 ? 0 : a % b;
}
inline int64_t divideUnsigned(uint64_t a, uint64_t b) {
  return b == 0 ? 0 : int64_t(a / b);
}
inline int64_t remainderUnsigned(uint64_t a, uint64_t b) {
  return b == 0 ? 0 : int64_t(a % b);
}
inline int64_t floorDivide(int64_t a, int64_t b) {
  return divide(a, b) - int64_t(remainder(a, b) != 0 && (a < 0) != (b < 0));
}
inline int64_t ceilDivide(int64_t a, int64_t b) {
  return divide(a, b) + int64_t(remainder(a, b) != 0 && (a < 0) == (b < 0));
}
inline int64_t shiftLeft(uint64_t a, uint64_t by) {
  return by >= 64 ? 0 : int64_t(a << by);
}
inline int64_t shiftRight(int64_t a, uint64_t by) {
  return a >> std::min<uint64_t>(by, 63);
}
inline int64_t shiftRightUnsigned(uint64_t a, uint64_t by) {
  return by >= 64 ? 0 : int64_t(a >> by);
}
inline int64_t signExtend(int64_t a, uint32_t bits) {
  return int64_t(uint64_t(a) << (64 - bits)) >> (64 - bits);
}
inline int64_t zeroExtend(int64_t a, uint32_t bits) {
  return int64_t(uint64_t(a) << (64 - bits) >> (64 - bits));
}
inline double toDouble(int64_t number) { return std::bit_cast<double>(number); }
inline int64_t fromDouble(double number) {
  return std::bit_cast<int64_t>(number);
}
inline int64_t truncate(double number) {
  if (number != number)
    return 0;
  // Both limits are exact doubles; the upper one is the first that does not fit.
  constexpr double limit = 0x1p63;
  return number < -limit   ? INT64_MIN
         : number >= limit ? INT64_MAX
                           : int64_t(number);
}

} // namespace invar::runtime

#endif // INVAR_RUNTIME_ARITHMETIC_H
