// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators along the lines of one axis: cumulative sums and products, and the best
// elements.
#include "Calls.h"
#include "Indices.h"
#include "Numbers.h"
#include "invar/Stop/Pieces.h"
#include "invar/Stop/Sort.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace invar;
using namespace invar::runtime;

/// Calls `visit` with a zero of a type in which the tensor's numbers are compared
/// exactly. Fails if they are not numbers.
template <typename Visit>
static Status visitComparable(CallContext &call, const Tensor &tensor,
                              Visit visit) {
  Status status;
  bool areNumbers =
      kernels::visitNumberType(tensor.getType(), [&]<typename Number>(Number) {
        if constexpr (Number::isFloat)
          status =
              Number::type == INVAR_FLOAT64 ? visit(double()) : visit(float());
        else if constexpr (std::is_signed_v<typename Number::Lane>)
          status = visit(int64_t());
        else
          status = visit(uint64_t());
      });
  return areNumbers ? std::move(status) : expectNumbers(call, tensor);
}

// CumSum, CumProd

namespace {
struct Cumulation {
  AxisView view;
  bool isExclusive, isReverse;
};
} // namespace

/// Processes the lines [first, last). Floats are summed in double.
template <typename T, typename Combine>
static void accumulate(const Cumulation &cumulation, const T *x, T *y,
                       int64_t first, int64_t last, Combine combine,
                       Stop *stop) {
  using Total = std::conditional_t<std::is_same_v<T, float>, double, T>;
  auto [outer, size, inner] = cumulation.view;
  // Processes several adjacent lines at once, to use whole cache lines.
  constexpr int64_t atOnce = 64;
  Total totals[atOnce];
  while (first < last) {
    int64_t column = first % inner;
    int64_t count = std::min({atOnce, inner - column, last - first});
    std::fill_n(totals, count, Total(combine.neutral));
    int64_t begin = first / inner * size * inner + column;
    for (int64_t i = 0; i < size; ++i) {
      if (stop && i % 4096 == 4095 && stop->isDue())
        return;
      int64_t at = begin + (cumulation.isReverse ? size - 1 - i : i) * inner;
      for (int64_t k = 0; k < count; ++k) {
        Total before = totals[k];
        totals[k] = combine(before, Total(x[at + k]));
        y[at + k] = T(cumulation.isExclusive ? before : totals[k]);
      }
    }
    first += count;
  }
}

template <typename Combine>
static Status accumulate(CallContext &call, Combine combine) {
  const Tensor &x = call.getTensor(0);
  int64_t axis = 0;
  if (Status status = readNumber(call, 1, axis))
    return status;
  if (Status status = call.normalizeAxis(axis, x.rank))
    return status;
  return visitComparable(call, x, [&]<typename T>(T) -> Status {
    std::span<const T> from;
    if (Status status = readNumbers(call, 0, from))
      return status;
    NumberResult<T> to;
    if (Status status = to.allocate(call, 0, x.getType(), x.getSizes()))
      return status;
    if (x.getCount() == 0)
      return Status::success();
    Cumulation cumulation{AxisView(x.getSizes(), size_t(axis)),
                          call.getInt("exclusive", 0) != 0,
                          call.getInt("reverse", 0) != 0};
    int64_t lines = cumulation.view.outer * cumulation.view.inner;
    if (Status status = call.parallelFor(
            lines, std::max<int64_t>(1, 16384 / cumulation.view.size),
            [&](int64_t first, int64_t last) {
              accumulate(cumulation, from.data(), to.data(), first, last,
                         combine, call.getStop());
            }))
      return status;
    return to.finish(call);
  });
}

namespace {
struct Sum : std::plus<> {
  static constexpr int neutral = 0;
};
struct Product : std::multiplies<> {
  static constexpr int neutral = 1;
};
} // namespace

Status runtime::callCumSum(CallContext &call) {
  return accumulate(call, Sum());
}
Status runtime::callCumProd(CallContext &call) {
  return accumulate(call, Product());
}

// TopK

namespace {
template <typename T> struct Candidate {
  T number;
  int64_t place;
};

/// Whether a comes before b: it is better, or equal and first. NaN is greater than all
/// numbers, as in the reference implementation.
template <typename T> struct IsBefore {
  bool isGreatest;

  bool operator()(const Candidate<T> &a, const Candidate<T> &b) const {
    if (bool aIsNaN = a.number != a.number, bIsNaN = b.number != b.number;
        aIsNaN != bIsNaN)
      return aIsNaN == isGreatest;
    if (a.number > b.number)
      return isGreatest;
    if (a.number < b.number)
      return !isGreatest;
    return a.place < b.place;
  }
};
} // namespace

/// Finds the best `k` elements of a line, best first, in the front of `best`. Returns
/// false if it is stopped; `best` may then have fewer.
template <typename T>
static bool findBest(const T *line, int64_t stride, int64_t size, int64_t k,
                     IsBefore<T> isBefore, Stop *stop,
                     std::vector<Candidate<T>> &best) {
  best.clear();
  auto take = [&](int64_t count) {
    best.reserve(size_t(count));
    return forPieces(size_t(count), [&](size_t first, size_t last) {
      for (auto i = int64_t(first); i < int64_t(last); ++i)
        best.push_back({line[i * stride], i});
    });
  };
  // Few of many: keep them in a heap with the worst on top.
  constexpr int64_t few = 8;
  if (k < size / few && k > 0) {
    if (!take(k))
      return false;
    std::make_heap(best.begin(), best.end(), isBefore);
    for (int64_t i = k; i < size; ++i) {
      if (stop && i % 16384 == 0 && stop->isDue())
        return false;
      Candidate<T> next = {line[i * stride], i};
      if (!isBefore(next, best.front()))
        continue;
      std::pop_heap(best.begin(), best.end(), isBefore);
      best.back() = next;
      std::push_heap(best.begin(), best.end(), isBefore);
    }
    return sortUnlessStopped(std::span(best), isBefore, stop);
  }
  return take(size) &&
         selectUnlessStopped(std::span(best), size_t(k), isBefore, stop) &&
         sortUnlessStopped(std::span(best).first(size_t(k)), isBefore, stop);
}

Status runtime::callTopK(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  int64_t k = 0, axis = call.getInt("axis", -1);
  if (Status status = readNumber(call, 1, k))
    return status;
  if (Status status = call.normalizeAxis(axis, x.rank))
    return status;
  AxisView view(x.getSizes(), size_t(axis));
  if (k < 0 || k > view.size)
    return call.fail("expected 'K' to be from 0 to ", view.size, ", but got ",
                     k);
  bool isGreatest = call.getInt("largest", 1) != 0;
  std::vector<int64_t> sizes = copySizes(x);
  sizes[size_t(axis)] = k;
  Tensor *values = nullptr, *indices = nullptr;
  if (Status status =
          call.allocate(call.findResult(0), x.getType(), sizes, values))
    return status;
  if (Status status =
          call.allocate(call.findResult(1), INVAR_INT64, sizes, indices))
    return status;
  if (values->getCount() == 0)
    return Status::success();

  // The positions of the values in x.
  Slices elements{{}, 1};
  if (Status status = call.getScratch(values->getCount(), elements.rows))
    return status;
  Status status = visitComparable(call, x, [&]<typename T>(T) -> Status {
    std::span<const T> numbers;
    if (Status status = readNumbers(call, 0, numbers))
      return status;
    auto findLines = [&](int64_t first, int64_t last) {
      std::vector<Candidate<T>> best;
      for (int64_t line = first; line < last; ++line) {
        int64_t outer = line / view.inner, column = line % view.inner;
        int64_t from = outer * view.size * view.inner + column;
        int64_t to = outer * k * view.inner + column;
        if (!findBest(numbers.data() + from, view.inner, view.size, k,
                      IsBefore<T>{isGreatest}, call.getStop(), best))
          return;
        forPieces(size_t(k), [&](size_t i, size_t last) {
          for (; i < last; ++i) {
            int64_t at = to + int64_t(i) * view.inner, place = best[i].place;
            indices->getData<int64_t>()[at] = place;
            elements.rows[size_t(at)] = from + place * view.inner;
          }
        });
      }
    };
    return call.parallelFor(view.outer * view.inner,
                            std::max<int64_t>(1, 4096 / view.size), findLines);
  });
  return status ? std::move(status) : pickSlices(call, x, elements, *values);
}
