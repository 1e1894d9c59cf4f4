// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells which of two operators in a block comes first, while operators are inserted and
// erased.
//
// MLIR also numbers the operators of a block, but renumbers all of them as soon as two
// have been inserted at one place. A sweep inserts almost everywhere, so it would
// number N operators N times. Here numbers are far apart, and a new operator gets a
// number between those of its neighbours when it is first needed:
//
//   a 0    b 2^32    c 2^33      then x and y between a and b:     a 0   x 2^32/3   y 2*2^32/3 ...
#ifndef INVAR_LIB_SIMPLIFY_PLACES_H
#define INVAR_LIB_SIMPLIFY_PLACES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace invar {

class Places {
public:
  /// Both operators must be in one block.
  bool isBefore(mlir::Operation *a, mlir::Operation *b) {
    // Numbering `b` may renumber `a`.
    getNumber(a);
    uint64_t second = getNumber(b);
    return getNumber(a) < second;
  }
  /// Removes an operator that will be erased or moved.
  void forget(mlir::Operation *op) { places.erase(op); }

private:
  struct Place {
    mlir::Block *block;
    uint64_t number;
  };

  const Place *find(mlir::Operation *op) const;
  uint64_t getNumber(mlir::Operation *op);
  void number(mlir::Operation *begin, mlir::Operation *end, uint64_t first,
              uint64_t step);

  llvm::DenseMap<mlir::Operation *, Place> places;
};

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_PLACES_H
