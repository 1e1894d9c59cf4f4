// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rebuild.h"
#include "invar/Elements/DataType.h"
#include "invar/Frontend/Wire/Fields.h"

using namespace invar;

namespace {
class Sample {
public:
  WireMessage model();

private:
  WireMessage message() { return WireMessage(writer); }
  WireMessage entry(llvm::StringRef key, llvm::StringRef value);
  WireMessage opset(llvm::StringRef domain, int64_t version);
  WireMessage tensorType(bool sparse);
  WireMessage nested(uint32_t field, WireMessage element);
  WireMessage value(llvm::StringRef name, WireMessage type);
  WireMessage tensor(DataType type, llvm::ArrayRef<int64_t> dims,
                     llvm::StringRef name);
  WireMessage floatTensor(llvm::StringRef name);
  WireMessage sparseTensor();
  WireMessage attribute(llvm::StringRef name, AttributeKind kind);
  WireMessage node();
  WireMessage subgraph();
  WireMessage graph();
  WireMessage function();
  void addTensors(WireMessage &graph);
  void addValues(WireMessage &graph);

  WireWriter writer;
};
} // namespace

/// A field that no version of ONNX has.
static constexpr uint32_t futureField = 1000;

WireMessage Sample::entry(llvm::StringRef key, llvm::StringRef value) {
  WireMessage out = message();
  out.addString(field::entry::Key, key);
  out.addString(field::entry::Value, value);
  return out;
}

WireMessage Sample::opset(llvm::StringRef domain, int64_t version) {
  WireMessage out = message();
  if (!domain.empty())
    out.addString(field::opset::Domain, domain);
  out.addInt(field::opset::Version, version);
  return out;
}

WireMessage Sample::tensorType(bool sparse) {
  using namespace field::type;
  WireMessage known = message(), named = message(), shape = message();
  known.addInt(DimValue, 2);
  known.addString(DimDenotation, "DATA_BATCH");
  named.addString(DimParam, "n");
  named.addInt(futureField, 1);
  shape.addMessage(ShapeDim, std::move(known));
  shape.addMessage(ShapeDim, std::move(named));
  shape.addMessage(ShapeDim, message());
  WireMessage tensor = message(), out = message();
  tensor.addInt(TensorElemType, int64_t(DataType::Float32));
  tensor.addMessage(TensorShape, std::move(shape));
  tensor.addInt(futureField, 2);
  out.addMessage(sparse ? SparseTensor : Tensor, std::move(tensor));
  out.addString(Denotation, "IMAGE");
  return out;
}

/// A sequence, optional or map of `element`.
WireMessage Sample::nested(uint32_t field, WireMessage element) {
  WireMessage inner = message(), out = message();
  if (field == field::type::Map)
    inner.addInt(field::type::MapKeyType, int64_t(DataType::Int64));
  inner.addMessage(field == field::type::Map ? field::type::MapValueType
                                             : field::type::ElementElemType,
                   std::move(element));
  out.addMessage(field, std::move(inner));
  return out;
}

WireMessage Sample::value(llvm::StringRef name, WireMessage type) {
  WireMessage out = message();
  out.addString(field::value::Name, name);
  out.addMessage(field::value::Type, std::move(type));
  out.addString(field::value::DocString, "a value");
  out.addMessage(field::value::MetadataProps, entry("k", "v"));
  return out;
}

WireMessage Sample::tensor(DataType type, llvm::ArrayRef<int64_t> dims,
                           llvm::StringRef name) {
  WireMessage out = message();
  out.addInts(field::tensor::Dims, dims);
  out.addInt(field::tensor::DataType, int64_t(type));
  if (!name.empty())
    out.addString(field::tensor::Name, name);
  return out;
}

WireMessage Sample::floatTensor(llvm::StringRef name) {
  WireMessage out = tensor(DataType::Float32, {2, 1}, name);
  out.addString(field::tensor::RawData,
                llvm::StringRef("\0\0\x80\x3f\0\0\0\0", 8));
  return out;
}

WireMessage Sample::sparseTensor() {
  WireMessage indices = tensor(DataType::Int64, {2}, "");
  indices.addPackedInts(field::tensor::Int64Data, {1, 300});
  WireMessage values = tensor(DataType::Float32, {2}, "sparse");
  values.addPackedFloats(field::tensor::FloatData, {1, -1});
  WireMessage out = message();
  out.addMessage(field::sparse::Values, std::move(values));
  out.addMessage(field::sparse::Indices, std::move(indices));
  out.addInts(field::sparse::Dims, {20, 20});
  return out;
}

WireMessage Sample::attribute(llvm::StringRef name, AttributeKind kind) {
  using namespace field::attribute;
  WireMessage out = message();
  out.addString(Name, name);
  out.addInt(Type, int64_t(kind));
  switch (kind) {
  case AttributeKind::Undefined:
    break;
  case AttributeKind::Float:
    out.addFloat(F, 0.5);
    break;
  case AttributeKind::Int:
    out.addInt(I, -7);
    break;
  case AttributeKind::String:
    out.addString(S, "text");
    break;
  case AttributeKind::Tensor:
    out.addMessage(T, floatTensor("t"));
    break;
  case AttributeKind::Graph:
    out.addMessage(G, subgraph());
    break;
  case AttributeKind::Floats:
    out.addFloats(Floats, {1, 2});
    break;
  case AttributeKind::Ints:
    out.addPackedInts(Ints, {1, -1});
    out.addInts(Ints, {int64_t(1) << 40});
    break;
  case AttributeKind::Strings:
    out.addStrings(Strings, {"a", "", "c"});
    break;
  case AttributeKind::Tensors:
    out.addMessage(Tensors, floatTensor("first"));
    out.addMessage(Tensors, floatTensor("second"));
    break;
  case AttributeKind::Graphs:
    out.addMessage(Graphs, subgraph());
    break;
  case AttributeKind::SparseTensor:
    out.addMessage(field::attribute::SparseTensor, sparseTensor());
    break;
  case AttributeKind::SparseTensors:
    out.addMessage(SparseTensors, sparseTensor());
    break;
  case AttributeKind::TypeProto:
    out.addMessage(Tp, tensorType(false));
    break;
  case AttributeKind::TypeProtos:
    out.addMessage(TypeProtos, tensorType(true));
    break;
  }
  return out;
}

WireMessage Sample::subgraph() {
  WireMessage out = message();
  out.addString(field::graph::Name, "inner");
  WireMessage node = message();
  node.addStrings(field::node::Output, {"y"});
  node.addString(field::node::OpType, "Constant");
  node.addMessage(field::node::Attribute,
                  attribute("value", AttributeKind::Tensor));
  out.addMessage(field::graph::Node, std::move(node));
  return out;
}

WireMessage Sample::node() {
  using namespace field::node;
  WireMessage out = message();
  out.addStrings(Input, {"x", "", "w"});
  out.addStrings(Output, {"y"});
  out.addString(Name, "node1");
  out.addString(OpType, "Everything");
  out.addString(Domain, "com.example");
  out.addString(Overload, "two");
  out.addString(DocString, "doc");
  for (int kind = 1; kind <= 14; ++kind)
    out.addMessage(Attribute,
                   attribute("a" + std::to_string(kind), AttributeKind(kind)));
  out.addMessage(MetadataProps, entry("key", "value"));
  WireMessage configuration = message();
  configuration.addString(1, "all");
  out.addMessage(DeviceConfigurations, std::move(configuration));
  return out;
}

void Sample::addTensors(WireMessage &graph) {
  using field::graph::Initializer;
  using field::tensor::DataLocation, field::tensor::DoubleData,
      field::tensor::ExternalData, field::tensor::Int32Data,
      field::tensor::StringData, field::tensor::UInt64Data;
  graph.addMessage(Initializer, floatTensor("w"));
  auto addInts = [&](DataType type, llvm::ArrayRef<int64_t> dims,
                     llvm::ArrayRef<int64_t> values) {
    WireMessage made = tensor(type, dims, getName(type));
    made.addPackedInts(Int32Data, values);
    graph.addMessage(Initializer, std::move(made));
  };
  addInts(DataType::Int32, {3}, {1, -1, INT32_MIN});
  addInts(DataType::Int4, {3}, {0x21, 0x03});
  addInts(DataType::Float6E2M3, {2}, {63, 1});
  addInts(DataType::Bool, {}, {1});
  WireMessage strings = tensor(DataType::String, {2}, "s");
  strings.addStrings(StringData, {"one", ""});
  graph.addMessage(Initializer, std::move(strings));
  WireMessage doubles = tensor(DataType::Complex128, {1}, "d");
  doubles.addDouble(DoubleData, 1);
  doubles.addDouble(DoubleData, 2);
  graph.addMessage(Initializer, std::move(doubles));
  WireMessage unsigneds = tensor(DataType::UInt64, {1}, "u");
  unsigneds.addPackedInts(UInt64Data, {-1});
  graph.addMessage(Initializer, std::move(unsigneds));
  WireMessage external = tensor(DataType::Float32, {2}, "e");
  external.addInt(DataLocation, 1);
  for (auto [key, text] : {std::pair("location", "weights.bin"),
                           {"offset", "4096"},
                           {"length", "8"}})
    external.addMessage(ExternalData, entry(key, text));
  graph.addMessage(Initializer, std::move(external));
  graph.addMessage(field::graph::SparseInitializer, sparseTensor());
}

void Sample::addValues(WireMessage &graph) {
  using namespace field::type;
  WireMessage opaque = message(), opaqueType = message();
  opaque.addString(OpaqueDomain, "com.example");
  opaque.addString(OpaqueName, "Handle");
  opaqueType.addMessage(Opaque, std::move(opaque));
  graph.addMessage(field::graph::Input, value("x", tensorType(false)));
  graph.addMessage(field::graph::Input,
                   value("m", nested(Map, tensorType(false))));
  graph.addMessage(
      field::graph::Output,
      value("y", nested(Optional, nested(Sequence, tensorType(true)))));
  graph.addMessage(field::graph::ValueInfo, value("o", std::move(opaqueType)));
}

WireMessage Sample::graph() {
  using namespace field::graph;
  WireMessage out = message();
  out.addMessage(Node, node());
  out.addString(Name, "main");
  addTensors(out);
  out.addString(DocString, "graph doc");
  addValues(out);
  WireMessage annotation = message();
  annotation.addString(field::annotation::TensorName, "w");
  annotation.addMessage(field::annotation::QuantParameterTensorNames,
                        entry("SCALE_TENSOR", "s"));
  out.addMessage(QuantizationAnnotation, std::move(annotation));
  out.addMessage(MetadataProps, entry("k", "v"));
  return out;
}

WireMessage Sample::function() {
  using namespace field::function;
  WireMessage out = message();
  out.addString(Name, "Everything");
  out.addString(Domain, "com.example");
  out.addString(Overload, "two");
  out.addStrings(Input, {"x"});
  out.addStrings(Output, {"y"});
  out.addStrings(Attribute, {"axis"});
  out.addMessage(AttributeProto, attribute("keep", AttributeKind::Int));
  WireMessage body = message(), reference = message();
  reference.addString(field::attribute::Name, "axis");
  reference.addString(field::attribute::RefAttrName, "axis");
  reference.addInt(field::attribute::Type, int64_t(AttributeKind::Int));
  body.addString(field::node::OpType, "Softmax");
  body.addMessage(field::node::Attribute, std::move(reference));
  out.addMessage(Node, std::move(body));
  out.addMessage(OpsetImport, opset("", 20));
  out.addMessage(ValueInfo, value("x", tensorType(false)));
  out.addMessage(MetadataProps, entry("k", "v"));
  return out;
}

WireMessage Sample::model() {
  using namespace field::model;
  WireMessage out = message();
  out.addInt(IrVersion, 10);
  out.addString(ProducerName, "sample");
  out.addString(ProducerVersion, "1");
  out.addString(Domain, "com.example");
  out.addInt(ModelVersion, 3);
  out.addString(DocString, "doc");
  out.addMessage(Graph, graph());
  out.addMessage(OpsetImport, opset("", 21));
  out.addMessage(OpsetImport, opset("com.example", 1));
  out.addMessage(MetadataProps, entry("author", "me"));
  WireMessage training = message();
  training.addMessage(3, entry("x", "y"));
  out.addMessage(TrainingInfo, std::move(training));
  out.addMessage(Functions, function());
  out.addString(futureField, "later");
  return out;
}

std::string invar::makeSampleModel() {
  Sample sample;
  return serialize(sample.model());
}
