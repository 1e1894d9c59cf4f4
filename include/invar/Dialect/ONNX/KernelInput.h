// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand of a kernel that runs later, when its result is first read. Until then it
// costs nothing; then it is an array of numbers, in place where the operand lies in memory
// in that form:
//
//   auto x = KernelInput<double>::get(fold, fold.get(getX()));
//   …
//   fold.compute<double>(shape, [x = *x](MutableArrayRef<double> out) {
//     ElementsArray<double> numbers = x.read();
//     …
//   });
#ifndef INVAR_DIALECT_ONNX_KERNELINPUT_H
#define INVAR_DIALECT_ONNX_KERNELINPUT_H

#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Kernels/Tensor.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

namespace invar::onnx {

/// A small file can ask for more than anybody waits for: a minute or two of steps of a plain
/// loop, and of one that works in blocks and vectors.
inline constexpr int64_t maxSteps = int64_t(1) << 36;
inline constexpr int64_t maxBlockedSteps = int64_t(1) << 42;

/// Fails where a kernel would take more steps than `most`, the product of these numbers.
inline llvm::Error checkSteps(llvm::ArrayRef<int64_t> factors,
                              int64_t most = maxSteps) {
  int64_t steps = 1;
  if (llvm::is_contained(factors, 0))
    return llvm::Error::success();
  for (int64_t factor : factors)
    if (llvm::MulOverflow(steps, factor, steps) || steps > most)
      return notFolded("it takes too many steps");
  return llvm::Error::success();
}

template <typename T> class KernelInput {
public:
  /// The elements as numbers of type T, converted as Cast does it. Fails where there are
  /// more than a kernel may take.
  static llvm::Expected<KernelInput> get(const Folding &fold,
                                         const Elements &operand) {
    if (llvm::Error error = fold.checkWork(operand.getShape()))
      return error;
    llvm::Expected<Elements> numbers = fold.getBuilder().cast(
        operand,
        hasLane<T>(operand.getType()) ? operand.getType() : dataTypeOf<T>);
    if (!numbers)
      return numbers.takeError();
    return KernelInput(std::move(*numbers), fold.getOptions().evaluation);
  }
  /// The same where the operand may be left out.
  static llvm::Expected<std::optional<KernelInput>>
  getOptional(const Folding &fold, mlir::Value operand) {
    if (!operand)
      return std::nullopt;
    return get(fold, fold.get(operand));
  }

  llvm::ArrayRef<int64_t> getShape() const { return numbers.getShape(); }
  const Elements &getElements() const { return numbers; }

  /// A kernel cannot fail any more, and has nothing to say without its operands: where
  /// there is no memory for them it ends as every allocation does.
  ElementsArray<T> read() const {
    llvm::Expected<ElementsArray<T>> array = numbers.getArray<T>(options);
    if (!array) {
      llvm::consumeError(array.takeError());
      llvm::report_bad_alloc_error("no memory for a constant operand");
    }
    return std::move(*array);
  }
  /// What a kernel takes of what read() gave.
  kernels::TensorRef<const T> refer(const ElementsArray<T> &array) const {
    return {array.begin(), {getShape().data(), getShape().size()}};
  }

private:
  KernelInput(Elements numbers, EvalOptions options)
      : numbers(std::move(numbers)), options(options) {}

  Elements numbers;
  EvalOptions options;
};

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_KERNELINPUT_H
