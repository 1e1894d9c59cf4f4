// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomStream.h"

#include <bit>
#include <chrono>
#include <cmath>
#include <numbers>
#include <sys/random.h>

using namespace invar::runtime;

namespace {
struct Stream : Prepared {
  Philox philox;
  mutable std::atomic<uint64_t> runs = 0;

  explicit Stream(uint64_t key) : philox(key) {}
};
} // namespace

/// A key that nobody knows before.
static uint64_t makeKey() {
  uint64_t key = 0;
  if (getrandom(&key, sizeof(key), GRND_NONBLOCK) != ssize_t(sizeof(key)))
    // Only while the machine starts.
    key =
        uint64_t(std::chrono::steady_clock::now().time_since_epoch().count()) ^
        uint64_t(reinterpret_cast<uintptr_t>(&key)) << 32;
  return key;
}

Draws invar::runtime::draw(CallContext &call) {
  const auto &stream = call.prepare<Stream>([&] {
    const Attribute *seed = call.findAttribute("seed");
    if (!seed)
      return Stream(makeKey());
    // Of Dropout it is an integer.
    return Stream(seed->ints.empty()
                      ? std::bit_cast<uint64_t>(call.getFloat("seed", 0))
                      : uint64_t(seed->ints.front()));
  });
  return Draws(stream.philox,
               stream.runs.fetch_add(1, std::memory_order_relaxed));
}

Draws::Pair<double> Draws::getNormal(int64_t i) const {
  // Of two even numbers one is how far away a point is, the other in which direction (Box
  // and Muller): its coordinates are normal.
  auto [far, turn] = getUniform<double>(i);
  double distance = std::sqrt(-2 * std::log1p(-far)),
         angle = 2 * std::numbers::pi * turn;
  return {distance * std::cos(angle), distance * std::sin(angle)};
}
