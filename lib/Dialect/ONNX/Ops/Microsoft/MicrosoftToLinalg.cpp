// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Arithmetic/ArithmeticFormulas.h"
#include "TokenRules.h"
#include "invar/Conversion/ONNXToLinalg/Contraction.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Sums squares of differences in the loops of a matrix product. The form a² + b² - 2ab
/// would be faster, but it cancels for rows that are close to each other, and those are
/// the rows that users search for.
static LogicalResult lower(MSCDistOp op, Lowering &to) {
  if (failed(to.expectRanks()))
    return failure();
  bool isSquared = op.getMetric() == "sqeuclidean";
  if (!isSquared && op.getMetric() != "euclidean")
    return to.decline("its metric is '" + op.getMetric() + "'");
  Value columns = to.transpose(to.get(op.getB()), {1, 0});
  FailureOr<Value> distances = makeProduct(
      to, {to.get(op.getA()), {}}, {columns, {}},
      to.getType(op.getA()).getElementType(), [](ArrayRef<Number> in) {
        Number difference = in[0] - in[1];
        return difference * difference;
      });
  if (succeeded(distances) && !isSquared)
    distances = to.apply(formula::Sqrt(), *distances);
  return succeeded(distances) ? to.set(op.getC(), *distances) : failure();
}

static LogicalResult lower(MSTokenizerOp op, Lowering &to) {
  kernels::Tokenizer tokenizer(getTokenRules(op));
  if (!tokenizer.whyNot().empty())
    return to.decline(tokenizer.whyNot());
  return to.call(op.describeCall());
}

void invar::onnx::addMicrosoftLowerings(LoweringTable &table) {
  table.add<MSCDistOp>(lower);
  table.addCall<MSMurmurHash3Op>();
  table.add<MSTokenizerOp>(lower);
}
