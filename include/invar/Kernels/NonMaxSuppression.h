// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_NONMAXSUPPRESSION_H
#define INVAR_KERNELS_NONMAXSUPPRESSION_H

#include "invar/Stop/Stop.h"

#include <cstdint>
#include <optional>
#include <span>

namespace invar::kernels {

template <typename T> struct BoxChoice {
  /// Whether a box is given as its centre and its sizes (x, y, width, height), or as
  /// two corners (y, x, y, x).
  bool isCentered = false;
  /// The maximal number of boxes to choose.
  int64_t most = 0;
  /// Two boxes overlap if their intersection is more than this part of their union.
  T overlap = 0;
  /// Only boxes with a greater score are considered.
  std::optional<T> score;
};

/// Chooses boxes, the best first, such that none overlaps a better chosen one. Returns
/// their number, and writes their indices to `chosen`, which must have room for all
/// boxes. `boxes` has four elements for each box, `scores` one. If it is stopped, fewer
/// boxes are chosen.
template <typename T>
int64_t chooseBoxes(const T *boxes, const T *scores, const BoxChoice<T> &choice,
                    std::span<int64_t> chosen, Stop *stop = nullptr);

} // namespace invar::kernels

#endif // INVAR_KERNELS_NONMAXSUPPRESSION_H
