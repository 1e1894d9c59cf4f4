// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Arithmetic/ArithmeticFormulas.h"
#include "../Logic/LogicFormulas.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/Scatter.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using llvm::Expected;

//===-- Updates by index ------------------------------------------------------===//

/// How an element and its update are combined; empty if the update replaces the element.
using Combination = std::optional<ElementwiseFunction>;

/// Formulas need ordered numbers; complex numbers only have a sum and a product.
template <DataType type>
static Combination combineComplex(StringRef reduction) {
  using Number = LaneOf<type>;
  if (reduction == "add")
    return ElementwiseFunction::typed<type, type, type>("Add",
                                                        std::plus<Number>());
  if (reduction == "mul")
    return ElementwiseFunction::typed<type, type, type>(
        "Mul", std::multiplies<Number>());
  return std::nullopt;
}

/// For bools, the sum is the greater and the product the lesser value.
static Combination combineBools(StringRef reduction) {
  if (reduction == "add" || reduction == "max")
    return makeElementwise("Or", DataType::Bool, formula::Or());
  return makeElementwise("And", DataType::Bool, formula::And());
}

static Combination combineNumbers(StringRef reduction, DataType type) {
  if (reduction == "add")
    return makeElementwise("Add", type, formula::Add());
  if (reduction == "mul")
    return makeElementwise("Mul", type, formula::Mul());
  if (reduction == "max")
    return makeElementwise("Max", type, formula::Max());
  return makeElementwise("Min", type, formula::Min());
}

static Expected<Combination> getCombination(StringRef reduction,
                                            DataType type) {
  using enum DataType;
  if (reduction == "none")
    return Combination();
  Combination combination =
      type == Bool         ? combineBools(reduction)
      : type == Complex64  ? combineComplex<Complex64>(reduction)
      : type == Complex128 ? combineComplex<Complex128>(reduction)
                           : combineNumbers(reduction, type);
  if (!combination)
    return notFolded("elements of type " + getName(type) +
                     " cannot be combined by '" + reduction + "'");
  return combination;
}

/// Writes the updates to the slices of `out`, one after the other. If a slice is
/// updated more than once, the last update remains, or each update is combined with the
/// previous content.
template <typename Lane>
static void update(const Slices &slices, const Elements &updates,
                   const Combination &combine, const EvalOptions &options,
                   MutableArrayRef<Lane> out) {
  constexpr int64_t piece = 4096;
  SmallVector<Lane, 0> read(piece), combined(combine ? piece : 0);
  for (int64_t at = 0, end = updates.numElements(); at < end; at += piece) {
    auto lanes =
        MutableArrayRef<Lane>(read).take_front(std::min(piece, end - at));
    updates.read<Lane>(at, lanes, options);
    for (int64_t next = at; !lanes.empty();) {
      auto [row, place] = std::lldiv(next, slices.length);
      size_t run = std::min(lanes.size(), size_t(slices.length - place));
      Lane *to = out.data() + slices.rows[size_t(row)] * slices.length + place;
      const Lane *from = lanes.data();
      if (combine) {
        (*combine)({to, from}, combined.data(), run);
        from = combined.data();
      }
      std::copy_n(from, run, to);
      lanes = lanes.drop_front(run);
      next += int64_t(run);
    }
  }
}

template <typename Lane>
static FoldResult scatterLanes(Folding &fold, const Elements &data,
                               Slices slices, const Elements &updates,
                               StringRef reduction) {
  Expected<Combination> combine = getCombination(reduction, data.getType());
  if (!combine)
    return combine.takeError();
  auto run =
      [data, slices = std::move(slices), updates, combine = std::move(*combine),
       options = fold.getOptions().evaluation](MutableArrayRef<Lane> out) {
        data.read<Lane>(0, out, options);
        update<Lane>(slices, updates, combine, options, out);
      };
  return fold.compute<Lane>(data.getShape(), run);
}

/// Strings are ordered, and their sum is the concatenation.
static FoldResult scatterStrings(Folding &fold, const Elements &data,
                                 const Slices &slices, const Elements &updates,
                                 StringRef reduction) {
  if (reduction == "mul")
    return notFolded("strings cannot be combined by 'mul'");
  auto before = fold.read<StringRef>(data);
  auto texts = fold.read<StringRef>(updates);
  if (!before || !texts)
    return llvm::joinErrors(before.takeError(), texts.takeError());
  std::vector<std::string> out(before->begin(), before->end());
  for (auto [i, text] : llvm::enumerate(*texts)) {
    auto [row, place] = std::lldiv(int64_t(i), slices.length);
    std::string &to =
        out[size_t(slices.rows[size_t(row)] * slices.length + place)];
    if (reduction == "add")
      to += text;
    else if (reduction == "none" || (reduction == "max" && text > to) ||
             (reduction == "min" && text < to))
      to = text;
  }
  SmallVector<StringRef, 0> lanes(out.begin(), out.end());
  return fold.getBuilder().fromStrings(data.getShape(), lanes);
}

static FoldResult scatter(Folding &fold, const Elements &data, Slices slices,
                          const Elements &updates, StringRef reduction) {
  std::optional<int64_t> expected =
      countElements({int64_t(slices.rows.size()), slices.length});
  if (expected != updates.numElements())
    return notFolded("expected " + Twine(expected.value_or(0)) +
                     " updates, but got " + Twine(updates.numElements()));
  if (updates.numElements() == 0)
    return data;
  return dispatch(data.getType(), [&](auto tag) {
    using Lane = typename decltype(tag)::Lane;
    if constexpr (std::is_same_v<Lane, StringRef>)
      return scatterStrings(fold, data, slices, updates, reduction);
    else
      return scatterLanes<Lane>(fold, data, std::move(slices), updates,
                                reduction);
  });
}

template <typename Op>
static FoldResult scatterElements(Op op, Folding &fold, StringRef reduction) {
  const Elements &data = fold.get(op.getData());
  std::optional<int64_t> axis = normalizeAxis(op.getAxis(), data.getRank());
  if (!axis)
    return notFolded("expected an axis of " + Twine(data.getRank()) +
                     ", but got " + Twine(op.getAxis()));
  auto places = locateElements(fold, op.getIndices(), data.getShape(), *axis);
  if (!places)
    return places.takeError();
  return scatter(fold, data, {std::move(*places), 1}, fold.get(op.getUpdates()),
                 reduction);
}

FoldResult ScatterOp::computeValues(Folding &fold) {
  return scatterElements(*this, fold, "none");
}
FoldResult ScatterElementsOp::computeValues(Folding &fold) {
  return scatterElements(*this, fold, getReduction());
}
FoldResult ScatterNDOp::computeValues(Folding &fold) {
  const Elements &data = fold.get(getData());
  auto slices = locateSlices(fold, getIndices(), data.getShape(), 0);
  if (!slices)
    return slices.takeError();
  return scatter(fold, data, std::move(*slices), fold.get(getUpdates()),
                 getReduction());
}

//===-- Caches ----------------------------------------------------------------===//

/// Returns `cache` with `update` written from index `at` of an axis on; the part beyond
/// the end continues at the beginning.
static Expected<Elements> write(Folding &fold, const Elements &cache,
                                const Elements &update, int64_t axis,
                                int64_t at) {
  int64_t size = cache.getShape()[axis], count = update.getShape()[axis];
  int64_t here = std::min(count, size - at), over = count - here;
  SmallVector<Elements> parts;
  auto add = [&](const Elements &from, int64_t start, int64_t end) {
    auto part = sliceAlong(fold, from, axis, start, end - start);
    if (part)
      parts.push_back(std::move(*part));
    return part.takeError();
  };
  if (llvm::Error error = add(update, here, count))
    return error;
  if (llvm::Error error = add(cache, over, at))
    return error;
  if (llvm::Error error = add(update, 0, here))
    return error;
  if (llvm::Error error = add(cache, at + here, size))
    return error;
  return fold.getBuilder().concat(parts, axis);
}

/// Reads the position in the cache at which each batch is written; by default the
/// beginning.
static Expected<std::vector<int64_t>> readStarts(TensorScatterOp op,
                                                 Folding &fold, int64_t batches,
                                                 int64_t size, int64_t count) {
  if (!op.getWriteIndices()) {
    if (llvm::Error error = fold.checkWork(batches))
      return error;
    return std::vector<int64_t>(size_t(batches), 0);
  }
  auto given = fold.read<int64_t>(op.getWriteIndices());
  if (!given)
    return given.takeError();
  if (int64_t(given->get().size()) != batches)
    return notFolded("expected " + Twine(batches) + " indices, but got " +
                     Twine(given->get().size()));
  std::vector<int64_t> starts(given->begin(), given->end());
  for (int64_t &start : starts) {
    if (op.getMode() == "circular")
      start = (start % size + size) % size;
    else if (start < 0 || start > size - count)
      return notFolded("expected indices up to " + Twine(size - count) +
                       ", but got " + Twine(start));
  }
  return starts;
}

FoldResult TensorScatterOp::computeValues(Folding &fold) {
  const Elements &cache = fold.get(getPastCache());
  const Elements &update = fold.get(getUpdate());
  std::optional<int64_t> axis = normalizeAxis(getAxis(), cache.getRank());
  Shape fitting(cache.getShape());
  if (axis)
    fitting[*axis] = std::min(fitting[*axis], update.getShape()[*axis]);
  if (!axis || update.getShape() != ArrayRef<int64_t>(fitting))
    return notFolded("expected an update that fits into " +
                     printShape(cache.getShape()) + ", but got " +
                     printShape(update.getShape()));
  if (update.numElements() == 0)
    return cache;
  int64_t batches = fitting.front();
  auto starts = readStarts(*this, fold, batches, cache.getShape()[*axis],
                           update.getShape()[*axis]);
  if (!starts)
    return starts.takeError();
  if (llvm::all_equal(*starts))
    return write(fold, cache, update, *axis, starts->front());
  SmallVector<Elements> written;
  for (auto [i, start] : llvm::enumerate(*starts)) {
    auto before = sliceAlong(fold, cache, 0, int64_t(i), 1);
    auto change = sliceAlong(fold, update, 0, int64_t(i), 1);
    if (!before || !change)
      return llvm::joinErrors(before.takeError(), change.takeError());
    auto after = write(fold, *before, *change, *axis, start);
    if (!after)
      return after;
    written.push_back(std::move(*after));
  }
  return fold.getBuilder().concat(written, 0);
}
