// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/Const/Reads.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

SetVector<Value> invar::getRead(Operation *op) {
  SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  return read;
}
