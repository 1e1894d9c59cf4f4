// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What classifiers and regressors have in common: examples in, scores and labels out.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_ML_SCORING_H
#define INVAR_LIB_DIALECT_ONNX_OPS_ML_SCORING_H

#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Kernels/Scores.h"

namespace invar::onnx {

/// Rows of features; a vector is one row.
struct Examples {
  ElementsArray<double> numbers;
  int64_t count, features;

  std::span<const double> operator[](int64_t i) const {
    return std::span(numbers.begin() + i * features, size_t(features));
  }
};

/// Reads the examples of an operand, if their scores, so many for each, can be computed at
/// once.
llvm::Expected<Examples> readExamples(const Folding &fold, mlir::Value operand,
                                      int64_t scores);

/// A list of floats in the width in which kernels work.
std::vector<double> widen(std::optional<llvm::ArrayRef<float>> list);

/// The first place of the greatest; none where one of them is NaN.
std::optional<size_t> findGreatest(std::span<const double> numbers);

/// The classes that examples are put into, and why one may not be.
class Classes {
public:
  Classes(std::optional<llvm::ArrayRef<int64_t>> numbers,
          std::optional<llvm::ArrayRef<mlir::Attribute>> names)
      : numbers(numbers.value_or(llvm::ArrayRef<int64_t>())),
        names(names.value_or(llvm::ArrayRef<mlir::Attribute>())) {}

  size_t size() const { return std::max(numbers.size(), names.size()); }
  /// The result of a classifier: a label and a row of scores for each example.
  FoldResult label(const Folding &fold, std::vector<int64_t> places,
                   llvm::ArrayRef<double> scores) const;

private:
  llvm::ArrayRef<int64_t> numbers;
  llvm::ArrayRef<mlir::Attribute> names;
};

} // namespace invar::onnx

#endif // INVAR_LIB_DIALECT_ONNX_OPS_ML_SCORING_H
