// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of classifiers and regressors: they read examples and return scores and
// labels. Scores are computed in double and rounded at the end. If the standard is
// ambiguous, functions do what onnxruntime does, but also apply each `post_transform`
// to a single target's score. If one score separates two classes, it is expanded to two
// scores; then only the logistic transform is applied.
#ifndef INVAR_RUNTIME_CALLS_SCORING_H
#define INVAR_RUNTIME_CALLS_SCORING_H

#include "Numbers.h"
#include "invar/Kernels/Scores.h"

namespace invar::runtime {

/// Rows of features; a vector is one row.
struct Examples {
  std::span<const double> numbers;
  int64_t count = 0, features = 0;

  /// Reads the first operand.
  Status read(CallContext &call);

  std::span<const double> operator[](int64_t i) const {
    return numbers.subspan(size_t(i * features), size_t(features));
  }
};

/// The position of the first maximum.
int64_t findGreatest(std::span<const double> numbers);

/// Rows of scores, and a label for each.
class ScoreResult {
public:
  /// For a regressor: only scores, as result 0.
  Status allocate(CallContext &call, InvarDataType type, int64_t examples,
                  int64_t scores);
  /// For a classifier: labels as result 0, from the attribute `integers` or
  /// classlabels_strings, and scores as result 1.
  Status allocate(CallContext &call, std::string_view integers,
                  int64_t examples, int64_t scores);

  std::span<double> getRow(int64_t example) const {
    return {scores.data() + example * width, size_t(width)};
  }
  /// Sets the label of an example. There are as many labels as classes.
  void setLabel(int64_t example, int64_t place) const {
    places[size_t(example)] = place;
  }
  /// Must be called when all scores and labels are set.
  Status finish(CallContext &call) const;

  /// The number of labels.
  static size_t countLabels(const CallContext &call, std::string_view integers);

private:
  NumberResult<double> scores;
  int64_t width = 0;
  std::span<int64_t> places;
  Tensor *labels = nullptr;
  std::string_view integers;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_SCORING_H
