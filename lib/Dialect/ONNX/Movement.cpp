// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Movement.h"

#include "invar/Support/Parallel.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using llvm::Expected;

//===-- Formulas --------------------------------------------------------------===//

Expected<Elements> invar::onnx::makeZero(const Folding &fold, DataType type) {
  return dispatch(type, [&](auto tag) {
    typename decltype(tag)::Lane zero{};
    return fold.getBuilder().fromLanes(type, {}, &zero, 1);
  });
}

/// Up to one block of numbers is stored. A longer sequence is computed from the blocks'
/// numbers, which are counted in the same way, and the positions within a block.
Expected<Elements> invar::onnx::countUp(const Folding &fold, int64_t count) {
  using enum DataType;
  constexpr int64_t block = 4096;
  const ElementsBuilder &builder = fold.getBuilder();
  if (llvm::Error error = fold.checkWork(count))
    return error;
  std::vector<int64_t> numbers(size_t(std::min(count, block)));
  std::iota(numbers.begin(), numbers.end(), 0);
  auto within = builder.fromArray<Int64>(int64_t(numbers.size()), numbers);
  if (!within || count <= block)
    return within;
  int64_t blocks = llvm::divideCeil(count, block);
  auto outer = countUp(fold, blocks);
  if (!outer)
    return outer;
  auto column = builder.reshape(*outer, {blocks, 1});
  if (!column)
    return column;
  auto number = ElementwiseFunction::typed<Int64, Int64, Int64>(
      "CountUp", [](int64_t i, int64_t place) { return i * block + place; });
  auto all = builder.combine(number, {*column, *within});
  if (!all)
    return all;
  auto flat = builder.reshape(*all, blocks * block);
  return flat ? builder.slice(*flat, 0, count, 1) : std::move(flat);
}

Expected<Elements> invar::onnx::choose(const Folding &fold,
                                       const Elements &condition,
                                       const Elements &yes,
                                       const Elements &no) {
  return dispatch(yes.getType(), [&](auto tag) {
    constexpr DataType type = decltype(tag)::type;
    using Lane = LaneOf<type>;
    auto where = ElementwiseFunction::typed<type, DataType::Bool, type, type>(
        "Where", [](bool is, Lane x, Lane y) { return is ? x : y; });
    return fold.getBuilder().combine(where, {condition, yes, no});
  });
}

//===-- Views -----------------------------------------------------------------===//

Expected<Elements> invar::onnx::sliceAlong(const Folding &fold,
                                           const Elements &x, int64_t axis,
                                           int64_t start, int64_t count,
                                           int64_t step) {
  Shape starts(x.getRank(), 0), sizes(x.getShape()), steps(x.getRank(), 1);
  starts[axis] = start;
  sizes[axis] = count;
  steps[axis] = step;
  return fold.getBuilder().slice(x, starts, sizes, steps);
}

Expected<Elements> invar::onnx::padAlong(const Folding &fold, const Elements &x,
                                         int64_t axis, int64_t before,
                                         int64_t after, const Elements &value) {
  const ElementsBuilder &builder = fold.getBuilder();
  auto border = [&](int64_t count) {
    Shape shape(x.getShape());
    shape[axis] = count;
    return builder.expand(value, shape);
  };
  Expected<Elements> first = border(before), last = border(after);
  if (!first || !last)
    return llvm::joinErrors(first.takeError(), last.takeError());
  return builder.concat({*first, x, *last}, axis);
}

Expected<Elements> invar::onnx::tile(const Folding &fold, const Elements &x,
                                     ArrayRef<int64_t> repeats) {
  const ElementsBuilder &builder = fold.getBuilder();
  // Insert an axis before each repeated axis, and broadcast along it.
  Shape split, repeated, merged;
  for (auto [size, times] : llvm::zip_equal(x.getShape(), repeats)) {
    std::optional<int64_t> all = countElements({size, times});
    if (!all)
      return notFolded("expected sizes that can be counted, but got " +
                       Twine(size) + " times " + Twine(times));
    if (times != 1) {
      split.push_back(1);
      repeated.push_back(times);
    }
    split.push_back(size);
    repeated.push_back(size);
    merged.push_back(*all);
  }
  Expected<Elements> axes = builder.reshape(x, split);
  if (!axes)
    return axes;
  Expected<Elements> copies = builder.expand(*axes, repeated);
  return copies ? builder.reshape(*copies, merged) : std::move(copies);
}

//===-- Indices ---------------------------------------------------------------===//

/// Converts a negative index to count from the front.
static Expected<int64_t> countFromFront(int64_t index, int64_t size) {
  if (std::optional<int64_t> place = normalizeAxis(index, size))
    return *place;
  return notFolded("expected indices in [" + Twine(-size) + ", " + Twine(size) +
                   "), but got " + Twine(index));
}

Expected<std::vector<int64_t>>
invar::onnx::readIndices(const Folding &fold, Value operand, int64_t size) {
  Expected<ElementsArray<int64_t>> given = fold.read<int64_t>(operand);
  if (!given)
    return given.takeError();
  std::vector<int64_t> places(given->begin(), given->end());
  for (int64_t &place : places)
    if (llvm::Error error = countFromFront(place, size).moveInto(place))
      return error;
  return places;
}

Expected<std::vector<int64_t>>
invar::onnx::locateElements(const Folding &fold, Value indices,
                            ArrayRef<int64_t> shape, int64_t axis) {
  ArrayRef<int64_t> sizes = fold.get(indices).getShape();
  for (auto [i, size] : llvm::enumerate(sizes))
    if (int64_t(i) != axis && size > shape[i])
      return notFolded("expected indices of size " + Twine(shape[i]) +
                       " at most along axis " + Twine(i) + ", but got " +
                       Twine(size));
  Expected<std::vector<int64_t>> places =
      readIndices(fold, indices, shape[axis]);
  if (!places)
    return places;
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  // `at` is the element at the loop's index, but with index 0 on the axis.
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t at = 0;
  for (int64_t &place : *places) {
    place = at + place * strides[axis];
    for (size_t i = shape.size(); i-- > 0;) {
      int64_t stride = int64_t(i) == axis ? 0 : strides[i];
      at += stride;
      if (++index[i] < sizes[i])
        break;
      at -= stride * index[i];
      index[i] = 0;
    }
  }
  return places;
}

Expected<Slices> invar::onnx::locateSlices(const Folding &fold, Value indices,
                                           ArrayRef<int64_t> shape,
                                           int64_t batchAxes) {
  const Elements &tuples = fold.get(indices);
  int64_t axes = tuples.getShape().back();
  ArrayRef<int64_t> batch = shape.take_front(batchAxes),
                    sizes = shape.slice(batchAxes, axes);
  std::optional<int64_t> count = countElements(tuples.getShape().drop_back()),
                         batches = countElements(batch),
                         length =
                             countElements(shape.drop_front(batchAxes + axes));
  if (!count || !batches || !length ||
      batch != tuples.getShape().take_front(batchAxes))
    return notFolded("expected a batch of " + printShape(batch) +
                     ", but got indices of " + printShape(tuples.getShape()));
  if (llvm::Error error = fold.checkWork(*count))
    return error;
  Expected<ElementsArray<int64_t>> given = fold.read<int64_t>(tuples);
  if (!given)
    return given.takeError();
  Slices slices{std::vector<int64_t>(size_t(*count)), *length};
  for (auto [i, row] : llvm::enumerate(slices.rows)) {
    row = int64_t(i) / (*count / *batches);
    for (auto [k, size] : llvm::enumerate(sizes)) {
      Expected<int64_t> place =
          countFromFront((*given)[i * size_t(axes) + k], size);
      if (!place)
        return place.takeError();
      row = row * size + *place;
    }
  }
  return slices;
}

namespace {
/// Indices with a constant difference `step`.
struct Run {
  int64_t start, step, count;
};
} // namespace

/// Returns the runs that make up `places`; empty if there are too many to be efficient.
static std::optional<SmallVector<Run>> findRuns(ArrayRef<int64_t> places) {
  constexpr size_t most = 16;
  SmallVector<Run> runs;
  for (int64_t place : places) {
    if (!runs.empty() && runs.back().count == 1)
      runs.back().step = place - runs.back().start;
    if (!runs.empty() &&
        place == runs.back().start + runs.back().step * runs.back().count) {
      ++runs.back().count;
      continue;
    }
    if (runs.size() == most)
      return std::nullopt;
    runs.push_back({place, 1, 1});
  }
  return runs;
}

static Expected<Elements> joinRuns(const Folding &fold, const Elements &x,
                                   int64_t axis, ArrayRef<Run> runs) {
  SmallVector<Elements> parts;
  for (auto [start, step, count] : runs) {
    // A slice that is repeated is broadcast.
    bool isRepeated = step == 0;
    auto part = sliceAlong(fold, x, axis, start, isRepeated ? 1 : count,
                           isRepeated ? 1 : step);
    if (part && isRepeated) {
      Shape shape(x.getShape());
      shape[axis] = count;
      part = fold.getBuilder().expand(*part, shape);
    }
    if (!part)
      return part;
    parts.push_back(std::move(*part));
  }
  return fold.getBuilder().concat(parts, axis);
}

/// Returns a tensor of `shape` filled with the element of a splat.
static Expected<Elements> spread(const Folding &fold, const Elements &splat,
                                 ArrayRef<int64_t> shape) {
  const ElementsBuilder &builder = fold.getBuilder();
  Expected<Elements> flat = builder.reshape(splat, splat.numElements());
  if (!flat)
    return flat;
  Expected<Elements> one = builder.slice(*flat, 0, 1, 1);
  if (!one)
    return one;
  Expected<Elements> scalar = builder.reshape(*one, {});
  return scalar ? builder.expand(*scalar, shape) : std::move(scalar);
}

using RowNumbers = std::function<int64_t(int64_t)>;

/// Copies the rows with these numbers, one after the other.
template <typename Lane>
static void copyRows(const Elements &x, int64_t length,
                     const RowNumbers &numbers, const EvalOptions &options,
                     MutableArrayRef<Lane> out) {
  if (out.empty())
    return;
  // Reading one row by itself costs as much as this many elements of a read of all.
  constexpr int64_t readCost = 64;
  int64_t rows = int64_t(out.size()) / length;
  std::optional<ElementsArray<Lane>> all;
  if (x.getLanesInPlace() ||
      rows * readCost + int64_t(out.size()) >= x.numElements()) {
    Expected<ElementsArray<Lane>> array = x.getArray<Lane>(options);
    if (array)
      all = std::move(*array);
    else
      llvm::consumeError(array.takeError());
  }
  EvalOptions alone = options;
  alone.threads = 1;
  int64_t grain = std::max<int64_t>(1, 16384 / length);
  parallelFor(uint64_t(rows), uint64_t(grain), options.threads,
              [&](uint64_t from, uint64_t to) {
                for (uint64_t i = from; i < to; ++i) {
                  int64_t begin = numbers(int64_t(i)) * length;
                  MutableArrayRef<Lane> row =
                      out.slice(i * uint64_t(length), size_t(length));
                  if (all)
                    llvm::copy(all->get().slice(size_t(begin), size_t(length)),
                               row.begin());
                  else
                    x.read<Lane>(begin, row, alone);
                }
              });
}

/// The same as a lazy tensor of `shape`.
static Expected<Elements> computeRows(const Folding &fold, const Elements &x,
                                      int64_t length, RowNumbers numbers,
                                      ArrayRef<int64_t> shape) {
  return dispatch(x.getType(), [&](auto tag) -> Expected<Elements> {
    using Lane = typename decltype(tag)::Lane;
    auto copy = [x, length, numbers = std::move(numbers)](
                    MutableArrayRef<Lane> out, const EvalOptions &options) {
      copyRows<Lane>(x, length, numbers, options, out);
    };
    if constexpr (std::is_same_v<Lane, StringRef>) {
      if (llvm::Error error = fold.checkWork(shape))
        return error;
      std::vector<StringRef> strings(size_t(*countElements(shape)));
      copy(strings, fold.getOptions().evaluation);
      return fold.getBuilder().fromStrings(shape, strings);
    } else {
      return fold.compute<Lane>(shape, copy);
    }
  });
}

Expected<Elements> invar::onnx::pickAlong(const Folding &fold,
                                          const Elements &x, int64_t axis,
                                          std::vector<int64_t> places) {
  if (places.empty())
    return sliceAlong(fold, x, axis, 0, 0);
  Shape shape(x.getShape());
  int64_t size = std::exchange(shape[axis], int64_t(places.size()));
  if (x.isSplat())
    return spread(fold, x, shape);
  if (std::optional<SmallVector<Run>> runs = findRuns(places))
    return joinRuns(fold, x, axis, *runs);
  std::optional<int64_t> length =
      countElements(x.getShape().drop_front(size_t(axis) + 1));
  if (!length)
    return notFolded("expected slices whose elements can be counted");
  auto number = [size, places = std::move(places)](int64_t row) {
    auto [slice, place] = std::lldiv(row, int64_t(places.size()));
    return int64_t(slice) * size + places[size_t(place)];
  };
  return computeRows(fold, x, *length, number, shape);
}

Expected<Elements> invar::onnx::pickRows(const Folding &fold, const Elements &x,
                                         Slices slices,
                                         ArrayRef<int64_t> shape) {
  if (x.isSplat())
    return spread(fold, x, shape);
  auto number = [rows = std::move(slices.rows)](int64_t i) {
    return rows[size_t(i)];
  };
  return computeRows(fold, x, slices.length, number, shape);
}
