// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Statistics.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// What is read at once: as many doubles as the first cache holds.
static constexpr int64_t pieceLength = 4096;

llvm::Expected<onnx::detail::Rows>
onnx::detail::Rows::get(const Folding &fold, const Elements &x,
                        ArrayRef<int64_t> axes) {
  if (llvm::Error error = fold.checkWork(x.getShape()))
    return error;
  llvm::BitVector isLast(unsigned(x.getRank()));
  for (int64_t axis : axes)
    isLast.set(unsigned(axis));
  SmallVector<int64_t> order;
  for (bool last : {false, true})
    for (int64_t axis = 0; axis < x.getRank(); ++axis)
      if (isLast[unsigned(axis)] == last)
        order.push_back(axis);
  const ElementsBuilder &builder = fold.getBuilder();
  llvm::Expected<Elements> rows = builder.transpose(x, order);
  if (!rows)
    return rows.takeError();
  llvm::Expected<Elements> numbers = builder.cast(*rows, DataType::Float64);
  if (!numbers)
    return numbers.takeError();
  Shape shape(x.getShape());
  for (unsigned axis : isLast.set_bits())
    shape[axis] = 1;
  if (llvm::Error error = fold.checkWork(shape))
    return error;
  int64_t count = *countElements(shape);
  return Rows(std::move(*numbers), std::move(shape), count,
              count ? x.numElements() / count : 0);
}

int64_t onnx::detail::Rows::getGrain() const {
  return std::max<int64_t>(1, pieceLength / std::max<int64_t>(length, 1));
}

void onnx::detail::Rows::visit(int64_t from, int64_t to,
                               RowVisitor visit) const {
  EvalOptions alone;
  alone.threads = 1;
  if (length <= pieceLength) { // Several rows at once.
    std::vector<double> numbers(size_t((to - from) * length));
    rows.read<double>(from * length, MutableArrayRef<double>(numbers), alone);
    for (int64_t row = from; row < to && length > 0; ++row)
      visit(ArrayRef(numbers).slice((row - from) * length, length), row);
    return;
  }
  std::vector<double> numbers(pieceLength);
  for (int64_t row = from; row < to; ++row)
    for (int64_t at = 0; at < length; at += pieceLength) {
      MutableArrayRef<double> piece = MutableArrayRef(numbers).take_front(
          std::min(pieceLength, length - at));
      rows.read<double>(row * length + at, piece, alone);
      visit(piece, row);
    }
}

llvm::Expected<SmallVector<Elements>>
onnx::detail::splitParts(const Folding &fold, const Elements &all, size_t parts,
                         ArrayRef<int64_t> shape) {
  const ElementsBuilder &builder = fold.getBuilder();
  SmallVector<Elements> result;
  for (size_t part = 0; part < parts; ++part) {
    Shape starts(all.getRank(), 0), sizes(all.getShape()),
        steps(all.getRank(), 1);
    starts[0] = int64_t(part);
    sizes[0] = 1;
    llvm::Expected<Elements> own = builder.slice(all, starts, sizes, steps);
    if (!own)
      return own.takeError();
    llvm::Expected<Elements> seen = builder.reshape(*own, shape);
    if (!seen)
      return seen.takeError();
    result.push_back(std::move(*seen));
  }
  return result;
}
