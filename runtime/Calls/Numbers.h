// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands and results as numbers of the C++ type in which a kernel computes, whatever
// their data type is. Tensors of that type are used in place; others are converted like
// Cast does. So float16 is computed as float, and an operator has two instances:
//
//   return visitFloats(call, x.getType(), [&]<typename T>(T) -> Status {
//     std::span<const T> x;
//     if (Status status = readNumbers(call, 0, x))
//       return status;
//     NumberResult<T> y;
//     if (Status status = y.allocate(call, 0, type, sizes))
//       return status;
//     kernel(x.data(), y.data());
//     y.finish(call);
//     return Status::success();
//   });
#ifndef INVAR_RUNTIME_CALLS_NUMBERS_H
#define INVAR_RUNTIME_CALLS_NUMBERS_H

#include "../CallContext.h"
#include "invar/Kernels/Cast.h"
#include "invar/Kernels/NumberTypes.h"
#include "invar/Kernels/Tensor.h"

#include <vector>

namespace invar::runtime {

/// The data type whose elements have a C++ type.
template <typename T> inline constexpr InvarDataType dataTypeOf = INVAR_FLOAT32;
template <> inline constexpr InvarDataType dataTypeOf<double> = INVAR_FLOAT64;
template <> inline constexpr InvarDataType dataTypeOf<int32_t> = INVAR_INT32;
template <> inline constexpr InvarDataType dataTypeOf<int64_t> = INVAR_INT64;
template <> inline constexpr InvarDataType dataTypeOf<uint64_t> = INVAR_UINT64;

/// Fails if the elements of a tensor are not numbers.
Status expectNumbers(const CallContext &call, const Tensor &tensor);

/// Converts `count` elements from one numeric type to another, on several threads.
Status convertNumbers(CallContext &call, InvarDataType fromType,
                      const void *from, InvarDataType toType, void *to,
                      int64_t count, kernels::CastOptions options = {});

/// Reads the elements of an operand as numbers of type T.
template <typename T>
Status readNumbers(CallContext &call, const Tensor &tensor,
                   std::span<const T> &numbers) {
  if (tensor.getType() == dataTypeOf<T>) {
    numbers = tensor.getElements<const T>();
    return Status::success();
  }
  if (Status status = expectNumbers(call, tensor))
    return status;
  std::span<T> converted;
  if (Status status = call.getScratch(tensor.getCount(), converted))
    return status;
  numbers = converted;
  return convertNumbers(call, tensor.getType(), tensor.getData(), dataTypeOf<T>,
                        converted.data(), tensor.getCount());
}
template <typename T>
Status readNumbers(CallContext &call, size_t operand,
                   std::span<const T> &numbers) {
  return readNumbers(call, call.getTensor(operand), numbers);
}

/// Reads the only element of an operand as a number. `number` is unchanged if the
/// operand is left out.
template <typename T>
Status readNumber(CallContext &call, size_t operand, T &number) {
  if (!call.getOperand(operand))
    return Status::success();
  if (Status status = call.expectCount(operand, 1))
    return status;
  std::span<const T> numbers;
  if (Status status = readNumbers(call, operand, numbers))
    return status;
  number = numbers.front();
  return Status::success();
}

/// A result that is computed as numbers of type T.
template <typename T> class NumberResult {
public:
  Status allocate(CallContext &call, size_t result, InvarDataType type,
                  Sizes sizes) {
    if (Status status = call.allocate(result, type, sizes, tensor))
      return status;
    if (type == dataTypeOf<T>) {
      numbers = tensor->getElements<T>();
      return Status::success();
    }
    if (Status status = expectNumbers(call, *tensor))
      return status;
    return call.getScratch(tensor->getCount(), numbers);
  }

  T *data() const { return numbers.data(); }
  int64_t size() const { return int64_t(numbers.size()); }
  T &operator[](int64_t i) const { return numbers[size_t(i)]; }

  /// Must be called when all numbers have been written; converts them to the result's
  /// type.
  Status finish(CallContext &call) const {
    if (tensor->getType() == dataTypeOf<T>)
      return Status::success();
    return convertNumbers(call, dataTypeOf<T>, numbers.data(),
                          tensor->getType(), tensor->getData(),
                          tensor->getCount());
  }

private:
  Tensor *tensor = nullptr;
  std::span<T> numbers;
};

/// Calls `visit` with a zero of the type in which floats of `type` are computed. Fails
/// if it is none of float16, bfloat16, float and double.
template <typename Visit>
Status visitFloats(CallContext &call, InvarDataType type, Visit visit) {
  switch (type) {
  case INVAR_FLOAT16:
  case INVAR_BFLOAT16:
  case INVAR_FLOAT32:
    return visit(float());
  case INVAR_FLOAT64:
    return visit(double());
  default:
    return call.fail("expected floats of 16 to 64 bits, but got elements of ",
                     getName(type));
  }
}

/// Combines elements that were read with the sizes of their tensor, for a kernel.
template <typename T>
kernels::TensorRef<const T> refer(std::span<const T> numbers,
                                  const Tensor &tensor) {
  return {numbers.data(), tensor.getSizes()};
}

/// Copies the sizes of a tensor to a list that can be changed.
inline std::vector<int64_t> copySizes(const Tensor &tensor) {
  return {tensor.getSizes().begin(), tensor.getSizes().end()};
}

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_NUMBERS_H
