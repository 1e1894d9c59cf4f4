// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Dialect/ONNX/Ops/Cast.h"
#include "invar/Kernels/NumberText.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- To and from strings ---------------------------------------------------===//

template <typename T>
static llvm::Expected<Elements> printAll(Folding &fold, const Elements &x) {
  auto numbers = fold.read<T>(x);
  if (!numbers)
    return numbers.takeError();
  std::vector<std::string> texts;
  for (T number : *numbers)
    texts.push_back(kernels::printNumber(number));
  return fold.getBuilder().fromStrings(
      x.getShape(), std::vector<StringRef>(texts.begin(), texts.end()));
}

static llvm::Error noNumber(StringRef text) {
  constexpr size_t shown = 40;
  return notFolded("expected a number that the type holds, but got '" +
                   text.take_front(shown) + "'");
}

/// Parses strings as numbers of type T; checks the bounds of narrower integers.
template <typename T>
static llvm::Expected<Elements> parseAll(Folding &fold, const Elements &x) {
  auto texts = fold.read<StringRef>(x);
  if (!texts)
    return texts.takeError();
  DataType type = fold.getType();
  unsigned spare =
      type == DataType::Bool ? 0 : 8 * sizeof(T) - getBitWidth(type);
  std::vector<T> numbers;
  for (StringRef text : *texts) {
    std::optional<T> number = kernels::parseNumber<T>(text);
    if (!number)
      return noNumber(text);
    if constexpr (std::is_integral_v<T>)
      if (T(T(*number << spare) >> spare) != *number)
        return noNumber(text);
    numbers.push_back(*number);
  }
  return fold.make<T>(x.getShape(), numbers);
}

static llvm::Expected<Elements> toString(Folding &fold, const Elements &x) {
  switch (getKind(x.getType())) {
  case NumberKind::Float:
    return printAll<double>(fold, x);
  case NumberKind::Signed:
    return printAll<int64_t>(fold, x);
  case NumberKind::Bool:
  case NumberKind::Unsigned:
    return printAll<uint64_t>(fold, x);
  default:
    return x;
  }
}

static llvm::Expected<Elements> fromString(Folding &fold, const Elements &x) {
  switch (getKind(fold.getType())) {
  case NumberKind::Float:
    // Narrower floats are converted from single precision, as in runtimes.
    return fold.getType() == DataType::Float64 ? parseAll<double>(fold, x)
                                               : parseAll<float>(fold, x);
  case NumberKind::Unsigned:
    return parseAll<uint64_t>(fold, x);
  default: // The operator does not allow complex numbers.
    return parseAll<int64_t>(fold, x);
  }
}

//===-- Casts -----------------------------------------------------------------===//

template <typename Op> static FoldResult foldCast(Op op, Folding &fold) {
  const Elements &x = fold.get(op.getInput());
  DataType to = fold.getType();
  if (to == DataType::String)
    return toString(fold, x);
  if (x.getType() == DataType::String)
    return fromString(fold, x);
  CastOptions options;
  options.saturate = op.getSaturate() != 0;
  options.scaleRounding = op.getRoundMode() == "down" ? ScaleRounding::Down
                          : op.getRoundMode() == "nearest"
                              ? ScaleRounding::Nearest
                              : ScaleRounding::Up;
  return fold.getBuilder().cast(x, to, options);
}

FoldResult CastOp::computeValues(Folding &fold) {
  return foldCast(*this, fold);
}

FoldResult CastLikeOp::computeValues(Folding &fold) {
  return foldCast(*this, fold);
}

/// Reinterprets lanes as another type of the same width. It copies their bytes and, if
/// the type does not fill its lane, normalizes the unused bits.
static ElementwiseFunction makeBitCast(DataType from, DataType to) {
  size_t laneSize = getLaneSize(to);
  auto kernel = [=](ArrayRef<const void *> operands, void *result, size_t n) {
    std::memcpy(result, operands[0], n * laneSize);
    auto *bytes = static_cast<uint8_t *>(result);
    uint8_t mask = isPacked(to) ? (1u << getBitWidth(to)) - 1 : 0xff;
    uint8_t sign = isPacked(to) && getKind(to) == NumberKind::Signed
                       ? 1u << (getBitWidth(to) - 1)
                       : 0;
    for (size_t i = 0; isPacked(to) && i < n; ++i)
      bytes[i] = uint8_t(((bytes[i] & mask) ^ sign) - sign);
    for (size_t i = 0; to == DataType::Bool && i < n; ++i)
      bytes[i] = bytes[i] != 0;
  };
  return ElementwiseFunction("BitCast", to, from, kernel);
}

FoldResult BitCastOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getInput());
  if (x.getType() == fold.getType())
    return x;
  return fold.getBuilder().transform(makeBitCast(x.getType(), fold.getType()),
                                     x);
}
