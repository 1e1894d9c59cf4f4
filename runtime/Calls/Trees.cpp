// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Calls.h"
#include "Scoring.h"
#include "invar/Kernels/TreeLists.h"

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
/// Trees, built from the attributes once.
struct Trees : Prepared {
  TreeModel model;
  std::vector<double> base;
  int64_t targets = 0, features = 0;
  std::string whyNot; ///< empty if they are valid

  template <typename Lists> Trees(const Lists &lists, TreeAggregate aggregate) {
    model.aggregate = aggregate;
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

static Status regress(CallContext &call, const Trees &trees, InvarDataType type,
                      ScoreTransform transform) {
  Examples examples;
  if (Status status = examples.read(call))
    return status;
  if (Status status = trees.check(call, examples))
    return status;
  ScoreResult result;
  if (Status status =
          result.allocate(call, type, examples.count, trees.targets))
    return status;
  return trees.evaluate(call, examples, result,
                        [&](int64_t, std::span<double> row, auto &) {
                          kernels::transformScores(transform, row);
                        });
}

// TreeEnsemble

static Trees makeTrees(const CallContext &call) {
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
  Trees trees(lists, TreeAggregate(call.getInt("aggregate_function", 1)));
  trees.setTargets(call.getInt("n_targets", 1), {});
  trees.model.sumsInFloat = call.getTensor(0).getType() != INVAR_FLOAT64;
  return trees;
}

Status runtime::callTreeEnsemble(CallContext &call) {
  const auto &trees = call.prepare<Trees>([&] { return makeTrees(call); });
  return regress(call, trees, call.getTensor(0).getType(),
                 ScoreTransform(call.getInt("post_transform", 0)));
}

// TreeEnsembleRegressor and TreeEnsembleClassifier

/// A list of numbers that is given as floats or as a tensor.
static std::span<const double> getEither(const CallContext &call,
                                         const std::string &name) {
  auto list = call.getFloats(name + "_as_tensor");
  return list.empty() ? call.getFloats(name) : list;
}

/// The two operators have different names for the votes.
static Trees makeTrees(const CallContext &call, const std::string &vote,
                       std::string_view ids, TreeAggregate aggregate) {
  kernels::TreesById lists;
  lists.trees = call.getInts("nodes_treeids");
  lists.ids = call.getInts("nodes_nodeids");
  lists.features = call.getInts("nodes_featureids");
  lists.passes = call.getInts("nodes_truenodeids");
  lists.fails = call.getInts("nodes_falsenodeids");
  lists.missing = call.getInts("nodes_missing_value_tracks_true");
  lists.modes = call.getStrings("nodes_modes");
  lists.splits = getEither(call, "nodes_values");
  lists.voteTrees = call.getInts(vote + "_treeids");
  lists.voteIds = call.getInts(vote + "_nodeids");
  lists.targets = call.getInts(ids);
  lists.weights = getEither(call, vote + "_weights");
  Trees trees(lists, aggregate);
  trees.model.sumsInFloat = call.getFloats(vote + "_weights_as_tensor").empty();
  return trees;
}

Status runtime::callTreeEnsembleRegressor(CallContext &call) {
  const auto &trees = call.prepare<Trees>([&] {
    std::string_view name = call.getString("aggregate_function", "SUM");
    Trees made = makeTrees(call, "target", "target_ids",
                           name == "AVERAGE" ? TreeAggregate::Average
                           : name == "MIN"   ? TreeAggregate::Min
                           : name == "MAX"   ? TreeAggregate::Max
                                             : TreeAggregate::Sum);
    made.setTargets(call.getInt("n_targets", 1),
                    getEither(call, "base_values"));
    return made;
  });
  return regress(
      call, trees, INVAR_FLOAT32,
      kernels::toScoreTransform(call.getString("post_transform", "NONE")));
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

  explicit ClassTrees(const CallContext &call)
      : Trees(makeTrees(call, "class", "class_ids", TreeAggregate::Sum)) {
    size_t count = ScoreResult::countLabels(call, "classlabels_int64s");
    auto addends = getEither(call, "base_values");
    auto ids = call.getInts("class_ids");
    for (int64_t place : {1, 0})
      if (count == 2 &&
          std::ranges::all_of(ids, [&](int64_t id) { return id == place; }))
        only = size_t(place);
    isShare = std::ranges::all_of(getEither(call, "class_weights"),
                                  [](double weight) { return weight >= 0; });
    if (!count)
      whyNot = "expected labels, but got none";
    // The single score has the base value of the class that it stands for.
    double own[] = {only == 0 && !addends.empty() ? addends.back() : 0, 0};
    setTargets(int64_t(count),
               only == 0 ? std::span<const double>(own) : addends);
  }

  /// Decides by the only score. As in other runtimes, scores of the first class are
  /// transformed only if they are likelihoods.
  int64_t tellApart(std::span<double> row, ScoreTransform transform) const {
    double score = row[*only];
    bool isLogistic = transform == ScoreTransform::Logistic;
    if (*only == 0) {
      row[0] = isShare && !isLogistic ? 1 - score : -score;
      row[1] = score;
    }
    if (*only == 1 || isLogistic)
      kernels::transformScores(transform, row);
    return score > (isShare ? 0.5 : 0);
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
  if (Status status = result.allocate(call, "classlabels_int64s",
                                      examples.count, trees.targets))
    return status;
  ScoreTransform transform =
      kernels::toScoreTransform(call.getString("post_transform", "NONE"));
  return trees.evaluate(call, examples, result,
                        [&](int64_t i, std::span<double> row,
                            const std::vector<uint8_t> &isVoted) {
                          if (trees.only)
                            return result.setLabel(
                                i, trees.tellApart(row, transform));
                          result.setLabel(i, choose(row, isVoted));
                          kernels::transformScores(transform, row);
                        });
}
