// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CompareValues.h"

#include <cmath>
#include <complex>
#include <cstring>

using namespace invar;
using llvm::StringRef;

static constexpr ValueDifference nothingAlike = {INFINITY, INFINITY, false};

void ValueDifference::add(const ValueDifference &part) {
  absolute = std::max(absolute, part.absolute);
  relative = std::max(relative, part.relative);
  agrees &= part.agrees;
}

static bool isNarrow(DataType type) {
  return type == DataType::Float16 || type == DataType::BFloat16;
}

/// The elements of a tensor of floats as doubles; for complex numbers, both parts in
/// turn.
static std::vector<double> toDoubles(const rt::Value &tensor) {
  std::vector<double> numbers;
  if (tensor.dataType() == INVAR_COMPLEX64)
    llvm::append_range(numbers, llvm::ArrayRef(tensor.data<float>(),
                                               size_t(tensor.count()) * 2));
  else if (tensor.dataType() == INVAR_COMPLEX128)
    llvm::append_range(numbers, llvm::ArrayRef(tensor.data<double>(),
                                               size_t(tensor.count()) * 2));
  else
    forEachPiece(tensor, [&](int64_t, llvm::ArrayRef<double> piece) {
      llvm::append_range(numbers, piece);
    });
  return numbers;
}

static ValueDifference compareFloats(const rt::Value &expected,
                                     const rt::Value &got,
                                     const Tolerance &tolerance) {
  bool narrow = isNarrow(getType(expected));
  double relative = tolerance.relative.value_or(narrow ? 1e-2 : 1e-4);
  double absolute = tolerance.absolute.value_or(narrow ? 1e-3 : 1e-5);
  std::vector<double> a = toDoubles(expected), b = toDoubles(got);
  double squares = 0;
  size_t finite = 0;
  for (double number : a)
    if (std::isfinite(number)) {
      squares += number * number;
      ++finite;
    }
  double typical = finite ? std::sqrt(squares / double(finite)) : 0;
  ValueDifference difference;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    if (!std::isfinite(x) || !std::isfinite(y)) {
      if (x != y && !(std::isnan(x) && std::isnan(y)))
        return nothingAlike;
      continue;
    }
    double apart = std::abs(x - y), scale = std::max(std::abs(x), typical);
    difference.add({apart, scale > 0 ? apart / scale : 0,
                    apart <= absolute + relative * scale});
  }
  return difference;
}

/// Types without rounding are compared exactly.
static bool isSame(const rt::Value &expected, const rt::Value &got) {
  if (expected.dataType() != INVAR_STRING)
    return invar_tensor_bytes(expected.get()) == 0 ||
           std::memcmp(expected.data<char>(), got.data<char>(),
                       invar_tensor_bytes(expected.get())) == 0;
  for (int64_t i = 0; i < expected.count(); ++i) {
    const InvarString &a = expected.data<InvarString>()[i],
                      &b = got.data<InvarString>()[i];
    if (StringRef(a.data, a.size) != StringRef(b.data, b.size))
      return false;
  }
  return true;
}

ValueDifference invar::compareValues(const rt::Value &expected,
                                     const rt::Value &got,
                                     const Tolerance &tolerance) {
  if (!expected || !got)
    return !expected && !got ? ValueDifference() : nothingAlike;
  if (expected.kind() != got.kind())
    return nothingAlike;
  if (expected.kind() == INVAR_TYPE_OPTIONAL)
    return compareValues(expected.element(), got.element(), tolerance);
  if (expected.kind() == INVAR_TYPE_SEQUENCE) {
    if (expected.size() != got.size())
      return nothingAlike;
    ValueDifference difference;
    for (size_t i = 0; i < expected.size(); ++i)
      difference.add(compareValues(expected[i], got[i], tolerance));
    return difference;
  }
  if (expected.kind() == INVAR_TYPE_MAP) {
    ValueDifference difference =
        compareValues(expected.keys(), got.keys(), tolerance);
    difference.add(compareValues(expected.values(), got.values(), tolerance));
    return difference;
  }
  if (expected.dataType() != got.dataType() || expected.sizes() != got.sizes())
    return nothingAlike;
  NumberKind kind = getKind(getType(expected));
  if (kind == NumberKind::Float || kind == NumberKind::Complex)
    return compareFloats(expected, got, tolerance);
  return isSame(expected, got) ? ValueDifference()
                               : ValueDifference{1, 1, false};
}
