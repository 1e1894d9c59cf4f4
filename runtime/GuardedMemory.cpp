// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GuardedMemory.h"

#include <csetjmp>
#include <csignal>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace invar::runtime;

GuardedBytes::GuardedBytes(size_t size, bool isAtEnd) {
  auto page = size_t(sysconf(_SC_PAGESIZE));
  size_t inside = (size + page - 1) / page * page;
  mapped = inside + 2 * page;
  void *got =
      mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED)
    return;
  base = static_cast<char *>(got);
  if (mprotect(base + page, inside, PROT_READ | PROT_WRITE) != 0)
    return;
  data = isAtEnd ? base + page + inside - size : base + page;
}

GuardedBytes::GuardedBytes(GuardedBytes &&other) noexcept
    : base(std::exchange(other.base, nullptr)),
      data(std::exchange(other.data, nullptr)), mapped(other.mapped) {}

GuardedBytes::~GuardedBytes() {
  if (base)
    munmap(base, mapped);
}

/// Where the current call continues after a fault; null on threads without a call.
static thread_local sigjmp_buf *afterFault = nullptr;
static struct sigaction formerHandlers[2];
static constexpr int signals[] = {SIGSEGV, SIGBUS};

static void handleFault(int signal) {
  if (afterFault)
    siglongjmp(*afterFault, 1);
  // Not ours: restore the former handler, which gets the signal when the instruction is
  // retried.
  for (size_t i = 0; i < 2; ++i)
    if (signals[i] == signal)
      sigaction(signal, &formerHandlers[i], nullptr);
}

bool invar::runtime::runCatchingFaults(void (*work)(void *), void *context) {
  static std::mutex oneAtATime;
  std::lock_guard guard(oneAtATime);
  struct sigaction handler = {};
  handler.sa_handler = handleFault;
  sigemptyset(&handler.sa_mask);
  sigjmp_buf place;
  for (size_t i = 0; i < 2; ++i)
    sigaction(signals[i], &handler, &formerHandlers[i]);
  // Also restores the signal mask: the handler's own signal is blocked while it runs.
  bool isFine = sigsetjmp(place, 1) == 0;
  if (isFine) {
    afterFault = &place;
    work(context);
  }
  afterFault = nullptr;
  for (size_t i = 0; i < 2; ++i)
    sigaction(signals[i], &formerHandlers[i], nullptr);
  return isFine;
}
