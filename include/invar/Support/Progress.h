// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells a person who waits what is going on: after a second one line on standard error
// that is written over, and taken away at the end. Says nothing when standard error is no
// terminal.
//
//   Progress progress;
//   progress.begin("reading model.onnx");
//   …
//   progress.begin("writing out.onnx", size);
//   outputOptions.written = &progress.getDone();   // counted by the file
#ifndef INVAR_SUPPORT_PROGRESS_H
#define INVAR_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <pthread.h>
#include <string>

namespace invar {

class Progress {
public:
  /// One that is not shown says nothing anywhere.
  explicit Progress(bool isShown = true);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// A new phase of the work; `total` is how far its count of done work will go, 0 if
  /// nobody counts.
  void begin(llvm::StringRef phase, uint64_t total = 0);

  /// How much of the phase is done.
  std::atomic<uint64_t> &getDone() { return done; }

private:
  void watch();

  std::mutex mutex;
  std::condition_variable wake;
  std::string phase;
  uint64_t total = 0;
  bool finished = false;
  std::atomic<uint64_t> done = 0;
  // Not std::thread, which ends the process where there is no thread to have.
  pthread_t watcher = {};
  bool isWatching = false;
};

} // namespace invar

#endif // INVAR_SUPPORT_PROGRESS_H
