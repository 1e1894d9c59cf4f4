// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar-c/Program.h"
#include "invar/Program/Encode.h"
#include "llvm/Support/Compression.h"
#include <cstring>

using namespace invar;
namespace zstd = llvm::compression::zstd;

std::vector<uint32_t> invar::packProgram(llvm::ArrayRef<uint32_t> words) {
  constexpr size_t wordSize = sizeof(uint32_t), headWords = 3;
  llvm::ArrayRef bytes(reinterpret_cast<const uint8_t *>(words.data()),
                       words.size() * wordSize);
  llvm::SmallVector<uint8_t> compressed;
  if (zstd::isAvailable())
    zstd::compress(bytes, compressed, zstd::BestSizeCompression);
  size_t length = headWords + llvm::divideCeil(compressed.size(), wordSize);
  if (compressed.empty() || length >= words.size() ||
      words.size() > compressed.size() * INVAR_PACKED_MOST_WORDS)
    return words.vec();
  std::vector<uint32_t> packed(length);
  packed[0] = INVAR_PACKED_MAGIC;
  packed[1] = uint32_t(words.size());
  packed[2] = uint32_t(compressed.size());
  memcpy(packed.data() + headWords, compressed.data(), compressed.size());
  return packed;
}
