// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates are sequential, so loops could not distribute them over threads. The runtime
// writes them into a copy, or into the tensor itself if it has no other users.
#include "../Arithmetic/ArithmeticFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Dialect/ONNX/Ops/Scatter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Each element of the cache is one of the update, counted from the write position, or
/// keeps its value.
static LogicalResult lower(TensorScatterOp op, Lowering &to) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value cache = to.get(op.getPastCache()), update = to.get(op.getUpdate());
  Value starts = to.getVector(op.getWriteIndices());
  SmallVector<OpFoldResult> sizes = to.sizesOf(cache), own = to.sizesOf(update);
  std::optional<int64_t> axis = normalizeAxis(op.getAxis(), sizes.size());
  if (!axis)
    return to.decline("its axis is not one of the cache");
  for (auto [i, size] : llvm::enumerate(sizes))
    if (int64_t(i) != *axis)
      to.checkEqual(own[i], size,
                    "expected an update that fits into the cache");
  if (isConstantIntValue(own[*axis], 0))
    return to.set(op.getPresentCache(), cache);
  // The size must be between 1 and the cache's size: as an unsigned number, a lower one
  // is too large.
  auto lessOne = [&](OpFoldResult size) -> Value {
    return arith::SubIOp::create(builder, to.toValue(size), to.makeIndex(1));
  };
  if (own[*axis] != sizes[*axis])
    to.check(arith::CmpIOp::create(builder, arith::CmpIPredicate::ult,
                                   lessOne(own[*axis]),
                                   to.toValue(sizes[*axis])),
             "expected an update that fits into the cache");
  bool isCircular = op.getMode() == "circular";
  if (starts)
    to.checkEqual(to.sizesOf(starts)[0], sizes[0],
                  "expected a place to write to for each batch");
  if (starts && !isCircular) {
    // The whole update must fit.
    Value last = arith::SubIOp::create(builder, to.toValue(sizes[*axis]),
                                       lessOne(own[*axis]));
    starts = to.checkIndices(starts, OpFoldResult(last),
                             {"index", /*fromBack=*/false});
  }
  Value written = to.generate(
      sizes, to.getType(op.getPastCache()).getElementType(),
      [&](ImplicitLocOpBuilder &b, ValueRange places) -> Value {
        Number size = toPlace(b, sizes[*axis]), count = toPlace(b, own[*axis]);
        Number place = toPlace(b, places[*axis]);
        if (starts) {
          Number start = toPlace(
              b, tensor::ExtractOp::create(b, starts, places[0]).getResult());
          // If indices are not checked, one out of range is clamped.
          start = isCircular ? formula::FloorMod()(start, size)
                             : maximum(minimum(start, size - count), Number(0));
          place = place - start;
          if (isCircular)
            place = select(place < Number(0), place + size, place);
        }
        scalar::Truth isNew = place >= Number(0) && place < count;
        SmallVector<Value> at(places);
        Value before = tensor::ExtractOp::create(b, cache, at);
        Number inside = maximum(minimum(place, count - Number(1)), Number(0));
        at[*axis] = inside.getValue();
        Value after = tensor::ExtractOp::create(b, update, at);
        return arith::SelectOp::create(b, isNew.getValue(), after, before);
      });
  return to.set(op.getPresentCache(), written);
}

void invar::onnx::addScatterLowerings(LoweringTable &table) {
  table.addCall<ScatterElementsOp>();
  table.addCall<ScatterNDOp>();
  table.addCall<ScatterOp>();
  table.addMovement<TensorScatterOp>(lower);
}
