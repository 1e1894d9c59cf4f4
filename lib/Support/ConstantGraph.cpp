// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/ConstantGraph.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <queue>

using namespace invar;
using llvm::ArrayRef;

/// The cost of a tensor in a file besides its elements: name, type, shape. So if two
/// choices have equal bytes, the one with fewer tensors wins.
static constexpr uint64_t overhead = 64;

/// The cost of an operator that stays: its node.
static constexpr uint64_t nodeCost = 96;

/// For a component with more values, finding the cheapest cut takes too long.
static constexpr size_t manyValues = 50'000;

unsigned ConstantGraph::add(uint64_t bytes, ArrayRef<unsigned> operands) {
  nodes.push_back({bytes, llvm::SmallVector<unsigned, 2>(operands)});
  return unsigned(nodes.size() - 1);
}

//===-- The greatest flow -----------------------------------------------------===//

namespace {
/// Dinic's algorithm: push flow along shortest paths until there is none left.
class Network {
public:
  static constexpr uint64_t unlimited =
      std::numeric_limits<uint64_t>::max() / 4;

  explicit Network(unsigned vertices) : edges(vertices) {}

  void connect(unsigned from, unsigned to, uint64_t capacity) {
    edges[from].push_back({to, unsigned(edges[to].size()), capacity});
    edges[to].push_back({from, unsigned(edges[from].size() - 1), 0});
  }

  void fill(unsigned source, unsigned sink) {
    while (findLevels(source, sink)) {
      next.assign(edges.size(), 0);
      while (push(source, sink))
        ;
    }
  }

  /// The vertices that can still send flow to the sink.
  llvm::BitVector findSinkSide(unsigned sink) const {
    llvm::BitVector reached(unsigned(edges.size()));
    llvm::SmallVector<unsigned> open = {sink};
    reached.set(sink);
    while (!open.empty()) {
      unsigned to = open.pop_back_val();
      for (const Edge &back : edges[to]) {
        const Edge &edge = edges[back.to][back.twin];
        if (edge.capacity && !reached[back.to]) {
          reached.set(back.to);
          open.push_back(back.to);
        }
      }
    }
    return reached;
  }

private:
  struct Edge {
    unsigned to, twin;
    uint64_t capacity;
  };

  bool findLevels(unsigned source, unsigned sink) {
    levels.assign(edges.size(), ~0u);
    levels[source] = 0;
    std::queue<unsigned> open;
    for (open.push(source); !open.empty(); open.pop())
      for (const Edge &edge : edges[open.front()])
        if (edge.capacity && levels[edge.to] == ~0u) {
          levels[edge.to] = levels[open.front()] + 1;
          open.push(edge.to);
        }
    return levels[sink] != ~0u;
  }

  /// Pushes flow along one more shortest path. Uses an explicit stack, because a path
  /// can be as long as the model is deep.
  bool push(unsigned source, unsigned sink) {
    llvm::SmallVector<Edge *> way;
    unsigned at = source;
    while (at != sink) {
      bool advanced = false;
      for (unsigned &i = next[at]; i < edges[at].size(); ++i) {
        Edge &edge = edges[at][i];
        if (edge.capacity && levels[edge.to] == levels[at] + 1) {
          way.push_back(&edge);
          at = edge.to;
          advanced = true;
          break;
        }
      }
      if (advanced)
        continue;
      if (way.empty())
        return false;
      levels[at] = ~0u; // A dead end.
      Edge *last = way.pop_back_val();
      at = edges[last->to][last->twin].to;
    }
    uint64_t amount = unlimited;
    for (Edge *edge : way)
      amount = std::min(amount, edge->capacity);
    for (Edge *edge : way) {
      edge->capacity -= amount;
      edges[edge->to][edge->twin].capacity += amount;
    }
    return true;
  }

  std::vector<std::vector<Edge>> edges;
  std::vector<unsigned> levels, next;
};
} // namespace

//===-- The choice ------------------------------------------------------------===//

/// Groups values that are computed from each other. The choices of components are
/// independent.
std::vector<std::vector<unsigned>> ConstantGraph::findComponents() const {
  llvm::IntEqClasses classes(unsigned(nodes.size()));
  for (auto [value, node] : llvm::enumerate(nodes))
    for (unsigned operand : node.operands)
      classes.join(unsigned(value), operand);
  classes.compress();
  std::vector<std::vector<unsigned>> components(classes.getNumClasses());
  for (unsigned value = 0; value < nodes.size(); ++value)
    components[classes[value]].push_back(value);
  return components;
}

llvm::BitVector ConstantGraph::findCut(ArrayRef<unsigned> component) const {
  unsigned count = unsigned(component.size());
  unsigned source = 2 * count, sink = source + 1;
  auto indexOf = [&](unsigned value) {
    return unsigned(llvm::lower_bound(component, value) - component.begin());
  };
  // Each value is a pipe from 2i to 2i + 1.
  Network network(sink + 1);
  for (auto [i, value] : llvm::enumerate(component)) {
    const Node &node = nodes[value];
    unsigned in = 2 * unsigned(i), out = in + 1;
    bool isPaid = node.operands.empty() && node.isNeeded;
    uint64_t width = node.bytes == never ? Network::unlimited
                     : isPaid            ? 0
                                         : node.bytes + overhead;
    network.connect(in, out, width);
    // A computed value cuts this edge, which costs the operator's node.
    network.connect(source, in,
                    node.operands.empty() ? Network::unlimited : nodeCost);
    for (unsigned operand : node.operands)
      network.connect(2 * indexOf(operand) + 1, in, Network::unlimited);
    if (node.isNeeded && !isPaid)
      network.connect(out, sink, Network::unlimited);
  }
  network.fill(source, sink);
  llvm::BitVector sinkSide = network.findSinkSide(sink);
  llvm::BitVector stored(count);
  for (unsigned i = 0; i < count; ++i)
    if (!sinkSide[2 * i] && sinkSide[2 * i + 1])
      stored.set(i);
  return stored;
}

llvm::BitVector ConstantGraph::findCheapest() const {
  llvm::BitVector stored{unsigned(nodes.size())};
  for (const std::vector<unsigned> &component : findComponents()) {
    if (component.size() > manyValues) {
      for (unsigned value : component)
        stored[value] = isSource(value);
      continue;
    }
    llvm::BitVector cut = findCut(component);
    for (unsigned i : cut.set_bits())
      stored.set(component[i]);
  }
  for (unsigned value = 0; value < nodes.size(); ++value)
    if (isSource(value) && isNeeded(value))
      stored.set(value);
  return stored;
}

llvm::BitVector ConstantGraph::choose(uint64_t allowance) const {
  // Either all values of similar size are stored or none, so that a second run of this
  // choice finds the remaining ones too expensive again. The largest values that may be
  // stored at all get two thirds of the allowance, those of up to a sixteenth of that
  // size get two thirds of the rest, and so on.
  std::vector<Purse> purses;
  for (uint64_t size = allowance, share = allowance / 3 * 2, rest = allowance;
       share; size /= 16, rest -= share, share = rest / 3 * 2)
    purses.push_back({size, share});
  ConstantGraph rest = *this;
  while (true) {
    llvm::BitVector stored = rest.findCheapest();
    bool isMore = false;
    for (auto [i, purse] : llvm::enumerate(purses)) {
      uint64_t above = i + 1 < purses.size() ? purses[i + 1].most : 0;
      uint64_t sum = 0;
      std::vector<unsigned> open;
      for (unsigned value = 0; value < nodes.size(); ++value) {
        uint64_t bytes = nodes[value].bytes;
        if (!isNeeded(value) || stored[value] || bytes > purse.most ||
            (bytes <= above && above))
          continue;
        open.push_back(value);
        sum += bytes + overhead;
      }
      if (open.empty() || sum > purse.left)
        continue;
      purse.left -= sum;
      isMore = true;
      // A stored value is not computed any more, which may make other values cheaper.
      for (unsigned value : open)
        rest.nodes[value].operands.clear();
    }
    if (!isMore)
      return stored;
  }
}
