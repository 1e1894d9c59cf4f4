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

/// An unpredictable key.
static uint64_t makeKey() {
  uint64_t key = 0;
  if (getrandom(&key, sizeof(key), GRND_NONBLOCK) != ssize_t(sizeof(key)))
    // Happens only while the machine boots.
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
    // For Dropout, the seed is an integer.
    return Stream(seed->ints.empty()
                      ? std::bit_cast<uint64_t>(call.getFloat("seed"))
                      : uint64_t(seed->ints.front()));
  });
  return Draws(stream.philox,
               stream.runs.fetch_add(1, std::memory_order_relaxed));
}

Draws::Pair<double> Draws::getNormal(int64_t i) const {
  // Box-Muller: one uniform number becomes the distance of a point, the other its
  // angle. Then both coordinates are normally distributed.
  auto [far, turn] = getUniform<double>(i);
  double distance = std::sqrt(-2 * std::log1p(-far)),
         angle = 2 * std::numbers::pi * turn;
  return {distance * std::cos(angle), distance * std::sin(angle)};
}
