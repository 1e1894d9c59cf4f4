// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decision trees in the newer form, in which children are indices into lists, and in
// the older forms, in which a node has an id within a tree that has an id. Cases in
// which onnxruntime and the standard's reference differ are not folded.
#include "Scoring.h"
#include "invar/Dialect/ONNX/Ops/ML.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Kernels/TreeLists.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using kernels::ScoreTransform;
using kernels::TreeAggregate;
using kernels::TreeModel;

/// Returns the elements of a tensor attribute, if it is given.
template <typename T>
static llvm::Expected<std::vector<T>> readAll(const Folding &fold,
                                              ElementsAttr attribute) {
  if (!attribute)
    return std::vector<T>();
  FailureOr<Elements> tensor = elements::toElements(attribute);
  if (failed(tensor))
    return notFolded("its content is not there");
  auto numbers = fold.read<T>(*tensor);
  if (!numbers)
    return numbers.takeError();
  return numbers->get().vec();
}

/// Reads a list of numbers that is given as floats or as a tensor.
static llvm::Expected<std::vector<double>>
readEither(const Folding &fold, std::optional<ArrayRef<float>> list,
           ElementsAttr tensor) {
  if (tensor)
    return readAll<double>(fold, tensor);
  return widen(list);
}

static llvm::Error goesRound() {
  return notFolded("one of its trees goes round in a circle");
}

/// Computes the results of a regressor: the scores of the trees, plus `base`, then
/// transformed.
static FoldResult regress(Folding &fold, Value x, const TreeModel &trees,
                          int64_t targets, ArrayRef<double> base,
                          ScoreTransform transform) {
  llvm::Expected<Shape> shape = fold.getShape();
  auto examples = readExamples(fold, x, targets);
  if (!shape || !examples)
    return llvm::joinErrors(shape.takeError(), examples.takeError());
  if (!base.empty() && int64_t(base.size()) != targets)
    return notFolded("expected a base value for each target, but got " +
                     Twine(base.size()));
  if (targets == 1 && transform != ScoreTransform::None)
    return notFolded("runtimes differ on its 'post_transform' of one score");
  if (std::string why = trees.check(examples->features, targets); !why.empty())
    return notFolded(why);
  bool isSum = trees.aggregate == TreeAggregate::Sum ||
               trees.aggregate == TreeAggregate::Average;
  std::vector<double> scores(size_t(examples->count * targets));
  std::vector<uint8_t> isVoted(size_t(targets), 0);
  for (int64_t i = 0; i < examples->count; ++i) {
    auto row =
        MutableArrayRef(scores).slice(size_t(i * targets), size_t(targets));
    if (!trees.evaluate((*examples)[i], row, isVoted))
      return goesRound();
    if ((!isSum || !base.empty()) && llvm::is_contained(isVoted, 0))
      return notFolded("runtimes differ on a target that no tree votes for");
    trees.addBase(row, base);
    kernels::transformScores<double>(transform, row);
  }
  return fold.make<double>(*shape, scores);
}

//===-- The newer form --------------------------------------------------------===//

FoldResult TreeEnsembleOp::computeValues(Folding &fold) {
  if (!getNTargets())
    return notFolded("expected 'n_targets'");
  auto modes = readAll<int64_t>(fold, getNodesModesAttr());
  auto splits = readAll<double>(fold, getNodesSplitsAttr());
  auto weights = readAll<double>(fold, getLeafWeightsAttr());
  auto members = readAll<double>(fold, getMembershipValuesAttr());
  if (!modes || !splits || !weights || !members)
    return llvm::joinErrors(
        llvm::joinErrors(modes.takeError(), splits.takeError()),
        llvm::joinErrors(weights.takeError(), members.takeError()));
  kernels::TreesByPlace lists;
  lists.modes = *modes;
  lists.features = getNodesFeatureids();
  lists.passes = getNodesTruenodeids();
  lists.fails = getNodesFalsenodeids();
  lists.passIsLeaf = getNodesTrueleafs();
  lists.failIsLeaf = getNodesFalseleafs();
  lists.missing =
      getNodesMissingValueTracksTrue().value_or(ArrayRef<int64_t>());
  lists.splits = *splits;
  lists.targets = getLeafTargetids();
  lists.weights = *weights;
  lists.members = *members;
  lists.roots = getTreeRoots();
  TreeModel trees;
  trees.aggregate = TreeAggregate(getAggregateFunction());
  trees.sumsInFloat = fold.get(getX()).getType() != DataType::Float64;
  if (std::string why = lists.build(trees); !why.empty())
    return notFolded(why);
  return regress(fold, getX(), trees, *getNTargets(), {},
                 ScoreTransform(getPostTransform()));
}

//===-- The older forms -------------------------------------------------------===//

/// Builds trees of an older form. `lists` already contains the votes, whose attributes
/// have different names in the two operators.
template <typename Op>
static llvm::Expected<TreeModel> makeTrees(const Folding &fold, Op op,
                                           kernels::TreesById lists) {
  auto splits =
      readEither(fold, op.getNodesValues(), op.getNodesValuesAsTensorAttr());
  if (!splits)
    return splits.takeError();
  ArrayRef<int64_t> none;
  auto modes = llvm::map_to_vector(
      op.getNodesModes().value_or(ArrayRef<Attribute>()), [](Attribute mode) {
        return std::string_view(cast<StringAttr>(mode).getValue());
      });
  lists.trees = op.getNodesTreeids().value_or(none);
  lists.ids = op.getNodesNodeids().value_or(none);
  lists.features = op.getNodesFeatureids().value_or(none);
  lists.passes = op.getNodesTruenodeids().value_or(none);
  lists.fails = op.getNodesFalsenodeids().value_or(none);
  lists.missing = op.getNodesMissingValueTracksTrue().value_or(none);
  lists.modes = modes;
  lists.splits = *splits;
  TreeModel trees;
  if (std::string why = lists.build(trees); !why.empty())
    return notFolded(why);
  return trees;
}

FoldResult TreeEnsembleRegressorOp::computeValues(Folding &fold) {
  auto weights =
      readEither(fold, getTargetWeights(), getTargetWeightsAsTensorAttr());
  auto base = readEither(fold, getBaseValues(), getBaseValuesAsTensorAttr());
  if (!weights || !base)
    return llvm::joinErrors(weights.takeError(), base.takeError());
  ArrayRef<int64_t> none;
  kernels::TreesById lists;
  lists.voteTrees = getTargetTreeids().value_or(none);
  lists.voteIds = getTargetNodeids().value_or(none);
  lists.targets = getTargetIds().value_or(none);
  lists.weights = *weights;
  auto trees = makeTrees(fold, *this, lists);
  if (!trees)
    return trees.takeError();
  trees->sumsInFloat = !getTargetWeightsAsTensorAttr();
  if (!getNTargets())
    return notFolded("expected 'n_targets'");
  trees->aggregate = llvm::StringSwitch<TreeAggregate>(getAggregateFunction())
                         .Case("AVERAGE", TreeAggregate::Average)
                         .Case("MIN", TreeAggregate::Min)
                         .Case("MAX", TreeAggregate::Max)
                         .Default(TreeAggregate::Sum);
  return regress(fold, getX(), *trees, *getNTargets(), *base,
                 kernels::toScoreTransform(getPostTransform()));
}

/// Assigns an example to one of two classes by one score, the sum over its leaves.
static llvm::Expected<int64_t> tellApart(MutableArrayRef<double> row,
                                         bool areAllPositive,
                                         ScoreTransform transform) {
  double score = row[0];
  bool isPlain = transform == ScoreTransform::None;
  if (isPlain != areAllPositive ||
      (!isPlain && transform != ScoreTransform::Logistic))
    return notFolded("runtimes differ on its 'post_transform' of one score");
  row[0] = isPlain ? 1 - score : -score;
  row[1] = score;
  return score > (isPlain ? 0.5 : 0);
}

FoldResult TreeEnsembleClassifierOp::computeValues(Folding &fold) {
  Classes classes(getClasslabelsInt64s(), getClasslabelsStrings());
  int64_t count = int64_t(classes.size());
  auto examples = readExamples(fold, getX(), count);
  auto weights =
      readEither(fold, getClassWeights(), getClassWeightsAsTensorAttr());
  auto base = readEither(fold, getBaseValues(), getBaseValuesAsTensorAttr());
  if (!examples || !weights || !base)
    return llvm::joinErrors(
        examples.takeError(),
        llvm::joinErrors(weights.takeError(), base.takeError()));
  ArrayRef<int64_t> none, ids = getClassIds().value_or(none);
  // One score for two classes belongs to the first, and is the likelihood of the second.
  bool isOne = count == 2 && llvm::all_of(ids, [](int64_t id) { return !id; });
  if ((count < 3 && !isOne) || (isOne && !base->empty()))
    return notFolded("runtimes differ on trees for two classes");
  if (!base->empty() && int64_t(base->size()) != count)
    return notFolded("expected a base value for each class, but got " +
                     Twine(base->size()));
  bool areAllPositive =
      llvm::all_of(*weights, [](double weight) { return weight >= 0; });
  kernels::TreesById lists;
  lists.voteTrees = getClassTreeids().value_or(none);
  lists.voteIds = getClassNodeids().value_or(none);
  lists.targets = ids;
  lists.weights = *weights;
  auto trees = makeTrees(fold, *this, lists);
  if (!trees)
    return trees.takeError();
  trees->sumsInFloat = !getClassWeightsAsTensorAttr();
  if (std::string why = trees->check(examples->features, count); !why.empty())
    return notFolded(why);
  ScoreTransform transform = kernels::toScoreTransform(getPostTransform());
  std::vector<double> scores(size_t(examples->count * count));
  std::vector<uint8_t> isVoted(size_t(count), 0);
  std::vector<int64_t> places;
  for (int64_t i = 0; i < examples->count; ++i) {
    auto row = MutableArrayRef(scores).slice(size_t(i * count), size_t(count));
    if (!trees->evaluate((*examples)[i], row, isVoted))
      return goesRound();
    trees->addBase(row, *base);
    std::optional<size_t> greatest = findGreatest(row);
    if (!greatest)
      return notFolded("one of its scores is no number");
    if (isOne) {
      auto place = tellApart(row, areAllPositive, transform);
      if (!place)
        return place.takeError();
      places.push_back(*place);
    } else {
      bool isBare = llvm::is_contained(isVoted, 0) && !base->empty();
      if (!isVoted[*greatest] || isBare)
        return notFolded("runtimes differ on a class that no tree votes for");
      places.push_back(int64_t(*greatest));
    }
    kernels::transformScores<double>(transform, row);
  }
  return classes.label(fold, std::move(places), scores);
}
