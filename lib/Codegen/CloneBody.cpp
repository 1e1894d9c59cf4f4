// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies bodies of linalg operations to code on vectors. The operations of arith and
// math accept vectors as well as scalars, so a body is copied operation by operation,
// and only types change.
#include "KernelBuilder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

/// Copies an operation with `operands` as its new operands, some of them vectors.
static void cloneOperation(KernelBuilder &builder, Operation &op,
                           ArrayRef<Value> operands, IRMapping &mapping) {
  unsigned lanes = 0;
  for (Value operand : operands)
    lanes = std::max(lanes, getLanes(operand));
  Operation *copy = builder.clone(op);
  for (auto [index, operand] : llvm::enumerate(operands)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(copy);
    copy->setOperand(index, builder.splat(operand, lanes));
  }
  for (OpResult result : copy->getResults())
    result.setType(getRegisterType(result.getType(), lanes));
  mapping.map(op.getResults(), copy->getResults());
}

Values invar::cloneBody(KernelBuilder &builder, Block &body,
                        ValueRange arguments, const BodyHooks &hooks) {
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  auto lookup = [&](Value value) {
    Value known = mapping.lookupOrNull(value);
    return known ? known : builder.getScalar(value);
  };
  for (Operation &op : body.without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      mapping.map(index.getResult(), hooks.index(index.getDim()));
      continue;
    }
    auto operands = llvm::map_to_vector<4>(op.getOperands(), [&](Value value) {
      return isa<RankedTensorType>(value.getType()) ? value : lookup(value);
    });
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      mapping.map(extract.getResult(),
                  hooks.extract(extract, ArrayRef(operands).drop_front()));
    else
      cloneOperation(builder, op, operands, mapping);
  }
  return llvm::map_to_vector(body.getTerminator()->getOperands(), lookup);
}
