// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Winograd's algorithm for convolutions of 3 x 3 with fewer products. F(m x m, 3 x 3)
// computes m x m neighboring results Y from the filter g and the tile d of (m + 2) x (m
// + 2) elements that they need:
//
//   Y = A^T ((G g G^T) * (B^T d B)) A        * element by element
//
// This takes (m + 2)^2 products, where the direct sums take 9 m^2: 16 instead of 36 for
// m = 2, and 36 instead of 144 for m = 4. The matrices follow from evaluating
// polynomials at 0, 1, -1, for m = 4 also at 2 and -2, and at infinity. The code that
// transforms filters and the code that computes with them are far apart; both use these
// definitions.
#ifndef INVAR_WINOGRAD_WINOGRAD_H
#define INVAR_WINOGRAD_WINOGRAD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace invar {

struct Winograd {
  /// The number of results of a tile along an axis, m.
  unsigned results;
  /// G, row by row: (m + 2) x 3.
  llvm::ArrayRef<double> filter;
  /// A left inverse of G, 3 x (m + 2), which restores a filter. Its elements are
  /// integers, so the restored filter is as exact as the transformed one.
  llvm::ArrayRef<double> inverse;

  /// The number of elements of a tile along an axis.
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

/// Marks an operation that restores a filter from its transformed form. The operand of
/// such an operation is always a transformed filter.
inline constexpr llvm::StringLiteral restoredFilterAttribute =
    "invar.restored_filter";

/// All forms, in ascending order of the transformed filter's size.
inline constexpr Winograd winogradForms[] = {
    {2, winogradFilter2, winogradInverse2},
    {4, winogradFilter4, winogradInverse4},
};

} // namespace invar

#endif // INVAR_WINOGRAD_WINOGRAD_H
