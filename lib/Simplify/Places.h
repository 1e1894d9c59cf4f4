// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of two operators in a block comes first, while others come and go.
//
// MLIR numbers a block's operators, too, but numbers all of them anew as soon as two have been
// put in at one place. A sweep puts something in nearly everywhere, and would number N
// operators N times. Here numbers lie far apart, and what is new gets one between those of its
// neighbours when somebody asks:
//
//   a 0    b 2^32    c 2^33      then x and y between a and b:     a 0   x 2^32/3   y 2*2^32/3 ...
#ifndef INVAR_LIB_SIMPLIFY_PLACES_H
#define INVAR_LIB_SIMPLIFY_PLACES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace invar {

class Places {
public:
  /// Both are in one block.
  bool isBefore(mlir::Operation *a, mlir::Operation *b) {
    // The first to be numbered may move the numbers of all others.
    getNumber(a);
    uint64_t second = getNumber(b);
    return getNumber(a) < second;
  }
  /// Forgets an operator that goes, or is moved.
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
