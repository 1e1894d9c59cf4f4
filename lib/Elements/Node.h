// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expression nodes of an Elements and their common base class. A node is immutable,
// except for caches: its recipe and, in a Deferred, the kept elements.
//
// Nodes are shared, so a graph of n nodes can have 2^n paths. Therefore all recursion
// is bounded. `depth` bounds the stack. `cost` estimates the loops that run for one
// element; an input that is read twice is computed twice. Beyond maxCost, a node is
// kept instead of recomputed (Deferred). `size` counts the nodes that a view is pushed
// through; beyond maxSize, the view is put over the node instead.
#ifndef INVAR_LIB_ELEMENTS_NODE_H
#define INVAR_LIB_ELEMENTS_NODE_H

#include "Scratch.h"
#include "invar/Elements/Elements.h"
#include "invar/Elements/ElementwiseFunction.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <atomic>
#include <mutex>

namespace invar {

using NodeRef = std::shared_ptr<const ElementsNode>;

/// The state of an evaluation; one per thread.
struct Evaluation {
  EvalOptions options; ///< with `threads` resolved; 1 inside a parallel loop
  Scratch scratch;
  /// Why a kernel has no result: there was no memory for it, or the kernel failed. Its
  /// elements, which read as zeros then, must not be used. Empty if all is well.
  std::string failure;
  llvm::SmallPtrSet<const ElementsNode *, 8> prepared = {};
};

/// A view to take, and its resulting shape. The arrays belong to the caller.
struct ViewOp {
  enum Kind { Transpose, Slice, Expand, Reshape };
  Kind kind;
  llvm::ArrayRef<int64_t> shape;
  llvm::ArrayRef<int64_t> permutation = {};
  llvm::ArrayRef<int64_t> starts = {};
  llvm::ArrayRef<int64_t> steps = {};
};

class ElementsNode : public std::enable_shared_from_this<ElementsNode> {
public:
  static constexpr unsigned maxDepth = 64;
  static constexpr unsigned maxCost = 256;
  static constexpr unsigned maxSize = 4096;

  enum class Kind : uint8_t { View, Fused, Concat, Computed };

  const Kind kind;
  const DataType type;
  const unsigned depth;
  const unsigned cost;
  const unsigned size;
  const Shape shape;
  const int64_t count;

  virtual ~ElementsNode();

  /// Reads lanes [begin, begin + n) into memory that is aligned for them.
  virtual void read(int64_t begin, int64_t n, uint8_t *lanes,
                    Evaluation &ev) const = 0;

  /// The address of lanes [begin, begin + n) if they are in memory, aligned and in
  /// order; otherwise null.
  virtual const uint8_t *inPlace(int64_t begin, int64_t n) const {
    return nullptr;
  }

  /// How many elements to read at once, to avoid fetching cache lines repeatedly; 0 if
  /// it does not matter.
  virtual int64_t preferredRead() const { return 0; }

  /// Computes now, with all threads of `ev`, what the first read would compute and
  /// keep.
  void prepare(Evaluation &ev) const {
    if (ev.prepared.insert(this).second)
      prepareInputs(ev);
  }

  /// A view of this node. `op` must fit its shape; neither may be empty.
  virtual NodeRef view(const ViewOp &op) const = 0;

  virtual bool isSplat() const { return count == 1; }

  Hash128 getRecipe(const EvalOptions &options) const;

protected:
  ElementsNode(Kind kind, DataType type, llvm::ArrayRef<int64_t> shape,
               unsigned depth, unsigned cost, unsigned size);

  virtual void prepareInputs(Evaluation &ev) const = 0;

  /// The recipe without type and shape.
  virtual Hash128 computeRecipe(const EvalOptions &options) const = 0;

private:
  mutable std::once_flag recipeOnce;
  mutable Hash128 recipe;
};

/// A lazy tensor as a row-major sequence that views refer to. It is streamed if it is
/// read in order. Otherwise, or if recomputing is too expensive, its elements are
/// computed once and kept.
class Deferred {
public:
  Deferred(NodeRef source, bool alwaysKeep)
      : source(std::move(source)), alwaysKeep(alwaysKeep) {}

  /// The kept elements, computed now if necessary; null if they exceed the limit or the
  /// available memory.
  BufferRef keep(Evaluation &ev) const;

  /// The kept elements if they have been computed.
  const Buffer *getKept() const {
    return ready.load(std::memory_order_acquire);
  }

  const NodeRef source;
  const bool alwaysKeep;

private:
  mutable std::once_flag once;
  mutable BufferRef kept;
  mutable std::string failure; ///< if nothing is kept
  mutable std::atomic<const Buffer *> ready{nullptr};
};

/// A layout over a buffer or over a Deferred.
class ViewNode final : public ElementsNode {
public:
  ViewNode(BufferRef buffer, Layout layout);
  ViewNode(std::shared_ptr<const Deferred> deferred, Layout layout);

  void read(int64_t begin, int64_t n, uint8_t *lanes,
            Evaluation &ev) const override;
  const uint8_t *inPlace(int64_t begin, int64_t n) const override;
  int64_t preferredRead() const override;
  NodeRef view(const ViewOp &op) const override;
  bool isSplat() const override { return layout.isSplat(); }

  /// The raw form, if it is a contiguous range of whole bytes of a buffer that contains
  /// no other elements. `offset` receives the first byte.
  std::optional<llvm::ArrayRef<uint8_t>>
  getRawInPlace(uint64_t *offset = nullptr) const;

  const BufferRef &getBuffer() const { return buffer; }
  const Layout &getLayout() const { return layout; }
  /// Whether both are views of the same elements.
  bool isOfSame(const ViewNode &other) const {
    return buffer == other.buffer && deferred == other.deferred;
  }
  bool isSameAs(const ViewNode &other) const {
    return isOfSame(other) && layout == other.layout;
  }
  static bool classof(const ElementsNode *node) {
    return node->kind == Kind::View;
  }

protected:
  void prepareInputs(Evaluation &ev) const override;
  Hash128 computeRecipe(const EvalOptions &options) const override;

private:
  NodeRef withLayout(Layout newLayout) const;
  bool streams() const {
    return deferred && !deferred->alwaysKeep && isInOrder;
  }
  void readRepeated(int64_t number, int64_t n, uint8_t *lanes,
                    Evaluation &ev) const;
  void readBuffer(const Buffer &from, int64_t begin, int64_t n,
                  uint8_t *lanes) const;

  BufferRef buffer;
  std::shared_ptr<const Deferred> deferred;
  Layout layout;
  Layout runs; // The coalesced layout, over which loops run.
  bool isInOrder;
};

/// Wraps `source` as a row-major view of `shape`, which has the same number of
/// elements.
NodeRef makeDeferred(NodeRef source, llvm::ArrayRef<int64_t> shape,
                     bool alwaysKeep);

/// A straight-line program over one tile of lanes. Values are numbered: first the
/// inputs, then the results of the steps. The last value is the result. Equal steps are
/// merged.
struct Program {
  struct Step {
    ElementwiseFunction function;
    llvm::SmallVector<unsigned, 3> operands;
    unsigned slot = 0; // Of the scratch memory for its result.
  };
  unsigned numInputs = 0;
  unsigned numSlots = 0;
  size_t maxLane = 1; // Bytes of the widest lane.
  std::vector<Step> steps;
  Hash128 hash;
};

class FusedNode final : public ElementsNode {
public:
  FusedNode(std::shared_ptr<const Program> program,
            std::vector<NodeRef> inputs);

  void read(int64_t begin, int64_t n, uint8_t *lanes,
            Evaluation &ev) const override;
  int64_t preferredRead() const override;
  NodeRef view(const ViewOp &op) const override;

  const Program &getProgram() const { return *program; }
  llvm::ArrayRef<NodeRef> getInputs() const { return inputs; }
  static bool classof(const ElementsNode *node) {
    return node->kind == Kind::Fused;
  }

protected:
  void prepareInputs(Evaluation &ev) const override;
  Hash128 computeRecipe(const EvalOptions &options) const override;

private:
  std::shared_ptr<const Program> program;
  std::vector<NodeRef>
      inputs; // All have this node's shape; none is fused itself.
};

/// `function` of operands that have the same shape.
NodeRef makeFused(const ElementwiseFunction &function,
                  llvm::ArrayRef<NodeRef> operands);

class ConcatNode final : public ElementsNode {
public:
  /// Two or more parts with matching shapes, none of them empty.
  ConcatNode(std::vector<NodeRef> parts, size_t axis);

  void read(int64_t begin, int64_t n, uint8_t *lanes,
            Evaluation &ev) const override;
  int64_t preferredRead() const override;
  NodeRef view(const ViewOp &op) const override;
  static bool classof(const ElementsNode *node) {
    return node->kind == Kind::Concat;
  }

protected:
  void prepareInputs(Evaluation &ev) const override;
  Hash128 computeRecipe(const EvalOptions &options) const override;

private:
  NodeRef slice(const ViewOp &op) const;
  NodeRef reshape(const ViewOp &op) const;
  void readRows(int64_t row, int64_t rows, uint8_t *lanes,
                Evaluation &ev) const;
  void readRuns(int64_t begin, int64_t n, uint8_t *lanes, Evaluation &ev) const;

  std::vector<NodeRef> parts;
  size_t axis;
  int64_t
      rowSize; // Elements of all parts at one index of the outer dimensions.
  std::vector<int64_t>
      begins; // Where each part begins in a row, and the row's size.
};

/// For computations that no other expression can describe: a kernel computes all
/// elements at once, and a Deferred over the node keeps them.
class ComputedNode final : public ElementsNode {
public:
  ComputedNode(DataType type, llvm::ArrayRef<int64_t> shape, const Hash128 &key,
               std::vector<NodeRef> inputs, ComputeKernel kernel);

  /// Runs the kernel, and then releases it and the inputs.
  llvm::Error compute(void *lanes, const EvalOptions &options) const;

  void read(int64_t begin, int64_t n, uint8_t *lanes,
            Evaluation &ev) const override;
  NodeRef view(const ViewOp &op) const override;
  static bool classof(const ElementsNode *node) {
    return node->kind == Kind::Computed;
  }

protected:
  void prepareInputs(Evaluation &) const override {}
  Hash128 computeRecipe(const EvalOptions &options) const override;

private:
  Hash128 key;
  mutable std::mutex mutex;
  mutable std::vector<NodeRef> inputs;
  mutable ComputeKernel kernel;
};

/// The sum of `member` over all nodes, at most UINT_MAX.
unsigned sumOver(llvm::ArrayRef<NodeRef> nodes,
                 const unsigned ElementsNode::*member);
unsigned maxOver(llvm::ArrayRef<NodeRef> nodes,
                 const unsigned ElementsNode::*member);

/// All elements of `node` as a new buffer.
llvm::Expected<BufferRef> evaluate(const ElementsNode &node, Evaluation &ev);

/// Reads [begin, begin + n) with all threads of `ev`.
void readParallel(const ElementsNode &node, int64_t begin, int64_t n,
                  uint8_t *lanes, Evaluation &ev);

} // namespace invar

#endif // INVAR_LIB_ELEMENTS_NODE_H
