// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the contents of a model: nodes as they are in the file, even if the IR
// represents older forms differently, and constants by their content.
#include "Contents.h"

#include "invar/Dialect/ONNX/Adapter.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

bool invar::isOnDemand(Operation *op) {
  return !op->hasAttr(attr::outputs) && op->getNumResults() && isPure(op);
}

void invar::addNode(StringRef domain, StringRef opType,
                    ModelContents &contents) {
  domain = normalizeDomain(domain);
  ++contents.nodes;
  ++contents.operators[domain.empty() ? opType.str()
                                      : (domain + "." + opType).str()];
}

void invar::addConstant(Attribute value, ModelContents &contents) {
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

void invar::addNodes(ArrayRef<NodeView> nodes, ModelContents &contents) {
  for (const NodeView &node : nodes) {
    addNode(node.domain, node.opType, contents);
    for (const AttributeView &attribute : node.attributes)
      for (const GraphView &graph : attribute.graphs)
        addNodes(graph.nodes, contents);
  }
}

void invar::addConstantsIn(Operation *op, ModelContents &contents) {
  op->walk([&](ConstantOp constant) {
    if (isOnDemand(constant))
      return;
    Attribute value = constant.getSparseValueAttr();
    addConstant(value ? value : constant.getValueAttr(), contents);
  });
}

ModelContents invar::getContents(ModuleOp module, const SourceMap &source) {
  ModelContents contents;
  const ModelView &view = source.getModel().getModel();
  addNodes(view.graph->nodes, contents);
  for (const FunctionView &function : view.functions)
    addNodes(function.nodes, contents);
  addConstantsIn(module, contents);
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (Attribute value = main.getArgAttr(i, attr::defaultValue))
        addConstant(value, contents);
  return contents;
}

static void addPlaces(ArrayRef<NodeView> nodes, NodePlaces &places) {
  for (const NodeView &node : nodes) {
    places[node.whole.data()] = &node;
    for (const AttributeView &attribute : node.attributes)
      for (const GraphView &graph : attribute.graphs)
        addPlaces(graph.nodes, places);
  }
}

NodePlaces invar::getPlaces(const SourceMap &source) {
  NodePlaces places;
  const ModelView &view = source.getModel().getModel();
  addPlaces(view.graph->nodes, places);
  for (const FunctionView &function : view.functions)
    addPlaces(function.nodes, places);
  return places;
}
