// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/Const/Views.h"

#include "invar/Elements/ElementsBuilder.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace invar;

/// Returns the content of a reference; fails if it refers to an entry of the store.
static FailureOr<Elements> getElements(constants::RefOp ref) {
  if (!ref.getValueAttr())
    return failure();
  return elements::toElements(ref.getValueAttr());
}

/// Creates a constant with this content at the location of `from`.
static Value makeRef(OpBuilder &builder, constants::RefOp from,
                     llvm::Expected<Elements> made) {
  if (!made) {
    llvm::consumeError(made.takeError());
    return nullptr;
  }
  auto content =
      elements::LazyElementsAttr::get(builder.getContext(), std::move(*made));
  return constants::RefOp::create(builder, from.getLoc(), content.getType(),
                                  content);
}

Value invar::transposeConstant(OpBuilder &builder, constants::RefOp ref,
                               ArrayRef<int64_t> permutation) {
  FailureOr<Elements> content = getElements(ref);
  if (failed(content))
    return nullptr;
  return makeRef(builder, ref,
                 ElementsBuilder().transpose(*content, permutation));
}

std::optional<SmallVector<int64_t>>
invar::findTranspose(constants::RefOp whole, constants::RefOp view) {
  if (whole.getValueAttr() && whole.getValueAttr() == view.getValueAttr())
    return llvm::to_vector(llvm::seq(whole.getType().getRank()));
  FailureOr<Elements> from = getElements(whole), to = getElements(view);
  if (failed(from) || failed(to))
    return std::nullopt;
  return findTranspose(*from, *to);
}

Value invar::reshapeConstant(OpBuilder &builder, constants::RefOp ref,
                             ArrayRef<int64_t> shape) {
  FailureOr<Elements> content = getElements(ref);
  if (failed(content))
    return nullptr;
  return makeRef(builder, ref, ElementsBuilder().reshape(*content, shape));
}

Value invar::packConstant(OpBuilder &builder, constants::RefOp ref,
                          ArrayRef<int64_t> order, int64_t axis, int64_t tile) {
  FailureOr<Elements> content = getElements(ref);
  if (failed(content))
    return nullptr;
  ElementsBuilder make;
  Elements whole = *content;
  SmallVector<int64_t> shape(whole.getShape());
  int64_t rest = (tile - shape[axis] % tile) % tile;
  if (rest) {
    SmallVector<int64_t> border(shape);
    border[axis] = rest;
    auto zeros = make.splat(whole.getType(), border, WideNum::ofInt(0));
    if (!zeros)
      return makeRef(builder, ref, zeros.takeError());
    auto filled = make.concat({whole, *zeros}, axis);
    if (!filled)
      return makeRef(builder, ref, std::move(filled));
    whole = std::move(*filled);
    shape[axis] += rest;
  }
  // Split the axis into the tile number and the position in the tile; then move the
  // position to the last axis.
  shape[axis] /= tile;
  shape.insert(shape.begin() + axis + 1, tile);
  auto split = make.reshape(whole, shape);
  if (!split)
    return makeRef(builder, ref, std::move(split));
  SmallVector<int64_t> permutation;
  for (int64_t from : order)
    permutation.push_back(from > axis ? from + 1 : from);
  permutation.push_back(axis + 1);
  return makeRef(builder, ref, make.transpose(*split, permutation));
}
