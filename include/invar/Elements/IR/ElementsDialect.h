// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect `elements`: its string type and, in LazyElementsAttr.h and Pool.h, the
// attribute over Elements and the pool that frees unused constants.
#ifndef INVAR_ELEMENTS_IR_ELEMENTSDIALECT_H
#define INVAR_ELEMENTS_IR_ELEMENTSDIALECT_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/Types.h"

#include "invar/Elements/IR/ElementsDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "invar/Elements/IR/ElementsTypes.h.inc"

#endif // INVAR_ELEMENTS_IR_ELEMENTSDIALECT_H
