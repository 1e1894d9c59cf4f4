// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ValueNames.h"

#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static SmallVector<StringRef> namesIn(Block &graph, StringRef key) {
  auto facts =
      graph.getTerminator()->getAttrOfType<DictionaryAttr>(attr::graph);
  auto list = facts ? facts.getAs<ArrayAttr>(key) : ArrayAttr();
  if (!list || !isStringList(list))
    return {};
  return llvm::map_to_vector(list.getAsRange<StringAttr>(),
                             [](StringAttr name) { return name.getValue(); });
}

SmallVector<StringRef> invar::getInputNames(Block &graph) {
  auto function = dyn_cast<func::FuncOp>(graph.getParentOp());
  SmallVector<StringRef> names =
      function ? SmallVector<StringRef>() : namesIn(graph, "inputs");
  names.resize(graph.getNumArguments());
  for (unsigned i = 0; function && i < names.size(); ++i)
    if (auto name = function.getArgAttrOfType<StringAttr>(i, attr::name))
      names[i] = name.getValue();
  return names;
}

SmallVector<StringRef> invar::getOutputNames(Block &graph) {
  auto function = dyn_cast<func::FuncOp>(graph.getParentOp());
  SmallVector<StringRef> names =
      function ? SmallVector<StringRef>() : namesIn(graph, "outputs");
  names.resize(graph.getTerminator()->getNumOperands());
  for (unsigned i = 0; function && i < names.size(); ++i)
    if (auto name = function.getResultAttrOfType<StringAttr>(i, attr::name))
      names[i] = name.getValue();
  return names;
}

ValueNames::ValueNames(ModuleOp module) {
  auto take = [&](ArrayRef<StringRef> list) {
    for (StringRef name : list)
      taken.insert(name);
  };
  module.walk([&](Operation *op) {
    if (auto outputs = op->getAttrOfType<ArrayAttr>(attr::outputs))
      for (auto name : outputs.getAsRange<StringAttr>())
        taken.insert(name.getValue());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (op != module) {
          take(getInputNames(block));
          take(getOutputNames(block));
        }
  });
  for (Operation &op : *module.getBody())
    for (Region &region : op.getRegions())
      for (Block &block : region)
        nameGraph(block);
}

bool ValueNames::assign(Value value, StringRef name,
                        llvm::DenseMap<StringRef, Value> &own) {
  if (name.empty() || names.contains(value) ||
      !own.try_emplace(name, value).second)
    return false;
  names[value] = name;
  return true;
}

void ValueNames::nameGraph(Block &graph) {
  // Values from outside of the graph keep their names inside.
  llvm::DenseMap<StringRef, Value> own;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(*graph.getParent(), captured);
  for (Value value : captured)
    if (StringRef name = lookup(value); !name.empty())
      own.try_emplace(name, value);

  for (auto [input, name] :
       llvm::zip(graph.getArguments(), getInputNames(graph)))
    assign(input, name, own);
  for (auto [output, name] :
       llvm::zip(graph.getTerminator()->getOperands(), getOutputNames(graph)))
    if (output.getParentBlock() == &graph)
      assign(output, name, own);
  for (Operation &op : graph)
    if (auto outputs = op.getAttrOfType<ArrayAttr>(attr::outputs))
      if (outputs.size() == op.getNumResults())
        for (auto [result, name] :
             llvm::zip(op.getResults(), outputs.getAsRange<StringAttr>()))
          assign(result, name.getValue(), own);
  for (Operation &op : graph)
    for (Region &region : op.getRegions())
      for (Block &block : region)
        nameGraph(block);
}

StringRef ValueNames::makeUp(StringRef stem) {
  unsigned &counter = counters[stem];
  while (true) {
    auto [it, isNew] = taken.insert((stem + "_" + Twine(counter++)).str());
    if (isNew)
      return it->getKey();
  }
}

StringRef ValueNames::get(Value value) {
  auto [it, isNew] = names.try_emplace(value);
  if (!isNew)
    return it->second;
  Operation *op = value.getDefiningOp();
  StringRef stem = op ? op->getName().stripDialect() : StringRef("value");
  StringRef name = makeUp(stem);
  return names[value] = name;
}
