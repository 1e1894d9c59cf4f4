// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for tiles. Each evaluation takes some memory and calls its inputs, which take
// theirs on top of it. Leaving the scope of a Scratch::Frame releases the memory. The
// same few blocks are reused, so tiles stay in the cache and nothing is allocated per
// tile.
#ifndef INVAR_LIB_ELEMENTS_SCRATCH_H
#define INVAR_LIB_ELEMENTS_SCRATCH_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "llvm/Support/ErrorHandling.h"

namespace invar {

class Scratch {
public:
  class Frame {
  public:
    explicit Frame(Scratch &scratch)
        : scratch(scratch), block(scratch.block), used(scratch.used) {}
    ~Frame() {
      scratch.block = block;
      scratch.used = used;
    }
    Frame(const Frame &) = delete;
    Frame &operator=(const Frame &) = delete;

    /// Returns `size` bytes, aligned to 64, valid until the frame ends.
    uint8_t *take(size_t size) { return scratch.take(size); }

  private:
    Scratch &scratch;
    size_t block;
    size_t used;
  };

private:
  struct Block {
    std::unique_ptr<uint8_t, decltype(&std::free)> memory;
    size_t size;
  };

  uint8_t *take(size_t size) {
    size = (size + 63) / 64 * 64;
    while (block < blocks.size() && blocks[block].size - used < size) {
      ++block;
      used = 0;
    }
    if (block == blocks.size()) {
      size_t whole = std::max<size_t>(size, 64 << 10);
      auto *memory = static_cast<uint8_t *>(std::aligned_alloc(64, whole));
      if (!memory)
        llvm::report_bad_alloc_error("no memory for a tile");
      blocks.push_back({{memory, std::free}, whole});
      used = 0;
    }
    uint8_t *result = blocks[block].memory.get() + used;
    used += size;
    return result;
  }

  std::vector<Block> blocks;
  size_t block = 0;
  size_t used = 0;
};

} // namespace invar

#endif // INVAR_LIB_ELEMENTS_SCRATCH_H
