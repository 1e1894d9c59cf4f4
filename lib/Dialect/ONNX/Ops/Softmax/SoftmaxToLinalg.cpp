// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplify decomposes the losses (decompose-likelihood, decompose-cross-entropy).
#include "invar/Conversion/ONNXToLinalg/Rows.h"
#include "invar/Dialect/ONNX/Ops/Softmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Lowers a function along one axis; `steps` computes all elements.
template <typename Op>
static LogicalResult
lowerAlongAxis(Op op, Lowering &to,
               function_ref<Value(const Rows &, Value, Type)> steps) {
  RankedTensorType type = to.getType(op.getInput());
  if (!type)
    return to.decline("the rank of its operand is not known");
  std::optional<int64_t> axis = normalizeAxis(op.getAxis(), type.getRank());
  if (!axis)
    return to.decline("it has no axis");
  Value x = to.get(op.getInput());
  return to.set(op.getOutput(),
                steps(Rows(to, x, *axis), x, type.getElementType()));
}

static Number exponential(ArrayRef<Number> in) { return exp(in[0] - in[1]); }

/// For 16-bit floats each step rounds, because the standard defines softmax by other
/// operators (SoftmaxSteps.h).
static LogicalResult lower(SoftmaxOp op, Lowering &to) {
  return lowerAlongAxis(op, to, [](const Rows &rows, Value x, Type) {
    return makeSoftmax(rows, x);
  });
}

static LogicalResult lower(LogSoftmaxOp op, Lowering &to) {
  return lowerAlongAxis(op, to, [](const Rows &rows, Value x, Type element) {
    Value most = rows.greatest(x);
    Value sum = rows.sum({rows.each(x), rows.perRow(most)}, exponential);
    Value logarithm =
        rows.ofRows(sum, rows.getWorkType(),
                    [](ArrayRef<Number> in) { return log(in[0]); });
    return rows.ofAll(
        {rows.each(x), rows.perRow(most), rows.perRow(logarithm)}, element,
        [](ArrayRef<Number> in) { return in[0] - in[1] - in[2]; });
  });
}

static LogicalResult lower(HardmaxOp op, Lowering &to) {
  return lowerAlongAxis(op, to, [&](const Rows &rows, Value x, Type element) {
    Value places =
        rows.locateExtreme(x, /*isGreatest=*/true, /*takesLast=*/false);
    return rows.ofAll(rows.perRow(places), element, [&](ArrayRef<Number> in) {
      Number one = Number(1).like(in[0]);
      return select(rows.getPlace(in[0]) == in[0], one, Number(0));
    });
  });
}

void invar::onnx::addSoftmaxLowerings(LoweringTable &table) {
  table.add<HardmaxOp>(lower);
  table.add<LogSoftmaxOp>(lower);
  table.add<SoftmaxOp>(lower);
}
