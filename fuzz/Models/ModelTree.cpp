// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModelTree.h"

#include "invar/Frontend/Wire/Fields.h"
#include "invar/Frontend/Wire/WireReader.h"
#include <algorithm>
#include <functional>

using namespace invar;
using namespace invar::fuzz;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// Returns the kind of the message in field `number` of a message of kind `parent`.
static Kind getKind(Kind parent, uint32_t number) {
  struct Row {
    Kind parent;
    uint32_t number;
    Kind kind;
  };
  static constexpr Row rows[] = {
      {Kind::Model, field::model::Graph, Kind::Graph},
      {Kind::Model, field::model::OpsetImport, Kind::Opset},
      {Kind::Model, field::model::MetadataProps, Kind::Entry},
      {Kind::Model, field::model::Functions, Kind::Function},
      {Kind::Graph, field::graph::Node, Kind::Node},
      {Kind::Graph, field::graph::Initializer, Kind::Tensor},
      {Kind::Graph, field::graph::SparseInitializer, Kind::SparseTensor},
      {Kind::Graph, field::graph::Input, Kind::ValueInfo},
      {Kind::Graph, field::graph::Output, Kind::ValueInfo},
      {Kind::Graph, field::graph::ValueInfo, Kind::ValueInfo},
      {Kind::Node, field::node::Attribute, Kind::Attribute},
      {Kind::Attribute, field::attribute::T, Kind::Tensor},
      {Kind::Attribute, field::attribute::G, Kind::Graph},
      {Kind::Attribute, field::attribute::Tensors, Kind::Tensor},
      {Kind::Attribute, field::attribute::Graphs, Kind::Graph},
      {Kind::Attribute, field::attribute::Tp, Kind::Type},
      {Kind::Attribute, field::attribute::TypeProtos, Kind::Type},
      {Kind::Attribute, field::attribute::SparseTensor, Kind::SparseTensor},
      {Kind::Attribute, field::attribute::SparseTensors, Kind::SparseTensor},
      {Kind::Tensor, field::tensor::ExternalData, Kind::Entry},
      {Kind::SparseTensor, field::sparse::Values, Kind::Tensor},
      {Kind::SparseTensor, field::sparse::Indices, Kind::Tensor},
      {Kind::ValueInfo, field::value::Type, Kind::Type},
      {Kind::Type, field::type::Tensor, Kind::TensorType},
      {Kind::Type, field::type::SparseTensor, Kind::TensorType},
      {Kind::Type, field::type::Sequence, Kind::ElementType},
      {Kind::Type, field::type::Optional, Kind::ElementType},
      {Kind::Type, field::type::Map, Kind::MapType},
      {Kind::TensorType, field::type::TensorShape, Kind::Shape},
      {Kind::ElementType, field::type::ElementElemType, Kind::Type},
      {Kind::MapType, field::type::MapValueType, Kind::Type},
      {Kind::Shape, field::type::ShapeDim, Kind::Dimension},
      {Kind::Function, field::function::Node, Kind::Node},
      {Kind::Function, field::function::OpsetImport, Kind::Opset},
      {Kind::Function, field::function::AttributeProto, Kind::Attribute},
      {Kind::Function, field::function::ValueInfo, Kind::ValueInfo},
  };
  for (const Row &row : rows)
    if (row.parent == parent && row.number == number)
      return row.kind;
  return Kind::Leaf;
}

static size_t pick(ModelTree::Random &random, size_t count) {
  return random() % count;
}
static bool isOneOf(ModelTree::Random &random, size_t count) {
  return pick(random, count) == 0;
}

// Reading and writing

/// Whether all of the bytes are fields.
bool ModelTree::parse(llvm::StringRef bytes, unsigned depth, Part &message) {
  if (depth > WireInput::maxDepth)
    return false;
  WireInput input(bytes, "fuzz");
  FieldPath path;
  WireReader reader(input, bytes, path);
  while (reader.next()) {
    Part part;
    part.number = reader.getNumber();
    part.wireType = uint8_t(reader.getType());
    switch (reader.getType()) {
    case WireType::Varint:
      part.value = uint64_t(reader.getInt(""));
      break;
    case WireType::Bytes: {
      llvm::StringRef content = reader.getBytes("");
      part.kind = getKind(message.kind, part.number);
      if (part.kind != Kind::Leaf && parse(content, depth + 1, part))
        break;
      part.parts.clear();
      part.kind = Kind::Leaf;
      part.bytes = content.str();
      break;
    }
    case WireType::Fixed32:
      part.bytes = reader.getWhole().take_back(4).str();
      break;
    case WireType::Fixed64:
      part.bytes = reader.getWhole().take_back(8).str();
      break;
    case WireType::GroupStart:
    case WireType::GroupEnd:
      continue;
    }
    message.parts.push_back(std::move(part));
  }
  bool failed = input.failed();
  llvm::consumeError(input.takeError());
  return !failed;
}

static void appendVarint(uint64_t value, std::string &out) {
  for (; value >= 0x80; value >>= 7)
    out.push_back(char(value | 0x80));
  out.push_back(char(value));
}

void ModelTree::append(const Part &message, std::string &out) {
  for (const Part &part : message.parts) {
    appendVarint(uint64_t(part.number) << 3 | part.wireType, out);
    if (part.wireType == uint8_t(WireType::Varint)) {
      appendVarint(part.value, out);
      continue;
    }
    std::string nested;
    if (part.kind != Kind::Leaf)
      append(part, nested);
    const std::string &content = part.kind != Kind::Leaf ? nested : part.bytes;
    if (part.wireType == uint8_t(WireType::Bytes))
      appendVarint(content.size(), out);
    out += content;
  }
}

ModelTree::ModelTree(llvm::StringRef bytes) {
  root.kind = Kind::Model;
  parse(bytes, 0, root);
}

std::string ModelTree::str() const {
  std::string out;
  append(root, out);
  return out;
}

// Changes

void ModelTree::collect(Part &message, std::vector<Place> &places) {
  for (size_t i = 0; i < message.parts.size(); ++i) {
    places.push_back({&message, i});
    collect(message.parts[i], places);
  }
}

std::vector<ModelTree::Place> ModelTree::getPlaces() const {
  std::vector<Place> places;
  collect(root, places);
  return places;
}

/// Returns a changed number, often one at which sizes, axes, types or versions change
/// their meaning.
static uint64_t changeNumber(uint64_t value, ModelTree::Random &random) {
  static constexpr int64_t borders[] = {
      0,   1,     2,         3,         4,         7,         8,
      13,  16,    -1,        -2,        -5,        127,       255,
      256, 65536, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, INT64_MAX - 1};
  switch (pick(random, 8)) {
  case 0:
    return value + 1;
  case 1:
    return value - 1;
  case 2:
    return ~value + 1;
  case 3:
    return random() % 30; // a data type, or an opset
  case 4:
    return uint64_t(1) << pick(random, 64);
  default:
    return uint64_t(borders[pick(random, std::size(borders))]);
  }
}

/// Lets libFuzzer vary the bytes: it knows the values that the code compares them with.
static void changeBytes(std::string &bytes, bool mayGrow) {
  constexpr size_t mostGrowth = 16;
  size_t size = bytes.size();
  bytes.resize(size + (mayGrow ? mostGrowth : 0));
  auto *data = reinterpret_cast<uint8_t *>(bytes.data());
  size_t changed =
      bytes.empty() ? 0 : LLVMFuzzerMutate(data, size, bytes.size());
  bytes.resize(mayGrow ? changed : size);
}

void ModelTree::changeLeaf(const Place &place, const std::vector<Place> &places,
                           Random &random) {
  Part &part = place.get();
  if (part.wireType == uint8_t(WireType::Varint)) {
    part.value = changeNumber(part.value, random);
    return;
  }
  bool hasLength = part.wireType == uint8_t(WireType::Bytes);
  if (!hasLength || isOneOf(random, 8))
    return changeBytes(part.bytes, hasLength);
  // Use another text of the model, usually of the same field, so that names stay names.
  bool isSameField = !isOneOf(random, 4);
  constexpr size_t mostName = 64;
  constexpr int attempts = 32;
  for (int i = 0; i < attempts; ++i) {
    const Place &other = places[pick(random, places.size())];
    const Part &from = other.get();
    if (&from == &part || from.kind != Kind::Leaf ||
        from.wireType != part.wireType || from.bytes.size() > mostName ||
        (isSameField && (other.parent->kind != place.parent->kind ||
                         from.number != part.number)))
      continue;
    part.bytes = from.bytes;
    return;
  }
  changeBytes(part.bytes, true);
}

/// Inserts a part beside another one with the same field number, which is valid there.
void ModelTree::insertLike(const Place &place, Part part, Random &random) {
  part.number = place.get().number;
  auto &parts = place.parent->parts;
  parts.insert(parts.begin() + std::ptrdiff_t(pick(random, parts.size() + 1)),
               std::move(part));
}

void ModelTree::changeStructure(const Place &place,
                                const std::vector<Place> &places,
                                Random &random) {
  auto &parts = place.parent->parts;
  switch (pick(random, 4)) {
  case 0:
    parts.erase(parts.begin() + std::ptrdiff_t(place.index));
    return;
  case 1:
    return insertLike(place, place.get(), random);
  case 2:
    std::swap(parts[place.index], parts[pick(random, parts.size())]);
    return;
  default:
    break;
  }
  constexpr int attempts = 32;
  for (int i = 0; i < attempts; ++i) {
    const Place &other = places[pick(random, places.size())];
    if (other.get().kind != place.get().kind ||
        other.get().wireType != place.get().wireType)
      continue;
    // Copy first: one part may be inside the other.
    Part copy = other.get();
    copy.number = place.get().number;
    place.get() = std::move(copy);
    return;
  }
}

void ModelTree::mutate(Random &random) {
  for (size_t left = 1 + pick(random, 3); left; --left) {
    std::vector<Place> places = getPlaces();
    if (places.empty())
      return;
    const Place &place = places[pick(random, places.size())];
    if (place.get().kind == Kind::Leaf && !isOneOf(random, 4))
      changeLeaf(place, places, random);
    else
      changeStructure(place, places, random);
  }
}

void ModelTree::crossOver(const ModelTree &other, Random &random) {
  auto isTaken = [](const Place &place) {
    Kind kind = place.get().kind;
    return kind != Kind::Leaf && kind != Kind::Entry;
  };
  std::vector<Place> mine = getPlaces(), theirs = other.getPlaces();
  std::erase_if(mine, std::not_fn(isTaken));
  if (mine.empty())
    return;
  const Place &place = mine[pick(random, mine.size())];
  std::erase_if(theirs, [&](const Place &its) {
    return its.get().kind != place.get().kind;
  });
  if (!theirs.empty())
    insertLike(place, theirs[pick(random, theirs.size())].get(), random);
}
