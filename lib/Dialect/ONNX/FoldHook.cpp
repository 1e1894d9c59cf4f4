// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FoldHook.h"

#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Elements/IR/LazyElementsAttr.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The maximum number of elements of a small result.
static constexpr int64_t mostElements = 1024;

namespace {
/// Reads the constant operands that MLIR found.
class Reader : public IndexExprBuilderForAnalysis {
public:
  Reader(IndexExprScope &scope, Operation *op, ArrayRef<Attribute> operands)
      : IndexExprBuilderForAnalysis(scope) {
    for (auto [value, attribute] : llvm::zip(op->getOperands(), operands))
      known[value] = cast<ElementsAttr>(attribute);
  }

protected:
  ElementsAttr getConst(Value value) override { return known.lookup(value); }

private:
  llvm::DenseMap<Value, ElementsAttr> known;
};
} // namespace

static bool isSmall(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return false;
  std::optional<int64_t> count = countElements(tensor.getShape());
  return count && *count <= mostElements;
}

/// Converts to the form in which MLIR compares constants: by content, except for strings.
static Attribute toAttribute(MLIRContext *context, const Elements &tensor) {
  auto lazy = elements::LazyElementsAttr::get(context, tensor);
  if (tensor.getType() == DataType::String)
    return lazy;
  return elements::toDense(lazy);
}

LogicalResult FoldHook::fold(Operation *op, ArrayRef<Attribute> operands,
                             SmallVectorImpl<OpFoldResult> &results) const {
  auto folds = dyn_cast<FoldOpInterface>(op);
  if (!folds || !llvm::all_of(op->getResultTypes(), isSmall))
    return failure();
  llvm::DenseMap<Value, FoldValue> values;
  for (auto [value, attribute] : llvm::zip(op->getOperands(), operands)) {
    auto elements = dyn_cast_or_null<ElementsAttr>(attribute);
    FailureOr<Elements> tensor =
        elements ? elements::toElements(elements) : FailureOr<Elements>();
    if (failed(tensor))
      return failure();
    values.try_emplace(value, std::move(*tensor));
  }
  SymbolicContext symbolic;
  IndexExprScope scope(symbolic);
  Reader reader(scope, op, operands);
  FoldOptions options;
  options.maxElements = int64_t(1) << 20;
  auto lookup = [&](Value value) -> const FoldValue & {
    return values.find(value)->second;
  };
  Folding folding(op, reader, options, lookup);
  llvm::Expected<FoldResult::Values> folded =
      folds.computeValues(folding).take();
  if (!folded) {
    llvm::consumeError(folded.takeError());
    return failure();
  }
  SmallVector<OpFoldResult> found;
  for (auto [type, value] : llvm::zip_equal(op->getResultTypes(), *folded)) {
    if (!value.isTensor() ||
        value.getTensor().getShape() != cast<RankedTensorType>(type).getShape())
      return failure();
    found.push_back(toAttribute(op->getContext(), value.getTensor()));
  }
  results.append(found);
  return success();
}
