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

/// The draws of one run. Two elements share a block of the generator.
class Draws {
public:
  Draws(const Philox &philox, uint64_t run) : philox(philox), run(run) {}

  /// 64 random bits for element i, and as many for its neighbour, i ^ 1.
  std::array<uint64_t, 2> getPair(int64_t i) const {
    auto place = uint64_t(i) >> 1;
    auto [a, b, c, d] = philox({uint32_t(place), uint32_t(place >> 32),
                                uint32_t(run), uint32_t(run >> 32)});
    return {uint64_t(b) << 32 | a, uint64_t(d) << 32 | c};
  }
  uint64_t getBits(int64_t i) const { return getPair(i)[i & 1]; }

  /// A number that is evenly distributed over [0, 1), with as many bits as T has.
  template <typename T> static T toUniform(uint64_t bits) {
    constexpr int digits = sizeof(T) == 4 ? 24 : 53;
    return T(bits >> (64 - digits)) / T(uint64_t(1) << digits);
  }
  template <typename T> T getUniform(int64_t i) const {
    return toUniform<T>(getBits(i));
  }
  /// One that is normally distributed around 0 with deviation 1.
  double getNormal(int64_t i) const;

private:
  Philox philox;
  uint64_t run;
};

/// What the node of a call draws in this run.
Draws draw(CallContext &call);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLS_RANDOMSTREAM_H
