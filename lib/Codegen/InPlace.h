// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the arguments that a kernel may overwrite with its result. The kernel must not
// read an element of such an argument after it has written the result's element at the
// same place.
//
//   y(r, c) = x(r, c) + z(c)                          x, but not z
//   y(n, h, w, o) = sum of x * w + z(n, h, w, o)      z, but not x: a window is read
//   m(r) = max over c of x(r, c)                      x: a row is read several times, but
//   y(r, c) = exp(x(r, c) - m(r))                        before the next is begun
//
// This relies on two properties of all emitters (KernelEmitter.h). Each element of a
// result is written once, after all reads that it depends on. And if a step computes a
// tensor for another step, the tensor's first axes are those of the work units, and each
// index along them is computed on its own.
#ifndef INVAR_LIB_CODEGEN_INPLACE_H
#define INVAR_LIB_CODEGEN_INPLACE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace invar {

/// The numbers of such arguments, ascending.
llvm::SmallVector<int64_t> findOverwritable(mlir::func::FuncOp kernel);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_INPLACE_H
