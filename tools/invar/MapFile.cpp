// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MapFile.h"

#include "invar/Support/Error.h"
#include "invar/Support/OutputFile.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace invar;
using llvm::StringRef;
namespace json = llvm::json;

bool invar::isOfMaps(const InvarType *type) {
  while (invar_type_kind(type) == INVAR_TYPE_SEQUENCE ||
         invar_type_kind(type) == INVAR_TYPE_OPTIONAL)
    type = invar_type_element(type);
  return invar_type_kind(type) == INVAR_TYPE_MAP;
}

// Writing

static StringRef getString(const rt::Value &tensor, int64_t index) {
  const InvarString &string = tensor.data<InvarString>()[index];
  return {string.data, string.size};
}

static json::Value numberToJson(double number) {
  if (std::isfinite(number))
    return number;
  return std::isnan(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity";
}

static json::Value elementToJson(const rt::Value &tensor, int64_t index) {
  return dispatch(getType(tensor), [&](auto tag) -> json::Value {
    using Tag = decltype(tag);
    using Lane = typename Tag::Lane;
    if constexpr (std::is_same_v<Lane, StringRef>) {
      return json::fixUTF8(getString(tensor, index));
    } else if constexpr (!isNumericTag<Tag>) {
      return nullptr; // ONNX has no maps to complex numbers.
    } else {
      WideNum number = widen<Tag>(tensor.data<Lane>()[index]);
      switch (getKind(Tag::type)) {
      case NumberKind::Signed:
        return number.i;
      case NumberKind::Float:
        return numberToJson(number.f);
      default:
        return number.u;
      }
    }
  });
}

json::Value invar::toJson(const rt::Value &value) {
  if (!value)
    return nullptr;
  switch (value.kind()) {
  case INVAR_TYPE_TENSOR:
    break; // Cannot occur: the values of a map are scalars.
  case INVAR_TYPE_OPTIONAL:
    return toJson(value.element());
  case INVAR_TYPE_SEQUENCE: {
    json::Array items;
    for (size_t i = 0; i < value.size(); ++i)
      items.push_back(toJson(value[i]));
    return items;
  }
  case INVAR_TYPE_MAP: {
    json::Object entries;
    rt::Value keys = value.keys(), values = value.values();
    for (int64_t i = 0; i < keys.count(); ++i) {
      std::string key = keys.dataType() == INVAR_STRING
                            ? json::fixUTF8(getString(keys, i))
                            : std::to_string(keys.data<int64_t>()[i]);
      entries[key] = elementToJson(values, i);
    }
    return entries;
  }
  }
  return nullptr;
}

llvm::Error invar::writeMaps(StringRef path, const rt::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << toJson(value) << "\n";
  auto file = OutputFile::create(path, {.removeOnSignal = true});
  if (!file)
    return file.takeError();
  if (llvm::Error error = (*file)->write(text))
    return error;
  return (*file)->commit();
}

// Reading

static std::string print(const json::Value &value) {
  constexpr size_t shown = 60;
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text.size() > shown ? text.substr(0, shown) + "…" : text;
}

static llvm::Error setString(rt::Value &tensor, int64_t index, StringRef text) {
  return toError(rt::Error{
      invar_tensor_set_string(tensor.get(), index, text.data(), text.size())});
}

static std::optional<double> toDouble(const json::Value &value) {
  if (std::optional<StringRef> name = value.getAsString())
    return *name == "NaN"         ? std::optional<double>(NAN)
           : *name == "Infinity"  ? std::optional<double>(INFINITY)
           : *name == "-Infinity" ? std::optional<double>(-INFINITY)
                                  : std::nullopt;
  return value.getAsNumber();
}

/// Stores a JSON value in an element.
static llvm::Error setElement(rt::Value &tensor, int64_t index,
                              const json::Value &value) {
  DataType type = getType(tensor);
  if (type == DataType::String)
    if (std::optional<StringRef> text = value.getAsString())
      return setString(tensor, index, *text);
  bool isSet = dispatch(type, [&](auto tag) {
    using Tag = decltype(tag);
    if constexpr (isNumericTag<Tag>) {
      bool isFloat = getKind(Tag::type) == NumberKind::Float;
      std::optional<double> number =
          isFloat ? toDouble(value) : std::optional<double>(0);
      std::optional<int64_t> integer =
          isFloat ? std::optional<int64_t>(0) : value.getAsInteger();
      if (!number || !integer)
        return false;
      tensor.data<typename Tag::Lane>()[index] =
          narrow<Tag>(isFloat ? WideNum::ofDouble(*number)
                              : WideNum::ofUnsigned(uint64_t(*integer)));
      return true;
    }
    return false;
  });
  if (isSet)
    return llvm::Error::success();
  return badInput("expected values of type " + getName(type) + ", but got " +
                  print(value));
}

static llvm::Expected<rt::Value> toMap(const json::Value &value,
                                       const InvarType *type) {
  const json::Object *entries = value.getAsObject();
  if (!entries)
    return badInput("expected an object of JSON for a map, but got " +
                    print(value));
  std::vector<int64_t> sizes = {int64_t(entries->size())};
  auto keys = toExpected(rt::Value::create(invar_type_key(type), sizes));
  if (!keys)
    return keys.takeError();
  auto values = toExpected(
      rt::Value::create(invar_type_data_type(invar_type_element(type)), sizes));
  if (!values)
    return values.takeError();
  int64_t index = 0;
  for (const auto &[key, entry] : *entries) {
    StringRef text = key;
    if (invar_type_key(type) == INVAR_STRING) {
      if (llvm::Error error = setString(*keys, index, text))
        return error;
    } else if (text.getAsInteger(10, keys->data<int64_t>()[index])) {
      return badInput("expected keys that are integers, but got '" + text +
                      "'");
    }
    if (llvm::Error error = setElement(*values, index++, entry))
      return error;
  }
  return toExpected(rt::Value::map(*keys, *values));
}

static llvm::Expected<rt::Value> toValue(const json::Value &value,
                                         const InvarType *type) {
  InvarTypeKind kind = invar_type_kind(type);
  if (kind == INVAR_TYPE_MAP)
    return toMap(value, type);
  if (kind == INVAR_TYPE_OPTIONAL) {
    if (value.kind() == json::Value::Null)
      return toExpected(rt::Value::optional(rt::Value()));
    auto element = toValue(value, invar_type_element(type));
    if (!element)
      return element.takeError();
    return toExpected(rt::Value::optional(*element));
  }
  const json::Array *list = value.getAsArray();
  if (!list)
    return badInput("expected a list of JSON for a sequence, but got " +
                    print(value));
  std::vector<rt::Value> items;
  for (const json::Value &entry : *list) {
    auto item = toValue(entry, invar_type_element(type));
    if (!item)
      return item.takeError();
    items.push_back(std::move(*item));
  }
  return toExpected(rt::Value::sequence(items));
}

llvm::Expected<rt::Value> invar::readMaps(StringRef bytes,
                                          const InvarType *type) {
  auto parsed = json::parse(bytes);
  if (!parsed)
    return badInput("expected JSON, but got text that is none: " +
                    llvm::toString(parsed.takeError()));
  return toValue(*parsed, type);
}
