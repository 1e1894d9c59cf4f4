// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScoringCalls.h"
#include "invar/Kernels/TreeLists.h"
#include "runtime/Calls/Calls.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

using namespace invar;
using namespace invar::runtime;
using kernels::ScoreTransform;
using kernels::TreeAggregate;
using kernels::TreeModel;

namespace {
/// Trees, built from the settings once.
struct Trees : Prepared {
  TreeModel model;
  std::vector<double> base;
  int64_t targets = 0, features = 0;
  std::string whyNot; ///< empty if they are valid

  /// The function of the votes of each target, and the type of sums.
  void setAggregate(const CallContext &call) {
    model.aggregate = TreeAggregate(call.getInt("aggregate"));
    model.sumsInFloat = call.getInt("sums_in_float") != 0;
  }
  template <typename Lists> void build(const Lists &lists) {
    whyNot = lists.build(model);
    for (const kernels::TreeNode<double> &node : model.nodes)
      features = std::max(features, node.feature);
  }
  /// Sets the number of targets, and the number to add to each.
  void setTargets(int64_t count, std::span<const double> addends) {
    targets = count;
    base.assign(addends.begin(), addends.end());
    if (whyNot.empty())
      whyNot = model.check(INT64_MAX, targets);
    if (whyNot.empty() && !base.empty() && base.size() != size_t(targets))
      whyNot = "expected a base value for each target, but got " +
               std::to_string(base.size());
  }

  Status check(CallContext &call, const Examples &examples) const {
    if (!whyNot.empty())
      return call.fail(whyNot);
    if (!model.nodes.empty() && features >= examples.features)
      return call.fail("expected more than ", features, " features, but got ",
                       examples.features);
    return Status::success();
  }

  /// Calls `finish(i, row, isVoted)` with the scores of each example, including the
  /// base values.
  template <typename Finish>
  Status evaluate(CallContext &call, const Examples &examples,
                  const ScoreResult &result, Finish finish) const {
    std::atomic<bool> isEndless = false;
    if (Status status =
            call.parallelFor(examples.count, 16, [&](int64_t from, int64_t to) {
              std::vector<uint8_t> isVoted(static_cast<size_t>(targets));
              for (int64_t i = from; i < to; ++i) {
                std::span<double> row = result.getRow(i);
                if (!model.evaluate(examples[i], row, isVoted))
                  isEndless = true;
                model.addBase(row, base);
                finish(i, row, isVoted);
              }
            }))
      return status;
    if (isEndless)
      return call.fail("expected trees, but got one that goes round in a "
                       "circle");
    return result.finish(call);
  }
};
} // namespace

static bool isAnyUnvoted(const std::vector<uint8_t> &isVoted) {
  return std::ranges::count(isVoted, 0) > 0;
}

static Status regress(CallContext &call, const Trees &trees) {
  Examples examples;
  if (Status status = examples.read(call))
    return status;
  if (Status status = trees.check(call, examples))
    return status;
  ScoreResult result;
  if (Status status =
          result.allocateScores(call, examples.count, trees.targets))
    return status;
  TreeAggregate aggregate = trees.model.aggregate;
  bool isPlainSum = trees.base.empty() && (aggregate == TreeAggregate::Sum ||
                                           aggregate == TreeAggregate::Average);
  return trees.evaluate(
      call, examples, result,
      [&](int64_t i, std::span<double>, const std::vector<uint8_t> &isVoted) {
        if (!isPlainSum && isAnyUnvoted(isVoted))
          result.doubt("runtimes differ on a target that no tree votes for");
        result.transformRow(i);
      });
}

// TreeEnsemble

Status runtime::callTreeEnsemble(CallContext &call) {
  const auto &trees = call.prepare<Trees>([&] {
    kernels::TreesByPlace lists;
    lists.modes = call.getInts("nodes_modes");
    lists.features = call.getInts("nodes_featureids");
    lists.passes = call.getInts("nodes_truenodeids");
    lists.fails = call.getInts("nodes_falsenodeids");
    lists.passIsLeaf = call.getInts("nodes_trueleafs");
    lists.failIsLeaf = call.getInts("nodes_falseleafs");
    lists.missing = call.getInts("nodes_missing_value_tracks_true");
    lists.splits = call.getFloats("nodes_splits");
    lists.targets = call.getInts("leaf_targetids");
    lists.weights = call.getFloats("leaf_weights");
    lists.members = call.getFloats("membership_values");
    lists.roots = call.getInts("tree_roots");
    Trees made;
    made.setAggregate(call);
    made.build(lists);
    made.setTargets(call.getInt("n_targets"), {});
    return made;
  });
  return regress(call, trees);
}

// TreeEnsembleRegressor and TreeEnsembleClassifier

/// Trees of the older forms.
static Trees makeTrees(const CallContext &call) {
  kernels::TreesById lists;
  lists.trees = call.getInts("nodes_treeids");
  lists.ids = call.getInts("nodes_nodeids");
  lists.features = call.getInts("nodes_featureids");
  lists.passes = call.getInts("nodes_truenodeids");
  lists.fails = call.getInts("nodes_falsenodeids");
  lists.missing = call.getInts("nodes_missing_value_tracks_true");
  lists.modes = call.getInts("nodes_modes");
  lists.splits = call.getFloats("nodes_values");
  lists.voteTrees = call.getInts("votes_treeids");
  lists.voteIds = call.getInts("votes_nodeids");
  lists.targets = call.getInts("votes_targets");
  lists.weights = call.getFloats("votes_weights");
  Trees trees;
  trees.setAggregate(call);
  trees.build(lists);
  return trees;
}

Status runtime::callTreeEnsembleRegressor(CallContext &call) {
  const auto &trees = call.prepare<Trees>([&] {
    Trees made = makeTrees(call);
    made.setTargets(call.getInt("n_targets"), call.getFloats("base_values"));
    return made;
  });
  return regress(call, trees);
}

namespace {
/// Trees that vote for classes.
struct ClassTrees : Trees {
  /// The only one of two classes that leaves vote for, if there is only one. Its score
  /// decides between the two: leaves that vote for the first class give the likelihood
  /// of the second.
  std::optional<size_t> only;
  /// Whether that score counts as a share between 0 and 1, which it does if no weight is
  /// negative.
  bool isShare;
  /// Whether base values are given.
  bool hasBase;

  /// Why other runtimes disagree, whatever the examples are; null if they do not.
  const char *whyDoubtful(ScoreTransform transform) const {
    if (only == 0 ? hasBase : targets < 3)
      return "runtimes differ on trees for two classes";
    auto agreed = isShare ? ScoreTransform::None : ScoreTransform::Logistic;
    return only == 0 && transform != agreed
               ? "runtimes differ on its 'post_transform' of one score"
               : nullptr;
  }

  explicit ClassTrees(const CallContext &call) : Trees(makeTrees(call)) {
    size_t count = ScoreResult::countLabels(call);
    auto addends = call.getFloats("base_values");
    hasBase = !addends.empty();
    auto ids = call.getInts("votes_targets");
    for (int64_t place : {1, 0})
      if (count == 2 &&
          std::ranges::all_of(ids, [&](int64_t id) { return id == place; }))
        only = size_t(place);
    isShare = std::ranges::all_of(call.getFloats("votes_weights"),
                                  [](double weight) { return weight >= 0; });
    if (!count)
      whyNot = "expected labels, but got none";
    // The single score has the base value of the class that it stands for.
    double own[] = {only == 0 && hasBase ? addends.back() : 0, 0};
    setTargets(int64_t(count),
               only == 0 ? std::span<const double>(own) : addends);
  }
};
} // namespace

/// The class with the greatest score among those with votes.
static int64_t choose(std::span<const double> row,
                      std::span<const uint8_t> isVoted) {
  int64_t best = -1;
  for (size_t i = 0; i < row.size(); ++i)
    if (isVoted[i] && (best < 0 || row[i] > row[size_t(best)]))
      best = int64_t(i);
  return best < 0 ? findGreatest(row) : best;
}

Status runtime::callTreeEnsembleClassifier(CallContext &call) {
  const auto &trees =
      call.prepare<ClassTrees>([&] { return ClassTrees(call); });
  Examples examples;
  if (Status status = examples.read(call))
    return status;
  if (Status status = trees.check(call, examples))
    return status;
  ScoreResult result;
  if (Status status =
          result.allocateLabels(call, examples.count, trees.targets))
    return status;
  if (const char *why = trees.whyDoubtful(result.getTransform()))
    result.doubt(why);
  return trees.evaluate(
      call, examples, result,
      [&](int64_t i, std::span<double> row,
          const std::vector<uint8_t> &isVoted) {
        result.checkNumbers(row);
        if (trees.only) {
          double score = row[*trees.only];
          result.setLabel(i, score > (trees.isShare ? 0.5 : 0));
          trees.only == 0 ? result.setScores(i, score, trees.isShare)
                          : result.transformRow(i);
          return;
        }
        // Others also choose a class without votes.
        if (!isVoted[size_t(findGreatest(row))] ||
            (trees.hasBase && isAnyUnvoted(isVoted)))
          result.doubt("runtimes differ on a class that no tree votes for");
        result.setLabel(i, choose(row, isVoted));
        result.transformRow(i);
      });
}
