// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recurrent layer: one product of all inputs and their weights, then a loop over the
// steps (RecurrentStepsToLinalg.h), whose results are added to a stack (Stack.h).
#include "RecurrentStepsToLinalg.h"

#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Stack.h"
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
using kernels::Cell;

//===-- Loops over steps ------------------------------------------------------===//

namespace {
/// The results of a direction: all steps [steps, batch, hidden], if they are requested,
/// and the last state.
struct Outcome {
  Value all;
  RecurrentState last;
};
} // namespace

static void noteSizes(Lowering &to, Value tensor,
                      ArrayRef<OpFoldResult> sizes) {
  for (auto [axis, size] : llvm::enumerate(sizes))
    to.getGraph().noteSize(tensor, int64_t(axis), size);
}

static Outcome runSteps(Lowering &to, const RecurrentDirection &direction,
                        Value lengths, Type elementType, bool wantsAll) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  RecurrentSteps steps(to, direction, lengths);
  OpFoldResult count = to.sizesOf(direction.inputs)[0];
  SmallVector<OpFoldResult> sizes = to.sizesOf(direction.initial.state);
  SmallVector<OpFoldResult> all = {count, sizes[0], sizes[1]};
  auto end = [&](RecurrentState last, Value shown) {
    return Outcome{
        shown,
        {steps.finish(last.state, elementType),
         last.memory ? steps.finish(last.memory, elementType) : Value()}};
  };
  if (isConstantIntValue(count, 1)) {
    Value first = to.makeIndex(0);
    RecurrentState last = steps.run(first, direction.initial);
    Value shown;
    if (wantsAll)
      shown = to.reshape(steps.show(first, last.state, elementType), all);
    return end(last, shown);
  }
  SmallVector<Value> values = {direction.initial.state};
  if (direction.initial.memory)
    values.push_back(direction.initial.memory);
  if (wantsAll)
    values.push_back(startStack(to, elementType, count));
  auto loop = scf::ForOp::create(builder, to.makeIndex(0), to.toValue(count),
                                 to.makeIndex(1), values);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(loop.getBody());
    Block::BlockArgListType carried = loop.getRegionIterArgs();
    RecurrentState before{carried[0],
                          direction.initial.memory ? carried[1] : Value()};
    for (Value state : {before.state, before.memory})
      if (state)
        noteSizes(to, state, sizes);
    Value place = loop.getInductionVar();
    if (direction.isReversed) {
      Value last =
          arith::SubIOp::create(builder, to.toValue(count), to.makeIndex(1));
      place = arith::SubIOp::create(builder, last, place);
    }
    RecurrentState after = steps.run(place, before);
    SmallVector<Value> next = {after.state};
    if (after.memory)
      next.push_back(after.memory);
    if (wantsAll)
      next.push_back(addToStack(to, carried.back(),
                                steps.show(place, after.state, elementType),
                                direction.isReversed));
    scf::YieldOp::create(builder, next);
  }
  RecurrentState last{loop.getResult(0),
                      direction.initial.memory ? loop.getResult(1) : Value()};
  for (Value state : {last.state, last.memory})
    if (state)
      noteSizes(to, state, sizes);
  Value shown;
  if (wantsAll)
    shown = finishStack(
        to, loop.getResults().back(),
        cast<RankedTensorType>(to.makeEmpty(all, elementType).getType()), 0);
  return end(last, shown);
}

//===-- Layers ----------------------------------------------------------------===//

namespace {
/// The differences between the operators.
struct Layer {
  Cell cell;
  SmallVector<StringRef, 3> functions;
  bool isLinearBeforeReset = false, isCoupled = false;
  Value initialMemory = {}, peepholes = {};
};
} // namespace

/// Returns the product of all inputs and their weights, [steps, batch, gates, hidden].
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

/// Returns the sum of both biases, [gates, hidden], from [2, gates, hidden], without
/// the bias of the state that is reset later.
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
                           // The bias of the reset state is not part of the inputs.
                           ImplicitLocOpBuilder inside(sum.getLoc(),
                                                       sum.getBuilder());
                           Number gate(inside, inside.getLoc(),
                                       linalg::IndexOp::create(inside, 0));
                           return select(gate == Number(2), in[0], sum);
                         });
}

template <typename Op>
static FailureOr<RecurrentDirection>
getDirection(Op op, Lowering &to, const Layer &layer, int64_t number,
             const ActivationFunctions &functions) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  RecurrentDirection direction{layer.cell, functions};
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
  // Takes an operand of this direction, in the shape that it must have.
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

/// Stacks the results of all directions along a new axis.
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
  Value lengths = to.getVector(op.getSequenceLens());
  if (lengths) {
    SmallVector<OpFoldResult> sizes = to.sizesOf(to.get(op.getX()));
    to.checkEqual(to.sizesOf(lengths)[0], sizes[batchFirst ? 0 : 1],
                  "expected a length for each sequence");
    lengths = to.checkLengths(lengths, sizes[batchFirst ? 1 : 0]);
  }
  SmallVector<Value> all, states, memories;
  for (int64_t i = 0; i < count; ++i) {
    FailureOr<RecurrentDirection> direction =
        getDirection(op, to, layer, i, (*functions)[i]);
    if (failed(direction))
      return failure();
    Outcome outcome =
        runSteps(to, *direction, lengths, elementType, op.getY() != nullptr);
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
