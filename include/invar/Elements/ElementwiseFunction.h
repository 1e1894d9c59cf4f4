// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A named function of one element from each operand, implemented as a loop over tiles
// of lanes. The name and the bytes of the parameters represent the function in recipes
// (Elements.h): two functions with the same name, parameters and types must compute the
// same. So the name identifies the formula, and each constant inside the formula is a
// parameter:
//
//   using enum DataType;
//   auto add = ElementwiseFunction::typed<Float32, Float32, Float32>(
//       "Add", [](float a, float b) { return a + b; });
//   auto leaky = ElementwiseFunction::typed<Float32, Float32>(
//       "LeakyRelu", [=](float x) { return x < 0 ? alpha * x : x; },
//       bytesOf(alpha));
//
// typed() creates a loop that the compiler can vectorize. wide() uses WideNum and
// implements all types with one function. Several threads may call a kernel at the same
// time. It must be a pure function of its operands.
#ifndef INVAR_ELEMENTS_ELEMENTWISEFUNCTION_H
#define INVAR_ELEMENTS_ELEMENTWISEFUNCTION_H

#include "invar/Elements/WideNum.h"
#include "invar/Support/Hash.h"
#include <functional>
#include <memory>

namespace invar {

/// The bytes of a trivially copyable parameter.
template <typename T> llvm::ArrayRef<uint8_t> bytesOf(const T &value) {
  static_assert(std::has_unique_object_representations_v<T> ||
                std::is_floating_point_v<T>);
  return {reinterpret_cast<const uint8_t *>(&value), sizeof(T)};
}

class ElementwiseFunction {
public:
  /// Computes `n` lanes of the result from `n` lanes of each operand. The result does
  /// not overlap the operands.
  using Kernel = std::function<void(llvm::ArrayRef<const void *> operands,
                                    void *result, size_t n)>;

  ElementwiseFunction(llvm::StringRef name, DataType resultType,
                      llvm::ArrayRef<DataType> operandTypes, Kernel kernel,
                      llvm::ArrayRef<uint8_t> parameters = {});

  /// From a function of lanes. Results of packed integer types wrap.
  template <DataType Result, DataType... Operands, typename F>
  static ElementwiseFunction typed(llvm::StringRef name, F f,
                                   llvm::ArrayRef<uint8_t> parameters = {});

  /// From a function of wide numbers: WideNum(ArrayRef<WideNum>). All types must be
  /// numeric.
  static ElementwiseFunction
  wide(llvm::StringRef name, DataType resultType,
       llvm::ArrayRef<DataType> operandTypes,
       std::function<WideNum(llvm::ArrayRef<WideNum>)> f,
       llvm::ArrayRef<uint8_t> parameters = {});

  llvm::StringRef getName() const { return impl->name; }
  DataType getResultType() const { return impl->resultType; }
  llvm::ArrayRef<DataType> getOperandTypes() const {
    return impl->operandTypes;
  }

  /// The hash of name, types and parameters.
  const Hash128 &getHash() const { return impl->hash; }

  void operator()(llvm::ArrayRef<const void *> operands, void *result,
                  size_t n) const {
    impl->kernel(operands, result, n);
  }

private:
  struct Impl {
    std::string name;
    DataType resultType;
    llvm::SmallVector<DataType, 3> operandTypes;
    Kernel kernel;
    Hash128 hash;
  };
  std::shared_ptr<const Impl> impl;
};

template <DataType Result, DataType... Operands, typename F>
ElementwiseFunction
ElementwiseFunction::typed(llvm::StringRef name, F f,
                           llvm::ArrayRef<uint8_t> parameters) {
  auto kernel = [f = std::move(f)](llvm::ArrayRef<const void *> operands,
                                   void *result, size_t n) {
    auto loop = [&]<size_t... I>(std::index_sequence<I...>) {
      auto *out = static_cast<LaneOf<Result> *>(result);
      auto in = std::make_tuple(
          static_cast<const LaneOf<Operands> *>(operands[I])...);
      for (size_t i = 0; i < n; ++i)
        out[i] = wrapLane<Result>(f(std::get<I>(in)[i]...));
    };
    loop(std::index_sequence_for<TypeTag<Operands>...>());
  };
  DataType operandTypes[] = {Operands...};
  return ElementwiseFunction(name, Result, operandTypes, std::move(kernel),
                             parameters);
}

} // namespace invar

#endif // INVAR_ELEMENTS_ELEMENTWISEFUNCTION_H
