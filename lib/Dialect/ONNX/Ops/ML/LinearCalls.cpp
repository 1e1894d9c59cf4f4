// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear models and support vectors.
#include "ScoringCalls.h"
#include "invar/Kernels/SupportVectors.h"
#include "runtime/Calls/Calls.h"

#include <algorithm>

using namespace invar;
using namespace invar::runtime;

/// Multiplications that are worth a thread.
static constexpr int64_t grain = 1 << 14;

static Status checkLength(const CallContext &call, std::string_view name,
                          size_t length, size_t expected) {
  if (length == expected)
    return Status::success();
  return call.fail("expected ", expected, " entries of '", name, "', but got ",
                   length);
}

/// Calls `run(i)` for all examples, each of which takes `steps` steps.
template <typename Run>
static Status forExamples(CallContext &call, const Examples &examples,
                          int64_t steps, Run run) {
  return call.parallelFor(
      examples.count, std::max<int64_t>(grain / std::max<int64_t>(steps, 1), 1),
      [&](int64_t from, int64_t to) {
        for (int64_t i = from; i < to; ++i)
          run(i);
      });
}

// Linear models

Status runtime::callLinearRegressor(CallContext &call) {
  Examples examples;
  if (Status status = examples.read(call))
    return status;
  int64_t targets = call.getInt("targets");
  auto coefficients = call.getFloats("coefficients"),
       intercepts = call.getFloats("intercepts");
  ScoreResult result;
  if (Status status = result.allocateScores(call, examples.count, targets))
    return status;
  int64_t expected = 0;
  if (__builtin_mul_overflow(targets, examples.features, &expected))
    return call.fail("expected fewer targets, but got ", targets);
  if (Status status = checkLength(call, "coefficients", coefficients.size(),
                                  size_t(expected)))
    return status;
  if (!intercepts.empty())
    if (Status status =
            checkLength(call, "intercepts", intercepts.size(), size_t(targets)))
      return status;
  if (Status status = forExamples(call, examples, expected, [&](int64_t i) {
        kernels::scoreLinearly(examples[i], coefficients, intercepts,
                               result.getRow(i));
        result.transformRow(i);
      }))
    return status;
  return result.finish(call);
}

Status runtime::callLinearClassifier(CallContext &call) {
  Examples examples;
  if (Status status = examples.read(call))
    return status;
  size_t classes = ScoreResult::countLabels(call);
  auto coefficients = call.getFloats("coefficients"),
       intercepts = call.getFloats("intercepts");
  // One score can decide between two classes.
  auto features = size_t(examples.features);
  bool isOne = classes == 2 && coefficients.size() == features;
  size_t given = isOne ? 1 : classes;
  if (!classes)
    return call.fail("expected labels, but got none");
  if (Status status = checkLength(call, "coefficients", coefficients.size(),
                                  given * features))
    return status;
  if (!intercepts.empty())
    if (Status status =
            checkLength(call, "intercepts", intercepts.size(), given))
      return status;
  ScoreResult result;
  if (Status status =
          result.allocateLabels(call, examples.count, int64_t(classes)))
    return status;
  if (Status status = forExamples(
          call, examples, int64_t(coefficients.size()), [&](int64_t i) {
            std::span<double> row = result.getRow(i).first(given);
            kernels::scoreLinearly(examples[i], coefficients, intercepts, row);
            kernels::roundScores(row);
            result.checkNumbers(row);
            result.setLabel(i, isOne ? row[0] > 0 : findGreatest(row));
            isOne ? result.setScores(i, row[0], /*isShare=*/true)
                  : result.transformRow(i);
          }))
    return status;
  return result.finish(call);
}

// Support vectors

using VectorKernel = kernels::VectorKernel<double>;

static VectorKernel getKernel(const CallContext &call) {
  VectorKernel kernel;
  kernel.kind = VectorKernel::Kind(call.getInt("kernel"));
  auto parameters = call.getFloats("kernel_params");
  if (parameters.size() == 3) {
    kernel.gamma = parameters[0];
    kernel.offset = parameters[1];
    kernel.degree = parameters[2];
  }
  return kernel;
}

Status runtime::callSVMRegressor(CallContext &call) {
  Examples examples;
  if (Status status = examples.read(call))
    return status;
  auto coefficients = call.getFloats("coefficients"),
       vectors = call.getFloats("support_vectors"), rho = call.getFloats("rho");
  VectorKernel kernel = getKernel(call);
  auto length = size_t(examples.features);
  if (Status status = checkLength(call, "coefficients", coefficients.size(),
                                  size_t(call.getInt("n_supports"))))
    return status;
  if (Status status = checkLength(call, "support_vectors", vectors.size(),
                                  coefficients.size() * length))
    return status;
  if (Status status = checkLength(call, "rho", rho.size(), 1))
    return status;
  ScoreResult result;
  if (Status status = result.allocateScores(call, examples.count, 1))
    return status;
  bool isOneClass = call.getInt("one_class") != 0;
  if (Status status =
          forExamples(call, examples, int64_t(vectors.size()), [&](int64_t i) {
            double score = rho[0];
            for (size_t k = 0; k < coefficients.size(); ++k)
              score += coefficients[k] *
                       kernel(examples[i], vectors.subspan(k * length, length));
            result.getRow(i)[0] = !isOneClass ? score : score > 0 ? 1 : -1;
            result.transformRow(i);
          }))
    return status;
  return result.finish(call);
}

namespace {
/// The lists of a classifier with support vectors; read() checks their lengths.
struct SupportLists {
  kernels::SupportVectors<double> machine;
  size_t classes = 0, vectors = 0;
  /// For probabilities; empty if these are not requested.
  std::span<const double> slopes, offsets;

  size_t countPairs() const { return classes * (classes - 1) / 2; }
  bool hasProbabilities() const { return !slopes.empty(); }

  Status read(CallContext &call, size_t features);
};
} // namespace

Status SupportLists::read(CallContext &call, size_t features) {
  // There is a score for each pair of classes, so the number of scores grows
  // quadratically.
  constexpr size_t maxClasses = 1024;
  classes = ScoreResult::countLabels(call);
  if (classes < 2 || classes > maxClasses)
    return call.fail("expected 2 to ", maxClasses, " labels, but got ",
                     classes);
  machine = {.kernel = getKernel(call),
             .vectors = call.getFloats("support_vectors"),
             .perClass = call.getInts("vectors_per_class"),
             .coefficients = call.getFloats("coefficients"),
             .rho = call.getFloats("rho")};
  slopes = call.getFloats("prob_a");
  offsets = call.getFloats("prob_b");
  for (int64_t count : machine.perClass) {
    if (count < 0 || uint64_t(count) > machine.vectors.size() - vectors)
      return call.fail("expected 'vectors_per_class' of vectors that are "
                       "there, but got ",
                       count);
    vectors += size_t(count);
  }
  if (Status status = checkLength(call, "vectors_per_class",
                                  machine.perClass.size(), classes))
    return status;
  if (Status status = checkLength(call, "support_vectors",
                                  machine.vectors.size(), vectors * features))
    return status;
  if (Status status =
          checkLength(call, "coefficients", machine.coefficients.size(),
                      (classes - 1) * vectors))
    return status;
  if (hasProbabilities())
    for (auto [name, length] : {std::pair("prob_a", slopes.size()),
                                std::pair("prob_b", offsets.size())})
      if (Status status = checkLength(call, name, length, countPairs()))
        return status;
  return checkLength(call, "rho", machine.rho.size(), countPairs());
}

/// Without support vectors, there is a row of coefficients for each class.
static Status classifyLinearly(CallContext &call, const Examples &examples) {
  size_t classes = ScoreResult::countLabels(call);
  auto coefficients = call.getFloats("coefficients"),
       rho = call.getFloats("rho");
  if (!classes)
    return call.fail("expected labels, but got none");
  if (Status status = checkLength(call, "rho", rho.size(), 1))
    return status;
  if (Status status = checkLength(call, "coefficients", coefficients.size(),
                                  classes * size_t(examples.features)))
    return status;
  ScoreResult result;
  if (Status status =
          result.allocateLabels(call, examples.count, int64_t(classes)))
    return status;
  std::vector<double> intercepts(classes, rho[0]);
  if (Status status = forExamples(
          call, examples, int64_t(coefficients.size()), [&](int64_t i) {
            std::span<double> row = result.getRow(i);
            kernels::scoreLinearly(examples[i], coefficients, intercepts, row);
            kernels::roundScores(row);
            result.checkNumbers(row);
            result.setLabel(i, findGreatest(row));
            result.transformRow(i);
          }))
    return status;
  return result.finish(call);
}

Status runtime::callSVMClassifier(CallContext &call) {
  Examples examples;
  if (Status status = examples.read(call))
    return status;
  if (call.getInts("vectors_per_class").empty())
    return classifyLinearly(call, examples);
  SupportLists lists;
  if (Status status = lists.read(call, size_t(examples.features)))
    return status;
  size_t classes = lists.classes, pairs = lists.countPairs();
  bool isOne = classes == 2 && !lists.hasProbabilities();
  ScoreResult result;
  if (Status status = result.allocateLabels(
          call, examples.count,
          int64_t(lists.hasProbabilities() || isOne ? classes : pairs)))
    return status;
  bool isShare = result.getTransform() != kernels::ScoreTransform::None;
  if (Status status = forExamples(
          call, examples, int64_t(lists.machine.vectors.size()),
          [&](int64_t i) {
            std::vector<double> likeness(lists.vectors), scores(pairs);
            std::vector<int64_t> votes(classes);
            lists.machine.evaluate(examples[i], likeness, scores, votes);
            result.checkNumbers(scores);
            result.setLabel(i, std::ranges::max_element(votes) - votes.begin());
            if (isOne)
              return result.setScores(i, scores[0], isShare);
            std::span<double> row = result.getRow(i);
            if (lists.hasProbabilities()) {
              for (size_t pair = 0; pair < pairs; ++pair)
                scores[pair] = std::clamp(
                    1 - kernels::logistic(scores[pair] * lists.slopes[pair] +
                                          lists.offsets[pair]),
                    1e-7, 1 - 1e-7);
              std::vector<double> matrix(classes * classes), scratch(classes);
              kernels::combinePairs<double>(scores, matrix, scratch, row);
            } else {
              std::ranges::copy(scores, row.begin());
            }
            result.transformRow(i);
          }))
    return status;
  return result.finish(call);
}
