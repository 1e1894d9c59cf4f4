// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between maps and tensors. The rows of ZipMap share their keys and the
// memory of their values, so a map costs two headers for any number of classes.
#include "invar/Kernels/Cast.h"
#include "invar/Kernels/NumberText.h"
#include "runtime/Calls/Calls.h"

#include <algorithm>
#include <string>

using namespace invar;
using namespace invar::runtime;

// ZipMap

namespace {
/// The keys of all rows, in ascending order, and the column of each.
struct RowKeys : Prepared {
  Tensor *keys = nullptr;
  std::vector<int64_t> columns;

  RowKeys() = default;
  RowKeys(RowKeys &&other)
      : keys(std::exchange(other.keys, nullptr)),
        columns(std::move(other.columns)) {}
  ~RowKeys() override {
    if (keys)
      release(keys, nullptr);
  }
};
} // namespace

/// Creates a tensor of the labels; null if there is not enough memory.
static Tensor *makeLabels(CallContext &call) {
  auto names = call.getStrings("labels");
  auto numbers = call.getInts("labels");
  bool areStrings = !names.empty();
  auto count = int64_t(areStrings ? names.size() : numbers.size());
  Tensor *labels = Tensor::create(
      nullptr, areStrings ? INVAR_STRING : INVAR_INT64, Sizes(&count, 1));
  bool isWhole = labels != nullptr;
  for (size_t i = 0; isWhole && i < size_t(count); ++i)
    if (areStrings)
      isWhole = labels->setString(int64_t(i), names[i]);
    else
      labels->getData<int64_t>()[i] = numbers[i];
  if (labels && !isWhole)
    release(std::exchange(labels, nullptr), nullptr);
  return labels;
}

/// If a label occurs twice, its last column counts, as in onnxruntime. `keys` is null
/// if there is not enough memory.
static RowKeys makeRowKeys(CallContext &call) {
  RowKeys made;
  Tensor *labels = makeLabels(call);
  if (!labels)
    return made;
  std::vector<int64_t> order = sortKeys(*labels);
  auto isSame = [&](int64_t a, int64_t b) {
    return labels->getType() == INVAR_STRING
               ? labels->getString(a) == labels->getString(b)
               : labels->getData<int64_t>()[a] == labels->getData<int64_t>()[b];
  };
  for (size_t i = 0; i < order.size(); ++i)
    if (i + 1 == order.size() || !isSame(order[i], order[i + 1]))
      made.columns.push_back(order[i]);
  auto count = int64_t(made.columns.size());
  made.keys = Tensor::create(nullptr, labels->getType(), Sizes(&count, 1));
  for (int64_t i = 0; made.keys && i < count; ++i)
    if (!copyElements(*labels, made.columns[size_t(i)], *made.keys, i, 1))
      release(std::exchange(made.keys, nullptr), nullptr);
  release(labels, nullptr);
  return made;
}

/// Creates a map from one row of `values`.
static Map *makeRow(Arena *arena, Tensor *keys, Tensor *values, int64_t row) {
  int64_t count = keys->getCount();
  Tensor *own =
      Tensor::createView(arena, values, Sizes(&count, 1), count, row * count);
  Map *map = own ? Map::create(arena, keys, own) : nullptr;
  if (own)
    release(own, arena);
  return map;
}

Status runtime::callZipMap(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  if (Status status = call.expectType(0, INVAR_FLOAT32))
    return status;
  if (x.rank != 1 && x.rank != 2)
    return call.fail("expected a row or a matrix, but got ", describe(&x));
  const auto &[keys, columns] =
      call.prepare<RowKeys>([&] { return makeRowKeys(call); });
  if (!keys)
    return explainNoStrings();
  int64_t width = x.getSize(x.rank - 1u), rows = x.rank == 2 ? x.getSize(0) : 1;
  auto labels = int64_t(std::max(call.getStrings("labels").size(),
                                 call.getInts("labels").size()));
  if (width != labels)
    return call.fail("expected a score for each of ", labels,
                     " classes, but got ", describe(&x));

  const int64_t sizes[] = {rows, int64_t(columns.size())};
  Tensor *values = Tensor::create(call.getArena(), INVAR_FLOAT32, sizes);
  if (!values)
    return explainNoTensor(INVAR_FLOAT32, sizes);
  const auto *from = x.getData<const float>();
  auto *to = values->getData<float>();
  for (int64_t row = 0; row < rows; ++row)
    for (size_t i = 0; i < columns.size(); ++i)
      *to++ = from[row * width + columns[i]];

  std::vector<Value *> maps;
  for (int64_t row = 0; row < rows; ++row)
    if (Map *map = makeRow(call.getArena(), keys, values, row))
      maps.push_back(map);
  release(values, call.getArena());
  bool isWhole = maps.size() == size_t(rows);
  Sequence *sequence =
      isWhole ? Sequence::create(call.getArena(), maps) : nullptr;
  for (Value *map : maps)
    release(map, call.getArena());
  if (!sequence)
    return runtime::fail(INVAR_OUT_OF_MEMORY, "expected memory for ", rows,
                         " maps, but there is not as much");
  call.adoptResult(0, sequence);
  return Status::success();
}

// DictVectorizer

Status runtime::callDictVectorizer(CallContext &call) {
  const Map &map = call.getMap(0);
  auto names = call.getStrings("vocabulary");
  auto numbers = call.getInts("vocabulary");
  bool areStrings = map.getKeys().getType() == INVAR_STRING;
  if (areStrings ? names.empty() : numbers.empty())
    return call.fail("expected a vocabulary of keys of ", describe(&map),
                     ", but got another");
  auto count = int64_t(areStrings ? names.size() : numbers.size());
  const Tensor &values = map.getValues();
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, values.getType(), {1, count}, result))
    return status;
  // Strings are empty already.
  if (values.getType() != INVAR_STRING)
    std::fill_n(result->getData<char>(), result->getBytes(), char(0));
  for (int64_t i = 0; i < count; ++i) {
    std::optional<int64_t> place =
        areStrings ? map.find(names[size_t(i)]) : map.find(numbers[size_t(i)]);
    if (place && !copyElements(values, *place, *result, i, 1))
      return explainNoStrings();
  }
  return Status::success();
}

// CastMap

static Status noNumber(CallContext &call, std::string_view text) {
  constexpr size_t shown = 40;
  return call.fail("expected a number in the map, but got '",
                   text.substr(0, shown), "'");
}

/// Converts one value of a map to an element of the result. Like in onnxruntime's
/// CastMap, and unlike in Cast, numbers are printed with six digits after the point.
static Status castValue(CallContext &call, const Tensor &values, int64_t from,
                        Tensor &result, int64_t to) {
  bool areTexts = values.getType() == INVAR_STRING;
  std::string_view text = areTexts ? values.getString(from) : "";
  float number = areTexts ? 0 : values.getData<float>()[from];
  if (result.getType() == INVAR_STRING)
    return (areTexts ? result.setString(to, text)
                     : result.setString(to, std::to_string(number)))
               ? Status::success()
               : explainNoStrings();
  auto write = [&]<typename T>(std::optional<T> element) -> Status {
    if (!element)
      return noNumber(call, text);
    result.getData<T>()[to] = *element;
    return Status::success();
  };
  if (result.getType() == INVAR_FLOAT32)
    return write(areTexts ? kernels::parseNumber<float>(text)
                          : std::optional(number));
  return write(areTexts ? kernels::parseNumber<int64_t>(text)
                        : std::optional(kernels::truncateToInt64(number)));
}

/// Writes the element for a key that a sparse map lacks, as onnxruntime does.
static bool padWith(Tensor &result, int64_t place) {
  if (result.getType() == INVAR_STRING)
    return result.setString(place, "0.f");
  std::fill_n(result.getData<char>() +
                  size_t(place) * getElementSize(result.dataType),
              getElementSize(result.dataType), char(0));
  return true;
}

Status runtime::callCastMap(CallContext &call) {
  const Map &map = call.getMap(0);
  const Tensor &keys = map.getKeys(), &values = map.getValues();
  bool areKnown =
      values.getType() == INVAR_FLOAT32 || values.getType() == INVAR_STRING;
  if (keys.getType() != INVAR_INT64 || !areKnown)
    return call.fail("expected a map from int64 to float or string, but got ",
                     describe(&map));
  InvarDataType type = call.getResultType(0).dataType;
  if (type != INVAR_FLOAT32 && type != INVAR_STRING && type != INVAR_INT64)
    return call.fail("expected to cast to float, string or int64, but got ",
                     getName(type));
  // In a sparse map, keys are positions in a result of `columns` elements.
  bool isSparse = call.getInt("is_sparse") != 0;
  int64_t count = isSparse ? call.getInt("columns") : keys.getCount();
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, type, {1, count}, result))
    return status;
  if (isSparse) {
    for (int64_t i = 0; i < count; ++i)
      if (!padWith(*result, i))
        return explainNoStrings();
    if (keys.getCount() && keys.getData<int64_t>()[0] < 0)
      return call.fail("expected keys of at least 0, but got ",
                       keys.getData<int64_t>()[0]);
  }
  for (int64_t i = 0; i < keys.getCount(); ++i) {
    int64_t place = isSparse ? keys.getData<int64_t>()[i] : i;
    if (place >= count)
      break;
    if (Status status = castValue(call, values, i, *result, place))
      return status;
  }
  return Status::success();
}
