// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/ElementwiseFunction.h"

#include <cassert>

using namespace invar;
using llvm::ArrayRef;

ElementwiseFunction::ElementwiseFunction(llvm::StringRef name,
                                         DataType resultType,
                                         ArrayRef<DataType> operandTypes,
                                         Kernel kernel,
                                         ArrayRef<uint8_t> parameters) {
  Hasher hasher;
  hasher.add(name).add(parameters).add(static_cast<uint64_t>(resultType));
  for (DataType type : operandTypes)
    hasher.add(static_cast<uint64_t>(type));
  impl = std::make_shared<const Impl>(Impl{
      name.str(), resultType,
      llvm::SmallVector<DataType, 3>(operandTypes.begin(), operandTypes.end()),
      std::move(kernel), hasher.finish()});
}

ElementwiseFunction ElementwiseFunction::wide(
    llvm::StringRef name, DataType resultType, ArrayRef<DataType> operandTypes,
    std::function<WideNum(ArrayRef<WideNum>)> f, ArrayRef<uint8_t> parameters) {
  llvm::SmallVector<DataType, 3> types(operandTypes.begin(),
                                       operandTypes.end());
  auto kernel = [f = std::move(f), types, resultType](
                    ArrayRef<const void *> operands, void *result, size_t n) {
    constexpr size_t step = 64;
    llvm::SmallVector<WideNum, 3 * step> numbers(types.size() * step);
    llvm::SmallVector<WideNum, 3> arguments(types.size());
    WideNum results[step];
    for (size_t begin = 0; begin < n; begin += step) {
      size_t here = std::min(step, n - begin);
      for (size_t k = 0; k < types.size(); ++k)
        widenLanes(types[k],
                   static_cast<const char *>(operands[k]) +
                       begin * getLaneSize(types[k]),
                   llvm::MutableArrayRef(numbers).slice(k * step, here));
      for (size_t i = 0; i < here; ++i) {
        for (size_t k = 0; k < types.size(); ++k)
          arguments[k] = numbers[k * step + i];
        results[i] = f(arguments);
      }
      narrowLanes(resultType, ArrayRef(results).take_front(here),
                  static_cast<char *>(result) +
                      begin * getLaneSize(resultType));
    }
  };
  return ElementwiseFunction(name, resultType, operandTypes, std::move(kernel),
                             parameters);
}
