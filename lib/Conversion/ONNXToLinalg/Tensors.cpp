// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The methods of Lowering that create tensors.
#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Dialect/Const/Const.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Support/ElementCount.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

SmallVector<OpFoldResult> Lowering::sizesOf(Value tensor) {
  SmallVector<OpFoldResult> sizes;
  // getSize() may insert code next to the tensor, so restore the insertion point.
  OpBuilder::InsertionGuard guard(graph.getBuilder());
  for (int64_t i = 0; i < cast<RankedTensorType>(tensor.getType()).getRank();
       ++i)
    sizes.push_back(graph.getSize(tensor, i));
  return sizes;
}

/// Records the sizes of a new tensor.
static void note(GraphLowering &graph, Value tensor,
                 ArrayRef<OpFoldResult> sizes) {
  for (auto [axis, size] : llvm::enumerate(sizes))
    graph.noteSize(tensor, int64_t(axis), size);
}

Value Lowering::makeEmpty(ArrayRef<OpFoldResult> sizes, Type elementType) {
  ElementCount count;
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (std::optional<int64_t> number = getConstantIntValue(size);
        number && !count.multiply(*number)) {
      (void)decline("expected a tensor that fits into memory, but got a size "
                    "of " +
                    Twine(*number) + " for axis " + Twine(axis));
      return makeEmpty(
          SmallVector<OpFoldResult>(sizes.size(), builder.getIndexAttr(0)),
          elementType);
    }
  return tensor::EmptyOp::create(builder, sizes, elementType);
}

Value Lowering::makeConstant(ElementsAttr content) {
  return constants::RefOp::create(builder, content.getShapedType(), content);
}

/// A loop nest over a result that reads operands by these maps.
static Value
makeGeneric(Lowering &to, ValueRange operands, ArrayRef<AffineMap> maps,
            ArrayRef<OpFoldResult> sizes, Type elementType,
            function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value empty = to.makeEmpty(sizes, elementType);
  SmallVector<AffineMap> all(maps);
  all.push_back(builder.getMultiDimIdentityMap(sizes.size()));
  SmallVector<utils::IteratorType> iterators(sizes.size(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, empty.getType(), operands, empty, all, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange elements) {
        ImplicitLocOpBuilder inside(loc, nested);
        Value made = body(inside, elements);
        linalg::YieldOp::create(inside, made);
      });
  note(to.getGraph(), generic.getResult(0), sizes);
  return generic.getResult(0);
}

Value Lowering::makeFilled(ArrayRef<OpFoldResult> sizes, Value element) {
  return makeGeneric(
      *this, {}, {}, sizes, element.getType(),
      [&](ImplicitLocOpBuilder &, ValueRange) { return element; });
}

Value Lowering::generate(ArrayRef<OpFoldResult> sizes, Type elementType,
                         ElementOf element) {
  return makeGeneric(*this, {}, {}, sizes, elementType,
                     [&](ImplicitLocOpBuilder &inside, ValueRange) {
                       SmallVector<Value> places;
                       for (size_t i = 0; i < sizes.size(); ++i)
                         places.push_back(linalg::IndexOp::create(inside, i));
                       return element(inside, places);
                     });
}

Value Lowering::extract(Value tensor, ValueRange places) {
  return tensor::ExtractOp::create(builder, tensor, places);
}

//===-- Broadcasting ----------------------------------------------------------===//

std::pair<SmallVector<Value>, Value>
Lowering::broadcastToLists(ValueRange tensors) {
  SmallVector<Type> types;
  for (Value tensor : tensors)
    types.push_back(RankedTensorType::get(
        ShapedType::kDynamic, getElementTypeOrSelf(tensor.getType())));
  types.push_back(
      RankedTensorType::get(ShapedType::kDynamic, builder.getI64Type()));
  SmallVector<Value> lists = call("Broadcast", tensors, types);
  Value sizes = lists.pop_back_val();
  // All lists have one length.
  for (Value list : ArrayRef(lists).drop_front())
    graph.noteSize(list, 0, sizesOf(lists.front())[0]);
  return {lists, sizes};
}

Value Lowering::unflatten(Value list, Value sizes) {
  return call("Reshape", {list, sizes},
              UnrankedTensorType::get(getElementTypeOrSelf(list.getType())))
      .front();
}

FailureOr<SmallVector<OpFoldResult>> Lowering::broadcast(ValueRange tensors) {
  SmallVector<OpFoldResult> result;
  OpFoldResult one = builder.getIndexAttr(1);
  for (Value tensor : tensors) {
    if (!isa<RankedTensorType>(tensor.getType())) {
      (void)decline("the rank of an operand is not known");
      return failure();
    }
    SmallVector<OpFoldResult> sizes = sizesOf(tensor);
    if (sizes.size() > result.size())
      result.insert(result.begin(), sizes.size() - result.size(), one);
    size_t offset = result.size() - sizes.size();
    for (auto [i, size] : llvm::enumerate(sizes)) {
      OpFoldResult &both = result[offset + i];
      if (both == size || isConstantIntValue(size, 1))
        continue;
      std::optional<int64_t> left = getConstantIntValue(both),
                             right = getConstantIntValue(size);
      if (left == 1) {
        both = size;
      } else if (left && right) {
        (void)decline("expected sizes that broadcast, but got " + Twine(*left) +
                      " and " + Twine(*right));
        return failure();
      } else if (right) {
        both = size; // The other is 1 or the same; expandTo() checks that.
      } else if (!left) {
        Value isOne = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                            toValue(both), makeIndex(1));
        both = arith::SelectOp::create(builder, isOne, toValue(size),
                                       toValue(both))
                   .getResult();
      }
    }
  }
  return result;
}

FailureOr<Value> Lowering::expandTo(Value tensor,
                                    ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> own = sizesOf(tensor);
  size_t offset = sizes.size() - own.size();
  // Which axes are repeated: never, always, or if the size is 1 at run time.
  SmallVector<AffineExpr> exprs;
  SmallVector<Value> isOne(own.size());
  bool isOpen = false, isSame = offset == 0;
  for (auto [i, size] : llvm::enumerate(own)) {
    OpFoldResult to = sizes[offset + i];
    AffineExpr place = builder.getAffineDimExpr(offset + i);
    if (size == to) {
      exprs.push_back(place);
      continue;
    }
    isSame = false;
    exprs.push_back(builder.getAffineConstantExpr(0));
    if (isConstantIntValue(size, 1))
      continue;
    isOpen = true;
    isOne[i] = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                     toValue(size), makeIndex(1));
    Value same = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                       toValue(size), toValue(to));
    check(arith::OrIOp::create(builder, isOne[i], same),
          "expected sizes that broadcast");
  }
  if (isSame)
    return tensor;
  Type elementType = cast<RankedTensorType>(tensor.getType()).getElementType();
  if (!isOpen)
    return makeGeneric(
        *this, tensor,
        AffineMap::get(sizes.size(), 0, exprs, builder.getContext()), sizes,
        elementType,
        [](ImplicitLocOpBuilder &, ValueRange in) { return in[0]; });
  return generate(
      sizes, elementType,
      [&](ImplicitLocOpBuilder &inside, ValueRange places) -> Value {
        SmallVector<Value> at;
        Value zero = arith::ConstantIndexOp::create(inside, 0);
        for (auto [i, expr] : llvm::enumerate(exprs)) {
          Value place =
              isa<AffineDimExpr>(expr) || isOne[i] ? places[offset + i] : zero;
          if (isOne[i])
            place = arith::SelectOp::create(inside, isOne[i], zero, place);
          at.push_back(place);
        }
        return tensor::ExtractOp::create(inside, tensor, at);
      });
}

FailureOr<std::pair<Value, AffineMap>>
Lowering::readTo(Value tensor, ArrayRef<OpFoldResult> sizes) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || type.getRank() > int64_t(sizes.size()))
    return decline("expected an operand of a known rank, at most that of the "
                   "result");
  SmallVector<OpFoldResult> own = sizesOf(tensor);
  size_t offset = sizes.size() - own.size();
  SmallVector<AffineExpr> exprs;
  for (auto [i, size] : llvm::enumerate(own)) {
    if (size == sizes[offset + i])
      exprs.push_back(builder.getAffineDimExpr(offset + i));
    else if (isConstantIntValue(size, 1))
      exprs.push_back(builder.getAffineConstantExpr(0));
  }
  if (exprs.size() == own.size())
    return std::pair(
        tensor, AffineMap::get(sizes.size(), 0, exprs, builder.getContext()));
  FailureOr<Value> expanded = expandTo(tensor, sizes);
  if (failed(expanded))
    return failure();
  return std::pair(*expanded, builder.getMultiDimIdentityMap(sizes.size()));
}

FailureOr<Value> Lowering::combine(ValueRange tensors,
                                   ArrayRef<OpFoldResult> sizes,
                                   Type elementType, Combine combine) {
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (Value tensor : tensors) {
    auto operand = readTo(tensor, sizes);
    if (failed(operand))
      return failure();
    operands.push_back(operand->first);
    maps.push_back(operand->second);
  }
  return makeGeneric(*this, operands, maps, sizes, elementType,
                     [&](ImplicitLocOpBuilder &inside, ValueRange elements) {
                       SmallVector<Value> in(elements.drop_back());
                       return combine(inside, in);
                     });
}

FailureOr<Value> Lowering::cast(Value tensor, Type elementType) {
  auto type = mlir::cast<TensorType>(tensor.getType());
  if (type.getElementType() == elementType)
    return tensor;
  if (type.hasRank() && canCompute(type.getElementType()) &&
      canCompute(elementType))
    return combine(tensor, sizesOf(tensor), elementType,
                   [&](ImplicitLocOpBuilder &b, ArrayRef<Value> in) {
                     return toElement(toNumber(b, b.getLoc(), in[0]),
                                      elementType);
                   });
  if (!elements::toDataType(elementType))
    return decline("expected a type of ONNX to cast to");
  Value made = call("Cast", tensor, type.clone(elementType)).front();
  if (type.hasRank())
    note(graph, made, sizesOf(tensor));
  return made;
}

//===-- Movement --------------------------------------------------------------===//

Value Lowering::makeList(ArrayRef<OpFoldResult> numbers) {
  SmallVector<Value> elements;
  for (OpFoldResult number : numbers)
    elements.push_back(arith::IndexCastOp::create(builder, builder.getI64Type(),
                                                  toValue(number)));
  auto type =
      RankedTensorType::get(int64_t(elements.size()), builder.getI64Type());
  return tensor::FromElementsOp::create(builder, type, elements);
}

Value Lowering::reshape(Value tensor, ArrayRef<OpFoldResult> sizes) {
  auto type = mlir::cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  auto to = RankedTensorType::get(shape, type.getElementType());
  if (to == type && type.hasStaticShape())
    return tensor;
  // A list has only one shape. MLIR knows this, and would not check it.
  if (type.getRank() == 1 && to.getRank() == 1)
    checkEqual(sizesOf(tensor).front(), sizes.front(),
               "expected a shape with as many elements as there are");
  Value result;
  if (sizes.empty() && type.hasStaticShape()) {
    result = tensor::CollapseShapeOp::create(builder, to, tensor,
                                             ArrayRef<ReassociationIndices>{});
  } else {
    SmallVector<Value> all;
    for (OpFoldResult size : sizes)
      all.push_back(toValue(size));
    Value target = tensor::FromElementsOp::create(
        builder,
        RankedTensorType::get(int64_t(all.size()), builder.getIndexType()),
        all);
    result = tensor::ReshapeOp::create(builder, to, tensor, target);
  }
  note(graph, result, sizes);
  return result;
}

Value Lowering::transpose(Value tensor, ArrayRef<int64_t> permutation) {
  SmallVector<OpFoldResult> own = sizesOf(tensor), sizes;
  SmallVector<AffineExpr> exprs(own.size());
  for (auto [to, from] : llvm::enumerate(permutation)) {
    sizes.push_back(own[from]);
    exprs[from] = builder.getAffineDimExpr(to);
  }
  return makeGeneric(
      *this, tensor,
      AffineMap::get(sizes.size(), 0, exprs, builder.getContext()), sizes,
      mlir::cast<RankedTensorType>(tensor.getType()).getElementType(),
      [](ImplicitLocOpBuilder &, ValueRange in) { return in[0]; });
}
