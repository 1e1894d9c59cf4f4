// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows the progress of long work to a user: after one second, one line on standard
// error, which is updated and erased at the end. Prints nothing if standard error is
// not a terminal.
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
  /// If `isShown` is false, nothing is ever printed.
  explicit Progress(bool isShown = true);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Begins a new phase of the work. `total` is the final value of its counter
  /// getDone(), or 0 if the phase is not counted.
  void begin(llvm::StringRef phase, uint64_t total = 0);

  /// The counter of finished work in the current phase.
  std::atomic<uint64_t> &getDone() { return done; }

private:
  void watch();

  std::mutex mutex;
  std::condition_variable wake;
  std::string phase;
  uint64_t total = 0;
  bool finished = false;
  std::atomic<uint64_t> done = 0;
  // Not std::thread, which ends the process if the system refuses a thread.
  pthread_t watcher = {};
  bool isWatching = false;
};

} // namespace invar

#endif // INVAR_SUPPORT_PROGRESS_H
