// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for constants that the compiler encodes and the runtime decodes.
#ifndef INVAR_UNITTESTS_ENCODING_TESTING_H
#define INVAR_UNITTESTS_ENCODING_TESTING_H

#include "EncodedConstant.h"
#include "invar/Elements/ElementsBuilder.h"
#include "invar/Encoding/Encode.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"
#include <random>
#include <vector>

namespace invar::testing {

using Bytes = std::vector<uint8_t>;

template <typename T>
Elements makeElements(DataType type, const std::vector<T> &lanes,
                      std::vector<int64_t> shape = {}) {
  if (shape.empty())
    shape = {int64_t(lanes.size())};
  return llvm::cantFail(
      ElementsBuilder().fromLanes(type, shape, lanes.data(), lanes.size()));
}

/// Returns the encoded constant; empty if it is not encoded.
inline Bytes encoded(const Elements &content, EncodingOptions options = {}) {
  auto made = llvm::cantFail(encode(content, options));
  if (!made)
    return {};
  Bytes bytes(size_t(made->numElements()));
  made->read(0, made->numElements(), bytes.data());
  return bytes;
}

inline InvarEncodedHeader headerOf(const Bytes &bytes) {
  InvarEncodedHeader header = {};
  std::memcpy(&header, bytes.data(), std::min(bytes.size(), sizeof(header)));
  return header;
}

/// Returns the error text; empty on success.
template <typename T>
std::string decode(const Bytes &bytes, std::vector<T> &elements) {
  runtime::EncodedConstant constant;
  runtime::Status status = runtime::EncodedConstant::read(
      bytes, sizeof(T), elements.size(), constant);
  runtime::DecodingScratch scratch;
  for (uint64_t i = constant.countPieces(); !status && i-- > 0;)
    status = constant.decode(i, scratch, elements.data());
  return std::string(status.getText());
}

/// Expects that a constant is encoded with this number of bits per code and restored bit
/// by bit.
template <typename T>
void expectEncoded(InvarEncoding encoding, unsigned bits, DataType type,
                   const std::vector<T> &lanes,
                   std::vector<int64_t> shape = {}) {
  Bytes bytes = encoded(makeElements(type, lanes, std::move(shape)));
  ASSERT_FALSE(bytes.empty());
  EXPECT_EQ(headerOf(bytes).encoding, encoding);
  EXPECT_EQ(headerOf(bytes).code_bits, bits);
  EXPECT_LT(bytes.size(), lanes.size() * sizeof(T) * 9 / 10);
  std::vector<T> back(lanes.size());
  EXPECT_EQ(decode(bytes, back), "");
  EXPECT_EQ(std::memcmp(back.data(), lanes.data(), lanes.size() * sizeof(T)),
            0);
}

template <typename T> std::vector<T> randomWords(size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> words(count);
  for (T &word : words)
    word = T(random());
  return words;
}

} // namespace invar::testing

#endif // INVAR_UNITTESTS_ENCODING_TESTING_H
