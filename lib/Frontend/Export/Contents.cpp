// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a model holds, counted in the IR: what the file has, but for operators of older
// opsets, which go by their newest names.
#include "Exporter.h"

#include "invar/Elements/IR/LazyElementsAttr.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static std::string nameOperator(Operation *op) {
  std::string domain, name;
  if (auto schemaOp = dyn_cast<SchemaOpInterface>(op)) {
    domain = schemaOp.getSchema().domain.str();
    name = schemaOp.getSchema().name.str();
  } else if (auto custom = dyn_cast<CustomOp>(op)) {
    domain = custom.getDomain().str();
    name = custom.getOpType().str();
  } else {
    auto callee = SymbolTable::lookupNearestSymbolFrom<FunctionOp>(
        op, cast<CallOp>(op).getCalleeAttr());
    domain = callee.getDomain().str();
    name = callee.getName().str();
  }
  return domain.empty() ? name : domain + "." + name;
}

static void addConstant(Attribute value, ModelContents &contents) {
  ++contents.constants;
  auto dense = dyn_cast_or_null<ElementsAttr>(value);
  if (auto sparse = dyn_cast_or_null<SparseAttr>(value))
    dense = sparse.getValues();
  if (!dense)
    return;
  if (FailureOr<Elements> content = elements::toElements(dense);
      succeeded(content))
    contents.constantBytes += content->sizeInBytes();
}

/// Adds an operation, not what is in its graphs.
static void add(Operation *op, ModelContents &contents) {
  if (auto main = dyn_cast<func::FuncOp>(op))
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (Attribute value = main.getArgAttr(i, attr::defaultValue))
        addConstant(value, contents);
  if (!isa<ONNXDialect>(op->getDialect()) || isa<FunctionOp, YieldOp>(op))
    return;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    Attribute value = constant.getSparseValueAttr();
    addConstant(value ? value : constant.getValueAttr(), contents);
    // Where nothing says that it is a node, a graph has it as an initializer.
    if (op->hasAttr(attr::initializer) ||
        (isOnDemand(op) && !isa_and_nonnull<FunctionOp>(op->getParentOp())))
      return;
  }
  ++contents.nodes;
  ++contents.operators[nameOperator(op)];
}

ModelContents invar::getContents(ModuleOp module) {
  ModelContents contents;
  module.walk([&](Operation *op) {
    if (!isOnDemand(op))
      add(op, contents);
  });
  return contents;
}

ModelContents Exporter::countWritten() {
  ModelContents contents;
  auto visit = [&](Operation *op) {
    if (!isOnDemand(op) || written.contains(op))
      add(op, contents);
  };
  module.walk(visit);
  for (const std::unique_ptr<Block> &block : scratch)
    block->walk(visit);
  if (numIdentities) {
    contents.nodes += numIdentities;
    contents.operators["Identity"] += numIdentities;
  }
  return contents;
}
