// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of a constant, and the result of folding an operator.
#ifndef INVAR_DIALECT_ONNX_FOLDVALUE_H
#define INVAR_DIALECT_ONNX_FOLDVALUE_H

#include "invar/Elements/Elements.h"
#include "llvm/Support/Error.h"

namespace invar::onnx {

/// A constant: a tensor, a sequence of constants, or an optional that holds nothing.
class FoldValue {
public:
  FoldValue(Elements tensor) : tensor(std::move(tensor)) {}
  static FoldValue sequence(std::vector<FoldValue> items);
  static FoldValue none() { return FoldValue(); }

  bool isTensor() const { return tensor.has_value(); }
  bool isSequence() const { return items != nullptr; }
  bool isNone() const { return !isTensor() && !isSequence(); }
  const Elements &getTensor() const { return *tensor; }
  llvm::ArrayRef<FoldValue> getItems() const { return *items; }

private:
  FoldValue() = default;

  std::optional<Elements> tensor;
  std::shared_ptr<const std::vector<FoldValue>> items;
};

/// The value of each result, or the reason why there is none.
class [[nodiscard]] FoldResult {
public:
  using Values = llvm::SmallVector<FoldValue, 1>;

  FoldResult(Elements value) : values(Values{std::move(value)}) {}
  FoldResult(FoldValue value) : values(Values{std::move(value)}) {}
  FoldResult(Values values) : values(std::move(values)) {}
  FoldResult(llvm::Error error) : values(std::move(error)) {}
  FoldResult(llvm::Expected<Elements> value);

  llvm::Expected<Values> take() { return std::move(values); }

private:
  llvm::Expected<Values> values;
};

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_FOLDVALUE_H
