// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RecurrentActivations.h"
#include "invar/Dialect/ONNX/ComputeTogether.h"
#include "invar/Dialect/ONNX/FoldChain.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/MatrixProduct.h"
#include "invar/Support/Parallel.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using namespace invar::kernels;

//===-- Layers ----------------------------------------------------------------===//

namespace {
/// A layer of any kind; its operands have their axes in this order: directions, batch,
/// steps, sizes.
struct Layer {
  Cell cell;
  int64_t directions, batch, steps, hidden;
  /// Activations and flags of each direction; the weights are not set yet.
  SmallVector<RecurrentLayer<double>, 2> parts;
  SmallVector<bool, 2> isReversed;
  std::vector<int64_t> lengths; ///< Of each sequence.

  using Input = KernelInput<double>;
  /// The products of inputs and weights, directions x batch x steps x gates; and the
  /// weights of states, transposed.
  std::optional<Input> inputs, weights;
  std::optional<Input> bias, peepholes, state, memory;

  int64_t gates() const { return countGates(cell) * hidden; }
  /// Runs all sequences; the results may be empty.
  void run(ArrayRef<MutableArrayRef<double>> out, unsigned threads) const;
};
} // namespace

/// Returns all elements of an operand; empty if it is left out.
static std::optional<ElementsArray<double>>
read(const std::optional<Layer::Input> &input) {
  if (!input)
    return std::nullopt;
  return input->read();
}

void Layer::run(ArrayRef<MutableArrayRef<double>> out, unsigned threads) const {
  auto inputData = read(inputs), weightData = read(weights);
  auto biasData = read(bias), peepData = read(peepholes);
  auto stateData = read(state), memoryData = read(memory);
  MutableArrayRef<double> results = out[0], states = out[1], memories = out[2];
  llvm::fill(results, 0);
  llvm::fill(states, 0);
  llvm::fill(memories, 0);
  auto runSequence = [&](int64_t direction, int64_t sequence) {
    RecurrentLayer<double> part = parts[direction];
    part.weights = weightData->begin() + direction * hidden * gates();
    if (biasData) {
      part.inputBias = biasData->begin() + direction * 2 * gates();
      part.stateBias = part.inputBias + gates();
    }
    if (peepData)
      part.peepholes = peepData->begin() + direction * 3 * hidden;
    int64_t length = lengths[sequence], at = direction * batch + sequence;
    if (length == 0)
      return; // Without steps there is no last state.
    MutableArrayRef<double> state = states.slice(at * hidden, hidden);
    MutableArrayRef<double> memory = memories.slice(at * hidden, hidden);
    if (stateData)
      llvm::copy(stateData->get().slice(at * hidden, hidden), state.begin());
    if (memoryData)
      llvm::copy(memoryData->get().slice(at * hidden, hidden), memory.begin());
    part.run(inputData->begin() + at * steps * gates(), length,
             isReversed[direction], state.data(), memory.data(),
             results.empty() ? nullptr : results.data() + at * steps * hidden);
  };
  parallelFor(directions * batch, 1, threads, [&](uint64_t from, uint64_t to) {
    for (int64_t i = int64_t(from); i < int64_t(to); ++i)
      runSequence(i / batch, i % batch);
  });
}

/// Reads the lengths of all sequences; by default each has all steps.
template <typename Op>
static llvm::Error readLengths(Op op, Folding &fold, Layer &layer) {
  layer.lengths.assign(layer.batch, layer.steps);
  if (!op.getSequenceLens())
    return llvm::Error::success();
  auto lengths = fold.read<int64_t>(op.getSequenceLens());
  if (!lengths)
    return lengths.takeError();
  layer.lengths.assign(lengths->begin(), lengths->end());
  if (int64_t(layer.lengths.size()) != layer.batch)
    return notFolded("expected " + Twine(layer.batch) + " lengths, but got " +
                     Twine(layer.lengths.size()));
  for (int64_t length : layer.lengths)
    if (length < 0 || length > layer.steps)
      return notFolded("expected lengths up to " + Twine(layer.steps) +
                       ", but got " + Twine(length));
  return llvm::Error::success();
}

/// Reads an operand, which must have this shape after its axes are permuted by `order`.
static llvm::Error takeOperand(Folding &fold, Value operand,
                               ArrayRef<int64_t> order, ArrayRef<int64_t> shape,
                               std::optional<Layer::Input> &input) {
  if (!operand)
    return llvm::Error::success();
  llvm::Expected<Elements> x =
      fold.getBuilder().transpose(fold.get(operand), order);
  if (!x)
    return x.takeError();
  if (x->getShape() != shape)
    return notFolded("expected an operand of " + printShape(shape) +
                     " elements, but got " + printShape(x->getShape()));
  return Layer::Input::get(fold, *x).moveInto(input);
}

/// Reads the parts that all layers have.
template <typename Op>
static llvm::Expected<Layer> readLayer(Op op, Folding &fold, Cell cell,
                                       ArrayRef<StringRef> names) {
  const Elements &x = fold.get(op.getX()), &w = fold.get(op.getW()),
                 &r = fold.get(op.getR());
  bool batchFirst = op.getLayout() != 0;
  Layer layer;
  layer.cell = cell;
  layer.directions = op.getDirection() == "bidirectional" ? 2 : 1;
  layer.batch = x.getShape()[batchFirst ? 0 : 1];
  layer.steps = x.getShape()[batchFirst ? 1 : 0];
  layer.hidden = r.getShape()[2];
  int64_t gates = layer.gates(), directions = layer.directions;
  RecurrentLayer<double> part{};
  part.cell = cell;
  part.hidden = layer.hidden;
  part.clip = op.getClip() && *op.getClip() > 0
                  ? double(*op.getClip())
                  : std::numeric_limits<double>::infinity();
  layer.parts.assign(directions, part);
  layer.isReversed = {op.getDirection() == "reverse"};
  if (directions == 2)
    layer.isReversed.push_back(true);
  auto functions = readActivations(op, names);
  if (!functions)
    return functions.takeError();
  for (auto [part, own] : llvm::zip_equal(layer.parts, *functions)) {
    part.f = own[0];
    part.g = own[1];
    part.h = own[2];
  }
  if (llvm::Error error = readLengths(op, fold, layer))
    return error;

  // Multiply the inputs of all steps by the weights of each direction.
  llvm::Expected<Elements> rows =
      FoldChain(fold, x)
          .transpose(batchFirst ? Shape{0, 1, 2} : Shape{1, 0, 2})
          .reshape({1, layer.batch * layer.steps, x.getShape()[2]});
  if (!rows)
    return rows.takeError();
  llvm::Expected<Elements> inputs =
      FoldChain(fold, multiplyMatrices(fold, {*rows}, {w, /*transposed=*/true},
                                       DataType::Float64))
          .reshape({directions, layer.batch, layer.steps, gates});
  if (!inputs)
    return inputs.takeError();
  if (llvm::Error error =
          Layer::Input::get(fold, *inputs).moveInto(layer.inputs))
    return error;
  if (llvm::Error error =
          takeOperand(fold, op.getR(), {0, 2, 1},
                      {directions, layer.hidden, gates}, layer.weights))
    return error;
  if (llvm::Error error = takeOperand(fold, op.getB(), {0, 1},
                                      {directions, 2 * gates}, layer.bias))
    return error;
  Shape stateShape = {directions, layer.batch, layer.hidden};
  Shape stateOrder = batchFirst ? Shape{1, 0, 2} : Shape{0, 1, 2};
  if (llvm::Error error = takeOperand(fold, op.getInitialH(), stateOrder,
                                      stateShape, layer.state))
    return error;
  if constexpr (requires { op.getInitialC(); }) {
    if (llvm::Error error = takeOperand(fold, op.getInitialC(), stateOrder,
                                        stateShape, layer.memory))
      return error;
    if (llvm::Error error =
            takeOperand(fold, op.getP(), {0, 1}, {directions, 3 * layer.hidden},
                        layer.peepholes))
      return error;
  }
  return layer;
}

/// Returns the requested results: all steps, the last states and the last memories.
template <typename Op>
static FoldResult foldLayer(Op op, Folding &fold, const Layer &layer,
                            Value lastMemory) {
  Shape states = {layer.directions, layer.batch, layer.hidden};
  Shape all = {layer.directions, layer.batch, layer.steps, layer.hidden};
  auto results = computeTogether<double>(
      fold, {op.getY() ? all : Shape{0}, states, states},
      [layer, threads = fold.getOptions().evaluation.threads](
          ArrayRef<MutableArrayRef<double>> out) { layer.run(out, threads); });
  if (!results)
    return results.takeError();
  FoldResult::Values values;
  bool batchFirst = op.getLayout() != 0;
  auto add = [&](Value result, const Elements &x,
                 ArrayRef<int64_t> order) -> llvm::Error {
    if (!result)
      return llvm::Error::success();
    llvm::Expected<Elements> value =
        FoldChain(fold, x).transpose(order).cast(fold.getType());
    if (!value)
      return value.takeError();
    values.push_back(std::move(*value));
    return llvm::Error::success();
  };
  Shape stateOrder = batchFirst ? Shape{1, 0, 2} : Shape{0, 1, 2};
  Shape order = batchFirst ? Shape{1, 2, 0, 3} : Shape{2, 0, 1, 3};
  if (llvm::Error error = add(op.getY(), (*results)[0], order))
    return error;
  if (llvm::Error error = add(op.getYH(), (*results)[1], stateOrder))
    return error;
  if (llvm::Error error = add(lastMemory, (*results)[2], stateOrder))
    return error;
  return values;
}

FoldResult GRUOp::computeValues(Folding &fold) {
  auto layer = readLayer(*this, fold, Cell::Gated, {"Sigmoid", "Tanh"});
  if (!layer)
    return layer.takeError();
  for (RecurrentLayer<double> &part : layer->parts)
    part.linearBeforeReset = getLinearBeforeReset() != 0;
  return foldLayer(*this, fold, *layer, /*lastMemory=*/nullptr);
}

FoldResult LSTMOp::computeValues(Folding &fold) {
  auto layer =
      readLayer(*this, fold, Cell::LongShortTerm, {"Sigmoid", "Tanh", "Tanh"});
  if (!layer)
    return layer.takeError();
  for (RecurrentLayer<double> &part : layer->parts)
    part.coupled = getInputForget() != 0;
  return foldLayer(*this, fold, *layer, getYC());
}

FoldResult RNNOp::computeValues(Folding &fold) {
  auto layer = readLayer(*this, fold, Cell::Plain, {"Tanh"});
  if (!layer)
    return layer.takeError();
  return foldLayer(*this, fold, *layer, /*lastMemory=*/nullptr);
}
