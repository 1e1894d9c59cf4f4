// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Wire/WireWriter.h"

#include "../../Support/TempFolder.h"
#include "Rebuild.h"
#include "invar/Frontend/Wire/Fields.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace invar;

static std::string toHex(WireMessage &&message) {
  return llvm::toHex(serialize(std::move(message)), /*LowerCase=*/true);
}

TEST(WireWriter, WritesEachKindOfField) {
  WireWriter writer;
  WireMessage out(writer);
  out.addInt(1, 150);
  out.addInt(2, -1);
  out.addString(3, "abc");
  out.addFloat(4, 1);
  out.addDouble(5, 1);
  out.addInts(6, {1, 2});
  out.addPackedInts(7, {1, 300});
  out.addPackedFloats(8, {1});
  out.addPackedInts(1000, {});
  EXPECT_EQ(out.getSize(), 51u);
  EXPECT_EQ(toHex(std::move(out)), "089601"
                                   "10ffffffffffffffffff01"
                                   "1a03616263"
                                   "250000803f"
                                   "29000000000000f03f"
                                   "30013002"
                                   "3a0301ac02"
                                   "42040000803f"
                                   "c23e00");
}

TEST(WireWriter, LengthsOfNestedMessagesComeOutRight) {
  // Sizes around those where a length takes one more byte.
  for (size_t size : {0, 1, 124, 125, 126, 127, 128, 16380, 16384, 100000}) {
    WireWriter writer;
    WireMessage inner(writer), middle(writer), outer(writer);
    inner.addString(1, std::string(size, 'x'));
    middle.addMessage(2, std::move(inner));
    EXPECT_EQ(inner.getSize(), 0u);
    middle.addInt(3, 1);
    outer.addMessage(4, std::move(middle));
    outer.addMessage(5, WireMessage(writer));
    uint64_t promised = outer.getSize();
    std::string bytes = serialize(std::move(outer));
    EXPECT_EQ(bytes.size(), promised);
    llvm::StringRef tail(bytes);
    EXPECT_TRUE(tail.ends_with(llvm::StringRef("\x18\x01\x2a\x00", 4)));
  }
}

TEST(WireWriter, AnUntouchedModelIsOnePiece) {
  TempFolder folder;
  std::string bytes = makeSampleModel();
  auto model = llvm::cantFail(WireModel::open(folder.write("m.onnx", bytes)));
  const ModelView &view = model->getModel();
  const auto &file = model->getFile();
  WireWriter writer;
  WireMessage graph(writer);
  // The whole graph, message by message in the file's order.
  graph.addVerbatim(file, file->getRange(view.graph->nodes[0].whole));
  uint64_t at = file->getRange(view.graph->nodes[0].whole).end();
  for (const TensorView &tensor : view.graph->initializers) {
    uint64_t end = file->getRange(tensor.whole).end();
    graph.addVerbatim(file, {at, end - at});
    at = end;
  }
  graph.addVerbatim(file, {at, file->getRange(view.graph->payload).end() - at});
  EXPECT_EQ(graph.countPieces(), 1u);
  EXPECT_EQ(serialize(std::move(graph)), view.graph->payload);
}

TEST(WireWriter, ReplacesOneTensorBetweenTwoCopies) {
  TempFolder folder;
  std::string bytes = makeSampleModel();
  auto model = llvm::cantFail(WireModel::open(folder.write("m.onnx", bytes)));
  const ModelView &view = model->getModel();
  const auto &file = model->getFile();
  const TensorView &old = view.graph->initializers[0];
  ByteRange graphRange = file->getRange(view.graph->payload);
  ByteRange oldRange = file->getRange(old.whole);

  WireWriter writer;
  WireMessage tensor(writer), graph(writer), whole(writer);
  tensor.addInts(field::tensor::Dims, {3});
  tensor.addInt(field::tensor::DataType, 2);
  tensor.addString(field::tensor::Name, old.name);
  tensor.addStream(field::tensor::RawData, 3, [](OutputFile &out) {
    if (llvm::Error error = out.write("a"))
      return error;
    return out.write("bc");
  });
  graph.addVerbatim(file,
                    {graphRange.offset, oldRange.offset - graphRange.offset});
  graph.addMessage(field::graph::Initializer, std::move(tensor));
  graph.addVerbatim(file, {oldRange.end(), graphRange.end() - oldRange.end()});
  whole.addVerbatim(file, {0, file->getRange(view.graph->whole).offset});
  whole.addMessage(field::model::Graph, std::move(graph));
  whole.addVerbatim(file, {graphRange.end(), bytes.size() - graphRange.end()});
  // Three ranges, three sequences of bytes before the tensor's data, and the data.
  EXPECT_EQ(whole.countPieces(), 7u);

  // Overwrite the file that is being copied.
  auto out = llvm::cantFail(OutputFile::create(folder / "m.onnx"));
  llvm::cantFail(whole.writeTo(*out));
  EXPECT_EQ(out->getPosition(), whole.getSize());
  llvm::cantFail(out->commit());
  auto changed = llvm::cantFail(WireModel::open(folder / "m.onnx"));
  const GraphView &after = *changed->getModel().graph;
  ASSERT_EQ(after.initializers.size(), view.graph->initializers.size());
  EXPECT_EQ(after.initializers[0].rawData, "abc");
  EXPECT_EQ(after.initializers[1].whole, view.graph->initializers[1].whole);
  EXPECT_EQ(after.nodes[0].whole, view.graph->nodes[0].whole);
  EXPECT_EQ(changed->getModel().functions[0].whole, view.functions[0].whole);
}

TEST(WireWriter, RangesKeepTheirFile) {
  TempFolder folder;
  WireWriter writer;
  WireMessage out(writer);
  {
    auto file = llvm::cantFail(MappedFile::open(folder.write("w", "abcdef")));
    out.addRange(1, file, {2, 3});
    out.addRange(2, file, {0, 0});
  }
  EXPECT_EQ(toHex(std::move(out)), "0a036364651200");
}

TEST(WireWriter, AStreamKeepsItsPromise) {
  TempFolder folder;
  auto writeStream = [&](llvm::StringRef content) {
    WireWriter writer;
    WireMessage out(writer);
    out.addStream(1, 3, [=](OutputFile &file) { return file.write(content); });
    auto file = llvm::cantFail(OutputFile::create(folder / "out"));
    return describe(out.writeTo(*file)).second;
  };
  EXPECT_EQ(writeStream("abc"), "");
  EXPECT_EQ(writeStream("ab"),
            folder / "out" + ": expected a stream of 3 bytes, but got 2");
  EXPECT_EQ(writeStream("abcd"),
            folder / "out" + ": expected a stream of 3 bytes, but got 4");
  EXPECT_TRUE(folder.list().empty());
}
