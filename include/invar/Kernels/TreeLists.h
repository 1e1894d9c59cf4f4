// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decision trees as the standard writes them, in lists, and what is made of these. In the
// newer form children are places in the lists; in the older ones a node has an id in a tree
// that has an id.
#ifndef INVAR_KERNELS_TREELISTS_H
#define INVAR_KERNELS_TREELISTS_H

#include "invar/Kernels/Trees.h"

#include <string>
#include <string_view>
#include <vector>

namespace invar::kernels {

/// What a TreeEnsemble refers to.
struct TreeModel {
  std::vector<TreeNode<double>> nodes;
  std::vector<TreeVote<double>> votes;
  std::vector<double> members;
  std::vector<int64_t> roots;
  TreeAggregate aggregate = TreeAggregate::Sum;
  /// Sums of votes that are floats are floats: so say the standard's reference and
  /// onnxruntime, whose labels depend on it where votes are even.
  bool sumsInFloat = true;

  /// Which node, feature or target is named that is not there; empty where there is none.
  std::string check(int64_t features, int64_t targets) const;

  bool evaluate(std::span<const double> features, std::span<double> targets,
                std::span<uint8_t> isVoted) const {
    return getEnsemble().evaluate(features, targets, isVoted);
  }
  /// Adds what each target has from the beginning.
  void addBase(std::span<double> targets, std::span<const double> base) const {
    for (size_t i = 0; i < base.size(); ++i)
      targets[i] = getEnsemble().round(targets[i] + base[i]);
  }

private:
  TreeEnsemble<double> getEnsemble() const {
    return {nodes, votes, members, roots, aggregate, sumsInFloat};
  }
};

using IntList = std::span<const int64_t>;
using NumberList = std::span<const double>;

/// The newer form.
struct TreesByPlace {
  /// Of nodes that are no leaves. `missing` may be empty.
  IntList modes, features, passes, fails, passIsLeaf, failIsLeaf, missing;
  NumberList splits;
  /// Of leaves.
  IntList targets;
  NumberList weights;
  /// The sets of all nodes that ask for membership, in their order; NaN parts them.
  NumberList members;
  IntList roots;

  /// Why no model can be made of them; empty where it is.
  std::string build(TreeModel &model) const;
};

/// The older forms.
struct TreesById {
  /// Of nodes; `missing` may be empty.
  IntList trees, ids, features, passes, fails, missing;
  std::span<const std::string_view> modes;
  NumberList splits;
  /// Of votes: of which node, for what.
  IntList voteTrees, voteIds, targets;
  NumberList weights;

  std::string build(TreeModel &model) const;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_TREELISTS_H
