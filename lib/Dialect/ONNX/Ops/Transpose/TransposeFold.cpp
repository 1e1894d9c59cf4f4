// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Reshapes `x` to `split`, permutes the axes, and reshapes to `merged`.
static llvm::Expected<Elements> rearrange(Folding &fold, const Elements &x,
                                          ArrayRef<int64_t> split,
                                          ArrayRef<int64_t> permutation,
                                          ArrayRef<int64_t> merged) {
  const ElementsBuilder &builder = fold.getBuilder();
  llvm::Expected<Elements> parts = builder.reshape(x, split);
  if (!parts)
    return parts;
  llvm::Expected<Elements> moved = builder.transpose(*parts, permutation);
  return moved ? builder.reshape(*moved, merged) : std::move(moved);
}

FoldResult DepthToSpaceOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getInput());
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  int64_t n = (*to)[0], depth = (*to)[1], size = getBlocksize();
  int64_t height = x.getShape()[2], width = x.getShape()[3];
  if (getMode() == "DCR")
    return rearrange(fold, x, {n, size, size, depth, height, width},
                     {0, 3, 4, 1, 5, 2}, *to);
  return rearrange(fold, x, {n, depth, size, size, height, width},
                   {0, 1, 4, 2, 5, 3}, *to);
}

FoldResult SpaceToDepthOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getInput());
  llvm::Expected<Shape> to = fold.getShape();
  if (!to)
    return to.takeError();
  int64_t n = (*to)[0], height = (*to)[2], width = (*to)[3];
  int64_t depth = x.getShape()[1], size = getBlocksize();
  SmallVector<int64_t> split = {n, depth, height, size, width, size};
  if (getMode() == "DCR")
    return rearrange(fold, x, split, {0, 3, 5, 1, 2, 4}, *to);
  return rearrange(fold, x, split, {0, 1, 3, 5, 2, 4}, *to);
}

/// In each sequence of the batch the first elements are reversed; the rest is unchanged.
FoldResult ReverseSequenceOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  const Elements &x = fold.get(getInput());
  int64_t batch = x.getShape()[getBatchAxis()];
  int64_t time = x.getShape()[getTimeAxis()];
  auto lengths = fold.read<int64_t>(getSequenceLens());
  if (!lengths)
    return lengths.takeError();
  if (int64_t(lengths->get().size()) != batch)
    return notFolded("expected " + Twine(batch) + " lengths, but got " +
                     Twine(lengths->get().size()));
  SmallVector<Elements> sequences;
  Shape starts(x.getRank(), 0), sizes(x.getShape()), steps(x.getRank(), 1);
  sizes[getBatchAxis()] = 1;
  for (auto [i, length] : llvm::enumerate(*lengths)) {
    if (length < 0 || length > time)
      return notFolded("expected lengths up to " + Twine(time) + ", but got " +
                       Twine(length));
    starts[getBatchAxis()] = int64_t(i);
    auto part = [&](int64_t from, int64_t count, int64_t step) {
      starts[getTimeAxis()] = from;
      sizes[getTimeAxis()] = count;
      steps[getTimeAxis()] = step;
      return builder.slice(x, starts, sizes, steps);
    };
    auto reversed = part(length ? length - 1 : 0, length, -1);
    auto rest = part(length < time ? length : 0, time - length, 1);
    if (!reversed || !rest)
      return llvm::joinErrors(reversed.takeError(), rest.takeError());
    auto sequence = builder.concat({*reversed, *rest}, getTimeAxis());
    if (!sequence)
      return sequence;
    sequences.push_back(std::move(*sequence));
  }
  if (sequences.empty())
    return x;
  return builder.concat(sequences, getBatchAxis());
}

FoldResult TransposeOp::computeValues(Folding &fold) {
  const Elements &data = fold.get(getData());
  return fold.getBuilder().transpose(data, getPermutation(data.getRank()));
}
