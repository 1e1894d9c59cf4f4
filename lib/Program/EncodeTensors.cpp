// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes tensors, kernels and calls.
#include "EncodeBounds.h"
#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/Runtime/Runtime.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace invar;

void Encoder::reshape(Value from, Value to, ArrayRef<uint32_t> sizes) {
  SmallVector<uint32_t> operands = {define(to), get(from)};
  appendList(operands, sizes);
  assembler.emit(INVAR_OP_RESHAPE, operands);
}

/// The number of an element in row-major order.
uint32_t Encoder::getPlace(Value tensor, ValueRange indices) {
  uint32_t place = getLiteral(0);
  for (auto [axis, index] : llvm::enumerate(indices)) {
    if (axis > 0) {
      uint32_t scaled = assembler.makeNumber();
      assembler.emit(INVAR_OP_MUL_SATURATED,
                     {scaled, place, getSize(tensor, int64_t(axis))});
      place = scaled;
    }
    uint32_t sum = assembler.makeNumber();
    assembler.emit(INVAR_OP_ADD_SATURATED, {sum, place, get(index)});
    place = sum;
  }
  return place;
}

LogicalResult Encoder::encodeKernel(Operation *op) {
  auto call = cast<func::CallOp>(op);
  auto kernel = kernels.find(call.getCallee());
  if (kernel == kernels.end())
    return op->emitError("expected a call of a kernel");
  auto [number, function] = kernel->second;
  if (failed(KernelBounds(*this, function, call).emit()))
    return failure();
  SmallVector<uint32_t> tensors, numbers, sizes;
  for (Value operand : call.getOperands()) {
    if (isNumber(operand.getType())) {
      numbers.push_back(get(operand));
      continue;
    }
    tensors.push_back(get(operand));
    auto type = cast<RankedTensorType>(operand.getType());
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (type.isDynamicDim(axis))
        sizes.push_back(getSize(operand, axis));
  }
  llvm::append_range(numbers, sizes);
  SmallVector<uint32_t> operands = {number};
  appendList(operands, tensors);
  appendList(operands, numbers);
  assembler.emit(INVAR_OP_KERNEL, operands);
  // A kernel returns the tensors that it has written.
  ValueRange written = call.getOperands().take_back(call.getNumResults());
  for (auto [result, tensor] : llvm::zip_equal(call.getResults(), written))
    copy(define(result), tensor);
  return success();
}

LogicalResult Encoder::encodeCall(Operation *op) {
  auto call = cast<rt::CallOp>(op);
  std::string missing;
  FailureOr<uint32_t> attributes =
      assembler.getAttributes(call.getArguments(), missing);
  if (failed(attributes))
    return op->emitError("expected an attribute that the runtime can take, "
                         "but got '")
           << missing << "'";
  SmallVector<uint32_t> from, to, types;
  for (Value operand : call.getOperands())
    from.push_back(isa<rt::NoneType>(operand.getType()) ? INVAR_NONE
                                                        : get(operand));
  for (Value result : call.getResults()) {
    to.push_back(define(result));
    types.push_back(assembler.getType(result.getType()));
    if (types.back() == INVAR_NONE)
      return op->emitError("expected a type that the runtime has, but got ")
             << result.getType();
  }
  SmallVector<uint32_t> operands = {assembler.getString(call.getCallee()),
                                    *attributes};
  allocateResults(call);
  appendList(operands, from);
  appendList(operands, to);
  appendList(operands, types);
  assembler.emit(INVAR_OP_CALL, operands);
  return success();
}

void Encoder::encodeCheckIndices(Operation *op) {
  auto check = cast<rt::CheckIndicesOp>(op);
  SmallVector<uint32_t> operands = {get(check.getIndices()),
                                    uint32_t(check.getFromBack()),
                                    assembler.getString(check.getWhat())};
  appendList(operands, getNumbers(check.getSizes()));
  assembler.emit(INVAR_OP_CHECK_INDICES, operands);
  copy(define(check), check.getIndices());
}

LogicalResult Encoder::encodeConcat(Operation *op) {
  auto concat = cast<tensor::ConcatOp>(op);
  OpBuilder builder(op->getContext());
  std::string missing;
  FailureOr<uint32_t> attributes = assembler.getAttributes(
      builder.getDictionaryAttr(builder.getNamedAttr(
          "axis", builder.getI64IntegerAttr(int64_t(concat.getDim())))),
      missing);
  SmallVector<uint32_t> operands = {assembler.getString("Concat"), *attributes};
  appendList(operands, getNumbers(concat.getInputs()));
  appendList(operands, define(concat));
  allocateResults(concat);
  appendList(operands, assembler.getType(concat.getType()));
  assembler.emit(INVAR_OP_CALL, operands);
  return success();
}

LogicalResult Encoder::encodeDecode(Operation *op) {
  auto decode = cast<constants::DecodeOp>(op);
  std::string missing;
  FailureOr<uint32_t> attributes =
      assembler.getAttributes(DictionaryAttr::get(op->getContext()), missing);
  uint32_t type = assembler.getType(decode.getType());
  if (type == INVAR_NONE)
    return op->emitError("expected a type that the runtime has, but got ")
           << decode.getType();
  SmallVector<uint32_t> operands = {assembler.getString("Decode"), *attributes};
  appendList(operands, get(decode.getBytes()));
  appendList(operands, define(decode));
  allocateResults(decode);
  appendList(operands, type);
  assembler.emit(INVAR_OP_CALL, operands);
  return success();
}

/// Whether a slice is contiguous in memory: its last axes are whole, one axis before them
/// may be cut, and all earlier axes have size 1.
static bool isContiguous(tensor::ExtractSliceOp slice) {
  auto type = slice.getSourceType();
  bool isWhole = true; // Whether all later axes are whole.
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
    if (!isConstantIntValue(slice.getMixedStrides()[axis], 1))
      return false;
    OpFoldResult size = slice.getMixedSizes()[axis];
    if (!isWhole && !isConstantIntValue(size, 1))
      return false;
    isWhole = isWhole && !type.isDynamicDim(axis) &&
              isConstantIntValue(size, type.getDimSize(axis));
  }
  return true;
}

bool invar::isOnlyTarget(Value list) {
  return llvm::all_of(list.getUses(), [](OpOperand &use) {
    auto reshape = dyn_cast<tensor::ReshapeOp>(use.getOwner());
    return reshape && use.get() == reshape.getShape();
  });
}

std::optional<LogicalResult> Encoder::encodeTensors(Operation *op) {
  if (isa<func::CallOp>(op))
    return encodeKernel(op);
  if (isa<rt::CallOp>(op))
    return encodeCall(op);
  if (isa<rt::CheckIndicesOp>(op)) {
    encodeCheckIndices(op);
    return success();
  }
  if (isa<rt::NoneOp>(op)) {
    define(op->getResult(0));
    return success();
  }
  if (op->getNumResults() == 1 && ConstantPlaces::isStored(op->getResult(0))) {
    if (isOnlyTarget(op->getResult(0))) {
      define(op->getResult(0));
      return success();
    }
    FailureOr<uint32_t> number = assembler.getConstant(op->getResult(0));
    if (failed(number))
      return op->emitError("expected a constant that can be stored");
    takeLater(op->getResult(0), *number);
    return success();
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return encodeConcat(concat);
  if (isa<constants::DecodeOp>(op))
    return encodeDecode(op);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    SmallVector<uint32_t> sizes;
    for (OpFoldResult size : empty.getMixedSizes())
      sizes.push_back(getNumber(size));
    auto element = getDataType(empty.getType().getElementType());
    if (!element)
      return op->emitError("expected elements that the runtime knows");
    define(empty);
    allocate(empty, *element, sizes);
    return success();
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    uint32_t type = assembler.getType(cast.getType());
    if (cast.getType() != cast.getSource().getType())
      assembler.emit(INVAR_OP_CHECK_TYPE, {get(cast.getSource()), type});
    copy(define(cast), cast.getSource());
    return success();
  }
  if (auto reshaped = dyn_cast<tensor::ReshapeOp>(op)) {
    SmallVector<uint32_t> sizes;
    Value shape = reshaped.getShape();
    auto list = shape.getDefiningOp<tensor::FromElementsOp>();
    DenseIntElementsAttr numbers;
    matchPattern(shape, m_Constant(&numbers));
    auto type = mlir::cast<RankedTensorType>(shape.getType());
    for (int64_t i = 0; i < type.getDimSize(0); ++i) {
      if (list) {
        sizes.push_back(get(list.getElements()[i]));
        continue;
      }
      if (numbers) {
        sizes.push_back(
            getLiteral(numbers.getValues<APInt>()[i].getSExtValue()));
        continue;
      }
      sizes.push_back(assembler.makeNumber());
      assembler.emit(INVAR_OP_LOAD,
                     {sizes.back(), get(reshaped.getShape()), getLiteral(i)});
    }
    reshape(reshaped.getSource(), reshaped.getResult(), sizes);
    return success();
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<uint32_t> sizes;
    for (OpFoldResult size : expand.getMixedOutputShape())
      sizes.push_back(getNumber(size));
    reshape(expand.getSrc(), expand.getResult(), sizes);
    return success();
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    SmallVector<uint32_t> sizes;
    for (const ReassociationIndices &axes :
         collapse.getReassociationIndices()) {
      uint32_t product = getSize(collapse.getSrc(), axes.front());
      for (int64_t axis : llvm::drop_begin(axes)) {
        uint32_t next = assembler.makeNumber();
        assembler.emit(INVAR_OP_MUL_SATURATED,
                       {next, product, getSize(collapse.getSrc(), axis)});
        product = next;
      }
      sizes.push_back(product);
    }
    reshape(collapse.getSrc(), collapse.getResult(), sizes);
    return success();
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
      slice && isContiguous(slice)) {
    uint32_t place = getLiteral(0);
    for (auto [axis, offset] : llvm::enumerate(slice.getMixedOffsets())) {
      if (axis > 0) {
        uint32_t scaled = assembler.makeNumber();
        assembler.emit(INVAR_OP_MUL_SATURATED,
                       {scaled, place, getSize(slice.getSource(), axis)});
        place = scaled;
      }
      uint32_t sum = assembler.makeNumber();
      assembler.emit(INVAR_OP_ADD_SATURATED, {sum, place, getNumber(offset)});
      place = sum;
    }
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<uint32_t> sizes;
    for (auto [axis, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped[axis])
        sizes.push_back(getNumber(size));
    SmallVector<uint32_t> operands = {define(slice), get(slice.getSource()),
                                      place};
    appendList(operands, sizes);
    assembler.emit(INVAR_OP_PART, operands);
    return success();
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> axis = dim.getConstantIndex();
    if (!axis)
      return op->emitError("expected the number of an axis");
    registers[dim.getResult()] = getSize(dim.getSource(), *axis);
    return success();
  }
  if (auto rank = dyn_cast<tensor::RankOp>(op)) {
    assembler.emit(INVAR_OP_RANK, {define(rank), get(rank.getTensor())});
    return success();
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    uint32_t place = getPlace(extract.getTensor(), extract.getIndices());
    assembler.emit(INVAR_OP_LOAD,
                   {define(extract), get(extract.getTensor()), place});
    return success();
  }
  if (auto list = dyn_cast<tensor::FromElementsOp>(op)) {
    // The sizes of a reshape are not stored as a tensor.
    if (isOnlyTarget(list)) {
      define(list);
      return success();
    }
    auto type = list.getType();
    SmallVector<uint32_t> sizes;
    for (int64_t size : type.getShape())
      sizes.push_back(getLiteral(size));
    auto element = getDataType(type.getElementType());
    if (!element)
      return op->emitError("expected elements that the runtime knows");
    define(list);
    allocate(list, *element, sizes);
    for (auto [i, value] : llvm::enumerate(list.getElements()))
      assembler.emit(INVAR_OP_STORE,
                     {get(list), getLiteral(int64_t(i)), get(value)});
    return success();
  }
  return std::nullopt;
}
