// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decision trees in the standard's form, as lists, and their conversion to
// TreeEnsemble. In the newer form, children are indices into the lists. In the older
// forms, a node has an id within a tree, and the tree has an id.
#ifndef INVAR_KERNELS_TREELISTS_H
#define INVAR_KERNELS_TREELISTS_H

#include "invar/Kernels/Trees.h"

#include <string>
#include <vector>

namespace invar::kernels {

/// Owns the data that a TreeEnsemble refers to.
struct TreeModel {
  std::vector<TreeNode<double>> nodes;
  std::vector<TreeVote<double>> votes;
  std::vector<double> members;
  std::vector<int64_t> roots;
  TreeAggregate aggregate = TreeAggregate::Sum;
  /// Sums of float votes are rounded to float, like in the standard's reference and
  /// onnxruntime. Labels depend on it if votes are tied.
  bool sumsInFloat = true;

  /// Describes a referenced node, feature or target that does not exist; empty if there
  /// is none.
  std::string check(int64_t features, int64_t targets) const;

  bool evaluate(std::span<const double> features, std::span<double> targets,
                std::span<uint8_t> isVoted) const {
    return getEnsemble().evaluate(features, targets, isVoted);
  }
  /// Adds the base value of each target.
  void addBase(std::span<double> targets, std::span<const double> base) const {
    for (size_t i = 0; i < base.size(); ++i)
      targets[i] = getEnsemble().round(targets[i] + base[i]);
  }

private:
  TreeEnsemble<double> getEnsemble() const {
    return {nodes, votes, members, roots, aggregate, sumsInFloat};
  }
};

/// Lists of modes have the numbers of Branch.
using IntList = std::span<const int64_t>;
using NumberList = std::span<const double>;

/// The newer form.
struct TreesByPlace {
  /// For nodes that are not leaves. `missing` may be empty.
  IntList modes, features, passes, fails, passIsLeaf, failIsLeaf, missing;
  NumberList splits;
  /// For leaves.
  IntList targets;
  NumberList weights;
  /// The sets of all Member nodes, in their order, separated by NaN.
  NumberList members;
  IntList roots;

  /// Returns why no model can be built; empty on success.
  std::string build(TreeModel &model) const;
};

/// The older forms.
struct TreesById {
  /// For nodes; `missing` may be empty.
  IntList trees, ids, modes, features, passes, fails, missing;
  NumberList splits;
  /// For votes: their node and target.
  IntList voteTrees, voteIds, targets;
  NumberList weights;

  std::string build(TreeModel &model) const;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_TREELISTS_H
