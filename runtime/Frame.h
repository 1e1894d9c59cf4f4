// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of one run of a program: registers, memory, and room for the operands of
// a kernel. A session keeps frames between runs, so that a run takes no memory from
// the system that an earlier run already had.
#ifndef INVAR_RUNTIME_FRAME_H
#define INVAR_RUNTIME_FRAME_H

#include "Bounds.h"
#include "Profile.h"
#include "Program.h"
#include "Value.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

namespace invar::runtime {

/// An object register. It owns a reference to a value that the run has made. Inputs
/// and constants, which outlive the run, are only borrowed. So threads that run the
/// same model do not contend for the reference counts of its constants.
class Register {
public:
  Value *get() const { return reinterpret_cast<Value *>(bits & ~isBorrowed); }
  /// Whether this register has the only reference to its value.
  bool hasOnlyReference() const {
    return bits && !(bits & isBorrowed) &&
           get()->references.load(std::memory_order_acquire) == 1;
  }

  /// Takes over the caller's reference.
  void own(Value *value, Arena *running) {
    drop(running);
    bits = reinterpret_cast<uintptr_t>(value);
  }
  void borrow(Value *value, Arena *running) {
    drop(running);
    bits = reinterpret_cast<uintptr_t>(value) | isBorrowed;
  }
  void share(const Register &other, Arena *running) {
    uintptr_t shared = other.bits;
    if (shared && !(shared & isBorrowed))
      retain(other.get());
    drop(running);
    bits = shared;
  }
  void drop(Arena *running) {
    if (bits && !(bits & isBorrowed))
      release(get(), running);
    bits = 0;
  }

private:
  static constexpr uintptr_t isBorrowed = 1;
  uintptr_t bits = 0;
};

/// Memory that is kept until a larger size is requested.
class Scratch {
public:
  /// Memory aligned to 64 bytes; null if the arena's limit or the system's memory is
  /// exceeded.
  char *get(size_t size, Arena &arena) {
    if (size > capacity) {
      if (!arena.charge(size - capacity))
        return nullptr;
      clear();
      size_t whole = (size + Arena::alignment - 1) / Arena::alignment;
      memory.reset(static_cast<char *>(
          std::aligned_alloc(Arena::alignment, whole * Arena::alignment)));
      if (memory)
        capacity = size;
    }
    return memory.get();
  }
  void clear() {
    memory.reset();
    capacity = 0;
  }

private:
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };
  std::unique_ptr<char, Free> memory;
  size_t capacity = 0;
};

struct Frame {
  Frame(const Program &program, Arena::Owner owner)
      : arena(std::move(owner)), numbers(program.numNumbers),
        objects(program.numObjects), blocks(program.numBlocks),
        addresses(program.mostTensors), kernelNumbers(program.mostNumbers) {}
  ~Frame() {
    dropAll();
    dropBlocks();
  }
  Frame(const Frame &) = delete;
  Frame &operator=(const Frame &) = delete;

  void dropAll() {
    for (Register &object : objects)
      object.drop(arena.get());
  }

  void dropBlocks() {
    for (Tensor *&block : blocks)
      if (block)
        release(std::exchange(block, nullptr), arena.get());
  }

  /// Sets the limits of a run, before it begins. Memory that earlier runs left is
  /// released first: whether a limit suffices depends on this run alone.
  void bound(const Bounds &bounds) {
    stop = bounds.stop;
    if (bounds.limitsMemory()) {
      dropBlocks();
      scratch.clear();
    }
    arena->setLimit(bounds.memory);
  }

  /// Makes a block of at least `bytes` bytes; the block is null if there is not
  /// enough memory.
  void reserve(uint32_t number, uint64_t bytes) {
    Tensor *&block = blocks[number];
    // An output of an earlier run may still use the block.
    bool isOurs =
        block && block->references.load(std::memory_order_acquire) == 1;
    if (isOurs && block->getBytes() >= bytes)
      return;
    if (block)
      release(block, arena.get());
    block = nullptr;
    // The sanitizer sees where tensors end only if each has its own block.
    if (arena->liesTogether() && bytes <= PTRDIFF_MAX) {
      auto size = int64_t(bytes);
      block = Tensor::create(arena.get(), INVAR_UINT8, {&size, 1});
    }
  }
  /// Whether a tensor lies in a block.
  bool isInBlock(const Tensor &tensor) const {
    return std::ranges::find(blocks, tensor.getOwner()) != blocks.end();
  }

  Arena::Owner arena;
  std::vector<int64_t> numbers;
  std::vector<Register> objects;
  /// Planned memory; null for a block that no run has needed yet.
  std::vector<Tensor *> blocks;
  std::vector<void *> addresses;
  std::vector<int64_t> kernelNumbers;
  /// The current call's results so far, and the values to release when it ends.
  std::vector<Value *> results, temporaries;
  /// The caller's tensors for the outputs; null for an output that is computed
  /// elsewhere first. Empty if the caller gives none.
  std::vector<Tensor *> places;
  Scratch scratch;
  /// The object that may end the run early, or null.
  Stop *stop = nullptr;
  std::vector<Event> events;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_FRAME_H
