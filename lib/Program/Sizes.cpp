// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sizes.h"

#include "invar/ConstStore/MemoryPlan.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace invar;

Sizes::Sizes(func::FuncOp main) {
  Block &body = main.getBody().front();
  for (auto [index, argument] : llvm::enumerate(body.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    auto dims = main.getArgAttrOfType<ArrayAttr>(index, "invar.dims");
    Shape shape;
    for (auto [axis, size] : llvm::enumerate(type.getShape())) {
      if (!ShapedType::isDynamic(size)) {
        shape.push_back({uint64_t(size), {}});
        continue;
      }
      auto name = dims && axis < dims.size() ? dyn_cast<StringAttr>(dims[axis])
                                             : StringAttr();
      if (!name || name.empty()) {
        shape.push_back(makeOpen(
            "size " + Twine(axis) + " of input " + Twine(index), sampleSize));
        continue;
      }
      auto [known, isNew] = byName.try_emplace(name, names.size());
      shape.push_back(isNew ? makeOpen(name.getValue(), sampleSize)
                            : SizeTerm{1, {known->second}});
    }
    shapes[argument] = std::move(shape);
  }
  for (Operation &op : body)
    add(op);
}

SizeTerm Sizes::makeOpen(const Twine &name, int64_t sample) {
  names.push_back(name.str());
  samples.push_back(sample);
  return {1, {uint32_t(names.size() - 1)}};
}

/// The product; none if it is too large, or has too many open sizes.
static std::optional<SizeTerm> multiply(const SizeTerm &a, const SizeTerm &b) {
  constexpr size_t mostOpen = 8;
  auto factor = llvm::checkedMulUnsigned(a.factor, b.factor);
  if (!factor || *factor > MemoryPlan::mostBytes ||
      a.open.size() + b.open.size() > mostOpen)
    return std::nullopt;
  SizeTerm product{*factor, a.open};
  llvm::append_range(product.open, b.open);
  llvm::sort(product.open);
  return product;
}

int64_t Sizes::getSample(const SizeTerm &term) const {
  uint64_t sample = term.factor;
  for (uint32_t open : term.open)
    sample *= uint64_t(samples[open]);
  return int64_t(sample);
}

/// The result of an operation on numbers, for sample sizes.
int64_t Sizes::sampleOf(Operation &op) const {
  if (!isa<arith::ArithDialect>(op.getDialect()))
    return sampleSize;
  SmallVector<Attribute> operands;
  for (Value operand : op.getOperands()) {
    Attribute constant;
    auto known = numbers.find(operand);
    if (known != numbers.end())
      constant = IntegerAttr::get(operand.getType(), getSample(known->second));
    else
      matchPattern(operand, m_Constant(&constant));
    operands.push_back(constant);
  }
  SmallVector<OpFoldResult> results;
  IntegerAttr number;
  // Folding may also change the operation, so fold a copy.
  Operation *copy = op.clone();
  if (succeeded(copy->fold(operands, results)) && results.size() == 1)
    if (auto folded = dyn_cast<Attribute>(results.front()))
      number = dyn_cast<IntegerAttr>(folded);
  copy->destroy();
  return number && number.getValue().getSignificantBits() <= 64
             ? number.getValue().getSExtValue()
             : sampleSize;
}

/// The term of a number; none if its computation is not understood.
std::optional<SizeTerm> Sizes::findTerm(Operation &op) {
  if (IntegerAttr constant; matchPattern(&op, m_Constant(&constant))) {
    if (constant.getInt() < 0)
      return std::nullopt;
    return SizeTerm{uint64_t(constant.getInt()), {}};
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    auto shape = shapes.find(dim.getSource());
    auto axis = dim.getConstantIndex();
    if (shape == shapes.end() || !axis || *axis < 0 ||
        size_t(*axis) >= shape->second.size())
      return std::nullopt;
    return shape->second[size_t(*axis)];
  }
  if (isa<arith::IndexCastOp>(op))
    if (auto known = numbers.find(op.getOperand(0)); known != numbers.end())
      return known->second;
  if (isa<arith::MulIOp>(op)) {
    auto a = numbers.find(op.getOperand(0)), b = numbers.find(op.getOperand(1));
    if (a != numbers.end() && b != numbers.end())
      return multiply(a->second, b->second);
  }
  return std::nullopt;
}

void Sizes::addNumber(Operation &op) {
  Value result = op.getResult(0);
  std::optional<SizeTerm> term = findTerm(op);
  if (!term)
    term = makeOpen("%" + Twine(names.size()), sampleOf(op));
  numbers[result] = *term;
}

SizeTerm Sizes::get(OpFoldResult size) {
  if (auto constant = getConstantIntValue(size))
    return {uint64_t(std::max<int64_t>(*constant, 0)), {}};
  auto [known, isNew] = numbers.try_emplace(cast<Value>(size));
  if (isNew)
    known->second = makeOpen("%" + Twine(names.size()), sampleSize);
  return known->second;
}

/// The sizes of a tensor, derived from those of the operation's operands.
Sizes::Shape Sizes::makeShape(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Operation *op = tensor.getDefiningOp();
  Shape known;
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    for (OpFoldResult size : empty.getMixedSizes())
      known.push_back(get(size));
  } else if (auto call = dyn_cast<func::CallOp>(op)) {
    unsigned result = cast<OpResult>(tensor).getResultNumber();
    known = shapes.lookup(
        call.getOperand(call.getNumOperands() - call.getNumResults() + result));
  } else if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    known = shapes.lookup(cast.getSource());
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    for (OpFoldResult size : expand.getMixedOutputShape())
      known.push_back(get(size));
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    known = shapes.lookup(concat.getInputs().front());
    if (concat.getDim() < known.size() &&
        ShapedType::isDynamic(type.getDimSize(int64_t(concat.getDim()))))
      known[concat.getDim()] = makeOpen("%" + Twine(names.size()), sampleSize);
  }
  Shape shape;
  for (auto [axis, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size))
      shape.push_back({uint64_t(size), {}});
    else if (known.size() == size_t(type.getRank()))
      shape.push_back(known[axis]);
    else
      shape.push_back(makeOpen("%" + Twine(names.size()), sampleSize));
  }
  return shape;
}

void Sizes::add(Operation &op) {
  if (op.getNumResults() == 1 && op.getResult(0).getType().isIntOrIndex())
    return addNumber(op);
  for (Value result : op.getResults()) {
    if (result.getType().isIntOrIndex())
      numbers[result] = makeOpen("%" + Twine(names.size()), sampleSize);
    else if (isa<RankedTensorType>(result.getType()))
      shapes[result] = makeShape(result);
  }
}

std::optional<uint64_t> Sizes::getBytesOfElement(Type element) {
  if (element.isIndex())
    return 8;
  std::optional<DataType> type = elements::toDataType(element);
  if (!type || type == DataType::String)
    return std::nullopt;
  // An element of less than a byte takes a whole byte.
  return std::max<uint64_t>(getBitWidth(*type) / 8, 1);
}

std::optional<SizeTerm> Sizes::getBytes(Value tensor) const {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  auto each = getBytesOfElement(getElementTypeOrSelf(tensor));
  if (!type || !each)
    return std::nullopt;
  SizeTerm bytes{*each, {}};
  // Tensors in loops and branches have no shape here unless it is static.
  if (type.hasStaticShape()) {
    for (int64_t size : type.getShape()) {
      auto product = multiply(bytes, {uint64_t(size), {}});
      if (!product)
        return std::nullopt;
      bytes = std::move(*product);
    }
    return bytes;
  }
  auto shape = shapes.find(tensor);
  if (shape == shapes.end())
    return std::nullopt;
  for (const SizeTerm &size : shape->second) {
    auto product = multiply(bytes, size);
    if (!product)
      return std::nullopt;
    bytes = std::move(*product);
  }
  return bytes;
}
