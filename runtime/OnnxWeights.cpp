// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights of an ONNX model: the initializers of its graph and the values of its
// Constant nodes. A model is a Protocol Buffers message. Only the fields that lead to
// tensors are read.
#include "Weights.h"

#include "Descriptor.h"
#include "WireMessage.h"
#include "invar/Files/ModelFolder.h"

#include <charconv>
#include <cstring>
#include <map>

using namespace invar;
using namespace invar::runtime;

namespace {
/// The fields of a TensorProto, with their numbers.
struct TensorFields {
  enum : uint64_t {
    Dims = 1,
    DataType = 2,
    FloatData = 4,
    Int32Data = 5,
    Int64Data = 7,
    Name = 8,
    RawData = 9,
    DoubleData = 10,
    Uint64Data = 11,
    ExternalData = 13,
    DataLocation = 14,
  };

  std::vector<int64_t> sizes;
  uint64_t type = 0, location = 0;
  std::string_view name;
  bool hasRaw = false;
  std::string_view raw;
  /// All fields with typed data, in their order.
  std::vector<Field> numbers;
  std::string_view externalPath, externalOffset, externalLength;

  /// Returns false if the message is malformed.
  bool read(std::string_view message) {
    Message fields(message);
    for (Field field; fields.next(field);)
      isGood = readField(field) && isGood;
    return isGood && fields.isGood();
  }

private:
  bool isGood = true;

  bool readField(const Field &field) {
    switch (field.number) {
    case Dims: {
      // Packed, or one value per field.
      Message packed(field.bytes);
      uint64_t size = field.value;
      if (!field.bytes.data())
        sizes.push_back(int64_t(size));
      while (!packed.isEmpty()) {
        if (sizes.size() > maxRank || !packed.readVarint(size))
          return false;
        sizes.push_back(int64_t(size));
      }
      return sizes.size() <= maxRank;
    }
    case DataType:
      type = field.value;
      return true;
    case Name:
      name = field.bytes;
      return true;
    case RawData:
      hasRaw = true;
      raw = field.bytes;
      return true;
    case DataLocation:
      location = field.value;
      return true;
    case ExternalData:
      return readExternal(field.bytes);
    case FloatData:
    case DoubleData:
    case Int32Data:
    case Int64Data:
    case Uint64Data:
      numbers.push_back(field);
      return true;
    default:
      return true;
    }
  }

  bool readExternal(std::string_view message) {
    std::string_view key, value;
    Message fields(message);
    for (Field field; fields.next(field);)
      (field.number == 1 ? key : value) = field.bytes;
    if (key == "location")
      externalPath = value;
    else if (key == "offset")
      externalOffset = value;
    else if (key == "length")
      externalLength = value;
    return fields.isGood();
  }
};

class OnnxWeights final : public Weights {
public:
  OnnxWeights(const std::string &path, Store::Ref file)
      : folder(path), file(std::move(file)) {}

  Status read() {
    constexpr uint64_t graph = 7;
    Message model({file->getData(), file->getSize()});
    bool hasGraph = false, isGood = true;
    for (Field field; model.next(field);)
      if (field.number == graph) {
        isGood = readGraph(field.bytes) && isGood;
        hasGraph = true;
      }
    if (hasGraph && !(isGood && model.isGood()))
      return fail(INVAR_BAD_MODEL,
                  "expected a whole ONNX model, but got one that is cut short "
                  "or damaged");
    if (!hasGraph)
      return fail(INVAR_BAD_MODEL,
                  "expected an ONNX model or a file of safetensors, but got "
                  "neither");
    return Status::success();
  }

  Status find(const std::string &name, bool &isFound,
              Weight &weight) const override {
    auto known = tensors.find(std::string_view(name));
    isFound = known != tensors.end();
    if (!isFound)
      return Status::success();
    TensorFields fields;
    if (!fields.read(known->second))
      return fail(INVAR_BAD_MODEL,
                  "expected a tensor, but got one that is damaged");
    std::optional<int64_t> bytes;
    if (fields.type >= INVAR_FLOAT32 && fields.type <= INVAR_FLOAT6E3M2 &&
        fields.type != INVAR_STRING)
      bytes = countBytes(InvarDataType(fields.type), fields.sizes.data(),
                         fields.sizes.size());
    if (!bytes)
      return fail(INVAR_BAD_MODEL,
                  "expected a tensor of numbers, but got type ", fields.type,
                  " and ", fields.sizes.size(), " axes");
    weight.type = InvarDataType(fields.type);
    weight.sizes = fields.sizes;
    return place(fields, uint64_t(*bytes), weight.place);
  }

private:
  /// Returns false if the message is malformed.
  bool readGraph(std::string_view message) {
    constexpr uint64_t node = 1, initializer = 5;
    Message graph(message);
    for (Field field; graph.next(field);) {
      if (field.number == initializer) {
        std::string_view name = getName(field.bytes);
        tensors.emplace(name, field.bytes);
      } else if (field.number == node) {
        readNode(field.bytes);
      }
    }
    return graph.isGood();
  }

  /// Reads only the name of a tensor, not its elements.
  static std::string_view getName(std::string_view message) {
    Message fields(message);
    for (Field field; fields.next(field);)
      if (field.number == TensorFields::Name)
        return field.bytes;
    return {};
  }

  void readNode(std::string_view message) {
    constexpr uint64_t output = 2, opType = 4, attribute = 5, tensor = 5;
    std::string_view name, kind, value;
    Message node(message);
    for (Field field; node.next(field);) {
      if (field.number == output && name.empty())
        name = field.bytes;
      else if (field.number == opType)
        kind = field.bytes;
      else if (field.number == attribute) {
        Message parts(field.bytes);
        for (Field part; parts.next(part);)
          if (part.number == tensor)
            value = part.bytes;
      }
    }
    if (kind == "Constant" && !name.empty() && value.data())
      tensors.emplace(name, value);
  }

  Status place(const TensorFields &fields, uint64_t bytes, Place &place) const {
    constexpr uint64_t external = 1;
    if (fields.location == external)
      return placeExternal(fields, bytes, place);
    if (!fields.numbers.empty())
      return decode(fields, bytes, place);
    if (fields.raw.size() != bytes)
      return fail(INVAR_BAD_MODEL, "expected ", bytes, " bytes, but got ",
                  fields.raw.size());
    place = {file, uint64_t(fields.raw.data() - file->getData())};
    if (!bytes)
      place.offset = 0;
    return Status::success();
  }

  /// For elements in a file beside the model.
  Status placeExternal(const TensorFields &fields, uint64_t bytes,
                       Place &place) const;
  /// For elements in the typed data fields.
  static Status decode(const TensorFields &fields, uint64_t bytes,
                       Place &place);

  mutable ModelFolder folder;
  Store::Ref file;
  std::map<std::string_view, std::string_view> tensors;
  /// Files beside the model, by the names that the model has for them.
  mutable std::map<std::string_view, Store::Ref> beside;
};
} // namespace

/// Parses a decimal number; returns `none` for an empty text.
static std::optional<uint64_t> parse(std::string_view text, uint64_t none) {
  uint64_t number = 0;
  if (text.empty())
    return none;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return number;
}

/// Explains why a file beside the model was not opened.
static Status describe(std::string_view location,
                       const ModelFolder::Fault &fault) {
  switch (fault.kind) {
  case ModelFolder::Fault::BadLocation:
    return fail(INVAR_BAD_MODEL, "'", location.substr(0, 256),
                "': expected a relative path inside the model's folder, but "
                "got ",
                fault.what);
  case ModelFolder::Fault::Outside:
    return fail(INVAR_BAD_MODEL, "'", location,
                "': expected a file inside the model's folder, but got a link "
                "that leads out of it");
  default:
    return fail(INVAR_BAD_MODEL, "'", location,
                "': cannot open: ", std::strerror(fault.error));
  }
}

Status OnnxWeights::placeExternal(const TensorFields &fields, uint64_t bytes,
                                  Place &place) const {
  std::optional<uint64_t> offset = parse(fields.externalOffset, 0),
                          length = parse(fields.externalLength, bytes);
  if (!offset || !length || *length != bytes)
    return fail(INVAR_BAD_MODEL, "expected ", bytes,
                " bytes in a file beside the model, but got '",
                fields.externalPath, "', offset '", fields.externalOffset,
                "', length '", fields.externalLength, "'");
  Store::Ref &data = beside[fields.externalPath];
  if (!data) {
    ModelFolder::Fault fault;
    Descriptor opened(folder.open(fields.externalPath, fault));
    if (!opened)
      return describe(fields.externalPath, fault);
    std::string name =
        folder.getPath() + "/" + std::string(fields.externalPath);
    if (Status status = mapFile(opened.get(), name, data))
      return status;
  }
  if (*offset > data->getSize() || bytes > data->getSize() - *offset)
    return fail(INVAR_BAD_MODEL, "expected ", bytes, " bytes from ", *offset,
                " in '", fields.externalPath, "', but it has ",
                data->getSize());
  place = {data, *offset};
  return Status::success();
}

Status OnnxWeights::decode(const TensorFields &fields, uint64_t bytes,
                           Place &place) {
  size_t width = getElementSize(uint8_t(fields.type));
  Store::Ref memory(Store::make(size_t(bytes)));
  if (!memory)
    return fail(INVAR_OUT_OF_MEMORY, "expected ", bytes,
                " bytes of memory, but there are not as many");
  auto *out = const_cast<char *>(memory->getData());
  uint64_t written = 0;
  bool fits = true;
  auto write = [&](const void *from, size_t size) {
    fits = fits && size <= bytes - written;
    if (!fits || size == 0)
      return;
    std::memcpy(out + written, from, size);
    written += size;
  };
  for (const Field &field : fields.numbers) {
    if (field.number == TensorFields::FloatData ||
        field.number == TensorFields::DoubleData) {
      write(field.bytes.data(), field.bytes.size());
      continue;
    }
    // Little-endian, so the lower bytes come first.
    Message packed(field.bytes);
    uint64_t number;
    if (!field.bytes.data())
      write(&field.value, std::min(width, sizeof(field.value)));
    while (fits && !packed.isEmpty()) {
      if (!packed.readVarint(number))
        fits = false;
      else
        write(&number, std::min(width, sizeof(number)));
    }
  }
  if (!fits || written != bytes)
    return fail(INVAR_BAD_MODEL, "expected ", bytes,
                " bytes of numbers, but got others");
  place = {memory, 0};
  return Status::success();
}

Status invar::runtime::openOnnxWeights(const std::string &path, Store::Ref file,
                                       std::unique_ptr<Weights> &weights) {
  auto opened = std::make_unique<OnnxWeights>(path, std::move(file));
  if (Status status = opened->read())
    return status;
  weights = std::move(opened);
  return Status::success();
}
