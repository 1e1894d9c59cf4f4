// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Wire/TensorData.h"

#include "invar/Frontend/Wire/Fields.h"
#include "invar/Frontend/Wire/WireReader.h"
#include "invar/Support/ElementCount.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <limits>
#include <new>

using namespace invar;

namespace {
/// How a typed list encodes a data type.
struct Coding {
  Field field;
  WireType wire;
  /// The bits of raw data in one entry of the list.
  unsigned bits;
  /// For varints: the range of values, in the list's own type.
  int64_t min = 0;
  int64_t max = 0;
};
} // namespace

static std::optional<Coding> getCoding(DataType type) {
  using namespace field::tensor;
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  auto narrow = [](unsigned bits, int64_t min, int64_t max) {
    return Coding{Int32Data, WireType::Varint, bits, min, max};
  };
  switch (type) {
  case DataType::Float32:
  case DataType::Complex64:
    return Coding{FloatData, WireType::Fixed32, 32};
  case DataType::Float64:
  case DataType::Complex128:
    return Coding{DoubleData, WireType::Fixed64, 64};
  case DataType::Int64:
    return Coding{Int64Data, WireType::Varint, 64, least, most};
  case DataType::UInt64: // every pattern of bits is a value
    return Coding{UInt64Data, WireType::Varint, 64, least, most};
  case DataType::UInt32:
    return Coding{UInt64Data, WireType::Varint, 32, 0, UINT32_MAX};
  case DataType::Int32:
    return narrow(32, INT32_MIN, INT32_MAX);
  case DataType::Int16:
    return narrow(16, INT16_MIN, INT16_MAX);
  case DataType::Int8:
    return narrow(8, INT8_MIN, INT8_MAX);
  case DataType::Bool:
    return narrow(8, 0, 1);
  case DataType::UInt16:
  case DataType::Float16:
  case DataType::BFloat16:
    return narrow(16, 0, UINT16_MAX);
  case DataType::Float6E2M3:
  case DataType::Float6E3M2:
    return narrow(6, 0, 63);
  case DataType::UInt8:
  case DataType::Float8E4M3FN:
  case DataType::Float8E4M3FNUZ:
  case DataType::Float8E5M2:
  case DataType::Float8E5M2FNUZ:
  case DataType::Float8E8M0:
  case DataType::UInt4: // these five as packed bytes
  case DataType::Int4:
  case DataType::Float4E2M1:
  case DataType::UInt2:
  case DataType::Int2:
    return narrow(8, 0, UINT8_MAX);
  case DataType::String:
    return std::nullopt;
  }
  return std::nullopt;
}

namespace {
class Reading {
public:
  Reading(const TensorView &tensor, const WireModel &model,
          const std::string &what)
      : tensor(tensor), model(model), input(model.getModel().payload, what) {}

  llvm::Error run(ExternalFiles &externalFiles);
  TensorData result;

private:
  llvm::Error checkPlaces() const;
  llvm::Error readExternal(ExternalFiles &files);
  llvm::Error readStrings();
  llvm::Error readFixed(const Coding &coding);
  llvm::Error readVarints(const Coding &coding);
  llvm::Error allocate();
  llvm::Error expectCount(uint64_t wanted, uint64_t got, llvm::StringRef unit,
                          llvm::StringRef place) const;
  template <typename Visit>
  void forEachVarint(const Coding &coding, Visit visit);

  const TensorView &tensor;
  const WireModel &model;
  WireInput input;
  FieldPath root;
  uint64_t size = 0; // bytes of raw data
};
} // namespace

llvm::Expected<TensorData> invar::readTensor(const TensorView &tensor,
                                             const WireModel &model,
                                             ExternalFiles &externalFiles) {
  std::string what = ("tensor '" + tensor.name + "'").str();
  Reading reading(tensor, model, what);
  if (llvm::Error error = reading.run(externalFiles))
    return inContext(what + ": ", std::move(error));
  return std::move(reading.result);
}

/// Prints dimensions as a part of a type: float[2, 3].
static std::string printDims(llvm::ArrayRef<int64_t> dims) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::interleaved_array(dims);
  return text;
}

llvm::Error Reading::run(ExternalFiles &externalFiles) {
  std::optional<DataType> type = dataTypeFromNumber(tensor.dataType);
  if (!type)
    return badInput("expected a data type from 1 to " +
                    llvm::Twine(std::size(allDataTypes)) + ", but got " +
                    llvm::Twine(tensor.dataType));
  std::optional<int64_t> count = countElements(tensor.dims);
  std::optional<uint64_t> packed =
      count ? getPackedSize(*type, *count) : std::nullopt;
  if (!packed || !ElementCount::allows(tensor.dims))
    return badInput("expected a shape without negative dimensions and with at "
                    "most " +
                    llvm::Twine(ElementCount::most) + " elements, but got " +
                    printDims(tensor.dims));
  if (tensor.hasSegment)
    return badInput("expected a whole tensor, but got a segment of one");
  result.type = *type;
  result.shape = tensor.dims;
  result.count = *count;
  size = *packed;

  if (llvm::Error error = checkPlaces())
    return error;
  if (tensor.dataLocation == 1)
    return readExternal(externalFiles);
  if (*type == DataType::String)
    return readStrings();
  if (tensor.rawData && (!tensor.rawData->empty() || tensor.typedData == 0)) {
    result.bytes = *tensor.rawData;
    result.file = model.getFile();
    return expectCount(size, result.bytes.size(), "bytes", "raw_data");
  }
  Coding coding = *getCoding(*type);
  return coding.wire == WireType::Varint ? readVarints(coding)
                                         : readFixed(coding);
}

llvm::Error Reading::expectCount(uint64_t wanted, uint64_t got,
                                 llvm::StringRef unit,
                                 llvm::StringRef place) const {
  if (wanted == got)
    return llvm::Error::success();
  return badInput("expected " + llvm::Twine(wanted) + " " + unit + " of " +
                  place + " for " + getName(result.type) +
                  printDims(tensor.dims) + ", but got " + llvm::Twine(got));
}

/// Checks that values are in at most one place, and that this place is allowed for the
/// type.
llvm::Error Reading::checkPlaces() const {
  using namespace field::tensor;
  llvm::SmallVector<Field, 2> places;
  for (Field field : {FloatData, Int32Data, Int64Data, DoubleData, UInt64Data})
    if (tensor.hasTypedData(field))
      places.push_back(field);
  if (tensor.rawData && !tensor.rawData->empty())
    places.push_back(RawData);
  if (!tensor.stringData.empty())
    places.push_back(StringData);

  if (tensor.dataLocation != 0 && tensor.dataLocation != 1)
    return badInput("expected a data location of 0 or 1, but got " +
                    llvm::Twine(tensor.dataLocation));
  if (tensor.dataLocation == 1 && !places.empty())
    return badInput("expected external data only, but got " +
                    places.front().name + " too");
  if (places.size() > 1)
    return badInput("expected values in one place, but got " + places[0].name +
                    " and " + places[1].name);
  if (places.empty())
    return llvm::Error::success();
  Field place = places.front();
  std::optional<Coding> coding = getCoding(result.type);
  bool fits =
      coding ? place == RawData || place == coding->field : place == StringData;
  if (!fits)
    return badInput("expected values of " + getName(result.type) + " in " +
                    (coding ? "raw_data or " + coding->field.name
                            : llvm::Twine(StringData.name)) +
                    ", but got " + place.name);
  return llvm::Error::success();
}

llvm::Error Reading::readExternal(ExternalFiles &files) {
  if (result.type == DataType::String)
    return badInput("expected strings inside the model, but got external data");
  ExternalLocation location;
  if (llvm::Error error =
          parseExternalLocation(tensor.externalData).moveInto(location))
    return error;
  std::string where =
      ("external data '" + location.location.take_front(256) + "'").str();
  if (location.length)
    if (llvm::Error error = expectCount(size, *location.length, "bytes", where))
      return error;
  if (llvm::Error error = files.open(location.location).moveInto(result.file))
    return inContext("external data ", std::move(error));

  uint64_t fileSize = result.file->getSize();
  uint64_t rest = fileSize - std::min(location.offset, fileSize);
  if (location.offset > fileSize || size > rest)
    return badInput("expected " + llvm::Twine(size) + " bytes from byte " +
                    llvm::Twine(location.offset) + " of " + where +
                    ", but got a file of " + llvm::Twine(fileSize));
  // Without a length, the tensor extends to the end of the file.
  if (!location.length)
    if (llvm::Error error = expectCount(size, rest, "bytes", where))
      return error;
  result.bytes = result.file->getBytes({location.offset, size});
  result.isExternal = true;
  return llvm::Error::success();
}

llvm::Error Reading::readStrings() {
  result.strings = tensor.stringData;
  return expectCount(result.count, result.strings.size(), "strings",
                     "string_data");
}

llvm::Error Reading::allocate() {
  result.owned.reset(new (std::nothrow) uint8_t[size]());
  if (!result.owned)
    return outOfResources("cannot allocate " + llvm::Twine(size) + " bytes");
  result.bytes = {reinterpret_cast<const char *>(result.owned.get()), size};
  return llvm::Error::success();
}

/// Reads floats and doubles: packed blocks are raw data already.
llvm::Error Reading::readFixed(const Coding &coding) {
  uint64_t element = coding.bits / 8;
  uint64_t total = 0;
  llvm::StringRef block;
  WireReader reader(input, tensor.payload, root);
  while (reader.next()) {
    if (reader.getNumber() != coding.field)
      continue;
    if (!reader.isPackedBlock()) {
      total += element;
      continue;
    }
    block = reader.getBytes(coding.field.name);
    total += block.size();
    if (block.size() % element != 0)
      return badInput(coding.field.name + ": expected a packed list of " +
                      llvm::Twine(element) + "-byte numbers, but got " +
                      llvm::Twine(block.size()) + " bytes");
  }
  if (llvm::Error error = expectCount(size / element, total / element, "values",
                                      coding.field.name))
    return error;
  if (total == block.size()) {
    result.bytes = block;
    result.file = model.getFile();
    return llvm::Error::success();
  }
  if (llvm::Error error = allocate())
    return error;
  uint8_t *out = result.owned.get();
  WireReader again(input, tensor.payload, root);
  while (again.next()) {
    if (again.getNumber() != coding.field)
      continue;
    // An unpacked number is at the end of its field.
    llvm::StringRef bytes = again.isPackedBlock()
                                ? again.getBytes(coding.field.name)
                                : again.getWhole().take_back(element);
    std::memcpy(out, bytes.data(), bytes.size());
    out += bytes.size();
  }
  return llvm::Error::success();
}

/// Calls visit(value) for each entry of the list, until it returns false.
template <typename Visit>
void Reading::forEachVarint(const Coding &coding, Visit visit) {
  WireReader reader(input, tensor.payload, root);
  while (reader.next()) {
    if (reader.getNumber() != coding.field)
      continue;
    if (!reader.isPackedBlock()) {
      if (!visit(reader.getInt(coding.field.name)))
        return;
      continue;
    }
    llvm::StringRef block = reader.getBytes(coding.field.name);
    for (const char *at = block.begin(); at != block.end();) {
      std::optional<uint64_t> value = readVarint(at, block.end());
      if (!value)
        return input.fail({&root, coding.field.name},
                          "expected a varint, but got other bytes", at);
      if (!visit(int64_t(*value)))
        return;
    }
  }
}

llvm::Error Reading::readVarints(const Coding &coding) {
  // Count first: memory is allocated only for values that exist.
  uint64_t wanted = coding.bits == 6 ? result.count : size / (coding.bits / 8);
  uint64_t got = 0;
  forEachVarint(coding, [&](int64_t) {
    ++got;
    return true;
  });
  if (llvm::Error error = input.takeError())
    return error;
  if (llvm::Error error = expectCount(wanted, got, "values", coding.field.name))
    return error;
  if (llvm::Error error = allocate())
    return error;

  uint64_t index = 0;
  std::optional<int64_t> outOfRange;
  uint8_t *out = result.owned.get();
  forEachVarint(coding, [&](int64_t value) {
    if (value < coding.min || value > coding.max) {
      outOfRange = value;
      return false;
    }
    if (coding.bits == 6) {
      // Six bits each, low bits first: each value is in one byte or two.
      uint64_t bit = index * 6;
      unsigned shifted = unsigned(value) << (bit % 8);
      out[bit / 8] |= uint8_t(shifted);
      if (shifted > 0xff)
        out[bit / 8 + 1] |= uint8_t(shifted >> 8);
    } else {
      std::memcpy(out + index * (coding.bits / 8), &value, coding.bits / 8);
    }
    ++index;
    return true;
  });
  if (outOfRange)
    return badInput(coding.field.name + "[" + llvm::Twine(index) +
                    "]: expected a value from " + llvm::Twine(coding.min) +
                    " to " + llvm::Twine(coding.max) + " for " +
                    getName(result.type) + ", but got " +
                    llvm::Twine(*outOfRange));
  return llvm::Error::success();
}
