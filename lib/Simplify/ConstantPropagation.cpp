// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Simplify/ConstantPropagation.h"

#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Simplify/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Iterators.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

namespace {
/// One function and what inference knows of it.
class Propagation {
public:
  Propagation(func::FuncOp main, TypeInference &inference)
      : main(main), inference(inference) {}

  void run();

private:
  bool isConstant(Operation *op) const;
  bool hasVariableUse(Value value) const;
  void store(OpResult value);
  void eraseDead();

  func::FuncOp main;
  TypeInference &inference;
};
} // namespace

/// Whether all that an operator gives is known.
bool Propagation::isConstant(Operation *op) const {
  return op->getNumResults() != 0 &&
         llvm::all_of(op->getResults(), [&](Value result) {
           return inference.getConstant(result) != nullptr;
         });
}

bool Propagation::hasVariableUse(Value value) const {
  return llvm::any_of(value.getUsers(),
                      [&](Operation *user) { return !isConstant(user); });
}

/// Puts a constant in the place of a value, under its name.
void Propagation::store(OpResult value) {
  Operation *op = value.getOwner();
  OpBuilder builder(op);
  auto constant = ConstantOp::create(builder, value.getLoc(),
                                     inference.getConstantAttr(value));
  NamedAttrList facts;
  facts.set(attr::initializer, builder.getUnitAttr());
  if (StringRef name = getValueName(value); !name.empty())
    facts.set(attr::outputs, builder.getStrArrayAttr(name));
  constant->setDiscardableAttrs(facts.getDictionary(builder.getContext()));
  value.replaceAllUsesWith(constant.getOutput());
}

/// Erases what nothing uses any more, from the end on.
void Propagation::eraseDead() {
  main.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op->use_empty() && op->getNumResults() != 0 && isConstant(op))
      op->erase();
  });
}

void Propagation::run() {
  SmallVector<OpResult> stored;
  main.walk([&](Operation *op) {
    if (isa<ConstantOp>(op))
      return;
    for (OpResult result : op->getResults())
      if (inference.getConstantAttr(result) && hasVariableUse(result))
        stored.push_back(result);
  });
  for (OpResult value : stored)
    store(value);
  eraseDead();
}

FailureOr<ConstantPropagationResult>
invar::propagateConstants(ModuleOp module, const ShapeFacts &facts,
                          const ConstantPropagationOptions &options) {
  ConstantPropagationResult result;
  LogicalResult done = forEachGraph(
      module, facts, [&](func::FuncOp graph, const ShapeFacts &itsFacts) {
        TypeInference inference(module.getContext(), options.fold);
        if (failed(inference.run(graph, itsFacts)))
          return failure();
        result.visits += inference.getNumVisits();
        Propagation(graph, inference).run();
        return success();
      });
  if (failed(done))
    return failure();
  return result;
}

namespace invar {
#define GEN_PASS_DEF_CONSTANTPROPAGATION
#include "invar/Simplify/Passes.h.inc"
} // namespace invar

namespace {
class ConstantPropagation
    : public invar::impl::ConstantPropagationBase<ConstantPropagation> {
public:
  using ConstantPropagationBase::ConstantPropagationBase;

  void runOnOperation() override {
    auto result = propagateConstants(getOperation(), {}, {});
    if (failed(result))
      return signalPassFailure();
    numVisits += result->visits;
    for (const FoldDecision &decision : result->decisions)
      ++(decision.isFolded ? numFolded : numLeft);
  }
};
} // namespace
