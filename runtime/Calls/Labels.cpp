// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps elements by tables of keys.
#include "Calls.h"
#include "Numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

using namespace invar;
using namespace invar::runtime;

namespace {
/// A list that attributes can give in several forms.
struct Column {
  std::span<const double> floats;
  std::span<const int64_t> ints;
  std::span<const std::string_view> strings;

  size_t size() const {
    return std::max({floats.size(), ints.size(), strings.size()});
  }
  /// If several forms are given, the first one.
  Column getOnly() const {
    if (!floats.empty())
      return {floats, {}, {}};
    return ints.empty() ? Column{{}, {}, strings} : Column{{}, ints, {}};
  }
};

/// The position of each key; for equal keys, of the first.
struct KeyTable : Prepared {
  std::unordered_map<uint64_t, int64_t> numbers;
  std::unordered_map<std::string_view, int64_t> strings;
  size_t count;

  /// If the elements are floats, keys are compared as floats.
  KeyTable(const Column &keys, bool asFloats) : count(keys.size()) {
    for (size_t i = 0; i < keys.floats.size(); ++i)
      numbers.try_emplace(keyOf(keys.floats[i]), int64_t(i));
    for (size_t i = 0; i < keys.ints.size(); ++i)
      numbers.try_emplace(asFloats ? keyOf(double(keys.ints[i]))
                                   : uint64_t(keys.ints[i]),
                          int64_t(i));
    for (size_t i = 0; i < keys.strings.size(); ++i)
      strings.try_emplace(keys.strings[i], int64_t(i));
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

static bool isFloat(const Tensor &x) {
  return x.getType() == INVAR_FLOAT32 || x.getType() == INVAR_FLOAT64;
}

template <typename Map, typename Key>
static int64_t lookUp(const Map &map, const Key &key) {
  auto found = map.find(key);
  return found == map.end() ? -1 : found->second;
}

Status KeyTable::find(CallContext &call, const Tensor &x,
                      std::span<int64_t> &places) const {
  if (Status status = call.getScratch(x.getCount(), places))
    return status;
  if (x.getType() == INVAR_STRING) {
    for (size_t i = 0; i < places.size(); ++i)
      places[i] = lookUp(strings, x.getString(int64_t(i)));
    return Status::success();
  }
  if (isFloat(x)) {
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

static const KeyTable &prepareTable(CallContext &call, const Column &keys) {
  return call.prepare<KeyTable>(
      [&] { return KeyTable(keys, isFloat(call.getTensor(0))); });
}

/// Replaces each element of the operand by the value of its key, or by `otherwise`, a
/// list with one element, if it is no key.
static Status replace(CallContext &call, const Column &keys,
                      const Column &values, const Column &otherwise) {
  const Tensor &x = call.getTensor(0);
  const KeyTable &table = prepareTable(call, keys);
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
  if (!values.floats.empty() && !otherwise.floats.empty())
    return pickNumbers(values.floats, otherwise.floats);
  if (!values.ints.empty() && !otherwise.ints.empty())
    return pickNumbers(values.ints, otherwise.ints);
  if (type != INVAR_STRING || values.strings.empty() ||
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

/// The list whose attribute name begins with `name`, in any of its forms.
static Column getColumn(const CallContext &call, const std::string &name) {
  std::string tensor = name + "_tensor";
  if (call.findAttribute(tensor))
    return {call.getFloats(tensor), call.getInts(tensor),
            call.getStrings(tensor)};
  return Column{call.getFloats(name + "_floats"),
                call.getInts(name + "_int64s"),
                call.getStrings(name + "_strings")}
      .getOnly();
}

Status runtime::callLabelEncoder(CallContext &call) {
  Column values = getColumn(call, "values"),
         otherwise = getColumn(call, "default");
  const double number = call.getFloat("default_float", -0.0);
  const int64_t integer = call.getInt("default_int64", -1);
  const std::string_view string = call.getString("default_string", "_Unused");
  if (!otherwise.size())
    otherwise = {{&number, 1}, {&integer, 1}, {&string, 1}};
  return replace(call, getColumn(call, "keys"), values, otherwise);
}

Status runtime::callCategoryMapper(CallContext &call) {
  Column numbers, names;
  numbers.ints = call.getInts("cats_int64s");
  names.strings = call.getStrings("cats_strings");
  const int64_t integer = call.getInt("default_int64", -1);
  const std::string_view string = call.getString("default_string", "_Unused");
  Column otherwise = {{}, {&integer, 1}, {&string, 1}};
  return call.getTensor(0).getType() == INVAR_STRING
             ? replace(call, names, numbers, otherwise)
             : replace(call, numbers, names, otherwise);
}

Status runtime::callOneHotEncoder(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  Column keys;
  keys.ints = call.getInts("cats_int64s");
  keys.strings = call.getStrings("cats_strings");
  const KeyTable &table = prepareTable(call, keys.getOnly());
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
  bool mayBeOther = call.getInt("zeros", 1) != 0;
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] >= 0)
      numbers[i * table.count + size_t(places[i])] = 1;
    else if (!mayBeOther)
      return call.fail("expected elements that are categories, but element ", i,
                       " is none");
  }
  return Status::success();
}
