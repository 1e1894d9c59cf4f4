// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Samples.h"

#include "../Testing.h"
#include "invar/Elements/IR/DataTypes.h"

using namespace mlir;
using namespace invar;
using namespace invar::testing;

Elements invar::testing::makeLazy(const Elements &content) {
  DataType type = content.getType();
  ElementwiseFunction same(
      "Same", type, type,
      [type](ArrayRef<const void *> operands, void *result, size_t n) {
        std::memcpy(result, operands[0], n * getLaneSize(type));
      });
  return get(ElementsBuilder().transform(same, content));
}

DenseElementsAttr invar::testing::makeDense(MLIRContext &context,
                                            const Elements &content) {
  DataType type = content.getType();
  Type element = elements::toType(&context, type);
  auto shaped = RankedTensorType::get(content.getShape(), element);
  if (type == DataType::String)
    return DenseElementsAttr::get(
        shaped, ArrayRef<StringRef>(lanesOf<StringRef>(content)));
  if (type == DataType::Complex64)
    return DenseElementsAttr::get(
        shaped,
        ArrayRef<std::complex<float>>(lanesOf<std::complex<float>>(content)));
  if (type == DataType::Complex128)
    return DenseElementsAttr::get(
        shaped,
        ArrayRef<std::complex<double>>(lanesOf<std::complex<double>>(content)));
  unsigned width = type == DataType::Bool ? 1 : getBitWidth(type);
  SmallVector<APInt> bits;
  for (int64_t i = 0; i < content.numElements(); ++i) {
    uint64_t lane = 0;
    content.read(i, 1, &lane);
    bits.emplace_back(width, lane & llvm::maskTrailingOnes<uint64_t>(width));
  }
  if (auto number = dyn_cast<FloatType>(element)) {
    SmallVector<APFloat> floats;
    for (const APInt &pattern : bits)
      floats.emplace_back(number.getFloatSemantics(), pattern);
    return DenseElementsAttr::get(shaped, floats);
  }
  return DenseElementsAttr::get(shaped, bits);
}

Elements invar::testing::makeStored(DataType type, ArrayRef<int64_t> shape,
                                    std::mt19937_64 &random) {
  if (type != DataType::Bool)
    return randomTensor(type, Shape(shape), random).first;
  // Almost all random bytes would be true.
  std::vector<uint8_t> bytes(size_t(*countElements(shape)));
  for (uint8_t &byte : bytes)
    byte = random() % 2 ? uint8_t(random() | 1) : 0;
  return get(ElementsBuilder().fromRaw(type, shape, bytes));
}

std::vector<Sample> invar::testing::makeSamples(MLIRContext &context,
                                                DataType type) {
  std::mt19937_64 random(uint64_t(type) + 1);
  ElementsBuilder builder;
  auto stored = [&](Shape shape) { return makeStored(type, shape, random); };
  std::vector<Sample> samples;
  auto add = [&](const char *form, Elements content) {
    samples.push_back({(getName(type) + " " + form).str(), content,
                       makeDense(context, content)});
  };
  Elements matrix = stored({2, 3});
  Elements one = stored({});
  add("scalar", one);
  add("of one element", stored({1, 1}));
  add("stored", matrix);
  add("splat", get(builder.expand(one, {3, 2})));
  add("stored, of equal elements",
      get(get(builder.expand(one, {4})).materialize()));
  add("transposed", get(builder.transpose(matrix, {1, 0})));
  add("reversed", get(builder.reverse(stored({7}), {0})));
  add("strided", get(builder.slice(stored({9, 2}), {1, 1}, {4, 1}, {2, 1})));
  add("broadcast", get(builder.expand(stored({3, 1}), {3, 2})));
  add("computed", makeLazy(matrix));
  add("computed, transposed", get(builder.transpose(makeLazy(matrix), {1, 0})));
  add("computed, splat", get(builder.expand(makeLazy(one), {2, 2})));
  add("concatenated", get(builder.concat({matrix, makeLazy(matrix)}, 1)));
  add("empty", stored({0}));
  add("empty, of rank 3", stored({2, 0, 3}));
  add("of 100 elements", stored({100}));
  add("of 101 elements", stored({101}));
  add("of 101 computed elements", makeLazy(stored({101})));
  add("of 150 reversed elements",
      get(builder.reverse(stored({15, 10}), {0, 1})));
  add("splat of 200 elements", get(builder.expand(one, {20, 10})));
  return samples;
}

std::string invar::testing::print(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

std::string invar::testing::printWrapped(DenseElementsAttr dense) {
  std::string text = print(dense);
  auto [body, type] = StringRef(text).rsplit(" : ");
  return ("#elements.lazy<" + body + "> : " + type).str();
}
