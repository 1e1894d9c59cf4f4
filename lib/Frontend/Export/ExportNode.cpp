// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes nodes. An unchanged node is copied; the adapters convert others to the opset
// that is written. An operation that no name of the model requires, such as a constant
// that an adapter made from an attribute, is written only when a node refers to it.
#include "Exporter.h"

#include "invar/Dialect/ONNX/CreateOperation.h"
#include "invar/Frontend/Wire/Fields.h"
#include "invar/Support/Error.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static std::string whereIs(Operation *op) {
  if (auto name = dyn_cast<NameLoc>(op->getLoc()))
    return name.getName().str();
  return op->getName().getStringRef().str();
}

/// Whether an operation of this model is written only when something refers to it.
bool Exporter::isLeft(Operation *op) const {
  return isOnDemand(op) || (options.dropUnused && isa<ConstantOp>(op));
}

/// Writes the operations that a copied node refers to.
llvm::Error Exporter::demandOperands(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  for (size_t next = 0; next < values.size(); ++next) {
    Value value = values[next];
    // A value without a name is not in the bytes. There, it is an attribute or a part of
    // the node, which names the values that this part is computed from.
    if (Operation *producer = value.getDefiningOp();
        producer && isOnDemand(producer)) {
      values.insert(producer->operand_begin(), producer->operand_end());
      continue;
    }
    if (llvm::Error error = demand(value))
      return error;
  }
  return llvm::Error::success();
}

Operation *Exporter::takeLeft(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isLeft(op) && written.insert(op).second ? op : nullptr;
}

llvm::Error Exporter::demand(Value value) {
  Operation *op = takeLeft(value);
  return op ? exportOperation(op, *open.lookup(op->getBlock()))
            : llvm::Error::success();
}

llvm::Error Exporter::exportOperation(Operation *op, GraphOutput &out) {
  if (isLeft(op) && !written.contains(op))
    return llvm::Error::success();
  llvm::Expected<bool> isDone = exportAsItIs(op, out);
  if (!isDone)
    return isDone.takeError();
  return *isDone ? llvm::Error::success() : exportNode(op, out);
}

/// Writes constants, and copies unchanged operations. Returns whether it wrote `op`.
llvm::Expected<bool> Exporter::exportAsItIs(Operation *op, GraphOutput &out) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    if (!out.isFunction && (op->hasAttr(attr::initializer) || isOnDemand(op))) {
      if (llvm::Error error = exportConstant(constant, out))
        return error;
      return true;
    }
  StringRef bytes = findVerbatim(op);
  if (bytes.empty())
    return false;
  if (llvm::Error error = demandOperands(op))
    return error;
  addVerbatim(bytes, out.nodes);
  if (const NodeView *node = places.lookup(bytes.data()))
    addNodes(*node, contents);
  addConstantsIn(op, contents);
  auto rare = op->getAttrOfType<DictionaryAttr>(attr::node);
  if (auto unused =
          rare ? rare.getAs<ArrayAttr>("unused_outputs") : ArrayAttr())
    for (auto name : unused.getAsRange<StringAttr>())
      out.unusedOutputs.insert(name.getValue());
  return true;
}

llvm::Error Exporter::exportConstant(ConstantOp op, GraphOutput &out) {
  out.initializerOps.push_back(op);
  Attribute value = op.getSparseValueAttr();
  if (!value)
    value = op.getValueAttr();
  return exportInitializer(names.get(op.getOutput()), value, findVerbatim(op),
                           out);
}

/// The node of `op`, in the form of the newest opset.
static NodeForm newestForm(Operation *op, SymbolTableCollection &symbols) {
  if (isa<SchemaOpInterface>(op))
    return getNodeForm(op);
  NodeForm node;
  std::optional<ArrayRef<bool>> given;
  if (auto custom = dyn_cast<CustomOp>(op)) {
    node.domain = custom.getDomain().str();
    node.opType = custom.getOpType().str();
    node.attributes = custom.getNodeAttributes();
    given = custom.getGiven();
  } else {
    auto call = cast<CallOp>(op);
    auto callee =
        symbols.lookupNearestSymbolFrom<FunctionOp>(op, call.getCalleeAttr());
    node.domain = callee.getDomain().str();
    node.opType = callee.getName().str();
    node.attributes = call.getNodeAttributes();
    given = call.getGiven();
  }
  auto next = op->operand_begin();
  if (given)
    for (bool there : *given)
      node.inputs.push_back(there ? Value(*next++) : Value());
  else
    node.inputs.assign(op->operand_begin(), op->operand_end());
  node.outputs.assign(op->getNumResults(), true);
  return node;
}

llvm::Expected<NodeForm> Exporter::makeForm(Operation *op, GraphOutput &out) {
  NodeForm node = newestForm(op, symbols);
  auto version = out.opsets->find(node.domain);
  if (auto custom = dyn_cast<CustomOp>(op)) {
    if (convertsOpset && custom.getDomain().empty())
      return badInput(path + ": " + whereIs(op) + ": cannot write '" +
                      node.opType + "' in another opset: " +
                      custom.getReason().value_or("it is not known"));
    return node;
  }
  // A domain that the model does not import has its newest version.
  if (isa<CallOp>(op) || version == out.opsets->end())
    return node;
  Block &block = *scratch.emplace_back(std::make_unique<Block>());
  open[&block] = &out;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&block);
  AdaptContext context(builder, op->getLoc(), version->second);
  context.op = op;
  context.asRead = !convertsOpset && source && source->isAsRead(op);
  NodeForm newest = node;
  if (Refusal refusal = adapters.downgrade(node, context)) {
    if (context.asRead && source->wasNewestForm(op))
      return newest;
    return badInput(path + ": " + whereIs(op) + ": cannot write '" +
                    node.opType + "' in opset " + Twine(version->second) +
                    ": " + *refusal);
  }
  return node;
}

llvm::Error Exporter::exportRegions(Operation *op, const GraphOutput &out,
                                    WireMessage &message) {
  auto add = [&](StringRef name, MutableArrayRef<Region> regions,
                 bool isList) -> llvm::Error {
    WireMessage attribute(writer);
    attribute.addString(field::attribute::Name, name);
    for (Region &region : regions) {
      llvm::Expected<WireMessage> graph =
          exportGraph(region.front(), *out.opsets, /*isMain=*/false);
      if (!graph)
        return graph.takeError();
      attribute.addMessage(isList ? field::attribute::Graphs
                                  : field::attribute::G,
                           std::move(*graph));
    }
    attribute.addInt(
        field::attribute::Type,
        int64_t(isList ? AttributeKind::Graphs : AttributeKind::Graph));
    message.addMessage(field::node::Attribute, std::move(attribute));
    return llvm::Error::success();
  };
  if (auto schemaOp = dyn_cast<SchemaOpInterface>(op)) {
    for (auto [formal, region] :
         llvm::zip(schemaOp.getSchema().graphs, op->getRegions()))
      if (!region.empty())
        if (llvm::Error error = add(formal.name, region, /*isList=*/false))
          return error;
    return llvm::Error::success();
  }
  auto custom = dyn_cast<CustomOp>(op);
  if (!custom || !custom.getGraphNames())
    return llvm::Error::success();
  ArrayRef<Attribute> graphNames = custom.getGraphNames()->getValue();
  for (size_t i = 0, end = 0; i < graphNames.size(); i = end) {
    while (end < graphNames.size() && graphNames[end] == graphNames[i])
      ++end;
    auto name = cast<StringAttr>(graphNames[i]);
    if (llvm::Error error = add(name, op->getRegions().slice(i, end - i),
                                custom.getNodeAttributes().contains(name)))
      return error;
  }
  return llvm::Error::success();
}

/// Whether the tensors of a node are weights, like initializers. Only those of a Constant
/// are: engines read the tensors of other nodes only in the model itself.
static bool isWeight(Operation *op) { return isa<ConstantOp>(op); }

/// Whether output `slot` of a node must have a name even if nothing uses it: the standard asks
/// for it unless the output is optional, and engines rely on all outputs of a loop.
static bool needsName(Operation *op, size_t slot) {
  auto node = dyn_cast<SchemaOpInterface>(op);
  if (!node)
    return false;
  ArrayRef<Formal> results = node.getSchema().results;
  return op->getNumRegions() != 0 ||
         (slot < results.size() && results[slot].kind == FormalKind::Single);
}

/// An unused result without a name stays without one if the standard allows it. Its name may
/// have gone to a constant that took its place.
StringRef Exporter::nameOutput(OpResult result, size_t slot) {
  Operation *op = result.getOwner();
  if (op->hasAttr(attr::outputs) && result.use_empty() && !needsName(op, slot))
    return names.lookup(result);
  return names.get(result);
}

namespace {
/// A node that is written after everything that it refers to.
struct PendingNode {
  Operation *op;
  GraphOutput *out;
  NodeForm form;
  size_t nextInput = 0;
};
} // namespace

/// The number of inputs before a variadic one.
static size_t countBeforeList(Operation *op) {
  auto node = dyn_cast<SchemaOpInterface>(op);
  if (!node || node.getSchema().operands.empty() ||
      !node.getSchema().operands.back().isVariadic())
    return 0;
  return node.getSchema().operands.size() - 1;
}

llvm::Error Exporter::exportNode(Operation *op, GraphOutput &out) {
  // Operations that were left until now come first, and before each the operations that
  // it refers to. A chain of these may be too long for recursion.
  std::vector<PendingNode> pending;
  auto begin = [&](Operation *op, GraphOutput &out) -> llvm::Error {
    llvm::Expected<NodeForm> form = makeForm(op, out);
    if (!form)
      return form.takeError();
    // Missing inputs at the end are left out, except before a variadic input: the
    // standard counts them.
    size_t least = countBeforeList(op);
    form->inputs.resize(std::max(form->inputs.size(), least));
    while (form->inputs.size() > least && !form->inputs.back())
      form->inputs.pop_back();
    pending.push_back({op, &out, std::move(*form)});
    return llvm::Error::success();
  };
  if (llvm::Error error = begin(op, out))
    return error;
  while (!pending.empty()) {
    PendingNode &last = pending.back();
    if (last.nextInput == last.form.inputs.size()) {
      PendingNode node = std::move(last);
      pending.pop_back();
      if (llvm::Error error = writeNode(node.op, node.form, *node.out))
        return error;
      continue;
    }
    Value input = last.form.inputs[last.nextInput++];
    Operation *left = input ? takeLeft(input) : nullptr;
    if (!left)
      continue;
    GraphOutput &where = *open.lookup(left->getBlock());
    llvm::Expected<bool> isDone = exportAsItIs(left, where);
    if (!isDone)
      return isDone.takeError();
    if (!*isDone)
      if (llvm::Error error = begin(left, where))
        return error;
  }
  return llvm::Error::success();
}

llvm::Error Exporter::writeNode(Operation *op, const NodeForm &node,
                                GraphOutput &out) {
  WireMessage message(writer);
  for (Value input : node.inputs)
    message.addString(field::node::Input,
                      input ? names.get(input) : StringRef());
  // If another operator follows each output, that operator has the name of the output.
  SmallVector<std::pair<StringRef, StringRef>> renamed;
  auto result = op->result_begin();
  for (auto [slot, there] : llvm::enumerate(node.outputs)) {
    StringRef name = there ? nameOutput(*result++, slot) : StringRef();
    if (node.afterEach && !name.empty()) {
      renamed.push_back({names.makeUp(node.opType), name});
      name = renamed.back().first;
    }
    message.addString(field::node::Output, name);
  }
  if (auto name = op->getAttrOfType<StringAttr>(attr::name))
    message.addString(field::node::Name, name.getValue());
  message.addString(field::node::OpType, node.opType);
  auto custom = dyn_cast<CustomOp>(op);
  auto rare = op->getAttrOfType<DictionaryAttr>(attr::node);
  NamedAttrList attributes = node.attributes;
  if (auto carried = rare ? rare.getAs<DictionaryAttr>("carried_attributes")
                          : DictionaryAttr())
    attributes.append(carried.begin(), carried.end());
  for (NamedAttribute attribute : attributes.getAttrs()) {
    // Lists of graphs are written with their elements.
    if (custom && custom.getGraphNames() &&
        llvm::is_contained(*custom.getGraphNames(), attribute.getName()))
      continue;
    llvm::Expected<WireMessage> inner = exportAttribute(
        attribute.getName(), attribute.getValue(), isWeight(op));
    if (!inner)
      return inner.takeError();
    message.addMessage(field::node::Attribute, std::move(*inner));
  }
  if (llvm::Error error =
          exportRegions(node.graphsOf ? node.graphsOf : op, out, message))
    return error;
  auto addString = [&](uint32_t field, StringRef key) {
    if (auto text = rare ? rare.getAs<StringAttr>(key) : StringAttr())
      message.addString(field, text.getValue());
  };
  addString(field::node::DocString, "doc_string");
  if (!node.domain.empty())
    message.addString(field::node::Domain, node.domain);
  addString(field::node::Overload, "overload");
  if (rare) {
    exportEntries(field::node::MetadataProps,
                  rare.getAs<DictionaryAttr>("metadata_props"), message);
    if (auto others = rare.getAs<ArrayAttr>("others"))
      for (auto bytes : others.getAsRange<StringAttr>())
        message.addVerbatim(bytes.getValue());
  }
  addNode(node.domain, node.opType, contents);
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    Attribute value = constant.getSparseValueAttr();
    addConstant(value ? value : constant.getValueAttr(), contents);
  }
  out.nodes.addMessage(out.nodeField, std::move(message));
  for (auto [from, to] : renamed)
    if (llvm::Error error = exportAfter(*node.afterEach, from, to, out))
      return error;
  return llvm::Error::success();
}

llvm::Error Exporter::exportAfter(const NodeForm &node, StringRef input,
                                  StringRef output, GraphOutput &out) {
  WireMessage message(writer);
  message.addString(field::node::Input, input);
  message.addString(field::node::Output, output);
  message.addString(field::node::OpType, node.opType);
  for (NamedAttribute attribute : node.attributes.getAttrs()) {
    llvm::Expected<WireMessage> inner =
        exportAttribute(attribute.getName(), attribute.getValue());
    if (!inner)
      return inner.takeError();
    message.addMessage(field::node::Attribute, std::move(*inner));
  }
  addNode(node.domain, node.opType, contents);
  out.nodes.addMessage(out.nodeField, std::move(message));
  return llvm::Error::success();
}

llvm::Error Exporter::exportIdentity(Value value, StringRef name,
                                     GraphOutput &out) {
  if (llvm::Error error = demand(value))
    return error;
  NodeForm identity;
  identity.opType = "Identity";
  return exportAfter(identity, names.get(value), name, out);
}
