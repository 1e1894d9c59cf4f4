// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common parts of classifiers and regressors, which compute scores and labels of
// examples.
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

/// Reads the examples of an operand. Fails if they, or their scores (`scores` for
/// each), are too many to be computed at compile time.
llvm::Expected<Examples> readExamples(const Folding &fold, mlir::Value operand,
                                      int64_t scores);

/// Converts a list of floats to doubles, in which kernels compute.
std::vector<double> widen(std::optional<llvm::ArrayRef<float>> list);

/// Returns the index of the first greatest number; empty if one of them is NaN or there
/// are none.
std::optional<size_t> findGreatest(std::span<const double> numbers);

/// The labels of a classifier.
class Classes {
public:
  Classes(std::optional<llvm::ArrayRef<int64_t>> numbers,
          std::optional<llvm::ArrayRef<mlir::Attribute>> names)
      : numbers(numbers.value_or(llvm::ArrayRef<int64_t>())),
        names(names.value_or(llvm::ArrayRef<mlir::Attribute>())) {}

  size_t size() const { return std::max(numbers.size(), names.size()); }
  /// Returns the results of a classifier: a label and a row of scores for each example.
  FoldResult label(const Folding &fold, std::vector<int64_t> places,
                   llvm::ArrayRef<double> scores) const;

private:
  llvm::ArrayRef<int64_t> numbers;
  llvm::ArrayRef<mlir::Attribute> names;
};

} // namespace invar::onnx

#endif // INVAR_LIB_DIALECT_ONNX_OPS_ML_SCORING_H
