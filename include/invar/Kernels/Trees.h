// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decision trees. A node compares a feature with its split and goes on to one of two other
// nodes, until a leaf votes for targets with weights.
#ifndef INVAR_KERNELS_TREES_H
#define INVAR_KERNELS_TREES_H

#include <cstdint>
#include <span>

namespace invar::kernels {

enum class Branch : uint8_t {
  LessOrEqual,
  Less,
  GreaterOrEqual,
  Greater,
  Equal,
  NotEqual,
  /// Whether the feature is one of a set.
  Member,
  Leaf,
};

template <typename T> struct TreeNode {
  Branch branch = Branch::Leaf;
  /// Whether a feature that is NaN is taken for one that passes.
  bool passesMissing = false;
  int64_t feature = 0;
  T split = 0;
  /// The nodes to go on to; of a leaf, its votes: from `pass` up to `fail`.
  int64_t pass = 0, fail = 0;
  /// The set of a Member, as a range of the members of all.
  int64_t firstMember = 0, lastMember = 0;
};

template <typename T> struct TreeVote {
  int64_t target;
  T weight;
};

enum class TreeAggregate : uint8_t { Average, Sum, Min, Max };

/// Trees that vote together. Nodes, votes, members and features that are named are there.
template <typename T> struct TreeEnsemble {
  std::span<const TreeNode<T>> nodes;
  std::span<const TreeVote<T>> votes;
  std::span<const T> members;
  std::span<const int64_t> roots;
  TreeAggregate aggregate = TreeAggregate::Sum;
  /// Whether each sum is rounded to float, and not only the last. The order of sums is that
  /// of the roots.
  bool sumsInFloat = false;

  /// What all trees say of an example, one number for each target; `isVoted` says for each
  /// whether any did. False where a way through a tree comes back to where it was.
  bool evaluate(std::span<const T> features, std::span<T> targets,
                std::span<uint8_t> isVoted) const;

  /// A sum or quotient of floats, computed in T, as it would be in the type of sums: a
  /// double has more than twice the digits of a float, so rounding twice does no harm.
  T round(T number) const { return sumsInFloat ? T(float(number)) : number; }

private:
  void count(const TreeVote<T> &vote, std::span<T> targets,
             std::span<uint8_t> isVoted) const;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_TREES_H
