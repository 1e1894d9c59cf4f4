// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel computes several tensors together when one of them is first read, for
// example all steps of a recurrent layer and its last state. The tensors are
// consecutive parts of one computed tensor; each is a view of it.
#ifndef INVAR_DIALECT_ONNX_COMPUTETOGETHER_H
#define INVAR_DIALECT_ONNX_COMPUTETOGETHER_H

#include "invar/Dialect/ONNX/Folding.h"
#include "llvm/Support/MathExtras.h"

namespace invar::onnx {

/// Returns tensors of these shapes. `kernel` gets their memory as numbers of type T.
/// The tensors have T's data type; a caller that needs another type must cast them. The
/// kernel may capture Elements, but nothing that is destroyed with `fold`.
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
    // An empty part has no position in the whole.
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
