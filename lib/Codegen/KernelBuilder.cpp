// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelBuilder.h"

#include "invar/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

Type invar::getMemoryType(Type type) {
  if (type.isIndex())
    return IntegerType::get(type.getContext(), 64);
  if (type.isInteger() && type.getIntOrFloatBitWidth() < 8)
    return IntegerType::get(type.getContext(), 8);
  return type;
}

Type invar::getRegisterType(Type element, unsigned lanes) {
  return lanes ? VectorType::get({int64_t(lanes)}, element) : element;
}

unsigned invar::getLanes(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type ? type.getNumElements() : 0;
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

static MemRefType getBufferType(Type element) {
  return MemRefType::get({ShapedType::kDynamic}, getMemoryType(element));
}

/// The type in which a scalar is passed. Halves are passed as doubles, and rounded by
/// code of the function.
static Type getNumberType(Type type) {
  bool isHalf = type.isF16() || type.isBF16();
  return isHalf ? Float64Type::get(type.getContext()) : type;
}

/// The scalar arguments, and then the dynamic sizes of the tensor arguments.
void KernelBuilder::appendNumberTypes(SmallVectorImpl<Type> &types) {
  for (Type type : kernel.getArgumentTypes())
    if (!isa<RankedTensorType>(type))
      types.push_back(getNumberType(type));
  for (Type type : kernel.getArgumentTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      types.append(tensor.getNumDynamicDims(), IndexType::get(getContext()));
}

void KernelBuilder::takeNumbers(ArrayRef<BlockArgument> arguments) {
  auto next = arguments.begin();
  for (BlockArgument argument : kernel.getArguments())
    if (Type type = argument.getType(); !isa<RankedTensorType>(type)) {
      Value number = *next++;
      if (number.getType() != type) {
        number = arith::TruncFOp::create(*this, type, number);
        prologueEnd = number.getDefiningOp();
      }
      scalars.map(argument, number);
    }
  for (BlockArgument argument : kernel.getArguments())
    if (auto tensor = dyn_cast<RankedTensorType>(argument.getType()))
      for (int64_t axis = 0; axis < tensor.getRank(); ++axis)
        if (tensor.isDynamicDim(axis))
          sizes[{argument, axis}] = *next++;
}

void KernelBuilder::enter(func::FuncOp written) {
  function = written;
  setInsertionPointToStart(written.addEntryBlock());
  auto zero = arith::ConstantIndexOp::create(*this, 0);
  constants[0] = zero;
  constantsEnd = prologueEnd = zero;
}

KernelBuilder KernelBuilder::createRun(func::FuncOp kernel,
                                       const CpuTarget &target,
                                       ModuleOp module) {
  KernelBuilder builder(kernel, target);
  builder.setInsertionPointToEnd(module.getBody());
  SmallVector<Type> types;
  SmallVector<BlockArgument> tensors;
  for (BlockArgument argument : kernel.getArguments())
    if (auto tensor = dyn_cast<RankedTensorType>(argument.getType())) {
      tensors.push_back(argument);
      types.push_back(getBufferType(tensor.getElementType()));
    }
  builder.appendNumberTypes(types);
  types.append(2, builder.getIndexType());
  types.push_back(getBufferType(builder.getI8Type()));
  builder.enter(func::FuncOp::create(builder, kernel.getName(),
                                     builder.getFunctionType(types, {})));
  ArrayRef<BlockArgument> arguments = builder.function.getArguments();
  if (auto inPlace =
          kernel->getAttrOfType<DenseI64ArrayAttr>(inPlaceAttribute)) {
    auto mayAlias = [&](BlockArgument tensor) {
      auto place = llvm::find(tensors, tensor) - tensors.begin();
      builder.function.setArgAttr(unsigned(place), mayAliasAttribute,
                                  builder.getUnitAttr());
    };
    for (int64_t number : inPlace.asArrayRef())
      mayAlias(kernel.getArgument(unsigned(number)));
    mayAlias(tensors.back());
  }
  builder.buffers.map(tensors, arguments.take_front(tensors.size()));
  builder.takeNumbers(arguments.drop_front(tensors.size()).drop_back(3));
  builder.from = arguments.end()[-3];
  builder.to = arguments.end()[-2];
  builder.scratch = arguments.end()[-1];
  return builder;
}

KernelBuilder KernelBuilder::createPlan(func::FuncOp kernel,
                                        const CpuTarget &target,
                                        ModuleOp module) {
  KernelBuilder builder(kernel, target);
  builder.setInsertionPointToEnd(module.getBody());
  SmallVector<Type> types, results(3, builder.getIndexType());
  builder.appendNumberTypes(types);
  builder.enter(func::FuncOp::create(builder,
                                     (kernel.getName() + ".plan").str(),
                                     builder.getFunctionType(types, results)));
  builder.takeNumbers(builder.function.getArguments());
  return builder;
}

//===----------------------------------------------------------------------===//
// The kernel's values
//===----------------------------------------------------------------------===//

/// Scalars are written at the beginning of the function, so that all later code can use
/// them.
void KernelBuilder::enterPrologue() { setInsertionPointAfter(prologueEnd); }

Value KernelBuilder::getScalar(Value scalar) {
  if (Value known = scalars.lookupOrNull(scalar))
    return known;
  Operation *source = scalar.getDefiningOp();
  assert(source && source->getBlock() == &kernel.front() &&
         "expected a scalar of the kernel");
  if (auto dim = dyn_cast<tensor::DimOp>(source)) {
    Value size = getSize(dim.getSource(), *dim.getConstantIndex());
    scalars.map(scalar, size);
    return size;
  }
  for (Value operand : source->getOperands())
    if (!isa<RankedTensorType>(operand.getType()))
      getScalar(operand);

  OpBuilder::InsertionGuard guard(*this);
  enterPrologue();
  if (auto extract = dyn_cast<tensor::ExtractOp>(source)) {
    Values indices;
    for (Value index : extract.getIndices())
      indices.push_back(getScalar(index));
    Value tensor = extract.getTensor();
    Value at = offset(indices, getStrides(getSizes(tensor)));
    scalars.map(scalar, load(getBuffer(tensor), at, scalar.getType()));
  } else {
    clone(*source, scalars);
  }
  prologueEnd = &*std::prev(getInsertionPoint());
  return scalars.lookup(scalar);
}

Value KernelBuilder::getScalar(OpFoldResult scalar) {
  if (auto value = dyn_cast<Value>(scalar))
    return getScalar(value);
  return index(cast<IntegerAttr>(cast<Attribute>(scalar)).getInt());
}

Value KernelBuilder::getSize(Value tensor, int64_t axis) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(axis))
    return index(type.getDimSize(axis));
  if (Value known = sizes.lookup({tensor, axis}))
    return known;
  auto result = cast<OpResult>(tensor);
  Value size =
      llvm::TypeSwitch<Operation *, Value>(result.getOwner())
          .Case<DestinationStyleOpInterface>([&](auto op) {
            return getSize(op.getTiedOpOperand(result)->get(), axis);
          })
          .Case<tensor::EmptyOp>(
              [&](auto op) { return getScalar(op.getMixedSizes()[axis]); })
          .Case<tensor::CastOp>(
              [&](auto op) { return getSize(op.getSource(), axis); })
          .Case<tensor::ExtractSliceOp>([&](tensor::ExtractSliceOp op) {
            llvm::SmallBitVector dropped = op.getDroppedDims();
            int64_t from = 0;
            for (int64_t kept = axis; dropped[from] || kept--; ++from)
              ;
            return getScalar(op.getMixedSizes()[from]);
          })
          .Case<tensor::PadOp>([&](tensor::PadOp op) {
            Value low = getScalar(op.getMixedLowPad()[axis]);
            Value high = getScalar(op.getMixedHighPad()[axis]);
            Value inner = getSize(op.getSource(), axis);
            OpBuilder::InsertionGuard guard(*this);
            enterPrologue();
            Value size = add(add(low, inner), high);
            prologueEnd = &*std::prev(getInsertionPoint());
            return size;
          })
          .Default([](Operation *op) -> Value {
            llvm_unreachable("expected an operation of kernels");
          });
  sizes[{tensor, axis}] = size;
  return size;
}

Values KernelBuilder::getSizes(Value tensor) {
  Values all;
  for (int64_t axis :
       llvm::seq(cast<RankedTensorType>(tensor.getType()).getRank()))
    all.push_back(getSize(tensor, axis));
  return all;
}

Value KernelBuilder::getCount(Value tensor) {
  return product(getSizes(tensor));
}

Values KernelBuilder::getStrides(ArrayRef<Value> sizes) {
  Values strides(sizes.size());
  Value stride = index(1);
  for (size_t axis = sizes.size(); axis-- > 0;) {
    strides[axis] = stride;
    if (axis)
      stride = mul(stride, sizes[axis]);
  }
  return strides;
}

Value KernelBuilder::getBuffer(Value tensor) {
  while (auto result = dyn_cast<OpResult>(tensor))
    tensor = cast<DestinationStyleOpInterface>(result.getOwner())
                 .getTiedOpOperand(result)
                 ->get();
  return buffers.lookup(tensor);
}

Value KernelBuilder::getScratch(Type element, Value offset) {
  // The size is never used; it only must not look like a known one.
  Value size = memref::DimOp::create(*this, scratch, 0);
  return memref::ViewOp::create(*this, getBufferType(element), scratch, offset,
                                ValueRange{size});
}

Value KernelBuilder::alignScratch(Value bytes) {
  constexpr int64_t alignment = 64;
  return mul(ceilDiv(bytes, index(alignment)), index(alignment));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Each constant is created once, at the beginning of the function: emitters request them
/// very often, and each duplicate would have to be simplified.
Value KernelBuilder::index(int64_t value) {
  Value &known = constants[value];
  if (!known) {
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPoint(constantsEnd);
    known = arith::ConstantIndexOp::create(*this, value);
  }
  return known;
}

/// An operation on two numbers, or its result if that is known at compile time.
template <typename Op, typename... Args>
Value KernelBuilder::fold(Value lhs, Value rhs, Args... args) {
  Value result = createOrFold<Op>(lhs, rhs, args...);
  std::optional<int64_t> known = getConstantIntValue(result);
  if (!known || result == lhs || result == rhs)
    return result;
  result.getDefiningOp()->erase();
  return index(*known);
}

Value KernelBuilder::add(Value lhs, Value rhs) {
  return fold<arith::AddIOp>(lhs, rhs, arith::IntegerOverflowFlags::nsw);
}
Value KernelBuilder::sub(Value lhs, Value rhs) {
  return fold<arith::SubIOp>(lhs, rhs, arith::IntegerOverflowFlags::nsw);
}
Value KernelBuilder::mul(Value lhs, Value rhs) {
  return fold<arith::MulIOp>(lhs, rhs, arith::IntegerOverflowFlags::nsw);
}
Value KernelBuilder::div(Value lhs, Value rhs) {
  return fold<arith::DivUIOp>(lhs, rhs);
}
Value KernelBuilder::rem(Value lhs, Value rhs) {
  return fold<arith::RemUIOp>(lhs, rhs);
}
Value KernelBuilder::ceilDiv(Value lhs, Value rhs) {
  return div(add(lhs, sub(rhs, index(1))), rhs);
}
Value KernelBuilder::min(Value lhs, Value rhs) {
  return fold<arith::MinSIOp>(lhs, rhs);
}
Value KernelBuilder::max(Value lhs, Value rhs) {
  return fold<arith::MaxSIOp>(lhs, rhs);
}

Value KernelBuilder::isLess(Value lhs, Value rhs) {
  return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, lhs, rhs);
}

Value KernelBuilder::product(ArrayRef<Value> values) {
  Value all = index(1);
  for (Value value : values)
    all = mul(all, value);
  return all;
}

Value KernelBuilder::offset(ArrayRef<Value> indices, ArrayRef<Value> strides) {
  Value sum = index(0);
  for (auto [index, stride] : llvm::zip_equal(indices, strides))
    sum = add(sum, mul(index, stride));
  return sum;
}

Value KernelBuilder::evaluate(AffineExpr expr, ArrayRef<Value> indices) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return indices[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return index(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = evaluate(binary.getLHS(), indices);
  Value rhs = evaluate(binary.getRHS(), indices);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return add(lhs, rhs);
  case AffineExprKind::Mul:
    return mul(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return createOrFold<arith::FloorDivSIOp>(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return createOrFold<arith::CeilDivSIOp>(lhs, rhs);
  default: {
    Value floor = createOrFold<arith::FloorDivSIOp>(lhs, rhs);
    return sub(lhs, mul(floor, rhs));
  }
  }
}

Value KernelBuilder::hideOrigin(Value number) {
  Value word = arith::IndexCastOp::create(*this, getI64Type(), number);
  Value frozen = LLVM::FreezeOp::create(*this, word);
  return arith::IndexCastOp::create(*this, getIndexType(), frozen);
}

Values KernelBuilder::delinearize(Value unit, ArrayRef<Value> sizes) {
  Values indices(sizes.size());
  for (size_t axis = sizes.size(); axis-- > 0;) {
    indices[axis] = axis ? rem(unit, sizes[axis]) : unit;
    if (axis)
      unit = div(unit, sizes[axis]);
  }
  return indices;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

void KernelBuilder::loop(Value begin, Value end, int64_t step, LoopBody body) {
  loop(begin, end, step, {}, [&](Value index, ValueRange) -> Values {
    body(index);
    return {};
  });
}

Values KernelBuilder::loop(Value begin, Value end, int64_t step,
                           ValueRange init, CarryingBody body) {
  auto loop = scf::ForOp::create(*this, begin, end, index(step), init);
  OpBuilder::InsertionGuard guard(*this);
  Block *block = loop.getBody();
  // The operation creates its terminator itself if it carries no values.
  setInsertionPointToStart(block);
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!init.empty())
    scf::YieldOp::create(*this, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

void KernelBuilder::ifThen(Value condition, llvm::function_ref<void()> then) {
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  then();
}

Values KernelBuilder::ifThen(Value condition, llvm::function_ref<Values()> then,
                             ValueRange otherwise) {
  if (otherwise.empty()) {
    ifThen(condition, [&] { then(); });
    return {};
  }
  auto branch = scf::IfOp::create(*this, otherwise.getTypes(), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(*this, then());
  setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(*this, otherwise);
  return llvm::to_vector_of<Value>(branch.getResults());
}

Values KernelBuilder::loopByVectors(Value size, unsigned lanes, ValueRange init,
                                    VectorBody body) {
  Value step = index(lanes);
  Value whole = mul(div(size, step), step);
  Values carried =
      loop(index(0), whole, lanes, init, [&](Value offset, ValueRange carried) {
        return body(offset, Value(), carried);
      });
  Value left = sub(size, whole);
  if (isConstantIntValue(left, 0))
    return carried;
  Value any =
      arith::CmpIOp::create(*this, arith::CmpIPredicate::sgt, left, index(0));
  return ifThen(
      any, [&] { return body(whole, mask(left, lanes), carried); }, carried);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value KernelBuilder::fromMemory(Value value, Type element) {
  unsigned lanes = getLanes(value);
  Type type = getRegisterType(element, lanes);
  if (value.getType() == type)
    return value;
  if (element.isIndex())
    return arith::IndexCastOp::create(*this, type, value);
  if (element.isInteger(1))
    return arith::CmpIOp::create(*this, arith::CmpIPredicate::ne, value,
                                 zero(value.getType()));
  return arith::TruncIOp::create(*this, type, value);
}

Value KernelBuilder::toMemory(Value value) {
  Type element = getElementTypeOrSelf(value);
  Type type = getRegisterType(getMemoryType(element), getLanes(value));
  if (value.getType() == type)
    return value;
  if (element.isIndex())
    return arith::IndexCastOp::create(*this, type, value);
  if (element.isInteger(1))
    return arith::ExtUIOp::create(*this, type, value);
  return arith::ExtSIOp::create(*this, type, value);
}

Value KernelBuilder::load(Value buffer, Value offset, Type element) {
  return fromMemory(memref::LoadOp::create(*this, buffer, ValueRange{offset}),
                    element);
}

void KernelBuilder::store(Value scalar, Value buffer, Value offset) {
  memref::StoreOp::create(*this, toMemory(scalar), buffer, ValueRange{offset});
}

Value KernelBuilder::loadVector(Value buffer, Value offset, Type element,
                                unsigned lanes, Value mask) {
  auto type = cast<VectorType>(getRegisterType(getMemoryType(element), lanes));
  Value loaded =
      mask ? Value(vector::MaskedLoadOp::create(
                 *this, type, buffer, ValueRange{offset}, mask, zero(type)))
           : Value(vector::LoadOp::create(*this, type, buffer,
                                          ValueRange{offset}));
  return fromMemory(loaded, element);
}

void KernelBuilder::storeVector(Value vector, Value buffer, Value offset,
                                Value mask) {
  Value stored = toMemory(vector);
  if (mask)
    vector::MaskedStoreOp::create(*this, buffer, ValueRange{offset}, mask,
                                  stored);
  else
    vector::StoreOp::create(*this, stored, buffer, ValueRange{offset});
}

Value KernelBuilder::mask(Value count, unsigned lanes) {
  auto type = cast<VectorType>(getRegisterType(getI1Type(), lanes));
  return vector::CreateMaskOp::create(*this, type, ValueRange{count});
}

Value KernelBuilder::splat(Value value, unsigned lanes) {
  if (!lanes || getLanes(value))
    return value;
  return vector::BroadcastOp::create(
      *this, getRegisterType(value.getType(), lanes), value);
}

Value KernelBuilder::zero(Type type) {
  return arith::ConstantOp::create(*this, type, getZeroAttr(type));
}
