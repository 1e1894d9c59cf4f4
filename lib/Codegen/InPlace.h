// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arguments a kernel may overwrite with its result: those of which it reads nothing
// any more once it has written the element that lies there.
//
//   y(r, c) = x(r, c) + z(c)                          x, but not z
//   y(n, h, w, o) = sum of x * w + z(n, h, w, o)      z, but not x, of which a window is read
//   m(r) = max over c of x(r, c)                      x: a row is read several times, but
//   y(r, c) = exp(x(r, c) - m(r))                        before the next is begun
//
// It rests on what all emitters have in common (KernelEmitter.h): each element of a result
// is written once, behind all that is read for it; and of what a step computes for another,
// the first axes are those of the work units, and an index of theirs is done by itself.
#ifndef INVAR_LIB_CODEGEN_INPLACE_H
#define INVAR_LIB_CODEGEN_INPLACE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace invar {

/// The numbers of such arguments, ascending.
llvm::SmallVector<int64_t> findOverwritable(mlir::func::FuncOp kernel);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_INPLACE_H
