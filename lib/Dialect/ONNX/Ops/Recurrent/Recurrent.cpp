// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Recurrent.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Whether `activations` may contain this name; as in runtimes, the case is ignored.
static bool isActivation(Attribute name) {
  static constexpr StringRef known[] = {
      "Affine",   "Elu",        "HardSigmoid",    "LeakyRelu",
      "Relu",     "ScaledTanh", "Sigmoid",        "Softplus",
      "Softsign", "Tanh",       "ThresholdedRelu"};
  return llvm::any_of(known, [&](StringRef function) {
    return function.equals_insensitive(cast<StringAttr>(name).getValue());
  });
}

namespace {
/// The differences between the three layers.
struct Layer {
  int64_t gates;
  int64_t activations;
  /// The plain layer has two names by default, even for one direction.
  bool mayHaveMoreActivations = false;
};
} // namespace

/// Checks (C1) to (C5) except the flags of (C3) that only some layers have.
template <typename Op> static Check verifyLayer(Op op, Layer layer) {
  int64_t directions = op.getDirection() == "bidirectional" ? 2 : 1;
  Check check(op);
  check
      .oneOf("(C1)", "direction", op.getDirection(),
             {"forward", "reverse", "bidirectional"})
      .flag("(C3)", "layout", op.getLayout());
  if (std::optional<int64_t> hidden = op.getHiddenSize())
    check.atLeast("(C2)", "hidden_size", *hidden, 1);
  ArrayRef<Attribute> names =
      op.getActivations().value_or(ArrayRef<Attribute>());
  int64_t needed = layer.activations * directions, count = names.size();
  if (!(layer.mayHaveMoreActivations && count > needed))
    check.length("(C4)", "activations", lengthOf(op.getActivations()), needed);
  for (Attribute name : names)
    check.that("(C4)", isActivation(name), "the name of an activation function",
               "'" + cast<StringAttr>(name).getValue() + "'");
  check.rank("(C5)", "X", op.getX(), 3);
  std::optional<int64_t> hidden =
      op.getHiddenSize() ? op.getHiddenSize() : dimOf(op.getR(), 2);
  for (auto [name, weights] : {std::pair<StringRef, Value>("W", op.getW()),
                               std::pair<StringRef, Value>("R", op.getR())}) {
    check.rank("(C5)", name, weights, 3)
        .dim("(C5)", name, weights, 0, directions);
    // Use division, because a product with a size from a model may overflow.
    if (std::optional<int64_t> rows = dimOf(weights, 1); rows && hidden)
      check.that("(C5)",
                 *rows % layer.gates == 0 && *rows / layer.gates == *hidden,
                 "'" + name + "' to have " + Twine(layer.gates) +
                     " rows for each of " + Twine(*hidden) + " hidden units",
                 Twine(*rows));
  }
  return check;
}

LogicalResult GRUOp::verify() {
  return verifyLayer(*this, {/*gates=*/3, /*activations=*/2})
      .flag("(C3)", "linear_before_reset", getLinearBeforeReset());
}

LogicalResult LSTMOp::verify() {
  return verifyLayer(*this, {/*gates=*/4, /*activations=*/3})
      .flag("(C3)", "input_forget", getInputForget());
}

LogicalResult RNNOp::verify() {
  return verifyLayer(
      *this, {/*gates=*/1, /*activations=*/1, /*mayHaveMoreActivations=*/true});
}

//===-- Shapes ----------------------------------------------------------------===//

namespace {
struct LayerSizes {
  IndexExpr sequence, batch, directions, hidden;
};
} // namespace

/// Returns the sizes of a layer, and requires its operands to agree.
template <typename Op>
static FailureOr<LayerSizes> computeSizes(Op op, ShapeHelper &shape,
                                          int64_t gates) {
  auto in = shape.operandsOf(op);
  LayerSizes sizes = {shape.getQuestionmark(), shape.getQuestionmark(),
                      op.getDirection() == "bidirectional" ? 2 : 1,
                      shape.getQuestionmark()};
  IndexExpr inputs;
  if (shape.hasShape(in.getX())) {
    DimsExpr x = shape.getDims(in.getX());
    sizes.sequence = x[op.getLayout() ? 1 : 0];
    sizes.batch = x[op.getLayout() ? 0 : 1];
    inputs = x[2];
  }
  bool knowsW = shape.hasShape(in.getW()), knowsR = shape.hasShape(in.getR());
  if (op.getHiddenSize())
    sizes.hidden = *op.getHiddenSize();
  else if (knowsR)
    sizes.hidden = shape.getDim(in.getR(), 2);
  else if (knowsW)
    sizes.hidden = shape.getDim(in.getW(), 1).floorDiv(gates);
  for (Value weights : {in.getW(), in.getR()})
    if (shape.hasShape(weights) &&
        failed(shape.expectEqual(shape.getDim(weights, 1), sizes.hidden * gates,
                                 "the rows of weights and the hidden units")))
      return failure();
  if (knowsW &&
      failed(shape.expectEqual(inputs, shape.getDim(in.getW(), 2),
                               "the features of 'X' and the columns of 'W'")))
    return failure();
  if (knowsR &&
      failed(shape.expectEqual(sizes.hidden, shape.getDim(in.getR(), 2),
                               "the hidden units and the columns of 'R'")))
    return failure();
  return sizes;
}

/// Checks that an optional operand has the sizes of the layer, as far as both are
/// numbers.
static LogicalResult expectSizes(ShapeHelper &shape, Value operand,
                                 StringRef name, ArrayRef<IndexExpr> sizes) {
  if (!operand || !shape.hasShape(operand))
    return success();
  DimsExpr dims = shape.getDims(operand);
  if (dims.size() != sizes.size())
    return shape.getOperation()->emitOpError("expected '")
           << name << "' to have rank " << sizes.size() << ", but got "
           << dims.size();
  for (auto [own, wanted] : llvm::zip_equal(dims, sizes))
    if (own.isLiteral() && wanted.isLiteral() &&
        failed(shape.expectEqual(
            own, wanted, "the sizes of '" + name + "' and of the layer")))
      return failure();
  return success();
}

/// Sets the shapes of the states of all steps and of the last states.
template <typename Op>
static LogicalResult computeLayer(Op op, ShapeHelper &shape, int64_t gates,
                                  ValueRange lastStates) {
  FailureOr<LayerSizes> sizes = computeSizes(op, shape, gates);
  if (failed(sizes))
    return failure();
  auto [sequence, batch, directions, hidden] = *sizes;
  bool batchFirst = op.getLayout();
  DimsExpr state = batchFirst ? DimsExpr{batch, directions, hidden}
                              : DimsExpr{directions, batch, hidden};
  auto in = shape.operandsOf(op);
  if (failed(expectSizes(shape, in.getB(), "B",
                         {directions, hidden * (2 * gates)})) ||
      failed(
          expectSizes(shape, in.getSequenceLens(), "sequence_lens", {batch})) ||
      failed(expectSizes(shape, in.getInitialH(), "initial_h", state)))
    return failure();
  if constexpr (std::is_same_v<Op, LSTMOp>)
    if (failed(expectSizes(shape, in.getInitialC(), "initial_c", state)) ||
        failed(expectSizes(shape, in.getP(), "P", {directions, hidden * 3})))
      return failure();
  shape.setDimsOf(op.getY(),
                  batchFirst ? DimsExpr{batch, sequence, directions, hidden}
                             : DimsExpr{sequence, directions, batch, hidden});
  for (Value last : lastStates)
    shape.setDimsOf(last, state);
  return success();
}

LogicalResult GRUOp::computeShape(ShapeHelper &shape) {
  return computeLayer(*this, shape, /*gates=*/3, getYH());
}

LogicalResult LSTMOp::computeShape(ShapeHelper &shape) {
  return computeLayer(*this, shape, /*gates=*/4, {getYH(), getYC()});
}

LogicalResult RNNOp::computeShape(ShapeHelper &shape) {
  return computeLayer(*this, shape, /*gates=*/1, getYH());
}
