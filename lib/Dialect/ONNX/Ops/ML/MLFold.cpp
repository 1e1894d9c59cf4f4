// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators on features. Operators that return or take maps are not folded, because a
// model cannot contain a constant map.
#include "MLFormulas.h"
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/FoldStrings.h"
#include "invar/Dialect/ONNX/Ops/ML.h"
#include "invar/Dialect/ONNX/Statistics.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Dialect/Runtime/Setting.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static llvm::Error checkRank(const Elements &x) {
  if (x.getRank() == 1 || x.getRank() == 2)
    return llvm::Error::success();
  return notFolded("expected a tensor of rank 1 or 2, but got rank " +
                   Twine(x.getRank()));
}

/// Returns a list attribute as a tensor that broadcasts over the features of `x`.
template <DataType T>
static llvm::Expected<Elements> makeRow(Folding &fold,
                                        std::optional<ArrayRef<LaneOf<T>>> list,
                                        StringRef name, const Elements &x) {
  size_t count = list ? list->size() : 0;
  if (count != 1 && int64_t(count) != x.getShape().back())
    return notFolded("expected an entry of '" + name +
                     "' for each feature, or one, but got " + Twine(count));
  return fold.getBuilder().fromArray<T>(int64_t(count), *list);
}

//===-- Formulas --------------------------------------------------------------===//

FoldResult BinarizerOp::computeValues(Folding &fold) {
  return applyInDouble(fold, formula::Binarize{{}, double(getThreshold())},
                       fold.get(getX()), fold.getType());
}

FoldResult ImputerOp::computeValues(Folding &fold) {
  using enum DataType;
  const Elements &x = fold.get(getX());
  if (llvm::Error error = checkRank(x))
    return error;
  bool areFloats = lengthOf(getImputedValueFloats()).has_value();
  if (areFloats != (getKind(x.getType()) == NumberKind::Float))
    return notFolded("expected values of the elements' kind to replace them");
  auto values = areFloats ? makeRow<Float32>(fold, getImputedValueFloats(),
                                             "imputed_value_floats", x)
                          : makeRow<Int64>(fold, getImputedValueInt64s(),
                                           "imputed_value_int64s", x);
  if (values)
    values = fold.getBuilder().cast(*values, x.getType());
  if (!values)
    return values;
  if (areFloats)
    return fold.apply(
        formula::Impute<float, OnFloats>{{}, getReplacedValueFloat()},
        {x, *values});
  return fold.apply(
      formula::Impute<int64_t, OnInts>{{}, int64_t(getReplacedValueInt64())},
      {x, *values});
}

FoldResult ScalerOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  if (llvm::Error error = checkRank(x))
    return error;
  auto offset = makeRow<DataType::Float32>(fold, getOffset(), "offset", x);
  auto scale = makeRow<DataType::Float32>(fold, getScale(), "scale", x);
  if (!offset || !scale)
    return llvm::joinErrors(offset.takeError(), scale.takeError());
  return applyInDouble(fold, formula::Scale(), {x, *offset, *scale},
                       DataType::Float32);
}

//===-- Calls -----------------------------------------------------------------===//

namespace {
/// Finds the longest text among settings.
struct LongestText {
  size_t length = 0;

  // For visitSetting.
  void beginFloats() {}
  void addInt(int64_t) {}
  void addFloat(double) {}
  void addString(StringRef text) { length = std::max(length, text.size()); }
  bool addType(Type) { return true; }
};
} // namespace

/// Fails if the first result has too many elements.
static llvm::Error checkResult(const Folding &fold) {
  llvm::Expected<Shape> shape = fold.getShape();
  return shape ? fold.checkWork(*shape) : shape.takeError();
}

/// Fails if the texts of the first result, which are settings, are too long.
static llvm::Error checkTexts(const Folding &fold, const RuntimeCall &call) {
  llvm::Expected<Shape> shape = fold.getShape();
  if (!shape || fold.getType() != DataType::String)
    return shape.takeError();
  LongestText longest;
  for (NamedAttribute setting : call.getSettings())
    rt::visitSetting(setting.getValue(), longest);
  uint64_t count = uint64_t(countElements(*shape).value_or(INT64_MAX));
  return checkStrings(
      count, llvm::SaturatingMultiply(count, uint64_t(longest.length)));
}

/// Folds an operator unless other runtimes disagree about its result.
template <typename Op>
static FoldResult foldIfAgreed(Op op, const Folding &fold, Floats floats) {
  RuntimeCall call = op.describeCall();
  call.set("expects_agreement", true);
  if (llvm::Error error = checkResult(fold))
    return error;
  if (llvm::Error error = checkTexts(fold, call))
    return error;
  return foldByCall(fold, call, floats);
}

FoldResult ArrayFeatureExtractorOp::computeValues(Folding &fold) {
  if (llvm::Error error = checkResult(fold))
    return error;
  return foldByCall(fold, describePlainCall(*this), Floats::AsTheyAre);
}

FoldResult CategoryMapperOp::computeValues(Folding &fold) {
  return foldIfAgreed(*this, fold, Floats::AsTheyAre);
}

FoldResult FeatureVectorizerOp::computeValues(Folding &fold) {
  if (llvm::Error error = checkResult(fold))
    return error;
  return foldByCall(*this, fold, Floats::AsTheyAre);
}

FoldResult LabelEncoderOp::computeValues(Folding &fold) {
  return foldIfAgreed(*this, fold, Floats::AsTheyAre);
}

FoldResult NormalizerOp::computeValues(Folding &fold) {
  if (llvm::Error error = checkRank(fold.get(getX())))
    return error;
  return foldByCallWhenRead(*this, fold, Floats::Doubles);
}

FoldResult OneHotEncoderOp::computeValues(Folding &fold) {
  return foldIfAgreed(*this, fold, Floats::AsTheyAre);
}

//===-- Models ----------------------------------------------------------------===//

/// Operators on more numbers are left to run time.
static constexpr int64_t maxNumbers = int64_t(1) << 26;

/// Folds a classifier or regressor that computes `scores` for each example, from
/// `weights` that are multiplied with it.
template <typename Op>
static FoldResult foldModel(Op op, Folding &fold, int64_t scores,
                            int64_t weights = 0) {
  const Elements &x = fold.get(op.getX());
  if (llvm::Error error = checkRank(x))
    return error;
  int64_t count = x.getRank() == 2 ? x.getShape()[0] : 1, all = 0;
  if (std::max(x.numElements(), scores) > maxNumbers ||
      llvm::MulOverflow(count, scores, all) || all > maxNumbers)
    return notFolded("it is about too many examples or scores to compute");
  if (llvm::Error error = fold.checkWork({count, weights}))
    return error;
  return foldIfAgreed(op, fold, Floats::Doubles);
}

/// The reason why the transformed score of a single target or pair is not folded.
static llvm::Error runtimesDiffer() {
  return notFolded("runtimes differ on its 'post_transform' of one score");
}

template <typename A, typename B>
static int64_t countLabels(A first, B second) {
  return std::max(lengthOf(first).value_or(0), lengthOf(second).value_or(0));
}

FoldResult LinearRegressorOp::computeValues(Folding &fold) {
  if (getTargets() == 1 && getPostTransform() != "NONE")
    return runtimesDiffer();
  return foldModel(*this, fold, int64_t(getTargets()));
}

FoldResult LinearClassifierOp::computeValues(Folding &fold) {
  int64_t classes = countLabels(getClasslabelsInts(), getClasslabelsStrings());
  // One score may decide between two classes.
  int64_t given = lengthOf(getIntercepts()).value_or(0);
  bool isOne = classes == 2 && given == 1;
  if (given != (isOne ? 1 : classes))
    return notFolded("expected an intercept for each score, but got " +
                     Twine(given));
  if (isOne && getPostTransform() != "NONE" && getPostTransform() != "LOGISTIC")
    return runtimesDiffer();
  return foldModel(*this, fold, classes);
}

/// Runtimes differ on a degree that is no integer.
static llvm::Error checkDegree(std::optional<ArrayRef<float>> kernel) {
  if (lengthOf(kernel) == 3 && (*kernel)[2] != std::trunc((*kernel)[2]))
    return notFolded("runtimes differ on a degree that is no integer");
  return llvm::Error::success();
}

FoldResult SVMRegressorOp::computeValues(Folding &fold) {
  if (getPostTransform() != "NONE")
    return runtimesDiffer();
  if (llvm::Error error = checkDegree(getKernelParams()))
    return error;
  return foldModel(*this, fold, 1, lengthOf(getSupportVectors()).value_or(0));
}

FoldResult SVMClassifierOp::computeValues(Folding &fold) {
  if (!lengthOf(getVectorsPerClass()))
    return notFolded("runtimes differ where there are no support vectors");
  int64_t classes = countLabels(getClasslabelsInts(), getClasslabelsStrings());
  bool isOne = classes == 2 && !lengthOf(getProbA());
  if (isOne && getPostTransform() != "NONE" && getPostTransform() != "LOGISTIC")
    return runtimesDiffer();
  if (llvm::Error error = checkDegree(getKernelParams()))
    return error;
  // The function limits the number of classes.
  int64_t scores = classes <= 1024 ? classes * (classes + 1) / 2 : 0;
  return foldModel(*this, fold, scores,
                   lengthOf(getSupportVectors()).value_or(0));
}

//===-- Trees -----------------------------------------------------------------===//

template <typename Op>
static FoldResult foldRegressor(Op op, Folding &fold, bool isTransformed) {
  if (!op.getNTargets())
    return notFolded("expected 'n_targets'");
  if (*op.getNTargets() == 1 && isTransformed)
    return runtimesDiffer();
  return foldModel(op, fold, int64_t(*op.getNTargets()));
}

FoldResult TreeEnsembleOp::computeValues(Folding &fold) {
  return foldRegressor(*this, fold, getPostTransform() != 0);
}

FoldResult TreeEnsembleRegressorOp::computeValues(Folding &fold) {
  return foldRegressor(*this, fold, getPostTransform() != "NONE");
}

FoldResult TreeEnsembleClassifierOp::computeValues(Folding &fold) {
  return foldModel(
      *this, fold,
      countLabels(getClasslabelsInt64s(), getClasslabelsStrings()));
}
