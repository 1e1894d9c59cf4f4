// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source of random numbers. Each node has its own stream:
//
//   - With the attribute `seed`, the stream depends only on it. A session that is loaded
//     again draws the same numbers in its first run, in its second run, and so on. Runs
//     of one session draw different numbers. Nodes with the same seed draw the same
//     numbers.
//   - Without it, the stream begins at a random position, anew in each session.
//
// Element i of a run does not depend on the number of threads.
#ifndef INVAR_RUNTIME_CALLS_RANDOMSTREAM_H
#define INVAR_RUNTIME_CALLS_RANDOMSTREAM_H

#include "Numbers.h"
#include "Philox.h"

namespace invar::runtime {

/// The draws of one run. They come in pairs: elements 2 i and 2 i + 1 share a block of
/// the generator.
class Draws {
public:
  template <typename T> using Pair = std::array<T, 2>;

  Draws(const Philox &philox, uint64_t run) : philox(philox), run(run) {}

  /// Uniformly distributed over [0, 1), with as many bits as T has.
  template <typename T> Pair<T> getUniform(int64_t i) const {
    auto [a, b, c, d] = philox({uint32_t(i), uint32_t(uint64_t(i) >> 32),
                                uint32_t(run), uint32_t(run >> 32)});
    return {toUniform<T>(uint64_t(b) << 32 | a),
            toUniform<T>(uint64_t(d) << 32 | c)};
  }
  /// Normally distributed with mean 0 and deviation 1.
  Pair<double> getNormal(int64_t i) const;

private:
  template <typename T> static T toUniform(uint64_t bits) {
    constexpr int digits = sizeof(T) == 4 ? 24 : 53;
    return T(bits >> (64 - digits)) / T(uint64_t(1) << digits);
  }

  Philox philox;
  uint64_t run;
};

/// The draws for this node in this run.
Draws draw(CallContext &call);

/// Computes each element of a result as `make(i, draw)` from the draws of `drawPair`.
template <typename T, typename DrawPair, typename Make>
Status fillRandomly(CallContext &call, size_t result, InvarDataType type,
                    Sizes sizes, DrawPair drawPair, Make make) {
  NumberResult<T> numbers;
  if (Status status = numbers.allocate(call, result, type, sizes))
    return status;
  // Pairs that are worth a thread.
  constexpr int64_t grain = 1 << 11;
  int64_t count = numbers.size();
  if (Status status = call.parallelFor(
          count / 2 + count % 2, grain, [&](int64_t from, int64_t to) {
            for (int64_t i = from; i < to; ++i) {
              auto [first, second] = drawPair(i);
              numbers[2 * i] = make(2 * i, first);
              if (2 * i + 1 < count)
                numbers[2 * i + 1] = make(2 * i + 1, second);
            }
          }))
    return status;
  return numbers.finish(call);
}
template <typename T> auto uniform(const Draws &draws) {
  return [&](int64_t i) { return draws.getUniform<T>(i); };
}

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_RANDOMSTREAM_H
