// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ChangeLog.h"

#include "invar/Dialect/ONNX/ONNXDialect.h"

using namespace mlir;
using namespace invar;

/// Whether an operator is a node of the model: not an initializer, nor a terminator,
/// nor a constant without a name, which is an attribute in the file.
static bool isNode(Operation *op) {
  return !op->hasTrait<OpTrait::IsTerminator>() &&
         !(op->hasTrait<OpTrait::ConstantLike>() &&
           (op->hasAttr(onnx::attr::initializer) ||
            !op->hasAttr(onnx::attr::outputs)));
}

ChangeLog::ChangeLog(Region &graph) : graph(graph) {
  graph.walk([&](Operation *op) { old.insert(op); });
}

void ChangeLog::willErase(Operation *op, StringRef cause) {
  makers.erase(op);
  if (old.erase(op) && isNode(op))
    changes.push_back({false, getNodeName(op), getNodeType(op), cause.str()});
}

void ChangeLog::noteMade(Block &block, Operation *before, Operation *after,
                         StringRef cause) {
  Operation *op = before          ? before->getNextNode()
                  : block.empty() ? nullptr
                                  : &block.front();
  for (; op != after; op = op->getNextNode())
    if (!old.contains(op))
      makers.try_emplace(op, cause);
}

std::vector<NodeChange> ChangeLog::take() {
  graph.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!old.contains(op) && isNode(op))
      changes.push_back(
          {true, getNodeName(op), getNodeType(op), makers.lookup(op).str()});
  });
  return std::move(changes);
}
