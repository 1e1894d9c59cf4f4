// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NodeOrder.h"

#include "invar/Support/Error.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace invar;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {
class Orderer {
public:
  explicit Orderer(ArrayRef<NodeView> nodes)
      : nodes(nodes), state(nodes.size(), New) {
    for (auto [index, node] : llvm::enumerate(nodes))
      for (StringRef output : node.outputs)
        if (!output.empty())
          producers.try_emplace(output, index);
  }

  bool isInOrder() {
    bool inOrder = true;
    for (unsigned i = 0; i < nodes.size() && inOrder; ++i)
      forEachDependency(nodes[i],
                        [&](unsigned producer) { inOrder &= producer < i; });
    return inOrder;
  }

  llvm::Expected<SmallVector<unsigned>> sort() {
    for (unsigned i = 0; i < nodes.size(); ++i)
      if (llvm::Error error = visit(i))
        return error;
    return std::move(order);
  }

private:
  enum State : uint8_t { New, Open, Done };
  struct Frame {
    unsigned node;
    SmallVector<unsigned> dependencies;
    size_t next = 0;
  };

  /// Visits the producers, among this graph's nodes, of the values that `node` and its
  /// subgraphs use.
  void forEachDependency(const NodeView &node,
                         llvm::function_ref<void(unsigned)> visitProducer) {
    forEachName(node, [&](StringRef name) {
      if (auto it = producers.find(name); it != producers.end())
        visitProducer(it->second);
    });
  }

  void forEachName(const NodeView &node,
                   llvm::function_ref<void(StringRef)> visitName) {
    for (StringRef input : node.inputs)
      visitName(input);
    for (const AttributeView &attribute : node.attributes)
      for (const GraphView &graph : attribute.graphs)
        forEachCapture(graph, visitName);
  }

  /// Names that a subgraph defines itself hide those outside.
  void forEachCapture(const GraphView &graph,
                      llvm::function_ref<void(StringRef)> visitName) {
    llvm::DenseSet<StringRef> own;
    for (const ValueInfoView &input : graph.inputs)
      own.insert(input.name);
    for (const TensorView &initializer : graph.initializers)
      own.insert(initializer.name);
    for (const SparseTensorView &sparse : graph.sparseInitializers)
      if (sparse.values)
        own.insert(sparse.values->name);
    for (const NodeView &node : graph.nodes)
      own.insert(node.outputs.begin(), node.outputs.end());
    auto visitOuter = [&](StringRef name) {
      if (!own.contains(name))
        visitName(name);
    };
    for (const NodeView &node : graph.nodes)
      forEachName(node, visitOuter);
    for (const ValueInfoView &output : graph.outputs)
      visitOuter(output.name);
  }

  /// Depth first without recursion: a chain may be as long as the model.
  llvm::Error visit(unsigned root) {
    if (state[root] == Done)
      return llvm::Error::success();
    SmallVector<Frame> stack;
    open(root, stack);
    while (!stack.empty()) {
      Frame &frame = stack.back();
      if (frame.next == frame.dependencies.size()) {
        state[frame.node] = Done;
        order.push_back(frame.node);
        stack.pop_back();
        continue;
      }
      unsigned dependency = frame.dependencies[frame.next++];
      if (state[dependency] == Open)
        return describeCycle(stack, dependency);
      if (state[dependency] == New)
        open(dependency, stack);
    }
    return llvm::Error::success();
  }

  void open(unsigned node, llvm::SmallVectorImpl<Frame> &stack) {
    state[node] = Open;
    Frame &frame = stack.emplace_back(Frame{node, {}});
    forEachDependency(nodes[node], [&](unsigned producer) {
      frame.dependencies.push_back(producer);
    });
  }

  llvm::Error describeCycle(ArrayRef<Frame> stack, unsigned start) {
    const auto *first = llvm::find_if(
        stack, [&](const Frame &frame) { return frame.node == start; });
    ArrayRef<Frame> cycle(first, stack.end());
    std::string names;
    constexpr size_t mostNames = 4;
    for (const Frame &frame : cycle.take_front(mostNames)) {
      const NodeView &node = nodes[frame.node];
      names += (names.empty() ? "node[" : ", node[") +
               std::to_string(frame.node) + "] '" +
               (node.name.empty() ? node.opType : node.name).str() + "'";
    }
    if (cycle.size() > mostNames)
      names += " …";
    return badInput("expected a graph without cycles, but got one through " +
                    names);
  }

  ArrayRef<NodeView> nodes;
  llvm::DenseMap<StringRef, unsigned> producers;
  SmallVector<State> state;
  SmallVector<unsigned> order;
};
} // namespace

llvm::Expected<SmallVector<unsigned>>
invar::orderNodes(ArrayRef<NodeView> nodes) {
  Orderer orderer(nodes);
  if (orderer.isInOrder())
    return llvm::to_vector(llvm::seq<unsigned>(0, nodes.size()));
  return orderer.sort();
}
