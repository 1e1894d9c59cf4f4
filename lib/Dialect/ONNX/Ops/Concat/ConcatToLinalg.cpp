// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static LogicalResult lower(ConcatOp op, Lowering &to) {
  if (!to.hasRanks() || !to.canMoveAll())
    return to.callPlain();
  auto sizes = to.getSizes(op.getConcatResult());
  if (failed(sizes))
    return failure();
  RankedTensorType type = to.getType(op.getConcatResult());
  std::optional<int64_t> axis = normalizeAxis(op.getAxis(), type.getRank());
  if (!axis)
    return to.decline("its axis is not one of the result");
  SmallVector<Value> parts;
  for (Value part : ConcatOp::getParts(op.getInputs(), op.getAxis())) {
    parts.push_back(to.get(part));
    for (auto [i, size] : llvm::enumerate(to.sizesOf(parts.back())))
      if (int64_t(i) != *axis)
        to.checkEqual(size, (*sizes)[i],
                      "expected operands that agree in axis " + Twine(i));
  }
  if (parts.size() == 1)
    return to.set(op.getConcatResult(), parts.front());
  Value joined = tensor::ConcatOp::create(to.getBuilder(), *axis, parts);
  for (auto [i, size] : llvm::enumerate(*sizes))
    to.getGraph().noteSize(joined, int64_t(i), size);
  return to.set(op.getConcatResult(), joined);
}

void invar::onnx::addConcatLowerings(LoweringTable &table) {
  table.addAnyRank<ConcatOp>(lower);
}
