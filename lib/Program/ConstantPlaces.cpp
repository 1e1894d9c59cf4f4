// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConstantPlaces.h"

#include "Encoder.h"
#include "invar/Elements/ElementsBuilder.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;

/// Each constant begins at a cache line.
static constexpr uint64_t alignment = 64;

/// The bytes of a tensor with static sizes, whose elements are not strings.
static std::optional<uint64_t> getTensorSize(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  uint64_t lane = 8;
  if (!tensor.getElementType().isIndex()) {
    std::optional<DataType> element =
        elements::toDataType(tensor.getElementType());
    if (!element || *element == DataType::String)
      return std::nullopt;
    lane = getLaneSize(*element);
  }
  return uint64_t(tensor.getNumElements()) * lane;
}

/// Bytes that a constant takes in the store.
static FailureOr<uint64_t> getStoredSize(const Elements &content) {
  uint64_t count = uint64_t(content.numElements());
  if (content.getType() == DataType::String) {
    uint64_t size = 8 * count;
    auto strings = content.getArray<StringRef>();
    if (!strings) {
      llvm::consumeError(strings.takeError());
      return failure();
    }
    for (StringRef text : *strings)
      size += text.size();
    return size;
  }
  return count * getLaneSize(content.getType());
}

ConstantPlaces::ConstantPlaces(ModuleOp module, bool keepsParameters)
    : keepsParameters(keepsParameters) {
  if (auto store = constants::StoreOp::find(module))
    llvm::append_range(entries, store.getBody().getOps<constants::EntryOp>());
}

bool ConstantPlaces::isStored(Value value) {
  return value.getDefiningOp<constants::RefOp>() ||
         constants::getContent(value);
}

bool ConstantPlaces::isParameter(Value value) {
  auto ref = value.getDefiningOp<constants::RefOp>();
  return ref && ref.getIndexAttr() && entries[*ref.getIndex()].getNameAttr();
}

FailureOr<uint32_t> ConstantPlaces::getParameter(Value parameter) {
  auto ref = parameter.getDefiningOp<constants::RefOp>();
  constants::EntryOp entry = entries[*ref.getIndex()];
  std::optional<uint64_t> size = getTensorSize(entry.getType());
  // A part of a parameter would not change when the parameter is replaced.
  if (!size || ref.getOffsetsAttr())
    return failure();
  auto [known, isNew] = parameterNumbers.try_emplace(
      int64_t(*ref.getIndex()), uint32_t(parameters.size()));
  if (!isNew)
    return known->second;
  std::optional<ConstantPlace> place;
  if (keepsParameters && entry.getValueAttr()) {
    FailureOr<ConstantPlace> found =
        store(entry.getValueAttr(), *entry.getName());
    if (failed(found))
      return failure();
    place = *found;
  }
  parameters.push_back({*entry.getName(), entry.getType(), place, *size});
  return known->second;
}

FailureOr<ConstantPlace> ConstantPlaces::getStored(Value constant) {
  auto ref = constant.getDefiningOp<constants::RefOp>();
  if (!ref || !ref.getIndexAttr())
    return getStored(constants::getContent(constant));
  ElementsAttr whole = entries[*ref.getIndex()].getValueAttr();
  if (!whole)
    return failure();
  return ref.getOffsetsAttr() ? getPart(ref, whole) : getStored(whole);
}

/// Aligned rows of an entry are read from the entry; other parts are stored separately.
FailureOr<ConstantPlace> ConstantPlaces::getPart(constants::RefOp ref,
                                                 ElementsAttr whole) {
  ArrayRef<int64_t> offsets = *ref.getOffsets();
  ArrayRef<int64_t> sizes = ref.getType().getShape();
  bool isRows =
      !offsets.empty() && whole.getElementType().isIntOrFloat() &&
      sizes.drop_front() == whole.getShapedType().getShape().drop_front();
  if (isRows && whole.getNumElements()) {
    FailureOr<ConstantPlace> around = getStored(whole);
    if (failed(around))
      return failure();
    uint64_t row = around->size / uint64_t(whole.getShapedType().getDimSize(0));
    uint64_t before = row * uint64_t(offsets[0]);
    if (before % alignment == 0)
      return ConstantPlace{around->offset + before, row * uint64_t(sizes[0])};
  }
  std::vector<int64_t> key = {int64_t(*ref.getIndex())};
  llvm::append_range(key, offsets);
  llvm::append_range(key, sizes);
  ElementsAttr &part = parts[key];
  if (!part) {
    FailureOr<Elements> content = elements::toElements(whole);
    if (failed(content))
      return failure();
    auto sliced = ElementsBuilder().slice(
        *content, offsets, sizes, SmallVector<int64_t>(offsets.size(), 1));
    if (!sliced) {
      llvm::consumeError(sliced.takeError());
      return failure();
    }
    part = elements::LazyElementsAttr::get(ref.getContext(), *sliced);
  }
  return getStored(part);
}

FailureOr<ConstantPlace> ConstantPlaces::getStored(ElementsAttr value) {
  if (!value)
    return failure();
  auto known = storedPlaces.find(value);
  if (known != storedPlaces.end())
    return known->second;
  FailureOr<ConstantPlace> place = store(value);
  if (succeeded(place))
    storedPlaces[value] = *place;
  return place;
}

FailureOr<ConstantPlace> ConstantPlaces::store(ElementsAttr value,
                                               StringRef name) {
  // The runtime uses int64 for indices.
  ElementsAttr content = value;
  if (auto indices = dyn_cast<DenseIntElementsAttr>(value);
      indices && indices.getElementType().isIndex())
    content =
        indices.mapValues(IntegerType::get(value.getContext(), 64),
                          [](const APInt &n) { return n.sextOrTrunc(64); });
  FailureOr<Elements> elements = elements::toElements(content);
  if (failed(elements))
    return failure();
  FailureOr<uint64_t> size = ::getStoredSize(*elements);
  if (failed(size))
    return failure();
  ConstantPlace place{storedSize, *size};
  stored.push_back(
      {std::move(*elements), place.offset, place.size, name.str()});
  storedSize += llvm::alignTo(*size, alignment);
  return place;
}

FailureOr<ConstantPlace> ConstantPlaces::getFolded(int64_t id, Type type) {
  auto known = foldedPlaces.find(id);
  if (known != foldedPlaces.end())
    return known->second;
  std::optional<uint64_t> size = getTensorSize(type);
  if (!size)
    return failure();
  ConstantPlace place{foldedSize, *size};
  // Offsets identify constants, so even a constant without elements has its own place.
  foldedSize += llvm::alignTo(std::max<uint64_t>(place.size, 1), alignment);
  return foldedPlaces[id] = place;
}

std::vector<ConstantPlaces::FirstUse>
ConstantPlaces::placeInOrder(func::FuncOp main) {
  std::vector<FirstUse> uses;
  llvm::DenseSet<Value> seen;
  auto place = [&](Value value, Operation *user) {
    bool isFolded = false;
    FailureOr<ConstantPlace> found = failure();
    auto argument = dyn_cast<BlockArgument>(value);
    if (isParameter(value)) {
      FailureOr<uint32_t> number = getParameter(value);
      if (succeeded(number) && parameters[*number].place)
        found = *parameters[*number].place;
    } else if (isStored(value)) {
      if (!isOnlyTarget(value))
        found = getStored(value);
    } else if (argument && argument.getOwner() == &main.front()) {
      auto id = main.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                   constants::idAttribute);
      isFolded = bool(id);
      if (isFolded)
        found = getFolded(id.getInt(), value.getType());
    }
    // A constant that fails here fails again when it is encoded, with an error message.
    if (succeeded(found))
      uses.push_back({*found, isFolded, user});
  };
  main.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (seen.insert(operand).second)
        place(operand, op);
  });
  return uses;
}
