// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sequence's type contains what all elements have in common: an axis whose size
// differs, or may differ, has neither a number nor a name. An element that is taken out
// has its own sizes, named after it.
//
// The number of elements is not in the type. It is computed on demand, from the
// operators that created the sequence. So inference visits the users of a sequence
// again even if its type is unchanged: the number may have changed.
#include "invar/Dialect/ONNX/Ops/Sequence.h"

#include "invar/Dialect/ONNX/TypeInference.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- How a sequence was made -------------------------------------------------------===//

/// Returns the tensors in a sequence, in any order; empty if they are unknown.
static std::optional<SmallVector<Value>> tensorsIn(Value sequence) {
  // Longer ones are created in loops, and the limit bounds the cost of hostile models.
  constexpr size_t most = 64;
  SmallVector<Value> tensors;
  while (auto insert = sequence.getDefiningOp<SequenceInsertOp>()) {
    tensors.push_back(insert.getTensor());
    sequence = insert.getInputSequence();
    if (tensors.size() > most)
      return std::nullopt;
  }
  if (auto construct = sequence.getDefiningOp<SequenceConstructOp>())
    llvm::append_range(tensors, construct.getInputs());
  else if (!sequence.getDefiningOp<SequenceEmptyOp>())
    return std::nullopt;
  return tensors;
}

/// Returns the axis that is cut, if it is known.
static std::optional<int64_t> getCutAxis(SplitToSequenceOp op) {
  std::optional<int64_t> rank = rankOf(op.getInput());
  return rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
}

static IndexExpr countItems(ShapeHelper &shape, Value sequence) {
  if (auto tensors = tensorsIn(sequence))
    return int64_t(tensors->size());
  auto split = sequence.getDefiningOp<SplitToSequenceOp>();
  if (!split)
    return shape.getQuestionmark();
  std::optional<int64_t> rank = rankOf(split.getSplit());
  if (rank == 1) // There is one size for each part.
    return shape.getDim(split.getSplit(), 0);
  std::optional<int64_t> axis = getCutAxis(split);
  if (!axis || (split.getSplit() && rank != 0))
    return shape.getQuestionmark();
  IndexExpr size = shape.getBuilder().getIntAsSymbol(split.getSplit(), 1);
  return shape.getDim(split.getInput(), *axis).ceilDiv(size);
}

//===-- Sequences ---------------------------------------------------------------------===//

/// Returns the type of a tensor that is taken out of a sequence or an optional.
static Type takeOut(TypeInference &inference, Type type, Value result) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  return inference.getTensorType(inference.getDims(tensor),
                                 tensor.getElementType(), result);
}

static Type sequenceOf(Type element) {
  return SequenceType::get(element.getContext(), element);
}

static LogicalResult setSequence(TypeInference &inference, Value sequence,
                                 Type element) {
  inference.setType(sequence, sequenceOf(element));
  return success();
}

/// Removes the shape of a result about which the operand tells nothing.
static LogicalResult leaveOpen(TypeInference &inference, Value result) {
  inference.setType(result, withoutShape(result.getType()));
  return success();
}

/// Returns the size of the axis along which a sequence is concatenated: the sum of the
/// sizes.
static IndexExpr joinedSize(ShapeHelper &shape, Value sequence, int64_t axis) {
  if (auto split = sequence.getDefiningOp<SplitToSequenceOp>())
    if (getCutAxis(split) == axis && (split.getSplit() || split.getKeepdims()))
      return shape.getDim(split.getInput(), axis);
  std::optional<SmallVector<Value>> tensors = tensorsIn(sequence);
  if (!tensors)
    return shape.getQuestionmark();
  IndexExpr size = 0;
  for (Value tensor : *tensors) {
    std::optional<int64_t> rank = rankOf(tensor);
    if (!rank || axis >= *rank)
      return shape.getQuestionmark();
    size = size + shape.getDim(tensor, axis);
  }
  return size;
}

LogicalResult ConcatFromSequenceOp::inferTypes(TypeInference &inference) {
  auto sequence = dyn_cast<SequenceType>(getInputSequence().getType());
  auto element = sequence
                     ? dyn_cast<RankedTensorType>(sequence.getElementType())
                     : RankedTensorType();
  if (!element) {
    if (!sequence)
      return leaveOpen(inference, getConcatResult());
    inference.setType(getConcatResult(), sequence.getElementType());
    return success();
  }
  ShapeHelper shape(*this, inference.getBuilder());
  DimsExpr dims = inference.getDims(element);
  int64_t axis = *normalizeAxis(getAxis(), element.getRank() + getNewAxis());
  if (getNewAxis())
    dims.insert(dims.begin() + axis, countItems(shape, getInputSequence()));
  else
    dims[axis] = joinedSize(shape, getInputSequence(), axis);
  inference.setType(getConcatResult(),
                    inference.getTensorType(dims, element.getElementType(),
                                            getConcatResult()));
  return success();
}

LogicalResult SequenceAtOp::inferTypes(TypeInference &inference) {
  auto sequence = dyn_cast<SequenceType>(getInputSequence().getType());
  if (!sequence)
    return leaveOpen(inference, getTensor());
  inference.setType(getTensor(),
                    takeOut(inference, sequence.getElementType(), getTensor()));
  return success();
}

LogicalResult SequenceConstructOp::inferTypes(TypeInference &inference) {
  Type element = getInputs().front().getType();
  for (Value input : getInputs().drop_front())
    element = inference.join(element, input.getType(), Value());
  return setSequence(inference, getOutputSequence(), element);
}

LogicalResult SequenceEmptyOp::inferTypes(TypeInference &inference) {
  std::optional<DataType> type =
      dataTypeFromNumber(getDtype().value_or(int64_t(DataType::Float32)));
  inference.setType(getOutput(), sequenceOf(UnrankedTensorType::get(
                                     elements::toType(getContext(), *type))));
  return success();
}

LogicalResult SequenceEraseOp::inferTypes(TypeInference &inference) {
  inference.setType(getOutputSequence(), getInputSequence().getType());
  return success();
}

LogicalResult SequenceInsertOp::inferTypes(TypeInference &inference) {
  auto sequence = dyn_cast<SequenceType>(getInputSequence().getType());
  Type element = getTensor().getType();
  // In an empty sequence there are no other elements to join with.
  if (sequence && !getInputSequence().getDefiningOp<SequenceEmptyOp>())
    element = inference.join(sequence.getElementType(), element, Value());
  else if (!sequence)
    element = withoutShape(element);
  return setSequence(inference, getOutputSequence(), element);
}

std::optional<DimsExpr> SequenceLengthOp::computeEntries(ShapeHelper &shape,
                                                         unsigned) {
  return DimsExpr{countItems(shape, getInputSequence())};
}

/// Returns the size of all parts along the cut axis; unknown if they differ.
static FailureOr<IndexExpr> partSize(SplitToSequenceOp op, ShapeHelper &shape,
                                     IndexExpr size) {
  if (!op.getSplit())
    return IndexExpr(1);
  std::optional<int64_t> rank = rankOf(op.getSplit());
  std::optional<SmallVector<int64_t>> parts =
      shape.getBuilder().getIntsFromArrayAsLiterals(op.getSplit());
  if (!rank || !parts)
    return shape.getQuestionmark();
  Check check(op);
  IndexExpr total = 0;
  for (int64_t part : *parts) {
    check.that("(C4)", part >= (*rank ? 0 : 1),
               "parts of at least " + Twine(*rank ? 0 : 1), Twine(part));
    total = total + part;
  }
  if (*rank && total.isLiteral() && size.isLiteral())
    check.that("(C4)", total.getLiteral() == size.getLiteral(),
               "parts of " + Twine(size.getLiteral()) + " in sum",
               Twine(total.getLiteral()));
  if (failed(check))
    return failure();
  bool areEqual = *rank ? !parts->empty() && llvm::all_equal(*parts)
                        : (size % parts->front()).isLiteral(0);
  if (areEqual)
    return IndexExpr(parts->front());
  // An axis smaller than a part is the only part.
  bool isOne = !*rank && size.isLiteral() && size.getLiteral() < parts->front();
  return isOne ? size : shape.getQuestionmark();
}

LogicalResult SplitToSequenceOp::inferTypes(TypeInference &inference) {
  if (isa<UnknownType>(getInput().getType()))
    return leaveOpen(inference, getOutputSequence());
  std::optional<int64_t> axis = getCutAxis(*this);
  // With a scalar `split`, some runtimes obey `keepdims`, others follow the standard.
  bool isSaid = getKeepdims() || !getSplit() || rankOf(getSplit()) == 1;
  if (!axis || !isSaid)
    return setSequence(inference, getOutputSequence(),
                       withoutShape(getInput().getType()));
  ShapeHelper shape(*this, inference.getBuilder());
  DimsExpr dims = shape.getDims(getInput());
  FailureOr<IndexExpr> size = partSize(*this, shape, dims[*axis]);
  if (failed(size))
    return failure();
  if (getSplit() || getKeepdims())
    dims[*axis] = *size;
  else
    dims.erase(dims.begin() + *axis);
  return setSequence(
      inference, getOutputSequence(),
      inference.getTensorType(dims, elementTypeOf(getInput()), Value()));
}

//===-- Optionals ---------------------------------------------------------------------===//

LogicalResult OptionalOp::inferTypes(TypeInference &inference) {
  Type element = getInput() ? getInput().getType() : getTypeAttr().getValue();
  inference.setType(getOutput(), OptionalType::get(getContext(), element));
  return success();
}

LogicalResult OptionalGetElementOp::inferTypes(TypeInference &inference) {
  Type type = getInput().getType();
  if (isa<UnknownType>(type))
    return leaveOpen(inference, getOutput());
  if (auto optional = dyn_cast<OptionalType>(type))
    type = optional.getElementType();
  inference.setType(getOutput(), takeOut(inference, type, getOutput()));
  return success();
}

std::optional<DimsExpr> OptionalHasElementOp::computeEntries(ShapeHelper &,
                                                             unsigned) {
  if (!getInput())
    return DimsExpr{0};
  // A value that is not optional is always present.
  if (!isa<OptionalType, UnknownType>(getInput().getType()))
    return DimsExpr{1};
  if (auto made = getInput().getDefiningOp<OptionalOp>())
    return DimsExpr{made.getInput() ? 1 : 0};
  return std::nullopt;
}
