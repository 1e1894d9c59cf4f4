// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Sequence.h"

#include "invar/Dialect/ONNX/RuntimeCall.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Returns the type of a sequence's elements, null if it is unknown.
static Type elementOf(Value sequence) {
  auto type = dyn_cast<SequenceType>(sequence.getType());
  return type ? type.getElementType() : Type();
}

LogicalResult ConcatFromSequenceOp::verify() {
  Check check(*this);
  check.flag("(C1)", "new_axis", getNewAxis())
      .agrees("(C2)", "concat_result", getConcatResult().getType(),
              elementOf(getInputSequence()));
  auto element =
      dyn_cast_or_null<RankedTensorType>(elementOf(getInputSequence()));
  if (!element || failed(check))
    return check;
  int64_t rank = element.getRank() + getNewAxis();
  return check.that("(C3)", normalizeAxis(getAxis(), rank).has_value(),
                    "'axis' to be in [" + Twine(-rank) + ", " + Twine(rank) +
                        ")",
                    Twine(getAxis()));
}

LogicalResult OptionalOp::verify() {
  Check check(*this);
  check.that("(C1)", getInput() || getTypeAttr(), "'input' or 'type'",
             "neither");
  auto optional = dyn_cast<OptionalType>(getOutput().getType());
  if (!optional)
    return check;
  if (getInput())
    check.agrees("(C2)", "output", optional.getElementType(),
                 getInput().getType());
  else if (getTypeAttr())
    check.agrees("(C2)", "output", optional.getElementType(),
                 getTypeAttr().getValue());
  return check;
}

LogicalResult OptionalGetElementOp::verify() {
  Type type = getInput().getType();
  if (auto optional = dyn_cast<OptionalType>(type))
    type = optional.getElementType();
  return Check(*this).agrees("(C1)", "output", getOutput().getType(), type);
}

LogicalResult SequenceAtOp::verify() {
  return Check(*this)
      .agrees("(C1)", "tensor", getTensor().getType(),
              elementOf(getInputSequence()))
      .oneElement("(C2)", "position", getPosition());
}

LogicalResult SequenceConstructOp::verify() {
  Check check(*this);
  check.that("(C1)", !getInputs().empty(), "an operand", "none");
  for (Value input : getInputs())
    check.agrees("(C2)", "output_sequence", elementOf(getOutputSequence()),
                 input.getType());
  return check;
}

LogicalResult SequenceEmptyOp::verify() {
  int64_t number = getDtype().value_or(int64_t(DataType::Float32));
  std::optional<DataType> type = dataTypeFromNumber(number);
  Check check(*this);
  check.dataType("(C1)", "dtype", number);
  if (type)
    check.agrees(
        "(C1)", "output", elementOf(getOutput()),
        UnrankedTensorType::get(elements::toType(getContext(), *type)));
  return check;
}

LogicalResult SequenceEraseOp::verify() {
  return Check(*this).oneElement("(C1)", "position", getPosition());
}

LogicalResult SequenceInsertOp::verify() {
  return Check(*this)
      .agrees("(C1)", "tensor", getTensor().getType(),
              elementOf(getInputSequence()))
      .oneElement("(C2)", "position", getPosition());
}

LogicalResult SplitToSequenceOp::verify() {
  return Check(*this)
      .axis("(C1)", "axis", getAxis(), getInput())
      .flag("(C2)", "keepdims", getKeepdims())
      .agrees("(C3)", "output_sequence", elementOf(getOutputSequence()),
              getInput().getType());
}

//===-- Calls -----------------------------------------------------------------===//

RuntimeCall ConcatFromSequenceOp::describeCall() {
  RuntimeCall call(*this, "ConcatFromSequence");
  call.add(getInputSequence()).set("axis", getAxis());
  return call.set("is_new", getNewAxis() != 0);
}

RuntimeCall SplitToSequenceOp::describeCall() {
  RuntimeCall call(*this, "SplitToSequence");
  call.add(getInput()).add(getSplit()).set("axis", getAxis());
  return call.set("drops_axis", getKeepdims() == 0);
}
