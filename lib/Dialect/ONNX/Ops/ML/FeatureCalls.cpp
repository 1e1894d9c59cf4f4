// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScoringCalls.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Indices.h"

#include <algorithm>
#include <array>

using namespace invar;
using namespace invar::runtime;

Status runtime::callArrayFeatureExtractor(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  if (!x.rank)
    return call.fail("expected a tensor with features, but got a scalar");
  std::span<int64_t> places;
  if (Status status = readIndices(call, 1, x.getSizes().back(), places,
                                  /*fromBack=*/false))
    return status;
  std::vector<int64_t> sizes = copySizes(x);
  // A vector is one row.
  if (sizes.size() < 2)
    sizes.assign(2, 1);
  sizes.back() = int64_t(places.size());
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, x.getType(), sizes, result))
    return status;
  return pickAlong(call, x, AxisView(x.getSizes(), x.rank - 1u), places,
                   *result);
}

/// The setting `columns` has the number of columns to take of each operand; if it is
/// empty, all are taken.
Status runtime::callFeatureVectorizer(CallContext &call) {
  auto wanted = call.getInts("columns");
  size_t count = call.getNumOperands();
  if (!wanted.empty() && wanted.size() != count)
    return call.fail("expected ", count, " numbers of columns, but got ",
                     wanted.size());
  // The columns of each operand, and how many of them the result takes.
  struct Part {
    std::span<const float> numbers;
    int64_t columns, taken;
  };
  std::vector<Part> parts;
  int64_t rows = 0, all = 0;
  for (size_t i = 0; i < count; ++i) {
    const Tensor &x = call.getTensor(i);
    if (x.rank != 1 && x.rank != 2)
      return call.fail("expected a tensor of rank 1 or 2, but got ",
                       describe(&x));
    int64_t own = x.rank == 2 ? x.getSize(0) : 1;
    if (i > 0 && own != rows)
      return call.fail("expected ", rows, " rows, but got ", describe(&x));
    rows = own;
    Part part = {.numbers = {},
                 .columns = x.getSizes().back(),
                 .taken = wanted.empty() ? x.getSizes().back() : wanted[i]};
    if (part.taken < 0 || __builtin_add_overflow(all, part.taken, &all))
      return call.fail("expected 0 or more columns, but got ", part.taken);
    if (Status status = readNumbers(call, i, part.numbers))
      return status;
    parts.push_back(part);
  }
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, INVAR_FLOAT32, {rows, all}, result))
    return status;
  float *to = result->getData<float>();
  for (int64_t row = 0; row < rows; ++row)
    for (const auto &[numbers, columns, taken] : parts) {
      int64_t copied = std::min(columns, taken);
      std::copy_n(numbers.data() + row * columns, copied, to);
      std::fill(to + copied, to + taken, 0.0f);
      to += taken;
    }
  return Status::success();
}

Status runtime::callNormalizer(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  Examples examples;
  if (Status status = examples.read(call))
    return status;
  NumberResult<double> result;
  if (Status status = result.allocate(call, 0, call.getResultType(0).dataType,
                                      x.getSizes()))
    return status;
  auto norm = kernels::Norm(call.getInt("norm"));
  for (int64_t i = 0; i < examples.count; ++i) {
    std::span<double> row(result.data() + i * examples.features,
                          size_t(examples.features));
    std::ranges::copy(examples[i], row.begin());
    kernels::normalizeRow(norm, row);
  }
  return result.finish(call);
}
