// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the constants to store such that a model never grows, in one decision for all
// constants.
//
// Constants form a graph: sources, which are in the file, and values that are computed
// from them. Some values are needed by operators that are not constant. Every needed
// value must be computable, so on every path from a source to a needed value some value
// must be stored. A set with that property is a cut of the graph. The size of the
// output is the bytes of the cut plus those of the nodes after it:
//
//            4 MB     16 MB     16 MB
//     w ---- Cast --- Tile ---- Mul ---> MatMul      w: 1 MB, s: 4 B
//                         s ---/
//
// The cheapest cut here is {w, s}: all four operators stay. Among the cheapest cuts,
// the one nearest to the users is chosen, so everything that shrinks or is neutral
// folds. If a source is needed itself, computing from it costs nothing more: tied
// weights stay one.
//
// A minimal cut of a network equals a maximal flow (Ford and Fulkerson), where each
// value is a pipe as wide as its bytes. The caller may allow additional bytes,
// `allowance`. They are spent on values that the cut does not store, such that choosing
// again would change nothing.
#ifndef INVAR_SUPPORT_CONSTANTGRAPH_H
#define INVAR_SUPPORT_CONSTANTGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <limits>
#include <vector>

namespace invar {

class ConstantGraph {
public:
  /// The cost of a value that cannot be stored, such as a sequence.
  static constexpr uint64_t never = std::numeric_limits<uint64_t>::max();

  /// Adds a value that takes `bytes` if it is stored, and returns its number. It is
  /// computed from `operands`, which must have been added before; a source has none.
  unsigned add(uint64_t bytes, llvm::ArrayRef<unsigned> operands);

  /// Marks a value as used by an operator that is not constant.
  void need(unsigned value) { nodes[value].isNeeded = true; }

  size_t size() const { return nodes.size(); }
  bool isSource(unsigned value) const { return nodes[value].operands.empty(); }
  bool isNeeded(unsigned value) const { return nodes[value].isNeeded; }

  /// The values to store, including sources. All other needed values can be computed
  /// from these. The bytes exceed those of the cheapest choice by at most `allowance`.
  llvm::BitVector choose(uint64_t allowance) const;

private:
  struct Node {
    uint64_t bytes;
    llvm::SmallVector<unsigned, 2> operands;
    bool isNeeded = false;
  };

  /// A budget for values of at most `most` bytes and more than the `most` of the next
  /// purse.
  struct Purse {
    uint64_t most, left;
  };

  llvm::BitVector findCheapest() const;
  llvm::BitVector findCut(llvm::ArrayRef<unsigned> component) const;
  std::vector<std::vector<unsigned>> findComponents() const;

  std::vector<Node> nodes;
};

} // namespace invar

#endif // INVAR_SUPPORT_CONSTANTGRAPH_H
