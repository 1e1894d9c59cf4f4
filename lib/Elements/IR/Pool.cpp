// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/IR/Pool.h"

#include "invar/Elements/IR/ElementsDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace invar;
using namespace invar::elements;

MLIR_DEFINE_EXPLICIT_TYPE_ID(invar::elements::Pool)

Pool &Pool::get(MLIRContext *context) {
  // MLIR returns dialect interfaces as const; this one is mutable state of the context.
  auto *dialect = context->getOrLoadDialect<ElementsDialect>();
  return *const_cast<Pool *>(dialect->getRegisteredInterface<Pool>());
}

size_t Pool::size() const {
  std::lock_guard<std::mutex> lock(mutex);
  return live.size();
}

size_t Pool::nextId() {
  std::lock_guard<std::mutex> lock(mutex);
  return ++lastId;
}

void Pool::add(LazyElementsAttr attribute) {
  std::lock_guard<std::mutex> lock(mutex);
  live.insert(attribute);
}

void Pool::dispose(LazyElementsAttr attribute) {
  std::lock_guard<std::mutex> lock(mutex);
  if (live.erase(attribute))
    attribute.dispose();
}

size_t Pool::collect(Operation *root) {
  llvm::DenseSet<Attribute> reached;
  AttrTypeWalker walker;
  walker.addWalk(
      [&](LazyElementsAttr attribute) { reached.insert(attribute); });
  root->walk([&](Operation *op) { walker.walk(op->getAttrDictionary()); });

  std::lock_guard<std::mutex> lock(mutex);
  SmallVector<Attribute> unreached;
  for (Attribute attribute : live)
    if (!reached.contains(attribute))
      unreached.push_back(attribute);
  for (Attribute attribute : unreached) {
    live.erase(attribute);
    cast<LazyElementsAttr>(attribute).dispose();
  }
  return unreached.size();
}

void Collector::runAfterPass(Pass *, Operation *op) {
  if (isa<ModuleOp>(op) && !op->getParentOp())
    Pool::get(op->getContext()).collect(op);
}

void invar::elements::scrub(Operation *root) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](LazyElementsAttr attribute) -> Attribute {
    return toDense(attribute);
  });
  replacer.recursivelyReplaceElementsIn(root, /*replaceAttrs=*/true);
}

void invar::elements::elide(Operation *root, int64_t most) {
  using Handle = DenseResourceElementsHandle;
  auto &resources = Handle::getManagerInterface(root->getContext());
  constexpr StringRef name = "__elided__";
  DialectResourceBlobManager::BlobEntry *known =
      resources.getBlobManager().lookup(name);
  Handle nothing =
      known ? Handle(known, cast<BuiltinDialect>(resources.getDialect()))
            : resources.insert(name);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](LazyElementsAttr attribute) -> Attribute {
    const Elements &content = attribute.getElements();
    if (content.numElements() <= most || content.detectSplat())
      return attribute;
    return DenseResourceElementsAttr::get(attribute.getType(), nothing);
  });
  replacer.recursivelyReplaceElementsIn(root, /*replaceAttrs=*/true);
}
