// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transforms of lengths that are products of 2, 3, 4 and 5, with one pass for each
// factor (Cooley and Tukey, in the order of Stockham, which needs no permutation at the
// end). A pass of radix r treats the line as `inner` x r x `outer` numbers, transforms
// the r numbers, multiplies them by roots of unity, and stores them as `inner` x
// `outer` x r for the next pass.
#ifndef INVAR_LIB_KERNELS_SMOOTHFOURIER_H
#define INVAR_LIB_KERNELS_SMOOTHFOURIER_H

#include "invar/Kernels/LargePages.h"
#include <complex>
#include <cstdint>
#include <vector>

namespace invar::kernels {

template <typename T> class SmoothFourier {
public:
  using Complex = std::complex<T>;

  /// Has no passes if the length has other factors.
  explicit SmoothFourier(int64_t length);

  explicit operator bool() const { return !passes.empty(); }

  /// Transforms a line in place; `scratch` has the same length.
  void transform(Complex *line, Complex *scratch, bool inverse) const;

private:
  struct Pass {
    int64_t radix, inner, outer;
    /// For number j (from 1) of the radix at place i (from 1) of the inner axis. The
    /// inverse transform uses their conjugates.
    LargeVector<Complex> roots;
  };
  template <bool inverse>
  static void run(const Pass &pass, const Complex *from, Complex *to);

  int64_t length;
  std::vector<Pass> passes;
};

} // namespace invar::kernels

#endif // INVAR_LIB_KERNELS_SMOOTHFOURIER_H
