// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decision trees, in the newer form, whose children are places in lists, and in the older
// ones, whose nodes have an id in a tree that has an id. Where onnxruntime and the
// standard's reference differ nothing is folded.
#include "Scoring.h"
#include "invar/Dialect/ONNX/Ops/ML.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Kernels/Trees.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using kernels::Branch;
using kernels::ScoreTransform;
using kernels::TreeAggregate;

namespace {
/// The lists that a kernels::TreeEnsemble refers to.
struct Trees {
  std::vector<kernels::TreeNode<double>> nodes;
  std::vector<kernels::TreeVote<double>> votes;
  std::vector<double> members;
  std::vector<int64_t> roots;
  TreeAggregate aggregate = TreeAggregate::Sum;

  /// Fails where a node, feature or target is named that is not there.
  llvm::Error check(int64_t features, int64_t targets) const;
  /// What the trees say of an example; fails where they do not end.
  llvm::Error evaluate(std::span<const double> features,
                       std::span<double> targets,
                       std::span<uint8_t> isVoted) const;
};
} // namespace

llvm::Error Trees::check(int64_t features, int64_t targets) const {
  int64_t count = int64_t(nodes.size());
  for (const kernels::TreeNode<double> &node : nodes) {
    if (node.branch == Branch::Leaf)
      continue;
    if (node.feature < 0 || node.feature >= features)
      return notFolded("expected features below " + Twine(features) +
                       ", but got " + Twine(node.feature));
    if (std::min(node.pass, node.fail) < 0 ||
        std::max(node.pass, node.fail) >= count)
      return notFolded("expected nodes that are there");
  }
  for (const kernels::TreeVote<double> &vote : votes)
    if (vote.target < 0 || vote.target >= targets)
      return notFolded("expected targets below " + Twine(targets) +
                       ", but got " + Twine(vote.target));
  return llvm::Error::success();
}

llvm::Error Trees::evaluate(std::span<const double> features,
                            std::span<double> targets,
                            std::span<uint8_t> isVoted) const {
  kernels::TreeEnsemble<double> ensemble{nodes, votes, members, roots,
                                         aggregate};
  if (ensemble.evaluate(features, targets, isVoted))
    return llvm::Error::success();
  return notFolded("one of its trees goes round in a circle");
}

/// The elements of a tensor attribute, if it is given.
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

/// A list of numbers that is given as floats or as a tensor.
static llvm::Expected<std::vector<double>>
readEither(const Folding &fold, std::optional<ArrayRef<float>> list,
           ElementsAttr tensor) {
  if (tensor)
    return readAll<double>(fold, tensor);
  return widen(list);
}

/// The results of a regressor: what the trees say, then `base` added and transformed.
static FoldResult regress(Folding &fold, Value x, const Trees &trees,
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
  if (llvm::Error error = trees.check(examples->features, targets))
    return error;
  bool isSum = trees.aggregate == TreeAggregate::Sum ||
               trees.aggregate == TreeAggregate::Average;
  std::vector<double> scores(size_t(examples->count * targets));
  std::vector<uint8_t> isVoted(size_t(targets), 0);
  for (int64_t i = 0; i < examples->count; ++i) {
    auto row =
        MutableArrayRef(scores).slice(size_t(i * targets), size_t(targets));
    if (llvm::Error error = trees.evaluate((*examples)[i], row, isVoted))
      return error;
    if ((!isSum || !base.empty()) && llvm::is_contained(isVoted, 0))
      return notFolded("runtimes differ on a target that no tree votes for");
    for (auto [score, addend] : llvm::zip(row, base))
      score += addend;
    kernels::transformScores<double>(transform, row);
  }
  return fold.make<double>(*shape, scores);
}

//===-- The newer form --------------------------------------------------------===//

/// Gives each node that asks for membership its set, in order; NaN parts them.
static llvm::Error findSets(Trees &trees) {
  int64_t next = 0, count = int64_t(trees.members.size());
  for (kernels::TreeNode<double> &node : trees.nodes) {
    if (node.branch != Branch::Member)
      continue;
    if (next >= count)
      return notFolded("expected a set for each node that asks for membership");
    node.firstMember = next;
    while (next < count && !std::isnan(trees.members[size_t(next)]))
      ++next;
    node.lastMember = next++;
  }
  return llvm::Error::success();
}

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
  Trees trees;
  trees.members = std::move(*members);
  trees.aggregate = TreeAggregate(getAggregateFunction());
  ArrayRef<int64_t> missing =
      getNodesMissingValueTracksTrue().value_or(ArrayRef<int64_t>());
  int64_t inner = int64_t(modes->size());
  // Leaves come after all others, each with one vote; the verifier has seen to it that
  // lists are as long as each other, and children there.
  for (int64_t i = 0; i < inner; ++i) {
    int64_t mode = (*modes)[size_t(i)];
    if (mode < 0 || mode > int64_t(Branch::Member))
      return notFolded("expected modes up to 6, but got " + Twine(mode));
    kernels::TreeNode<double> node;
    node.branch = Branch(mode);
    node.passesMissing = !missing.empty() && missing[i] != 0;
    node.feature = getNodesFeatureids()[i];
    node.split = (*splits)[size_t(i)];
    node.pass = getNodesTruenodeids()[i] + (getNodesTrueleafs()[i] ? inner : 0);
    node.fail =
        getNodesFalsenodeids()[i] + (getNodesFalseleafs()[i] ? inner : 0);
    trees.nodes.push_back(node);
  }
  for (auto [i, target] : llvm::enumerate(getLeafTargetids())) {
    kernels::TreeNode<double> leaf;
    leaf.pass = int64_t(i);
    leaf.fail = int64_t(i) + 1;
    trees.nodes.push_back(leaf);
    trees.votes.push_back({target, (*weights)[i]});
  }
  llvm::append_range(trees.roots, getTreeRoots());
  if (llvm::Error error = findSets(trees))
    return error;
  return regress(fold, getX(), trees, *getNTargets(), {},
                 ScoreTransform(getPostTransform()));
}

//===-- The older forms -------------------------------------------------------===//

namespace {
/// What votes are called in either of the older forms.
struct VoteLists {
  ArrayRef<int64_t> trees, nodes, targets;
  std::vector<double> weights;
};
} // namespace

static std::optional<Branch> toBranch(StringRef mode) {
  return llvm::StringSwitch<std::optional<Branch>>(mode)
      .Case("BRANCH_LEQ", Branch::LessOrEqual)
      .Case("BRANCH_LT", Branch::Less)
      .Case("BRANCH_GTE", Branch::GreaterOrEqual)
      .Case("BRANCH_GT", Branch::Greater)
      .Case("BRANCH_EQ", Branch::Equal)
      .Case("BRANCH_NEQ", Branch::NotEqual)
      .Case("LEAF", Branch::Leaf)
      .Default(std::nullopt);
}

static llvm::Error checkLength(size_t length, size_t expected) {
  if (length == expected)
    return llvm::Error::success();
  return notFolded("expected lists of " + Twine(expected) +
                   " entries, but got one of " + Twine(length));
}

/// A list, checked to be as long as there are nodes.
template <typename T>
static llvm::Expected<ArrayRef<T>> getList(std::optional<ArrayRef<T>> list,
                                           size_t length) {
  ArrayRef<T> given = list.value_or(ArrayRef<T>());
  if (llvm::Error error = checkLength(given.size(), length))
    return error;
  return given;
}

/// Nodes and votes of an older form, by their places.
template <typename Op>
static llvm::Expected<Trees> makeTrees(const Folding &fold, Op op,
                                       const VoteLists &lists) {
  ArrayRef<int64_t> ids = op.getNodesNodeids().value_or(ArrayRef<int64_t>());
  size_t count = ids.size();
  auto treeIds = getList(op.getNodesTreeids(), count);
  auto features = getList(op.getNodesFeatureids(), count);
  auto modes = getList(op.getNodesModes(), count);
  auto passes = getList(op.getNodesTruenodeids(), count);
  auto fails = getList(op.getNodesFalsenodeids(), count);
  auto splits =
      readEither(fold, op.getNodesValues(), op.getNodesValuesAsTensorAttr());
  llvm::Error error = llvm::Error::success();
  auto join = [&](llvm::Error other) {
    error = llvm::joinErrors(std::move(error), std::move(other));
  };
  for (auto *list : {&treeIds, &features, &passes, &fails})
    join(list->takeError());
  join(modes.takeError());
  join(splits.takeError());
  if (!error)
    join(checkLength(splits->size(), count));
  size_t votes = lists.targets.size();
  for (size_t length :
       {lists.trees.size(), lists.nodes.size(), lists.weights.size()})
    join(checkLength(length, votes));
  if (error)
    return error;

  // The first node of a tree is its root.
  Trees trees;
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> places;
  llvm::DenseSet<int64_t> seen;
  for (size_t i = 0; i < count; ++i) {
    if (!places.try_emplace({(*treeIds)[i], ids[i]}, int64_t(i)).second)
      return notFolded("expected nodes that differ, but got one twice");
    if (seen.insert((*treeIds)[i]).second)
      trees.roots.push_back(int64_t(i));
  }
  std::vector<llvm::SmallVector<size_t, 1>> votesOf(count);
  for (size_t i = 0; i < votes; ++i) {
    auto found = places.find({lists.trees[i], lists.nodes[i]});
    if (found == places.end())
      return notFolded("expected votes of nodes that are there");
    votesOf[size_t(found->second)].push_back(i);
  }
  ArrayRef<int64_t> missing =
      op.getNodesMissingValueTracksTrue().value_or(ArrayRef<int64_t>());
  for (size_t i = 0; i < count; ++i) {
    StringRef mode = cast<StringAttr>((*modes)[i]).getValue();
    std::optional<Branch> branch = toBranch(mode);
    if (!branch)
      return notFolded("expected a mode of the standard, but got '" + mode +
                       "'");
    kernels::TreeNode<double> node;
    node.branch = *branch;
    if (*branch == Branch::Leaf) {
      node.pass = int64_t(trees.votes.size());
      for (size_t vote : votesOf[i])
        trees.votes.push_back({lists.targets[vote], lists.weights[vote]});
      node.fail = int64_t(trees.votes.size());
    } else {
      node.passesMissing = !missing.empty() && missing[i] != 0;
      node.feature = (*features)[i];
      node.split = (*splits)[i];
      auto find = [&](int64_t id) {
        auto found = places.find({(*treeIds)[i], id});
        return found == places.end() ? int64_t(-1) : found->second;
      };
      node.pass = find((*passes)[i]);
      node.fail = find((*fails)[i]);
    }
    trees.nodes.push_back(node);
  }
  return trees;
}

FoldResult TreeEnsembleRegressorOp::computeValues(Folding &fold) {
  auto weights =
      readEither(fold, getTargetWeights(), getTargetWeightsAsTensorAttr());
  auto base = readEither(fold, getBaseValues(), getBaseValuesAsTensorAttr());
  if (!weights || !base)
    return llvm::joinErrors(weights.takeError(), base.takeError());
  ArrayRef<int64_t> none;
  auto trees = makeTrees(fold, *this,
                         {getTargetTreeids().value_or(none),
                          getTargetNodeids().value_or(none),
                          getTargetIds().value_or(none), std::move(*weights)});
  if (!trees)
    return trees.takeError();
  if (!getNTargets())
    return notFolded("expected 'n_targets'");
  trees->aggregate = llvm::StringSwitch<TreeAggregate>(getAggregateFunction())
                         .Case("AVERAGE", TreeAggregate::Average)
                         .Case("MIN", TreeAggregate::Min)
                         .Case("MAX", TreeAggregate::Max)
                         .Default(TreeAggregate::Sum);
  return regress(fold, getX(), *trees, *getNTargets(), *base,
                 toTransform(getPostTransform()));
}

/// Puts an example into one of two classes by one score, the sum of what its leaves say.
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
  // One score for two classes is that of the first, and tells how likely the second is.
  bool isOne = count == 2 && llvm::all_of(ids, [](int64_t id) { return !id; });
  if ((count < 3 && !isOne) || (isOne && !base->empty()))
    return notFolded("runtimes differ on trees for two classes");
  if (!base->empty() && int64_t(base->size()) != count)
    return notFolded("expected a base value for each class, but got " +
                     Twine(base->size()));
  bool areAllPositive =
      llvm::all_of(*weights, [](double weight) { return weight >= 0; });
  auto trees =
      makeTrees(fold, *this,
                {getClassTreeids().value_or(none),
                 getClassNodeids().value_or(none), ids, std::move(*weights)});
  if (!trees)
    return trees.takeError();
  if (llvm::Error error = trees->check(examples->features, count))
    return error;
  ScoreTransform transform = toTransform(getPostTransform());
  std::vector<double> scores(size_t(examples->count * count));
  std::vector<uint8_t> isVoted(size_t(count), 0);
  std::vector<int64_t> places;
  for (int64_t i = 0; i < examples->count; ++i) {
    auto row = MutableArrayRef(scores).slice(size_t(i * count), size_t(count));
    if (llvm::Error error = trees->evaluate((*examples)[i], row, isVoted))
      return error;
    for (auto [score, addend] : llvm::zip(row, *base))
      score += addend;
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
