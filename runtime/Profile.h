// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was measured while a model ran: the time of each kernel and each call of a function.
// A run notes events and adds nothing up; that is done when it has ended. Sums of all runs
// are kept, events of the first ones only, so that measuring for a day takes no more memory
// than for a minute.
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
  uint32_t word; ///< of the code
  int64_t units; ///< of work
  Clock::time_point begin;
  Clock::duration duration;
};

class Profile {
public:
  /// Takes the events of a run. Any thread.
  void add(const std::vector<Event> &events, Clock::time_point begin,
           Clock::duration duration);

  /// A table of the time by node and by kernel; and the trace events of Chrome.
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
    int thread; ///< as the system numbers them
    std::vector<Event> events;
  };

  mutable std::mutex lock; ///< of what follows
  Sum allRuns;
  std::map<uint32_t, Sum> byWord;
  std::vector<Run> runs;
  size_t numEvents = 0;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_PROFILE_H
