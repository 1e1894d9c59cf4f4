// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/IR/ElementsDialect.h"

#include "LazyElementsStorage.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Elements/IR/Pool.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar::elements;

#include "invar/Elements/IR/ElementsDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "invar/Elements/IR/ElementsTypes.cpp.inc"

void ElementsDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "invar/Elements/IR/ElementsTypes.cpp.inc"
      >();
  addAttributes<LazyElementsAttr>();
  addInterfaces<Pool>();
}

// `lazy<` dense `>` is parsed as the dense attribute inside, because there is nothing
// else in it.
Attribute ElementsDialect::parseAttribute(DialectAsmParser &parser,
                                          Type type) const {
  Attribute attribute;
  if (parser.parseKeyword("lazy") || parser.parseLess() ||
      parser.parseAttribute(attribute, type) || parser.parseGreater())
    return {};
  return attribute;
}

void ElementsDialect::printAttribute(Attribute attribute,
                                     DialectAsmPrinter &printer) const {
  auto lazy = cast<LazyElementsAttr>(attribute);
  printer << "lazy<";
  if (lazy.isDisposed())
    printer << "disposed";
  else
    printAsDense(printer, lazy);
  printer << '>';
}
