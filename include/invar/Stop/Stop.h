// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends work early, because it is cancelled or its time is over. Work that can be
// stopped has a pointer to a Stop (null if nothing can stop it) and polls it regularly:
//
//   Stop stop({.cancel = token, .timeout = 50ms});
//   for (Piece &piece : pieces) {
//     if (stop.isDue())
//       break;
//     compute(piece);
//   }
//   if (stop.isStopped())
//     return fail(stop.explain());
//
// Invariant: once due, always due, even if the token is reset meanwhile. So any thread
// may skip work after isDue() returned true, and a later call of isStopped() reports
// it: missing results are never taken for results.
#ifndef INVAR_STOP_STOP_H
#define INVAR_STOP_STOP_H

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

/// The token of invar-c/Cancel.h.
struct InvarCancel {
  std::atomic<int32_t> references{1};
  std::atomic<bool> isTriggered{false};
};

namespace invar {

struct StopConditions {
  /// Must outlive the work.
  const InvarCancel *cancel = nullptr;
  /// Counts from the construction of the Stop.
  std::optional<std::chrono::nanoseconds> timeout;
  /// Called from time to time, only on the thread that created the Stop; true cancels.
  bool (*ask)(void *context) = nullptr;
  void *context = nullptr;
  /// Users do not notice this delay, and the calls cost little. With 0, `ask` is called
  /// in each poll: tests stop work at every place where it can be stopped.
  std::chrono::nanoseconds askInterval = std::chrono::milliseconds(10);

  bool areAny() const { return cancel || timeout || ask; }
};

class Stop {
public:
  using Clock = std::chrono::steady_clock;
  enum class Reason { None, Cancelled, DeadlineExceeded };

  explicit Stop(const StopConditions &conditions);
  Stop(const Stop &) = delete;
  Stop &operator=(const Stop &) = delete;

  /// Whether the work must end. Reads the clock if there is a deadline or an `ask`, so
  /// use it for pieces of work of at least a tenth of a millisecond. Thread-safe.
  bool isDue() { return isTriggered() || (needsClock && isTimeOver()); }
  /// The same for steps of microseconds: reads the clock only every few steps. The
  /// caller keeps the counter `steps`.
  bool isDueOften(uint32_t &steps) {
    return isTriggered() || (needsClock && ++steps % 16 == 0 && isTimeOver());
  }
  /// Whether isDue() has ever returned true.
  bool isStopped() const { return getReason() != Reason::None; }

  Reason getReason() const { return reason.load(std::memory_order_relaxed); }
  /// The reason, for a message; empty unless stopped.
  std::string explain() const;

  /// Calls `body(from, to)` for consecutive ranges that make up [begin, end), until all
  /// are done or it is stopped. The first range has `grain` elements; the size of the
  /// others is adapted to take about a millisecond.
  template <typename Body>
  void forRanges(int64_t begin, int64_t end, int64_t grain, Body body) {
    int64_t size = std::max<int64_t>(grain, 1);
    while (begin < end && !isDue()) {
      int64_t to = end - begin > size ? begin + size : end;
      Clock::time_point start = Clock::now();
      body(begin, to);
      Clock::duration took = Clock::now() - start;
      if (took < rangeTime / 2 && size < end - to)
        size *= 2;
      else if (took > rangeTime * 2)
        size = std::max<int64_t>(size / 2, 1);
      begin = to;
    }
  }

private:
  static constexpr std::chrono::milliseconds rangeTime{1};

  bool isTriggered() {
    if (isStopped())
      return true;
    if (!cancel || !cancel->isTriggered.load(std::memory_order_relaxed))
      return false;
    set(Reason::Cancelled);
    return true;
  }
  bool isTimeOver();
  void set(Reason why);

  const InvarCancel *cancel;
  std::optional<std::chrono::nanoseconds> timeout;
  bool (*ask)(void *context);
  void *context;
  std::chrono::nanoseconds askInterval;
  bool needsClock;
  Clock::time_point deadline, nextAsk;
  std::thread::id owner;
  std::atomic<Reason> reason{Reason::None};
};

} // namespace invar

#endif // INVAR_STOP_STOP_H
