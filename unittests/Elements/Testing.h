// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A second, simple implementation of the lazy operations of Elements: every view copies
// the whole tensor, element by element, with index arithmetic that shares nothing with
// Layout.
#ifndef INVAR_UNITTESTS_ELEMENTS_TESTING_H
#define INVAR_UNITTESTS_ELEMENTS_TESTING_H

#include "invar/Elements/ElementsBuilder.h"
#include "invar/Support/Error.h"
#include "gtest/gtest.h"
#include <cstring>
#include <random>
#include <vector>

namespace invar::testing {

/// Returns the value; fails if there is an error.
template <typename T> T get(llvm::Expected<T> value) {
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError());
    abort();
  }
  return std::move(*value);
}

/// Returns the message of the error that is expected.
template <typename T> std::string failure(llvm::Expected<T> value) {
  if (value)
    return "no error";
  return llvm::toString(value.takeError());
}

template <typename T> std::vector<T> lanesOf(const Elements &x) {
  std::vector<T> lanes(size_t(x.numElements()));
  x.read<T>(0, lanes);
  return lanes;
}

/// A dense tensor of lanes as bytes; strings are numbers, see stringNamed().
struct Dense {
  DataType type;
  Shape shape;
  std::vector<std::array<uint8_t, 16>> lanes;
};

inline int64_t linear(llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<int64_t> index) {
  int64_t at = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    at = at * shape[d] + index[d];
  return at;
}

/// Makes a tensor of `shape` whose element at `index` is x's at `from(index)`.
template <typename F> Dense gather(const Dense &x, Shape shape, F from) {
  Dense result{x.type, shape, {}};
  int64_t count = *countElements(shape);
  for (int64_t i = 0; i < count; ++i) {
    Shape index(shape.size());
    int64_t rest = i;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d])
      index[d] = rest % shape[d];
    result.lanes.push_back(x.lanes[size_t(linear(x.shape, from(index)))]);
  }
  return result;
}

inline bool isSameLane(DataType type, const uint8_t *a, const uint8_t *b) {
  if (type == DataType::String)
    return *reinterpret_cast<const llvm::StringRef *>(a) ==
           *reinterpret_cast<const llvm::StringRef *>(b);
  return std::memcmp(a, b, getLaneSize(type)) == 0;
}

/// Reads `x` as a whole and in pieces that begin anywhere, and compares.
inline void expectSame(const Elements &x, const Dense &expected) {
  ASSERT_EQ(x.getType(), expected.type);
  ASSERT_EQ(x.getShape(), llvm::ArrayRef<int64_t>(expected.shape));
  ASSERT_EQ(x.numElements(), int64_t(expected.lanes.size()));
  size_t size = getLaneSize(x.getType());
  int64_t count = x.numElements();
  for (int64_t step : {count, int64_t(7), int64_t(1)}) {
    for (int64_t begin = 0; begin < count;
         begin += std::max<int64_t>(step, count / 40)) {
      int64_t here = std::min(step, count - begin);
      std::vector<std::array<uint8_t, 16>> lanes(size_t(here) + 1);
      auto *bytes = reinterpret_cast<uint8_t *>(lanes.data());
      x.read(begin, here, bytes);
      for (int64_t i = 0; i < here; ++i)
        ASSERT_TRUE(isSameLane(x.getType(), bytes + size_t(i) * size,
                               expected.lanes[size_t(begin + i)].data()))
            << getName(x.getType()).str() << " element " << begin + i << " of "
            << printShape(x.getShape());
    }
  }
}

/// Returns a stored tensor with random content, and the same as Dense.
inline std::pair<Elements, Dense> randomTensor(DataType type, Shape shape,
                                               std::mt19937_64 &random) {
  static const char *const words[] = {"", "a", "bc",
                                      "a longer text than the others", "d"};
  ElementsBuilder builder;
  Dense dense{type, shape, {}};
  size_t count = size_t(*countElements(shape));
  dense.lanes.resize(count);
  if (type == DataType::String) {
    std::vector<llvm::StringRef> strings;
    for (auto &lane : dense.lanes) {
      llvm::StringRef word = words[random() % 5];
      std::memcpy(lane.data(), &word, sizeof(word));
      strings.push_back(word);
    }
    return {get(builder.fromStrings(shape, strings)), dense};
  }
  // Unaligned and with random bits.
  size_t bytes = *getPackedSize(type, count);
  auto memory = std::make_shared<std::vector<uint8_t>>(bytes + 1);
  for (uint8_t &byte : *memory)
    byte = static_cast<uint8_t>(random());
  llvm::ArrayRef<uint8_t> raw = llvm::ArrayRef<uint8_t>(*memory).drop_front();
  unsigned width = getBitWidth(type);
  for (size_t i = 0; i < count; ++i) {
    std::array<uint8_t, 16> &lane = dense.lanes[i];
    lane.fill(0);
    for (unsigned bit = 0; bit < width; ++bit) {
      size_t at = i * width + bit;
      if (raw[at / 8] >> (at % 8) & 1)
        lane[bit / 8] |= uint8_t(1u << (bit % 8));
    }
    if (type == DataType::Bool)
      lane[0] = lane[0] != 0;
    if (type == DataType::Int4 && lane[0] >= 8)
      lane[0] += 240;
    if (type == DataType::Int2 && lane[0] >= 2)
      lane[0] += 252;
  }
  BufferRef buffer = get(Buffer::unowned(type, int64_t(count), raw, memory));
  return {get(builder.fromBuffer(buffer, shape)), dense};
}

} // namespace invar::testing

#endif // INVAR_UNITTESTS_ELEMENTS_TESTING_H
