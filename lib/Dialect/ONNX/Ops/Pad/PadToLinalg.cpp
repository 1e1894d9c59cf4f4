// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Arithmetic/ArithmeticFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Variants.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Maps a position on an infinite axis to one on an axis of `size` elements.
static Number locate(StringRef mode, Number place, Number size) {
  Number one = Number(1).like(size), last = size - one;
  if (mode == "edge")
    return maximum(minimum(place, last), Number(0));
  if (mode == "wrap")
    return formula::FloorMod()(place, size);
  // The axis and its mirror image repeat; the two ends occur only once.
  Number period = maximum(last + last, one);
  Number turn = formula::FloorMod()(place, period);
  return minimum(turn, period - turn);
}

/// Adds a border made of the tensor's own elements.
static Value extend(PadOp op, Lowering &to, const PadOp::Borders &borders) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  // Cropped elements must not be repeated.
  Value rest = crop(to, to.get(op.getData()), borders.begins, borders.ends);
  SmallVector<OpFoldResult> own = to.sizesOf(rest), before, sizes;
  SmallVector<bool> isExtended;
  for (auto [i, size] : llvm::enumerate(to.getShapeHelper().getDims(rest))) {
    IndexExpr begin = IndexExpr::max(borders.begins[i], 0);
    IndexExpr end = IndexExpr::max(borders.ends[i], 0);
    before.push_back(to.toSize(begin));
    sizes.push_back(to.toSize(size + begin + end));
    isExtended.push_back(!begin.isLiteral(0) || !end.isLiteral(0));
    if (!isExtended.back() || size.isAtLeast(1))
      continue;
    auto isZero = [&](OpFoldResult count) -> Value {
      return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                   to.toValue(count), to.makeIndex(0));
    };
    to.check(arith::CmpIOp::create(builder, arith::CmpIPredicate::ule,
                                   isZero(own[i]), isZero(sizes[i])),
             "expected something to fill the border with");
  }
  return to.generate(sizes, to.getType(op.getData()).getElementType(),
                     [&](ImplicitLocOpBuilder &b, ValueRange places) -> Value {
                       SmallVector<Value> at(places);
                       for (size_t i = 0; i < at.size(); ++i)
                         if (isExtended[i])
                           at[i] =
                               locate(op.getMode(),
                                      toPlace(b, at[i]) - toPlace(b, before[i]),
                                      toPlace(b, own[i]))
                                   .getValue();
                       return tensor::ExtractOp::create(b, rest, at);
                     });
}

static LogicalResult lower(PadOp op, Lowering &to) {
  // Verifiers let other tensors pass as lists: pads in a row, and an axis as a scalar.
  if (Value pads = to.get(op.getPads()); to.sizesOf(pads).size() == 2)
    return lowerWithOperand(to, op.getPads(),
                            to.reshape(pads, to.sizesOf(pads)[1]));
  if (Value axes = to.get(op.getAxes()); axes && to.sizesOf(axes).empty())
    return lowerWithOperand(to, op.getAxes(), to.getVector(op.getAxes()));
  auto borders = op.getBorders(to.getShapeHelper());
  if (failed(borders))
    return failure();
  // Either list may have an unknown length; 'pads' has two numbers for each axis.
  if (!*borders)
    return to.getType(op.getPads()).hasStaticShape()
               ? lowerForEachSize(to, op.getAxes(), 0)
               : lowerForEachSize(to, op.getPads(), 0, 2 * mostAxes);
  if (op.getAxes())
    checkAxes(to, op.getAxes(), to.getType(op.getData()).getRank());
  if (op.getMode() != "constant")
    return to.set(op.getOutput(), extend(op, to, **borders));
  Value element = op.getConstantValue()
                      ? getElement(to, op.getConstantValue())
                      : makeZero(to.getBuilder(), to.getBuilder().getLoc(),
                                 to.getType(op.getData()).getElementType());
  return to.set(op.getOutput(),
                pad(to, to.get(op.getData()), (*borders)->begins,
                    (*borders)->ends, element));
}

void invar::onnx::addPadLowerings(LoweringTable &table) {
  table.addMovement<PadOp>(lower);
}
