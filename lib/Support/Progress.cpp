// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/Progress.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <unistd.h>

using namespace invar;
using Clock = std::chrono::steady_clock;

Progress::Progress(bool isShown) {
  auto run = [](void *self) -> void * {
    static_cast<Progress *>(self)->watch();
    return nullptr;
  };
  isWatching = isShown && isatty(STDERR_FILENO) &&
               pthread_create(&watcher, nullptr, run, this) == 0;
}

Progress::~Progress() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    finished = true;
  }
  wake.notify_all();
  if (isWatching)
    pthread_join(watcher, nullptr);
}

void Progress::begin(llvm::StringRef newPhase, uint64_t newTotal) {
  std::lock_guard<std::mutex> lock(mutex);
  phase = newPhase.str();
  total = newTotal;
  done = 0;
}

void Progress::watch() {
  constexpr auto patience = std::chrono::seconds(1);
  constexpr auto interval = std::chrono::milliseconds(100);
  constexpr llvm::StringLiteral clearLine = "\r\x1b[K";
  Clock::time_point start = Clock::now();
  bool shown = false;
  std::unique_lock<std::mutex> lock(mutex);
  if (wake.wait_for(lock, patience, [this] { return finished; }))
    return;
  while (!finished) {
    double seconds =
        std::chrono::duration<double>(Clock::now() - start).count();
    llvm::errs() << clearLine << phase;
    if (total)
      llvm::errs() << llvm::format(" %3.0f %%",
                                   100.0 * double(done) / double(total));
    llvm::errs() << llvm::format("  %.0f s", seconds);
    shown = true;
    wake.wait_for(lock, interval, [this] { return finished; });
  }
  if (shown)
    llvm::errs() << clearLine;
}
