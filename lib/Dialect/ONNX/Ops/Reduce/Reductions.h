// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reductions of the family. A reduction is a state that receives one element after
// another and returns the result; it then gets the number of elements:
//
//   struct Sum { T total = 0; void add(T x) { total += x; } T get(int64_t) { … } };
//
// T is double, int64_t or uint64_t. So the order of summation hardly affects sums of
// floats. Integers wrap once when they are narrowed, which gives the same result as
// wrapping each time.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_REDUCTIONS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_REDUCTIONS_H

#include "invar/Dialect/ONNX/Elementwise.h"
#include <limits>

namespace invar::onnx::reduction {

template <typename T> struct Sum {
  T total = 0;
  void add(T x) { total += x; }
  T get(int64_t) const { return total; }
};
template <typename T> struct Product {
  T total = 1;
  void add(T x) { total *= x; }
  T get(int64_t) const { return total; }
};
template <typename T> struct Mean {
  T total = 0;
  void add(T x) { total += x; }
  T get(int64_t n) const { return scalar::divide(total, T(n)); }
};
/// The largest element, or NaN if there is one; without elements, the lowest value.
template <typename T> struct Max {
  T most = std::numeric_limits<T>::has_infinity
               ? -std::numeric_limits<T>::infinity()
               : std::numeric_limits<T>::lowest();
  void add(T x) { most = scalar::maximum(most, x); }
  T get(int64_t) const { return most; }
};
template <typename T> struct Min {
  T least = std::numeric_limits<T>::has_infinity
                ? std::numeric_limits<T>::infinity()
                : std::numeric_limits<T>::max();
  void add(T x) { least = scalar::minimum(least, x); }
  T get(int64_t) const { return least; }
};
template <typename T> struct L1 {
  T total = 0;
  void add(T x) { total += x < T(0) ? T(0) - x : x; }
  T get(int64_t) const { return total; }
};
template <typename T> struct SumSquare {
  T total = 0;
  void add(T x) { total += x * x; }
  T get(int64_t) const { return total; }
};
template <typename T> struct L2 {
  double total = 0;
  void add(T x) { total += double(x) * double(x); }
  T get(int64_t) const { return T(std::sqrt(total)); }
};
template <typename T> struct LogSum {
  T total = 0;
  void add(T x) { total += x; }
  T get(int64_t) const { return std::log(total); }
};
/// The greatest exponent is factored out, so that nothing overflows.
template <typename T> struct LogSumExp {
  T most = -std::numeric_limits<T>::infinity();
  T total = 0;
  void add(T x) {
    if (x == most) {
      total += 1; // Also if both are infinite: their difference is NaN.
    } else if (x > most) {
      total = total * std::exp(most - x) + 1;
      most = x;
    } else {
      total += std::exp(x - most); // Also for NaN.
    }
  }
  T get(int64_t) const { return std::log(total) + most; }
};

} // namespace invar::onnx::reduction

#endif // INVAR_LIB_DIALECT_ONNX_OPS_REDUCTIONS_H
