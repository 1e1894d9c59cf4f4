// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports nodes: as a standard operator in the newest form, as a call of a function of
// the model, or, for everything else, as an onnx.Custom that keeps the node unchanged.
#include "Importer.h"
#include "invar/Frontend/Import/ImportTypes.h"

#include "invar/Dialect/ONNX/CreateOperation.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

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
  DictionaryAttr carried;
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
  // A name with a dot is one of the dialect's own operators, which no file has.
  bool isOwn = StringRef(node.opType).contains('.');
  if (name.empty() || isOwn || !RegisteredOperationName::lookup(name, context))
    return open("");
  llvm::Expected<int64_t> version = getVersion(node, scope, where);
  if (!version)
    return version.takeError();
  if (*version > getNewestVersion(node.domain))
    return open("its opset is newer than the records");
  if (*version < 1)
    return open("its opset is " + std::to_string(*version));
  if (hasParameters)
    return open("its attributes are parameters of the function");

  if (llvm::Error error = tolerateEarly(node, *version, where))
    return error;
  if (llvm::Error error =
          carryAttributes(node, *version, where).moveInto(carried))
    return error;
  NodeForm written = node;
  if (Refusal refusal = upgrade(view, node, graphs, scope, loc, *version)) {
    if (carried)
      node.attributes.append(carried.begin(), carried.end());
    return open(*refusal);
  }
  if (llvm::Error error = importStandard(node, graphs, scope, loc, op))
    return error;
  if (llvm::Error error = finishNode(view, op, scope, referring, carried))
    return error;
  if (node.saysTheSame(written))
    source.setNewestForm(op);
  return llvm::Error::success();
}

/// The opset version in which a node of a standard operator is written.
llvm::Expected<int64_t> Importer::getVersion(const NodeForm &node,
                                             const Scope &scope,
                                             StringRef where) {
  auto version = scope.opsets->find(node.domain);
  if (version != scope.opsets->end())
    return version->second;
  if (llvm::Error error =
          tolerate(where,
                   "expected an opset_import of the domain '" + node.domain +
                       "' of operator '" + node.opType + "', but there is none",
                   "its newest version is assumed"))
    return error;
  return getNewestVersion(node.domain);
}

/// An operator that is newer than the opset still has only one meaning. Tools of
/// onnxruntime have written LayerNormalization that way for years.
llvm::Error Importer::tolerateEarly(const NodeForm &node, int64_t version,
                                    StringRef where) {
  int64_t first = adapters.getFirstVersion(node.domain, node.opType);
  if (version >= first)
    return llvm::Error::success();
  return tolerate(where,
                  "expected an operator of opset " + Twine(version) +
                      ", but got '" + node.opType + "', which exists since " +
                      Twine(first),
                  "it is taken for that one");
}

/// Removes obsolete attributes from a node, and returns them. They have no meaning any
/// more, but some exporters still write them.
llvm::Expected<DictionaryAttr>
Importer::carryAttributes(NodeForm &node, int64_t version, StringRef where) {
  // Which inputs may be overwritten (until version 6), and whether the node is not for
  // training (until version 7).
  static constexpr std::pair<StringRef, int64_t> outdated[] = {
      {"consumed_inputs", 6}, {"is_test", 7}};
  OperationName name(getOperationName(node.domain, node.opType), context);
  const OpSchema &schema = name.getInterface<SchemaOpInterface>()->getSchema();
  NamedAttrList carried;
  for (auto [attribute, end] : outdated) {
    Attribute value = node.attributes.get(attribute);
    if (!value || !node.domain.empty() || version < end ||
        schema.findAttribute(attribute))
      continue;
    if (llvm::Error error = tolerate(where,
                                     "expected an attribute of " + node.opType +
                                         ", but got '" + attribute + "'",
                                     "it says nothing and is kept"))
      return error;
    carried.set(attribute, value);
    node.attributes.erase(attribute);
  }
  return carried.empty() ? DictionaryAttr() : carried.getDictionary(context);
}

/// Converts `node` to the newest form, or leaves it unchanged and returns the reason.
std::optional<std::string> Importer::upgrade(const NodeView &view,
                                             NodeForm &node,
                                             ArrayRef<NamedGraph> graphs,
                                             Scope &scope, Location loc,
                                             int64_t version) {
  Block *block = builder.getInsertionBlock();
  Operation *before = block->empty() ? nullptr : &block->back();
  SmallVector<StringRef> graphNames = llvm::map_to_vector(
      graphs, [](const NamedGraph &graph) { return graph.attribute; });
  auto adaptForm = [&](NodeForm &form) -> Refusal {
    AdaptContext adapt(builder, loc, version);
    if (form.domain.empty())
      adapt.target = options.opset.value_or(version);
    if (Refusal refusal = adapters.upgrade(form, adapt))
      return refusal;
    StringRef unknown = findUnknownAttribute(context, form, graphNames);
    if (unknown.empty())
      return adapted;
    return (form.opType + Twine(" has no attribute '") + unknown + "'").str();
  };
  auto attempt = [&](NodeForm form) -> Refusal {
    if (Refusal refusal = adaptForm(form)) {
      // Erase the operations that the adapter has created so far.
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
  // Old models name all outputs of an operator, also those for training. Try without
  // unused outputs.
  NodeForm needed = node;
  for (auto [i, output] : llvm::enumerate(view.outputs))
    needed.outputs[i] = needed.outputs[i] && (i == 0 || scope.isUsed(output));
  if (needed.outputs == node.outputs || attempt(std::move(needed)))
    return refusal;
  return std::nullopt;
}

//===-- Standard operators ------------------------------------------------------------===//

llvm::Error Importer::importStandard(NodeForm &node,
                                     ArrayRef<NamedGraph> graphs,
                                     const Scope &scope, Location loc,
                                     Operation *&op) {
  StringRef where = cast<NameLoc>(loc).getName();
  SmallVector<StringRef> graphNames = llvm::map_to_vector(
      graphs, [](const NamedGraph &graph) { return graph.attribute; });
  llvm::Expected<Operation *> created =
      createOperation(builder, loc, node, graphNames);
  if (!created)
    return inContext(wire.getPath() + ": " + where + ": ", created.takeError());
  op = *created;
  const OpSchema &schema = cast<SchemaOpInterface>(op).getSchema();
  for (auto [formal, region] : llvm::zip(schema.graphs, op->getRegions())) {
    const auto *graph = llvm::find_if(graphs, [&](const NamedGraph &g) {
      return g.attribute == formal.name;
    });
    if (graph == graphs.end())
      continue; // The verifier checks whether it may be missing.
    std::string path = (where + "." + formal.name).str();
    if (llvm::Error error = importSubgraph(*graph->view, scope, path, region))
      return error;
  }
  if (node.wrap)
    op = node.wrap(op);
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

/// The names that an operation uses, also through operations that an adapter created for
/// it.
llvm::StringSet<> Importer::getUsedNames(Operation *op) const {
  llvm::StringSet<> used;
  llvm::SetVector<Operation *> users;
  users.insert(op);
  for (size_t next = 0; next < users.size(); ++next)
    for (Value operand : users[next]->getOperands())
      if (StringRef name = names.lookup(operand); !name.empty())
        used.insert(name);
      else if (Operation *producer = operand.getDefiningOp())
        users.insert(producer);
  return used;
}

llvm::Error Importer::finishNode(const NodeView &view, Operation *op,
                                 Scope &scope, unsigned referring,
                                 DictionaryAttr carried) {
  // Set all at once: each change of an operation's attributes creates a new dictionary.
  NamedAttrList facts, rare;
  if (!view.name.empty())
    facts.set(attr::name, builder.getStringAttr(view.name));
  if (!view.docString.empty())
    rare.set("doc_string", builder.getStringAttr(view.docString));
  if (!view.overload.empty())
    rare.set("overload", builder.getStringAttr(view.overload));
  if (!view.metadataProps.empty())
    rare.set("metadata_props", importEntries(context, view.metadataProps));
  if (carried)
    rare.set("carried_attributes", carried);
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
  llvm::StringSet<> used = getUsedNames(op);
  SmallVector<StringRef> hidden;
  for (StringRef input : view.inputs)
    if (!input.empty() && !used.contains(input))
      hidden.push_back(input);
  source.addOperation(op, view.whole, fingerprints.of(op),
                      referringTensors != referring, hidden);
  return llvm::Error::success();
}
