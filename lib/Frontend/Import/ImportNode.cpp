// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes: a standard operator in the newest form, a call of a function of the model, or,
// for everything else, an onnx.Custom that keeps the node as it is.
#include "Importer.h"
#include "invar/Frontend/Import/ImportTypes.h"

#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The newest version of each domain that the records describe.
static int64_t newestVersion(StringRef domain) {
  return llvm::StringSwitch<int64_t>(domain)
      .Case("", newestOpset)
      .Case("ai.onnx.ml", 5)
      .Default(1);
}

static std::string describeNode(const NodeView &node, unsigned index,
                                StringRef graph) {
  std::string text = (graph + ".node[" + Twine(index) + "]").str();
  StringRef name = node.name.empty() && !node.outputs.empty()
                       ? node.outputs.front()
                       : node.name;
  if (!name.empty())
    text += (" '" + name + "'").str();
  return text;
}

llvm::Error Importer::importNode(const NodeView &view, unsigned index,
                                 Scope &scope) {
  std::string where = describeNode(view, index, scope.path);
  Location loc = NameLoc::get(builder.getStringAttr(where));
  unsigned referring = referringTensors;
  if (view.opType.empty())
    return fail(where, "expected an operator, but got an empty op_type");

  NodeForm node;
  node.domain = normalizeDomain(view.domain).str();
  node.opType = view.opType.str();
  for (StringRef input : view.inputs) {
    Value value = input.empty() ? Value() : scope.lookup(input);
    if (!value && !input.empty())
      return fail(where,
                  "expected inputs to be defined, but nothing defines '" +
                      input + "'");
    node.inputs.push_back(value);
  }
  for (StringRef output : view.outputs)
    node.outputs.push_back(!output.empty());
  SmallVector<NamedGraph> graphs;
  bool hasParameters = false;
  for (auto [i, attribute] : llvm::enumerate(view.attributes)) {
    if (attribute.name.empty())
      return fail(where, "expected attribute[" + Twine(i) + "] to have a name");
    auto isNamed = [&](const NamedGraph &g) {
      return g.attribute == attribute.name;
    };
    if (node.attributes.get(attribute.name) || llvm::any_of(graphs, isNamed))
      return fail(where, "expected each attribute once, but got '" +
                             attribute.name + "' twice");
    if (!attribute.graphs.empty()) {
      for (const GraphView &graph : attribute.graphs)
        graphs.push_back({attribute.name, &graph});
      if (attribute.kind == AttributeKind::Graphs)
        node.attributes.set(attribute.name,
                            ListAttr::get(context, attribute.kind));
      continue;
    }
    llvm::Expected<Attribute> value = importAttribute(attribute);
    if (!value)
      return inContext(wire.getPath() + ": " + where + ": attribute '" +
                           attribute.name + "': ",
                       value.takeError());
    hasParameters |= isa<ParameterAttr>(*value);
    node.attributes.set(attribute.name, *value);
  }

  Operation *op = nullptr;
  auto open = [&](StringRef reason) -> llvm::Error {
    if (llvm::Error error =
            importOpen(view, node, graphs, scope, loc, reason, op))
      return error;
    return finishNode(view, op, scope, referring);
  };
  std::string key =
      node.domain + "::" + node.opType + "::" + view.overload.str();
  if (functions.contains(key))
    return open("");

  std::string name = getOperationName(node.domain, node.opType);
  if (name.empty() || !RegisteredOperationName::lookup(name, context))
    return open("");
  auto version = scope.opsets->find(node.domain);
  if (version == scope.opsets->end())
    return fail(where, "expected an opset_import of the domain '" +
                           node.domain + "' of operator '" + node.opType +
                           "', but there is none");
  if (version->second > newestVersion(node.domain))
    return open("its opset is newer than the records");
  if (hasParameters)
    return open("its attributes are parameters of the function");

  if (Refusal refusal = upgrade(view, node, scope, loc, version->second))
    return open(*refusal);
  if (llvm::Error error = importStandard(node, graphs, scope, loc, op))
    return error;
  return finishNode(view, op, scope, referring);
}

/// Brings `node` to the newest form, or leaves it as it is and says why.
std::optional<std::string> Importer::upgrade(const NodeView &view,
                                             NodeForm &node, Scope &scope,
                                             Location loc, int64_t version) {
  Block *block = builder.getInsertionBlock();
  Operation *before = block->empty() ? nullptr : &block->back();
  auto attempt = [&](NodeForm form) -> Refusal {
    AdaptContext adapt(builder, loc, version);
    if (Refusal refusal = adapters.upgrade(form, adapt)) {
      // What the adapter has made so far is not wanted.
      while (!block->empty() && &block->back() != before)
        block->back().erase();
      return refusal;
    }
    node = std::move(form);
    return std::nullopt;
  };
  Refusal refusal = attempt(node);
  if (!refusal)
    return std::nullopt;
  // Old models name every output that there is, also those of training.
  NodeForm needed = node;
  for (auto [i, output] : llvm::enumerate(view.outputs))
    needed.outputs[i] = needed.outputs[i] && (i == 0 || scope.isUsed(output));
  if (needed.outputs == node.outputs || attempt(std::move(needed)))
    return refusal;
  return std::nullopt;
}

//===-- Standard operators ------------------------------------------------------------===//

static AttributeKind kindOf(Attribute attribute) {
  if (isa<IntegerAttr>(attribute))
    return AttributeKind::Int;
  if (isa<FloatAttr>(attribute))
    return AttributeKind::Float;
  if (isa<StringAttr>(attribute))
    return AttributeKind::String;
  if (isa<DenseI64ArrayAttr>(attribute))
    return AttributeKind::Ints;
  if (isa<DenseF32ArrayAttr>(attribute))
    return AttributeKind::Floats;
  if (isa<SparseAttr>(attribute))
    return AttributeKind::SparseTensor;
  if (isa<TypeAttr>(attribute))
    return AttributeKind::TypeProto;
  if (isa<ElementsAttr>(attribute))
    return AttributeKind::Tensor;
  if (auto list = dyn_cast<ListAttr>(attribute))
    return list.getKind();
  auto list = cast<ArrayAttr>(attribute);
  if (list.empty() || isa<StringAttr>(list[0]))
    return AttributeKind::Strings;
  if (isa<SparseAttr>(list[0]))
    return AttributeKind::SparseTensors;
  return isa<TypeAttr>(list[0]) ? AttributeKind::TypeProtos
                                : AttributeKind::Tensors;
}

/// What is wrong with a node's attributes and graphs, or nothing.
static std::string checkAttributes(const OpSchema &schema, const NodeForm &node,
                                   ArrayRef<NamedGraph> graphs) {
  auto unknown = [&](StringRef name) {
    return ("expected an attribute of " + schema.name + ", but got '" + name +
            "'")
        .str();
  };
  for (const NamedAttribute &attribute : node.attributes) {
    const AttributeFormal *formal = schema.findAttribute(attribute.getName());
    if (!formal)
      return unknown(attribute.getName());
    AttributeKind kind = kindOf(attribute.getValue());
    if (kind != formal->kind)
      return ("expected attribute '" + formal->name + "' to be " +
              describe(formal->kind) + ", but got " + describe(kind))
          .str();
  }
  for (const NamedGraph &graph : graphs) {
    const AttributeFormal *formal = schema.findAttribute(graph.attribute);
    if (!formal)
      return unknown(graph.attribute);
    if (formal->kind != AttributeKind::Graph)
      return ("expected attribute '" + formal->name + "' to be " +
              describe(formal->kind) + ", but got " +
              describe(AttributeKind::Graph))
          .str();
  }
  for (const AttributeFormal &formal : schema.attributes)
    if (formal.required && !node.attributes.get(formal.name))
      return ("expected the attribute '" + formal.name +
              "', but it is not given")
          .str();
  return "";
}

llvm::Error Importer::importStandard(NodeForm &node,
                                     ArrayRef<NamedGraph> graphs,
                                     const Scope &scope, Location loc,
                                     Operation *&op) {
  StringRef where = cast<NameLoc>(loc).getName();
  OperationState state(loc, getOperationName(node.domain, node.opType));
  const OpSchema &schema =
      state.name.getInterface<SchemaOpInterface>()->getSchema();
  if (std::string wrong = checkAttributes(schema, node, graphs); !wrong.empty())
    return fail(where, wrong);

  std::string message;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  auto emit = [&] { return emitError(loc); };
  SmallVector<bool> present;
  for (Value input : node.inputs)
    present.push_back(bool(input));
  while (!present.empty() && !present.back())
    present.pop_back();
  auto operandSizes = getSegmentSizes(schema.operands, present, emit, "input");
  if (failed(operandSizes))
    return fail(where, message);
  // Only an optional output can be left out; another without a name is just not used.
  present.clear();
  for (auto [i, there] : llvm::enumerate(node.outputs)) {
    bool optional = i < schema.results.size() &&
                    schema.results[i].kind == FormalKind::Optional;
    bool beyond =
        i >= schema.results.size() &&
        (schema.results.empty() || !schema.results.back().isVariadic());
    present.push_back(there || (!optional && !beyond));
  }
  auto resultSizes = getSegmentSizes(schema.results, present, emit, "output");
  if (failed(resultSizes))
    return fail(where, message);

  for (Value input : node.inputs)
    if (input)
      state.operands.push_back(input);
  state.addTypes(inferResultTypes(context, schema, *operandSizes,
                                  state.operands, *resultSizes));
  state.attributes = node.attributes;
  auto isFlexible = [](const Formal &formal) {
    return formal.kind != FormalKind::Single;
  };
  if (llvm::count_if(schema.operands, isFlexible) > 1)
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr(*operandSizes));
  if (llvm::count_if(schema.results, isFlexible) > 1)
    state.addAttribute("resultSegmentSizes",
                       builder.getDenseI32ArrayAttr(*resultSizes));
  for (size_t i = 0; i < schema.graphs.size(); ++i)
    state.addRegion();
  op = builder.create(state);
  // No operand tells what a constant is, but its value does.
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    if (ElementsAttr value = constant.getValueAttr())
      constant.getOutput().setType(value.getShapedType());
    else if (SparseAttr sparse = constant.getSparseValueAttr())
      constant.getOutput().setType(sparse.getType());
  }

  for (auto [formal, region] : llvm::zip(schema.graphs, op->getRegions())) {
    const auto *graph = llvm::find_if(graphs, [&](const NamedGraph &g) {
      return g.attribute == formal.name;
    });
    if (graph == graphs.end())
      continue; // The verifier knows whether it may be left out.
    std::string path = (where + "." + formal.name).str();
    if (llvm::Error error = importSubgraph(*graph->view, scope, path, region))
      return error;
  }
  return llvm::Error::success();
}

//===-- Calls and nodes that pass through ---------------------------------------------===//

llvm::Error Importer::importOpen(const NodeView &view, const NodeForm &node,
                                 ArrayRef<NamedGraph> graphs,
                                 const Scope &scope, Location loc,
                                 StringRef reason, Operation *&op) {
  SmallVector<Value> operands;
  SmallVector<bool> given;
  for (Value input : node.inputs) {
    given.push_back(bool(input));
    if (input)
      operands.push_back(input);
  }
  auto givenAttr = llvm::is_contained(given, false)
                       ? builder.getDenseBoolArrayAttr(given)
                       : DenseBoolArrayAttr();
  SmallVector<Type> types(view.outputs.size(), UnknownType::get(context));
  DictionaryAttr attributes = node.attributes.getDictionary(context);
  std::string key =
      node.domain + "::" + node.opType + "::" + view.overload.str();
  if (FlatSymbolRefAttr callee = functions.lookup(key);
      callee && graphs.empty()) {
    op = CallOp::create(builder, loc, types, operands, callee, attributes,
                        givenAttr);
    return llvm::Error::success();
  }
  SmallVector<StringRef> graphNames;
  for (const NamedGraph &graph : graphs)
    graphNames.push_back(graph.attribute);
  op = CustomOp::create(
      builder, loc, types, operands, builder.getStringAttr(node.domain),
      builder.getStringAttr(node.opType), attributes, givenAttr,
      graphs.empty() ? ArrayAttr() : builder.getStrArrayAttr(graphNames),
      IntegerAttr(),
      reason.empty() ? StringAttr() : builder.getStringAttr(reason),
      graphs.size());
  StringRef where = cast<NameLoc>(loc).getName();
  for (auto [graph, region] : llvm::zip(graphs, op->getRegions())) {
    std::string path = (where + "." + graph.attribute).str();
    if (llvm::Error error = importSubgraph(*graph.view, scope, path, region))
      return error;
  }
  return llvm::Error::success();
}

//===-- What every node has -----------------------------------------------------------===//

llvm::Error Importer::finishNode(const NodeView &view, Operation *op,
                                 Scope &scope, unsigned referring) {
  // All at once: each change of an operation's attributes makes a new dictionary.
  NamedAttrList facts, rare;
  if (!view.name.empty())
    facts.set(attr::name, builder.getStringAttr(view.name));
  if (!view.docString.empty())
    rare.set("doc_string", builder.getStringAttr(view.docString));
  if (!view.overload.empty())
    rare.set("overload", builder.getStringAttr(view.overload));
  if (!view.metadataProps.empty())
    rare.set("metadata_props", importEntries(context, view.metadataProps));
  if (!view.others.empty())
    rare.set("others", builder.getStrArrayAttr(view.others));

  SmallVector<Value> results = isa<SchemaOpInterface>(op)
                                   ? getResultSlots(op)
                                   : SmallVector<Value>(op->getResults());
  SmallVector<StringRef> outputs, unused;
  results.resize(view.outputs.size());
  for (auto [result, name] : llvm::zip_equal(results, view.outputs)) {
    if (!result) {
      if (!name.empty())
        unused.push_back(name);
      continue;
    }
    outputs.push_back(name);
    if (name.empty())
      continue;
    if (llvm::Error error = define(scope, name, result))
      return inContext(wire.getPath() + ": " +
                           cast<NameLoc>(op->getLoc()).getName().getValue() +
                           ": ",
                       std::move(error));
  }
  facts.set(attr::outputs, builder.getStrArrayAttr(outputs));
  if (!unused.empty())
    rare.set("unused_outputs", builder.getStrArrayAttr(unused));
  if (!rare.empty())
    facts.set(attr::node, rare.getDictionary(context));
  op->setDiscardableAttrs(facts.getDictionary(context));
  source.addOperation(op, view.whole, fingerprints.of(op),
                      referringTensors != referring);
  return llvm::Error::success();
}
