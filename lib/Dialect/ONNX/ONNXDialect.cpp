// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/ONNXDialect.h"

#include "invar/Dialect/ONNX/Families.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar::onnx;

#include "invar/Dialect/ONNX/ONNXDialect.cpp.inc"
#include "invar/Dialect/ONNX/ONNXInterfaces.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "invar/Dialect/ONNX/ONNXTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "invar/Dialect/ONNX/ONNXAttributes.cpp.inc"

void ONNXDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "invar/Dialect/ONNX/ONNXTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "invar/Dialect/ONNX/ONNXAttributes.cpp.inc"
      >();
  addAllFamilies(*this);
}

Attribute ParameterAttr::parse(AsmParser &parser, Type) {
  std::string name;
  unsigned kind = 0;
  if (parser.parseLess() || parser.parseString(&name) || parser.parseComma() ||
      parser.parseInteger(kind) || parser.parseGreater())
    return {};
  if (kind > unsigned(AttributeKind::TypeProtos)) {
    parser.emitError(parser.getNameLoc())
        << "expected the number of an attribute type, but got " << kind;
    return {};
  }
  return get(parser.getContext(), name, AttributeKind(kind));
}

void ParameterAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printString(getName());
  printer << ", " << unsigned(getKind()) << '>';
}
