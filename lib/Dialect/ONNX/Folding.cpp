// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Folding.h"

#include "invar/Elements/IR/DataTypes.h"
#include "invar/Support/Error.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

FoldValue FoldValue::sequence(std::vector<FoldValue> items) {
  FoldValue value;
  value.items =
      std::make_shared<const std::vector<FoldValue>>(std::move(items));
  return value;
}

/// Converts an expected value to the form of results.
static llvm::Expected<FoldResult::Values>
toValues(llvm::Expected<Elements> value) {
  if (!value)
    return value.takeError();
  return FoldResult::Values{std::move(*value)};
}

FoldResult::FoldResult(llvm::Expected<Elements> value)
    : values(toValues(std::move(value))) {}

llvm::Error invar::onnx::notFolded(const llvm::Twine &reason) {
  return badInput(reason);
}

std::optional<Elements> Folding::getOptional(Value operand) const {
  if (!operand)
    return std::nullopt;
  return get(operand);
}

SmallVector<Elements> Folding::getAll(ValueRange operands) const {
  return llvm::map_to_vector(operands,
                             [&](Value operand) { return get(operand); });
}

DataType Folding::getType(unsigned result) const {
  auto typeOf = [](Value value) {
    // Inference has already given every value a type of the standard.
    return *elements::toDataType(
        cast<TensorType>(value.getType()).getElementType());
  };
  DataType type = typeOf(op->getResult(result));
  if (options.numerics != Numerics::Wide || getKind(type) != NumberKind::Float)
    return type;
  // If float operands are widened to doubles, results are doubles too.
  bool isWide = llvm::any_of(op->getOperands(), [&](Value operand) {
    const FoldValue &value = lookup(operand);
    return value.isTensor() &&
           value.getTensor().getType() == DataType::Float64 &&
           typeOf(operand) != DataType::Float64;
  });
  return isWide ? DataType::Float64 : type;
}

llvm::Expected<Shape> Folding::getShape(unsigned result) const {
  auto type = dyn_cast<RankedTensorType>(op->getResult(result).getType());
  if (!type || !type.hasStaticShape())
    return notFolded("its shape is not known");
  return Shape(type.getShape());
}

llvm::Error invar::onnx::checkWork(ArrayRef<int64_t> shape,
                                   const FoldOptions &options) {
  std::optional<int64_t> count = countElements(shape);
  if (count && *count <= options.maxElements)
    return llvm::Error::success();
  return notFolded("it is about a tensor of " + printShape(shape) +
                   " elements, which is too much to compute");
}

Hash128 Folding::getKey(unsigned result) const {
  Hasher hasher;
  hasher.add(op->getName().getStringRef()).add(uint64_t(result));
  if (Attribute properties = op->getPropertiesAsAttribute())
    hasher.add(llvm::to_string(properties));
  return hasher.finish();
}

llvm::Expected<Elements> Folding::computeLater(DataType type,
                                               ArrayRef<int64_t> shape,
                                               ComputeKernel kernel,
                                               unsigned result) const {
  if (llvm::Error error = checkWork(shape))
    return error;
  SmallVector<Elements> inputs;
  for (Value operand : op->getOperands())
    if (const FoldValue &value = lookup(operand); value.isTensor()) {
      if (llvm::Error error = checkWork(value.getTensor().getShape()))
        return error;
      inputs.push_back(value.getTensor());
    }
  llvm::Expected<Elements> computed =
      builder.compute(type, shape, getKey(result), inputs, std::move(kernel));
  if (!computed || type == getType(result))
    return computed;
  return builder.cast(*computed, getType(result));
}
