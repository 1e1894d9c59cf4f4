// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_NONMAXSUPPRESSION_H
#define INVAR_KERNELS_NONMAXSUPPRESSION_H

#include "invar/Stop/Stop.h"

#include <cstdint>
#include <optional>
#include <span>

namespace invar::kernels {

template <typename T> struct BoxChoice {
  /// Whether a box is its centre and its sizes (x, y, width, height), or two corners
  /// (y, x, y, x).
  bool isCentered = false;
  /// How many boxes to choose at most.
  int64_t most = 0;
  /// Boxes whose intersection is a greater part of their union than this overlap.
  T overlap = 0;
  /// Only boxes with a greater score count.
  std::optional<T> score;
};

/// Chooses boxes, the best first, of which none overlaps a better one, and returns how many.
/// Their numbers are written to `chosen`, memory for a number for each box. `boxes` has four
/// elements for each, `scores` one. Fewer are chosen where it is stopped.
template <typename T>
int64_t chooseBoxes(const T *boxes, const T *scores, const BoxChoice<T> &choice,
                    std::span<int64_t> chosen, Stop *stop = nullptr);

} // namespace invar::kernels

#endif // INVAR_KERNELS_NONMAXSUPPRESSION_H
