// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/Runtime/Runtime.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar::rt;

#include "invar/Dialect/Runtime/RuntimeDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "invar/Dialect/Runtime/RuntimeTypes.cpp.inc"
#define GET_OP_CLASSES
#include "invar/Dialect/Runtime/Runtime.cpp.inc"

void RuntimeDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "invar/Dialect/Runtime/RuntimeTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "invar/Dialect/Runtime/Runtime.cpp.inc"
      >();
}

void CallOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (getImpure())
    effects.emplace_back(MemoryEffects::Write::get());
}
