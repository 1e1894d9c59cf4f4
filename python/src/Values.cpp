// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Values.h"

#include "DataTypes.h"
#include "Failure.h"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>

using namespace invar;
using namespace invar::python;

namespace {
/// An array with row-major elements; it keeps their memory alive.
using ReadArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using WrittenArray = nb::ndarray<nb::c_contig, nb::device::cpu>;
} // namespace

static nb::module_ numpy() { return nb::module_::import_("numpy"); }

static std::string typeOf(nb::handle object) {
  nb::object dtype = nb::getattr(object, "dtype", nb::none());
  if (!dtype.is_none())
    return toUtf8(nb::str("an array of ") + nb::str(dtype));
  return toUtf8(nb::inst_name(object));
}

// To the runtime

/// A tensor that refers to the array's elements.
template <typename Array>
static rt::Value borrow(Array array, InvarDataType type) {
  // An object may declare a wrong type; do not read beyond its memory.
  if (array.itemsize() != invar_data_type_size(type))
    reject("elements of " + std::to_string(invar_data_type_size(type)) +
               " bytes for type " + invar_data_type_name(type),
           "elements of " + std::to_string(array.itemsize()));
  auto kept = std::make_unique<Array>(std::move(array));
  auto letGo = [](void *context) {
    nb::gil_scoped_acquire lock;
    delete static_cast<Array *>(context);
  };
  InvarValue *tensor = nullptr;
  check(invar_tensor_borrow(type, kept->shape_ptr(), kept->ndim(),
                            const_cast<void *>(kept->data()), letGo, kept.get(),
                            &tensor));
  kept.release();
  return rt::Value(tensor);
}

static bool isAligned(const ReadArray &array) {
  size_t size = std::clamp<size_t>(array.itemsize(), 1, 8);
  return reinterpret_cast<uintptr_t>(array.data()) % size == 0;
}

static std::vector<int64_t> sizesOf(nb::handle array) {
  std::vector<int64_t> sizes;
  for (nb::handle size : array.attr("shape"))
    sizes.push_back(nb::cast<int64_t>(size));
  return sizes;
}

/// How many strings to convert before the limits are checked again.
static constexpr int64_t stringsAtOnce = 1024;

/// A tensor of the strings of a numpy array.
static rt::Value copyStrings(nb::handle array, const std::string &what,
                             const Limits &limits) {
  rt::Value made = take(rt::Value::create(INVAR_STRING, sizesOf(array)));
  int64_t index = 0;
  for (nb::handle item : nb::object(array.attr("ravel")().attr("tolist")())) {
    if (index % stringsAtOnce == 0)
      limits.check();
    if (!nb::isinstance<nb::str>(item) && !nb::isinstance<nb::bytes>(item))
      reject("strings in " + what, typeOf(item));
    nb::bytes bytes = toBytes(item);
    check(invar_tensor_set_string(made.get(), index++, bytes.c_str(),
                                  bytes.size()));
  }
  return made;
}

/// Converts other objects to a numpy array; lists get the declared type.
static nb::object toNumpy(nb::handle object, const InvarType *type,
                          const std::string &what) {
  try {
    nb::module_ np = numpy();
    if (nb::isinstance(object, np.attr("ndarray")))
      return nb::borrow(object);
    if (nb::hasattr(object, "__dlpack__"))
      return np.attr("from_dlpack")(object);
    nb::object dtype = nb::none();
    if (type && invar_type_kind(type) == INVAR_TYPE_TENSOR) {
      const DataType *declared = findDataType(invar_type_data_type(type));
      dtype = declared ? declared->getDtype() : np.attr("dtype")("object");
    }
    return np.attr("asarray")(object, dtype);
  } catch (nb::python_error &error) {
    reject(what + " to be an array",
           typeOf(object) + ": " + toUtf8(nb::str(error.value())));
  }
}

/// Converts objects through numpy: strings, types of ml_dtypes, and elements that are
/// not row-major or not aligned.
static rt::Value convert(nb::handle object, const InvarType *type,
                         const std::string &what, const Limits &limits) {
  nb::object array = toNumpy(object, type, what);
  nb::object dtype = array.attr("dtype");
  std::string kind = toUtf8(dtype.attr("kind"));
  if (kind.find_first_of("OSUT") == 0)
    return copyStrings(array, what, limits);

  const DataType *found = findDataType(toUtf8(dtype.attr("name")));
  if (!found)
    reject(what + " to be of a type that ONNX has", typeOf(array));
  if (found->isExtension)
    array = array.attr("view")(found->getCarrierName());
  array = numpy().attr("require")(array, found->getCarrierName(),
                                  nb::make_tuple("C", "A"));
  return borrow(nb::cast<ReadArray>(array), found->number);
}

static rt::Value toTensor(nb::handle object, const InvarType *type,
                          const std::string &what, const Limits &limits) {
  // A bytes object could be read as an array of numbers, but is a string.
  ReadArray array;
  if (!nb::isinstance<nb::bytes>(object) && nb::try_cast(object, array) &&
      isAligned(array))
    if (const DataType *found = findDataType(array.dtype()))
      return borrow(std::move(array), found->number);
  return convert(object, type, what, limits);
}

bool invar::python::isMapping(nb::handle object) {
  return nb::isinstance(
      object, nb::module_::import_("collections.abc").attr("Mapping"));
}

/// Converts a list of scalars to a tensor of rank 1.
static rt::Value toColumn(const nb::list &items, InvarDataType type,
                          const std::string &what, const Limits &limits) {
  if (type == INVAR_STRING) {
    nb::object array = numpy().attr("empty")(items.size(), "object");
    array[nb::slice(nb::none(), nb::none(), nb::none())] = items;
    return copyStrings(array, what, limits);
  }
  try {
    nb::object array =
        numpy().attr("asarray")(items, findDataType(type)->getDtype());
    if (nb::cast<size_t>(array.attr("ndim")) == 1)
      return borrow(nb::cast<ReadArray>(array), type);
  } catch (nb::python_error &error) {
    reject("numbers of type " + std::string(invar_data_type_name(type)) +
               " in " + what,
           toUtf8(nb::str(error.value())));
  }
  reject("scalars in " + what, "arrays");
}

static rt::Value toMap(nb::handle object, const InvarType *type,
                       const std::string &what, const Limits &limits) {
  if (!isMapping(object))
    reject(what + " to be a mapping", typeOf(object));
  nb::list keys(object.attr("keys")()), values(object.attr("values")());
  InvarDataType key = invar_type_key(type);
  // A float or a bool as a key would be accepted as an integer.
  for (nb::handle item : keys)
    if (key == INVAR_INT64 &&
        (!PyIndex_Check(item.ptr()) || PyBool_Check(item.ptr())))
      reject("integers as keys of " + what, typeOf(item));
  InvarDataType element = invar_type_data_type(invar_type_element(type));
  return take(rt::Value::map(toColumn(keys, key, what, limits),
                             toColumn(values, element, what, limits)));
}

rt::Value invar::python::toValue(nb::handle object, const InvarType *type,
                                 const std::string &what,
                                 const Limits &limits) {
  InvarTypeKind kind = invar_type_kind(type);
  if (kind == INVAR_TYPE_OPTIONAL)
    return take(rt::Value::optional(
        object.is_none()
            ? rt::Value()
            : toValue(object, invar_type_element(type), what, limits)));
  if (object.is_none())
    return rt::Value();
  if (kind == INVAR_TYPE_SEQUENCE &&
      (nb::isinstance<nb::list>(object) || nb::isinstance<nb::tuple>(object))) {
    std::vector<rt::Value> items;
    for (nb::handle item : object)
      items.push_back(toValue(item, invar_type_element(type), what, limits));
    return take(rt::Value::sequence(items));
  }
  if (kind == INVAR_TYPE_MAP)
    return toMap(object, type, what, limits);
  return toTensor(object, type, what, limits);
}

rt::Value invar::python::toPlace(nb::handle object, const std::string &what) {
  nb::object array = nb::borrow(object);
  const DataType *type = nullptr;
  if (nb::hasattr(object, "dtype") && nb::hasattr(object, "view"))
    if (nb::object name = nb::getattr(object.attr("dtype"), "name", nb::none());
        nb::isinstance<nb::str>(name))
      type = findDataType(toUtf8(name));
  if (type && type->isExtension)
    array = array.attr("view")(type->getCarrierName());
  WrittenArray place;
  if (!nb::try_cast(array, place, false))
    reject("an array that is row-major and can be written for " + what,
           typeOf(object));
  if (!type)
    type = findDataType(place.dtype());
  if (!type)
    reject("an array of a type that ONNX has for " + what, typeOf(object));
  return borrow(std::move(place), type->number);
}

// To Python

bool Memory::add(const void *begin, size_t size) {
  if (size == 0)
    return true;
  uintptr_t first = reinterpret_cast<uintptr_t>(begin), end = first + size;
  bool isNew = true;
  // Merge with every range that overlaps.
  for (auto next = ends.lower_bound(end); next != ends.begin();) {
    auto before = std::prev(next);
    if (before->second <= first)
      break;
    isNew = false;
    first = std::min(first, before->first);
    end = std::max(end, before->second);
    next = ends.erase(before);
  }
  ends[first] = end;
  return isNew;
}

void Giver::know(const rt::Value &value) {
  if (!value)
    return;
  switch (value.kind()) {
  case INVAR_TYPE_TENSOR:
    known.add(invar_tensor_data(value.get()), invar_tensor_bytes(value.get()));
    break;
  case INVAR_TYPE_SEQUENCE:
    for (size_t i = 0; i < value.size(); ++i)
      know(value[i]);
    break;
  case INVAR_TYPE_OPTIONAL:
    know(value.element());
    break;
  case INVAR_TYPE_MAP:
    break; // Converted to Python's own numbers.
  }
}

nb::object Giver::giveStrings(const rt::Value &value) {
  nb::list texts;
  const auto *strings = value.data<const InvarString>();
  for (int64_t i = 0; i < value.count(); ++i) {
    if (i % stringsAtOnce == 0)
      limits.check();
    texts.append(toStr({strings[i].data, strings[i].size}));
  }
  // Fill an array instead of converting the list: numpy would inspect the strings.
  nb::object array = numpy().attr("empty")(value.count(), "object");
  array[nb::slice(nb::none(), nb::none(), nb::none())] = texts;
  return array.attr("reshape")(nb::cast(value.sizes()));
}

/// The elements of a tensor as Python numbers and strings.
nb::list Giver::giveScalars(const rt::Value &value) {
  nb::list items;
  auto add = [&](const auto *elements) {
    for (int64_t i = 0; i < value.count(); ++i)
      items.append(elements[i]);
  };
  switch (value.dataType()) {
  case INVAR_FLOAT32:
    add(value.data<const float>());
    return items;
  case INVAR_FLOAT64:
    add(value.data<const double>());
    return items;
  case INVAR_INT64:
    add(value.data<const int64_t>());
    return items;
  case INVAR_STRING:
    return nb::list(giveStrings(value));
  default:
    throw Failure(INVAR_RUN_FAILED,
                  std::string("expected a map to float, double, int64 or "
                              "string, but got one to ") +
                      invar_data_type_name(value.dataType()));
  }
}

nb::object Giver::giveMap(const rt::Value &value) {
  // The maps of one result share their keys, which are converted once.
  const InvarValue *shared = invar_map_keys(value.get());
  auto [found, isNew] = keys.try_emplace(shared);
  if (isNew)
    found->second = giveScalars(value.keys());
  nb::list values = giveScalars(value.values());
  nb::dict entries;
  for (size_t i = 0; i < values.size(); ++i)
    entries[found->second[i]] = values[i];
  return entries;
}

nb::object Giver::giveArray(rt::Value value) {
  if (value.dataType() == INVAR_STRING)
    return giveStrings(value);
  const DataType &type = *findDataType(value.dataType());
  void *data = invar_tensor_data(value.get());
  bool isFree = known.add(data, invar_tensor_bytes(value.get())) &&
                !invar_tensor_is_constant(value.get());

  std::vector<int64_t> sizes = value.sizes();
  std::vector<size_t> shape(sizes.begin(), sizes.end());
  nb::capsule owner(value.get(), [](void *kept) noexcept {
    invar_value_release(static_cast<InvarValue *>(kept));
  });
  value.release();
  nb::object array = nb::cast(
      nb::ndarray<nb::numpy>(data, shape.size(), shape.data(), owner, nullptr,
                             type.getCarrier(), nb::device::cpu::value));
  if (type.isExtension)
    array = array.attr("view")(type.getDtype());
  return isFree ? array : nb::object(array.attr("copy")());
}

nb::object Giver::give(rt::Value value) {
  switch (value.kind()) {
  case INVAR_TYPE_TENSOR:
    return giveArray(std::move(value));
  case INVAR_TYPE_SEQUENCE: {
    nb::list items;
    for (size_t i = 0; i < value.size(); ++i)
      items.append(give(value[i]));
    return items;
  }
  case INVAR_TYPE_MAP:
    return giveMap(value);
  case INVAR_TYPE_OPTIONAL:
    break;
  }
  rt::Value element = value.element();
  return element ? give(std::move(element)) : nb::none();
}
