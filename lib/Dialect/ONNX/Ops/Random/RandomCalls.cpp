// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/RandomStream.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace invar;
using namespace invar::runtime;

static InvarDataType getType(const CallContext &call) {
  return call.getResultType(0).dataType;
}

/// The operand has the sizes of the result.
Status runtime::callRandomUniform(CallContext &call) {
  std::span<const int64_t> sizes;
  if (Status status = readNumbers(call, 0, sizes))
    return status;
  Draws draws = draw(call);
  return visitFloats(call, getType(call), [&]<typename T>(T) {
    T low = T(call.getFloat("low")), high = T(call.getFloat("high"));
    return fillRandomly<T>(
        call, 0, getType(call), sizes, uniform<T>(draws),
        [&](int64_t, T u) { return low + u * (high - low); });
  });
}

/// The operand has the sizes of the result.
Status runtime::callRandomNormal(CallContext &call) {
  std::span<const int64_t> sizes;
  if (Status status = readNumbers(call, 0, sizes))
    return status;
  Draws draws = draw(call);
  double mean = call.getFloat("mean"), scale = call.getFloat("scale");
  return visitFloats(call, getType(call), [&]<typename T>(T) {
    return fillRandomly<T>(
        call, 0, getType(call), sizes,
        [&](int64_t i) { return draws.getNormal(i); },
        [&](int64_t, double z) { return T(mean + scale * z); });
  });
}

Status runtime::callBernoulli(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  Draws draws = draw(call);
  return visitFloats(call, x.getType(), [&]<typename T>(T) -> Status {
    std::span<const T> chances;
    if (Status status = readNumbers(call, 0, chances))
      return status;
    return fillRandomly<float>(
        call, 0, getType(call), x.getSizes(), uniform<T>(draws),
        [&](int64_t i, T u) { return u < chances[size_t(i)] ? 1.0f : 0.0f; });
  });
}

Status runtime::callMultinomial(CallContext &call) {
  if (Status status = call.expectRank(0, 2))
    return status;
  const Tensor &x = call.getTensor(0);
  int64_t rows = x.getSize(0), classes = x.getSize(1),
          samples = call.getInt("samples");
  if (classes < 1)
    return call.fail("expected classes to draw from, but got ", describe(&x));
  std::span<const double> logarithms;
  if (Status status = readNumbers(call, 0, logarithms))
    return status;
  Draws draws = draw(call);
  NumberResult<int64_t> result;
  if (Status status =
          result.allocate(call, 0, getType(call), std::array{rows, samples}))
    return status;
  if (Status status = call.parallelFor(rows, 1, [&](int64_t from, int64_t to) {
        // Cumulative weights of the classes.
        std::vector<double> sums(static_cast<size_t>(classes));
        for (int64_t row = from; row < to; ++row) {
          auto own = logarithms.subspan(size_t(row * classes), size_t(classes));
          double greatest = *std::ranges::max_element(own), sum = 0;
          for (size_t i = 0; i < own.size(); ++i)
            sums[i] = sum += std::exp(own[i] - greatest);
          for (int64_t i = row * samples; i < (row + 1) * samples; ++i) {
            double u = draws.getUniform<double>(i / 2)[size_t(i % 2)];
            auto found = std::ranges::upper_bound(sums, u * sum);
            result[i] = std::min<int64_t>(found - sums.begin(), classes - 1);
          }
        }
      }))
    return status;
  return result.finish(call);
}
