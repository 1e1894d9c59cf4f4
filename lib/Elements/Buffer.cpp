// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/Buffer.h"

#include "invar/Elements/Elements.h"
#include "invar/Support/Error.h"
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using namespace invar;

// As wide as the widest vector registers and as a cache line.
static constexpr size_t alignment = 64;

Buffer::Buffer(DataType type, int64_t count, const uint8_t *data, size_t size,
               std::shared_ptr<const void> owner,
               std::shared_ptr<const MappedFile> file)
    : type(type), count(count), data(data), size(size), owner(std::move(owner)),
      file(std::move(file)) {}

/// The bytes that `count` elements take. An error if that exceeds `available`.
static llvm::Expected<size_t> checkSize(DataType type, int64_t count,
                                        size_t available) {
  if (type == DataType::String)
    return badInput("expected a type that has raw data, but got string");
  if (count < 0)
    return badInput("expected a number of elements, but got " +
                    llvm::Twine(count));
  std::optional<uint64_t> size =
      getPackedSize(type, static_cast<uint64_t>(count));
  if (!size || *size > available)
    return badInput("expected bytes for " + llvm::Twine(count) +
                    " elements of type " + getName(type) + ", but got " +
                    llvm::Twine(uint64_t(available)));
  return static_cast<size_t>(*size);
}

llvm::Expected<BufferRef>
Buffer::create(DataType type, int64_t count,
               llvm::function_ref<void(llvm::MutableArrayRef<uint8_t>)> fill,
               MemoryBudget *budget) {
  llvm::Expected<size_t> size = checkSize(type, count, SIZE_MAX - alignment);
  if (!size)
    return size.takeError();
  std::shared_ptr<void> memory;
  if (budget) {
    auto allocated = budget->allocate(*size);
    if (!allocated)
      return allocated.takeError();
    memory = std::move(*allocated);
  } else {
    size_t whole = (*size + alignment) / alignment * alignment;
    memory.reset(std::aligned_alloc(alignment, whole), std::free);
  }
  if (!memory)
    return noMemoryFor(static_cast<uint64_t>(count), getLaneSize(type));
  auto *bytes = static_cast<uint8_t *>(memory.get());
  fill({bytes, *size});
  return BufferRef(new Buffer(type, count, bytes, *size, std::move(memory)));
}

llvm::Expected<BufferRef> Buffer::copy(DataType type, int64_t count,
                                       llvm::ArrayRef<uint8_t> bytes) {
  llvm::Expected<size_t> size = checkSize(type, count, bytes.size());
  if (!size)
    return size.takeError();
  return create(type, count, [&](llvm::MutableArrayRef<uint8_t> to) {
    if (!to.empty())
      std::memcpy(to.data(), bytes.data(), to.size());
  });
}

llvm::Expected<BufferRef> Buffer::unowned(DataType type, int64_t count,
                                          llvm::ArrayRef<uint8_t> bytes,
                                          std::shared_ptr<const void> owner) {
  llvm::Expected<size_t> size = checkSize(type, count, bytes.size());
  if (!size)
    return size.takeError();
  return BufferRef(
      new Buffer(type, count, bytes.data(), *size, std::move(owner)));
}

llvm::Expected<BufferRef>
Buffer::mapped(DataType type, int64_t count, llvm::ArrayRef<uint8_t> bytes,
               std::shared_ptr<const MappedFile> file) {
  assert(file->contains(llvm::toStringRef(bytes)));
  llvm::Expected<size_t> size = checkSize(type, count, bytes.size());
  if (!size)
    return size.takeError();
  return BufferRef(
      new Buffer(type, count, bytes.data(), *size, nullptr, std::move(file)));
}

BufferRef Buffer::strings(llvm::ArrayRef<llvm::StringRef> strings,
                          std::shared_ptr<const void> owner) {
  return BufferRef(new Buffer(
      DataType::String, static_cast<int64_t>(strings.size()),
      reinterpret_cast<const uint8_t *>(strings.data()), 0, std::move(owner)));
}

BufferRef Buffer::copyStrings(llvm::ArrayRef<llvm::StringRef> source) {
  struct Texts {
    std::string all;
    std::vector<llvm::StringRef> each;
  };
  auto texts = std::make_shared<Texts>();
  size_t total = 0;
  for (llvm::StringRef text : source)
    total += text.size();
  texts->all.reserve(
      total); // It never reallocates, so refs into it stay valid.
  texts->each.reserve(source.size());
  for (llvm::StringRef text : source) {
    size_t begin = texts->all.size();
    texts->all.append(text.data(), text.size());
    texts->each.emplace_back(texts->all.data() + begin, text.size());
  }
  llvm::ArrayRef<llvm::StringRef> each = texts->each;
  return strings(each, std::move(texts));
}

llvm::ArrayRef<llvm::StringRef> Buffer::getStrings() const {
  assert(type == DataType::String);
  return {reinterpret_cast<const llvm::StringRef *>(data),
          static_cast<size_t>(count)};
}

Hash128 Buffer::getContentHash(unsigned threads) const {
  std::call_once(hashOnce, [&] {
    Hash128 content;
    if (type == DataType::String) {
      std::vector<Hash128> each;
      for (llvm::StringRef text : getStrings())
        each.push_back(hashBlock({text.bytes_begin(), text.size()}));
      content = hashTree(each.size(), each);
    } else {
      content = hashContent(getBytes(), threads);
    }
    hash = Hasher()
               .add(static_cast<uint64_t>(type))
               .add(static_cast<uint64_t>(count))
               .add(content)
               .finish();
  });
  return hash;
}
