// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Stack.h"

#include "invar/Dialect/Runtime/Runtime.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

Value onnx::startStack(Lowering &to, Type elementType, OpFoldResult count) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  auto type = rt::SequenceType::get(builder.getContext(),
                                    UnrankedTensorType::get(elementType));
  Value expected;
  if (count) {
    Type i64 = builder.getI64Type();
    Value number = arith::IndexCastOp::create(builder, i64, to.toValue(count));
    expected = tensor::FromElementsOp::create(
        builder, RankedTensorType::get({}, i64), number);
  }
  return to.call("StackStart", expected, type).front();
}

Value onnx::addToStack(Lowering &to, Value stack, Value slice,
                       bool isReversed) {
  SmallVector<NamedAttribute> arguments;
  if (isReversed)
    arguments.push_back(
        to.named("is_reversed", to.getBuilder().getI64IntegerAttr(1)));
  return to.call("StackAdd", {stack, slice}, stack.getType(), arguments)
      .front();
}

Value onnx::finishStack(Lowering &to, Value stack, RankedTensorType type,
                        int64_t axis) {
  NamedAttribute argument =
      to.named("axis", to.getBuilder().getI64IntegerAttr(axis));
  return to.call("StackFinish", stack, type, argument).front();
}
