// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several tensors that one kernel computes together, as soon as one of them is read: all
// steps of a recurrent layer and its last state, for example. They lie end to end in one
// computed tensor, of which each is a view.
#ifndef INVAR_DIALECT_ONNX_COMPUTETOGETHER_H
#define INVAR_DIALECT_ONNX_COMPUTETOGETHER_H

#include "invar/Dialect/ONNX/Folding.h"
#include "llvm/Support/MathExtras.h"

namespace invar::onnx {

/// Tensors of these shapes, of which `kernel` gets the memory as numbers of type T. They
/// have T's data type; who needs another casts. The kernel may capture Elements, but nothing
/// that dies with `fold`.
template <typename T>
llvm::Expected<llvm::SmallVector<Elements>> computeTogether(
    const Folding &fold, llvm::ArrayRef<Shape> shapes,
    std::function<void(llvm::ArrayRef<llvm::MutableArrayRef<T>>)> kernel) {
  const ElementsBuilder &builder = fold.getBuilder();
  llvm::SmallVector<int64_t> counts;
  int64_t total = 0;
  for (const Shape &shape : shapes) {
    if (llvm::Error error = fold.checkWork(shape))
      return error;
    counts.push_back(*countElements(shape));
    if (llvm::AddOverflow(total, counts.back(), total))
      return notFolded("there is too much to compute");
  }
  auto run = [counts, kernel = std::move(kernel)](void *lanes,
                                                  const EvalOptions &) {
    llvm::SmallVector<llvm::MutableArrayRef<T>> parts;
    T *at = static_cast<T *>(lanes);
    for (int64_t count : counts) {
      parts.emplace_back(at, size_t(count));
      at += count;
    }
    kernel(parts);
  };
  llvm::Expected<Elements> all = builder.compute(
      dataTypeOf<T>, total, fold.getKey(),
      fold.getAll(fold.getOperation()->getOperands()), std::move(run));
  if (!all)
    return all.takeError();
  llvm::SmallVector<Elements> results;
  int64_t begin = 0;
  for (auto [shape, count] : llvm::zip(shapes, counts)) {
    // An empty part has no place of its own.
    auto part = builder.slice(*all, count ? begin : 0, count, 1);
    if (!part)
      return part.takeError();
    auto result = builder.reshape(*part, shape);
    if (!result)
      return result.takeError();
    results.push_back(std::move(*result));
    begin += count;
  }
  return results;
}

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_COMPUTETOGETHER_H
