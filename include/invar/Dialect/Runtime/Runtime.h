// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime dialect (Runtime.td): services that a program needs from the runtime
// besides running kernels.
#ifndef INVAR_DIALECT_RUNTIME_RUNTIME_H
#define INVAR_DIALECT_RUNTIME_RUNTIME_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "invar/Dialect/Runtime/RuntimeDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "invar/Dialect/Runtime/RuntimeTypes.h.inc"
#define GET_OP_CLASSES
#include "invar/Dialect/Runtime/Runtime.h.inc"

#endif // INVAR_DIALECT_RUNTIME_RUNTIME_H
