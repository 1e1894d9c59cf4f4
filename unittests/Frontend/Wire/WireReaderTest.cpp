// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Wire/WireReader.h"

#include "invar/Support/Error.h"
#include "gtest/gtest.h"

using namespace invar;

/// Reads all fields. Returns the error, or an empty string.
static std::string walk(llvm::StringRef bytes) {
  WireInput input(bytes, "m.onnx");
  FieldPath graph{nullptr, "graph"}, path{&graph, "node", 3};
  WireReader reader(input, bytes, path);
  while (reader.next()) {
  }
  return describe(input.takeError()).second;
}

TEST(WireReader, ReadsEachKindOfField) {
  llvm::StringRef bytes("\x08\x96\x01\x12\x03"
                        "abc\x1d\x00\x00\x80\x3f\x21\1\0\0\0\0\0\0\0",
                        22);
  WireInput input(bytes, "m.onnx");
  FieldPath path;
  WireReader reader(input, bytes, path);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.getNumber(), 1u);
  EXPECT_EQ(reader.getInt("a"), 150);
  EXPECT_EQ(reader.getWhole(), bytes.take_front(3));
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.getBytes("b"), "abc");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.getFloat("c"), 1.0f);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.getType(), WireType::Fixed64);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(input.failed());
}

TEST(WireReader, VarintsHaveUpTo64Bits) {
  auto read = [](llvm::StringRef bytes) {
    const char *at = bytes.begin();
    return readVarint(at, bytes.end());
  };
  EXPECT_EQ(read("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), UINT64_MAX);
  EXPECT_FALSE(read("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"));
  EXPECT_FALSE(read("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"));
  EXPECT_FALSE(read("\xff"));
  EXPECT_FALSE(read(""));
  EXPECT_EQ(read(llvm::StringRef("\x80\x00", 2)), 0u); // longer than necessary
}

TEST(WireReader, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(walk("\x80"), "m.onnx: graph.node[3]: expected a field's tag, but "
                          "got the end of the message at byte 0");
  EXPECT_EQ(walk("\x08\x01\x08"),
            "m.onnx: graph.node[3]: expected a varint in field 1, but got the "
            "end of the message at byte 3");
  EXPECT_EQ(walk("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
            "m.onnx: graph.node[3]: expected a varint in field 1, but got more "
            "than 64 bits at byte 1");
  EXPECT_EQ(walk(llvm::StringRef("\x02\x00", 2)),
            "m.onnx: graph.node[3]: expected a field number from 1 to "
            "536870911, but got 0 at byte 0");
  EXPECT_EQ(walk("\x12\x05"
                 "abc"),
            "m.onnx: graph.node[3]: expected 5 bytes in field 2, but got 3 at "
            "byte 2");
  EXPECT_EQ(walk("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
            "m.onnx: graph.node[3]: expected 18446744073709551615 bytes in "
            "field 2, but got 0 at byte 11");
  EXPECT_EQ(walk("\x0d\x01"), "m.onnx: graph.node[3]: expected 4 bytes in "
                              "field 1, but got 1 at byte 1");
  EXPECT_EQ(walk("\x0b\x0c"),
            "m.onnx: graph.node[3]: expected a field without groups, but got "
            "wire type 3 in field 1 at byte 0");
  EXPECT_EQ(walk("\x0f"), "m.onnx: graph.node[3]: expected a field without "
                          "groups, but got wire type 7 in field 1 at byte 0");
}

TEST(WireReader, TheFirstFailureSticks) {
  llvm::StringRef bytes("\x08\x01\x08\x02");
  WireInput input(bytes, "m.onnx");
  FieldPath path;
  WireReader reader(input, bytes, path);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.getBytes("name"), "");
  EXPECT_EQ(reader.getFloat("f"), 0.0f);
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(describe(input.takeError()).second,
            "m.onnx: name: expected a length and bytes, but got wire type 0 at "
            "byte 0");
}
