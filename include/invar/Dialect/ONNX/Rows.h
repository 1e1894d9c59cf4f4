// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a tensor as rows. The elements that differ only in the indices of some axes
// form a row. For operators that compute a few numbers from each row. Rows are read in
// pieces that fit the first-level cache, by all threads; no tensor of the rows is
// materialized:
//
//   auto rows = Rows<double>::get(fold, x, axes);
//   …
//   rows.reduce(Sum(), options, [&](int64_t row, const Sum &sum) { out[row] = sum.get(); });
//
// A state receives the elements of a row, in order: `void add(llvm::ArrayRef<T> piece)`.
#ifndef INVAR_DIALECT_ONNX_ROWS_H
#define INVAR_DIALECT_ONNX_ROWS_H

#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Support/Parallel.h"
#include "llvm/ADT/BitVector.h"

namespace invar::onnx {

template <typename T> class Rows {
public:
  /// The rows of `x` along `axes`, as numbers of type T, converted as Cast does it.
  static llvm::Expected<Rows> get(const Folding &fold, const Elements &x,
                                  llvm::ArrayRef<int64_t> axes);

  const Elements &getElements() const { return rows; }
  int64_t getCount() const { return count; }
  int64_t getLength() const { return length; }
  /// The tensor's shape, but with size 1 for the axes of the rows.
  llvm::ArrayRef<int64_t> getShape() const { return shape; }

  /// For each row, adds its elements to a copy of `initial` and then calls `finish(row,
  /// state)`.
  template <typename State, typename Finish>
  void reduce(const State &initial, const EvalOptions &options,
              Finish finish) const;

private:
  static constexpr int64_t pieceLength = 4096;

  Rows(Elements rows, Shape shape, int64_t count, int64_t length)
      : rows(std::move(rows)), shape(std::move(shape)), count(count),
        length(length) {}

  Elements rows;
  Shape shape;
  int64_t count, length;
};

template <typename T>
llvm::Expected<Rows<T>> Rows<T>::get(const Folding &fold, const Elements &x,
                                     llvm::ArrayRef<int64_t> axes) {
  if (llvm::Error error = fold.checkWork(x.getShape()))
    return error;
  llvm::BitVector isLast(unsigned(x.getRank()));
  for (int64_t axis : axes)
    isLast.set(unsigned(axis));
  llvm::SmallVector<int64_t> order;
  for (bool last : {false, true})
    for (int64_t axis = 0; axis < x.getRank(); ++axis)
      if (isLast[unsigned(axis)] == last)
        order.push_back(axis);
  const ElementsBuilder &builder = fold.getBuilder();
  llvm::Expected<Elements> moved = builder.transpose(x, order);
  if (!moved)
    return moved.takeError();
  llvm::Expected<Elements> numbers = builder.cast(*moved, dataTypeOf<T>);
  if (!numbers)
    return numbers.takeError();
  Shape shape(x.getShape());
  int64_t length = 1;
  for (unsigned axis : isLast.set_bits())
    length *= std::exchange(shape[axis], 1);
  if (llvm::Error error = fold.checkWork(shape))
    return error;
  int64_t count = *countElements(shape);
  return Rows(std::move(*numbers), std::move(shape), count, length);
}

template <typename T>
template <typename State, typename Finish>
void Rows<T>::reduce(const State &initial, const EvalOptions &options,
                     Finish finish) const {
  EvalOptions alone = options;
  alone.threads = 1;
  bool isLong = length > pieceLength;
  int64_t rowsAtOnce = isLong ? 1 : pieceLength / std::max<int64_t>(length, 1);
  parallelFor(
      uint64_t(count), uint64_t(rowsAtOnce), options.threads,
      [&](uint64_t from, uint64_t to) {
        int64_t here = isLong ? pieceLength : int64_t(to - from) * length;
        std::vector<T> numbers(static_cast<size_t>(here));
        auto read = [&](int64_t begin, int64_t n) {
          llvm::MutableArrayRef<T> piece =
              llvm::MutableArrayRef(numbers).take_front(size_t(n));
          rows.template read<T>(begin, piece, alone);
        };
        // Read several rows at once, or one row in several pieces.
        if (!isLong)
          read(int64_t(from) * length, here);
        for (uint64_t row = from; row < to; ++row) {
          State state = initial;
          llvm::ArrayRef<T> all = numbers;
          if (!isLong)
            state.add(
                all.slice(size_t(row - from) * size_t(length), size_t(length)));
          for (int64_t at = 0; isLong && at < length; at += pieceLength) {
            int64_t n = std::min(pieceLength, length - at);
            read(int64_t(row) * length + at, n);
            state.add(all.take_front(size_t(n)));
          }
          finish(int64_t(row), state);
        }
      });
}

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_ROWS_H
