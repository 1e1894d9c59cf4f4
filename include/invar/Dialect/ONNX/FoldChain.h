// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain of steps on a constant tensor, each of which may fail. After a failure the
// later steps do nothing, so only the end must be checked:
//
//   llvm::Expected<Elements> heads = FoldChain(fold, fold.get(getQ()))
//                                        .reshape({batch, length, heads, size})
//                                        .transpose({0, 2, 1, 3})
//                                        .cast(DataType::Float64);
#ifndef INVAR_DIALECT_ONNX_FOLDCHAIN_H
#define INVAR_DIALECT_ONNX_FOLDCHAIN_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx {

class FoldChain {
public:
  FoldChain(const Folding &fold, llvm::Expected<Elements> x)
      : fold(fold), x(std::move(x)) {}

  /// The result, or the first failure.
  operator llvm::Expected<Elements>() && { return std::move(x); }
  operator FoldResult() && { return std::move(x); }

  /// Applies any step, given as a function of the tensor.
  template <typename Step> FoldChain &&then(Step step) && {
    if (x)
      x = step(std::as_const(*x));
    return std::move(*this);
  }

  FoldChain &&cast(DataType to, CastOptions options = {}) && {
    return std::move(*this).then([&](const Elements &tensor) {
      return fold.getBuilder().cast(tensor, to, options);
    });
  }
  FoldChain &&reshape(llvm::ArrayRef<int64_t> shape) && {
    return std::move(*this).then([&](const Elements &tensor) {
      return fold.getBuilder().reshape(tensor, shape);
    });
  }
  FoldChain &&transpose(llvm::ArrayRef<int64_t> permutation) && {
    return std::move(*this).then([&](const Elements &tensor) {
      return fold.getBuilder().transpose(tensor, permutation);
    });
  }

  /// Applies a formula to the tensor, or to the tensor and `other`, which is first cast
  /// to the tensor's type. If `other` is left out, the tensor stays unchanged.
  template <typename F> FoldChain &&apply(F formula) && {
    return std::move(*this).then(
        [&](const Elements &tensor) { return fold.apply(formula, tensor); });
  }
  template <typename F> FoldChain &&apply(F formula, const Elements &other) && {
    return std::move(*this).then(
        [&](const Elements &tensor) -> llvm::Expected<Elements> {
          auto same = fold.getBuilder().cast(other, tensor.getType());
          if (!same)
            return same;
          return fold.apply(formula, {tensor, *same});
        });
  }
  template <typename F>
  FoldChain &&apply(F formula, const std::optional<Elements> &other) && {
    if (!other)
      return std::move(*this);
    return std::move(*this).apply(formula, *other);
  }

private:
  const Folding &fold;
  llvm::Expected<Elements> x;
};

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_FOLDCHAIN_H
