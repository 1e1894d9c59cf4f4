// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Movement.h"
#include "Postpone.h"
#include "Repeat.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

/// Whether each position is 0 or a loop, and the loops are in ascending order.
static bool isInOrder(ArrayRef<AffineExpr> places) {
  std::optional<unsigned> last;
  for (AffineExpr place : places) {
    auto loop = dyn_cast<AffineDimExpr>(place);
    if (!loop && place != 0)
      return false;
    if (loop && last && loop.getPosition() <= *last)
      return false;
    if (loop)
      last = loop.getPosition();
  }
  return true;
}

static Value makeRepeat(OpBuilder &builder, Location loc,
                        const LoopOperand &small, Value init) {
  unsigned numLoops = small.map.getNumDims();
  SmallVector<AffineMap> maps = {small.map,
                                 builder.getMultiDimIdentityMap(numLoops)};
  SmallVector<utils::IteratorType> iterators(numLoops,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), small.value, init, maps, iterators,
             [](OpBuilder &inside, Location at, ValueRange elements) {
               linalg::YieldOp::create(inside, at, elements[0]);
             })
      .getResult(0);
}

//===-- Behind what computes --------------------------------------------------===//

namespace {
class RepeatMove {
public:
  RepeatMove(const Elementwise &op, Postponement &state)
      : op(op), state(state), loops(op.getType()) {}

  Refusal run();

private:
  bool isConstant() const;
  Refusal readOperands();
  /// Determines which parts of loops the result depends on.
  Refusal findRepetitions();
  /// Builds the tensor to repeat, and the map by which the parts of loops read it.
  LoopOperand buildSmall(OpBuilder &builder);
  Value buildRepeat(OpBuilder &builder, const LoopOperand &small);

  const Elementwise &op;
  Postponement &state;
  Loops loops;
  SmallVector<std::optional<Repeat>> repeats;
  SmallVector<Source> sources;
  SmallVector<unsigned> kept; ///< parts of loops that the result depends on
};
} // namespace

bool RepeatMove::isConstant() const {
  for (auto [operand, repeat] : llvm::zip_equal(op.getOperands(), repeats))
    if (!state.isConstant(repeat ? repeat->source : operand.value))
      return false;
  return state.areConstant(op.getCaptured());
}

Refusal RepeatMove::readOperands() {
  for (auto [operand, repeat] : llvm::zip_equal(op.getOperands(), repeats)) {
    if (!repeat)
      continue;
    for (auto [place, parts] :
         llvm::zip_equal(operand.map.getResults(), repeat->axes))
      if (auto loop = dyn_cast<AffineDimExpr>(place);
          loop && parts.size() > 1 && !loops.split(loop.getPosition(), parts))
        return Refusal::Disagrees;
  }
  for (auto [operand, repeat] : llvm::zip_equal(op.getOperands(), repeats))
    if (Refusal refusal = readThrough(operand, repeat ? &*repeat : nullptr,
                                      loops, sources.emplace_back());
        refusal != Refusal::None)
      return refusal;
  return Refusal::None;
}

Refusal RepeatMove::findRepetitions() {
  SmallVector<int64_t> sizes = loops.getSizes();
  bool repeatsAny = false, isOpen = false;
  SmallVector<int64_t> shape;
  for (auto [part, size] : llvm::enumerate(sizes)) {
    bool isRead = llvm::any_of(sources, [&](const Source &source) {
      return llvm::any_of(source.places, [&](AffineExpr place) {
        return place.isFunctionOfDim(unsigned(part));
      });
    });
    if (isRead) {
      kept.push_back(unsigned(part));
      shape.push_back(size);
    } else {
      repeatsAny |= size != 1;
      isOpen |= ShapedType::isDynamic(size);
    }
  }
  if (!repeatsAny)
    return llvm::any_of(repeats,
                        [](auto &repeat) { return repeat && !repeat->splat; })
               ? Refusal::Differs
               : Refusal::Nothing;
  // The computed tensor must have a static shape, and so must axes that are put
  // together.
  if (ShapedType::isDynamicShape(shape) ||
      (loops.isAnySplit() && !op.getType().hasStaticShape()))
    return Refusal::OpenSizes;
  if (isOpen && !op.canSpeculate())
    return Refusal::Traps;
  Type element = op.getType().getElementType();
  auto small = RankedTensorType::get(shape, element);
  bool pays =
      Cost().addComputed(small).paysAgainst(Cost().addComputed(op.getType()));
  return pays ? Refusal::None : Refusal::Nothing;
}

Value RepeatMove::buildRepeat(OpBuilder &builder, const LoopOperand &small) {
  Location loc = op.getOperation()->getLoc();
  if (!loops.isAnySplit())
    return makeRepeat(builder, loc, small, op.makeInit(builder));
  Value init = tensor::EmptyOp::create(builder, loc, loops.getSizes(),
                                       op.getType().getElementType());
  Value repeated = makeRepeat(builder, loc, small, init);
  return tensor::CollapseShapeOp::create(builder, loc, op.getType(), repeated,
                                         loops.getGroups());
}

LoopOperand RepeatMove::buildSmall(OpBuilder &builder) {
  unsigned numParts = loops.getNumParts();
  Location loc = op.getOperation()->getLoc();
  // A copy in order needs no computation: repeat its source.
  if (op.isCopy() && isInOrder(sources[0].places))
    return sources[0].build(builder, numParts);
  // If all operands are numbers, the result is a number.
  auto numbers = llvm::map_to_vector(sources, [](const Source &source) {
    return Attribute(getNumber(source.value));
  });
  if (TypedAttr number = kept.empty() ? op.evaluate(numbers) : TypedAttr())
    return {makeNumber(builder, loc, number),
            AffineMap::get(numParts, 0, builder.getContext())};
  SmallVector<AffineExpr> fewer(numParts, builder.getAffineConstantExpr(0));
  SmallVector<AffineExpr> places;
  SmallVector<int64_t> shape, sizes = loops.getSizes();
  for (auto [i, part] : llvm::enumerate(kept)) {
    fewer[part] = builder.getAffineDimExpr(unsigned(i));
    places.push_back(builder.getAffineDimExpr(part));
    shape.push_back(sizes[part]);
  }
  SmallVector<LoopOperand> operands;
  for (Source &source : sources) {
    for (AffineExpr &place : source.places)
      place = place.replaceDims(fewer);
    operands.push_back(source.build(builder, unsigned(kept.size())));
  }
  Value init = tensor::EmptyOp::create(builder, loc, shape,
                                       op.getType().getElementType());
  return {op.build(builder, operands, init),
          AffineMap::get(numParts, 0, places, builder.getContext())};
}

Refusal RepeatMove::run() {
  for (const LoopOperand &operand : op.getOperands())
    repeats.push_back(Repeat::match(operand.value));
  if (!isConstant())
    return Refusal::Nothing;
  // A copy that only repeats is in its place already.
  if (op.isCopy() && !repeats[0] &&
      isInOrder(op.getOperands()[0].map.getResults()))
    return Refusal::Nothing;
  if (Refusal refusal = readOperands(); refusal != Refusal::None)
    return refusal;
  if (Refusal refusal = findRepetitions(); refusal != Refusal::None)
    return refusal;
  OpBuilder &builder = state.at(op.getOperation());
  state.replace(op.getOperation(), buildRepeat(builder, buildSmall(builder)));
  return Refusal::None;
}

Refusal invar::postponeRepeat(const Elementwise &op, Postponement &state) {
  return RepeatMove(op, state).run();
}

//===-- Behind what moves elements --------------------------------------------===//

/// The source of a repetition, as loops over the repetition's axes read it.
static LoopOperand getRead(const Repeat &repeat) {
  MLIRContext *context = repeat.source.getContext();
  auto type = dyn_cast<RankedTensorType>(repeat.source.getType());
  SmallVector<AffineExpr> places(type ? size_t(type.getRank()) : 0,
                                 getAffineConstantExpr(0, context));
  for (auto [i, parts] : llvm::enumerate(repeat.axes))
    if (parts[0].axis)
      places[*parts[0].axis] = getAffineDimExpr(unsigned(i), context);
  return {repeat.source,
          AffineMap::get(unsigned(repeat.axes.size()), 0, places, context)};
}

Refusal invar::postponeRepeat(Operation *op, Postponement &state) {
  std::optional<Movement> movement;
  Refusal refusal = Movement::match(op, movement);
  if (refusal == Refusal::Nothing)
    return refusal;
  std::optional<Repeat> repeat = Repeat::match(op->getOperand(0));
  if (!repeat || repeat->splat || repeat->isInParts() ||
      !state.isConstant(repeat->source))
    return Refusal::Nothing;
  if (refusal != Refusal::None)
    return refusal;
  LoopOperand read = getRead(*repeat);
  // A repetition and a reshape together may be a tiling, which is a repetition itself.
  if (!movement->takes(read))
    return Repeat::match(op->getResult(0)) ? Refusal::Nothing : Refusal::Merges;
  Cost small = Cost().addMoved(movement->getMovedType(read));
  if (!small.paysAgainst(Cost().addMoved(movement->getType())))
    return Refusal::Nothing;
  OpBuilder &builder = state.at(op);
  LoopOperand moved = movement->moveAlong(builder, read);
  Value init = tensor::EmptyOp::create(builder, op->getLoc(),
                                       movement->getType().getShape(),
                                       movement->getType().getElementType());
  state.replace(op, makeRepeat(builder, op->getLoc(), moved, init));
  return Refusal::None;
}
