// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What classifiers and regressors have in common: examples in, scores and labels out. Scores
// are computed in double, and rounded at the end. Where the standard leaves open what is
// meant, functions do what onnxruntime does, but apply each `post_transform` to the score of
// one target, too. One score that tells two classes apart becomes two, of which only the
// logistic function makes others.
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

/// The first place of the greatest number.
int64_t findGreatest(std::span<const double> numbers);

/// Rows of scores, and a label for each.
class ScoreResult {
public:
  /// Of a regressor: scores alone, as result 0.
  Status allocate(CallContext &call, InvarDataType type, int64_t examples,
                  int64_t scores);
  /// Of a classifier: labels, which are the attribute `integers` or classlabels_strings, as
  /// result 0, and scores as result 1.
  Status allocate(CallContext &call, std::string_view integers,
                  int64_t examples, int64_t scores);

  std::span<double> getRow(int64_t example) const {
    return {scores.data() + example * width, size_t(width)};
  }
  /// Says which label an example has. Labels are as many as classes.
  void setLabel(int64_t example, int64_t place) const {
    places[size_t(example)] = place;
  }
  /// Says that all scores and labels are there.
  Status finish(CallContext &call) const;

  /// How many labels there are.
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
