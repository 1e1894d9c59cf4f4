// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Stop/Stop.h"

using namespace invar;

/// How long a question may wait: a person notices no delay of it, and asking costs nothing.
static constexpr std::chrono::milliseconds askInterval{10};

Stop::Stop(const StopConditions &conditions)
    : cancel(conditions.cancel), timeout(conditions.timeout),
      ask(conditions.ask), context(conditions.context),
      needsClock(timeout || ask), deadline(Clock::time_point::max()),
      owner(std::this_thread::get_id()) {
  if (!needsClock)
    return;
  Clock::time_point now = Clock::now();
  nextAsk = now + askInterval;
  // What is longer than the clock can count is never over.
  if (timeout && *timeout < Clock::time_point::max() - now)
    deadline = now + *timeout;
}

void Stop::set(Reason why) {
  Reason none = Reason::None;
  reason.compare_exchange_strong(none, why, std::memory_order_relaxed);
}

bool Stop::isTimeOver() {
  Clock::time_point now = Clock::now();
  if (now >= deadline) {
    set(Reason::DeadlineExceeded);
    return true;
  }
  if (!ask || std::this_thread::get_id() != owner || now < nextAsk)
    return false;
  bool isOver = ask(context);
  // An answer that takes long, as one that waits for a lock, is not asked for all the time.
  Clock::time_point answered = Clock::now();
  nextAsk =
      answered + std::max<Clock::duration>(askInterval, 9 * (answered - now));
  if (isOver)
    set(Reason::Cancelled);
  return isOver;
}

std::string Stop::explain() const {
  switch (getReason()) {
  case Reason::None:
    return "";
  case Reason::Cancelled:
    return "expected to reach the end, but was cancelled";
  case Reason::DeadlineExceeded:
    break;
  }
  auto microseconds =
      std::chrono::duration_cast<std::chrono::microseconds>(*timeout).count();
  std::string fraction = std::to_string(microseconds % 1000);
  return "expected to end within " + std::to_string(microseconds / 1000) + "." +
         std::string(3 - fraction.size(), '0') + fraction +
         " ms, but there was more to do";
}
