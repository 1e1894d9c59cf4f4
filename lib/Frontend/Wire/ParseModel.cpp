// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the messages that make up a graph: models, functions, graphs and nodes.
#include "Parser.h"

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
  Rows rows{
      row<IrVersion>(view.irVersion),
      row<ProducerName>(view.producerName),
      row<ProducerVersion>(view.producerVersion),
      row<Domain>(view.domain),
      row<ModelVersion>(view.modelVersion),
      row<DocString>(view.docString),
      row<Graph>(view.graph),
      row<OpsetImport>(view.opsetImports),
      row<MetadataProps>(view.metadataProps),
      row<Functions>(view.functions),
  };
  read(view, path, rows);
  if (!view.graph)
    input.fail(path, "expected a field 'graph', but got none",
               view.payload.end());
}

void Parser::parse(GraphView &view, const FieldPath &path) {
  using namespace field::graph;
  Rows rows{
      row<Node>(view.nodes),
      row<Name>(view.name),
      row<Initializer>(view.initializers),
      row<DocString>(view.docString),
      row<Input>(view.inputs),
      row<Output>(view.outputs),
      row<ValueInfo>(view.valueInfos),
      row<QuantizationAnnotation>(view.quantizationAnnotations),
      row<SparseInitializer>(view.sparseInitializers),
      row<MetadataProps>(view.metadataProps),
  };
  read(view, path, rows);
}

void Parser::parse(FunctionView &view, const FieldPath &path) {
  using namespace field::function;
  Rows rows{
      row<Name>(view.name),
      row<Input>(view.inputs),
      row<Output>(view.outputs),
      row<Attribute>(view.attributeNames),
      row<Node>(view.nodes),
      row<DocString>(view.docString),
      row<OpsetImport>(view.opsetImports),
      row<Domain>(view.domain),
      row<AttributeProto>(view.attributeDefaults),
      row<ValueInfo>(view.valueInfos),
      row<Overload>(view.overload),
      row<MetadataProps>(view.metadataProps),
  };
  read(view, path, rows);
}

void Parser::parse(NodeView &view, const FieldPath &path) {
  using namespace field::node;
  Rows rows{
      row<Input>(view.inputs),
      row<Output>(view.outputs),
      row<Name>(view.name),
      row<OpType>(view.opType),
      row<Attribute>(view.attributes),
      row<DocString>(view.docString),
      row<Domain>(view.domain),
      row<Overload>(view.overload),
      row<MetadataProps>(view.metadataProps),
  };
  read(view, path, rows);
}

void Parser::parse(OperatorSetView &view, const FieldPath &path) {
  using namespace field::opset;
  Rows rows{
      row<Domain>(view.domain),
      row<Version>(view.version),
  };
  read(view, path, rows);
}

void Parser::parse(EntryView &view, const FieldPath &path) {
  using namespace field::entry;
  Rows rows{
      row<Key>(view.key),
      row<Value>(view.value),
  };
  read(view, path, rows);
}
