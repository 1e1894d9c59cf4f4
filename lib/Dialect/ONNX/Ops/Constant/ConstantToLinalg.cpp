// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Sparse.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Support/Error.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static LogicalResult lower(ConstantOp op, Lowering &to) {
  ElementsAttr content;
  if (SparseAttr sparse = op.getSparseValueAttr()) {
    llvm::Expected<Elements> dense = expandSparse(sparse);
    if (!dense)
      return to.decline(describe(dense.takeError()).second);
    content = elements::LazyElementsAttr::get(op.getContext(), *dense);
  } else if (!matchPattern(op.getOperation(), m_Constant(&content))) {
    return to.decline("its content is not a tensor");
  }
  return to.set(op->getResult(0), to.makeConstant(content));
}

void invar::onnx::addConstantLowerings(LoweringTable &table) {
  table.add<ConstantOp>(lower);
}
