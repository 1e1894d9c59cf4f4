// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that describe the elements along some axes, such as their mean. For operators
// whose result is a formula of each element and of such numbers:
//
//   auto moments = computeStatistics(fold, x, axes, statistics::Moments());
//   moments->at(0), moments->at(1)    mean and variance; the axes have size 1
//
// So a softmax or a normalization needs no tensor for its result: its few statistics
// are computed and stored when the result is first read, and the rest is a formula
// (Elementwise.h).
//
// A statistic is a state that receives elements in pieces and then returns N numbers:
//
//   struct Name {
//     static constexpr llvm::StringLiteral name;  and parameters, as in a formula
//     void add(llvm::ArrayRef<double> piece);
//     std::array<double, N> get() const;
//   };
#ifndef INVAR_DIALECT_ONNX_STATISTICS_H
#define INVAR_DIALECT_ONNX_STATISTICS_H

#include "invar/Dialect/ONNX/Elementwise.h"
#include "invar/Dialect/ONNX/Rows.h"
#include <numeric>

namespace invar::onnx {

//===-- What statistics there are ---------------------------------------------===//

namespace statistics {

/// The mean and the variance of the whole population. Pieces are merged by their
/// moments, which avoids cancellation.
struct Moments {
  static constexpr llvm::StringLiteral name = "moments";
  double count = 0, mean = 0, squares = 0;

  void add(llvm::ArrayRef<double> piece) {
    double n = double(piece.size()), own = 0;
    double center = std::accumulate(piece.begin(), piece.end(), 0.0) / n;
    for (double x : piece)
      own += (x - center) * (x - center);
    double distance = center - mean, total = count + n;
    squares += own + distance * distance * (count * n / total);
    mean += distance * (n / total);
    count = total;
  }
  std::array<double, 2> get() const {
    if (count == 0)
      return {NAN, NAN};
    return {mean, squares / count};
  }
};

/// The mean of the squares.
struct MeanSquare {
  static constexpr llvm::StringLiteral name = "mean square";
  double count = 0, total = 0;

  void add(llvm::ArrayRef<double> piece) {
    for (double x : piece)
      total += x * x;
    count += double(piece.size());
  }
  std::array<double, 1> get() const { return {total / count}; }
};

/// The p-norm.
struct Norm {
  static constexpr llvm::StringLiteral name = "norm";
  double p;
  double total = 0;

  void add(llvm::ArrayRef<double> piece) {
    if (p == 1)
      for (double x : piece)
        total += std::abs(x);
    else if (p == 2)
      for (double x : piece)
        total += x * x;
    else
      for (double x : piece)
        total += std::pow(std::abs(x), p);
  }
  std::array<double, 1> get() const {
    return {p == 1   ? total
            : p == 2 ? std::sqrt(total)
                     : std::pow(total, 1 / p)};
  }
};

/// The greatest element, or NaN if there is one, and the sum of e^(x - greatest) of all
/// x.
struct ExponentialSum {
  static constexpr llvm::StringLiteral name = "exponential sum";
  double greatest = -INFINITY, total = 0;

  void add(llvm::ArrayRef<double> piece) {
    double before = greatest;
    for (double x : piece)
      greatest = scalar::maximum(greatest, x);
    if (greatest == -INFINITY)
      return; // The differences are not defined yet.
    total *= before == greatest ? 1 : std::exp(before - greatest);
    for (double x : piece)
      total += std::exp(x - greatest);
  }
  std::array<double, 2> get() const { return {greatest, total}; }
};

/// The greatest element, or NaN if there is one, and its first position.
struct Greatest {
  static constexpr llvm::StringLiteral name = "greatest";
  double greatest = -INFINITY, place = 0, count = 0;

  void add(llvm::ArrayRef<double> piece) {
    for (double x : piece) {
      if (x > greatest || (scalar::isNaN(x) && !scalar::isNaN(greatest))) {
        greatest = x;
        place = count;
      }
      ++count;
    }
  }
  std::array<double, 2> get() const { return {greatest, place}; }
};

} // namespace statistics

//===-- Computing them --------------------------------------------------------===//

namespace detail {
/// Splits `all` into the tensors of `shape` that it concatenates.
llvm::Expected<llvm::SmallVector<Elements>>
splitParts(const Folding &fold, const Elements &all, size_t parts,
           llvm::ArrayRef<int64_t> shape);
} // namespace detail

/// Computes the statistic `initial` of each group of elements that differ only in
/// `axes` of `x`. Returns one tensor of doubles for each number of the statistic, in
/// which the axes have size 1. They are computed when first read.
template <typename State>
llvm::Expected<llvm::SmallVector<Elements>>
computeStatistics(const Folding &fold, const Elements &x,
                  llvm::ArrayRef<int64_t> axes, State initial) {
  constexpr size_t parts = std::tuple_size_v<decltype(initial.get())>;
  llvm::Expected<Rows<double>> rows = Rows<double>::get(fold, x, axes);
  if (!rows)
    return rows.takeError();
  auto kernel = [rows = *rows, initial](void *lanes,
                                        const EvalOptions &options) {
    auto *out = static_cast<double *>(lanes);
    rows.reduce(initial, options, [&](int64_t row, const State &state) {
      for (size_t part = 0; part < parts; ++part)
        out[part * size_t(rows.getCount()) + size_t(row)] = state.get()[part];
    });
  };
  Hash128 key =
      Hasher()
          .add(State::name)
          .add(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(&initial),
                              sizeof initial))
          .add(axes)
          .finish();
  Shape shape = {int64_t(parts)};
  llvm::append_range(shape, rows->getShape());
  llvm::Expected<Elements> all = fold.getBuilder().compute(
      DataType::Float64, shape, key, {rows->getElements()}, kernel);
  if (!all)
    return all.takeError();
  return detail::splitParts(fold, *all, parts, rows->getShape());
}

/// Applies a formula in double to operands of any numeric type; converts the result to
/// `to`.
template <typename F>
llvm::Expected<Elements> applyInDouble(const Folding &fold, F formula,
                                       llvm::ArrayRef<Elements> operands,
                                       DataType to = DataType::Float64) {
  const ElementsBuilder &builder = fold.getBuilder();
  llvm::SmallVector<Elements> numbers;
  for (const Elements &operand : operands) {
    auto number = builder.cast(operand, DataType::Float64);
    if (!number)
      return number;
    numbers.push_back(std::move(*number));
  }
  llvm::Expected<Elements> result = fold.apply(formula, numbers);
  return result ? builder.cast(*result, to) : std::move(result);
}

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_STATISTICS_H
