// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends work before it is done: because somebody cancels it, or because its time is over.
// Work that can be stopped has a pointer to a Stop, null where nothing can stop it, and asks
// it now and then:
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
// Invariant: once due, always due, also if the token is used again meanwhile. So any thread
// may leave out work after isDue() said so, and whoever asks in the end learns of it:
// results that were not computed are never taken for results.
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
  /// From now on.
  std::optional<std::chrono::nanoseconds> timeout;
  /// Asked every few milliseconds, by the thread that made the Stop alone; true cancels.
  bool (*ask)(void *context) = nullptr;
  void *context = nullptr;

  bool areAny() const { return cancel || timeout || ask; }
};

class Stop {
public:
  using Clock = std::chrono::steady_clock;
  enum class Reason { None, Cancelled, DeadlineExceeded };

  explicit Stop(const StopConditions &conditions);
  Stop(const Stop &) = delete;
  Stop &operator=(const Stop &) = delete;

  /// Whether work is to end. Looks at the clock, if there is a deadline: for work of a tenth
  /// of a millisecond and more. Any thread.
  bool isDue() { return isTriggered() || (needsClock && isTimeOver()); }
  /// The same for steps of microseconds: looks at the clock every few steps, which the
  /// caller counts.
  bool isDueOften(uint32_t &steps) {
    return isTriggered() || (needsClock && ++steps % 16 == 0 && isTimeOver());
  }
  /// Whether isDue() has ever said so.
  bool isStopped() const { return getReason() != Reason::None; }

  Reason getReason() const { return reason.load(std::memory_order_relaxed); }
  /// Why, for a message; empty unless it is stopped.
  std::string explain() const;

  /// Calls `body(from, to)` for ranges that make up [begin, end), one after the other, until
  /// all is done or it is stopped. The first is of `grain`; the others are made to take
  /// about a millisecond.
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
  bool needsClock;
  Clock::time_point deadline, nextAsk;
  std::thread::id owner;
  std::atomic<Reason> reason{Reason::None};
};

} // namespace invar

#endif // INVAR_STOP_STOP_H
