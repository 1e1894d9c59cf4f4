// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RecurrentStepsToLinalg.h"

#include "../Activation/ActivationFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

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

//===-- Cells -----------------------------------------------------------------===//

LoopOperand RecurrentSteps::at(Value tensor, int64_t gate) const {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  SmallVector<AffineExpr> exprs = {builder.getAffineConstantExpr(gate),
                                   builder.getAffineDimExpr(1)};
  if (cast<RankedTensorType>(tensor.getType()).getRank() == 3)
    exprs.insert(exprs.begin(), builder.getAffineDimExpr(0));
  return {tensor, AffineMap::get(2, 0, exprs, builder.getContext())};
}

Value RecurrentSteps::multiply(Value state, int64_t first,
                               int64_t count) const {
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

Number RecurrentSteps::apply(size_t function, Number x) const {
  return activate(layer.functions[function], clip(x));
}

Number RecurrentSteps::clip(Number x) const {
  if (!layer.clip)
    return x;
  return minimum(maximum(x, Number(-*layer.clip)), Number(*layer.clip));
}

RecurrentState RecurrentSteps::runPlain(Value inputs,
                                        const RecurrentState &before) const {
  Value sums = multiply(before.state, 0, 1);
  return {
      rows.ofAll({at(inputs, 0), at(sums, 0)}, workType,
                 [&](ArrayRef<Number> in) { return apply(0, in[0] + in[1]); }),
      nullptr};
}

RecurrentState RecurrentSteps::runGated(Value inputs,
                                        const RecurrentState &before) const {
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

RecurrentState
RecurrentSteps::runLongShortTerm(Value inputs,
                                 const RecurrentState &before) const {
  enum { Input, Output, Forget, Fresh };
  Value sums = multiply(before.state, 0, 4);
  // A gate, which may also read the memory through a peephole.
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

Value RecurrentSteps::choose(Value place, Value now, Value otherwise,
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

RecurrentState RecurrentSteps::run(Value place,
                                   const RecurrentState &before) const {
  Value inputs = takeAt(to, layer.inputs, 0, place);
  RecurrentState after = layer.cell == Cell::Plain ? runPlain(inputs, before)
                         : layer.cell == Cell::Gated
                             ? runGated(inputs, before)
                             : runLongShortTerm(inputs, before);
  if (!lengths)
    return after;
  after.state = choose(place, after.state, before.state, workType);
  if (after.memory)
    after.memory = choose(place, after.memory, before.memory, workType);
  return after;
}

Value RecurrentSteps::show(Value place, Value state, Type elementType) const {
  if (lengths)
    return choose(place, state, /*otherwise=*/nullptr, elementType);
  if (elementType == workType)
    return state;
  return rows.ofAll(rows.each(state), elementType,
                    [](ArrayRef<Number> in) { return in[0]; });
}

Value RecurrentSteps::finish(Value state, Type elementType) const {
  return show(to.makeIndex(0), state, elementType);
}
