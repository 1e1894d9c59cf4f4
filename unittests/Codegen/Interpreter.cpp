// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace invar;

using Index = SmallVector<int64_t>;

static int64_t count(ArrayRef<int64_t> shape) {
  int64_t all = 1;
  for (int64_t size : shape)
    all *= size;
  return all;
}

static int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t place = 0;
  for (auto [at, size] : llvm::zip_equal(index, shape)) {
    if (at < 0 || at >= size)
      llvm::report_fatal_error("the kernel reads outside of a tensor");
    place = place * size + at;
  }
  return place;
}

/// Calls `body` for each index of a space, the last axis fastest.
static void forEachIndex(ArrayRef<int64_t> shape,
                         llvm::function_ref<void(ArrayRef<int64_t>)> body) {
  int64_t total = count(shape);
  Index index(shape.size());
  for (int64_t number = 0; number < total; ++number) {
    body(index);
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis])
        break;
      index[axis] = 0;
    }
  }
}

static int64_t asNumber(Attribute attribute) {
  return cast<IntegerAttr>(attribute).getValue().getSExtValue();
}

namespace {
class Interpreter {
public:
  using Scope = llvm::DenseMap<Value, TestValue>;

  std::vector<TestValue> run(func::FuncOp kernel,
                             ArrayRef<TestValue> arguments);

private:
  void run(Operation &op);
  TestValue runLinalg(linalg::LinalgOp op, unsigned result);
  TestValue runPad(tensor::PadOp op);
  TestValue runSlice(tensor::ExtractSliceOp op);
  TestValue runUnpack(linalg::UnPackOp op);
  SmallVector<TypedAttr> runBody(Block &body, ArrayRef<TypedAttr> arguments,
                                 ArrayRef<int64_t> index);
  void fold(Operation &op, llvm::DenseMap<Value, TypedAttr> &scalars);
  TypedAttr extract(tensor::ExtractOp op,
                    const llvm::DenseMap<Value, TypedAttr> &scalars);
  TypedAttr lookup(Value scalar, const llvm::DenseMap<Value, TypedAttr> &local);

  int64_t resolve(OpFoldResult value) {
    if (auto attribute = dyn_cast<Attribute>(value))
      return asNumber(attribute);
    return asNumber(scope.at(cast<Value>(value)).elements[0]);
  }
  Index resolve(ArrayRef<OpFoldResult> values) {
    return llvm::map_to_vector(values,
                               [&](auto value) { return resolve(value); });
  }

  Scope scope;
};
} // namespace

TypedAttr Interpreter::lookup(Value scalar,
                              const llvm::DenseMap<Value, TypedAttr> &local) {
  auto found = local.find(scalar);
  return found != local.end() ? found->second : scope.at(scalar).elements[0];
}

TypedAttr
Interpreter::extract(tensor::ExtractOp op,
                     const llvm::DenseMap<Value, TypedAttr> &scalars) {
  const TestValue &tensor = scope.at(op.getTensor());
  Index index;
  for (Value at : op.getIndices())
    index.push_back(asNumber(lookup(at, scalars)));
  return tensor.elements[linearize(index, *tensor.shape)];
}

void Interpreter::fold(Operation &op,
                       llvm::DenseMap<Value, TypedAttr> &scalars) {
  SmallVector<Attribute> operands;
  for (Value operand : op.getOperands())
    operands.push_back(lookup(operand, scalars));
  // Operations that MLIR folds only if the result is exact.
  if (auto truncate = dyn_cast<arith::TruncFOp>(op)) {
    APFloat value = cast<FloatAttr>(operands[0]).getValue();
    bool isLossy;
    value.convert(cast<FloatType>(truncate.getType()).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &isLossy);
    scalars[truncate] = FloatAttr::get(truncate.getType(), value);
    return;
  }
  SmallVector<OpFoldResult> results;
  if (failed(op.fold(operands, results)) ||
      results.size() != op.getNumResults()) {
    op.dump();
    llvm::report_fatal_error("expected an operation that folds");
  }
  for (auto [value, result] : llvm::zip_equal(op.getResults(), results)) {
    auto attribute = dyn_cast<Attribute>(result);
    scalars[value] = attribute ? cast<TypedAttr>(attribute)
                               : lookup(cast<Value>(result), scalars);
  }
}

SmallVector<TypedAttr> Interpreter::runBody(Block &body,
                                            ArrayRef<TypedAttr> arguments,
                                            ArrayRef<int64_t> index) {
  llvm::DenseMap<Value, TypedAttr> scalars;
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments))
    scalars[argument] = value;
  for (Operation &op : body.without_terminator()) {
    if (auto at = dyn_cast<linalg::IndexOp>(op))
      scalars[at] = Builder(op.getContext()).getIndexAttr(index[at.getDim()]);
    else if (auto element = dyn_cast<tensor::ExtractOp>(op))
      scalars[element] = extract(element, scalars);
    else
      fold(op, scalars);
  }
  return llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value value) { return lookup(value, scalars); });
}

TestValue Interpreter::runLinalg(linalg::LinalgOp op, unsigned result) {
  SmallVector<TestValue> operands;
  for (Value operand : op->getOperands())
    operands.push_back(scope.at(operand));
  Index sizes(op.getNumLoops(), -1);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [axis, place] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(place))
        sizes[dim.getPosition()] =
            (*operands[operand.getOperandNumber()].shape)[axis];
  }
  Block &body = op->getRegion(0).front();
  forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> places;
    SmallVector<TypedAttr> arguments;
    for (auto [number, operand] : llvm::enumerate(operands)) {
      places.push_back(0);
      if (operand.shape)
        places.back() = linearize(
            op.getMatchingIndexingMap(&op->getOpOperand(number)).compose(index),
            *operand.shape);
      arguments.push_back(operand.elements[places.back()]);
    }
    auto yielded = runBody(body, arguments, index);
    unsigned first = op.getNumDpsInputs();
    for (auto [number, value] : llvm::enumerate(yielded))
      operands[first + number].elements[places[first + number]] = value;
  });
  return operands[op.getNumDpsInputs() + result];
}

TestValue Interpreter::runPad(tensor::PadOp op) {
  const TestValue &source = scope.at(op.getSource());
  Index low = resolve(op.getMixedLowPad()),
        high = resolve(op.getMixedHighPad());
  TestValue made{source.element, Index(), {}};
  for (auto [size, before, after] : llvm::zip_equal(*source.shape, low, high))
    made.shape->push_back(before + size + after);
  TypedAttr border = scope.at(op.getConstantPaddingValue()).elements[0];
  forEachIndex(*made.shape, [&](ArrayRef<int64_t> index) {
    Index from;
    bool isInside = true;
    for (auto [at, before, size] : llvm::zip_equal(index, low, *source.shape)) {
      from.push_back(at - before);
      isInside &= at >= before && at - before < size;
    }
    made.elements.push_back(
        isInside ? source.elements[linearize(from, *source.shape)] : border);
  });
  return made;
}

TestValue Interpreter::runSlice(tensor::ExtractSliceOp op) {
  const TestValue &source = scope.at(op.getSource());
  Index offsets = resolve(op.getMixedOffsets()),
        sizes = resolve(op.getMixedSizes()),
        strides = resolve(op.getMixedStrides());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  TestValue made{source.element, Index(), {}};
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (!dropped[axis])
      made.shape->push_back(size);
  forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
    Index from;
    for (auto [at, offset, stride] : llvm::zip_equal(index, offsets, strides))
      from.push_back(offset + at * stride);
    made.elements.push_back(source.elements[linearize(from, *source.shape)]);
  });
  return made;
}

TestValue Interpreter::runUnpack(linalg::UnPackOp op) {
  const TestValue &source = scope.at(op.getSource());
  TestValue made = scope.at(op.getDest());
  made.elements.clear();
  forEachIndex(*made.shape, [&](ArrayRef<int64_t> index) {
    Index outer(index), inner;
    for (auto [axis, tile] :
         llvm::zip_equal(op.getInnerDimsPos(), op.getStaticInnerTiles())) {
      inner.push_back(index[axis] % tile);
      outer[axis] = index[axis] / tile;
    }
    Index from;
    for (size_t axis = 0; axis < outer.size(); ++axis)
      from.push_back(
          outer[op.getOuterDimsPerm().empty() ? axis
                                              : op.getOuterDimsPerm()[axis]]);
    llvm::append_range(from, inner);
    made.elements.push_back(source.elements[linearize(from, *source.shape)]);
  });
  return made;
}

void Interpreter::run(Operation &op) {
  if (auto linalg = dyn_cast<linalg::LinalgOp>(op)) {
    for (OpResult result : op.getResults())
      scope[result] = runLinalg(linalg, result.getResultNumber());
  } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    scope[pad] = runPad(pad);
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    scope[slice] = runSlice(slice);
  } else if (auto unpack = dyn_cast<linalg::UnPackOp>(op)) {
    scope[unpack.getResult()] = runUnpack(unpack);
  } else if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    Type element = empty.getType().getElementType();
    Index shape = resolve(empty.getMixedSizes());
    auto zero = cast<TypedAttr>(Builder(op.getContext()).getZeroAttr(element));
    scope[empty] = {element, shape, std::vector<TypedAttr>(count(shape), zero)};
  } else if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    int64_t size = (*scope.at(dim.getSource()).shape)[*dim.getConstantIndex()];
    scope[dim] = {dim.getType(),
                  std::nullopt,
                  {Builder(op.getContext()).getIndexAttr(size)}};
  } else if (auto element = dyn_cast<tensor::ExtractOp>(op)) {
    scope[element] = {element.getType(),
                      std::nullopt,
                      {extract(element, llvm::DenseMap<Value, TypedAttr>())}};
  } else if (auto constant = dyn_cast<arith::ConstantOp>(op);
             constant && isa<TensorType>(constant.getType())) {
    auto content = cast<DenseElementsAttr>(constant.getValue());
    TestValue &made = scope[constant];
    made = {content.getElementType(), Index(content.getType().getShape()), {}};
    for (Attribute element : content.getValues<Attribute>())
      made.elements.push_back(cast<TypedAttr>(element));
  } else {
    llvm::DenseMap<Value, TypedAttr> scalars;
    fold(op, scalars);
    for (auto [value, attribute] : scalars)
      scope[value] = {value.getType(), std::nullopt, {attribute}};
  }
}

std::vector<TestValue> Interpreter::run(func::FuncOp kernel,
                                        ArrayRef<TestValue> arguments) {
  for (auto [argument, value] :
       llvm::zip_equal(kernel.getArguments(), arguments))
    scope[argument] = value;
  for (Operation &op : kernel.front().without_terminator())
    run(op);
  std::vector<TestValue> results;
  for (Value value : kernel.front().getTerminator()->getOperands())
    results.push_back(scope.at(value));
  return results;
}

std::vector<TestValue> invar::interpret(func::FuncOp kernel,
                                        ArrayRef<TestValue> arguments) {
  return Interpreter().run(kernel, arguments);
}
