// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ControlFold.h"

#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Support/Error.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Running a body --------------------------------------------------------===//

/// The maximum size in bytes of a state, and of all stacked slices together.
static constexpr uint64_t maxBytes = uint64_t(1) << 28;

namespace {
using Values = SmallVector<FoldValue>;

/// Runs one body repeatedly.
class Evaluation {
public:
  Evaluation(Operation *op, TypeInference &inference)
      : op(op), body(op->getRegion(0)), inference(inference),
        general(body.getArgumentTypes()) {}

  /// Whether all operands, and all outer values that the body uses, are constant.
  bool isPossible() const;
  /// Returns the values that the body yields for these arguments; empty if one is not
  /// constant.
  std::optional<Values> run(ArrayRef<FoldValue> arguments);
  /// Restores the body's general types, so that nothing remains of a single run. If
  /// `results` are given, sets all results to them.
  LogicalResult finish(std::optional<Values> results);

  const FoldValue &get(Value value) const {
    return *inference.getConstant(value);
  }
  const FoldOptions &getOptions() const { return inference.getFoldOptions(); }
  /// Accounts for the memory of a stored tensor; returns false if the limit is exceeded.
  bool spend(const Elements &tensor);
  void refuse(const Twine &reason) { inference.refuse(op, reason); }

private:
  bool keep(FoldValue &value) const;

  Operation *op;
  Region &body;
  TypeInference &inference;
  SmallVector<Type> general;
  bool hasRun = false;
  uint64_t spent = 0;
};

/// Slices, one from each run, to be stacked along a new axis.
class Stack {
public:
  /// Returns false if the slice is not a tensor or makes the stack too big.
  bool add(Evaluation &evaluation, const FoldValue &slice);
  /// `slice` is the type of the slices, which is needed if there are none.
  llvm::Expected<Elements> finish(const Evaluation &evaluation, Type slice,
                                  int64_t axis, bool isReversed);

private:
  std::vector<Elements> slices;
};
} // namespace

bool Evaluation::isPossible() const {
  if (!inference.isFolding() || inference.isDeep())
    return false;
  auto isKnown = [&](Value value) {
    return body.isAncestor(value.getParentRegion()) ||
           inference.getConstant(value);
  };
  return llvm::all_of(op->getOperands(), isKnown) &&
         !body.walk([&](Operation *inner) {
                return llvm::all_of(inner->getOperands(), isKnown)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

static uint64_t countBytes(const Elements &tensor) {
  return llvm::SaturatingMultiply(uint64_t(tensor.numElements()),
                                  uint64_t(getLaneSize(tensor.getType())));
}

bool Evaluation::spend(const Elements &tensor) {
  spent = llvm::SaturatingAdd(spent, countBytes(tensor));
  return spent <= maxBytes;
}

/// Computes a value now. The next run reads it, possibly several times, and an
/// expression over the values of all earlier runs would grow with each run.
bool Evaluation::keep(FoldValue &value) const {
  const EvalOptions &evaluation = getOptions().evaluation;
  if (!value.isTensor() || value.getTensor().isStored())
    return true;
  if (countBytes(value.getTensor()) > maxBytes)
    return false;
  llvm::Expected<Elements> kept = value.getTensor().materialize(evaluation);
  if (!kept) {
    llvm::consumeError(kept.takeError());
    return false;
  }
  value = std::move(*kept);
  return true;
}

std::optional<Values> Evaluation::run(ArrayRef<FoldValue> arguments) {
  hasRun = true;
  std::optional<Values> yields = inference.evaluateGraph(body, arguments);
  if (yields && llvm::all_of(*yields, [&](FoldValue &v) { return keep(v); }))
    return yields;
  refuse("its body is not constant, or too much to compute");
  return std::nullopt;
}

LogicalResult Evaluation::finish(std::optional<Values> results) {
  if (hasRun && failed(inference.inferGraph(body, general)))
    return failure();
  if (results)
    for (auto [result, value] : llvm::zip_equal(op->getResults(), *results))
      inference.setConstant(result, std::move(value));
  return success();
}

bool Stack::add(Evaluation &evaluation, const FoldValue &slice) {
  if (!slice.isTensor() || !evaluation.spend(slice.getTensor())) {
    evaluation.refuse("what it yields is too much to keep");
    return false;
  }
  slices.push_back(slice.getTensor());
  return true;
}

llvm::Expected<Elements> Stack::finish(const Evaluation &evaluation, Type slice,
                                       int64_t axis, bool isReversed) {
  const EvalOptions &options = evaluation.getOptions().evaluation;
  ElementsBuilder builder(options);
  auto ranked = dyn_cast<RankedTensorType>(slice);
  Shape shape;
  if (!slices.empty())
    shape.assign(slices.front().getShape().begin(),
                 slices.front().getShape().end());
  else if (ranked && ranked.hasStaticShape())
    shape.assign(ranked.getShape().begin(), ranked.getShape().end());
  else
    return notFolded("it never runs, so that its result's shape is not known");
  std::optional<int64_t> place = normalizeAxis(axis, shape.size() + 1);
  if (!place)
    return notFolded("expected an axis of a tensor of rank " +
                     Twine(shape.size() + 1) + ", but got " + Twine(axis));
  shape.insert(shape.begin() + *place, 1);
  if (slices.empty()) {
    shape[*place] = 0;
    DataType type = *elements::toDataType(ranked.getElementType());
    return builder.fromLanes(type, shape, nullptr, 0);
  }
  if (isReversed)
    std::reverse(slices.begin(), slices.end());
  for (Elements &part : slices)
    if (llvm::Error error = builder.reshape(part, shape).moveInto(part))
      return error;
  llvm::Expected<Elements> stacked = builder.concat(slices, *place);
  return stacked ? stacked->materialize(options) : std::move(stacked);
}

/// Returns the results of a loop: its last states, then its stacks. If a stack cannot
/// be made, records the reason and returns nothing.
static std::optional<Values>
collect(Evaluation &evaluation, Values states, MutableArrayRef<Stack> stacks,
        TypeRange slices,
        llvm::function_ref<std::pair<int64_t, bool>(size_t)> axisOf) {
  for (auto [i, stack] : llvm::enumerate(stacks)) {
    auto [axis, isReversed] = axisOf(i);
    llvm::Expected<Elements> result =
        stack.finish(evaluation, slices[i], axis, isReversed);
    if (!result) {
      evaluation.refuse(describe(result.takeError()).second);
      return std::nullopt;
    }
    states.push_back(std::move(*result));
  }
  return states;
}

//===-- Loop ------------------------------------------------------------------===//

/// Returns the element of a constant; empty if it has several or another type.
template <typename T>
static std::optional<T> getScalar(const FoldValue &value) {
  if (!value.isTensor() || !hasLane<T>(value.getTensor().getType()) ||
      value.getTensor().numElements() != 1)
    return std::nullopt;
  return value.getTensor().at<T>(0);
}

/// Returns the iteration or condition in the form that the body takes.
template <DataType T>
static FoldValue makeArgument(Value argument, LaneOf<T> value) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  Shape shape(type ? type.getRank() : 0, 1);
  return cantFail(ElementsBuilder().fromArray<T>(shape, value));
}

static std::optional<Values> runLoop(LoopOp op, Evaluation &evaluation,
                                     TypeRange yielded) {
  Region &body = op.getBody();
  std::optional<int64_t> count = INT64_MAX;
  std::optional<bool> goesOn = true;
  if (op.getM())
    count = getScalar<int64_t>(evaluation.get(op.getM()));
  if (op.getCond())
    goesOn = getScalar<bool>(evaluation.get(op.getCond()));
  Values states;
  for (Value initial : op.getVInitial())
    states.push_back(evaluation.get(initial));
  std::vector<Stack> stacks(op.getNumResults() - states.size());
  for (int64_t i = 0; count && goesOn && i < *count && *goesOn; ++i) {
    Values arguments = {
        makeArgument<DataType::Int64>(body.getArgument(0), i),
        makeArgument<DataType::Bool>(body.getArgument(1), true)};
    llvm::append_range(arguments, states);
    std::optional<Values> yields = evaluation.run(arguments);
    if (!yields)
      return std::nullopt;
    goesOn = getScalar<bool>(yields->front());
    ArrayRef<FoldValue> given = ArrayRef(*yields).drop_front();
    states.assign(given.begin(), given.begin() + states.size());
    for (auto [stack, slice] :
         llvm::zip_equal(stacks, given.drop_front(states.size())))
      if (!stack.add(evaluation, slice))
        return std::nullopt;
  }
  if (!count || !goesOn) {
    evaluation.refuse("expected one element in 'M' and in the condition");
    return std::nullopt;
  }
  TypeRange slices = yielded.drop_front(1 + states.size());
  return collect(evaluation, std::move(states), stacks, slices,
                 [](size_t) { return std::pair(int64_t(0), false); });
}

LogicalResult invar::onnx::evaluate(LoopOp op, TypeInference &inference) {
  Evaluation evaluation(op, inference);
  if (!evaluation.isPossible())
    return success();
  SmallVector<Type> yielded(op.getBody().front().back().getOperandTypes());
  return evaluation.finish(runLoop(op, evaluation, yielded));
}

//===-- Scan ------------------------------------------------------------------===//

/// Returns the slice of `x` at `index` of `axis`, without that axis.
static llvm::Expected<Elements> takeSlice(const ElementsBuilder &builder,
                                          const Elements &x, int64_t axis,
                                          int64_t index) {
  Shape starts(x.getRank(), 0), sizes(x.getShape()), steps(x.getRank(), 1);
  starts[axis] = index;
  sizes[axis] = 1;
  llvm::Expected<Elements> slice = builder.slice(x, starts, sizes, steps);
  if (!slice)
    return slice;
  sizes.erase(sizes.begin() + axis);
  return builder.reshape(*slice, sizes);
}

static std::optional<Values> runScan(ScanOp op, Evaluation &evaluation,
                                     TypeRange yielded) {
  ElementsBuilder builder(evaluation.getOptions().evaluation);
  size_t scans = op.getNumScanInputs();
  Values states;
  for (Value initial : op.getOperands().drop_back(scans))
    states.push_back(evaluation.get(initial));
  SmallVector<Elements> inputs;
  SmallVector<int64_t> axes;
  for (auto [i, input] : llvm::enumerate(op.getOperands().take_back(scans))) {
    const Elements &tensor = evaluation.get(input).getTensor();
    std::optional<int64_t> axis =
        normalizeAxis(entryOf(op.getScanInputAxes(), i), tensor.getRank());
    if (!axis) {
      evaluation.refuse("expected scan inputs with axes, but got a scalar");
      return std::nullopt;
    }
    inputs.push_back(tensor);
    axes.push_back(*axis);
  }
  // Inference has checked that all inputs have the same length.
  int64_t count = inputs.front().getShape()[axes.front()];
  std::vector<Stack> stacks(op.getNumResults() - states.size());
  for (int64_t step = 0; step < count; ++step) {
    Values arguments = states;
    for (auto [i, input] : llvm::enumerate(inputs)) {
      bool isReversed = entryOf(op.getScanInputDirections(), i) != 0;
      llvm::Expected<Elements> slice = takeSlice(
          builder, input, axes[i], isReversed ? count - 1 - step : step);
      if (!slice) {
        evaluation.refuse(describe(slice.takeError()).second);
        return std::nullopt;
      }
      arguments.push_back(std::move(*slice));
    }
    std::optional<Values> yields = evaluation.run(arguments);
    if (!yields)
      return std::nullopt;
    states.assign(yields->begin(), yields->begin() + states.size());
    for (auto [stack, slice] : llvm::zip_equal(
             stacks, ArrayRef<FoldValue>(*yields).drop_front(states.size())))
      if (!stack.add(evaluation, slice))
        return std::nullopt;
  }
  TypeRange slices = yielded.drop_front(states.size());
  return collect(evaluation, std::move(states), stacks, slices, [&](size_t i) {
    return std::pair(entryOf(op.getScanOutputAxes(), i),
                     entryOf(op.getScanOutputDirections(), i) != 0);
  });
}

LogicalResult invar::onnx::evaluate(ScanOp op, TypeInference &inference) {
  Evaluation evaluation(op, inference);
  if (!evaluation.isPossible())
    return success();
  SmallVector<Type> yielded(op.getBody().front().back().getOperandTypes());
  return evaluation.finish(runScan(op, evaluation, yielded));
}

//===-- SequenceMap -----------------------------------------------------------===//

static std::optional<Values> runMap(SequenceMapOp op, Evaluation &evaluation) {
  size_t count = evaluation.get(op.getInputSequence()).getItems().size();
  std::vector<std::vector<FoldValue>> results(op.getNumResults());
  for (size_t i = 0; i < count; ++i) {
    Values arguments;
    for (Value operand : op.getOperands()) {
      const FoldValue &value = evaluation.get(operand);
      if (value.isSequence() && value.getItems().size() != count) {
        evaluation.refuse("expected sequences of " + Twine(count) +
                          " items, but got one of " +
                          Twine(value.getItems().size()));
        return std::nullopt;
      }
      arguments.push_back(value.isSequence() ? value.getItems()[i] : value);
    }
    std::optional<Values> yields = evaluation.run(arguments);
    if (!yields)
      return std::nullopt;
    for (auto [result, item] : llvm::zip_equal(results, *yields)) {
      if (!item.isTensor() || !evaluation.spend(item.getTensor())) {
        evaluation.refuse("what it yields is too much to keep");
        return std::nullopt;
      }
      result.push_back(std::move(item));
    }
  }
  Values sequences;
  for (std::vector<FoldValue> &items : results)
    sequences.push_back(FoldValue::sequence(std::move(items)));
  return sequences;
}

LogicalResult invar::onnx::evaluate(SequenceMapOp op,
                                    TypeInference &inference) {
  Evaluation evaluation(op, inference);
  if (!evaluation.isPossible())
    return success();
  return evaluation.finish(runMap(op, evaluation));
}
