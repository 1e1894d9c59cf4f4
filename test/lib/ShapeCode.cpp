// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ShapeCode.h"

#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace invar;

/// Printed for a size or rank that is not known.
static constexpr int64_t unknown = -1;

//===-- Operands --------------------------------------------------------------===//

/// The type of a tensor's elements in code: integers have no sign there, and of what code
/// does not calculate with only the sizes matter.
static Type toCode(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(type.getContext(), integer.getWidth());
  if (type.isF16() || type.isBF16() || type.isF32() || type.isF64())
    return type;
  return IntegerType::get(type.getContext(), 8);
}

/// The contents of a constant as an attribute that upstream knows; null if it has none.
static DenseElementsAttr toDense(ElementsAttr elements) {
  auto type = RankedTensorType::get(elements.getShapedType().getShape(),
                                    toCode(elements.getElementType()));
  if (isa<IntegerType>(elements.getElementType()))
    if (auto values = elements.tryGetValues<APInt>())
      return DenseElementsAttr::get(type, llvm::to_vector(*values));
  if (elements.getElementType() == type.getElementType())
    if (auto values = elements.tryGetValues<APFloat>())
      return DenseElementsAttr::get(type, llvm::to_vector(*values));
  return nullptr;
}

static bool saysAxes(Operation *op, Value operand) {
  auto schema = dyn_cast<onnx::SchemaOpInterface>(op);
  if (!schema)
    return false;
  for (auto [formal, value] :
       llvm::zip(schema.getSchema().operands, onnx::getOperandSlots(op)))
    if (value == operand && (formal.name == "axes" || formal.name == "axis"))
      return true;
  return false;
}

std::optional<SmallVector<Operand>> invar::readOperands(Operation *op) {
  SmallVector<Operand> operands;
  for (Value value : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape())
      return std::nullopt;
    ElementsAttr elements;
    matchPattern(value, m_Constant(&elements));
    operands.push_back(
        {type, elements ? toDense(elements) : nullptr, saysAxes(op, value)});
  }
  return operands;
}

//===-- Functions -------------------------------------------------------------===//

ShapeCode::ShapeCode(MLIRContext &context)
    : builder(&context), loc(builder.getUnknownLoc()),
      code(ModuleOp::create(loc)) {
  builder.setInsertionPointToEnd(code->getBody());
  auto declare = [&](StringRef name, TypeRange inputs) {
    auto function = func::FuncOp::create(builder, loc, name,
                                         builder.getFunctionType(inputs, {}));
    function.setPrivate();
    return function;
  };
  // Of the runner's own library.
  printNumber = declare("printI64", builder.getI64Type());
  printComma = declare("printComma", {});
  printNewline = declare("printNewline", {});
  main = func::FuncOp::create(builder, loc, "main",
                              builder.getFunctionType({}, {}));
  main.addEntryBlock();
}

Value ShapeCode::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

void ShapeCode::print(Value number) {
  Value wide =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), number);
  func::CallOp::create(builder, loc, printNumber, wide);
  func::CallOp::create(builder, loc, printComma, ValueRange());
}

std::optional<unsigned> ShapeCode::emitSizes(func::FuncOp function,
                                             Operation *op,
                                             ValueRange operands) {
  builder.setInsertionPointToStart(&function.front());
  SymbolicContext symbolic;
  IndexExprScope scope(symbolic, builder, loc);
  IndexExprBuilderForLinalg linalg(scope);
  ShapeHelper shape(op, operands, linalg);
  if (failed(shape.computeShape()))
    return std::nullopt;
  SmallVector<Value> sizes;
  unsigned unknowns = 0;
  ranks.clear();
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    ranks.push_back(shape.hasOutputDims(i)
                        ? int64_t(shape.getOutputDims(i).size())
                        : unknown);
    unknowns += !shape.hasOutputDims(i);
    if (!shape.hasOutputDims(i))
      continue;
    for (IndexExpr dim : shape.getOutputDims(i)) {
      unknowns += dim.hasQuestionmark();
      sizes.push_back(dim.hasQuestionmark() ? constant(unknown)
                                            : dim.getValue(scope));
    }
  }
  func::ReturnOp::create(builder, loc, sizes);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           ValueRange(sizes).getTypes()));
  return unknowns;
}

void ShapeCode::addCall(unsigned number, Way way, func::FuncOp function,
                        ArrayRef<Operand> operands, ArrayRef<bool> isGiven) {
  builder.setInsertionPointToEnd(code->getBody());
  auto run =
      func::FuncOp::create(builder, loc, ("run_" + function.getName()).str(),
                           builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(run.addEntryBlock());
  SmallVector<Value> arguments;
  for (auto [operand, given] : llvm::zip(operands, isGiven)) {
    if (!given)
      continue;
    Value value;
    if (operand.contents)
      value = arith::ConstantOp::create(builder, loc, operand.contents);
    else
      value = tensor::EmptyOp::create(builder, loc, operand.type.getShape(),
                                      toCode(operand.type.getElementType()));
    Type type = function.getArgumentTypes()[arguments.size()];
    if (value.getType() != type)
      value = tensor::CastOp::create(builder, loc, type, value);
    arguments.push_back(value);
  }
  auto call = func::CallOp::create(builder, loc, function, arguments);
  print(constant(number));
  print(constant(way));
  ValueRange sizes = call.getResults();
  for (int64_t rank : ranks) {
    print(constant(rank));
    for (Value size : sizes.take_front(std::max<int64_t>(rank, 0)))
      print(size);
    sizes = sizes.drop_front(std::max<int64_t>(rank, 0));
  }
  func::CallOp::create(builder, loc, printNewline, ValueRange());
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToEnd(&main.front());
  func::CallOp::create(builder, loc, run, ValueRange());
}

std::optional<unsigned> ShapeCode::add(unsigned number, Way way, Operation *op,
                                       ArrayRef<Operand> operands) {
  // A graph that knows no more than it should; what of it is used in code by mistake,
  // instead of the operands that are given, makes the function invalid.
  OwningOpRef<ModuleOp> little(ModuleOp::create(loc));
  builder.setInsertionPointToEnd(little->getBody());
  auto graph = func::FuncOp::create(builder, loc, "graph",
                                    builder.getFunctionType({}, {}));
  Block *body = graph.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  IRMapping mapping;
  SmallVector<bool> isGiven;
  SmallVector<Type> types;
  for (auto [value, operand] : llvm::zip(op->getOperands(), operands)) {
    isGiven.push_back(!operand.isConstant(way));
    if (!isGiven.back()) {
      Operation *constant = builder.clone(*value.getDefiningOp());
      mapping.map(value, constant->getResult(0));
      continue;
    }
    SmallVector<int64_t> sizes(operand.type.getShape());
    if (!operand.contents || way == Ranks)
      sizes.assign(sizes.size(), ShapedType::kDynamic);
    Type element = operand.type.getElementType();
    types.push_back(RankedTensorType::get(sizes, toCode(element)));
    mapping.map(value,
                body->addArgument(RankedTensorType::get(sizes, element), loc));
  }
  Operation *copy = builder.clone(*op, mapping);
  for (OpResult result : copy->getResults())
    result.setType(onnx::withoutShape(result.getType()));
  if (failed(copy->getName().verifyInvariants(copy)))
    return std::nullopt;

  builder.setInsertionPointToEnd(code->getBody());
  auto function = func::FuncOp::create(builder, loc,
                                       "sizes_" + std::to_string(number) + "_" +
                                           std::to_string(way),
                                       builder.getFunctionType(types, {}));
  function.addEntryBlock();
  SmallVector<Value> given;
  for (auto [i, operand] : llvm::enumerate(copy->getOperands()))
    given.push_back(isGiven[i] ? function.getArgument(llvm::count(
                                     ArrayRef(isGiven).take_front(i), true))
                               : operand);
  std::optional<unsigned> unknowns = emitSizes(function, copy, given);
  if (!unknowns || failed(verify(function))) {
    function->dropAllReferences();
    function.erase();
    return std::nullopt;
  }
  addCall(number, way, function, operands, isGiven);
  return unknowns;
}

ModuleOp ShapeCode::finish() {
  builder.setInsertionPointToEnd(&main.front());
  func::ReturnOp::create(builder, loc);
  return *code;
}
