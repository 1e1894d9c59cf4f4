// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear models and support vectors. Cases in which onnxruntime and the standard's
// reference differ, of which this domain has many, are not folded.
#include "Scoring.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/ML.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Kernels/SupportVectors.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using kernels::ScoreTransform;

/// Operators on more numbers are left to run time.
static constexpr int64_t maxNumbers = int64_t(1) << 26;

llvm::Expected<Examples>
invar::onnx::readExamples(const Folding &fold, Value operand, int64_t scores) {
  const Elements &x = fold.get(operand);
  if (x.getRank() != 1 && x.getRank() != 2)
    return notFolded("expected a tensor of rank 1 or 2, but got rank " +
                     Twine(x.getRank()));
  int64_t count = x.getRank() == 2 ? x.getShape()[0] : 1, all = 0;
  if (std::max(x.numElements(), scores) > maxNumbers ||
      llvm::MulOverflow(count, scores, all) || all > maxNumbers)
    return notFolded("it is about too many examples or scores to compute");
  auto numbers = fold.read<double>(x);
  if (!numbers)
    return numbers.takeError();
  return Examples{std::move(*numbers), count, x.getShape().back()};
}

std::vector<double> invar::onnx::widen(std::optional<ArrayRef<float>> list) {
  ArrayRef<float> numbers = list.value_or(ArrayRef<float>());
  return std::vector<double>(numbers.begin(), numbers.end());
}

std::optional<size_t>
invar::onnx::findGreatest(std::span<const double> numbers) {
  if (numbers.empty() ||
      llvm::any_of(numbers, [](double number) { return number != number; }))
    return std::nullopt;
  return size_t(std::ranges::max_element(numbers) - numbers.begin());
}

FoldResult Classes::label(const Folding &fold, std::vector<int64_t> places,
                          ArrayRef<double> scores) const {
  const ElementsBuilder &builder = fold.getBuilder();
  auto toString = [](Attribute name) {
    return cast<StringAttr>(name).getValue();
  };
  int64_t count = int64_t(size());
  auto table =
      numbers.empty()
          ? builder.fromStrings(count, llvm::map_to_vector(names, toString))
          : builder.fromArray<DataType::Int64>(count, numbers);
  auto shape = fold.getShape(1);
  if (!table || !shape)
    return llvm::joinErrors(table.takeError(), shape.takeError());
  auto labels = pickAlong(fold, *table, 0, std::move(places));
  auto rows = fold.make<double>(*shape, scores, 1);
  if (!labels || !rows)
    return llvm::joinErrors(labels.takeError(), rows.takeError());
  return FoldResult::Values{std::move(*labels), std::move(*rows)};
}

static llvm::Error checkLength(StringRef name, size_t length, size_t expected) {
  if (length == expected)
    return llvm::Error::success();
  return notFolded("expected " + Twine(expected) + " entries of '" + name +
                   "', but got " + Twine(length));
}

/// The reason why the transformed score of a single target or pair is not folded.
static llvm::Error runtimesDiffer() {
  return notFolded("runtimes differ on its 'post_transform' of one score");
}

//===-- Linear models ---------------------------------------------------------===//

FoldResult LinearRegressorOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> shape = fold.getShape();
  auto examples = readExamples(fold, getX(), int64_t(getTargets()));
  if (!shape || !examples)
    return llvm::joinErrors(shape.takeError(), examples.takeError());
  size_t targets = size_t(getTargets());
  std::vector<double> coefficients = widen(getCoefficients()),
                      intercepts = widen(getIntercepts());
  // No overflow: readExamples() has limited the number of scores, and so of targets.
  if (llvm::Error error = checkLength("coefficients", coefficients.size(),
                                      targets * size_t(examples->features)))
    return error;
  if (!intercepts.empty())
    if (llvm::Error error =
            checkLength("intercepts", intercepts.size(), targets))
      return error;
  ScoreTransform transform = kernels::toScoreTransform(getPostTransform());
  if (targets == 1 && transform != ScoreTransform::None)
    return runtimesDiffer();
  std::vector<double> scores(size_t(examples->count) * targets);
  for (int64_t i = 0; i < examples->count; ++i) {
    auto row = MutableArrayRef(scores).slice(size_t(i) * targets, targets);
    kernels::scoreLinearly((*examples)[i], coefficients, intercepts,
                           std::span(row.data(), row.size()));
    kernels::transformScores<double>(transform, row);
  }
  return fold.make<double>(*shape, scores);
}

FoldResult LinearClassifierOp::computeValues(Folding &fold) {
  Classes classes(getClasslabelsInts(), getClasslabelsStrings());
  auto examples = readExamples(fold, getX(), int64_t(classes.size()));
  if (!examples)
    return examples.takeError();
  std::vector<double> coefficients = widen(getCoefficients()),
                      intercepts = widen(getIntercepts());
  // One score distinguishes two classes: the greater it is, the likelier is the second
  // class.
  bool isOne = classes.size() == 2 && intercepts.size() == 1;
  size_t given = isOne ? 1 : classes.size();
  if (llvm::Error error = checkLength("intercepts", intercepts.size(), given))
    return error;
  if (llvm::Error error = checkLength("coefficients", coefficients.size(),
                                      given * size_t(examples->features)))
    return error;
  if (given == 0)
    return notFolded("expected labels, but got none");
  ScoreTransform transform = kernels::toScoreTransform(getPostTransform());
  if (isOne && transform != ScoreTransform::None &&
      transform != ScoreTransform::Logistic)
    return runtimesDiffer();
  std::vector<int64_t> places;
  std::vector<double> scores(size_t(examples->count) * classes.size());
  for (int64_t i = 0; i < examples->count; ++i) {
    auto row = MutableArrayRef(scores).slice(size_t(i) * classes.size(),
                                             classes.size());
    kernels::scoreLinearly((*examples)[i], coefficients, intercepts,
                           std::span(row.data(), given));
    kernels::roundScores(std::span(row.data(), given));
    std::optional<size_t> greatest = findGreatest(row.take_front(given));
    if (!greatest)
      return notFolded("one of its scores is no number");
    places.push_back(isOne ? row[0] > 0 : int64_t(*greatest));
    if (isOne) {
      bool isPlain = transform == ScoreTransform::None;
      row[1] = row[0];
      row[0] = isPlain ? 1 - row[1] : -row[1];
    }
    kernels::transformScores<double>(transform, row);
  }
  return classes.label(fold, std::move(places), scores);
}

//===-- Support vectors -------------------------------------------------------===//

template <typename Op>
static llvm::Expected<kernels::VectorKernel<double>> getKernel(Op op) {
  using Kernel = kernels::VectorKernel<double>;
  Kernel kernel;
  kernel.kind = llvm::StringSwitch<Kernel::Kind>(op.getKernelType())
                    .Case("POLY", Kernel::Poly)
                    .Case("RBF", Kernel::RBF)
                    .Case("SIGMOID", Kernel::Sigmoid)
                    .Default(Kernel::Linear);
  std::vector<double> parameters = widen(op.getKernelParams());
  if (parameters.size() == 3) {
    kernel.gamma = parameters[0];
    kernel.offset = parameters[1];
    kernel.degree = parameters[2];
  }
  if (kernel.degree != std::trunc(kernel.degree))
    return notFolded("runtimes differ on a degree that is no integer");
  return kernel;
}

FoldResult SVMRegressorOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> shape = fold.getShape();
  auto examples = readExamples(fold, getX(), 1);
  auto kernel = getKernel(*this);
  if (!shape || !examples || !kernel)
    return llvm::joinErrors(
        llvm::joinErrors(shape.takeError(), examples.takeError()),
        kernel.takeError());
  if (getPostTransform() != "NONE")
    return runtimesDiffer();
  size_t length = size_t(examples->features);
  std::vector<double> coefficients = widen(getCoefficients()),
                      vectors = widen(getSupportVectors()),
                      rho = widen(getRho());
  size_t count = coefficients.size();
  // Without support vectors, the coefficients are the only vector, and the kernel is
  // linear.
  bool isLinear = getNSupports() == 0;
  if (isLinear) {
    vectors = std::move(coefficients);
    coefficients = {1};
    *kernel = {};
    count = 1;
  } else if (llvm::Error error =
                 checkLength("coefficients", count, size_t(getNSupports()))) {
    return error;
  }
  if (llvm::Error error = checkLength("rho", rho.size(), 1))
    return error;
  if (llvm::Error error =
          checkLength(isLinear ? "coefficients" : "support_vectors",
                      vectors.size(), count * length))
    return error;
  if (llvm::Error error =
          fold.checkWork({examples->count, int64_t(count), examples->features}))
    return error;
  std::vector<double> scores;
  for (int64_t i = 0; i < examples->count; ++i) {
    double score = rho[0];
    for (size_t k = 0; k < count; ++k)
      score += coefficients[k] *
               (*kernel)((*examples)[i],
                         std::span(vectors).subspan(k * length, length));
    scores.push_back(!getOneClass() ? score : score > 0 ? 1 : -1);
  }
  return fold.make<double>(*shape, scores);
}

/// Checks that the lengths of all lists match the numbers of classes, vectors and
/// features.
static llvm::Error checkVectors(SVMClassifierOp op, size_t classes,
                                size_t features, size_t &vectors) {
  ArrayRef<int64_t> perClass =
      op.getVectorsPerClass().value_or(ArrayRef<int64_t>());
  if (perClass.empty())
    return notFolded("runtimes differ where there are no support vectors");
  vectors = 0;
  size_t given = size_t(lengthOf(op.getSupportVectors()).value_or(0));
  for (int64_t count : perClass) {
    if (count < 0 || uint64_t(count) > given - vectors)
      return notFolded(
          "expected 'vectors_per_class' of vectors that are there");
    vectors += size_t(count);
  }
  size_t pairs = classes * (classes - 1) / 2;
  auto length = [](auto list) { return size_t(lengthOf(list).value_or(0)); };
  llvm::Error error =
      checkLength("vectors_per_class", perClass.size(), classes);
  auto check = [&](StringRef name, size_t got, size_t expected) {
    error =
        llvm::joinErrors(std::move(error), checkLength(name, got, expected));
  };
  check("support_vectors", given, vectors * features);
  check("coefficients", length(op.getCoefficients()), (classes - 1) * vectors);
  check("rho", length(op.getRho()), pairs);
  if (length(op.getProbA())) {
    check("prob_a", length(op.getProbA()), pairs);
    check("prob_b", length(op.getProbB()), pairs);
  }
  return error;
}

FoldResult SVMClassifierOp::computeValues(Folding &fold) {
  Classes classes(getClasslabelsInts(), getClasslabelsStrings());
  if (classes.size() < 2 || classes.size() > 1024)
    return notFolded("expected 2 to 1024 labels, but got " +
                     Twine(classes.size()));
  size_t count = classes.size(), pairs = count * (count - 1) / 2, vectors = 0;
  auto examples = readExamples(fold, getX(), int64_t(pairs + count));
  auto kernel = getKernel(*this);
  if (!examples || !kernel)
    return llvm::joinErrors(examples.takeError(), kernel.takeError());
  if (llvm::Error error =
          checkVectors(*this, count, size_t(examples->features), vectors))
    return error;
  if (llvm::Error error = fold.checkWork(
          {examples->count, int64_t(vectors), examples->features}))
    return error;
  bool hasProbabilities = lengthOf(getProbA()).has_value();
  bool isOne = count == 2 && !hasProbabilities;
  ScoreTransform transform = kernels::toScoreTransform(getPostTransform());
  if (isOne && transform != ScoreTransform::None &&
      transform != ScoreTransform::Logistic)
    return runtimesDiffer();

  std::vector<double> support = widen(getSupportVectors()),
                      coefficients = widen(getCoefficients()),
                      rho = widen(getRho()), slopes = widen(getProbA()),
                      offsets = widen(getProbB());
  kernels::SupportVectors<double> machine{
      *kernel, support, *getVectorsPerClass(), coefficients, rho};
  std::vector<double> likeness(vectors), row(pairs), matrix(count * count),
      scratch(count), probabilities(count), scores;
  std::vector<int64_t> votes(count), places;
  for (int64_t i = 0; i < examples->count; ++i) {
    machine.evaluate((*examples)[i], likeness, row, votes);
    if (!findGreatest(row))
      return notFolded("one of its scores is no number");
    places.push_back(llvm::max_element(votes) - votes.begin());
    std::span<double> given = row;
    if (hasProbabilities) {
      for (auto [pair, score] : llvm::enumerate(row))
        score = std::clamp(
            1 - kernels::logistic(score * slopes[pair] + offsets[pair]), 1e-7,
            1 - 1e-7);
      kernels::combinePairs<double>(row, matrix, scratch, probabilities);
      given = probabilities;
    } else if (isOne) {
      probabilities = {-row[0], row[0]};
      given = probabilities;
    }
    kernels::transformScores(transform, given);
    llvm::append_range(scores, given);
  }
  return classes.label(fold, std::move(places), scores);
}
