// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/ONNXDialect.h"

#include "FoldHook.h"
#include "invar/Dialect/ONNX/Families.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar;
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
  addInterfaces<FoldHook>();
}

static ParseResult parseKind(AsmParser &parser, AttributeKind &kind) {
  unsigned number = 0;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(number))
    return failure();
  if (number > unsigned(AttributeKind::TypeProtos))
    return parser.emitError(loc)
           << "expected the number of an attribute type, but got " << number;
  kind = AttributeKind(number);
  return success();
}

Attribute ParameterAttr::parse(AsmParser &parser, Type) {
  std::string name;
  AttributeKind kind;
  if (parser.parseLess() || parser.parseString(&name) || parser.parseComma() ||
      parseKind(parser, kind) || parser.parseGreater())
    return {};
  return get(parser.getContext(), name, kind);
}

Attribute ListAttr::parse(AsmParser &parser, Type) {
  AttributeKind kind;
  if (parser.parseLess() || parseKind(parser, kind) || parser.parseGreater())
    return {};
  return get(parser.getContext(), kind);
}

void ListAttr::print(AsmPrinter &printer) const {
  printer << '<' << unsigned(getKind()) << '>';
}

void ParameterAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printString(getName());
  printer << ", " << unsigned(getKind()) << '>';
}
