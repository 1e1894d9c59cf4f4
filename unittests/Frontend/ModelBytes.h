// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short descriptions of models, converted to the bytes of a model file:
//
//   std::string bytes = makeModel(
//       {.nodes = {{"Add", "x w", "s"}, {"Relu", "s", "y"}}, .weights = "w"});
//
// Lists are words; `_` is an omitted name. All values are float[2], except the bool
// `cond`.
#ifndef INVAR_UNITTESTS_FRONTEND_MODELBYTES_H
#define INVAR_UNITTESTS_FRONTEND_MODELBYTES_H

#include "Wire/Rebuild.h"
#include "invar/Elements/DataType.h"
#include "invar/Frontend/Wire/Fields.h"
#include "llvm/ADT/StringExtras.h"
#include <vector>

namespace invar::testing {

struct GraphAttribute;

struct NodeText {
  std::string type;
  std::string inputs;
  std::string outputs;
  std::vector<GraphAttribute> graphs;
  std::string domain = "";
  std::string name = "";
};

struct GraphText {
  std::vector<NodeText> nodes;
  std::string inputs = "x";
  std::string outputs = "y";
  std::string weights = "";
  std::string infos = "";
};

struct GraphAttribute {
  std::string name;
  GraphText body;
};

struct ModelText {
  std::vector<NodeText> nodes;
  std::string inputs = "x";
  std::string outputs = "y";
  std::string weights = "";
  std::string infos = "";
  int64_t opset = 17;
  int64_t ir = 8;
};

inline std::vector<llvm::StringRef> words(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::SplitString(text, parts);
  for (llvm::StringRef &part : parts)
    if (part == "_")
      part = "";
  return {parts.begin(), parts.end()};
}

inline WireMessage makeGraph(WireWriter &writer, const GraphText &text) {
  WireMessage graph(writer);
  for (const NodeText &node : text.nodes) {
    WireMessage message(writer);
    message.addStrings(field::node::Input, words(node.inputs));
    message.addStrings(field::node::Output, words(node.outputs));
    if (!node.name.empty())
      message.addString(field::node::Name, node.name);
    message.addString(field::node::OpType, node.type);
    for (auto &[name, body] : node.graphs) {
      WireMessage attribute(writer);
      attribute.addString(field::attribute::Name, name);
      attribute.addMessage(field::attribute::G, makeGraph(writer, body));
      attribute.addInt(field::attribute::Type, int64_t(AttributeKind::Graph));
      message.addMessage(field::node::Attribute, std::move(attribute));
    }
    if (!node.domain.empty())
      message.addString(field::node::Domain, node.domain);
    graph.addMessage(field::graph::Node, std::move(message));
  }
  graph.addString(field::graph::Name, "g");
  for (llvm::StringRef name : words(text.weights)) {
    WireMessage tensor(writer);
    tensor.addInts(field::tensor::Dims, 2);
    tensor.addInt(field::tensor::DataType, int64_t(DataType::Float32));
    tensor.addPackedFloats(field::tensor::FloatData, {1, 2});
    tensor.addString(field::tensor::Name, name);
    graph.addMessage(field::graph::Initializer, std::move(tensor));
  }
  auto addInfos = [&](uint32_t field, llvm::StringRef names) {
    for (llvm::StringRef name : words(names)) {
      WireMessage dim(writer), shape(writer), tensor(writer), type(writer),
          info(writer);
      dim.addInt(field::type::DimValue, 2);
      if (name != "cond")
        shape.addMessage(field::type::ShapeDim, std::move(dim));
      DataType element = name == "cond" ? DataType::Bool : DataType::Float32;
      tensor.addInt(field::type::TensorElemType, int64_t(element));
      tensor.addMessage(field::type::TensorShape, std::move(shape));
      type.addMessage(field::type::Tensor, std::move(tensor));
      info.addString(field::value::Name, name);
      info.addMessage(field::value::Type, std::move(type));
      graph.addMessage(field, std::move(info));
    }
  };
  addInfos(field::graph::Input, text.inputs);
  addInfos(field::graph::Output, text.outputs);
  addInfos(field::graph::ValueInfo, text.infos);
  return graph;
}

inline std::string makeModel(const ModelText &text) {
  WireWriter writer;
  WireMessage model(writer), opset(writer);
  model.addInt(field::model::IrVersion, text.ir);
  model.addMessage(field::model::Graph,
                   makeGraph(writer, {text.nodes, text.inputs, text.outputs,
                                      text.weights, text.infos}));
  opset.addString(field::opset::Domain, "");
  opset.addInt(field::opset::Version, text.opset);
  model.addMessage(field::model::OpsetImport, std::move(opset));
  return serialize(std::move(model));
}

} // namespace invar::testing

#endif // INVAR_UNITTESTS_FRONTEND_MODELBYTES_H
