// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/Const/Const.h"

#include "invar/Elements/IR/ElementsDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

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

ElementsAttr invar::constants::getContent(Value value) {
  if (auto ref = value.getDefiningOp<RefOp>())
    return ref.getValueAttr();
  ElementsAttr content;
  return matchPattern(value, m_Constant(&content)) ? content : ElementsAttr();
}

//===-- The store -------------------------------------------------------------===//

StoreOp StoreOp::find(ModuleOp module) {
  auto stores = module.getOps<StoreOp>();
  return stores.empty() ? StoreOp() : *stores.begin();
}

StoreOp StoreOp::getOrCreate(ModuleOp module) {
  if (StoreOp store = find(module))
    return store;
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  auto store = StoreOp::create(builder, module.getLoc());
  store.getBody().emplaceBlock();
  return store;
}

EntryOp StoreOp::getEntry(int64_t index) {
  auto entries = getBody().getOps<EntryOp>();
  if (index < 0 || index >= std::distance(entries.begin(), entries.end()))
    return nullptr;
  return *std::next(entries.begin(), index);
}

LogicalResult StoreOp::verifyRegions() {
  for (Operation &op : getBody().front())
    if (!isa<EntryOp>(op))
      return op.emitOpError("expected entries in a store");
  auto module = cast<ModuleOp>((*this)->getParentOp());
  if (StoreOp::find(module) != *this)
    return emitOpError("expected to be the only store of its module");
  return success();
}

LogicalResult EntryOp::verify() {
  if (!getValueAttr() && !getNameAttr())
    return emitOpError("expected a name, content, or both");
  if (getValueAttr() && getValueAttr().getShapedType() != getType())
    return emitOpError("expected content of type ")
           << getType() << ", but got " << getValueAttr().getShapedType();
  return success();
}

//===-- References ------------------------------------------------------------===//

void RefOp::build(OpBuilder &, OperationState &state, Type type,
                  ElementsAttr value) {
  state.getOrAddProperties<Properties>().value = value;
  state.addTypes(type);
}

void RefOp::build(OpBuilder &builder, OperationState &state, Type type,
                  int64_t index, ArrayRef<int64_t> offsets) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.index = builder.getI64IntegerAttr(index);
  if (!offsets.empty())
    properties.offsets = builder.getDenseI64ArrayAttr(offsets);
  state.addTypes(type);
}

/// The type is part of the content; after a number it follows a colon.
ParseResult RefOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getNameLoc();
  if (parser.parseOptionalAttrDict(result.attributes) ||
      failed(result.name.verifyInherentAttrs(
          result.attributes, [&] { return parser.emitError(loc); })))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  int64_t index;
  OptionalParseResult number = parser.parseOptionalInteger(index);
  if (!number.has_value()) {
    if (parser.parseAttribute(properties.value))
      return failure();
    result.addTypes(properties.value.getShapedType());
    return success();
  }
  Type type;
  if (failed(*number))
    return failure();
  properties.index = parser.getBuilder().getI64IntegerAttr(index);
  SmallVector<int64_t> offsets;
  bool hasOffsets = succeeded(parser.parseOptionalLSquare());
  if (hasOffsets) {
    auto parseOffset = [&] {
      return parser.parseInteger(offsets.emplace_back());
    };
    if (parser.parseCommaSeparatedList(parseOffset) || parser.parseRSquare())
      return failure();
    properties.offsets = parser.getBuilder().getDenseI64ArrayAttr(offsets);
  }
  if (parser.parseColonType(type))
    return failure();
  result.addTypes(type);
  return success();
}

void RefOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << " ";
  if (getValueAttr()) {
    printer.printAttribute(getValueAttr());
    return;
  }
  printer << *getIndex();
  if (getOffsetsAttr()) {
    printer << " [";
    llvm::interleaveComma(*getOffsets(), printer);
    printer << "]";
  }
  printer << " : " << getType();
}

LogicalResult RefOp::verify() {
  if (bool(getValueAttr()) == bool(getIndexAttr()))
    return emitOpError("expected content or the number of an entry, and not "
                       "both");
  if (getValueAttr() && getValueAttr().getShapedType() != getType())
    return emitOpError("expected content of type ")
           << getType() << ", but got " << getValueAttr().getShapedType();
  if (getOffsetsAttr() && !getIndexAttr())
    return emitOpError("expected a part of an entry, but got one of content");
  return success();
}

LogicalResult DecodeOp::verify() {
  if (!getBytes().getType().hasStaticShape())
    return emitOpError("expected a known number of bytes, but got ")
           << getBytes().getType();
  Type element = getType().getElementType();
  if (!element.isIntOrFloat())
    return emitOpError("expected to decode integers or floats, but got ")
           << element;
  return success();
}

/// Checks that the entry exists and that the part lies within it.
LogicalResult RefOp::verifySymbolUses(SymbolTableCollection &) {
  if (!getIndexAttr())
    return success();
  auto module = (*this)->getParentOfType<ModuleOp>();
  StoreOp store = module ? StoreOp::find(module) : StoreOp();
  EntryOp entry = store ? store.getEntry(*getIndex()) : EntryOp();
  if (!entry)
    return emitOpError("expected the number of an entry of the module's "
                       "store, but got ")
           << *getIndex();
  auto whole = cast<RankedTensorType>(entry.getType());
  auto part = cast<RankedTensorType>(getType());
  if (!getOffsetsAttr())
    return whole == part ? success()
                         : emitOpError("expected the entry's type ")
                               << whole << ", but got " << part;
  ArrayRef<int64_t> offsets = *getOffsets();
  bool isPart = whole.getElementType() == part.getElementType() &&
                whole.getRank() == part.getRank() &&
                int64_t(offsets.size()) == whole.getRank();
  for (int64_t axis = 0; isPart && axis < whole.getRank(); ++axis)
    isPart = offsets[axis] >= 0 &&
             offsets[axis] <= whole.getDimSize(axis) - part.getDimSize(axis);
  return isPart ? success()
                : emitOpError("expected a part of ")
                      << whole << ", but got " << part << " from [" << offsets
                      << "]";
}
