// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Testing.h"
#include <cstdio>
#include <fstream>

using namespace invar;
using namespace invar::testing;

/// A file of `size` bytes, removed from the folder but still mapped.
static std::shared_ptr<const MappedFile> mapFile(size_t size) {
  std::string path = ::testing::TempDir() + "invar-buffer-test";
  std::ofstream(path) << std::string(size, 'x');
  auto file = get(MappedFile::open(path));
  std::remove(path.c_str());
  return file;
}

TEST(Buffer, NeedsEnoughBytes) {
  uint8_t bytes[7] = {};
  EXPECT_EQ(failure(Buffer::copy(DataType::Float32, 2, bytes)),
            "expected bytes for 2 elements of type float, but got 7");
  EXPECT_EQ(failure(Buffer::unowned(DataType::Int4, 15, bytes)),
            "expected bytes for 15 elements of type int4, but got 7");
  EXPECT_EQ(get(Buffer::unowned(DataType::Int4, 13, bytes))->getBytes().size(),
            7u);
  EXPECT_EQ(failure(Buffer::unowned(DataType::Int8, -1, bytes)),
            "expected a number of elements, but got -1");
  EXPECT_EQ(failure(Buffer::unowned(DataType::Complex128, INT64_MAX, bytes)),
            "expected bytes for 9223372036854775807 elements of type "
            "complex128, but got 7");
  EXPECT_EQ(failure(Buffer::copy(DataType::String, 1, bytes)),
            "expected a type that has raw data, but got string");
  auto file = mapFile(3);
  EXPECT_EQ(failure(Buffer::mapped(DataType::Int8, 4, file->getData(), file)),
            "expected bytes for 4 elements of type int8, but got 3");
}

TEST(Buffer, CopiesAreAligned) {
  uint8_t bytes[3] = {1, 2, 3};
  BufferRef buffer = get(Buffer::copy(DataType::UInt8, 3, bytes));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->getData()) % 64, 0u);
  EXPECT_EQ(buffer->getBytes(), llvm::ArrayRef<uint8_t>(bytes));
}

TEST(Buffer, KeepsTheMappingAndKnowsItsRange) {
  ElementsBuilder builder;
  auto file = mapFile(1012);
  std::weak_ptr<const MappedFile> alive = file;
  std::optional<Elements> x;
  {
    BufferRef buffer = get(Buffer::mapped(
        DataType::Int16, 6, file->getData().drop_front(1000), file));
    x = get(builder.fromBuffer(buffer, {2, 3}));
  }
  file.reset();
  EXPECT_FALSE(alive.expired());
  std::optional<FileRange> whole = x->getFileRange();
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->file, alive.lock());
  EXPECT_EQ(whole->range, (ByteRange{1000, 12}));
  std::optional<FileRange> row =
      get(builder.reshape(get(builder.slice(*x, {1, 0}, {1, 3}, {1, 1})), {3}))
          .getFileRange();
  ASSERT_TRUE(row);
  EXPECT_EQ(row->range, (ByteRange{1006, 6}));
  EXPECT_FALSE(get(builder.transpose(*x, {1, 0})).getFileRange());
  EXPECT_FALSE(get(builder.slice(*x, {0, 0}, {2, 1}, {1, 1})).getFileRange());
  EXPECT_FALSE(get(builder.cast(*x, DataType::Int32)).getFileRange());
  whole.reset();
  row.reset();
  x.reset();
  EXPECT_TRUE(alive.expired());
}

TEST(Buffer, RangesOfPackedDataEndWithTheirBytes) {
  ElementsBuilder builder;
  auto file = mapFile(13);
  BufferRef buffer = get(
      Buffer::mapped(DataType::Int4, 5, file->getData().drop_front(10), file));
  Elements x = get(builder.fromBuffer(buffer, {5}));
  EXPECT_EQ(x.getFileRange()->range.size, 3u);
  auto part = [&](int64_t start, int64_t size) {
    return get(builder.slice(x, {start}, {size}, {1})).getFileRange();
  };
  EXPECT_EQ(part(2, 2)->range.offset, 11u);
  EXPECT_EQ(part(2, 3)->range.size, 2u);
  EXPECT_FALSE(part(1, 2));
  EXPECT_FALSE(part(0, 3));
}

TEST(Buffer, CopiedStringsAreTheirOwn) {
  std::string text = "hello";
  llvm::StringRef refs[] = {text, llvm::StringRef(text).drop_front()};
  BufferRef buffer = Buffer::copyStrings(refs);
  text = "xxxxx";
  EXPECT_EQ(buffer->getStrings()[0], "hello");
  EXPECT_EQ(buffer->getStrings()[1], "ello");
  EXPECT_TRUE(buffer->getBytes().empty());
}
