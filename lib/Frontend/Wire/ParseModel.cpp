// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages that make up a graph: models, functions, graphs and nodes.
#include "Parser.h"

#include "invar/Frontend/Wire/Fields.h"

using namespace invar;

void Parser::failTwice(WireReader &reader, llvm::StringRef name) {
  reader.fail(name, FieldPath::noIndex,
              "expected one message, but got a second one: such parts of a "
              "message are not merged");
}

void Parser::failTooDeep(WireReader &reader, llvm::StringRef name,
                         int64_t index) {
  reader.fail(name, index,
              "expected messages at most " + llvm::Twine(WireInput::maxDepth) +
                  " deep, but got a deeper one");
}

void Parser::parse(ModelView &view, const FieldPath &path) {
  using namespace field::model;
  FieldCounts counts(input, view.payload, path);
  List opsets(*this, view.opsetImports, counts[OpsetImport]);
  List functions(*this, view.functions, counts[Functions]);
  List metadata(*this, view.metadataProps, counts[MetadataProps]);
  Others others;

  WireReader reader(input, view.payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case IrVersion:
      view.irVersion = reader.getInt("ir_version");
      break;
    case ProducerName:
      view.producerName = reader.getBytes("producer_name");
      break;
    case ProducerVersion:
      view.producerVersion = reader.getBytes("producer_version");
      break;
    case Domain:
      view.domain = reader.getBytes("domain");
      break;
    case ModelVersion:
      view.modelVersion = reader.getInt("model_version");
      break;
    case DocString:
      view.docString = reader.getBytes("doc_string");
      break;
    case Graph:
      addMessage(reader, "graph", view.graph);
      break;
    case OpsetImport:
      addMessage(reader, "opset_import", opsets);
      break;
    case MetadataProps:
      addMessage(reader, "metadata_props", metadata);
      break;
    case Functions:
      addMessage(reader, "functions", functions);
      break;
    default:
      others.add(reader.getWhole());
    }
  view.others = others.keep(*this);
  if (!view.graph)
    input.fail(path, "expected a field 'graph', but got none",
               view.payload.end());
}

void Parser::parse(GraphView &view, const FieldPath &path) {
  using namespace field::graph;
  FieldCounts counts(input, view.payload, path);
  List nodes(*this, view.nodes, counts[Node]);
  List initializers(*this, view.initializers, counts[Initializer]);
  List sparse(*this, view.sparseInitializers, counts[SparseInitializer]);
  List inputs(*this, view.inputs, counts[Input]);
  List outputs(*this, view.outputs, counts[Output]);
  List values(*this, view.valueInfos, counts[ValueInfo]);
  List annotations(*this, view.quantizationAnnotations,
                   counts[QuantizationAnnotation]);
  List metadata(*this, view.metadataProps, counts[MetadataProps]);
  Others others;

  WireReader reader(input, view.payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case Node:
      addMessage(reader, "node", nodes);
      break;
    case Name:
      view.name = reader.getBytes("name");
      break;
    case Initializer:
      addMessage(reader, "initializer", initializers);
      break;
    case DocString:
      view.docString = reader.getBytes("doc_string");
      break;
    case Input:
      addMessage(reader, "input", inputs);
      break;
    case Output:
      addMessage(reader, "output", outputs);
      break;
    case ValueInfo:
      addMessage(reader, "value_info", values);
      break;
    case QuantizationAnnotation:
      addMessage(reader, "quantization_annotation", annotations);
      break;
    case SparseInitializer:
      addMessage(reader, "sparse_initializer", sparse);
      break;
    case MetadataProps:
      addMessage(reader, "metadata_props", metadata);
      break;
    default:
      others.add(reader.getWhole());
    }
  view.others = others.keep(*this);
}

void Parser::parse(FunctionView &view, const FieldPath &path) {
  using namespace field::function;
  FieldCounts counts(input, view.payload, path);
  List inputs(*this, view.inputs, counts[Input]);
  List outputs(*this, view.outputs, counts[Output]);
  List names(*this, view.attributeNames, counts[Attribute]);
  List defaults(*this, view.attributeDefaults, counts[AttributeProto]);
  List nodes(*this, view.nodes, counts[Node]);
  List opsets(*this, view.opsetImports, counts[OpsetImport]);
  List values(*this, view.valueInfos, counts[ValueInfo]);
  List metadata(*this, view.metadataProps, counts[MetadataProps]);
  Others others;

  WireReader reader(input, view.payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case Name:
      view.name = reader.getBytes("name");
      break;
    case Input:
      addString(reader, "input", inputs);
      break;
    case Output:
      addString(reader, "output", outputs);
      break;
    case Attribute:
      addString(reader, "attribute", names);
      break;
    case Node:
      addMessage(reader, "node", nodes);
      break;
    case DocString:
      view.docString = reader.getBytes("doc_string");
      break;
    case OpsetImport:
      addMessage(reader, "opset_import", opsets);
      break;
    case Domain:
      view.domain = reader.getBytes("domain");
      break;
    case AttributeProto:
      addMessage(reader, "attribute_proto", defaults);
      break;
    case ValueInfo:
      addMessage(reader, "value_info", values);
      break;
    case Overload:
      view.overload = reader.getBytes("overload");
      break;
    case MetadataProps:
      addMessage(reader, "metadata_props", metadata);
      break;
    default:
      others.add(reader.getWhole());
    }
  view.others = others.keep(*this);
}

void Parser::parse(NodeView &view, const FieldPath &path) {
  using namespace field::node;
  FieldCounts counts(input, view.payload, path);
  List inputs(*this, view.inputs, counts[Input]);
  List outputs(*this, view.outputs, counts[Output]);
  List attributes(*this, view.attributes, counts[Attribute]);
  List metadata(*this, view.metadataProps, counts[MetadataProps]);
  Others others;

  WireReader reader(input, view.payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case Input:
      addString(reader, "input", inputs);
      break;
    case Output:
      addString(reader, "output", outputs);
      break;
    case Name:
      view.name = reader.getBytes("name");
      break;
    case OpType:
      view.opType = reader.getBytes("op_type");
      break;
    case Attribute:
      addMessage(reader, "attribute", attributes);
      break;
    case DocString:
      view.docString = reader.getBytes("doc_string");
      break;
    case Domain:
      view.domain = reader.getBytes("domain");
      break;
    case Overload:
      view.overload = reader.getBytes("overload");
      break;
    case MetadataProps:
      addMessage(reader, "metadata_props", metadata);
      break;
    default:
      others.add(reader.getWhole());
    }
  view.others = others.keep(*this);
}

void Parser::parse(OperatorSetView &view, const FieldPath &path) {
  using namespace field::opset;
  Others others;
  WireReader reader(input, view.payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case Domain:
      view.domain = reader.getBytes("domain");
      break;
    case Version:
      view.version = reader.getInt("version");
      break;
    default:
      others.add(reader.getWhole());
    }
  view.others = others.keep(*this);
}

void Parser::parse(EntryView &view, const FieldPath &path) {
  using namespace field::entry;
  Others others;
  WireReader reader(input, view.payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case Key:
      view.key = reader.getBytes("key");
      break;
    case Value:
      view.value = reader.getBytes("value");
      break;
    default:
      others.add(reader.getWhole());
    }
  view.others = others.keep(*this);
}
