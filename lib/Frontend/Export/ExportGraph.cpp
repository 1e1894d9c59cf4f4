// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs and functions. Fields are written in the order of their numbers, as protobuf's
// own writers do, so that an untouched model comes out as it went in.
#include "Exporter.h"

#include "invar/Frontend/Import/ImportTypes.h"
#include "invar/Support/Error.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

llvm::Error Exporter::exportBody(Block &graph, GraphOutput &out) {
  open[&graph] = &out;
  for (Operation &op : graph.without_terminator())
    if (llvm::Error error = exportOperation(&op, out))
      return error;
  // An output that has its value's name needs nothing more.
  for (auto [output, name] :
       llvm::zip(graph.getTerminator()->getOperands(), getOutputNames(graph))) {
    if (llvm::Error error = demand(output))
      return error;
    if (!name.empty() && names.lookup(output) != name)
      if (llvm::Error error = exportIdentity(output, name, out))
        return error;
  }
  open.erase(&graph);
  return llvm::Error::success();
}

/// A value info: as the file declared it if that still says the type, else anew.
void Exporter::exportInfo(uint32_t field, StringRef name, Type type,
                          ArrayRef<ValueInfoView> declared, WireMessage &message) {
  const auto *view = llvm::find_if(
      declared, [&](const ValueInfoView &info) { return info.name == name; });
  if (view != declared.end()) {
    bool agrees = !type || !view->type;
    if (!agrees) {
      llvm::Expected<Type> was = importType(module.getContext(), *view->type);
      if (was)
        agrees = *was == type || withoutShape(*was) == type || isa<UnknownType>(type);
      else
        llvm::consumeError(was.takeError());
    }
    if (agrees) {
      addVerbatim(view->whole, message);
      return;
    }
  }
  WireMessage info(writer);
  info.addString(field::value::Name, name);
  if (type && !isa<UnknownType>(type))
    info.addMessage(field::value::Type, exportType(type));
  if (view != declared.end()) {
    if (!view->docString.empty())
      info.addString(field::value::DocString, view->docString);
    for (const EntryView &entry : view->metadataProps)
      addVerbatim(entry.whole, info);
    for (StringRef other : view->others)
      addVerbatim(other, info);
  }
  message.addMessage(field, std::move(info));
}

void Exporter::exportInputs(Block &graph, bool isMain, const GraphOutput &out,
                            WireMessage &message) {
  const GraphView *view = source ? source->findGraph(graph.getParent()) : nullptr;
  ArrayRef<ValueInfoView> declared = view ? view->inputs : ArrayRef<ValueInfoView>();
  // By name, in the order in which they are to be written.
  llvm::MapVector<StringRef, Type> inputs;
  llvm::DenseMap<StringRef, Type> present;
  for (BlockArgument argument : graph.getArguments())
    present[names.get(argument)] = argument.getType();
  // Before this version every initializer was to be an input too.
  constexpr int64_t initializersNeedNotBeInputs = 4;
  if (isMain && irVersion < initializersNeedNotBeInputs)
    for (ConstantOp op : out.initializerOps)
      present[names.get(op.getOutput())] = op.getType();
  for (const ValueInfoView &info : declared)
    if (auto it = present.find(info.name); it != present.end())
      inputs.insert({info.name, it->second});
  for (BlockArgument argument : graph.getArguments())
    inputs.insert({names.get(argument), argument.getType()});
  if (isMain && irVersion < initializersNeedNotBeInputs)
    for (ConstantOp op : out.initializerOps)
      inputs.insert({names.get(op.getOutput()), op.getType()});
  for (auto [name, type] : inputs)
    exportInfo(field::graph::Input, name, type, declared, message);
}

void Exporter::exportOutputs(Block &graph, WireMessage &message) {
  const GraphView *view = source ? source->findGraph(graph.getParent()) : nullptr;
  ArrayRef<ValueInfoView> declared = view ? view->outputs : ArrayRef<ValueInfoView>();
  for (auto [output, name] :
       llvm::zip(graph.getTerminator()->getOperands(), getOutputNames(graph))) {
    // A shape that was declared stays until inference knows one.
    Type type = output.getType();
    exportInfo(field::graph::Output, name.empty() ? names.get(output) : name, type,
               declared, message);
  }
}

llvm::Expected<WireMessage> Exporter::exportGraph(Block &graph,
                                                  const llvm::StringMap<int64_t> &versions,
                                                  bool isMain, bool inFunction) {
  GraphOutput out(writer);
  out.opsets = &versions;
  (void)inFunction;
  if (llvm::Error error = exportBody(graph, out))
    return error;
  auto graphFacts = graph.getTerminator()->getAttrOfType<DictionaryAttr>(attr::graph);
  // Initializers that a caller may override are kept with the input.
  auto addDefault = [&](StringRef name, Attribute value) -> llvm::Error {
    if (auto sparse = dyn_cast<SparseAttr>(value)) {
      llvm::Expected<WireMessage> message = exportSparse(sparse, name);
      if (!message)
        return message.takeError();
      out.sparseInitializers.addMessage(field::graph::SparseInitializer,
                                        std::move(*message));
      return llvm::Error::success();
    }
    llvm::Expected<WireMessage> message =
        exportTensor(cast<ElementsAttr>(value), name, /*mayBeExternal=*/true);
    if (!message)
      return message.takeError();
    out.initializers.addMessage(field::graph::Initializer, std::move(*message));
    return llvm::Error::success();
  };
  if (auto function = dyn_cast<func::FuncOp>(graph.getParentOp()))
    for (BlockArgument argument : graph.getArguments())
      if (Attribute value =
              function.getArgAttr(argument.getArgNumber(), attr::defaultValue))
        if (llvm::Error error = addDefault(names.get(argument), value))
          return error;
  if (auto defaults =
          graphFacts ? graphFacts.getAs<DictionaryAttr>("defaults") : DictionaryAttr())
    for (NamedAttribute entry : defaults)
      if (llvm::Error error = addDefault(entry.getName(), entry.getValue()))
        return error;

  auto text = [&](StringRef key) {
    return graphFacts ? graphFacts.getAs<StringAttr>(key) : StringAttr();
  };
  const GraphView *view = source ? source->findGraph(graph.getParent()) : nullptr;
  WireMessage message = std::move(out.nodes);
  // The standard wants a name.
  if (StringAttr name = text("name"))
    message.addString(field::graph::Name, name.getValue());
  else if (isMain)
    message.addString(field::graph::Name, "main");
  message.addFields(std::move(out.initializers));
  if (StringAttr documentation = text("doc_string"))
    message.addString(field::graph::DocString, documentation.getValue());
  exportInputs(graph, isMain, out, message);
  exportOutputs(graph, message);

  llvm::DenseSet<StringRef> present;
  for (Operation &op : graph)
    for (Value result : op.getResults())
      present.insert(names.lookup(result));
  for (BlockArgument argument : graph.getArguments())
    present.insert(names.lookup(argument));
  if (view) {
    // What is said of a value goes with it. Exporters leave infos of values that never
    // were in the graph, too: nothing has touched those.
    llvm::DenseSet<StringRef> were;
    for (const NodeView &node : view->nodes)
      were.insert(node.outputs.begin(), node.outputs.end());
    for (const TensorView &tensor : view->initializers)
      were.insert(tensor.name);
    for (const ValueInfoView &info : view->valueInfos)
      if (present.contains(info.name) || !were.contains(info.name))
        addVerbatim(info.whole, message);
  }
  if (auto annotations = graphFacts
                             ? graphFacts.getAs<DictionaryAttr>("quantization_annotations")
                             : DictionaryAttr())
    for (NamedAttribute annotation : annotations) {
      if (!present.contains(annotation.getName()))
        continue;
      WireMessage item(writer);
      item.addString(field::annotation::TensorName, annotation.getName().getValue());
      exportEntries(field::annotation::QuantParameterTensorNames,
                    dyn_cast<DictionaryAttr>(annotation.getValue()), item);
      message.addMessage(field::graph::QuantizationAnnotation, std::move(item));
    }
  message.addFields(std::move(out.sparseInitializers));
  if (view) {
    for (const EntryView &entry : view->metadataProps)
      addVerbatim(entry.whole, message);
    for (StringRef other : view->others)
      addVerbatim(other, message);
  } else if (graphFacts) {
    exportEntries(field::graph::MetadataProps,
                  graphFacts.getAs<DictionaryAttr>("metadata_props"), message);
  }
  return std::move(message);
}

llvm::Expected<WireMessage> Exporter::exportFunction(FunctionOp function) {
  GraphOutput out(writer);
  out.inFunction = true;
  out.nodeField = field::function::Node;
  llvm::StringMap<int64_t> versions;
  for (NamedAttribute opset : function.getOpsetImports())
    if (auto version = dyn_cast<IntegerAttr>(opset.getValue()))
      versions[normalizeDomain(opset.getName())] = version.getInt();
  if (options.opset && versions.contains(""))
    versions[""] = *options.opset;
  out.opsets = &versions;
  Block &body = function.getBody().front();
  if (llvm::Error error = exportBody(body, out))
    return error;

  WireMessage message(writer);
  message.addString(field::function::Name, function.getName());
  for (StringRef input : getInputNames(body))
    message.addString(field::function::Input, input);
  for (StringRef output : getOutputNames(body))
    message.addString(field::function::Output, output);
  for (auto parameter : function.getParameters().getAsRange<StringAttr>())
    message.addString(field::function::Attribute, parameter.getValue());
  message.addFields(std::move(out.nodes));
  auto rare = function->getAttrOfType<DictionaryAttr>(attr::node);
  if (auto text = rare ? rare.getAs<StringAttr>("doc_string") : StringAttr())
    message.addString(field::function::DocString, text.getValue());
  for (auto &version : versions) {
    WireMessage opset(writer);
    opset.addString(field::opset::Domain, version.getKey());
    opset.addInt(field::opset::Version, version.getValue());
    message.addMessage(field::function::OpsetImport, std::move(opset));
  }
  message.addString(field::function::Domain, function.getDomain());
  for (NamedAttribute value : function.getDefaults()) {
    llvm::Expected<WireMessage> attribute =
        exportAttribute(value.getName(), value.getValue());
    if (!attribute)
      return attribute.takeError();
    message.addMessage(field::function::AttributeProto, std::move(*attribute));
  }
  if (!function.getOverload().empty())
    message.addString(field::function::Overload, function.getOverload());
  if (rare)
    exportEntries(field::function::MetadataProps,
                  rare.getAs<DictionaryAttr>("metadata_props"), message);
  return std::move(message);
}
