// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of 3 x 3 by fewer products, after Winograd: F(m x m, 3 x 3) computes m x m
// neighboring results Y of the tile d of (m + 2) x (m + 2) elements that they need, and of
// the filter g, as
//
//   Y = A^T ((G g G^T) * (B^T d B)) A        * element by element
//
// with (m + 2)^2 products where the sums themselves take 9 m^2: 16 for 36 where m is 2, and
// 36 for 144 where m is 4. The matrices follow from evaluating polynomials at 0, 1, -1, for
// m = 4 also at 2 and -2, and at infinity. Who transforms filters and who computes with
// them, far apart, agree on what stands here.
#ifndef INVAR_SUPPORT_WINOGRAD_H
#define INVAR_SUPPORT_WINOGRAD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace invar {

struct Winograd {
  /// Results of a tile along an axis, m.
  unsigned results;
  /// G, row by row: (m + 2) x 3.
  llvm::ArrayRef<double> filter;
  /// A left inverse of G, 3 x (m + 2), which gives a filter back. Integers, so that this is
  /// as exact as the transformed filter.
  llvm::ArrayRef<double> inverse;

  /// Elements of a tile along an axis.
  unsigned getTile() const { return results + 2; }
};

inline constexpr double winogradFilter2[] = {
    1,   0,    0,   // at 0
    0.5, 0.5,  0.5, // at 1
    0.5, -0.5, 0.5, // at -1
    0,   0,    1,   // at infinity
};
inline constexpr double winogradInverse2[] = {
    1, 0, 0,  0, //
    0, 1, -1, 0, //
    0, 0, 0,  1,
};
inline constexpr double winogradFilter4[] = {
    1. / 4,  0,        0,       // at 0
    -1. / 6, -1. / 6,  -1. / 6, // at 1
    -1. / 6, 1. / 6,   -1. / 6, // at -1
    1. / 24, 1. / 12,  1. / 6,  // at 2
    1. / 24, -1. / 12, 1. / 6,  // at -2
    0,       0,        1,       // at infinity
};
inline constexpr double winogradInverse4[] = {
    4, 0,  0, 0, 0, 0, //
    0, -3, 3, 0, 0, 0, //
    0, 0,  0, 0, 0, 1,
};

/// What an operation that gives a transformed filter back carries: by it, its operand is
/// such a filter, and never any other numbers.
inline constexpr llvm::StringLiteral restoredFilterAttribute =
    "invar.restored_filter";

/// The forms that there are, from those with the smallest filters on.
inline constexpr Winograd winogradForms[] = {
    {2, winogradFilter2, winogradInverse2},
    {4, winogradFilter4, winogradInverse4},
};

} // namespace invar

#endif // INVAR_SUPPORT_WINOGRAD_H
