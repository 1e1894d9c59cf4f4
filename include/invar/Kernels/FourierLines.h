// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_FOURIERLINES_H
#define INVAR_KERNELS_FOURIERLINES_H

#include "invar/Kernels/Fourier.h"

namespace invar::kernels {

/// Lines of real or complex numbers, as DFT and STFT transform them.
struct FourierLines {
  /// A transform takes up to a hundred bytes of memory for each element of its length.
  static constexpr int64_t maxLength = int64_t(1) << 26;

  int64_t length;    ///< Of the transform; lines are cut or padded with zeros.
  int64_t available; ///< How many numbers each line has.
  int64_t parts;     ///< Of each number: 1 (real) or 2 (complex).
  bool inverse;
  /// Whether a line is one half of a symmetric spectrum; the other half mirrors it.
  bool mirrored;
  int64_t made;      ///< How many numbers of each result to write.
  int64_t madeParts; ///< 1 or 2.

  /// Transforms one line. `window`, unless null, has a factor for each number. `line`
  /// and `scratch` are working memory.
  template <typename T>
  void run(const Fourier<T> &fourier, const T *from, const T *window, T *to,
           LargeVector<std::complex<T>> &line,
           LargeVector<std::complex<T>> &scratch) const;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_FOURIERLINES_H
