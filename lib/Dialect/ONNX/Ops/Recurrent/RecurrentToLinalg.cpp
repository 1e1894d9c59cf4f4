// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recurrent layer: one product of all inputs and their weights, and then a loop over the
// steps, each a product of the state and its weights and a few formulas. Gates are an axis of
// their own, [gates, hidden], so that formulas read what they need of it.
//
// A step at which a sequence has ended leaves its state as it is. So sequences that are gone
// through from their ends all begin at the last step, and wait until it is their turn.
#include "../Activation/ActivationFormulas.h"
#include "RecurrentActivations.h"
#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Rows.h"
#include "invar/Dialect/Runtime/Runtime.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using kernels::Activation;
using kernels::ActivationFunction;
using kernels::Cell;

//===-- Activations -----------------------------------------------------------===//

static Number activate(const ActivationFunction &function, Number x) {
  auto alpha = float(function.alpha), beta = float(function.beta);
  switch (function.kind) {
  case Activation::Affine:
    return Number(alpha) * x + Number(beta);
  case Activation::Elu:
    return formula::Elu{{}, alpha}(x);
  case Activation::HardSigmoid:
    return formula::HardSigmoid{{}, alpha, beta}(x);
  case Activation::LeakyRelu:
    return formula::LeakyRelu{{}, alpha}(x);
  case Activation::Relu:
    return formula::Relu()(x);
  case Activation::ScaledTanh:
    return Number(alpha) * tanh(Number(beta) * x);
  case Activation::Sigmoid:
    return formula::Sigmoid()(x);
  case Activation::Softplus:
    return formula::Softplus()(x);
  case Activation::Softsign:
    return formula::Softsign()(x);
  case Activation::Tanh:
    return tanh(x);
  case Activation::ThresholdedRelu:
    return formula::ThresholdedRelu{{}, alpha}(x);
  }
  return x;
}

//===-- One direction ---------------------------------------------------------===//

namespace {
/// What is carried from step to step: [batch, hidden] each.
struct State {
  Value state, memory;
};

/// One direction of a layer, its operands without the axis for directions.
struct Direction {
  Cell cell;
  ActivationFunctions functions;
  std::optional<double> clip;
  bool isReversed, isLinearBeforeReset, isCoupled;
  /// [steps, batch, gates, hidden] with all biases that can be added before, and
  /// [gates, hidden, hidden].
  Value inputs, weights;
  /// Of the states, [gates, hidden], where they are not in the inputs; and [3, hidden].
  Value stateBias, peepholes;
  State initial;
};

/// The steps of a layer.
class Steps {
public:
  Steps(Lowering &to, const Direction &direction, Value lengths)
      : to(to), layer(direction), lengths(lengths),
        rows(to, direction.initial.state, {}),
        workType(getElementTypeOrSelf(direction.initial.state.getType())) {}

  /// The state after one step, at a place of the inputs.
  State run(Value place, const State &before) const;
  /// What a step shows of the state after it.
  Value show(Value place, Value state, Type elementType) const;
  /// The last state; of a sequence that has no steps, zeros.
  Value finish(Value state, Type elementType) const;

private:
  /// A tensor [n, hidden] or [batch, n, hidden], seen from [batch, hidden].
  LoopOperand at(Value tensor, int64_t gate) const;
  /// The product of states and the weights of these gates, [batch, gates, hidden].
  Value multiply(Value state, int64_t first, int64_t count) const;
  Number clip(Number x) const;
  Number apply(size_t function, Number x) const {
    return activate(layer.functions[function], clip(x));
  }
  State runPlain(Value inputs, const State &before) const;
  State runGated(Value inputs, const State &before) const;
  State runLongShortTerm(Value inputs, const State &before) const;
  /// `now` where a sequence goes on at a place, else `otherwise`.
  Value choose(Value place, Value now, Value otherwise, Type elementType) const;

  Lowering &to;
  const Direction &layer;
  Value lengths;
  Rows rows;
  Type workType;
};
} // namespace

LoopOperand Steps::at(Value tensor, int64_t gate) const {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  SmallVector<AffineExpr> exprs = {builder.getAffineConstantExpr(gate),
                                   builder.getAffineDimExpr(1)};
  if (cast<RankedTensorType>(tensor.getType()).getRank() == 3)
    exprs.insert(exprs.begin(), builder.getAffineDimExpr(0));
  return {tensor, AffineMap::get(2, 0, exprs, builder.getContext())};
}

Value Steps::multiply(Value state, int64_t first, int64_t count) const {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  MLIRContext *context = builder.getContext();
  OpFoldResult gates = builder.getIndexAttr(count);
  Value weights = layer.weights;
  SmallVector<OpFoldResult> sizes = to.sizesOf(weights);
  if (!isConstantIntValue(sizes[0], count))
    weights = sliceAlong(to, weights, 0, builder.getIndexAttr(first), gates);
  AffineExpr batch, gate, unit, inner;
  bindDims(context, batch, gate, unit, inner);
  return makeSum(to, {state, weights},
                 {AffineMap::get(4, 0, {batch, inner}, context),
                  AffineMap::get(4, 0, {gate, unit, inner}, context),
                  AffineMap::get(4, 0, {batch, gate, unit}, context)},
                 {false, false, false, true},
                 {to.sizesOf(state)[0], gates, sizes[1]}, workType,
                 [](ArrayRef<Number> in) { return in[0] * in[1]; });
}

Number Steps::clip(Number x) const {
  if (!layer.clip)
    return x;
  return minimum(maximum(x, Number(-*layer.clip)), Number(*layer.clip));
}

State Steps::runPlain(Value inputs, const State &before) const {
  Value sums = multiply(before.state, 0, 1);
  return {
      rows.ofAll({at(inputs, 0), at(sums, 0)}, workType,
                 [&](ArrayRef<Number> in) { return apply(0, in[0] + in[1]); }),
      nullptr};
}

State Steps::runGated(Value inputs, const State &before) const {
  bool isLinear = layer.isLinearBeforeReset;
  Value sums = multiply(before.state, 0, isLinear ? 3 : 2);
  auto gate = [&](ArrayRef<Number> in) { return apply(0, in[0] + in[1]); };
  Value fresh;
  if (isLinear) {
    SmallVector<LoopOperand> operands = {at(inputs, 1), at(sums, 1),
                                         at(inputs, 2), at(sums, 2)};
    if (layer.stateBias)
      operands.push_back(at(layer.stateBias, 2));
    fresh = rows.ofAll(operands, workType, [&](ArrayRef<Number> in) {
      Number sum = layer.stateBias ? in[3] + in[4] : in[3];
      return apply(1, in[2] + gate(in) * sum);
    });
  } else {
    Value reset = rows.ofAll(
        {at(inputs, 1), at(sums, 1), rows.each(before.state)}, workType,
        [&](ArrayRef<Number> in) { return gate(in) * in[2]; });
    Value last = multiply(reset, 2, 1);
    fresh = rows.ofAll(
        {at(inputs, 2), at(last, 0)}, workType,
        [&](ArrayRef<Number> in) { return apply(1, in[0] + in[1]); });
  }
  return {rows.ofAll({at(inputs, 0), at(sums, 0), rows.each(fresh),
                      rows.each(before.state)},
                     workType,
                     [&](ArrayRef<Number> in) {
                       Number update = gate(in);
                       return (Number(1) - update) * in[2] + update * in[3];
                     }),
          nullptr};
}

State Steps::runLongShortTerm(Value inputs, const State &before) const {
  enum { Input, Output, Forget, Fresh };
  Value sums = multiply(before.state, 0, 4);
  // A gate of what its peephole sees of the memory.
  auto add = [&](SmallVectorImpl<LoopOperand> &operands, int64_t gate,
                 std::optional<int64_t> peephole) {
    operands.append({at(inputs, gate), at(sums, gate)});
    if (layer.peepholes && peephole)
      operands.push_back(at(layer.peepholes, *peephole));
  };
  auto read = [&](ArrayRef<Number> &in, const Number &memory,
                  bool hasPeephole) {
    Number sum = in[0] + in[1];
    in = in.drop_front(2);
    if (layer.peepholes && hasPeephole) {
      sum = sum + in.front() * memory;
      in = in.drop_front();
    }
    return sum;
  };
  SmallVector<LoopOperand> operands = {rows.each(before.memory)};
  add(operands, Input, 0);
  if (!layer.isCoupled)
    add(operands, Forget, 2);
  add(operands, Fresh, std::nullopt);
  Value memory = rows.ofAll(operands, workType, [&](ArrayRef<Number> in) {
    Number old = in.front();
    in = in.drop_front();
    Number take = apply(0, read(in, old, true));
    Number keep =
        layer.isCoupled ? Number(1) - take : apply(0, read(in, old, true));
    return keep * old + take * apply(1, read(in, old, false));
  });
  operands = {rows.each(memory)};
  add(operands, Output, 1);
  Value state = rows.ofAll(operands, workType, [&](ArrayRef<Number> in) {
    Number now = in.front();
    in = in.drop_front();
    return apply(0, read(in, now, true)) * activate(layer.functions[2], now);
  });
  return {state, memory};
}

Value Steps::choose(Value place, Value now, Value otherwise,
                    Type elementType) const {
  SmallVector<LoopOperand> operands = {rows.each(now), rows.along(0, lengths)};
  if (otherwise)
    operands.push_back(rows.each(otherwise));
  return rows.ofAll(operands, elementType, [&](ArrayRef<Number> in) {
    ImplicitLocOpBuilder inside(in[0].getLoc(), in[0].getBuilder());
    scalar::Truth goesOn =
        toPlace(inside, place) < toPlace(inside, in[1].getValue());
    return select(goesOn, in[0], otherwise ? in[2] : Number(0));
  });
}

State Steps::run(Value place, const State &before) const {
  Value inputs = takeAt(to, layer.inputs, 0, place);
  State after = layer.cell == Cell::Plain   ? runPlain(inputs, before)
                : layer.cell == Cell::Gated ? runGated(inputs, before)
                                            : runLongShortTerm(inputs, before);
  if (!lengths)
    return after;
  after.state = choose(place, after.state, before.state, workType);
  if (after.memory)
    after.memory = choose(place, after.memory, before.memory, workType);
  return after;
}

Value Steps::show(Value place, Value state, Type elementType) const {
  if (lengths)
    return choose(place, state, /*otherwise=*/nullptr, elementType);
  if (elementType == workType)
    return state;
  return rows.ofAll(rows.each(state), elementType,
                    [](ArrayRef<Number> in) { return in[0]; });
}

Value Steps::finish(Value state, Type elementType) const {
  return show(to.makeIndex(0), state, elementType);
}

//===-- Loops over steps ------------------------------------------------------===//

namespace {
/// What a direction makes: all steps [steps, batch, hidden], where they are asked for, and
/// the last ones.
struct Outcome {
  Value all;
  State last;
};
} // namespace

/// A tensor of slices that are in a sequence, one after the other.
static Value stack(Lowering &to, Value slices, ArrayRef<OpFoldResult> sizes,
                   Type elementType) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  auto type =
      cast<RankedTensorType>(to.makeEmpty(sizes, elementType).getType());
  SmallVector<NamedAttribute> arguments = {
      to.named("axis", builder.getI64IntegerAttr(0)),
      to.named("new_axis", builder.getI64IntegerAttr(1))};
  return to.call("ConcatFromSequence", slices, type, arguments).front();
}

static void noteSizes(Lowering &to, Value tensor,
                      ArrayRef<OpFoldResult> sizes) {
  for (auto [axis, size] : llvm::enumerate(sizes))
    to.getGraph().noteSize(tensor, int64_t(axis), size);
}

static Outcome runSteps(Lowering &to, const Direction &direction, Value lengths,
                        Type elementType, bool wantsAll) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Steps steps(to, direction, lengths);
  OpFoldResult count = to.sizesOf(direction.inputs)[0];
  SmallVector<OpFoldResult> sizes = to.sizesOf(direction.initial.state);
  SmallVector<OpFoldResult> all = {count, sizes[0], sizes[1]};
  auto end = [&](State last, Value shown) {
    return Outcome{
        shown,
        {steps.finish(last.state, elementType),
         last.memory ? steps.finish(last.memory, elementType) : Value()}};
  };
  if (isConstantIntValue(count, 1)) {
    Value first = to.makeIndex(0);
    State last = steps.run(first, direction.initial);
    Value shown;
    if (wantsAll)
      shown = to.reshape(steps.show(first, last.state, elementType), all);
    return end(last, shown);
  }
  SmallVector<Value> values = {direction.initial.state};
  if (direction.initial.memory)
    values.push_back(direction.initial.memory);
  if (wantsAll) {
    Type slices = rt::SequenceType::get(builder.getContext(),
                                        UnrankedTensorType::get(elementType));
    values.push_back(to.call("SequenceEmpty", {}, slices).front());
  }
  auto loop = scf::ForOp::create(builder, to.makeIndex(0), to.toValue(count),
                                 to.makeIndex(1), values);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(loop.getBody());
    Block::BlockArgListType carried = loop.getRegionIterArgs();
    State before{carried[0], direction.initial.memory ? carried[1] : Value()};
    for (Value state : {before.state, before.memory})
      if (state)
        noteSizes(to, state, sizes);
    Value place = loop.getInductionVar();
    if (direction.isReversed) {
      Value last =
          arith::SubIOp::create(builder, to.toValue(count), to.makeIndex(1));
      place = arith::SubIOp::create(builder, last, place);
    }
    State after = steps.run(place, before);
    SmallVector<Value> next = {after.state};
    if (after.memory)
      next.push_back(after.memory);
    if (wantsAll) {
      Value front;
      if (direction.isReversed)
        front = tensor::FromElementsOp::create(
            builder, RankedTensorType::get({}, builder.getI64Type()),
            arith::ConstantOp::create(builder, builder.getI64IntegerAttr(0))
                .getResult());
      next.push_back(
          to.call("SequenceInsert",
                  {carried.back(), steps.show(place, after.state, elementType),
                   front},
                  carried.back().getType())
              .front());
    }
    scf::YieldOp::create(builder, next);
  }
  State last{loop.getResult(0),
             direction.initial.memory ? loop.getResult(1) : Value()};
  for (Value state : {last.state, last.memory})
    if (state)
      noteSizes(to, state, sizes);
  Value shown;
  if (wantsAll)
    shown = stack(to, loop.getResults().back(), all, elementType);
  return end(last, shown);
}

//===-- Layers ----------------------------------------------------------------===//

namespace {
/// What the operators differ in.
struct Layer {
  Cell cell;
  SmallVector<StringRef, 3> functions;
  bool isLinearBeforeReset = false, isCoupled = false;
  Value initialMemory, peepholes;
};
} // namespace

/// The product of all inputs and their weights, [steps, batch, gates, hidden].
static Value multiplyInputs(Lowering &to, Value x, bool batchFirst, Value w,
                            Type workType) {
  MLIRContext *context = to.getBuilder().getContext();
  AffineExpr step, batch, gate, unit, inner;
  bindDims(context, step, batch, gate, unit, inner);
  SmallVector<AffineExpr> ofX = {step, batch, inner};
  SmallVector<OpFoldResult> sizes = to.sizesOf(x), weights = to.sizesOf(w);
  if (batchFirst) {
    std::swap(ofX[0], ofX[1]);
    std::swap(sizes[0], sizes[1]);
  }
  return makeSum(to, {x, w},
                 {AffineMap::get(5, 0, ofX, context),
                  AffineMap::get(5, 0, {gate, unit, inner}, context),
                  AffineMap::get(5, 0, {step, batch, gate, unit}, context)},
                 {false, false, false, false, true},
                 {sizes[0], sizes[1], weights[0], weights[1]}, workType,
                 [](ArrayRef<Number> in) { return in[0] * in[1]; });
}

/// The sum of both biases, [gates, hidden], of [2, gates, hidden]; that of the states where
/// `isOnly` says so of a gate is not in it.
static Value addBiases(Lowering &to, Value both, bool isLinearBeforeReset,
                       Type workType) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  MLIRContext *context = builder.getContext();
  SmallVector<LoopOperand> operands;
  for (int64_t i : {0, 1})
    operands.push_back({both, AffineMap::get(2, 0,
                                             {builder.getAffineConstantExpr(i),
                                              builder.getAffineDimExpr(0),
                                              builder.getAffineDimExpr(1)},
                                             context)});
  return makeElementwise(to, operands, ArrayRef(to.sizesOf(both)).drop_front(),
                         workType, [&](ArrayRef<Number> in) {
                           Number sum = in[0] + in[1];
                           if (!isLinearBeforeReset)
                             return sum;
                           // What is reset is not the input's.
                           ImplicitLocOpBuilder inside(sum.getLoc(),
                                                       sum.getBuilder());
                           Number gate(inside, inside.getLoc(),
                                       linalg::IndexOp::create(inside, 0));
                           return select(gate == Number(2), in[0], sum);
                         });
}

template <typename Op>
static FailureOr<Direction> getDirection(Op op, Lowering &to,
                                         const Layer &layer, int64_t number,
                                         const ActivationFunctions &functions) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Direction direction{layer.cell, functions};
  if (op.getClip() && *op.getClip() > 0)
    direction.clip = double(*op.getClip());
  direction.isReversed = op.getDirection() == "reverse" || number == 1;
  direction.isLinearBeforeReset = layer.isLinearBeforeReset;
  direction.isCoupled = layer.isCoupled;
  Value x = to.get(op.getX());
  bool batchFirst = op.getLayout() != 0;
  OpFoldResult gates = builder.getIndexAttr(kernels::countGates(layer.cell));
  OpFoldResult hidden = to.sizesOf(to.get(op.getR()))[2];
  OpFoldResult batch = to.sizesOf(x)[batchFirst ? 0 : 1];
  OpFoldResult features = to.sizesOf(x)[2];
  // An operand of this direction, in a shape that it must have.
  auto take = [&](Value operand, int64_t axis, ArrayRef<OpFoldResult> sizes) {
    return to.reshape(
        takeAt(to, to.get(operand), axis, builder.getIndexAttr(number)), sizes);
  };
  Type work = getSumType(builder, getElementTypeOrSelf(x.getType()));
  to.checkEqual(to.sizesOf(to.get(op.getW()))[2], features,
                "expected weights for the features of the inputs");
  direction.weights = take(op.getR(), 0, {gates, hidden, hidden});
  direction.inputs = multiplyInputs(
      to, x, batchFirst, take(op.getW(), 0, {gates, hidden, features}), work);
  if (op.getB()) {
    Value both = take(op.getB(), 0, {builder.getIndexAttr(2), gates, hidden});
    Rows rows(to, direction.inputs, {});
    Value bias = addBiases(to, both, layer.isLinearBeforeReset, work);
    direction.inputs =
        rows.ofAll({rows.each(direction.inputs), rows.along({2, 3}, bias)},
                   work, [](ArrayRef<Number> in) { return in[0] + in[1]; });
    if (layer.isLinearBeforeReset)
      direction.stateBias = takeAt(to, both, 0, builder.getIndexAttr(1));
  }
  if (layer.peepholes)
    direction.peepholes =
        take(layer.peepholes, 0, {builder.getIndexAttr(3), hidden});
  auto begin = [&](Value operand) -> FailureOr<Value> {
    if (operand)
      return to.cast(take(operand, batchFirst ? 1 : 0, {batch, hidden}), work);
    return to.makeFilled(
        {batch, hidden},
        arith::ConstantOp::create(builder, builder.getZeroAttr(work)));
  };
  FailureOr<Value> state = begin(op.getInitialH());
  FailureOr<Value> memory = Value();
  if (layer.cell == Cell::LongShortTerm)
    memory = begin(layer.initialMemory);
  if (failed(state) || failed(memory))
    return failure();
  direction.initial = {*state, *memory};
  return direction;
}

/// What all directions make side by side along a new axis.
static Value joinDirections(Lowering &to, ArrayRef<Value> parts, int64_t axis) {
  SmallVector<Value> made;
  for (Value part : parts) {
    SmallVector<OpFoldResult> sizes = to.sizesOf(part);
    sizes.insert(sizes.begin() + axis, to.getBuilder().getIndexAttr(1));
    made.push_back(to.reshape(part, sizes));
  }
  if (made.size() == 1)
    return made.front();
  Value joined = tensor::ConcatOp::create(to.getBuilder(), axis, made);
  SmallVector<OpFoldResult> sizes = to.sizesOf(made.front());
  sizes[axis] = to.getBuilder().getIndexAttr(int64_t(made.size()));
  noteSizes(to, joined, sizes);
  return joined;
}

template <typename Op>
static LogicalResult lowerLayer(Op op, Lowering &to, const Layer &layer,
                                Value lastMemory) {
  for (Value operand : op->getOperands())
    if (!to.getType(operand))
      return to.decline("the rank of an operand is not known");
  auto functions = readActivations(op, layer.functions);
  if (!functions)
    return to.decline(llvm::toString(functions.takeError()));
  int64_t count = int64_t(functions->size());
  for (Value weights : {op.getW(), op.getR()})
    to.checkEqual(to.sizesOf(to.get(weights))[0],
                  to.getBuilder().getIndexAttr(count),
                  "expected weights for each direction");
  bool batchFirst = op.getLayout() != 0;
  Type elementType = to.getType(op.getX()).getElementType();
  SmallVector<Value> all, states, memories;
  for (int64_t i = 0; i < count; ++i) {
    FailureOr<Direction> direction =
        getDirection(op, to, layer, i, (*functions)[i]);
    if (failed(direction))
      return failure();
    Outcome outcome = runSteps(to, *direction, to.get(op.getSequenceLens()),
                               elementType, op.getY() != nullptr);
    all.push_back(outcome.all);
    states.push_back(outcome.last.state);
    memories.push_back(outcome.last.memory);
  }
  if (op.getY()) {
    Value joined = joinDirections(to, all, 1);
    if (failed(to.set(op.getY(), batchFirst ? to.transpose(joined, {2, 0, 1, 3})
                                            : joined)))
      return failure();
  }
  for (auto [result, parts] :
       {std::pair<Value, ArrayRef<Value>>(op.getYH(), states),
        std::pair<Value, ArrayRef<Value>>(lastMemory, memories)})
    if (result &&
        failed(to.set(result, joinDirections(to, parts, batchFirst ? 1 : 0))))
      return failure();
  return success();
}

static LogicalResult lower(GRUOp op, Lowering &to) {
  Layer layer{Cell::Gated, {"Sigmoid", "Tanh"}};
  layer.isLinearBeforeReset = op.getLinearBeforeReset() != 0;
  return lowerLayer(op, to, layer, /*lastMemory=*/nullptr);
}

static LogicalResult lower(LSTMOp op, Lowering &to) {
  Layer layer{Cell::LongShortTerm, {"Sigmoid", "Tanh", "Tanh"}};
  layer.isCoupled = op.getInputForget() != 0;
  layer.initialMemory = op.getInitialC();
  layer.peepholes = op.getP();
  return lowerLayer(op, to, layer, op.getYC());
}

static LogicalResult lower(RNNOp op, Lowering &to) {
  return lowerLayer(op, to, {Cell::Plain, {"Tanh"}}, /*lastMemory=*/nullptr);
}

void invar::onnx::addRecurrentLowerings(LoweringTable &table) {
  table.add<GRUOp>(lower);
  table.add<LSTMOp>(lower);
  table.add<RNNOp>(lower);
}
