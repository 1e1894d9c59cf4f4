// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Wire/WireModel.h"

#include "Rebuild.h"
#include "invar/Frontend/Wire/Fields.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"

using namespace invar;

static std::string parseError(llvm::StringRef bytes) {
  auto model = WireModel::parse(bytes, "m.onnx");
  EXPECT_FALSE(bool(model));
  return model ? "" : describe(model.takeError()).second;
}

/// A model with one node that has one attribute, which `fill` fills in.
static std::string
makeModel(llvm::function_ref<void(WireMessage &, WireWriter &)> fill) {
  WireWriter writer;
  WireMessage attribute(writer), node(writer), graph(writer), model(writer);
  attribute.addString(field::attribute::Name, "a");
  fill(attribute, writer);
  node.addMessage(field::node::Attribute, std::move(attribute));
  graph.addMessage(field::graph::Node, std::move(node));
  model.addMessage(field::model::Graph, std::move(graph));
  return serialize(std::move(model));
}

static const AttributeView &attributeOf(const WireModel &model) {
  return model.getModel().graph->nodes[0].attributes[0];
}

TEST(WireModel, SeesEveryField) {
  std::string bytes = makeSampleModel();
  auto parsed = llvm::cantFail(WireModel::parse(bytes, "m.onnx"));
  const ModelView &model = parsed->getModel();
  EXPECT_EQ(model.irVersion, 10);
  EXPECT_EQ(model.modelVersion, 3);
  EXPECT_EQ(model.producerName, "sample");
  EXPECT_EQ(model.producerVersion, "1");
  EXPECT_EQ(model.domain, "com.example");
  EXPECT_EQ(model.docString, "doc");
  ASSERT_EQ(model.opsetImports.size(), 2u);
  EXPECT_EQ(model.opsetImports[0].version, 21);
  EXPECT_EQ(model.opsetImports[1].domain, "com.example");
  EXPECT_EQ(model.metadataProps[0].key, "author");
  EXPECT_EQ(model.others.size(), 2u); // training info; the future field

  const GraphView &graph = *model.graph;
  EXPECT_EQ(graph.name, "main");
  EXPECT_EQ(graph.docString, "graph doc");
  EXPECT_EQ(graph.initializers.size(), 9u);
  EXPECT_EQ(graph.sparseInitializers[0].dims,
            (llvm::ArrayRef<int64_t>{20, 20}));
  EXPECT_EQ(graph.sparseInitializers[0].values->name, "sparse");
  EXPECT_EQ(graph.quantizationAnnotations[0].tensorName, "w");
  EXPECT_EQ(graph.quantizationAnnotations[0].quantParameterTensorNames[0].value,
            "s");

  const NodeView &node = graph.nodes[0];
  EXPECT_EQ(node.inputs, (llvm::ArrayRef<llvm::StringRef>{"x", "", "w"}));
  EXPECT_EQ(node.outputs, llvm::ArrayRef<llvm::StringRef>{"y"});
  EXPECT_EQ(node.name, "node1");
  EXPECT_EQ(node.opType, "Everything");
  EXPECT_EQ(node.domain, "com.example");
  EXPECT_EQ(node.overload, "two");
  EXPECT_EQ(node.docString, "doc");
  ASSERT_EQ(node.others.size(), 1u); // the device configuration
  EXPECT_EQ(node.others[0], "\x52\x05\x0a\x03"
                            "all");
  ASSERT_EQ(model.functions.size(), 1u);
  const FunctionView &function = model.functions[0];
  EXPECT_EQ(function.attributeNames[0], "axis");
  EXPECT_EQ(function.attributeDefaults[0].ints[0], -7);
  EXPECT_EQ(function.nodes[0].attributes[0].refAttrName, "axis");
  EXPECT_EQ(function.nodes[0].attributes[0].kind, AttributeKind::Int);
  EXPECT_TRUE(function.nodes[0].attributes[0].ints.empty());
}

TEST(WireModel, SeesEveryKindOfAttribute) {
  std::string bytes = makeSampleModel();
  auto parsed = llvm::cantFail(WireModel::parse(bytes, "m.onnx"));
  llvm::ArrayRef<AttributeView> attributes =
      parsed->getModel().graph->nodes[0].attributes;
  ASSERT_EQ(attributes.size(), 14u);
  for (auto [i, attribute] : llvm::enumerate(attributes))
    EXPECT_EQ(attribute.kind, AttributeKind(i + 1));
  EXPECT_EQ(attributes[0].floats, llvm::ArrayRef<float>{0.5});
  EXPECT_EQ(attributes[1].ints, llvm::ArrayRef<int64_t>{-7});
  EXPECT_EQ(attributes[2].strings, llvm::ArrayRef<llvm::StringRef>{"text"});
  EXPECT_EQ(attributes[3].tensors[0].name, "t");
  EXPECT_EQ(attributes[4].graphs[0].nodes[0].opType, "Constant");
  EXPECT_EQ(attributes[5].floats, (llvm::ArrayRef<float>{1, 2}));
  EXPECT_EQ(attributes[6].ints,
            (llvm::ArrayRef<int64_t>{1, -1, int64_t(1) << 40}));
  EXPECT_EQ(attributes[7].strings.size(), 3u);
  EXPECT_EQ(attributes[8].tensors[1].name, "second");
  EXPECT_EQ(attributes[9].graphs.size(), 1u);
  EXPECT_EQ(attributes[10].sparseTensors[0].indices->dims[0], 2);
  EXPECT_EQ(attributes[11].sparseTensors.size(), 1u);
  EXPECT_EQ(attributes[12].types[0].kind, TypeView::Kind::Tensor);
  EXPECT_EQ(attributes[13].types[0].kind, TypeView::Kind::SparseTensor);
}

TEST(WireModel, SeesTypes) {
  std::string bytes = makeSampleModel();
  auto parsed = llvm::cantFail(WireModel::parse(bytes, "m.onnx"));
  const GraphView &graph = *parsed->getModel().graph;
  const TypeView &tensor = *graph.inputs[0].type;
  EXPECT_EQ(tensor.elementType, 1);
  EXPECT_EQ(tensor.denotation, "IMAGE");
  ASSERT_TRUE(tensor.hasShape);
  ASSERT_EQ(tensor.dims.size(), 3u);
  EXPECT_EQ(tensor.dims[0].value, 2);
  EXPECT_EQ(tensor.dims[0].denotation, "DATA_BATCH");
  EXPECT_EQ(tensor.dims[1].param, "n");
  EXPECT_FALSE(tensor.dims[1].value);
  EXPECT_EQ(tensor.dims[1].others.size(), 1u);
  EXPECT_EQ(tensor.innerOthers.size(), 1u);
  EXPECT_TRUE(tensor.dims[2].param.empty());
  const TypeView &map = *graph.inputs[1].type;
  EXPECT_EQ(map.kind, TypeView::Kind::Map);
  EXPECT_EQ(map.elementType, 7);
  EXPECT_EQ(map.element->kind, TypeView::Kind::Tensor);
  const TypeView &optional = *graph.outputs[0].type;
  EXPECT_EQ(optional.kind, TypeView::Kind::Optional);
  EXPECT_EQ(optional.element->kind, TypeView::Kind::Sequence);
  EXPECT_EQ(optional.element->element->kind, TypeView::Kind::SparseTensor);
  EXPECT_EQ(graph.valueInfos[0].type->opaqueName, "Handle");
}

TEST(WireModel, EachViewRemembersItsBytes) {
  std::string bytes = makeSampleModel();
  auto parsed = llvm::cantFail(WireModel::parse(bytes, "m.onnx"));
  const ModelView &model = parsed->getModel();
  EXPECT_EQ(model.whole, bytes);
  const NodeView &node = model.graph->nodes[0];
  EXPECT_TRUE(node.whole.ends_with(node.payload));
  EXPECT_EQ(node.whole.front(), '\x0a'); // graph.node is field 1
  EXPECT_EQ(node.whole.size(),
            node.payload.size() + 3); // tag and two bytes of length
  EXPECT_EQ(node.whole.begin(), model.graph->payload.begin());
}

TEST(WireModel, RebuildingLosesNothing) {
  std::string bytes = makeSampleModel();
  auto model = llvm::cantFail(WireModel::parse(bytes, "m.onnx"));
  std::string rebuilt = rebuild(model->getModel());
  auto again = llvm::cantFail(WireModel::parse(rebuilt, "m.onnx"));
  EXPECT_EQ(rebuild(again->getModel()), rebuilt);
  EXPECT_EQ(readAllTensors(*again), readAllTensors(*model));
  // The order of fields changes, and two packed ints (tag, length and eleven bytes)
  // become two fields with a tag each; no other byte is added or removed.
  EXPECT_EQ(rebuilt.size(), bytes.size());
}

TEST(WireModel, NoPrefixCrashes) {
  std::string bytes = makeSampleModel();
  unsigned whole = 0;
  for (size_t size = 1; size != bytes.size(); ++size) {
    // A separate copy, so that a sanitizer detects reads past the end.
    std::string prefix = bytes.substr(0, size);
    prefix.shrink_to_fit();
    auto model = WireModel::parse(prefix, "m.onnx");
    if (model) {
      ++whole; // cut between two fields of the model
      readAllTensors(**model);
      continue;
    }
    std::string text = describe(model.takeError()).second;
    EXPECT_EQ(text.find("m.onnx: "), 0u) << text;
    EXPECT_NE(text.find(" at byte "), std::string::npos) << text;
  }
  EXPECT_EQ(whole, 6u);
}

TEST(WireModel, NoFlippedBitCrashes) {
  std::string bytes = makeSampleModel();
  unsigned failures = 0;
  for (size_t i = 0; i != bytes.size(); ++i)
    for (unsigned char flip : {0x01, 0x02, 0x08, 0x80, 0xff}) {
      std::string broken = bytes;
      broken[i] = char(broken[i] ^ flip);
      auto model = WireModel::parse(broken, "m.onnx");
      if (model) {
        readAllTensors(**model);
        continue;
      }
      ++failures;
      std::string text = describe(model.takeError()).second;
      EXPECT_EQ(text.find("m.onnx: "), 0u) << text;
      EXPECT_NE(text.find(" at byte "), std::string::npos) << text;
    }
  EXPECT_GT(failures, bytes.size());
}

TEST(WireModel, NamesTheFieldOfAWrongType) {
  EXPECT_EQ(parseError(makeModel([](WireMessage &attribute, WireWriter &) {
              attribute.addFloat(field::attribute::Ints, 1);
            })),
            "m.onnx: graph.node[0].attribute[0].ints: expected a packed list "
            "or a varint, but got wire type 5 at byte 9");
  EXPECT_EQ(parseError("\x3a\x02\x08\x01"),
            "m.onnx: graph.node[0]: expected a length and bytes, but got wire "
            "type 0 at byte 2");
  EXPECT_EQ(parseError("\x08\x08"),
            "m.onnx: expected a field 'graph', but got none at byte 2");
}

TEST(WireModel, SaysWhatIsNoModel) {
  auto expectFormat = [](llvm::StringRef bytes, const std::string &format) {
    EXPECT_EQ(parseError(bytes),
              "m.onnx: expected an ONNX model, but got " + format);
  };
  expectFormat("", "an empty file");
  expectFormat("no model\n", "text");
  expectFormat(" {\"graph\": 1}", "JSON");
  expectFormat("<!doctype HTML>", "a web page");
  expectFormat("version https://git-lfs.github.com/spec/v1\n",
               "a Git LFS pointer: fetch the file itself, by 'git lfs pull'");
  expectFormat("\x7f"
               "ELF\x02",
               "a program or library");
  expectFormat(llvm::StringRef("\x02\0\0\0\0\0\0\0{}", 10),
               "a file of safetensors");
}

TEST(WireModel, ASecondMessageIsNotMerged) {
  EXPECT_EQ(parseError(llvm::StringRef("\x3a\x00\x3a\x00", 4)),
            "m.onnx: graph: expected one message, but got a second one: such "
            "parts of a message are not merged at byte 2");
  EXPECT_EQ(parseError(makeModel([](WireMessage &attribute, WireWriter &w) {
              attribute.addMessage(field::attribute::G, WireMessage(w));
              attribute.addMessage(field::attribute::G, WireMessage(w));
            })),
            "m.onnx: graph.node[0].attribute[0].g: expected one message, but "
            "got a second one: such parts of a message are not merged at byte "
            "11");
}

TEST(WireModel, TheLastOfSeveralScalarsCounts) {
  std::string bytes = makeModel([](WireMessage &attribute, WireWriter &) {
    attribute.addInt(field::attribute::I, 1);
    attribute.addInt(field::attribute::I, 2);
    attribute.addString(field::attribute::Name, "b");
  });
  auto model = llvm::cantFail(WireModel::parse(bytes, "m.onnx"));
  EXPECT_EQ(attributeOf(*model).name, "b");
  EXPECT_EQ(attributeOf(*model).ints, llvm::ArrayRef<int64_t>{2});
}

TEST(WireModel, AKindIsGivenOrSeen) {
  using namespace field::attribute;
  auto kindOf = [](llvm::function_ref<void(WireMessage &, WireWriter &)> fill) {
    std::string bytes = makeModel(fill);
    auto model = llvm::cantFail(WireModel::parse(bytes, "m.onnx"));
    const AttributeView &view = attributeOf(*model);
    return std::tuple(view.kind, view.floats.size(), view.ints.size(),
                      view.strings.size());
  };
  // The kind follows from the value alone, as before IR version 2.
  EXPECT_EQ(
      kindOf([](WireMessage &a, WireWriter &) { a.addFloats(Floats, {1, 2}); }),
      std::tuple(AttributeKind::Floats, 2, 0, 0));
  // The kind follows from the type alone: proto3 omits zeros and empty lists.
  EXPECT_EQ(kindOf([](WireMessage &a, WireWriter &) { a.addInt(Type, 2); }),
            std::tuple(AttributeKind::Int, 0, 1, 0));
  EXPECT_EQ(kindOf([](WireMessage &a, WireWriter &) { a.addInt(Type, 3); }),
            std::tuple(AttributeKind::String, 0, 0, 1));
  EXPECT_EQ(kindOf([](WireMessage &a, WireWriter &) { a.addInt(Type, 7); }),
            std::tuple(AttributeKind::Ints, 0, 0, 0));
}

TEST(WireModel, AKindAndItsValueMustAgree) {
  using namespace field::attribute;
  auto errorOf =
      [](llvm::function_ref<void(WireMessage &, WireWriter &)> fill) {
        llvm::StringRef where = "m.onnx: graph.node[0].attribute[0]: ";
        std::string text = parseError(makeModel(fill));
        EXPECT_TRUE(llvm::StringRef(text).starts_with(where)) << text;
        return llvm::StringRef(text)
            .substr(where.size())
            .split(" at byte")
            .first.str();
      };
  EXPECT_EQ(errorOf([](WireMessage &, WireWriter &) {}),
            "expected a type or a value, but got neither");
  EXPECT_EQ(errorOf([](WireMessage &a, WireWriter &) {
              a.addInt(Type, 1);
              a.addInt(I, 1);
            }),
            "expected 'f' for type FLOAT, but got 'i'");
  EXPECT_EQ(errorOf([](WireMessage &a, WireWriter &) {
              a.addInt(I, 1);
              a.addInts(Ints, {1});
            }),
            "expected one value, but got 'i' and 'ints'");
  EXPECT_EQ(errorOf([](WireMessage &a, WireWriter &) { a.addInt(Type, 4); }),
            "expected 't' for type TENSOR, but got no value");
  EXPECT_EQ(errorOf([](WireMessage &a, WireWriter &) { a.addInt(Type, 15); }),
            "expected a type from 0 to 14, but got 15");
  EXPECT_EQ(errorOf([](WireMessage &a, WireWriter &) {
              a.addString(RefAttrName, "p");
              a.addInt(I, 1);
            }),
            "expected no value beside 'ref_attr_name', but got 'i'");
}

/// Nests `depth` graphs in attributes.
static std::string nestGraphs(unsigned depth) {
  WireWriter writer;
  WireMessage graph(writer);
  for (unsigned i = 1; i != depth; ++i) {
    WireMessage attribute(writer), node(writer), outer(writer);
    attribute.addMessage(field::attribute::G, std::move(graph));
    node.addMessage(field::node::Attribute, std::move(attribute));
    outer.addMessage(field::graph::Node, std::move(node));
    graph = std::move(outer);
  }
  WireMessage model(writer);
  model.addMessage(field::model::Graph, std::move(graph));
  return serialize(std::move(model));
}

TEST(WireModel, NestingHasALimit) {
  std::string deepest = nestGraphs(34); // 1 + 33 * 3 = 100 messages
  llvm::cantFail(WireModel::parse(deepest, "m.onnx"));
  EXPECT_NE(parseError(nestGraphs(35))
                .find("expected messages at most 100 deep, but got a deeper"),
            std::string::npos);
  EXPECT_NE(parseError(nestGraphs(20000)).find("at most 100 deep"),
            std::string::npos);
}
