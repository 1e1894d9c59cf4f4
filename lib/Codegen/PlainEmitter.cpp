// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a kernel as plain loops, which define its meaning: operations one after the
// other, each with its loops as linalg numbers them, element by element. Every
// intermediate tensor is written to scratch memory. Nothing is merged, tiled, vectorized
// or read through, so this emitter shares no decision with the others: their kernels are
// checked against it.
//
// Sums of singles are kept as doubles until they are complete: added one after the other,
// a million singles lose more digits than in any order that fast code uses.
//
//   scratch    one piece for each tensor that an operation computes, and for each such sum
//   units      one: the whole kernel
#include "Contraction.h"
#include "KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

namespace {
/// The location of a tensor's elements.
struct Place {
  Value buffer, origin;
  Values strides;
};

class PlainWriter {
public:
  explicit PlainWriter(KernelBuilder &builder) : b(builder) { layOutScratch(); }

  KernelPlan writePlan() { return {b.index(1), b.index(1), scratchSize}; }
  void writeRun() {
    b.loop(b.getFrom(), b.getTo(), 1, [&](Value) { writeKernel(); });
  }

private:
  using PointBody = llvm::function_ref<void(ArrayRef<Value> indices)>;

  void layOutScratch();
  void writeKernel();
  void forEach(ArrayRef<Value> sizes, PointBody body);

  const Place &getPlace(Value tensor);
  Place makePlace(Value tensor, Value buffer);
  Value load(Value tensor, ArrayRef<Value> indices);
  void store(Value element, Value tensor, ArrayRef<Value> indices);
  void copy(Value from, Value to);

  void write(linalg::GenericOp op);
  void write(linalg::UnPackOp op);
  void write(tensor::PadOp op);
  void write(arith::ConstantOp op);
  Place view(tensor::ExtractSliceOp op);

  KernelBuilder &b;
  llvm::DenseMap<Value, Value> scratch;
  /// For results that are sums of singles: the offset of the doubles in scratch memory.
  llvm::DenseMap<Value, Value> sums;
  Value scratchSize;
  llvm::DenseMap<Value, Place> places;
};

class PlainEmitter : public KernelEmitter {
public:
  StringRef getName() const override { return "plain loops"; }
  KernelPlan emitPlan(KernelBuilder &builder) override {
    return PlainWriter(builder).writePlan();
  }
  void emitRun(KernelBuilder &builder) override {
    PlainWriter(builder).writeRun();
  }
};
} // namespace

std::unique_ptr<KernelEmitter> invar::makePlainEmitter() {
  return std::make_unique<PlainEmitter>();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Whether a tensor without content is read, which is possible if it has no elements.
static bool isRead(tensor::EmptyOp empty) {
  return llvm::any_of(empty->getUses(), [](OpOperand &use) {
    auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return !op || !op.isDpsInit(&use);
  });
}

/// Whether a tensor is computed, and is not only a view of another.
static bool isMade(Value tensor) {
  if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>())
    return isRead(empty);
  return isa<RankedTensorType>(tensor.getType()) &&
         isa<linalg::LinalgOp, linalg::UnPackOp, tensor::PadOp,
             arith::ConstantOp>(tensor.getDefiningOp());
}

/// Whether each step of a reduction adds a term to the previous result, in singles.
static bool isSum(OpResult result) {
  auto op = dyn_cast<linalg::GenericOp>(result.getOwner());
  if (!op || !op.getNumReductionLoops() ||
      !getElementTypeOrSelf(result).isF32())
    return false;
  Value yielded =
      op.getBody()->getTerminator()->getOperand(result.getResultNumber());
  auto sum = yielded.getDefiningOp<arith::AddFOp>();
  BlockArgument before =
      op.getMatchingBlockArgument(op.getTiedOpOperand(result));
  return sum && before.hasOneUse() && *before.user_begin() == sum;
}

void PlainWriter::layOutScratch() {
  scratchSize = b.index(0);
  auto reserve = [&](Value tensor, unsigned bits) {
    Value begin = scratchSize;
    Value bytes = b.mul(b.getCount(tensor), b.index(bits / 8));
    scratchSize = b.add(scratchSize, b.alignScratch(bytes));
    return begin;
  };
  for (Operation &op : b.getKernel().front().without_terminator())
    for (OpResult result : op.getResults()) {
      if (!isMade(result))
        continue;
      Type memory = getMemoryType(getElementTypeOrSelf(result));
      scratch[result] = reserve(result, memory.getIntOrFloatBitWidth());
      if (isSum(result))
        sums[result] = reserve(result, 64);
    }
}

Place PlainWriter::makePlace(Value tensor, Value buffer) {
  return {buffer, b.index(0), b.getStrides(b.getSizes(tensor))};
}

/// The place of a tensor. A computed tensor has one before anything is written.
const Place &PlainWriter::getPlace(Value tensor) {
  while (auto cast = tensor.getDefiningOp<tensor::CastOp>())
    tensor = cast.getSource();
  return places.find(tensor)->second;
}

Value PlainWriter::load(Value tensor, ArrayRef<Value> indices) {
  const Place &place = getPlace(tensor);
  return b.load(place.buffer,
                b.add(place.origin, b.offset(indices, place.strides)),
                getElementTypeOrSelf(tensor));
}

void PlainWriter::store(Value element, Value tensor, ArrayRef<Value> indices) {
  const Place &place = getPlace(tensor);
  b.store(element, place.buffer,
          b.add(place.origin, b.offset(indices, place.strides)));
}

void PlainWriter::forEach(ArrayRef<Value> sizes, PointBody body) {
  Values indices;
  auto nest = [&](auto &self) -> void {
    if (indices.size() == sizes.size())
      return body(indices);
    b.loop(b.index(0), sizes[indices.size()], 1, [&](Value index) {
      indices.push_back(index);
      self(self);
      indices.pop_back();
    });
  };
  nest(nest);
}

void PlainWriter::copy(Value from, Value to) {
  forEach(b.getSizes(to), [&](ArrayRef<Value> indices) {
    store(load(from, indices), to, indices);
  });
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void PlainWriter::writeKernel() {
  func::FuncOp kernel = b.getKernel();
  for (BlockArgument argument : kernel.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      places[argument] = makePlace(argument, b.getBuffer(argument));
  for (Operation &op : kernel.front().without_terminator()) {
    for (Value result : op.getResults())
      if (isMade(result))
        places[result] =
            makePlace(result, b.getScratch(getElementTypeOrSelf(result),
                                           scratch.lookup(result)));
    if (auto fill = dyn_cast<linalg::FillOp>(op))
      forEach(b.getSizes(fill.getResult(0)), [&](ArrayRef<Value> indices) {
        store(b.getScalar(fill.value()), fill.getResult(0), indices);
      });
    else if (auto generic = dyn_cast<linalg::GenericOp>(op))
      write(generic);
    else if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
      write(unpack);
    else if (auto pad = dyn_cast<tensor::PadOp>(op))
      write(pad);
    else if (auto constant = dyn_cast<arith::ConstantOp>(op))
      write(constant);
    else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      places[slice.getResult()] = view(slice);
  }
  Operation *end = kernel.front().getTerminator();
  for (auto [result, target] :
       llvm::zip_equal(end->getOperands(),
                       kernel.getArguments().take_back(end->getNumOperands())))
    copy(result, target);
}

void PlainWriter::write(linalg::GenericOp op) {
  // A result begins with the content of its init operand, unless that is only memory to
  // write to.
  func::FuncOp kernel = b.getKernel();
  auto targets = kernel.getArguments().take_back(kernel.getNumResults());
  for (OpResult result : op->getResults()) {
    Value init = op.getTiedOpOperand(result)->get();
    if (!init.getDefiningOp<tensor::EmptyOp>() &&
        !llvm::is_contained(targets, init))
      copy(init, result);
  }
  Type wide = b.getF64Type();
  llvm::MapVector<Value, Place> wideSums;
  for (OpResult result : op->getResults())
    if (Value begin = sums.lookup(result)) {
      const Place &sum = wideSums[result] =
          makePlace(result, b.getScratch(wide, begin));
      forEach(b.getSizes(result), [&](ArrayRef<Value> indices) {
        Value first = arith::ExtFOp::create(b, wide, load(result, indices));
        b.store(first, sum.buffer, b.offset(indices, sum.strides));
      });
    }
  forEach(getLoopSizes(b, op), [&](ArrayRef<Value> indices) {
    auto getPoint = [&](AffineMap map) {
      return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
        return b.evaluate(expr, indices);
      });
    };
    Values arguments;
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      // For a sum, pass 0, so that the body computes only the term to add.
      if (argument.use_empty() ||
          (op.isDpsInit(&operand) &&
           wideSums.contains(op.getTiedOpResult(&operand))))
        arguments.push_back(b.zero(argument.getType()));
      else if (!isa<RankedTensorType>(operand.get().getType()))
        arguments.push_back(b.getScalar(operand.get()));
      else
        arguments.push_back(
            load(op.isDpsInit(&operand) ? op.getTiedOpResult(&operand)
                                        : operand.get(),
                 getPoint(op.getMatchingIndexingMap(&operand))));
    }
    auto index = [&](int64_t dim) { return indices[dim]; };
    auto extract = [&](tensor::ExtractOp read, ValueRange at) {
      return load(read.getTensor(), llvm::to_vector_of<Value>(at));
    };
    Values yielded = cloneBody(b, *op.getBody(), arguments, {index, extract});
    for (auto [result, element] : llvm::zip_equal(op->getResults(), yielded)) {
      auto point = getPoint(op.getIndexingMapMatchingResult(result));
      auto sum = wideSums.find(result);
      if (sum == wideSums.end()) {
        store(element, result, point);
        continue;
      }
      Value place = b.offset(point, sum->second.strides);
      Value before = b.load(sum->second.buffer, place, wide);
      Value term = arith::ExtFOp::create(b, wide, element);
      b.store(arith::AddFOp::create(b, before, term), sum->second.buffer,
              place);
    }
  });
  for (auto &[result, sum] : wideSums)
    forEach(b.getSizes(result), [&](ArrayRef<Value> indices) {
      Value all = b.load(sum.buffer, b.offset(indices, sum.strides), wide);
      store(arith::TruncFOp::create(b, b.getF32Type(), all), result, indices);
    });
}

void PlainWriter::write(linalg::UnPackOp op) {
  ArrayRef<int64_t> order = op.getOuterDimsPerm();
  forEach(b.getSizes(op.getResult()), [&](ArrayRef<Value> indices) {
    Values outer(indices), inner;
    for (auto [axis, size] :
         llvm::zip_equal(op.getInnerDimsPos(), op.getMixedTiles())) {
      Value tile = b.getScalar(size);
      inner.push_back(b.rem(outer[axis], tile));
      outer[axis] = b.div(outer[axis], tile);
    }
    Values from;
    for (size_t axis = 0; axis < outer.size(); ++axis)
      from.push_back(outer[order.empty() ? axis : order[axis]]);
    from.append(inner);
    store(load(op.getSource(), from), op.getResult(), indices);
  });
}

void PlainWriter::write(tensor::PadOp op) {
  Value border = b.getScalar(op.getConstantPaddingValue());
  forEach(b.getSizes(op.getResult()), [&](ArrayRef<Value> indices) {
    store(border, op.getResult(), indices);
  });
  SmallVector<OpFoldResult> low = op.getMixedLowPad();
  forEach(b.getSizes(op.getSource()), [&](ArrayRef<Value> indices) {
    Values to;
    for (auto [index, before] : llvm::zip_equal(indices, low))
      to.push_back(b.add(index, b.getScalar(before)));
    store(load(op.getSource(), indices), op.getResult(), to);
  });
}

/// Writes a tensor of constants; kernels contain only small ones.
void PlainWriter::write(arith::ConstantOp op) {
  auto content = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!content)
    return;
  const Place &place = getPlace(op.getResult());
  for (auto [number, element] : llvm::enumerate(content.getValues<Attribute>()))
    b.store(arith::ConstantOp::create(b, cast<TypedAttr>(element)),
            place.buffer, b.index(int64_t(number)));
}

Place PlainWriter::view(tensor::ExtractSliceOp op) {
  Place place = getPlace(op.getSource());
  Values strides;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (unsigned axis = 0; axis < dropped.size(); ++axis) {
    Value stride = place.strides[axis];
    Value offset = b.getScalar(op.getMixedOffsets()[axis]);
    place.origin = b.add(place.origin, b.mul(offset, stride));
    if (!dropped[axis])
      strides.push_back(b.mul(stride, b.getScalar(op.getMixedStrides()[axis])));
  }
  place.strides = strides;
  return place;
}
