// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measurements of runs: the time of each kernel and of each call. A run only records
// events; they are added up when it has ended. Sums are kept for all runs, events only
// for the first ones, so that measuring for a day takes no more memory than measuring
// for a minute.
#ifndef INVAR_RUNTIME_PROFILE_H
#define INVAR_RUNTIME_PROFILE_H

#include "Program.h"
#include "invar-c/Session.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace invar::runtime {

using Clock = std::chrono::steady_clock;

struct Event {
  uint32_t word; ///< index in the code
  int64_t units; ///< of work
  Clock::time_point begin;
  Clock::duration duration;
};

class Profile {
public:
  /// Adds the events of a run. May be called from any thread.
  void add(const std::vector<Event> &events, Clock::time_point begin,
           Clock::duration duration);

  /// A table of the time by node and by kernel, and a trace in Chrome's trace event
  /// format.
  std::string writeTable(const Program &program,
                         const InvarKernel *kernels) const;
  std::string writeTrace(const Program &program,
                         const InvarKernel *kernels) const;

private:
  static constexpr size_t mostEvents = 1 << 20;

  struct Sum {
    Clock::duration time{};
    int64_t count = 0;
  };
  struct Run {
    Clock::time_point begin;
    Clock::duration duration;
    int thread; ///< the system's thread number
    std::vector<Event> events;
  };

  mutable std::mutex lock; ///< protects the members below
  Sum allRuns;
  std::map<uint32_t, Sum> byWord;
  std::vector<Run> runs;
  size_t numEvents = 0;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_PROFILE_H
