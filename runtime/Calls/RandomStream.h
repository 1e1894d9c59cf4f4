// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where random numbers come from. Each node has a stream of its own:
//
//   - With the attribute `seed` the stream depends on it alone. A session that is loaded
//     anew draws the same numbers in its first run, its second, and so on; runs of one
//     session draw different ones. Nodes of one seed draw the same.
//   - Without, the stream begins anywhere, in each session anew.
//
// Element i of a run is the same whatever the number of threads.
#ifndef INVAR_RUNTIME_CALLS_RANDOMSTREAM_H
#define INVAR_RUNTIME_CALLS_RANDOMSTREAM_H

#include "../CallContext.h"
#include "Philox.h"

namespace invar::runtime {

/// The draws of one run. They come in pairs: elements 2 i and 2 i + 1 share a block of the
/// generator.
class Draws {
public:
  template <typename T> using Pair = std::array<T, 2>;

  Draws(const Philox &philox, uint64_t run) : philox(philox), run(run) {}

  /// Evenly distributed over [0, 1), with as many bits as T has.
  template <typename T> Pair<T> getUniform(int64_t i) const {
    auto [a, b, c, d] = philox({uint32_t(i), uint32_t(uint64_t(i) >> 32),
                                uint32_t(run), uint32_t(run >> 32)});
    return {toUniform<T>(uint64_t(b) << 32 | a),
            toUniform<T>(uint64_t(d) << 32 | c)};
  }
  /// Normally distributed around 0 with deviation 1.
  Pair<double> getNormal(int64_t i) const;

private:
  template <typename T> static T toUniform(uint64_t bits) {
    constexpr int digits = sizeof(T) == 4 ? 24 : 53;
    return T(bits >> (64 - digits)) / T(uint64_t(1) << digits);
  }

  Philox philox;
  uint64_t run;
};

/// What the node of a call draws in this run.
Draws draw(CallContext &call);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_RANDOMSTREAM_H
