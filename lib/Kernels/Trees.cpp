// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Trees.h"

#include <algorithm>

using namespace invar::kernels;

template <typename T>
static bool passes(const TreeNode<T> &node, T x, std::span<const T> members) {
  if (node.passesMissing && x != x)
    return true;
  switch (node.branch) {
  case Branch::LessOrEqual:
    return x <= node.split;
  case Branch::Less:
    return x < node.split;
  case Branch::GreaterOrEqual:
    return x >= node.split;
  case Branch::Greater:
    return x > node.split;
  case Branch::Equal:
    return x == node.split;
  case Branch::NotEqual:
    return x != node.split;
  case Branch::Member: {
    auto set = members.subspan(size_t(node.firstMember),
                               size_t(node.lastMember - node.firstMember));
    return std::ranges::find(set, x) != set.end();
  }
  case Branch::Leaf:
    break;
  }
  return false;
}

template <typename T>
void TreeEnsemble<T>::count(const TreeVote<T> &vote, std::span<T> targets,
                            std::span<uint8_t> isVoted) const {
  T &sum = targets[size_t(vote.target)];
  bool isFirst = !isVoted[size_t(vote.target)];
  isVoted[size_t(vote.target)] = 1;
  if (isFirst)
    sum = vote.weight;
  else if (aggregate == TreeAggregate::Min)
    sum = std::min(sum, vote.weight);
  else if (aggregate == TreeAggregate::Max)
    sum = std::max(sum, vote.weight);
  else
    sum = round(sum + vote.weight);
}

template <typename T>
bool TreeEnsemble<T>::evaluate(std::span<const T> features,
                               std::span<T> targets,
                               std::span<uint8_t> isVoted) const {
  std::ranges::fill(targets, T(0));
  std::ranges::fill(isVoted, uint8_t(0));
  for (int64_t root : roots) {
    const TreeNode<T> *node = &nodes[size_t(root)];
    for (size_t steps = 0; node->branch != Branch::Leaf; ++steps) {
      if (steps == nodes.size())
        return false;
      bool pass = passes(*node, features[size_t(node->feature)], members);
      node = &nodes[size_t(pass ? node->pass : node->fail)];
    }
    for (int64_t i = node->pass; i < node->fail; ++i)
      count(votes[size_t(i)], targets, isVoted);
  }
  if (aggregate == TreeAggregate::Average)
    for (T &target : targets)
      target = round(target / T(roots.size()));
  return true;
}

template struct invar::kernels::TreeEnsemble<float>;
template struct invar::kernels::TreeEnsemble<double>;
