// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Control.h"

#include "ControlFold.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Returns the yielded values of a graph, which must end in a yield.
static OperandRange yieldsOf(Region &graph) {
  return graph.front().back().getOperands();
}

static Type tensorOf(Type element) { return UnrankedTensorType::get(element); }

LogicalResult IfOp::verify() {
  Check check(*this);
  check.oneElement("(C3)", "cond", getCond());
  for (Region *branch : {&getThenBranch(), &getElseBranch()}) {
    StringRef name = branch == &getThenBranch() ? "then_branch" : "else_branch";
    if (failed(check.graph("(C1)", name, *branch, 0, getNumResults())))
      return check;
    for (auto [yielded, result] : llvm::zip(yieldsOf(*branch), getResults()))
      check.agrees("(C2)", name, yielded.getType(), result.getType());
  }
  return check;
}

/// Returns the type of a state when it is present: a state may be optional first and
/// always present later.
static Type presentType(Value state) {
  auto optional = dyn_cast<OptionalType>(state.getType());
  return optional ? optional.getElementType() : state.getType();
}

LogicalResult LoopOp::verify() {
  size_t states = getVInitial().size();
  Check check(*this);
  check.oneElement("(C4)", "M", getM())
      .oneElement("(C4)", "cond", getCond())
      .that("(C2)", states <= getNumResults(),
            "at least " + Twine(states) + " results, one for each state",
            Twine(getNumResults()));
  // Check the number of arguments first: it has a separate label.
  check.that("(C1)", getBody().front().getNumArguments() == states + 2,
             "'body' to take " + Twine(states + 2) + " arguments",
             Twine(getBody().front().getNumArguments()));
  if (failed(check.graph("(C2)", "body", getBody(), states + 2,
                         getNumResults() + 1)))
    return check;
  Builder builder(getContext());
  Block::BlockArgListType arguments = getBody().getArguments();
  OperandRange yields = yieldsOf(getBody());
  check
      .agrees("(C3)", "iteration", arguments[0].getType(),
              tensorOf(builder.getI64Type()))
      .agrees("(C3)", "condition", arguments[1].getType(),
              tensorOf(builder.getI1Type()))
      .agrees("(C3)", "condition", yields[0].getType(),
              tensorOf(builder.getI1Type()));
  for (auto [i, initial] : llvm::enumerate(getVInitial()))
    for (Value state :
         {Value(arguments[i + 2]), Value(yields[i + 1]), Value(getResult(i))})
      check.agrees("(C3)", "state", presentType(state), presentType(initial));
  return check;
}

LogicalResult ScanOp::verify() {
  int64_t operands = getNumOperands(), results = getNumResults();
  int64_t scans = getNumScanInputs();
  Check check(*this);
  check.that("(C1)", scans >= 1 && scans <= operands,
             "'num_scan_inputs' to be in [1, " + Twine(operands) + "]",
             Twine(scans));
  if (failed(check))
    return check;
  int64_t states = operands - scans;
  check.graph("(C2)", "body", getBody(), operands, results)
      .that("(C2)", states <= results,
            "at least " + Twine(states) + " results, one for each state",
            Twine(results))
      .length("(C3)", "scan_input_axes", lengthOf(getScanInputAxes()), scans)
      .length("(C3)", "scan_input_directions",
              lengthOf(getScanInputDirections()), scans)
      .length("(C3)", "scan_output_axes", lengthOf(getScanOutputAxes()),
              results - states)
      .length("(C3)", "scan_output_directions",
              lengthOf(getScanOutputDirections()), results - states);
  for (auto directions : {getScanInputDirections(), getScanOutputDirections()})
    for (int64_t direction : directions.value_or(ArrayRef<int64_t>()))
      check.flag("(C4)", "direction", direction);
  if (failed(check))
    return check;
  for (auto [initial, yielded, result] : llvm::zip_first(
           getOperands().take_front(states), yieldsOf(getBody()), getResults()))
    check.agrees("(C6)", "state", yielded.getType(), initial.getType())
        .agrees("(C6)", "state", result.getType(), initial.getType());
  if (auto axes = getScanInputAxes(); axes && succeeded(check))
    for (auto [axis, input] :
         llvm::zip(*axes, getOperands().drop_front(states)))
      check.axis("(C5)", "scan_input_axes", axis, input);
  return check;
}

LogicalResult SequenceMapOp::verify() {
  return Check(*this).graph("(C1)", "body", getBody(), getNumOperands(),
                            getNumResults());
}

//===-- Types -----------------------------------------------------------------===//

LogicalResult IfOp::inferTypes(TypeInference &inference) {
  IndexExpr condition = inference.getBuilder().getIntAsSymbol(getCond());
  // A branch that never runs does not affect the types, and often has inconsistent
  // shapes.
  if (condition.isLiteral()) {
    bool isElse = condition.isLiteral(0);
    Region &taken = isElse ? getElseBranch() : getThenBranch();
    inference.inferDeadGraph(isElse ? getThenBranch() : getElseBranch());
    if (failed(inference.inferGraph(taken, {})))
      return failure();
    for (auto [result, yielded] : llvm::zip(getResults(), yieldsOf(taken))) {
      inference.setType(result,
                        inference.leaveGraph(yielded.getType(), taken, result));
      inference.copyContent(yielded, result);
    }
    return success();
  }
  auto then = inference.inferGraph(getThenBranch(), {});
  auto otherwise = inference.inferGraph(getElseBranch(), {});
  if (failed(then) || failed(otherwise))
    return failure();
  Check check(*this);
  for (auto [a, b] : llvm::zip(*then, *otherwise))
    check.agrees("(C2)", "else_branch", b, a);
  if (failed(check))
    return check;
  for (auto [result, a, b] : llvm::zip(getResults(), *then, *otherwise)) {
    inference.setType(
        result, inference.join(inference.leaveGraph(a, getThenBranch(), result),
                               inference.leaveGraph(b, getElseBranch(), result),
                               result));
    inference.copyContent(Value(), result);
  }
  return success();
}

/// Infers a body until the types of its states, the arguments from `first` on, no
/// longer change. `yielded` is the index of the first state among the body's yields.
static FailureOr<SmallVector<Type>>
inferToFixedPoint(TypeInference &inference, Region &body,
                  SmallVector<Type> arguments, size_t first, size_t states,
                  size_t yielded) {
  constexpr unsigned manyRounds = 4;
  for (unsigned round = 0;; ++round) {
    auto yields = round ? inference.inferGraphAgain(body, arguments)
                        : inference.inferGraph(body, arguments);
    // The body's types are known now, so more of the surrounding operator can be checked.
    Operation *around = body.getParentOp();
    if (failed(yields) || failed(around->getName().verifyInvariants(around)))
      return failure();
    bool stable = true;
    for (size_t i = 0; i < states; ++i) {
      Type &state = arguments[first + i];
      Type joined = inference.join(state, (*yields)[yielded + i],
                                   body.getArgument(first + i));
      if (joined == state)
        continue;
      stable = false;
      // Remove shapes that keep changing, so that this terminates.
      state = round < manyRounds && !inference.isDeep() ? joined
                                                        : withoutShape(joined);
    }
    if (stable)
      return yields;
  }
}

/// Whether the condition to continue is always true.
static bool goesOnForever(Region &body, bool startsTrue,
                          TypeInference &inference) {
  Value condition = yieldsOf(body)[0];
  while (auto identity = condition.getDefiningOp<IdentityOp>())
    condition = identity.getInput();
  if (condition == body.getArgument(1))
    return startsTrue;
  IndexExpr known = inference.getBuilder().getIntAsSymbol(condition);
  return known.isLiteral() && !known.isLiteral(0);
}

/// Returns the type of slices that a body yields, stacked along an axis.
static Type stack(TypeInference &inference, Type slice, Region &body,
                  IndexExpr count, int64_t axis, Value result) {
  auto tensor = dyn_cast<RankedTensorType>(slice);
  if (!tensor)
    return slice;
  DimsExpr dims = inference.getDimsOutside(tensor, body);
  std::optional<int64_t> place = normalizeAxis(axis, dims.size() + 1);
  if (!place)
    return withoutShape(slice);
  dims.insert(dims.begin() + *place, count);
  return inference.getTensorType(dims, tensor.getElementType(), result);
}

/// Returns the type of the iteration or condition that a body takes: a scalar, or a
/// vector of one element if the body declares that.
static Type counterType(Value argument, Type element) {
  auto said = dyn_cast<RankedTensorType>(argument.getType());
  SmallVector<int64_t, 1> shape(said && said.getRank() == 1 ? 1 : 0, 1);
  return RankedTensorType::get(shape, element);
}

LogicalResult LoopOp::inferTypes(TypeInference &inference) {
  Builder builder(getContext());
  IndexExprBuilder &reader = inference.getBuilder();
  size_t states = getVInitial().size();
  SmallVector<Type> arguments = {
      counterType(getBody().getArgument(0), builder.getI64Type()),
      counterType(getBody().getArgument(1), builder.getI1Type())};
  llvm::append_range(arguments, getVInitial().getTypes());
  auto yields = inferToFixedPoint(inference, getBody(), std::move(arguments), 2,
                                  states, 1);
  if (failed(yields))
    return failure();
  IndexExpr start = reader.getIntAsSymbol(getCond(), 1);
  IndexExpr count = reader.getQuestionmark();
  if (getM() && start.isLiteral() && !start.isLiteral(0) &&
      goesOnForever(getBody(), true, inference))
    count = IndexExpr::max(reader.getIntAsSymbol(getM()), 0);
  for (OpResult result : getResults()) {
    size_t i = result.getResultNumber();
    if (i >= states) {
      inference.setType(result, stack(inference, (*yields)[i + 1], getBody(),
                                      count, 0, result));
      continue;
    }
    // A loop that never runs returns its initial states, so a result has the type of
    // the body's argument. A state that is optional first and always present later has
    // its type when present.
    Type state = getBody().getArgument(i + 2).getType();
    bool comesToStay = isa<OptionalType>(state) &&
                       !isa<OptionalType, UnknownType>((*yields)[i + 1]);
    inference.setType(
        result, inference.leaveGraph(comesToStay ? (*yields)[i + 1] : state,
                                     getBody(), result));
  }
  return evaluate(*this, inference);
}

LogicalResult ScanOp::inferTypes(TypeInference &inference) {
  size_t scans = getNumScanInputs(), states = getNumOperands() - scans;
  ShapeHelper shape(*this, inference.getBuilder());
  SmallVector<Type> arguments(getOperands().take_front(states).getTypes());
  IndexExpr count;
  for (auto [i, input] : llvm::enumerate(getOperands().drop_front(states))) {
    auto tensor = dyn_cast<RankedTensorType>(input.getType());
    int64_t axis = entryOf(getScanInputAxes(), i);
    std::optional<int64_t> place =
        tensor ? normalizeAxis(axis, tensor.getRank()) : std::nullopt;
    if (!place) {
      arguments.push_back(withoutShape(input.getType()));
      continue;
    }
    DimsExpr dims = shape.getDims(input);
    if (failed(shape.expectEqual(count, dims[*place],
                                 "the lengths of the scan inputs")))
      return failure();
    count = dims[*place];
    dims.erase(dims.begin() + *place);
    arguments.push_back(inference.getTensorType(
        dims, tensor.getElementType(), getBody().getArgument(states + i)));
  }
  auto yields = inferToFixedPoint(inference, getBody(), std::move(arguments), 0,
                                  states, 0);
  if (failed(yields))
    return failure();
  for (OpResult result : getResults()) {
    size_t i = result.getResultNumber();
    int64_t axis = i < states ? 0 : entryOf(getScanOutputAxes(), i - states);
    inference.setType(
        result,
        i < states
            ? inference.leaveGraph(getBody().getArgument(i).getType(),
                                   getBody(), result)
            : stack(inference, (*yields)[i], getBody(), count, axis, result));
  }
  return evaluate(*this, inference);
}

LogicalResult SequenceMapOp::inferTypes(TypeInference &inference) {
  // The body takes elements of sequences; other operands are passed unchanged.
  SmallVector<Type> arguments;
  for (Type type : getOperandTypes()) {
    auto sequence = dyn_cast<SequenceType>(type);
    arguments.push_back(sequence ? sequence.getElementType() : type);
  }
  auto yields = inference.inferGraph(getBody(), arguments);
  if (failed(yields))
    return failure();
  // Elements have different sizes, so these get no names.
  for (auto [result, type] : llvm::zip(getResults(), *yields))
    inference.setType(
        result, SequenceType::get(getContext(), inference.leaveGraph(
                                                    type, getBody(), Value())));
  return evaluate(*this, inference);
}
