// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Constant.h"

#include "invar/Dialect/ONNX/Sparse.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

void ConstantOp::build(OpBuilder &, OperationState &state, ElementsAttr value) {
  state.getOrAddProperties<Properties>().value = value;
  state.addTypes(value.getShapedType());
}

// `onnx.Constant` attr-dict value: a lazy value is printed as the equal dense value.
void ConstantOp::print(OpAsmPrinter &printer) {
  ElementsAttr value = getValue();
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                value ? ArrayRef<StringRef>("value")
                                      : ArrayRef<StringRef>());
  printer << ' ';
  if (auto lazy = dyn_cast_or_null<elements::LazyElementsAttr>(value)) {
    elements::printAsDense(printer, lazy);
    printer << " : " << lazy.getType();
  } else if (value) {
    printer << value;
  } else {
    printer << ": " << getType();
  }
}

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &state) {
  SMLoc loc = parser.getNameLoc();
  if (parser.parseOptionalAttrDict(state.attributes) ||
      failed(state.name.verifyInherentAttrs(
          state.attributes, [&] { return parser.emitError(loc); })))
    return failure();
  if (succeeded(parser.parseOptionalColon())) {
    Type type;
    if (parser.parseType(type))
      return failure();
    state.addTypes(type);
    return success();
  }
  ElementsAttr value;
  if (parser.parseAttribute(value))
    return failure();
  state.getOrAddProperties<Properties>().value = value;
  state.addTypes(value.getShapedType());
  return success();
}

/// Returns the attributes that are given.
static SmallVector<Attribute, 1> givenValues(ConstantOp op) {
  SmallVector<Attribute, 1> given;
  for (Attribute attribute :
       {Attribute(op.getValueAttr()), Attribute(op.getSparseValueAttr()),
        Attribute(op.getValueFloatAttr()), Attribute(op.getValueFloatsAttr()),
        Attribute(op.getValueIntAttr()), Attribute(op.getValueIntsAttr()),
        Attribute(op.getValueStringAttr()),
        Attribute(op.getValueStringsAttr())})
    if (attribute)
      given.push_back(attribute);
  return given;
}

LogicalResult ConstantOp::verify() {
  SmallVector<Attribute, 1> given = givenValues(*this);
  if (given.size() != 1)
    return emitOpError("(C1) expected exactly one value attribute, but got ")
           << given.size();
  Type type;
  if (auto value = getValueAttr())
    type = value.getShapedType();
  else if (auto sparse = getSparseValueAttr())
    type = sparse.getType();
  if (type && type != getType() && !isa<UnknownType>(getType()))
    return emitOpError("(C2) expected the result to have the value's type ")
           << type << ", but got " << getType();
  return success();
}

LogicalResult ConstantOp::computeShape(ShapeHelper &shape) {
  auto type = dyn_cast<RankedTensorType>(getType());
  if (ElementsAttr value = getValueAttr())
    type = cast<RankedTensorType>(value.getShapedType());
  else if (SparseAttr sparse = getSparseValueAttr())
    type = sparse.getType();
  if (!type)
    return success();
  shape.setOutputDims(DimsExpr(type.getShape()));
  shape.setElementType(type.getElementType());
  return success();
}

/// Returns the dense form of a small sparse value, such as a shape; null for larger ones.
static Attribute foldSmall(SparseAttr sparse) {
  constexpr int64_t mostElements = 1024;
  FoldOptions options;
  options.maxElements = mostElements;
  llvm::Expected<Elements> dense = expandSparse(sparse, options);
  if (!dense) {
    llvm::consumeError(dense.takeError());
    return nullptr;
  }
  // MLIR cannot compare strings by content.
  if (dense->getType() == DataType::String)
    return nullptr;
  return elements::toDense(
      elements::LazyElementsAttr::get(sparse.getContext(), *dense));
}

OpFoldResult ConstantOp::fold(FoldAdaptor) {
  if (SparseAttr sparse = getSparseValueAttr())
    if (Attribute dense = foldSmall(sparse))
      return dense;
  return givenValues(*this).front();
}

Operation *ONNXDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getShapedType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}
