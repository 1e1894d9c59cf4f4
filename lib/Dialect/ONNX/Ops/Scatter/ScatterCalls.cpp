// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of a tensor by index. Updates are applied in order: if an element is selected
// more than once, the last update wins, or each is combined with the current value. A
// tensor that has no other use is changed in place, so that a cache is not copied each
// time.
#include "ScatterCalls.h"

#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Indices.h"
#include "runtime/Calls/Numbers.h"
#include "runtime/IndexCheck.h"

#include <algorithm>
#include <complex>
#include <functional>

using namespace invar;
using namespace invar::runtime;

/// Makes the first operand the result that is changed: the operand itself, or a copy.
static Status takeFirst(CallContext &call, Tensor *&result) {
  const Tensor &data = call.getTensor(0);
  Tensor *own = asTensor(call.getOperandToChange(0));
  bool isShared = !own || own->isConstant || own->getOwner() != own;
  for (size_t i = 1; i < call.getNumOperands(); ++i)
    isShared |= call.getOperand(i) == own;
  if (!isShared) {
    result = own;
    call.setResult(0, own);
    return Status::success();
  }
  if (Status status = call.allocate(0, data.getType(), data.getSizes(), result))
    return status;
  BoxCopy copy(data, 0, *result, 0);
  copy.addAxis(data.getCount(), 1, 1);
  return copy.run(call);
}

// Combinations

namespace {
struct Maximum {
  /// NaN is kept.
  template <typename T> T operator()(T a, T b) const {
    return a > b || a != a ? a : b;
  }
};
struct Minimum {
  template <typename T> T operator()(T a, T b) const {
    return a < b || a != a ? a : b;
  }
};
} // namespace

/// Calls `visit` with a function of two numbers; returns false if there is no such
/// reduction.
template <typename Visit>
static bool visitReduction(Reduction reduction, Visit visit) {
  switch (reduction) {
  case Reduction::Add:
    return visit(std::plus<>()), true;
  case Reduction::Mul:
    return visit(std::multiplies<>()), true;
  case Reduction::Max:
    return visit(Maximum()), true;
  case Reduction::Min:
    return visit(Minimum()), true;
  default:
    return false;
  }
}

/// Combines each element of the slices with its update.
template <typename T, typename Combine>
static void combine(const Slices &slices, const T *updates, T *elements,
                    Combine combine) {
  for (int64_t row : slices.rows) {
    T *slice = elements + row * slices.length;
    for (int64_t i = 0; i < slices.length; ++i)
      slice[i] = combine(slice[i], *updates++);
  }
}

static bool combineNumbers(Reduction reduction, const Slices &slices,
                           const Tensor &updates, Tensor &result) {
  bool isDone = false;
  kernels::visitNumberType(result.getType(), [&]<typename Number>(Number) {
    using Lane = typename Number::Lane;
    isDone = visitReduction(reduction, [&](auto function) {
      combine(slices, updates.getData<const Lane>(), result.getData<Lane>(),
              [&](Lane a, Lane b) {
                // For bools, the sum is a logical or, and the product a logical and.
                if constexpr (isMiniFloat<Lane>)
                  return Lane::fromFloat(function(a.toFloat(), b.toFloat()));
                else
                  return Number::wrap(Lane(function(a, b)));
              });
    });
  });
  return isDone;
}

/// Complex numbers have no order, so there is no max and min.
template <typename T>
static bool combineComplex(Reduction reduction, const Slices &slices,
                           const Tensor &updates, Tensor &result) {
  using Complex = std::complex<T>;
  auto apply = [&](auto function) {
    combine(slices, updates.getData<const Complex>(), result.getData<Complex>(),
            function);
    return true;
  };
  return reduction == Reduction::Add   ? apply(std::plus<>())
         : reduction == Reduction::Mul ? apply(std::multiplies<>())
                                       : false;
}

/// Strings have an order, and their sum is their concatenation.
static bool combineStrings(Reduction reduction, const Slices &slices,
                           const Tensor &updates, Tensor &result,
                           bool &hasMemory) {
  if (reduction != Reduction::Add && reduction != Reduction::Max &&
      reduction != Reduction::Min)
    return false;
  // Setting a string again takes new memory, so each one is set once, at the end.
  std::vector<std::string> texts;
  for (int64_t i = 0; i < result.getCount(); ++i)
    texts.emplace_back(result.getString(i));
  int64_t next = 0;
  for (int64_t row : slices.rows)
    for (int64_t i = 0; i < slices.length; ++i) {
      std::string_view update = updates.getString(next++);
      std::string &text = texts[size_t(row * slices.length + i)];
      if (reduction == Reduction::Add)
        text += update;
      else if (reduction == Reduction::Max ? update > text : update < text)
        text = update;
    }
  for (int64_t i = 0; hasMemory && i < result.getCount(); ++i)
    hasMemory = result.setString(i, texts[size_t(i)]);
  return true;
}

static Status scatter(CallContext &call, const Slices &slices) {
  const Tensor &data = call.getTensor(0), &updates = call.getTensor(2);
  auto reduction = Reduction(call.getInt("reduction"));
  if (Status status = call.expectType(2, data.getType()))
    return status;
  int64_t expected = 0;
  if (__builtin_mul_overflow(int64_t(slices.rows.size()), slices.length,
                             &expected) ||
      expected != updates.getCount())
    return call.fail("expected ", slices.rows.size(), " updates of ",
                     slices.length, " elements, but got ", describe(&updates));
  Tensor *result = nullptr;
  if (Status status = takeFirst(call, result))
    return status;
  bool hasMemory = true, isDone = true;
  if (reduction == Reduction::None) {
    int64_t from = 0;
    for (int64_t row : slices.rows) {
      hasMemory = hasMemory && copyElements(updates, from, *result,
                                            row * slices.length, slices.length);
      from += slices.length;
    }
  } else if (data.getType() == INVAR_STRING) {
    isDone = combineStrings(reduction, slices, updates, *result, hasMemory);
  } else if (data.getType() == INVAR_COMPLEX64) {
    isDone = combineComplex<float>(reduction, slices, updates, *result);
  } else if (data.getType() == INVAR_COMPLEX128) {
    isDone = combineComplex<double>(reduction, slices, updates, *result);
  } else {
    isDone = combineNumbers(reduction, slices, updates, *result);
  }
  if (!isDone)
    return call.fail("expected elements that the reduction combines, but got ",
                     getName(data.getType()));
  return hasMemory ? Status::success() : explainNoStrings();
}

Status runtime::callScatterElements(CallContext &call) {
  const Tensor &data = call.getTensor(0);
  int64_t axis = call.getInt("axis");
  if (Status status = call.normalizeAxis(axis, data.rank))
    return status;
  Slices elements;
  if (Status status =
          locateElements(call, 1, data.getSizes(), size_t(axis), elements))
    return status;
  return scatter(call, elements);
}

Status runtime::callScatterND(CallContext &call) {
  Slices slices;
  if (Status status =
          locateSlices(call, 1, call.getTensor(0).getSizes(), 0, slices))
    return status;
  return scatter(call, slices);
}
