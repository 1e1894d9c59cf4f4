// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/Hash.h"

#include "invar/Support/Parallel.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <vector>

using namespace invar;

std::string Hash128::toString() const {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(
      "%016llx%016llx", (unsigned long long)high, (unsigned long long)low);
  return text;
}

Hash128 invar::hashBlock(llvm::ArrayRef<uint8_t> bytes) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(bytes);
  return {hash.low64, hash.high64};
}

Hash128 invar::hashTree(uint64_t size, llvm::ArrayRef<Hash128> blocks) {
  Hasher hasher;
  hasher.add(size);
  for (const Hash128 &block : blocks)
    hasher.add(block);
  return hasher.finish();
}

Hash128 invar::hashContent(llvm::ArrayRef<uint8_t> bytes, unsigned threads) {
  uint64_t count = (bytes.size() + hashBlockSize - 1) / hashBlockSize;
  std::vector<Hash128> blocks(count);
  constexpr uint64_t blocksAtOnce = 8;
  parallelFor(count, blocksAtOnce, threads, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i)
      blocks[i] = hashBlock(
          bytes.drop_front(i * hashBlockSize).take_front(hashBlockSize));
  });
  return hashTree(bytes.size(), blocks);
}

Hasher &Hasher::add(uint64_t number) {
  const auto *bytes = reinterpret_cast<const uint8_t *>(&number);
  facts.append(bytes, bytes + sizeof(number));
  return *this;
}

Hasher &Hasher::add(llvm::ArrayRef<uint8_t> bytes) {
  add(uint64_t(bytes.size()));
  facts.append(bytes.begin(), bytes.end());
  return *this;
}

Hasher &Hasher::add(llvm::StringRef text) {
  return add(llvm::ArrayRef<uint8_t>(text.bytes_begin(), text.size()));
}

Hasher &Hasher::add(llvm::ArrayRef<int64_t> numbers) {
  add(uint64_t(numbers.size()));
  for (int64_t number : numbers)
    add(static_cast<uint64_t>(number));
  return *this;
}

Hasher &Hasher::add(const Hash128 &hash) {
  return add(hash.low).add(hash.high);
}
