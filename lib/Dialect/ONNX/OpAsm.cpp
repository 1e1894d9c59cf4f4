// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The assembly syntax, which is the same for all operators:
//
//   %y, %m = onnx.MaxPool(%x) {kernel_shape = array<i64: 2, 2>}
//       : (tensor<1x3x8x8xf32>) -> (tensor<1x3x4x4xf32>, tensor<1x3x4x4xi64>)
//
// `_` stands for an optional operand or result that is left out. Regions follow in the
// order of the schema's graphs. Segment sizes are derived and never printed.
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Schema.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace invar::onnx;

static constexpr StringLiteral operandSizes = "operandSegmentSizes";
static constexpr StringLiteral resultSizes = "resultSegmentSizes";

static void printOperator(Operation *op, OpAsmPrinter &printer) {
  printer << '(';
  llvm::interleaveComma(getOperandSlots(op), printer, [&](Value operand) {
    if (operand)
      printer << operand;
    else
      printer << '_';
  });
  printer << ')';
  printer.printOptionalAttrDict(op->getAttrs(), {operandSizes, resultSizes});
  printer << " : (";
  llvm::interleaveComma(op->getOperandTypes(), printer);
  printer << ") -> ";
  SmallVector<Value> results = getResultSlots(op);
  bool bare = results.size() == 1 && !isa<FunctionType>(results[0].getType());
  if (!bare)
    printer << '(';
  llvm::interleaveComma(results, printer, [&](Value result) {
    if (result)
      printer << result.getType();
    else
      printer << '_';
  });
  if (!bare)
    printer << ')';
  for (Region &region : op->getRegions()) {
    printer << ' ';
    printer.printRegion(region);
  }
}

/// Parses one item of a list that may be `_`; `parse` reads anything else.
static ParseResult parseSlot(OpAsmParser &parser,
                             SmallVectorImpl<bool> &present,
                             llvm::function_ref<ParseResult()> parse) {
  present.push_back(failed(parser.parseOptionalKeyword("_")));
  return present.back() ? parse() : success();
}

/// Adds the segment sizes to an operation whose formals need them.
static ParseResult addSegments(OpAsmParser &parser, OperationState &state,
                               SMLoc loc, ArrayRef<Formal> formals,
                               ArrayRef<bool> present, StringRef property,
                               StringRef what) {
  auto sizes = getSegmentSizes(
      formals, present, [&] { return parser.emitError(loc); }, what);
  if (failed(sizes))
    return failure();
  auto isFlexible = [](const Formal &formal) {
    return formal.kind != FormalKind::Single;
  };
  if (llvm::count_if(formals, isFlexible) > 1)
    state.addAttribute(property,
                       parser.getBuilder().getDenseI32ArrayAttr(*sizes));
  return success();
}

static ParseResult parseOperator(OpAsmParser &parser, OperationState &state) {
  const OpSchema &schema =
      state.name.getInterface<SchemaOpInterface>()->getSchema();
  SMLoc loc = parser.getNameLoc();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> operandTypes, resultTypes;
  SmallVector<bool> operandPresent, resultPresent;
  if (parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Paren,
          [&] {
            return parseSlot(parser, operandPresent, [&] {
              return parser.parseOperand(operands.emplace_back());
            });
          }) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
      parser.parseLParen() ||
      (failed(parser.parseOptionalRParen()) &&
       (parser.parseTypeList(operandTypes) || parser.parseRParen())) ||
      parser.parseArrow())
    return failure();
  auto parseResult = [&] {
    return parseSlot(parser, resultPresent, [&] {
      return parser.parseType(resultTypes.emplace_back());
    });
  };
  if (succeeded(parser.parseOptionalLParen())) {
    if (failed(parser.parseOptionalRParen()) &&
        (parser.parseCommaSeparatedList(parseResult) || parser.parseRParen()))
      return failure();
  } else if (parseResult()) {
    return failure();
  }
  for (size_t i = 0; i < schema.graphs.size(); ++i)
    if (parser.parseRegion(*state.addRegion()))
      return failure();
  state.addTypes(resultTypes);
  // Without this check, an attribute of the wrong kind would be dropped silently.
  if (failed(state.name.verifyInherentAttrs(
          state.attributes, [&] { return parser.emitError(loc); })))
    return failure();
  return failure(
      parser.resolveOperands(operands, operandTypes, loc, state.operands) ||
      addSegments(parser, state, loc, schema.operands, operandPresent,
                  operandSizes, "operand") ||
      addSegments(parser, state, loc, schema.results, resultPresent,
                  resultSizes, "result"));
}

std::optional<Dialect::ParseOpHook>
ONNXDialect::getParseOperationHook(StringRef name) const {
  auto info = RegisteredOperationName::lookup(name, getContext());
  if (!info || !info->hasInterface<SchemaOpInterface>())
    return Dialect::getParseOperationHook(name);
  return ParseOpHook(parseOperator);
}

llvm::unique_function<void(Operation *, OpAsmPrinter &)>
ONNXDialect::getOperationPrinter(Operation *op) const {
  if (!isa<SchemaOpInterface>(op))
    return Dialect::getOperationPrinter(op);
  return printOperator;
}
