// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of classifiers and regressors: they read examples and return scores and
// labels. Scores are computed in double and rounded at the end. If the standard is
// ambiguous, functions do what onnxruntime does, but also apply each transform to a
// single target's score.
//
// Settings of all of them:
// - `transform`, a ScoreTransform
// - `labels`, integers or strings, of classifiers
// - `expects_agreement`: the call fails if other runtimes disagree about an example
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_ML_SCORINGCALLS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_ML_SCORINGCALLS_H

#include "invar/Kernels/Scores.h"
#include "runtime/Calls/Numbers.h"

#include <atomic>

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
  Status allocateScores(CallContext &call, int64_t examples, int64_t scores);
  /// For a classifier: labels as result 0, and scores as result 1.
  Status allocateLabels(CallContext &call, int64_t examples, int64_t scores);

  std::span<double> getRow(int64_t example) const {
    return {scores.data() + example * width, size_t(width)};
  }
  /// Sets the label of an example. There are as many labels as classes.
  void setLabel(int64_t example, int64_t place) const {
    places[size_t(example)] = place;
  }
  /// Applies the transform to the scores of an example.
  void transformRow(int64_t example) const {
    kernels::transformScores(transform, getRow(example));
  }
  kernels::ScoreTransform getTransform() const { return transform; }

  /// Sets both scores of an example by one, which decides between two classes: the
  /// greater it is, the likelier is the second class. If the score is a share, the first
  /// class has the rest of 1. As in other runtimes, the scores are transformed only if
  /// that makes them likelihoods, and are no shares then.
  void setScores(int64_t example, double score, bool isShare) const;

  /// Notes that other runtimes disagree about an example, and why.
  void doubt(const char *reason) { whyDoubtful = reason; }
  /// The same if one of the numbers from which a label is chosen is NaN.
  void checkNumbers(std::span<const double> numbers);

  /// Must be called when all scores and labels are set.
  Status finish(CallContext &call) const;

  /// The number of labels.
  static size_t countLabels(const CallContext &call);

private:
  Status allocate(CallContext &call, size_t result, int64_t examples,
                  int64_t count);

  NumberResult<double> scores;
  kernels::ScoreTransform transform = kernels::ScoreTransform::None;
  int64_t width = 0;
  std::span<int64_t> places;
  Tensor *labels = nullptr;
  std::atomic<const char *> whyDoubtful = nullptr;
};

} // namespace invar::runtime

#endif // INVAR_LIB_DIALECT_ONNX_OPS_ML_SCORINGCALLS_H
