// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which constants to store, so that a model never grows: one decision for all of them.
//
// Constants form a graph: sources, which the file has, and values that are computed from
// them; some are needed by what is not constant. Every needed value must be computable, so
// on every way from a source to a needed value some value must be stored. A set with that
// property is a cut of the graph, and the bytes of the output are those of the cut, and of
// the nodes behind it:
//
//            4 MB     16 MB     16 MB
//     w ---- Cast --- Tile ---- Mul ---> MatMul      w: 1 MB, s: 4 B
//                         s ---/
//
// The cheapest cut here is {w, s}: all four operators stay. The cheapest cut nearest to
// what needs it is chosen, so everything that shrinks or is neutral folds. Where a source
// is needed for itself, it costs nothing more to compute from it: tied weights stay one.
//
// A cheapest cut of a network is a greatest flow (Ford and Fulkerson), each value being a
// pipe as wide as its bytes. What may be spent beyond, `allowance`, goes to the values that
// the cut has left open, in such a way that choosing again would change nothing.
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

  /// Adds a value that takes `bytes` when it is stored, and returns its number. It is
  /// computed from `operands`, which were added before; a source has none.
  unsigned add(uint64_t bytes, llvm::ArrayRef<unsigned> operands);

  /// States that something variable uses a value.
  void need(unsigned value) { nodes[value].isNeeded = true; }

  size_t size() const { return nodes.size(); }
  bool isSource(unsigned value) const { return nodes[value].operands.empty(); }
  bool isNeeded(unsigned value) const { return nodes[value].isNeeded; }

  /// The values to store, sources among them. All others that are needed can be computed
  /// from these, and their bytes exceed those of the cheapest choice by `allowance` at most.
  llvm::BitVector choose(uint64_t allowance) const;

private:
  struct Node {
    uint64_t bytes;
    llvm::SmallVector<unsigned, 2> operands;
    bool isNeeded = false;
  };

  /// What may be spent on values of up to `most` bytes, and more than the next one's.
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
