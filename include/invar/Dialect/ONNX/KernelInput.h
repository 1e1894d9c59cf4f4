// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand of a kernel that runs when its result is first read. Until then the
// operand costs nothing. Then it is read as an array of numbers, without a copy if it
// is already in memory in that form:
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

/// Limits on the work of a kernel, because a small file could ask for unlimited work.
/// Each is one or two minutes: the first of a plain loop, the second of a blocked and
/// vectorized loop.
inline constexpr int64_t maxSteps = int64_t(1) << 36;
inline constexpr int64_t maxBlockedSteps = int64_t(1) << 42;

/// Fails if a kernel would take more steps than `most`. The number of steps is the
/// product of the factors.
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
  /// Takes the elements as numbers of type T, converted as Cast does it. Fails if there
  /// are more than a kernel may read.
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
  /// The same if the operand may be left out.
  static llvm::Expected<std::optional<KernelInput>>
  getOptional(const Folding &fold, mlir::Value operand) {
    if (!operand)
      return std::nullopt;
    return get(fold, fold.get(operand));
  }

  llvm::ArrayRef<int64_t> getShape() const { return numbers.getShape(); }
  const Elements &getElements() const { return numbers; }

  /// A kernel cannot report failure and cannot compute without its operands. If there
  /// is no memory for them, the process ends, as for any failed allocation.
  ElementsArray<T> read() const {
    llvm::Expected<ElementsArray<T>> array = numbers.getArray<T>(options);
    if (!array) {
      llvm::consumeError(array.takeError());
      llvm::report_bad_alloc_error("no memory for a constant operand");
    }
    return std::move(*array);
  }
  /// Converts the result of read() to the form that kernels take.
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
