// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SliceFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Variants.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- By places -------------------------------------------------------------===//

/// Whether a step is known to be positive.
static bool isForwards(const SliceOp::Part &part) {
  return part.step.isLiteral() && part.step.getLiteral() > 0;
}

/// Emits the verifier's checks for axes and steps that are known only at run time.
static void checkLists(SliceOp op, Lowering &to) {
  if (op.getAxes())
    checkAxes(to, op.getAxes(), to.getType(op.getData()).getRank());
  if (!op.getSteps())
    return;
  auto steps = to.getShapeHelper().getBuilder().getIntsFromArrayAsSymbols(
      to.get(op.getSteps()));
  for (IndexExpr step : steps ? *steps : DimsExpr())
    if (!step.isLiteral())
      to.check(arith::CmpIOp::create(to.getBuilder(), arith::CmpIPredicate::ne,
                                     to.toValue(to.toSize(step)),
                                     to.makeIndex(0)),
               "expected steps other than 0");
}

static LogicalResult lower(SliceOp op, Lowering &to) {
  auto parts = op.getParts(to.getShapeHelper());
  if (failed(parts))
    return failure();
  if (!*parts)
    return lowerForEachSize(to, op.getStarts(), 0);
  checkLists(op, to);
  Value data = to.get(op.getData());
  SmallVector<OpFoldResult> starts, sizes, steps;
  for (const SliceOp::Part &part : **parts) {
    starts.push_back(to.toSize(part.start));
    sizes.push_back(to.toSize(part.size));
    steps.push_back(to.toSize(part.step));
  }
  if (llvm::all_of(**parts, isForwards))
    return to.set(op.getOutput(), makeSlice(to, data, starts, sizes, steps));
  SmallVector<OpFoldResult> own = to.sizesOf(data);
  Value slice = to.generate(
      sizes, to.getType(op.getData()).getElementType(),
      [&](ImplicitLocOpBuilder &b, ValueRange places) -> Value {
        SmallVector<Value> at;
        for (auto [i, place] : llvm::enumerate(places)) {
          Number from =
              toPlace(b, starts[i]) + toPlace(b, place) * toPlace(b, steps[i]);
          // A step that is known only at run time may be so large that this overflows.
          if (!(**parts)[i].step.isLiteral())
            from = maximum(minimum(from, toPlace(b, own[i]) - Number(1)),
                           Number(0));
          at.push_back(from.getValue());
        }
        return tensor::ExtractOp::create(b, data, at);
      });
  return to.set(op.getOutput(), slice);
}

static LogicalResult lower(SplitOp op, Lowering &to) {
  Value input = to.get(op.getInput());
  SmallVector<OpFoldResult> own = to.sizesOf(input);
  std::optional<int64_t> axis = normalizeAxis(op.getAxis(), own.size());
  if (!axis)
    return to.decline("its axis is not one of its operand");
  // Check all parts before taking one.
  IndexExpr start = 0;
  SmallVector<OpFoldResult> starts, counts;
  for (IndexExpr size : op.getSizes(to.getShapeHelper())) {
    if (size.hasQuestionmark())
      return to.decline("the sizes of its parts are not known");
    starts.push_back(to.toSize(start));
    counts.push_back(to.toSize(size));
    if (!size.isAtLeast(0))
      to.check(arith::CmpIOp::create(to.getBuilder(), arith::CmpIPredicate::sge,
                                     to.toValue(counts.back()),
                                     to.makeIndex(0)),
               "expected parts of at least 0");
    start = start + size;
  }
  to.checkEqual(to.toSize(start), own[*axis],
                "expected parts that add up to the axis");
  for (auto [first, count, output] :
       llvm::zip_equal(starts, counts, op.getOutputs()))
    if (failed(to.set(output, sliceAlong(to, input, *axis, first, count))))
      return failure();
  return success();
}

static LogicalResult lower(CenterCropPadOp op, Lowering &to) {
  auto sizes = to.getSizes(op.getOutputData());
  if (failed(sizes))
    return failure();
  Value data = to.get(op.getInputData());
  ShapeHelper &shape = to.getShapeHelper();
  DimsExpr begins, ends;
  for (auto [own, size] : llvm::zip_equal(shape.getDims(data), *sizes)) {
    std::optional<int64_t> literal = getConstantIntValue(size);
    IndexExpr wanted = literal ? IndexExpr(*literal)
                               : shape.getScope().getSymbol(cast<Value>(size));
    // If the difference is odd, one more element is after the centre than before it.
    IndexExpr more = wanted - own;
    begins.push_back(IndexExpr::select(
        more < 0, IndexExpr(0) - (own - wanted).floorDiv(2), more.floorDiv(2)));
    ends.push_back(more - begins.back());
    if (ends.back().hasQuestionmark())
      return to.decline("expected sizes that can be computed with");
  }
  Value zero = makeZero(to.getBuilder(), to.getBuilder().getLoc(),
                        to.getType(op.getInputData()).getElementType());
  return to.set(op.getOutputData(), pad(to, data, begins, ends, zero));
}

static LogicalResult lower(TriluOp op, Lowering &to) {
  Value input = to.get(op.getInput());
  Type type = to.getType(op.getInput()).getElementType();
  int64_t rank = to.getType(op.getInput()).getRank();
  SmallVector<Value> operands = {input};
  if (op.getK())
    operands.push_back(toScalar(to, to.get(op.getK())));
  FailureOr<Value> made = to.combine(
      operands, to.sizesOf(input), type,
      [&](ImplicitLocOpBuilder &b, ArrayRef<Value> in) -> Value {
        Number row = toPlace(b, Value(linalg::IndexOp::create(b, rank - 2)));
        Number column = toPlace(b, Value(linalg::IndexOp::create(b, rank - 1)));
        // A diagonal that is known only at run time may be any number.
        Number k =
            op.getK() ? toPlace(b, in[1]) : toPlace(b, b.getIndexAttr(0));
        scalar::Truth isInside =
            op.getUpper() ? column - row >= k : column - row <= k;
        return arith::SelectOp::create(b, isInside.getValue(), in[0],
                                       makeZero(b, b.getLoc(), type));
      });
  return succeeded(made) ? to.set(op.getOutput(), *made) : failure();
}

void invar::onnx::addSliceLowerings(LoweringTable &table) {
  table.addMovement<CenterCropPadOp>(lower);
  table.addCall<CompressOp>();
  table.addCall<NonZeroOp>();
  table.addMovement<SliceOp>(lower);
  table.addMovement<SplitOp>(lower);
  table.addMovement<TriluOp>(lower);
  table.addCall<UniqueOp>();
}
