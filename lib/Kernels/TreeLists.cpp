// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/TreeLists.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <unordered_set>

using namespace invar::kernels;

std::string TreeModel::check(int64_t features, int64_t targets) const {
  auto count = int64_t(nodes.size());
  for (const TreeNode<double> &node : nodes) {
    if (node.branch == Branch::Leaf)
      continue;
    if (node.feature < 0 || node.feature >= features)
      return "expected features below " + std::to_string(features) +
             ", but got " + std::to_string(node.feature);
    if (std::min(node.pass, node.fail) < 0 ||
        std::max(node.pass, node.fail) >= count)
      return "expected nodes that are there";
  }
  for (int64_t root : roots)
    if (root < 0 || root >= count)
      return "expected roots that are there";
  for (const TreeVote<double> &vote : votes)
    if (vote.target < 0 || vote.target >= targets)
      return "expected targets below " + std::to_string(targets) +
             ", but got " + std::to_string(vote.target);
  return {};
}

static std::string checkLengths(size_t expected,
                                std::initializer_list<size_t> lengths) {
  for (size_t length : lengths)
    if (length != expected)
      return "expected lists of " + std::to_string(expected) +
             " entries, but got one of " + std::to_string(length);
  return {};
}

/// The length of an optional list, which may be empty.
static size_t lengthOf(IntList list, size_t expected) {
  return list.empty() ? expected : list.size();
}

//===-- The newer form --------------------------------------------------------===//

/// Assigns each Member node its set. Returns false if there are too few sets.
static bool findSets(TreeModel &model) {
  int64_t next = 0, count = int64_t(model.members.size());
  for (TreeNode<double> &node : model.nodes) {
    if (node.branch != Branch::Member)
      continue;
    if (next >= count)
      return false;
    node.firstMember = next;
    while (next < count && !std::isnan(model.members[size_t(next)]))
      ++next;
    node.lastMember = next++;
  }
  return true;
}

std::string TreesByPlace::build(TreeModel &model) const {
  size_t inner = modes.size(), leaves = targets.size();
  if (std::string why =
          checkLengths(inner, {features.size(), passes.size(), fails.size(),
                               passIsLeaf.size(), failIsLeaf.size(),
                               splits.size(), lengthOf(missing, inner)});
      !why.empty())
    return why;
  if (std::string why = checkLengths(leaves, {weights.size()}); !why.empty())
    return why;
  // Leaves come after all other nodes, each with one vote.
  auto toPlace = [&](int64_t child, int64_t isLeaf) {
    auto count = int64_t(isLeaf ? leaves : inner);
    return child < 0 || child >= count ? -1
                                       : child + (isLeaf ? int64_t(inner) : 0);
  };
  for (size_t i = 0; i < inner; ++i) {
    if (modes[i] < 0 || modes[i] > int64_t(Branch::Member))
      return "expected modes up to 6, but got " + std::to_string(modes[i]);
    TreeNode<double> node;
    node.branch = Branch(modes[i]);
    node.passesMissing = !missing.empty() && missing[i] != 0;
    node.feature = features[i];
    node.split = splits[i];
    node.pass = toPlace(passes[i], passIsLeaf[i]);
    node.fail = toPlace(fails[i], failIsLeaf[i]);
    model.nodes.push_back(node);
  }
  for (size_t i = 0; i < leaves; ++i) {
    TreeNode<double> leaf;
    leaf.pass = int64_t(i);
    leaf.fail = int64_t(i) + 1;
    model.nodes.push_back(leaf);
    model.votes.push_back({targets[i], weights[i]});
  }
  model.roots.assign(roots.begin(), roots.end());
  model.members.assign(members.begin(), members.end());
  if (!findSets(model))
    return "expected a set for each node that asks for membership";
  return {};
}

//===-- The older forms -------------------------------------------------------===//

std::string TreesById::build(TreeModel &model) const {
  size_t count = ids.size(), votes = targets.size();
  if (std::string why = checkLengths(
          count, {trees.size(), features.size(), modes.size(), passes.size(),
                  fails.size(), splits.size(), lengthOf(missing, count)});
      !why.empty())
    return why;
  if (std::string why = checkLengths(
          votes, {voteTrees.size(), voteIds.size(), weights.size()});
      !why.empty())
    return why;

  // The first node of a tree is its root.
  std::map<std::pair<int64_t, int64_t>, int64_t> places;
  std::unordered_set<int64_t> seen;
  for (size_t i = 0; i < count; ++i) {
    if (!places.try_emplace({trees[i], ids[i]}, int64_t(i)).second)
      return "expected nodes that differ, but got one twice";
    if (seen.insert(trees[i]).second)
      model.roots.push_back(int64_t(i));
  }
  std::vector<std::vector<size_t>> votesOf(count);
  for (size_t i = 0; i < votes; ++i) {
    auto found = places.find({voteTrees[i], voteIds[i]});
    if (found == places.end())
      return "expected votes of nodes that are there";
    votesOf[size_t(found->second)].push_back(i);
  }
  for (size_t i = 0; i < count; ++i) {
    // The older forms have no sets.
    if (modes[i] < 0 || modes[i] > int64_t(Branch::Leaf) ||
        modes[i] == int64_t(Branch::Member))
      return "expected a mode of the standard, but got another";
    TreeNode<double> node;
    node.branch = Branch(modes[i]);
    if (node.branch == Branch::Leaf) {
      node.pass = int64_t(model.votes.size());
      for (size_t vote : votesOf[i])
        model.votes.push_back({targets[vote], weights[vote]});
      node.fail = int64_t(model.votes.size());
    } else {
      node.passesMissing = !missing.empty() && missing[i] != 0;
      node.feature = features[i];
      node.split = splits[i];
      auto find = [&](int64_t id) {
        auto found = places.find({trees[i], id});
        return found == places.end() ? int64_t(-1) : found->second;
      };
      node.pass = find(passes[i]);
      node.fail = find(fails[i]);
    }
    model.nodes.push_back(node);
  }
  return {};
}
