// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WinogradFilter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace invar;

/// Whether a tensor is the constant matrix of these numbers, in 3 rows.
static bool isMatrix(Value tensor, ArrayRef<double> numbers) {
  DenseFPElementsAttr content;
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  int64_t columns = int64_t(numbers.size()) / 3;
  if (!type || type.getShape() != ArrayRef<int64_t>{3, columns} ||
      !matchPattern(tensor, m_Constant(&content)))
    return false;
  return llvm::equal(content.getValues<APFloat>(), numbers,
                     [](const APFloat &element, double number) {
                       return element.convertToDouble() == number;
                     });
}

/// Whether the body adds the product of its three elements.
static bool addsProduct(Block *body) {
  auto add =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (body->getOperations().size() != 4 || !add)
    return false;
  auto outer = add.getRhs().getDefiningOp<arith::MulFOp>();
  auto inner = outer ? outer.getLhs().getDefiningOp<arith::MulFOp>() : nullptr;
  return inner && inner.getLhs() == body->getArgument(0) &&
         inner.getRhs() == body->getArgument(1) &&
         outer.getRhs() == body->getArgument(2) &&
         add.getLhs() == body->getArgument(3);
}

std::optional<WinogradFilter> WinogradFilter::get(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || !generic->hasAttr(restoredFilterAttribute) ||
      generic.getNumDpsInputs() != 3 || generic->getNumResults() != 1 ||
      generic.getNumLoops() != 6 || generic.getNumReductionLoops() != 2 ||
      !getElementTypeOrSelf(generic->getResult(0)).isF32() ||
      !addsProduct(generic.getBody()))
    return std::nullopt;
  auto fill = generic.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.value(), m_AnyZeroFloat()))
    return std::nullopt;
  // Loops are o, c, i, j, a and b.
  MLIRContext *context = op->getContext();
  auto map = [&](ArrayRef<unsigned> loops) {
    return AffineMap::getMultiDimMapWithTargets(6, loops, context);
  };
  AffineMap expected[] = {map({2, 4}), map({3, 5}), map({0, 1, 4, 5}),
                          map({0, 1, 2, 3})};
  if (!llvm::equal(generic.getIndexingMapsArray(), expected))
    return std::nullopt;
  for (const Winograd &form : winogradForms)
    if (isMatrix(generic.getDpsInputs()[0], form.inverse) &&
        isMatrix(generic.getDpsInputs()[1], form.inverse))
      return WinogradFilter{generic, form};
  return std::nullopt;
}
