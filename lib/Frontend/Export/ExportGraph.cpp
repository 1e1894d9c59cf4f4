// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes graphs and functions. Fields are written in the order of their numbers, as
// protobuf's own writers do, so that an unchanged model is written as it was read.
#include "Exporter.h"

#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Frontend/Import/ImportTypes.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

llvm::Error Exporter::exportBody(Block &graph, GraphOutput &out) {
  open[&graph] = &out;
  for (Operation &op : graph.without_terminator())
    if (llvm::Error error = exportOperation(&op, out))
      return error;
  // A model may list an output twice, but it has only one value.
  llvm::StringSet<> given;
  for (auto [output, declared] :
       llvm::zip(graph.getTerminator()->getOperands(), getOutputNames(graph))) {
    if (llvm::Error error = demand(output))
      return error;
    StringRef name = declared.empty() ? names.get(output) : declared;
    // A value of an outer graph, and an input, is not returned under its own name: not
    // all engines support that.
    if (declared.empty() &&
        (output.getParentBlock() != &graph || isa<BlockArgument>(output) ||
         llvm::is_contained(out.outputNames, name)))
      name = names.makeUp("Identity");
    out.outputNames.push_back(name);
    // An output that has the name of its value needs no node.
    if (given.insert(name).second && names.lookup(output) != name)
      if (llvm::Error error = exportIdentity(output, name, out))
        return error;
  }
  open.erase(&graph);
  return llvm::Error::success();
}

/// Writes an initializer: as `verbatim` if that is not empty, otherwise encoded again.
llvm::Error Exporter::exportInitializer(StringRef name, Attribute value,
                                        StringRef verbatim, GraphOutput &out) {
  addConstant(value, contents);
  auto sparse = dyn_cast<SparseAttr>(value);
  InitializerOutput &result =
      (sparse ? out.sparseInitializers : out.initializers)
          .emplace_back(name, WireMessage(writer));
  if (!verbatim.empty()) {
    addVerbatim(verbatim, result.field);
    return llvm::Error::success();
  }
  llvm::Expected<WireMessage> message =
      sparse ? exportSparse(sparse, name)
             : exportTensor(cast<ElementsAttr>(value), name,
                            /*mayBeExternal=*/true);
  if (!message)
    return message.takeError();
  result.field.addMessage(sparse ? field::graph::SparseInitializer
                                 : field::graph::Initializer,
                          std::move(*message));
  return llvm::Error::success();
}

/// Writes an initializer that a caller may override. It is kept with the input.
llvm::Error Exporter::exportDefault(StringRef name, Attribute value,
                                    GraphOutput &out) {
  auto dense = dyn_cast<ElementsAttr>(value);
  FailureOr<Elements> content =
      dense ? elements::toElements(dense) : FailureOr<Elements>();
  bool moves = succeeded(content) && data->moves(*content);
  StringRef verbatim =
      source && !moves ? source->findDefault(value, name) : StringRef();
  return exportInitializer(name, value, verbatim, out);
}

/// Adds initializers in the order of `declared`, followed by those that it does not have.
static void addInOrder(std::vector<InitializerOutput> list,
                       ArrayRef<StringRef> declared, WireMessage &message) {
  llvm::DenseMap<StringRef, size_t> places;
  for (auto [i, name] : llvm::enumerate(declared))
    places.try_emplace(name, i);
  auto placeOf = [&](const InitializerOutput &initializer) {
    auto it = places.find(initializer.name);
    return it == places.end() ? declared.size() : it->second;
  };
  SmallVector<size_t> order =
      llvm::to_vector(llvm::seq<size_t>(0, list.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(placeOf(list[a]), a) < std::pair(placeOf(list[b]), b);
  });
  for (size_t i : order)
    message.addFields(std::move(list[i].field));
}

static SmallVector<StringRef> namesOfInitializers(const GraphView &view) {
  return llvm::map_to_vector(
      view.initializers, [](const TensorView &tensor) { return tensor.name; });
}

static SmallVector<StringRef> namesOfSparse(const GraphView &view) {
  return llvm::map_to_vector(
      view.sparseInitializers, [](const SparseTensorView &sparse) {
        return sparse.values ? sparse.values->name : StringRef();
      });
}

/// The names of all values that a graph had in the file.
static llvm::DenseSet<StringRef> namesOfValues(const GraphView &view) {
  llvm::DenseSet<StringRef> names;
  for (const ValueInfoView &input : view.inputs)
    names.insert(input.name);
  for (const NodeView &node : view.nodes)
    names.insert(node.outputs.begin(), node.outputs.end());
  names.insert_range(namesOfInitializers(view));
  names.insert_range(namesOfSparse(view));
  return names;
}

/// Writes the file's declarations of values that still exist. Declarations of values that
/// the file never had are kept too: the exporter does not judge them.
void Exporter::exportFacts(Block &graph, const GraphView *view,
                           const GraphOutput &out, WireMessage &message) {
  static const GraphView none;
  llvm::DenseSet<StringRef> present = out.unusedOutputs;
  for (Operation &op : graph)
    for (Value result : op.getResults())
      present.insert(names.lookup(result));
  for (BlockArgument argument : graph.getArguments())
    present.insert(names.lookup(argument));
  llvm::DenseSet<StringRef> before = namesOfValues(view ? *view : none);
  auto isUnchanged = [&](StringRef name) {
    return present.contains(name) == before.contains(name);
  };
  ArrayRef<ValueInfoView> declared = (view ? *view : none).valueInfos;
  if (options.valueInfos) {
    exportValueInfos(graph, declared, message);
  } else {
    for (const ValueInfoView &info : declared)
      if (isUnchanged(info.name))
        addVerbatim(info.whole, message);
  }

  auto facts =
      graph.getTerminator()->getAttrOfType<DictionaryAttr>(attr::graph);
  auto annotations =
      facts ? facts.getAs<DictionaryAttr>("quantization_annotations")
            : DictionaryAttr();
  if (!annotations)
    return;
  if (view && importAnnotations(module.getContext(),
                                view->quantizationAnnotations) == annotations) {
    for (const TensorAnnotationView &annotation : view->quantizationAnnotations)
      if (isUnchanged(annotation.tensorName))
        addVerbatim(annotation.whole, message);
    return;
  }
  for (NamedAttribute annotation : annotations) {
    if (!present.contains(annotation.getName()))
      continue;
    WireMessage item(writer);
    item.addString(field::annotation::TensorName,
                   annotation.getName().getValue());
    exportEntries(field::annotation::QuantParameterTensorNames,
                  dyn_cast<DictionaryAttr>(annotation.getValue()), item);
    message.addMessage(field::graph::QuantizationAnnotation, std::move(item));
  }
}

llvm::Expected<WireMessage>
Exporter::exportGraph(Block &graph, const llvm::StringMap<int64_t> &versions,
                      bool isMain) {
  static const GraphView none;
  GraphOutput out(writer);
  out.opsets = &versions;
  if (llvm::Error error = exportBody(graph, out))
    return error;
  auto graphFacts =
      graph.getTerminator()->getAttrOfType<DictionaryAttr>(attr::graph);
  if (auto function = dyn_cast<func::FuncOp>(graph.getParentOp()))
    for (BlockArgument argument : graph.getArguments())
      if (Attribute value =
              function.getArgAttr(argument.getArgNumber(), attr::defaultValue))
        if (llvm::Error error = exportDefault(names.get(argument), value, out))
          return error;
  if (auto defaults = graphFacts ? graphFacts.getAs<DictionaryAttr>("defaults")
                                 : DictionaryAttr())
    for (NamedAttribute entry : defaults)
      if (llvm::Error error =
              exportDefault(entry.getName(), entry.getValue(), out))
        return error;

  const GraphView *found =
      source ? source->findGraph(graph.getParent()) : nullptr;
  const GraphView &view = found ? *found : none;
  WireMessage message = std::move(out.nodes);
  auto addText = [&](uint32_t field, StringRef key) {
    auto value = graphFacts ? graphFacts.getAs<StringAttr>(key) : StringAttr();
    if (value)
      message.addString(field, value.getValue());
    return bool(value);
  };
  // The standard requires a name; a graph that has none in the file stays without one.
  if (!addText(field::graph::Name, "name") && !found)
    message.addString(field::graph::Name, "main");
  addInOrder(std::move(out.initializers), namesOfInitializers(view), message);
  addText(field::graph::DocString, "doc_string");
  exportInputs(graph, isMain, out, message);
  exportOutputs(graph, out, message);
  exportFacts(graph, found, out, message);
  addInOrder(std::move(out.sparseInitializers), namesOfSparse(view), message);
  if (graphFacts)
    exportEntries(field::graph::MetadataProps,
                  graphFacts.getAs<DictionaryAttr>("metadata_props"), message,
                  view.metadataProps);
  for (StringRef other : view.others)
    addVerbatim(other, message);
  return std::move(message);
}

llvm::Expected<WireMessage> Exporter::exportFunction(FunctionOp function) {
  GraphOutput out(writer);
  out.isFunction = true;
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
  exportOpsets(field::function::OpsetImport, versions, {}, message);
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
