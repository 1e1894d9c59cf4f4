// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rebuild.h"

#include "invar/Frontend/Wire/Fields.h"
#include "invar/Frontend/Wire/TensorData.h"
#include "invar/Frontend/Wire/WireReader.h"
#include "llvm/Support/Error.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace invar;

std::string invar::serialize(WireMessage &&message) {
  // A file in memory, which the output opens by its descriptor.
  int descriptor = memfd_create("serialized", MFD_CLOEXEC);
  auto out = llvm::cantFail(
      OutputFile::create("/dev/fd/" + std::to_string(descriptor)));
  uint64_t size = message.getSize();
  llvm::cantFail(message.writeTo(*out));
  llvm::cantFail(out->commit());
  std::string bytes(size + 1, '\0'); // one more, to check that there is no more
  bytes.resize(pread(descriptor, bytes.data(), bytes.size(), 0));
  close(descriptor);
  return bytes;
}

namespace {
class Rebuilder {
public:
  WireMessage model(const ModelView &view);

private:
  WireMessage graph(const GraphView &view);
  WireMessage function(const FunctionView &view);
  WireMessage node(const NodeView &view);
  WireMessage attribute(const AttributeView &view);
  WireMessage tensor(const TensorView &view);
  WireMessage sparse(const SparseTensorView &view);
  WireMessage annotation(const TensorAnnotationView &view);
  WireMessage value(const ValueInfoView &view);
  WireMessage type(const TypeView &view);
  WireMessage typeContent(const TypeView &view);
  WireMessage shape(const TypeView &view);
  WireMessage opset(const OperatorSetView &view);
  WireMessage entry(const EntryView &view);

  WireMessage message() { return WireMessage(writer); }
  static void addText(WireMessage &out, uint32_t field, llvm::StringRef text) {
    if (!text.empty())
      out.addString(field, text);
  }
  static void addNumber(WireMessage &out, uint32_t field, int64_t number) {
    if (number != 0)
      out.addInt(field, number);
  }
  static void addOthers(WireMessage &out,
                        llvm::ArrayRef<llvm::StringRef> others) {
    for (llvm::StringRef bytes : others)
      out.addVerbatim(bytes);
  }
  template <typename View>
  void addAll(WireMessage &out, uint32_t field, llvm::ArrayRef<View> views,
              WireMessage (Rebuilder::*make)(const View &)) {
    for (const View &view : views)
      out.addMessage(field, (this->*make)(view));
  }

  WireWriter writer;
};
} // namespace

WireMessage Rebuilder::entry(const EntryView &view) {
  WireMessage out = message();
  addText(out, field::entry::Key, view.key);
  addText(out, field::entry::Value, view.value);
  addOthers(out, view.others);
  return out;
}

WireMessage Rebuilder::opset(const OperatorSetView &view) {
  WireMessage out = message();
  addText(out, field::opset::Domain, view.domain);
  addNumber(out, field::opset::Version, view.version);
  addOthers(out, view.others);
  return out;
}

WireMessage Rebuilder::shape(const TypeView &view) {
  WireMessage out = message();
  for (const DimensionView &dim : view.dims) {
    WireMessage part = message();
    if (dim.value)
      part.addInt(field::type::DimValue, *dim.value);
    addText(part, field::type::DimParam, dim.param);
    addText(part, field::type::DimDenotation, dim.denotation);
    addOthers(part, dim.others);
    out.addMessage(field::type::ShapeDim, std::move(part));
  }
  addOthers(out, view.shapeOthers);
  return out;
}

WireMessage Rebuilder::typeContent(const TypeView &view) {
  using Kind = TypeView::Kind;
  WireMessage out = message();
  switch (view.kind) {
  case Kind::None:
    break;
  case Kind::Tensor:
  case Kind::SparseTensor:
    addNumber(out, field::type::TensorElemType, view.elementType);
    if (view.hasShape)
      out.addMessage(field::type::TensorShape, shape(view));
    break;
  case Kind::Sequence:
  case Kind::Optional:
    if (view.element)
      out.addMessage(field::type::ElementElemType, type(*view.element));
    break;
  case Kind::Map:
    addNumber(out, field::type::MapKeyType, view.elementType);
    if (view.element)
      out.addMessage(field::type::MapValueType, type(*view.element));
    break;
  case Kind::Opaque:
    addText(out, field::type::OpaqueDomain, view.opaqueDomain);
    addText(out, field::type::OpaqueName, view.opaqueName);
    break;
  }
  addOthers(out, view.innerOthers);
  return out;
}

WireMessage Rebuilder::type(const TypeView &view) {
  using Kind = TypeView::Kind;
  WireMessage out = message();
  uint32_t number = view.kind == Kind::Tensor ? field::type::Tensor
                    : view.kind == Kind::SparseTensor
                        ? field::type::SparseTensor
                    : view.kind == Kind::Sequence ? field::type::Sequence
                    : view.kind == Kind::Optional ? field::type::Optional
                    : view.kind == Kind::Map      ? field::type::Map
                                                  : field::type::Opaque;
  if (view.kind != Kind::None)
    out.addMessage(number, typeContent(view));
  addText(out, field::type::Denotation, view.denotation);
  addOthers(out, view.others);
  return out;
}

WireMessage Rebuilder::value(const ValueInfoView &view) {
  WireMessage out = message();
  addText(out, field::value::Name, view.name);
  if (view.type)
    out.addMessage(field::value::Type, type(*view.type));
  addText(out, field::value::DocString, view.docString);
  addAll(out, field::value::MetadataProps, view.metadataProps,
         &Rebuilder::entry);
  addOthers(out, view.others);
  return out;
}

WireMessage Rebuilder::annotation(const TensorAnnotationView &view) {
  WireMessage out = message();
  addText(out, field::annotation::TensorName, view.tensorName);
  addAll(out, field::annotation::QuantParameterTensorNames,
         view.quantParameterTensorNames, &Rebuilder::entry);
  addOthers(out, view.others);
  return out;
}

WireMessage Rebuilder::tensor(const TensorView &view) {
  WireMessage out = message();
  out.addInts(field::tensor::Dims, view.dims);
  addNumber(out, field::tensor::DataType, view.dataType);
  addText(out, field::tensor::Name, view.name);
  addText(out, field::tensor::DocString, view.docString);
  if (view.rawData)
    out.addString(field::tensor::RawData, *view.rawData);
  out.addStrings(field::tensor::StringData, view.stringData);
  addNumber(out, field::tensor::DataLocation, view.dataLocation);
  addAll(out, field::tensor::ExternalData, view.externalData,
         &Rebuilder::entry);
  addAll(out, field::tensor::MetadataProps, view.metadataProps,
         &Rebuilder::entry);
  // Typed values are copied in place.
  WireInput input(view.payload, "");
  FieldPath path;
  WireReader reader(input, view.payload, path);
  while (reader.next())
    if (reader.getNumber() < 32 && view.hasTypedData(reader.getNumber()))
      out.addVerbatim(reader.getWhole());
  llvm::cantFail(input.takeError());
  addOthers(out, view.others);
  return out;
}

WireMessage Rebuilder::sparse(const SparseTensorView &view) {
  WireMessage out = message();
  if (view.values)
    out.addMessage(field::sparse::Values, tensor(*view.values));
  if (view.indices)
    out.addMessage(field::sparse::Indices, tensor(*view.indices));
  out.addInts(field::sparse::Dims, view.dims);
  addOthers(out, view.others);
  return out;
}

WireMessage Rebuilder::attribute(const AttributeView &view) {
  using namespace field::attribute;
  using Kind = AttributeKind;
  WireMessage out = message();
  addText(out, Name, view.name);
  addText(out, DocString, view.docString);
  addText(out, RefAttrName, view.refAttrName);
  addNumber(out, Type, int64_t(view.kind));
  Kind kind = view.kind;
  out.addFloats(kind == Kind::Float ? F : Floats, view.floats);
  out.addInts(kind == Kind::Int ? I : Ints, view.ints);
  out.addStrings(kind == Kind::String ? S : Strings, view.strings);
  addAll(out, kind == Kind::Tensor ? T : Tensors, view.tensors,
         &Rebuilder::tensor);
  addAll(out, kind == Kind::Graph ? G : Graphs, view.graphs, &Rebuilder::graph);
  addAll(out, kind == Kind::SparseTensor ? SparseTensor : SparseTensors,
         view.sparseTensors, &Rebuilder::sparse);
  addAll(out, kind == Kind::TypeProto ? Tp : TypeProtos, view.types,
         &Rebuilder::type);
  addOthers(out, view.others);
  return out;
}

WireMessage Rebuilder::node(const NodeView &view) {
  using namespace field::node;
  WireMessage out = message();
  out.addStrings(Input, view.inputs);
  out.addStrings(Output, view.outputs);
  addText(out, Name, view.name);
  addText(out, OpType, view.opType);
  addText(out, Domain, view.domain);
  addText(out, Overload, view.overload);
  addText(out, DocString, view.docString);
  addAll(out, Attribute, view.attributes, &Rebuilder::attribute);
  addAll(out, MetadataProps, view.metadataProps, &Rebuilder::entry);
  addOthers(out, view.others);
  return out;
}

WireMessage Rebuilder::graph(const GraphView &view) {
  using namespace field::graph;
  WireMessage out = message();
  addText(out, Name, view.name);
  addText(out, DocString, view.docString);
  addAll(out, Node, view.nodes, &Rebuilder::node);
  addAll(out, Initializer, view.initializers, &Rebuilder::tensor);
  addAll(out, SparseInitializer, view.sparseInitializers, &Rebuilder::sparse);
  addAll(out, Input, view.inputs, &Rebuilder::value);
  addAll(out, Output, view.outputs, &Rebuilder::value);
  addAll(out, ValueInfo, view.valueInfos, &Rebuilder::value);
  addAll(out, QuantizationAnnotation, view.quantizationAnnotations,
         &Rebuilder::annotation);
  addAll(out, MetadataProps, view.metadataProps, &Rebuilder::entry);
  addOthers(out, view.others);
  return out;
}

WireMessage Rebuilder::function(const FunctionView &view) {
  using namespace field::function;
  WireMessage out = message();
  addText(out, Name, view.name);
  addText(out, Domain, view.domain);
  addText(out, Overload, view.overload);
  addText(out, DocString, view.docString);
  out.addStrings(Input, view.inputs);
  out.addStrings(Output, view.outputs);
  out.addStrings(Attribute, view.attributeNames);
  addAll(out, AttributeProto, view.attributeDefaults, &Rebuilder::attribute);
  addAll(out, Node, view.nodes, &Rebuilder::node);
  addAll(out, OpsetImport, view.opsetImports, &Rebuilder::opset);
  addAll(out, ValueInfo, view.valueInfos, &Rebuilder::value);
  addAll(out, MetadataProps, view.metadataProps, &Rebuilder::entry);
  addOthers(out, view.others);
  return out;
}

WireMessage Rebuilder::model(const ModelView &view) {
  using namespace field::model;
  WireMessage out = message();
  addNumber(out, IrVersion, view.irVersion);
  addNumber(out, ModelVersion, view.modelVersion.value_or(0));
  addText(out, ProducerName, view.producerName);
  addText(out, ProducerVersion, view.producerVersion);
  addText(out, Domain, view.domain);
  addText(out, DocString, view.docString);
  out.addMessage(Graph, graph(*view.graph));
  addAll(out, OpsetImport, view.opsetImports, &Rebuilder::opset);
  addAll(out, Functions, view.functions, &Rebuilder::function);
  addAll(out, MetadataProps, view.metadataProps, &Rebuilder::entry);
  addOthers(out, view.others);
  return out;
}

std::string invar::rebuild(const ModelView &model) {
  Rebuilder rebuilder;
  return serialize(rebuilder.model(model));
}

namespace {
struct TensorVisitor {
  const WireModel &model;
  ExternalFiles files{model.getPath()};
  unsigned read = 0;

  void visit(const TensorView *tensor) {
    if (!tensor)
      return;
    llvm::Expected<TensorData> data = readTensor(*tensor, model, files);
    if (data)
      ++read;
    else
      llvm::consumeError(data.takeError());
  }
  void visit(const SparseTensorView &sparse) {
    visit(sparse.values);
    visit(sparse.indices);
  }
  void visit(llvm::ArrayRef<NodeView> nodes) {
    for (const NodeView &node : nodes)
      visit(node.attributes);
  }
  void visit(llvm::ArrayRef<AttributeView> attributes) {
    for (const AttributeView &attribute : attributes) {
      for (const TensorView &tensor : attribute.tensors)
        visit(&tensor);
      for (const SparseTensorView &sparse : attribute.sparseTensors)
        visit(sparse);
      for (const GraphView &graph : attribute.graphs)
        visit(graph);
    }
  }
  void visit(const GraphView &graph) {
    visit(graph.nodes);
    for (const TensorView &tensor : graph.initializers)
      visit(&tensor);
    for (const SparseTensorView &sparse : graph.sparseInitializers)
      visit(sparse);
  }
};
} // namespace

unsigned invar::readAllTensors(const WireModel &model) {
  TensorVisitor visitor{model};
  visitor.visit(*model.getModel().graph);
  for (const FunctionView &function : model.getModel().functions) {
    visitor.visit(function.nodes);
    visitor.visit(function.attributeDefaults);
  }
  return visitor.read;
}
