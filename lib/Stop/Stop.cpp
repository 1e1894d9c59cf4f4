// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Stop/Stop.h"

using namespace invar;

Stop::Stop(const StopConditions &conditions)
    : cancel(conditions.cancel), timeout(conditions.timeout),
      ask(conditions.ask), context(conditions.context),
      askInterval(conditions.askInterval), needsClock(timeout || ask),
      deadline(Clock::time_point::max()), owner(std::this_thread::get_id()) {
  if (!needsClock)
    return;
  Clock::time_point now = Clock::now();
  nextAsk = now + askInterval;
  // A timeout beyond the range of the clock never ends.
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
  // If a call takes long, for example because it waits for a lock, call less often.
  Clock::time_point answered = Clock::now();
  nextAsk = askInterval.count() == 0
                ? now
                : answered + std::max<Clock::duration>(askInterval,
                                                       9 * (answered - now));
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
