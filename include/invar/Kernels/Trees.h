// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decision trees. A node compares a feature with its split and continues at one of two
// other nodes, until a leaf votes for targets with weights.
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
  /// Whether the comparison passes if the feature is NaN.
  bool passesMissing = false;
  int64_t feature = 0;
  T split = 0;
  /// The next nodes; for a leaf, its votes [pass, fail).
  int64_t pass = 0, fail = 0;
  /// The set of a Member node, as a range of the ensemble's members.
  int64_t firstMember = 0, lastMember = 0;
};

template <typename T> struct TreeVote {
  int64_t target;
  T weight;
};

enum class TreeAggregate : uint8_t { Average, Sum, Min, Max };

/// Trees that vote together. All referenced nodes, votes, members and features must
/// exist.
template <typename T> struct TreeEnsemble {
  std::span<const TreeNode<T>> nodes;
  std::span<const TreeVote<T>> votes;
  std::span<const T> members;
  std::span<const int64_t> roots;
  TreeAggregate aggregate = TreeAggregate::Sum;
  /// Whether each sum is rounded to float, not only the final one. Sums are in the
  /// order of the roots.
  bool sumsInFloat = false;

  /// Computes the result of all trees for an example, one number for each target.
  /// `isVoted` receives whether a target has any vote. Returns false if a path through
  /// a tree has a cycle.
  bool evaluate(std::span<const T> features, std::span<T> targets,
                std::span<uint8_t> isVoted) const;

  /// Rounds a sum or quotient of floats, which was computed in T, to the type of sums.
  /// A double has more than twice the digits of a float, so rounding twice does no
  /// harm.
  T round(T number) const { return sumsInFloat ? T(float(number)) : number; }

private:
  void count(const TreeVote<T> &vote, std::span<T> targets,
             std::span<uint8_t> isVoted) const;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_TREES_H
