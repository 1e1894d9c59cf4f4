// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the reductions of the family do to the elements that they bring together. A
// reduction is a state that takes one element after another and gives the result, where
// it is told how many there were:
//
//   struct Sum { T total = 0; void add(T x) { total += x; } T get(int64_t) { … } };
//
// T is double, int64_t or uint64_t: sums of floats lose nothing to the order in which they
// are made, and integers wrap when they are narrowed, which is the same as wrapping each
// time.
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
/// The largest, or NaN if one is; of no elements, the lowest there is.
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
/// The greatest exponent is taken out, so that nothing overflows.
template <typename T> struct LogSumExp {
  T most = -std::numeric_limits<T>::infinity();
  T total = 0;
  void add(T x) {
    if (x == most) {
      total += 1; // Also where both are infinite and have no difference.
    } else if (x > most) {
      total = total * std::exp(most - x) + 1;
      most = x;
    } else {
      total += std::exp(x - most); // NaN, too.
    }
  }
  T get(int64_t) const { return std::log(total) + most; }
};

} // namespace invar::onnx::reduction

#endif // INVAR_LIB_DIALECT_ONNX_OPS_REDUCTIONS_H
