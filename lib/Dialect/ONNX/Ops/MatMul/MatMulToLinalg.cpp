// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Arithmetic/ArithmeticFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Contraction.h"
#include "invar/Conversion/ONNXToLinalg/Variants.h"
#include "invar/Dialect/ONNX/Equation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include <map>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The product of a list of sizes.
static Value multiplySizes(Lowering &to, Value sizes) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  MLIRContext *context = builder.getContext();
  Value product = makeReduction(
      to, sizes, {getLoops(context, 1, 0, 1), getLoops(context, 1, 0, 0)},
      {true}, {},
      {builder.getI64IntegerAttr(1), /*isUnsigned=*/false,
       [](Number total, ArrayRef<Number> in) { return total * in[0]; }});
  return to.extract(product, {});
}

/// Multiplies a tensor of unknown rank by a matrix: all of its rows at once.
static FailureOr<Value> multiplyRows(Lowering &to, Value a, Value b) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Type number = builder.getI64Type();
  auto listType = RankedTensorType::get(ShapedType::kDynamic, number);
  Value shape = to.call("Shape", a, listType).front();
  // All sizes but the last, which that of the matrix replaces.
  Value rank = to.toValue(to.sizesOf(shape)[0]);
  Value others = arith::SubIOp::create(builder, rank, to.makeIndex(1));
  to.check(arith::CmpIOp::create(builder, arith::CmpIPredicate::sge, others,
                                 to.makeIndex(0)),
           "expected an operand that is no scalar");
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  Value outer = tensor::ExtractSliceOp::create(builder, shape, ArrayRef(zero),
                                               ArrayRef<OpFoldResult>(others),
                                               ArrayRef(one));
  Value last = arith::IndexCastOp::create(builder, builder.getIndexType(),
                                          to.extract(shape, others));
  SmallVector<OpFoldResult> sizes = to.sizesOf(b);
  to.checkEqual(last, sizes[0], "expected rows as long as the columns");
  auto toNumber = [&](OpFoldResult size) -> Value {
    return arith::IndexCastOp::create(builder, number, to.toValue(size));
  };
  Value rowSizes = tensor::FromElementsOp::create(
      builder, ValueRange{multiplySizes(to, outer), toNumber(sizes[0])});
  auto rowsType = RankedTensorType::get(
      {ShapedType::kDynamic, cast<RankedTensorType>(b.getType()).getDimSize(0)},
      getElementTypeOrSelf(a));
  Value rows =
      tensor::CastOp::create(builder, rowsType, to.unflatten(a, rowSizes));
  FailureOr<Value> product = makeProduct(to, rows, b);
  if (failed(product))
    return failure();
  Value widths =
      tensor::FromElementsOp::create(builder, ValueRange{toNumber(sizes[1])});
  Value joined =
      tensor::ConcatOp::create(builder, listType, 0, ValueRange{outer, widths});
  return to.unflatten(*product, joined);
}

static LogicalResult lower(MatMulOp op, Lowering &to) {
  RankedTensorType right = to.getType(op.getB());
  bool isOpen = !to.getType(op.getA()) && right && right.getRank() == 2;
  if (!isOpen && !to.hasRanks())
    return lowerForEachRank(to);
  FailureOr<Value> product =
      isOpen ? multiplyRows(to, to.get(op.getA()), to.get(op.getB()))
             : makeProduct(to, to.get(op.getA()), to.get(op.getB()));
  return succeeded(product) ? to.set(op->getResult(0), *product) : failure();
}

/// Computes alpha A B + beta C; steps without effect are left out.
static LogicalResult lower(GemmOp op, Lowering &to) {
  if (failed(to.expectRanks()))
    return failure();
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value a = to.get(op.getA()), b = to.get(op.getB()), c = to.get(op.getC());
  if (op.getTransA())
    a = to.transpose(a, {1, 0});
  if (op.getTransB())
    b = to.transpose(b, {1, 0});
  FailureOr<Value> sum = makeProduct(to, a, b);
  if (failed(sum))
    return failure();
  Type element = to.getType(op.getA()).getElementType();
  auto scale = [&](Value tensor, double factor) -> FailureOr<Value> {
    if (factor == 1)
      return tensor;
    return to.combine(tensor, to.sizesOf(tensor), element,
                      [&](ImplicitLocOpBuilder &inside, ArrayRef<Value> in) {
                        Number x = toNumber(inside, inside.getLoc(), in[0]);
                        Number scaled =
                            x.castTo(x.isFloat() ? x.getType()
                                                 : Type(builder.getF64Type())) *
                            Number(factor);
                        return toElement(scaled, element);
                      });
  };
  sum = scale(*sum, op.getAlpha());
  if (succeeded(sum) && c && op.getBeta() != 0) {
    FailureOr<Value> scaled = scale(c, op.getBeta());
    if (failed(scaled))
      return failure();
    sum = to.apply(formula::Add(), {*sum, *scaled});
  }
  return succeeded(sum) ? to.set(op->getResult(0), *sum) : failure();
}

//===-- Einsum ----------------------------------------------------------------===//

namespace {
/// An axis of an equation: its loop, and its size, which is 1 until an operand has
/// another one.
struct EinsumLoop {
  unsigned number;
  OpFoldResult size;
};
using EinsumLoops = std::map<EinsumAxis, EinsumLoop>;
} // namespace

/// Returns the map by which loops read an operand. A broadcast axis of size 1 is always
/// read at index 0.
static AffineMap readTerm(Lowering &to, ArrayRef<EinsumAxis> axes,
                          ArrayRef<OpFoldResult> sizes,
                          const EinsumLoops &loops) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  SmallVector<AffineExpr> exprs;
  for (auto [axis, size] : llvm::zip_equal(axes, sizes)) {
    const EinsumLoop &loop = loops.at(axis);
    bool isRepeated =
        isConstantIntValue(size, 1) && !isConstantIntValue(loop.size, 1);
    exprs.push_back(isRepeated ? builder.getAffineConstantExpr(0)
                               : builder.getAffineDimExpr(loop.number));
    if (!isRepeated)
      to.checkEqual(size, loop.size, "expected axes of one name to agree");
  }
  return AffineMap::get(loops.size(), 0, exprs, builder.getContext());
}

/// Creates one loop nest over all axes, those of the result first. Simplify decomposes
/// most equations (decompose-einsum); it leaves those in which a size might be broadcast.
static LogicalResult lower(EinsumOp op, Lowering &to) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  FailureOr<EinsumOp::Equation> equation = op.parseEquation();
  if (failed(equation))
    return failure();
  RankedTensorType type = to.getType(op.getOutput());
  size_t named = equation->result.letters.size();
  if (!type || type.getRank() < int64_t(named))
    return to.decline("the rank of its result is not known");
  EinsumAxes result = nameAxes(equation->result, type.getRank() - named);
  EinsumLoops loops;
  auto add = [&](EinsumAxis axis) -> EinsumLoop & {
    return loops
        .try_emplace(
            axis, EinsumLoop{unsigned(loops.size()), builder.getIndexAttr(1)})
        .first->second;
  };
  for (EinsumAxis axis : result)
    add(axis);
  SmallVector<Value> operands = to.getAll(op.getInputs());
  SmallVector<EinsumAxes> terms;
  for (auto [term, operand] : llvm::zip_equal(equation->operands, operands)) {
    auto own = dyn_cast<RankedTensorType>(operand.getType());
    if (!own || own.getRank() < int64_t(term.letters.size()))
      return to.decline("the rank of an operand is not known");
    terms.push_back(nameAxes(term, own.getRank() - term.letters.size()));
    for (auto [axis, size] : llvm::zip_equal(terms.back(), to.sizesOf(operand)))
      if (EinsumLoop &loop = add(axis); isConstantIntValue(loop.size, 1))
        loop.size = size;
  }
  SmallVector<AffineMap> maps;
  for (auto [axes, operand] : llvm::zip_equal(terms, operands))
    maps.push_back(readTerm(to, axes, to.sizesOf(operand), loops));
  SmallVector<bool> isReduced(loops.size(), true);
  SmallVector<OpFoldResult> sizes;
  for (auto [i, axis] : llvm::enumerate(result)) {
    isReduced[i] = false;
    sizes.push_back(loops.at(axis).size);
  }
  maps.push_back(
      getLoops(builder.getContext(), loops.size(), 0, result.size()));
  return to.set(op.getOutput(),
                makeSum(to, operands, maps, isReduced, sizes,
                        type.getElementType(), [](ArrayRef<Number> in) {
                          Number product = in[0];
                          for (const Number &factor : in.drop_front())
                            product = product * factor;
                          return product;
                        }));
}

void invar::onnx::addMatMulLowerings(LoweringTable &table) {
  table.addCall<DetOp>();
  table.add<EinsumOp>(lower);
  table.add<GemmOp>(lower);
  table.addAnyRank<MatMulOp>(lower);
}
