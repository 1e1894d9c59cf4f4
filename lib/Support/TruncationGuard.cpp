// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of mappings is the only mutable global of the libraries: a signal handler
// receives only an address, so it must find all other data in a global. The handler may
// interrupt any instruction, even one that changes the table, so it takes no lock. Each
// slot has a version that is odd while the slot changes, and a changing slot is never
// the one whose mapping is being read. Slots are reused and never freed.
#include "invar/Support/TruncationGuard.h"

#include "llvm/Support/Signals.h"
#include <array>
#include <atomic>
#include <cassert>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

using namespace invar;

namespace {
struct Mapping {
  uintptr_t begin = 0; // 0: a free slot
  uint64_t size = 0;
  const char *path = nullptr;
  int descriptor = -1;
};

class Slot {
public:
  bool isFree() const { return begin.load(std::memory_order_relaxed) == 0; }

  /// Called by one thread at a time.
  void set(const Mapping &mapping) {
    version.fetch_add(1); // odd: changing
    begin.store(mapping.begin);
    size.store(mapping.size);
    path.store(mapping.path);
    descriptor.store(mapping.descriptor);
    version.fetch_add(1);
  }

  /// Called in the signal handler: whether `address` is in this slot's mapping.
  bool get(uintptr_t address, Mapping &mapping) const {
    unsigned before = version.load();
    mapping = {begin.load(), size.load(), path.load(), descriptor.load()};
    return before % 2 == 0 && version.load() == before && mapping.begin != 0 &&
           address - mapping.begin < mapping.size;
  }

private:
  std::atomic<unsigned> version = 0;
  std::atomic<uintptr_t> begin = 0;
  std::atomic<uint64_t> size = 0;
  std::atomic<const char *> path = nullptr;
  std::atomic<int> descriptor = -1;
};

struct Chunk {
  std::array<Slot, 64> slots;
  std::atomic<Chunk *> next = nullptr;
};

struct Registry {
  std::mutex changing; // never taken by the handler
  Chunk first;
  struct sigaction previous = {};
};
} // namespace

static constinit Registry registry; // NOLINT: see above.

void *invar::registerMapping(llvm::StringRef bytes, const char *path,
                             int descriptor) {
  std::lock_guard lock(registry.changing);
  Mapping mapping = {reinterpret_cast<uintptr_t>(bytes.data()), bytes.size(),
                     path, descriptor};
  for (Chunk *chunk = &registry.first;; chunk = chunk->next.load()) {
    for (Slot &slot : chunk->slots)
      if (slot.isFree()) {
        slot.set(mapping);
        return &slot;
      }
    if (!chunk->next.load())
      chunk->next.store(new Chunk());
  }
}

void invar::unregisterMapping(void *registration) {
  std::lock_guard lock(registry.changing);
  static_cast<Slot *>(registration)->set(Mapping());
}

static bool findMapping(uintptr_t address, Mapping &mapping) {
  for (Chunk *chunk = &registry.first; chunk; chunk = chunk->next.load())
    for (const Slot &slot : chunk->slots)
      if (slot.get(address, mapping))
        return true;
  return false;
}

/// Uses only functions that POSIX allows in a signal handler.
static void report(const Mapping &mapping) {
  std::array<char, 20> digits;
  char *digit = digits.end();
  uint64_t rest = mapping.size;
  do
    *--digit = char('0' + rest % 10);
  while (rest /= 10);

  auto part = [](const char *text, size_t size) {
    return iovec{const_cast<char *>(text), size};
  };
  auto text = [&](const char *text) { return part(text, std::strlen(text)); };
  struct stat status;
  bool shrank = fstat(mapping.descriptor, &status) != 0 ||
                uint64_t(status.st_size) < mapping.size;
  ssize_t written;
  if (shrank) {
    iovec line[] = {text(mapping.path), text(": expected "),
                    part(digit, digits.end() - digit),
                    text(" bytes, but the file shrank while it was read\n")};
    written = writev(STDERR_FILENO, line, std::size(line));
  } else {
    iovec line[] = {text(mapping.path),
                    text(": cannot read: Input/output error\n")};
    written = writev(STDERR_FILENO, line, std::size(line));
  }
  (void)written; // a failure cannot be reported
}

static void onBusError(int, siginfo_t *info, void *) {
  Mapping mapping;
  if (info->si_code > 0 && // from the kernel, not from kill()
      findMapping(reinterpret_cast<uintptr_t>(info->si_addr), mapping)) {
    llvm::sys::RunInterruptHandlers(); // removes registered temporaries
    report(mapping);
    _exit(1);
  }
  // Another cause: restore the previous handler, and the same instruction faults again.
  sigaction(SIGBUS, &registry.previous, nullptr);
  if (info->si_code <= 0)
    raise(SIGBUS);
}

TruncationGuard::TruncationGuard() {
  // LLVM installs its handlers when the first temporary is registered, which would
  // replace this handler. So install them now.
  llvm::sys::SetInterruptFunction(nullptr);
  struct sigaction action = {};
  action.sa_sigaction = onBusError;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  [[maybe_unused]] int result = sigaction(SIGBUS, &action, &registry.previous);
  assert(result == 0 && registry.previous.sa_sigaction != onBusError);
}

TruncationGuard::~TruncationGuard() {
  sigaction(SIGBUS, &registry.previous, nullptr);
}
