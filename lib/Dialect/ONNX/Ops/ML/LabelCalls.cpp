// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps elements by tables of keys. With the setting `expects_agreement`, calls fail if
// other runtimes disagree about the result.
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

using namespace invar;
using namespace invar::runtime;

static bool isFloat(const Tensor &x) {
  return x.getType() == INVAR_FLOAT32 || x.getType() == INVAR_FLOAT64;
}

namespace {
/// A setting with a list of elements of any type.
struct Column {
  std::span<const double> floats;
  std::span<const int64_t> ints;
  std::span<const std::string_view> strings;

  Column(const CallContext &call, std::string_view name)
      : floats(call.getFloats(name)), ints(call.getInts(name)),
        strings(call.getStrings(name)) {}

  size_t size() const {
    return std::max({floats.size(), ints.size(), strings.size()});
  }
};

/// The position of each key; for equal keys, of the first.
struct KeyTable : Prepared {
  std::unordered_map<uint64_t, int64_t> numbers;
  std::unordered_map<std::string_view, int64_t> strings;
  size_t count;
  /// Whether elements and keys are compared as floats: if one of them has floats.
  bool asFloats;
  /// Whether other runtimes disagree about the keys: if one occurs twice or is NaN, or
  /// if they are not of the elements' kind.
  bool isDoubtful;

  KeyTable(const Column &keys, const Tensor &x)
      : count(keys.size()), asFloats(isFloat(x) || !keys.floats.empty()) {
    for (size_t i = 0; i < keys.floats.size(); ++i)
      numbers.try_emplace(keyOf(keys.floats[i]), int64_t(i));
    for (size_t i = 0; i < keys.ints.size(); ++i)
      numbers.try_emplace(asFloats ? keyOf(double(keys.ints[i]))
                                   : uint64_t(keys.ints[i]),
                          int64_t(i));
    for (size_t i = 0; i < keys.strings.size(); ++i)
      strings.try_emplace(keys.strings[i], int64_t(i));
    isDoubtful = (x.getType() == INVAR_STRING ? strings.size()
                                              : numbers.size()) != count ||
                 (asFloats && numbers.contains(keyOf(NAN)));
  }

  /// Equal numbers have the same key; so do all NaNs.
  static uint64_t keyOf(double number) {
    return std::bit_cast<uint64_t>(number == 0          ? 0.0
                                   : std::isnan(number) ? double(NAN)
                                                        : number);
  }

  /// The position of each element's key; -1 if the element is no key.
  Status find(CallContext &call, const Tensor &x,
              std::span<int64_t> &places) const;
};
} // namespace

template <typename Map, typename Key>
static int64_t lookUp(const Map &map, const Key &key) {
  auto found = map.find(key);
  return found == map.end() ? -1 : found->second;
}

Status KeyTable::find(CallContext &call, const Tensor &x,
                      std::span<int64_t> &places) const {
  if (isDoubtful && call.getInt("expects_agreement"))
    return call.fail("expected keys of the elements' kind that differ");
  if (Status status = call.getScratch(x.getCount(), places))
    return status;
  if (x.getType() == INVAR_STRING) {
    for (size_t i = 0; i < places.size(); ++i)
      places[i] = lookUp(strings, x.getString(int64_t(i)));
    return Status::success();
  }
  if (asFloats) {
    std::span<const double> elements;
    if (Status status = readNumbers(call, x, elements))
      return status;
    for (size_t i = 0; i < places.size(); ++i)
      places[i] = lookUp(numbers, keyOf(elements[i]));
    return Status::success();
  }
  std::span<const int64_t> elements;
  if (Status status = readNumbers(call, x, elements))
    return status;
  for (size_t i = 0; i < places.size(); ++i)
    places[i] = lookUp(numbers, uint64_t(elements[i]));
  return Status::success();
}

static const KeyTable &prepareTable(CallContext &call) {
  return call.prepare<KeyTable>(
      [&] { return KeyTable(Column(call, "keys"), call.getTensor(0)); });
}

/// Replaces each element of the operand by the one of `values` with the position of its
/// key in `keys`, or by `otherwise`, a list with one element, if it is no key.
Status runtime::callLabelEncoder(CallContext &call) {
  Column values(call, "values"), otherwise(call, "otherwise");
  const Tensor &x = call.getTensor(0);
  const KeyTable &table = prepareTable(call);
  if (values.size() != table.count || otherwise.size() != 1)
    return call.fail("expected a value for each of ", table.count,
                     " keys and one other, but got ", values.size(), " and ",
                     otherwise.size());
  std::span<int64_t> places;
  if (Status status = table.find(call, x, places))
    return status;
  InvarDataType type = call.getResultType(0).dataType;
  auto pick = [&](auto list, auto other, size_t i) {
    return places[i] < 0 ? other.front() : list[size_t(places[i])];
  };
  auto pickNumbers = [&]<typename T>(std::span<const T> list,
                                     std::span<const T> other) -> Status {
    NumberResult<T> result;
    if (Status status = result.allocate(call, 0, type, x.getSizes()))
      return status;
    for (size_t i = 0; i < places.size(); ++i)
      result[int64_t(i)] = pick(list, other, i);
    return result.finish(call);
  };
  if (values.floats.size() == table.count && !otherwise.floats.empty())
    return pickNumbers(values.floats, otherwise.floats);
  if (values.ints.size() == table.count && !otherwise.ints.empty())
    return pickNumbers(values.ints, otherwise.ints);
  if (type != INVAR_STRING || values.strings.size() != table.count ||
      otherwise.strings.empty())
    return call.fail("expected values of type ", getName(type),
                     ", but got others");
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, type, x.getSizes(), result))
    return status;
  for (size_t i = 0; i < places.size(); ++i)
    if (!result->setString(int64_t(i),
                           pick(values.strings, otherwise.strings, i)))
      return explainNoStrings();
  return Status::success();
}

/// Sets the element of the place of each element among `keys`. With `zeros`, one that is
/// no key becomes a row of zeros, otherwise the call fails.
Status runtime::callOneHotEncoder(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  const KeyTable &table = prepareTable(call);
  std::span<int64_t> places;
  if (Status status = table.find(call, x, places))
    return status;
  std::vector<int64_t> sizes = copySizes(x);
  sizes.push_back(int64_t(table.count));
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, INVAR_FLOAT32, sizes, result))
    return status;
  std::span<float> numbers = result->getElements<float>();
  std::fill(numbers.begin(), numbers.end(), 0.0f);
  // Some runtimes truncate a number that is no integer, others find no category.
  bool isDoubtful = isFloat(x) && call.getInt("expects_agreement");
  bool mayBeOther = call.getInt("zeros") != 0;
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] >= 0)
      numbers[i * table.count + size_t(places[i])] = 1;
    else if (!mayBeOther)
      return call.fail("expected elements that are categories, but element ", i,
                       " is none");
    else if (isDoubtful)
      return call.fail("runtimes differ on floats that are no categories");
  }
  return Status::success();
}
