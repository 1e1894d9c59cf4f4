// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Control.h"

#include "invar/Dialect/ONNX/Verify.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The values that a graph, already known to end in a yield, gives back.
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

/// What a state is when it is there: one that is optional at first may come to stay.
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
  // The arguments first: their number has a label of its own.
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
