// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Lowering.h"

#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/ONNX/Schema.h"
#include "invar/Dialect/Runtime/Runtime.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Shapes ----------------------------------------------------------------===//

namespace {
/// Builds sizes by name. Sizes that must be equal, but are not known to be, are checked
/// at run time.
class SizeBuilder : public IndexExprBuilderForLinalg {
public:
  SizeBuilder(IndexExprScope &scope, Lowering &lowering)
      : IndexExprBuilderForLinalg(scope), lowering(lowering) {}

  bool assumeEqual(IndexExpr left, IndexExpr right) override {
    if (left.isKnownEqual(right))
      return true;
    if (left.isKnownDifferent(right))
      return false;
    if (left.hasQuestionmark() || right.hasQuestionmark())
      return true;
    Value same = arith::CmpIOp::create(
        scope.getBuilder(), scope.getLoc(), arith::CmpIPredicate::eq,
        left.getValue(scope), right.getValue(scope));
    lowering.check(same, "expected sizes that agree");
    return true;
  }

protected:
  ElementsAttr getConst(Value value) override {
    return constants::getContent(value);
  }
  Value emitSize(Value value, int64_t axis) override {
    return lowering.toValue(lowering.getGraph().getSize(value, axis));
  }

private:
  Lowering &lowering;
};
} // namespace

struct Lowering::Shapes {
  Shapes(Operation *op, SmallVector<Value> given, Lowering &lowering)
      : operands(std::move(given)),
        scope(lowering.graph.getSymbolicContext(), lowering.builder,
              lowering.builder.getLoc()),
        builder(scope, lowering), helper(op, operands, builder) {}

  SmallVector<Value> operands;
  IndexExprScope scope;
  SizeBuilder builder;
  ShapeHelper helper;
  bool isComputed = false;
};

static Location getNodeLoc(Operation *op);

Lowering::Lowering(Operation *op, GraphLowering &graph)
    : op(op), graph(graph), builder(getNodeLoc(op), graph.getBuilder()) {}
Lowering::~Lowering() {
  // The next operator's code follows the code of this one.
  graph.getBuilder().restoreInsertionPoint(builder.saveInsertionPoint());
}

/// The location of a node's code: its name, for errors and profiles, which contains the
/// operator, for the names of kernels.
static Location getNodeLoc(Operation *op) {
  StringRef type = op->getName().stripDialect();
  Location inner = NameLoc::get(StringAttr::get(op->getContext(), type));
  auto name = op->getAttrOfType<StringAttr>(attr::name);
  if (name && !name.empty())
    return NameLoc::get(name, inner);
  std::string text = type.str();
  auto outputs = op->getAttrOfType<ArrayAttr>(attr::outputs);
  auto first = outputs && !outputs.empty() ? dyn_cast<StringAttr>(outputs[0])
                                           : StringAttr();
  if (first && !first.empty())
    text += ":" + first.str();
  return NameLoc::get(StringAttr::get(op->getContext(), text), inner);
}

ShapeHelper &Lowering::getShapeHelper() {
  if (!shapes)
    shapes = std::make_unique<Shapes>(op, getAll(op->getOperands()), *this);
  return shapes->helper;
}

FailureOr<SmallVector<OpFoldResult>> Lowering::getSizes(Value value) {
  RankedTensorType type = getType(value);
  if (!type)
    return decline("expected a shape whose rank is known");
  if (type.hasStaticShape())
    return getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  if (Value made = get(value))
    return sizesOf(made);
  ShapeHelper &helper = getShapeHelper();
  if (!shapes->isComputed) {
    shapes->isComputed = true;
    if (failed(helper.computeShape()))
      return failure();
  }
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (!helper.hasOutputDims(number))
    return decline("its shape depends on data");
  SmallVector<OpFoldResult> result;
  for (auto [axis, dim] : llvm::enumerate(helper.getOutputDims(number))) {
    if (!type.isDynamicDim(axis)) {
      // At run time, the operands' sizes may differ from the size that inference found.
      if (!dim.isLiteral() && !dim.hasQuestionmark()) {
        Value same = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                           toValue(toSize(dim)),
                                           makeIndex(type.getDimSize(axis)));
        check(same, "expected a size of " + Twine(type.getDimSize(axis)));
      }
      result.push_back(builder.getIndexAttr(type.getDimSize(axis)));
      continue;
    }
    if (dim.hasQuestionmark())
      return decline("its shape depends on data");
    OpFoldResult size = toSize(dim);
    StringAttr name = getDimName(value.getType(), axis);
    if (Value known = name ? graph.findSize(name) : Value();
        known && size != OpFoldResult(known)) {
      Value same = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                         toValue(size), known);
      check(same, "expected a size of '" + name.getValue() + "'");
      size = known;
    }
    result.push_back(size);
  }
  return result;
}

RankedTensorType Lowering::getType(Value value) const {
  return dyn_cast_or_null<RankedTensorType>(graph.convertType(value.getType()));
}

bool Lowering::hasRanks() const {
  auto isRanked = [](Type type) { return !isa<UnrankedTensorType>(type); };
  return llvm::all_of(op->getOperandTypes(), isRanked) &&
         llvm::all_of(op->getResultTypes(), isRanked);
}

LogicalResult Lowering::expectRanks() {
  return hasRanks() ? success()
                    : decline("the rank of an operand or result is not known");
}

bool Lowering::canMoveAll() const {
  auto isMovable = [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return !tensor || canMove(tensor.getElementType());
  };
  return llvm::all_of(op->getOperandTypes(), isMovable) &&
         llvm::all_of(op->getResultTypes(), isMovable);
}

OpFoldResult Lowering::toSize(IndexExpr expression) {
  getShapeHelper();
  if (!expression.hasQuestionmark())
    return expression.getOpFoldResult(shapes->scope);
  (void)decline(expression.isImpossible()
                    ? "expected sizes and places within 64 bits, but got one "
                      "beyond"
                    : "a size or place is not known before it runs");
  return builder.getIndexAttr(0);
}

Value Lowering::toValue(OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(builder, builder.getLoc(), size);
}
Value Lowering::makeIndex(int64_t number) {
  return arith::ConstantIndexOp::create(builder, number);
}

void Lowering::check(Value condition, const Twine &message) {
  if (matchPattern(condition, m_One()))
    return;
  cf::AssertOp::create(builder, condition, message.str());
}

void Lowering::checkEqual(OpFoldResult left, OpFoldResult right,
                          const Twine &message) {
  if (left == right)
    return;
  check(arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, toValue(left),
                              toValue(right)),
        message);
}

/// Whether constant indices are known to be in range. Long lists are checked at run
/// time.
static bool areInside(ElementsAttr indices, ArrayRef<OpFoldResult> sizes,
                      bool fromBack) {
  constexpr int64_t most = 1 << 20;
  if (!indices || indices.getNumElements() > most)
    return false;
  for (int64_t i = 0; i < indices.getNumElements(); ++i) {
    std::optional<int64_t> index = readInt(indices, i),
                           size = getConstantIntValue(sizes[i % sizes.size()]);
    if (!index || !size || *index >= *size || *index < (fromBack ? -*size : 0))
      return false;
  }
  return true;
}

Value Lowering::checkIndices(Value indices, ArrayRef<OpFoldResult> sizes,
                             IndexKind kind) {
  auto type = cast<RankedTensorType>(indices.getType());
  bool isEmpty = type.hasStaticShape() && type.getNumElements() == 0;
  if (!graph.checksIndices() || isEmpty || sizes.empty() ||
      areInside(constants::getContent(indices), sizes, kind.fromBack))
    return indices;
  SmallVector<Value> bounds;
  for (OpFoldResult size : sizes)
    bounds.push_back(toValue(size));
  Value checked = rt::CheckIndicesOp::create(builder, type, kind.what, indices,
                                             bounds, kind.fromBack);
  for (auto [axis, size] : llvm::enumerate(sizesOf(indices)))
    graph.noteSize(checked, int64_t(axis), size);
  return checked;
}

Value Lowering::checkLengths(Value lengths, OpFoldResult most) {
  OpFoldResult end;
  if (std::optional<int64_t> literal = getConstantIntValue(most))
    end = builder.getIndexAttr(*literal + 1);
  else
    end =
        arith::AddIOp::create(builder, toValue(most), makeIndex(1)).getResult();
  return checkIndices(lengths, end, {"length", /*fromBack=*/false});
}

//===-- Values ----------------------------------------------------------------===//

Value Lowering::get(Value operand) const {
  return operand ? graph.lookup(operand) : Value();
}

SmallVector<Value> Lowering::getAll(ValueRange operands) const {
  SmallVector<Value> all;
  for (Value operand : operands)
    all.push_back(get(operand));
  return all;
}

Value Lowering::getVector(Value operand) {
  Value made = get(operand);
  auto type = made ? dyn_cast<RankedTensorType>(made.getType()) : nullptr;
  return type && type.getRank() == 0
             ? reshape(made, OpFoldResult(builder.getIndexAttr(1)))
             : made;
}

ElementsAttr Lowering::getConstant(Value operand) const {
  Value value = get(operand);
  return value ? constants::getContent(value) : ElementsAttr();
}

std::optional<SmallVector<int64_t>> Lowering::getInts(Value operand) const {
  ElementsAttr content = getConstant(operand);
  if (!content || content.getNumElements() > 4096)
    return std::nullopt;
  SmallVector<int64_t> ints;
  for (int64_t i = 0; i < content.getNumElements(); ++i) {
    std::optional<int64_t> number = readInt(content, i);
    if (!number)
      return std::nullopt;
    ints.push_back(*number);
  }
  return ints;
}

LogicalResult Lowering::set(Value result, Value made) {
  Type type = graph.convertType(result.getType());
  if (!type)
    return decline(
        "its result is neither tensor nor sequence, optional or map");
  if (made.getType() != type) {
    if (!isa<RankedTensorType>(type) || !isa<RankedTensorType>(made.getType()))
      return decline("its result has another type than inference found");
    made = tensor::CastOp::create(builder, type, made);
  }
  // Code for the sizes must come after `made`.
  graph.getBuilder().restoreInsertionPoint(builder.saveInsertionPoint());
  graph.define(result, made);
  builder.restoreInsertionPoint(graph.getBuilder().saveInsertionPoint());
  return success();
}

LogicalResult Lowering::decline(const Twine &reason) {
  if (std::exchange(declined, true))
    return failure();
  return op->emitError(describeOperator(op))
         << " cannot be compiled: " << reason;
}

//===-- Calls -----------------------------------------------------------------===//

NamedAttribute Lowering::named(StringRef name, Attribute value) {
  return builder.getNamedAttr(name, value);
}

SmallVector<Value> Lowering::call(StringRef name, ValueRange operands,
                                  TypeRange resultTypes,
                                  ArrayRef<NamedAttribute> arguments,
                                  bool isImpure) {
  SmallVector<Value> given;
  for (Value operand : operands)
    given.push_back(
        operand ? operand
                : rt::NoneOp::create(builder,
                                     rt::NoneType::get(builder.getContext())));
  auto call =
      rt::CallOp::create(builder, resultTypes, name, given,
                         builder.getDictionaryAttr(arguments), isImpure);
  return SmallVector<Value>(call.getResults());
}

LogicalResult Lowering::call(const RuntimeCall &call, bool isImpure) {
  SmallVector<Value> operands;
  for (const RuntimeCall::Operand &operand : call.getOperands()) {
    if (!operand.numbers) {
      operands.push_back(get(operand.value));
      continue;
    }
    SmallVector<OpFoldResult> numbers;
    for (const IndexExpr &number : *operand.numbers)
      numbers.push_back(toSize(number));
    if (isDeclined())
      return failure();
    Value list = makeList(numbers);
    if (int64_t columns = operand.columns)
      list = reshape(list,
                     {builder.getIndexAttr(int64_t(numbers.size()) / columns),
                      builder.getIndexAttr(columns)});
    operands.push_back(list);
  }
  return callForResults(call.getFunction(), operands,
                        SmallVector<NamedAttribute>(call.getSettings()),
                        isImpure);
}

LogicalResult Lowering::callForResults(StringRef name, ValueRange operands,
                                       SmallVector<NamedAttribute> arguments,
                                       bool isImpure) {
  SmallVector<Type> types;
  for (Value result : op->getResults()) {
    types.push_back(graph.convertType(result.getType()));
    if (!types.back())
      return decline(
          "its result is neither tensor nor sequence, optional or map");
  }
  if (auto places = listResults(op))
    arguments.push_back(
        named("results", builder.getDenseI64ArrayAttr(*places)));
  SmallVector<Value> results = call(name, operands, types, arguments, isImpure);
  for (auto [result, made] : llvm::zip_equal(op->getResults(), results)) {
    graph.getBuilder().restoreInsertionPoint(builder.saveInsertionPoint());
    Value adopted = graph.adopt(result.getType(), made);
    graph.define(result, adopted);
    builder.restoreInsertionPoint(graph.getBuilder().saveInsertionPoint());
  }
  return success();
}

//===-- Elements and numbers --------------------------------------------------===//

bool onnx::canCompute(Type elementType) {
  auto type = dyn_cast<FloatType>(elementType);
  return isa<IntegerType>(elementType) || (type && type.getWidth() >= 16);
}

bool onnx::canMove(Type elementType) {
  return isa<IntegerType, FloatType>(elementType);
}

Number onnx::toNumber(OpBuilder &builder, Location loc, Value element) {
  Type type = element.getType();
  if (auto integer = dyn_cast<IntegerType>(type)) {
    bool isUnsigned = integer.isUnsigned() || integer.getWidth() == 1;
    if (integer.isUnsigned())
      element =
          UnrealizedConversionCastOp::create(
              builder, loc, builder.getIntegerType(integer.getWidth()), element)
              .getResult(0);
    return Number(builder, loc, element, isUnsigned);
  }
  Number number(builder, loc, element);
  return type.isF16() || type.isBF16() ? number.castTo(builder.getF32Type())
                                       : number;
}

Value onnx::toElement(const Number &number, Type elementType) {
  auto integer = dyn_cast<IntegerType>(elementType);
  OpBuilder &builder = number.getBuilder();
  if (!integer || !integer.isUnsigned())
    return number.castTo(elementType, integer && integer.isUnsigned())
        .getValue();
  Type signless = builder.getIntegerType(integer.getWidth());
  return UnrealizedConversionCastOp::create(
             builder, number.getLoc(), elementType,
             number.castTo(signless, /*isUnsigned=*/true).getValue())
      .getResult(0);
}
