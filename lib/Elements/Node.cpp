// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Node.h"

#include "invar/Support/Error.h"
#include "invar/Support/Parallel.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/MathExtras.h"

using namespace invar;

ElementsNode::ElementsNode(Kind kind, DataType type,
                           llvm::ArrayRef<int64_t> shape, unsigned depth,
                           unsigned cost, unsigned size)
    : kind(kind), type(type), depth(depth), cost(cost), size(size),
      shape(shape), count(*countElements(shape)) {}

ElementsNode::~ElementsNode() = default;

unsigned invar::sumOver(llvm::ArrayRef<NodeRef> nodes,
                        const unsigned ElementsNode::*member) {
  unsigned sum = 0;
  for (const NodeRef &node : nodes)
    sum = llvm::SaturatingAdd(sum, (*node).*member);
  return sum;
}

unsigned invar::maxOver(llvm::ArrayRef<NodeRef> nodes,
                        const unsigned ElementsNode::*member) {
  unsigned most = 0;
  for (const NodeRef &node : nodes)
    most = std::max(most, (*node).*member);
  return most;
}

Hash128 ElementsNode::getRecipe(const EvalOptions &options) const {
  std::call_once(recipeOnce, [&] {
    recipe = Hasher()
                 .add(static_cast<uint64_t>(type))
                 .add(llvm::ArrayRef<int64_t>(shape))
                 .add(computeRecipe(options))
                 .finish();
  });
  return recipe;
}

// Enough work to justify a thread, and a multiple of every packing group.
static constexpr int64_t parallelGrain = 64 << 10;

/// The state of one of several threads.
static Evaluation onOneThread(const Evaluation &ev) {
  Evaluation piece{ev.options, {}};
  piece.options.threads = 1;
  return piece;
}

void invar::readParallel(const ElementsNode &node, int64_t begin, int64_t n,
                         uint8_t *lanes, Evaluation &ev) {
  if (ev.options.threads == 1 || n < 2 * parallelGrain)
    return node.read(begin, n, lanes, ev);
  node.prepare(ev);
  size_t laneSize = getLaneSize(node.type);
  uint64_t grain = std::max(parallelGrain, node.preferredRead());
  parallelFor(uint64_t(n), grain, ev.options.threads,
              [&](uint64_t from, uint64_t to) {
                Evaluation piece = onOneThread(ev);
                node.read(begin + int64_t(from), int64_t(to - from),
                          lanes + from * laneSize, piece);
              });
}

static void readPacked(const ElementsNode &node, uint8_t *packed,
                       Evaluation &ev) {
  node.prepare(ev);
  parallelFor(uint64_t(node.count), parallelGrain, ev.options.threads,
              [&](uint64_t from, uint64_t to) {
                Evaluation piece = onOneThread(ev);
                Scratch::Frame frame(piece.scratch);
                uint8_t *lanes = frame.take(to - from);
                node.read(int64_t(from), int64_t(to - from), lanes, piece);
                packLanes(node.type, lanes, to - from,
                          packed + from * getBitWidth(node.type) / 8);
              });
}

llvm::Expected<BufferRef> invar::evaluate(const ElementsNode &node,
                                          Evaluation &ev) {
  if (node.type == DataType::String) {
    std::vector<llvm::StringRef> strings(size_t(node.count));
    readParallel(node, 0, node.count,
                 reinterpret_cast<uint8_t *>(strings.data()), ev);
    return Buffer::copyStrings(strings);
  }
  const auto *computed = llvm::dyn_cast<ComputedNode>(&node);
  llvm::Error error = llvm::Error::success();
  auto compute = [&](void *lanes) {
    error = llvm::joinErrors(std::move(error),
                             computed->compute(lanes, ev.options));
  };
  auto fill = [&](llvm::MutableArrayRef<uint8_t> bytes) {
    if (computed && isPacked(node.type)) {
      std::vector<uint8_t> lanes(size_t(node.count));
      compute(lanes.data());
      packLanes(node.type, lanes.data(), lanes.size(), bytes.data());
    } else if (computed) {
      compute(bytes.data());
    } else if (isPacked(node.type)) {
      readPacked(node, bytes.data(), ev);
    } else {
      readParallel(node, 0, node.count, bytes.data(), ev);
    }
  };
  auto buffer = Buffer::create(node.type, node.count, fill, ev.options.memory);
  // What was read may be a result that could not be computed.
  if (!error && !ev.failure.empty())
    error = outOfResources(ev.failure);
  if (!error)
    return buffer;
  if (!buffer)
    llvm::consumeError(buffer.takeError());
  return error;
}

BufferRef Deferred::keep(Evaluation &ev) const {
  uint64_t lanes = uint64_t(source->count);
  bool isComputed = llvm::isa<ComputedNode>(*source);
  if (!getKept() && !isComputed &&
      lanes > ev.options.keepLimit / getLaneSize(source->type))
    return nullptr;
  std::call_once(once, [&] {
    llvm::Expected<BufferRef> buffer = evaluate(*source, ev);
    if (!buffer) {
      // Unless it is the result of a kernel, it can be computed again.
      failure = llvm::toString(buffer.takeError());
      return;
    }
    kept = std::move(*buffer);
    ready.store(kept.get(), std::memory_order_release);
  });
  if (isComputed && !kept)
    ev.failure = failure;
  return kept;
}
