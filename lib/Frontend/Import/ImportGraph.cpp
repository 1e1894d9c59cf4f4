// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports graphs: their inputs, initializers, nodes and outputs.
#include "Importer.h"
#include "NodeOrder.h"
#include "invar/Frontend/Import/ImportTypes.h"

#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Stop/Scope.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

SmallVector<StringRef> invar::namesOf(ArrayRef<ValueInfoView> infos) {
  return llvm::map_to_vector(
      infos, [](const ValueInfoView &info) { return info.name; });
}

/// Adds all names that `nodes` and their subgraphs use as inputs, or as outputs of a
/// subgraph.
static void addUsedNames(ArrayRef<NodeView> nodes,
                         llvm::DenseSet<StringRef> &used) {
  for (const NodeView &node : nodes) {
    used.insert(node.inputs.begin(), node.inputs.end());
    for (const AttributeView &attribute : node.attributes)
      for (const GraphView &graph : attribute.graphs) {
        addUsedNames(graph.nodes, used);
        for (const ValueInfoView &output : graph.outputs)
          used.insert(output.name);
      }
  }
}

bool Scope::isUsed(StringRef name) {
  if (!used) {
    used.emplace(outputs.begin(), outputs.end());
    addUsedNames(nodes, *used);
  }
  return used->contains(name);
}

llvm::Error Importer::define(Scope &scope, StringRef name, Value value) {
  if (!scope.values.try_emplace(name, value).second)
    return badInput("expected each name to be defined once, but '" + name +
                    "' is defined twice");
  names[value] = name;
  return llvm::Error::success();
}

/// The type of an input of a graph inside of a node. Its declared shape is only a hint.
/// But a loop passes the iteration and the condition to its body as vectors of one
/// element, if the body declares them so.
static Type typeInside(Type declared, size_t input) {
  auto tensor = dyn_cast<RankedTensorType>(declared);
  bool isOne = tensor && tensor.getRank() == 1 && tensor.getDimSize(0) == 1;
  return input < 2 && isOne ? declared : withoutShape(declared);
}

llvm::Error Importer::importInputs(const GraphView &graph, Scope &scope,
                                   Block &block,
                                   llvm::function_ref<bool(StringRef)> isInput,
                                   bool trustShapes) {
  for (auto [i, input] : llvm::enumerate(graph.inputs)) {
    std::string where = (scope.path + ".input[" + Twine(i) + "]").str();
    if (input.name.empty())
      return fail(where, "expected a name, but got none");
    if (!isInput(input.name))
      continue;
    Type type = UnknownType::get(context);
    if (input.type) {
      llvm::Expected<Type> declared = importType(context, *input.type);
      if (!declared)
        return inContext(wire.getPath() + ": " + where + " '" + input.name +
                             "': ",
                         declared.takeError());
      type = trustShapes ? *declared : typeInside(*declared, i);
    }
    Location loc =
        NameLoc::get(builder.getStringAttr(where + " '" + input.name + "'"));
    if (llvm::Error error =
            define(scope, input.name, block.addArgument(type, loc)))
      return inContext(wire.getPath() + ": " + where + ": ", std::move(error));
  }
  return llvm::Error::success();
}

llvm::Error
Importer::importInitializers(const GraphView &graph, Scope &scope,
                             llvm::function_ref<bool(StringRef)> isDefault,
                             llvm::StringMap<Attribute> &defaults) {
  unsigned referring = referringTensors;
  auto add = [&](StringRef where, StringRef name, StringRef message,
                 Attribute value,
                 llvm::function_ref<ConstantOp(Location)> make) -> llvm::Error {
    bool refers =
        referringTensors != std::exchange(referring, referringTensors);
    if (isDefault(name)) {
      if (!defaults.try_emplace(name, value).second)
        return fail(where, "expected each name to be defined once, but '" +
                               name + "' is defined twice");
      if (!refers)
        source.addDefault(value, name, message);
      return llvm::Error::success();
    }
    ConstantOp op =
        make(NameLoc::get(builder.getStringAttr(where + " '" + name + "'")));
    NamedAttrList facts;
    facts.set(attr::initializer, builder.getUnitAttr());
    facts.set(attr::outputs, builder.getStrArrayAttr(name));
    op->setDiscardableAttrs(facts.getDictionary(context));
    if (llvm::Error error = define(scope, name, op.getOutput()))
      return inContext(wire.getPath() + ": " + where + ": ", std::move(error));
    source.addOperation(op, message, fingerprints.of(op), refers);
    return llvm::Error::success();
  };
  llvm::DenseMap<StringRef, size_t> last;
  for (auto [i, tensor] : llvm::enumerate(graph.initializers))
    last[tensor.name] = i;
  for (auto [i, tensor] : llvm::enumerate(graph.initializers)) {
    std::string where = (scope.path + ".initializer[" + Twine(i) + "]").str();
    if (tensor.name.empty()) {
      if (llvm::Error error = tolerate(where, "expected a name, but got none",
                                       "nothing can use it, so it goes"))
        return error;
      continue;
    }
    if (last.lookup(tensor.name) != i) {
      if (llvm::Error error =
              tolerate(where,
                       "expected each name to be defined once, but '" +
                           tensor.name + "' is defined twice",
                       "the last one counts"))
        return error;
      continue;
    }
    llvm::Expected<ElementsAttr> value = importTensor(tensor);
    if (!value)
      return inContext(wire.getPath() + ": " + where + ": ", value.takeError());
    if (llvm::Error error =
            add(where, tensor.name, tensor.whole, *value, [&](Location loc) {
              return ConstantOp::create(builder, loc, *value);
            }))
      return error;
  }
  for (auto [i, sparse] : llvm::enumerate(graph.sparseInitializers)) {
    std::string where =
        (scope.path + ".sparse_initializer[" + Twine(i) + "]").str();
    llvm::Expected<SparseAttr> value = importSparse(sparse);
    if (!value)
      return inContext(wire.getPath() + ": " + where + ": ", value.takeError());
    if (sparse.values->name.empty())
      return fail(where, "expected values with a name, but got none");
    if (llvm::Error error = add(where, sparse.values->name, sparse.whole,
                                *value, [&](Location loc) {
                                  auto op = ConstantOp::create(
                                      builder, loc, value->getType(), *value,
                                      nullptr, nullptr, nullptr, nullptr,
                                      nullptr, nullptr, nullptr);
                                  return op;
                                }))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Importer::importNodes(ArrayRef<NodeView> nodes, Scope &scope) {
  scope.nodes = nodes;
  llvm::Expected<SmallVector<unsigned>> order = orderNodes(nodes);
  if (!order)
    return inContext(wire.getPath() + ": " + scope.path + ": ",
                     order.takeError());
  StopPoll poll(256);
  for (unsigned index : *order) {
    if (poll.isDue())
      return outOfResources(wire.getPath() + ": " +
                            StopScope::get()->explain());
    if (llvm::Error error = importNode(nodes[index], index, scope))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<SmallVector<Value>>
Importer::importOutputs(const GraphView &graph, Scope &scope) {
  SmallVector<Value> outputs;
  for (auto [i, output] : llvm::enumerate(graph.outputs)) {
    std::string where = (scope.path + ".output[" + Twine(i) + "]").str();
    Value value = scope.lookup(output.name);
    if (!value)
      return fail(where,
                  "expected an output to be defined, but nothing defines '" +
                      output.name + "'");
    outputs.push_back(value);
  }
  return outputs;
}

llvm::Expected<DictionaryAttr>
Importer::importGraphFacts(const GraphView &graph) {
  NamedAttrList facts;
  if (graph.name.data())
    facts.set("name", builder.getStringAttr(graph.name));
  if (graph.docString.data())
    facts.set("doc_string", builder.getStringAttr(graph.docString));
  if (!graph.metadataProps.empty())
    facts.set("metadata_props", importEntries(context, graph.metadataProps));
  if (!graph.quantizationAnnotations.empty())
    facts.set("quantization_annotations",
              importAnnotations(context, graph.quantizationAnnotations));
  return facts.getDictionary(context);
}

llvm::Error Importer::importSubgraph(const GraphView &graph,
                                     const Scope &parent, std::string path,
                                     Region &region) {
  Scope scope;
  scope.parent = &parent;
  scope.opsets = parent.opsets;
  scope.path = std::move(path);
  scope.outputs = namesOf(graph.outputs);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&region);

  llvm::DenseSet<StringRef> inputs;
  for (const ValueInfoView &input : graph.inputs)
    inputs.insert(input.name);
  llvm::StringMap<Attribute> defaults;
  if (llvm::Error error = importInputs(
          graph, scope, *block, [](StringRef) { return true; },
          /*trustShapes=*/false))
    return error;
  if (llvm::Error error = importInitializers(
          graph, scope, [&](StringRef name) { return inputs.contains(name); },
          defaults))
    return error;
  if (llvm::Error error = importNodes(graph.nodes, scope))
    return error;
  llvm::Expected<SmallVector<Value>> outputs = importOutputs(graph, scope);
  if (!outputs)
    return outputs.takeError();
  llvm::Expected<DictionaryAttr> facts = importGraphFacts(graph);
  if (!facts)
    return facts.takeError();

  NamedAttrList all(*facts);
  all.set("inputs", builder.getStrArrayAttr(namesOf(graph.inputs)));
  all.set("outputs", builder.getStrArrayAttr(scope.outputs));
  if (!defaults.empty()) {
    NamedAttrList list;
    for (auto &entry : defaults)
      list.set(entry.getKey(), entry.getValue());
    all.set("defaults", list.getDictionary(context));
  }
  auto yield = YieldOp::create(
      builder, NameLoc::get(builder.getStringAttr(scope.path)), *outputs);
  yield->setAttr(attr::graph, all.getDictionary(context));
  source.addGraph(&region, &graph);
  return llvm::Error::success();
}
