// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Node.h"

#include <cstring>

using namespace invar;

ComputedNode::ComputedNode(DataType type, llvm::ArrayRef<int64_t> shape,
                           const Hash128 &key, std::vector<NodeRef> from,
                           ComputeKernel kernel)
    : ElementsNode(Kind::Computed, type, shape,
                   maxOver(from, &ElementsNode::depth) + 1, 1, 1),
      key(key), inputs(std::move(from)), kernel(std::move(kernel)) {}

llvm::Error ComputedNode::compute(void *lanes,
                                  const EvalOptions &options) const {
  ComputeKernel run;
  std::vector<NodeRef> used;
  {
    std::lock_guard<std::mutex> lock(mutex);
    run = kernel;
    used = inputs;
  }
  assert(run && "computed twice");
  llvm::Error error = run(lanes, options);
  // The result is kept from now on, so the inputs can be freed.
  std::lock_guard<std::mutex> lock(mutex);
  kernel = {};
  inputs.clear();
  return error;
}

/// Called only if there was no memory to keep the elements, or the kernel failed. Then
/// they cannot be computed.
void ComputedNode::read(int64_t, int64_t n, uint8_t *lanes,
                        Evaluation &) const {
  std::memset(lanes, 0, size_t(n) * getLaneSize(type));
}

NodeRef ComputedNode::view(const ViewOp &op) const {
  return makeDeferred(shared_from_this(), shape, /*alwaysKeep=*/true)->view(op);
}

Hash128 ComputedNode::computeRecipe(const EvalOptions &options) const {
  std::vector<NodeRef> used;
  {
    std::lock_guard<std::mutex> lock(mutex);
    used = inputs;
  }
  Hasher hasher;
  hasher.add("computed").add(key);
  // After the computation the inputs are unknown, so the node represents only itself.
  if (used.empty())
    hasher.add(uint64_t(reinterpret_cast<uintptr_t>(this)));
  for (const NodeRef &input : used)
    hasher.add(input->getRecipe(options));
  return hasher.finish();
}
