// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/Const/Const.h"

#include "invar/Elements/IR/ElementsDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace invar::constants;

#include "invar/Dialect/Const/ConstDialect.cpp.inc"
#define GET_OP_CLASSES
#include "invar/Dialect/Const/Const.cpp.inc"

void ConstDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "invar/Dialect/Const/Const.cpp.inc"
      >();
}

Operation *ConstDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getShapedType() != type)
    return nullptr;
  return RefOp::create(builder, loc, type, elements);
}

OpFoldResult RefOp::fold(FoldAdaptor) { return getValue(); }
