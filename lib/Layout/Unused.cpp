// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Unused.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

void invar::eraseUnused(func::FuncOp function) {
  function->walk<WalkOrder::PreOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op)) {
      op->erase();
      return WalkResult::skip();
    }
    // Nothing unused is in the bodies of these.
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
  });
}
