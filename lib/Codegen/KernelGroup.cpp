// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelGroup.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace invar;

SmallVector<SmallVector<Operation *>>
invar::groupOperations(func::FuncOp function) {
  SmallVector<SmallVector<Operation *>> groups;
  function.walk([&](linalg::GenericOp op) { groups.push_back({op}); });
  return groups;
}
