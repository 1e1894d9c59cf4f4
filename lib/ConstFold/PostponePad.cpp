// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Postpone.h"
#include "Repeat.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

/// The number of elements before and after, along each loop.
using Border = SmallVector<std::pair<int64_t, int64_t>>;

static tensor::PadOp getPad(Value value) {
  auto pad = value.getDefiningOp<tensor::PadOp>();
  return pad && !pad.getNofold() ? pad : tensor::PadOp();
}

namespace {
class PadMove {
public:
  PadMove(const Elementwise &op, Postponement &state)
      : op(op), state(state), loops(op.getType()) {}

  Refusal run();

private:
  Refusal readOperand(const LoopOperand &operand);
  /// The border in terms of the loops; none if they do not cover all of it.
  std::optional<Border> getBorder(tensor::PadOp pad, const LoopOperand &read);
  Refusal checkOthers();
  Refusal build(TypedAttr number);

  const Elementwise &op;
  Postponement &state;
  Loops loops;
  SmallVector<Source> sources;
  SmallVector<Attribute> numbers; ///< in the border; null if unknown
  SmallVector<bool> isPadded;
  Border border;
};
} // namespace

std::optional<Border> PadMove::getBorder(tensor::PadOp pad,
                                         const LoopOperand &read) {
  if (!read.map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return std::nullopt;
  Border found(size_t(op.getType().getRank()));
  for (auto [place, low, high] : llvm::zip_equal(
           read.map.getResults(), pad.getStaticLow(), pad.getStaticHigh())) {
    if (low == 0 && high == 0)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(place);
    if (!loop || low < 0 || high < 0) // Unknown numbers are negative.
      return std::nullopt;
    found[loop.getPosition()] = {low, high};
  }
  return found;
}

Refusal PadMove::readOperand(const LoopOperand &operand) {
  tensor::PadOp pad = getPad(operand.value);
  isPadded.push_back(bool(pad));
  if (pad) {
    Value number = pad.getConstantPaddingValue();
    numbers.push_back(number ? getNumber(number) : Attribute());
    if (!numbers.back())
      return Refusal::OpenBorder;
    std::optional<Border> own = getBorder(pad, operand);
    if (!own || (!border.empty() && border != *own))
      return Refusal::Disagrees;
    border = std::move(*own);
    return readThrough({pad.getSource(), operand.map}, nullptr, loops,
                       sources.emplace_back());
  }
  std::optional<Repeat> repeat = Repeat::match(operand.value);
  Refusal refusal =
      readThrough(operand, repeat && !repeat->isInParts() ? &*repeat : nullptr,
                  loops, sources.emplace_back());
  numbers.push_back(getNumber(sources.back().value));
  return refusal;
}

/// An operand without a border must not vary along loops where others have one.
Refusal PadMove::checkOthers() {
  for (auto [source, padded] : llvm::zip_equal(sources, isPadded))
    for (AffineExpr place : source.places)
      for (auto [loop, ends] : llvm::enumerate(border))
        if (!padded && ends != std::pair<int64_t, int64_t>() &&
            place.isFunctionOfDim(unsigned(loop)))
          return Refusal::Disagrees;
  return Refusal::None;
}

Refusal PadMove::build(TypedAttr number) {
  OpBuilder &builder = state.at(op.getOperation());
  Location loc = op.getOperation()->getLoc();
  SmallVector<int64_t> shape(op.getType().getShape());
  SmallVector<OpFoldResult> low, high;
  for (auto [size, ends] : llvm::zip_equal(shape, border)) {
    size -= ends.first + ends.second;
    low.push_back(builder.getIndexAttr(ends.first));
    high.push_back(builder.getIndexAttr(ends.second));
  }
  Type element = op.getType().getElementType();
  auto type = RankedTensorType::get(shape, element);
  if (!Cost().addComputed(type).paysAgainst(Cost().addComputed(op.getType())))
    return Refusal::Nothing;
  SmallVector<LoopOperand> operands;
  for (const Source &source : sources) {
    operands.push_back(source.build(builder, unsigned(shape.size())));
  }
  Value init = tensor::EmptyOp::create(builder, loc, shape, element);
  Value small = op.build(builder, operands, init);
  Value padded = tensor::PadOp::create(builder, loc, op.getType(), small, low,
                                       high, makeNumber(builder, loc, number));
  state.replace(op.getOperation(), padded);
  return Refusal::None;
}

Refusal PadMove::run() {
  auto isPad = [](const LoopOperand &operand) {
    return bool(getPad(operand.value));
  };
  if (llvm::none_of(op.getOperands(), isPad) ||
      !state.isConstant(op.getResult()))
    return Refusal::Nothing;
  // A copy that repeats a padded tensor must stay after the padding.
  if (op.isCopy() && !op.getOperands()[0].map.isPermutation())
    return Refusal::Nothing;
  if (!op.getType().hasStaticShape())
    return Refusal::OpenSizes;
  for (const LoopOperand &operand : op.getOperands())
    if (Refusal refusal = readOperand(operand); refusal != Refusal::None)
      return refusal;
  if (Refusal refusal = checkOthers(); refusal != Refusal::None)
    return refusal;
  TypedAttr number = op.evaluate(numbers);
  return number ? build(number) : Refusal::OpenBorder;
}

Refusal invar::postponePad(const Elementwise &op, Postponement &state) {
  return PadMove(op, state).run();
}
