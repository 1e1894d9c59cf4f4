// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators on features. Operators that return or take maps are not folded, because a
// model cannot contain a constant map.
#include "MLFormulas.h"
#include "invar/Dialect/ONNX/Movement.h"
#include "invar/Dialect/ONNX/Ops/ML.h"
#include "invar/Dialect/ONNX/Statistics.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Kernels/Scores.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static llvm::Error checkRank(const Elements &x) {
  if (x.getRank() == 1 || x.getRank() == 2)
    return llvm::Error::success();
  return notFolded("expected a tensor of rank 1 or 2, but got rank " +
                   Twine(x.getRank()));
}

/// Returns a list attribute as a tensor that broadcasts over the features of `x`.
template <DataType T>
static llvm::Expected<Elements> makeRow(Folding &fold,
                                        std::optional<ArrayRef<LaneOf<T>>> list,
                                        StringRef name, const Elements &x) {
  size_t count = list ? list->size() : 0;
  if (count != 1 && int64_t(count) != x.getShape().back())
    return notFolded("expected an entry of '" + name +
                     "' for each feature, or one, but got " + Twine(count));
  return fold.getBuilder().fromArray<T>(int64_t(count), *list);
}

//===-- Tables ----------------------------------------------------------------===//

static SmallVector<StringRef>
getStrings(std::optional<ArrayRef<Attribute>> list) {
  return llvm::map_to_vector(
      list.value_or(ArrayRef<Attribute>()),
      [](Attribute string) { return cast<StringAttr>(string).getValue(); });
}

/// Returns a number as a key. Equal numbers have equal keys; all NaNs have the same key.
static uint64_t keyOf(double number) {
  return llvm::bit_cast<uint64_t>(number == 0        ? 0.0
                                  : number != number ? std::nan("")
                                                     : number);
}

/// Returns the index of each element of `x` in the vector `keys`, or the number of keys
/// if it is not among them. Fails if a key occurs twice or is NaN, because runtimes
/// differ then.
static llvm::Expected<std::vector<int64_t>>
findPlaces(Folding &fold, const Elements &x, const Elements &keys) {
  auto find =
      [&](auto table, const auto &list,
          const auto &elements) -> llvm::Expected<std::vector<int64_t>> {
    for (auto [i, key] : llvm::enumerate(list))
      if (!table.try_emplace(key, int64_t(i)).second)
        return notFolded("expected keys that differ, but got one twice");
    std::vector<int64_t> places;
    places.reserve(elements.size());
    for (const auto &element : elements) {
      auto found = table.find(element);
      places.push_back(found == table.end() ? int64_t(list.size())
                                            : found->second);
    }
    return places;
  };
  auto findAs = [&](auto zero,
                    auto toKey) -> llvm::Expected<std::vector<int64_t>> {
    using T = decltype(zero);
    auto list = fold.read<T>(keys);
    auto elements = fold.read<T>(x);
    if (!list || !elements)
      return llvm::joinErrors(list.takeError(), elements.takeError());
    if (llvm::any_of(*list, [](T key) { return key != key; }))
      return notFolded("expected keys that are numbers, but got NaN");
    return find(std::unordered_map<uint64_t, int64_t>(),
                llvm::map_to_vector(list->get(), toKey),
                llvm::map_to_vector(elements->get(), toKey));
  };
  NumberKind kind = getKind(keys.getType());
  if (getKind(x.getType()) != kind)
    return notFolded("expected keys of the elements' kind");
  if (kind == NumberKind::Float)
    return findAs(double(), keyOf);
  if (kind == NumberKind::Signed)
    return findAs(int64_t(), [](int64_t number) { return uint64_t(number); });
  auto list = fold.read<StringRef>(keys);
  auto elements = fold.read<StringRef>(x);
  if (!list || !elements)
    return llvm::joinErrors(list.takeError(), elements.takeError());
  return find(llvm::StringMap<int64_t>(), list->get(), elements->get());
}

/// Replaces each element of `x` by the value of its key, or by `otherwise`.
static llvm::Expected<Elements> lookUp(Folding &fold, const Elements &x,
                                       const Elements &keys,
                                       const Elements &values,
                                       const Elements &otherwise) {
  const ElementsBuilder &builder = fold.getBuilder();
  auto places = findPlaces(fold, x, keys);
  if (!places)
    return places.takeError();
  auto table = builder.concat({values, otherwise}, 0);
  if (!table)
    return table;
  auto found = pickAlong(fold, *table, 0, std::move(*places));
  return found ? builder.reshape(*found, x.getShape()) : std::move(found);
}

FoldResult CategoryMapperOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  SmallVector<StringRef> names = getStrings(getCatsStrings());
  ArrayRef<int64_t> numbers = getCatsInt64s().value_or(ArrayRef<int64_t>());
  auto strings = builder.fromStrings(int64_t(names.size()), names);
  auto integers =
      builder.fromArray<DataType::Int64>(int64_t(numbers.size()), numbers);
  auto noString = builder.fromStrings(1, getDefaultString());
  auto noInteger =
      builder.fromArray<DataType::Int64>(1, int64_t(getDefaultInt64()));
  if (!strings || !integers || !noString || !noInteger)
    return llvm::joinErrors(
        llvm::joinErrors(strings.takeError(), integers.takeError()),
        llvm::joinErrors(noString.takeError(), noInteger.takeError()));
  const Elements &x = fold.get(getX());
  if (x.getType() == DataType::String)
    return lookUp(fold, x, *strings, *integers, *noInteger);
  return lookUp(fold, x, *integers, *strings, *noString);
}

/// Returns the form of a list that is given, as a vector.
static llvm::Expected<Elements>
makeList(Folding &fold, std::optional<ArrayRef<float>> floats,
         std::optional<ArrayRef<int64_t>> integers,
         std::optional<ArrayRef<Attribute>> strings, ElementsAttr tensor) {
  const ElementsBuilder &builder = fold.getBuilder();
  if (tensor) {
    FailureOr<Elements> elements = elements::toElements(tensor);
    if (failed(elements))
      return notFolded("its content is not there");
    return builder.reshape(*elements, elements->numElements());
  }
  if (std::optional<int64_t> count = lengthOf(floats))
    return builder.fromArray<DataType::Float32>(*count, *floats);
  if (std::optional<int64_t> count = lengthOf(integers))
    return builder.fromArray<DataType::Int64>(*count, *integers);
  SmallVector<StringRef> list = getStrings(strings);
  return builder.fromStrings(int64_t(list.size()), list);
}

FoldResult LabelEncoderOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  auto keys = makeList(fold, getKeysFloats(), getKeysInt64s(), getKeysStrings(),
                       getKeysTensorAttr());
  auto values = makeList(fold, getValuesFloats(), getValuesInt64s(),
                         getValuesStrings(), getValuesTensorAttr());
  if (!keys || !values)
    return llvm::joinErrors(keys.takeError(), values.takeError());
  auto otherwise = [&]() -> llvm::Expected<Elements> {
    if (getDefaultTensorAttr())
      return makeList(fold, {}, {}, {}, getDefaultTensorAttr());
    switch (getKind(values->getType())) {
    case NumberKind::Float: {
      auto value = builder.fromArray<DataType::Float32>(1, getDefaultFloat());
      return value ? builder.cast(*value, values->getType()) : std::move(value);
    }
    case NumberKind::Signed: {
      auto value =
          builder.fromArray<DataType::Int64>(1, int64_t(getDefaultInt64()));
      return value ? builder.cast(*value, values->getType()) : std::move(value);
    }
    default:
      return builder.fromStrings(1, getDefaultString());
    }
  }();
  if (!otherwise)
    return otherwise;
  if (otherwise->numElements() != 1 ||
      otherwise->getType() != values->getType())
    return notFolded("expected a default of the values' type, but got another");
  return lookUp(fold, fold.get(getX()), *keys, *values, *otherwise);
}

FoldResult OneHotEncoderOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  llvm::Expected<Shape> shape = fold.getShape();
  auto keys = makeList(fold, {}, getCatsInt64s(), getCatsStrings(), {});
  if (!shape || !keys)
    return llvm::joinErrors(shape.takeError(), keys.takeError());
  if (getKind(x.getType()) == NumberKind::Float)
    // Compare as floats: some runtimes truncate a number that is not an integer, others
    // find no match.
    if (auto asFloats = fold.getBuilder().cast(*keys, x.getType()))
      keys = std::move(asFloats);
  auto places = findPlaces(fold, x, *keys);
  if (!places)
    return places.takeError();
  int64_t depth = shape->back();
  if (getKind(x.getType()) == NumberKind::Float || !getZeros())
    if (llvm::is_contained(*places, depth))
      return notFolded("expected elements that are categories");
  return fold.compute<float>(
      *shape, [places = std::move(*places), depth](MutableArrayRef<float> out) {
        llvm::fill(out, 0.0f);
        for (auto [i, place] : llvm::enumerate(places))
          if (place < depth)
            out[i * size_t(depth) + size_t(place)] = 1;
      });
}

//===-- Features --------------------------------------------------------------===//

FoldResult ArrayFeatureExtractorOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  llvm::Expected<Shape> shape = fold.getShape();
  auto indices = fold.read<int64_t>(getY());
  if (!shape || !indices)
    return llvm::joinErrors(shape.takeError(), indices.takeError());
  if (x.getRank() == 0)
    return notFolded("expected a tensor with features, but got a scalar");
  int64_t features = x.getShape().back();
  for (int64_t index : *indices)
    if (index < 0 || index >= features)
      return notFolded("expected indices below " + Twine(features) +
                       ", but got " + Twine(index));
  auto picked = pickAlong(fold, x, x.getRank() - 1, indices->get().vec());
  return picked ? fold.getBuilder().reshape(*picked, *shape)
                : std::move(picked);
}

FoldResult BinarizerOp::computeValues(Folding &fold) {
  return applyInDouble(fold, formula::Binarize{{}, double(getThreshold())},
                       fold.get(getX()), fold.getType());
}

FoldResult FeatureVectorizerOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  auto zero = makeZero(fold, DataType::Float32);
  if (!zero)
    return zero;
  SmallVector<Elements> parts;
  for (auto [i, operand] : llvm::enumerate(getX())) {
    auto part = builder.cast(fold.get(operand), DataType::Float32);
    if (!part)
      return part;
    if (llvm::Error error = checkRank(*part))
      return error;
    // A vector is one example.
    if (part->getRank() == 1)
      part = builder.reshape(*part, {1, part->numElements()});
    int64_t columns = part ? part->getShape()[1] : 0;
    int64_t wanted = columns;
    if (lengthOf(getInputdimensions()))
      wanted = (*getInputdimensions())[i];
    if (wanted < 0)
      return notFolded("expected 'inputdimensions' of at least 0, but got " +
                       Twine(wanted));
    if (part && wanted < columns)
      part = sliceAlong(fold, *part, 1, 0, wanted);
    else if (part && wanted > columns)
      part = padAlong(fold, *part, 1, 0, wanted - columns, *zero);
    if (!part)
      return part;
    parts.push_back(std::move(*part));
  }
  return builder.concat(parts, 1);
}

FoldResult ImputerOp::computeValues(Folding &fold) {
  using enum DataType;
  const Elements &x = fold.get(getX());
  if (llvm::Error error = checkRank(x))
    return error;
  bool areFloats = lengthOf(getImputedValueFloats()).has_value();
  if (areFloats != (getKind(x.getType()) == NumberKind::Float))
    return notFolded("expected values of the elements' kind to replace them");
  auto values = areFloats ? makeRow<Float32>(fold, getImputedValueFloats(),
                                             "imputed_value_floats", x)
                          : makeRow<Int64>(fold, getImputedValueInt64s(),
                                           "imputed_value_int64s", x);
  if (values)
    values = fold.getBuilder().cast(*values, x.getType());
  if (!values)
    return values;
  if (areFloats)
    return fold.apply(
        formula::Impute<float, OnFloats>{{}, getReplacedValueFloat()},
        {x, *values});
  return fold.apply(
      formula::Impute<int64_t, OnInts>{{}, int64_t(getReplacedValueInt64())},
      {x, *values});
}

FoldResult NormalizerOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  if (llvm::Error error = checkRank(x))
    return error;
  auto numbers = fold.getBuilder().cast(x, DataType::Float64);
  if (!numbers)
    return numbers;
  auto normalize = [norm = getNorm().str(), length = x.getShape().back(),
                    numbers = std::move(*numbers)](MutableArrayRef<double> out,
                                                   const EvalOptions &options) {
    numbers.read<double>(0, out, options);
    for (; !out.empty(); out = out.drop_front(size_t(length)))
      kernels::normalizeRow(norm, std::span(out.data(), size_t(length)));
  };
  return fold.compute<double>(x.getShape(), std::move(normalize));
}

FoldResult ScalerOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  if (llvm::Error error = checkRank(x))
    return error;
  auto offset = makeRow<DataType::Float32>(fold, getOffset(), "offset", x);
  auto scale = makeRow<DataType::Float32>(fold, getScale(), "scale", x);
  if (!offset || !scale)
    return llvm::joinErrors(offset.takeError(), scale.takeError());
  return applyInDouble(fold, formula::Scale(), {x, *offset, *scale},
                       DataType::Float32);
}
