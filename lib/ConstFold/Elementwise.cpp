// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elementwise.h"

#include "invar/Dialect/Const/Const.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace invar;

//===-- Reading ---------------------------------------------------------------===//

Refusal Elementwise::match(Operation *op, std::optional<Elementwise> &found) {
  Elementwise made(op);
  Refusal refusal = Refusal::Nothing;
  if (isa<linalg::LinalgOp>(op))
    refusal = made.readLoops();
  else if (OpTrait::hasElementwiseMappableTraits(op))
    refusal = made.readTensors();
  if (refusal == Refusal::None && made.getType().getEncoding())
    refusal = Refusal::Nothing;
  if (refusal == Refusal::None && !op->getDiscardableAttrs().empty())
    refusal = Refusal::Marked;
  if (refusal == Refusal::None)
    found = std::move(made);
  return refusal;
}

std::optional<Elementwise> Elementwise::match(Value value) {
  std::optional<Elementwise> found;
  if (Operation *op = value.getDefiningOp())
    (void)match(op, found);
  return found;
}

Refusal Elementwise::readLoops() {
  auto loops = cast<linalg::LinalgOp>(op);
  if (!loops.hasPureTensorSemantics())
    return Refusal::Nothing;
  if (loops.getNumLoops() != loops.getNumParallelLoops())
    return Refusal::Reduces;
  if (op->getNumResults() != 1)
    return Refusal::SeveralResults;
  if (loops.hasIndexSemantics())
    return Refusal::AsksPlace;
  if (!isMemoryEffectFree(op))
    return Refusal::HasEffects;
  OpOperand *init = loops.getDpsInitOperand(0);
  if (loops.payloadUsesValueFromOperand(init))
    return Refusal::ReadsResult;
  AffineMap order = loops.getMatchingIndexingMap(init);
  if (!order.isPermutation())
    return Refusal::Nothing;
  AffineMap toLoops = inversePermutation(order);
  for (OpOperand *operand : loops.getDpsInputOperands())
    operands.push_back(
        {operand->get(),
         loops.getMatchingIndexingMap(operand).compose(toLoops)});
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  // A fill with one number is a copy of that number.
  Block *body = loops.getBlock();
  bool isEmpty = llvm::hasSingleElement(*body);
  Value yielded = body->getTerminator()->getOperand(0);
  if (isEmpty && operands.empty() && captured.contains(yielded)) {
    operands.push_back(
        {yielded, AffineMap::get(loops.getNumLoops(), 0, op->getContext())});
    isCopying = true;
  } else {
    isCopying =
        isEmpty && operands.size() == 1 && yielded == body->getArgument(0);
  }
  return Refusal::None;
}

Refusal Elementwise::readTensors() {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  if (!type)
    return Refusal::Nothing;
  if (!type.hasStaticShape())
    return Refusal::OpenSizes;
  if (op->getNumRegions() || !isMemoryEffectFree(op))
    return Refusal::HasEffects;
  MLIRContext *context = op->getContext();
  unsigned rank = unsigned(type.getRank());
  for (Value operand : op->getOperands()) {
    bool isTensor = isa<RankedTensorType>(operand.getType());
    if (!isTensor && isa<ShapedType>(operand.getType()))
      return Refusal::Nothing;
    operands.push_back(
        {operand, isTensor ? AffineMap::getMultiDimIdentityMap(rank, context)
                           : AffineMap::get(rank, 0, context)});
  }
  return Refusal::None;
}

Value Elementwise::getElement(size_t operand) const {
  auto loops = dyn_cast<linalg::LinalgOp>(op);
  // The number of a fill is no argument of the body.
  if (!loops || operand >= size_t(loops.getNumDpsInputs()))
    return {};
  return loops.getMatchingBlockArgument(loops.getDpsInputOperand(operand));
}

bool Elementwise::canSpeculate() const { return isSpeculatable(op); }

//===-- Building --------------------------------------------------------------===//

Value Elementwise::makeInit(OpBuilder &builder) const {
  if (auto loops = dyn_cast<linalg::LinalgOp>(op))
    return loops.getDpsInits()[0];
  return tensor::EmptyOp::create(builder, op->getLoc(), getType().getShape(),
                                 getType().getElementType());
}

Value Elementwise::build(OpBuilder &builder, ArrayRef<LoopOperand> from,
                         Value init) const {
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
  for (const LoopOperand &operand : from) {
    values.push_back(operand.value);
    maps.push_back(operand.map);
  }
  auto type = cast<RankedTensorType>(init.getType());
  maps.push_back(builder.getMultiDimIdentityMap(unsigned(type.getRank())));
  SmallVector<utils::IteratorType> iterators(size_t(type.getRank()),
                                             utils::IteratorType::parallel);
  auto compute = [&](OpBuilder &inside, Location loc, ValueRange elements) {
    Value made;
    if (isCopying) {
      made = elements[0];
    } else if (auto loops = dyn_cast<linalg::LinalgOp>(op)) {
      IRMapping names;
      for (size_t i = 0; i < operands.size(); ++i)
        names.map(getElement(i), elements[i]);
      for (Operation &step : loops.getBlock()->without_terminator())
        inside.clone(step, names);
      made = names.lookupOrDefault(
          loops.getBlock()->getTerminator()->getOperand(0));
    } else {
      OperationState state(loc, op->getName());
      state.addOperands(elements.drop_back());
      state.addTypes(getElementTypeOrSelf(op->getResult(0)));
      state.propertiesAttr = op->getPropertiesAsAttribute();
      made = inside.create(state)->getResult(0);
    }
    linalg::YieldOp::create(inside, loc, made);
  };
  return linalg::GenericOp::create(builder, op->getLoc(), type, values, init,
                                   maps, iterators, compute)
      .getResult(0);
}

//===-- Evaluating ------------------------------------------------------------===//

/// Whether a step computes the same bits on every processor.
static bool isRoundedAlike(Operation *step) {
  auto flags = dyn_cast<arith::ArithFastMathInterface>(step);
  arith::FastMathFlagsAttr given =
      flags ? flags.getFastMathFlagsAttr() : arith::FastMathFlagsAttr();
  if (given && given.getValue() != arith::FastMathFlags::none)
    return false;
  return isa<arith::ArithDialect>(step->getDialect()) ||
         isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::FloorOp, math::RoundEvenOp, math::RoundOp, math::SqrtOp,
             math::TruncOp, UnrealizedConversionCastOp>(step);
}

/// Converts an integer to another integer type of the same width.
static Attribute castInteger(Attribute element, Type type) {
  auto from = dyn_cast_or_null<IntegerAttr>(element);
  auto to = dyn_cast<IntegerType>(type);
  if (!from || !to || from.getValue().getBitWidth() != to.getWidth())
    return {};
  return IntegerAttr::get(to, from.getValue());
}

/// The result of a step if some of its operands are known. `step` must be a copy,
/// because folding may change it.
static Attribute foldStep(Operation *step,
                          function_ref<Attribute(Value)> lookup) {
  if (step->getNumResults() != 1 || !isRoundedAlike(step))
    return {};
  Type type = step->getResult(0).getType();
  if (isa<UnrealizedConversionCastOp>(step))
    return step->getNumOperands() == 1
               ? castInteger(lookup(step->getOperand(0)), type)
               : Attribute();
  // Folding may first change the step in place, for example reorder its operands, and
  // fold it only when tried again.
  for (int round = 0; round < 3; ++round) {
    SmallVector<Attribute> known =
        llvm::map_to_vector(step->getOperands(), lookup);
    SmallVector<OpFoldResult> made;
    if (failed(step->fold(known, made)))
      return {};
    if (made.size() == 1) {
      auto attribute = dyn_cast<Attribute>(made[0]);
      return attribute ? attribute : lookup(cast<Value>(made[0]));
    }
  }
  return {};
}

static Attribute foldCopy(Operation *step,
                          function_ref<Attribute(Value)> lookup) {
  Operation *copy = step->clone();
  Attribute made = foldStep(copy, lookup);
  copy->erase();
  return made;
}

Attribute Elementwise::evaluateBody(ArrayRef<Attribute> elements) const {
  Block *body = cast<linalg::LinalgOp>(op).getBlock();
  DenseMap<Value, Attribute> known;
  auto lookup = [&](Value value) {
    auto found = known.find(value);
    Attribute constant = found != known.end() ? found->second : Attribute();
    if (found == known.end())
      (void)matchPattern(value, m_Constant(&constant));
    return constant;
  };
  for (auto [i, element] : llvm::enumerate(elements))
    known[getElement(i)] = element;
  for (Operation &step : body->without_terminator())
    for (Value result : step.getResults())
      known[result] = foldCopy(&step, lookup);
  return lookup(body->getTerminator()->getOperand(0));
}

/// On tensors, a known element applies to all elements.
Attribute Elementwise::evaluateTensors(ArrayRef<Attribute> elements) const {
  DenseMap<Value, Attribute> known;
  for (auto [operand, element] : llvm::zip_equal(operands, elements)) {
    auto type = dyn_cast<RankedTensorType>(operand.value.getType());
    known[operand.value] =
        type && element ? DenseElementsAttr::get(type, element) : element;
  }
  Attribute made =
      foldCopy(op, [&](Value value) { return known.lookup(value); });
  auto everywhere = dyn_cast_or_null<SplatElementsAttr>(made);
  return everywhere ? everywhere.getSplatValue<Attribute>() : Attribute();
}

TypedAttr Elementwise::evaluate(ArrayRef<Attribute> elements) const {
  Attribute made = isCopying                   ? elements[0]
                   : isa<linalg::LinalgOp>(op) ? evaluateBody(elements)
                                               : evaluateTensors(elements);
  if (!isa_and_nonnull<FloatAttr, IntegerAttr>(made))
    return {};
  auto number = cast<TypedAttr>(made);
  return number.getType() == getType().getElementType() ? number : TypedAttr();
}

//===-- Numbers ---------------------------------------------------------------===//

TypedAttr invar::getNumber(Value value) {
  // Numbers of unsigned types are cast from signless ones.
  if (auto cast = value.getDefiningOp<UnrealizedConversionCastOp>();
      cast && cast.getNumOperands() == 1 &&
      isa<IntegerType>(cast.getOperand(0).getType()))
    return dyn_cast_or_null<TypedAttr>(
        castInteger(getNumber(cast.getOperand(0)), value.getType()));
  if (TypedAttr number; value.getType().isIntOrFloat())
    return matchPattern(value, m_Constant(&number)) ? number : TypedAttr();
  ElementsAttr content = constants::getContent(value);
  if (!content || !content.isSplat())
    return {};
  Type type = content.getElementType();
  if (isa<FloatType>(type))
    return FloatAttr::get(type, *content.value_begin<APFloat>());
  return isa<IntegerType>(type)
             ? IntegerAttr::get(type, *content.value_begin<APInt>())
             : TypedAttr();
}

Value invar::makeNumber(OpBuilder &builder, Location loc, TypedAttr number) {
  auto integer = dyn_cast<IntegerType>(number.getType());
  if (!integer || integer.isSignless())
    return arith::ConstantOp::create(builder, loc, number);
  Type signless = builder.getIntegerType(integer.getWidth());
  Value made = arith::ConstantOp::create(
      builder, loc,
      IntegerAttr::get(signless, cast<IntegerAttr>(number).getValue()));
  return UnrealizedConversionCastOp::create(builder, loc, integer, made)
      .getResult(0);
}
