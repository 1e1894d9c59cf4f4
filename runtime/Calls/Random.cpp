// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Calls.h"
#include "Numbers.h"
#include "RandomStream.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace invar;
using namespace invar::runtime;

/// Computes each element of a result as `make(i, draw)` from the draws of `drawPair`.
template <typename T, typename DrawPair, typename Make>
static Status fill(CallContext &call, size_t result, InvarDataType type,
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
template <typename T> static auto uniform(const Draws &draws) {
  return [&](int64_t i) { return draws.getUniform<T>(i); };
}

/// The type named by `dtype`, or else the operand's type; the compiler has resolved it.
static InvarDataType getType(const CallContext &call) {
  return call.getResultType(0).dataType;
}

static Status fillUniform(CallContext &call, InvarDataType type, Sizes sizes) {
  Draws draws = draw(call);
  return visitFloats(call, type, [&]<typename T>(T) {
    T low = T(call.getFloat("low", 0)), high = T(call.getFloat("high", 1));
    return fill<T>(call, 0, type, sizes, uniform<T>(draws),
                   [&](int64_t, T u) { return low + u * (high - low); });
  });
}

static Status fillNormal(CallContext &call, InvarDataType type, Sizes sizes) {
  Draws draws = draw(call);
  double mean = call.getFloat("mean", 0), scale = call.getFloat("scale", 1);
  return visitFloats(call, type, [&]<typename T>(T) {
    return fill<T>(
        call, 0, type, sizes, [&](int64_t i) { return draws.getNormal(i); },
        [&](int64_t, double z) { return T(mean + scale * z); });
  });
}

Status runtime::callRandomUniform(CallContext &call) {
  return fillUniform(call, getType(call), call.getInts("shape"));
}
Status runtime::callRandomUniformLike(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  return fillUniform(call, getType(call), x.getSizes());
}
Status runtime::callRandomNormal(CallContext &call) {
  return fillNormal(call, getType(call), call.getInts("shape"));
}
Status runtime::callRandomNormalLike(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  return fillNormal(call, getType(call), x.getSizes());
}

Status runtime::callBernoulli(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  Draws draws = draw(call);
  return visitFloats(call, x.getType(), [&]<typename T>(T) -> Status {
    std::span<const T> chances;
    if (Status status = readNumbers(call, 0, chances))
      return status;
    return fill<float>(
        call, 0, getType(call), x.getSizes(), uniform<T>(draws),
        [&](int64_t i, T u) { return u < chances[size_t(i)] ? 1.0f : 0.0f; });
  });
}

Status runtime::callMultinomial(CallContext &call) {
  if (Status status = call.expectRank(0, 2))
    return status;
  const Tensor &x = call.getTensor(0);
  int64_t rows = x.getSize(0), classes = x.getSize(1),
          samples = call.getInt("sample_size", 1);
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

Status runtime::callDropout(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  double ratio = 0.5;
  int64_t isTraining = 0;
  if (Status status = readNumber(call, 1, ratio))
    return status;
  if (Status status = readNumber(call, 2, isTraining))
    return status;
  if (!(ratio >= 0 && ratio < 1))
    return call.fail("expected 'ratio' to be from 0 to below 1, but got ",
                     std::to_string(ratio));
  Tensor *mask = nullptr;
  if (Status status =
          call.allocate(call.findResult(1), INVAR_BOOL, x.getSizes(), mask))
    return status;
  bool *isKept = mask->getData<bool>();
  if (!isTraining || ratio == 0) {
    std::fill_n(isKept, mask->getCount(), true);
    call.setResult(0, const_cast<Tensor *>(&x));
    return Status::success();
  }
  Draws draws = draw(call);
  return visitFloats(call, x.getType(), [&]<typename T>(T) -> Status {
    std::span<const T> from;
    if (Status status = readNumbers(call, 0, from))
      return status;
    T scale = T(1 / (1 - ratio));
    return fill<T>(call, 0, x.getType(), x.getSizes(), uniform<double>(draws),
                   [&](int64_t i, double u) {
                     isKept[i] = u >= ratio;
                     return isKept[i] ? from[size_t(i)] * scale : T(0);
                   });
  });
}
