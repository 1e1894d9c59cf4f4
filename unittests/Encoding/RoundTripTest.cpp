// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that each encoding is chosen where it fits, and restores every bit.
#include "Testing.h"

#include <bit>

using namespace invar;
using namespace invar::testing;

/// More than two pieces; the last one is short and ends within a byte.
static constexpr size_t many = 2 * 262144 + 1003;

/// Bit patterns of floats that arithmetic would not preserve.
static constexpr uint32_t specials[] = {
    0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
    0x7f802000, 0x7fbfe000, 0xff802000, 0x33800000, 0xb3800000, 0x387fc000,
    0x38800000, 0x477fe000, 0xc77fe000, 0x3f800000};

TEST(RoundTrip, Splat) {
  for (uint32_t pattern : specials)
    expectEncoded<uint32_t>(INVAR_ENCODING_SPLAT, 0, DataType::Float32,
                            std::vector<uint32_t>(many, pattern));
  expectEncoded<uint8_t>(INVAR_ENCODING_SPLAT, 0, DataType::Bool,
                         std::vector<uint8_t>(2000, 1));
}

TEST(RoundTrip, Iota) {
  std::vector<int64_t> up(many), down(many);
  std::vector<uint16_t> around(70000);
  std::vector<int8_t> bytes(2000);
  for (size_t i = 0; i < many; ++i) {
    up[i] = int64_t(i);
    down[i] = INT64_MIN + 5 - 3 * int64_t(i);
  }
  for (size_t i = 0; i < around.size(); ++i)
    around[i] = uint16_t(7 * i);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = int8_t(i);
  expectEncoded(INVAR_ENCODING_IOTA, 0, DataType::Int64, up);
  expectEncoded(INVAR_ENCODING_IOTA, 0, DataType::Int64, down);
  expectEncoded(INVAR_ENCODING_IOTA, 0, DataType::UInt16, around);
  expectEncoded(INVAR_ENCODING_IOTA, 0, DataType::Int8, bytes);
}

TEST(RoundTrip, IotaOfFloats) {
  std::vector<float> halves(many);
  std::vector<double> thirds(5000);
  for (size_t i = 0; i < many; ++i)
    halves[i] = -20.0f + 0.5f * float(i);
  for (size_t i = 0; i < thirds.size(); ++i)
    thirds[i] = 1.0 + double(i) * 0.25;
  expectEncoded(INVAR_ENCODING_IOTA_FLOAT, 0, DataType::Float32, halves);
  expectEncoded(INVAR_ENCODING_IOTA_FLOAT, 0, DataType::Float64, thirds);
  // One element is off.
  halves.back() = std::nextafter(halves.back(), 0.0f);
  Bytes bytes = encoded(makeElements(DataType::Float32, halves));
  EXPECT_NE(headerOf(bytes).encoding, INVAR_ENCODING_IOTA_FLOAT);
}

TEST(RoundTrip, Palette) {
  std::mt19937 random(1);
  for (auto [values, bits] :
       {std::pair(2, 1), {3, 2}, {4, 2}, {5, 4}, {16, 4}, {17, 8}, {256, 8}}) {
    std::vector<uint32_t> colors = randomWords<uint32_t>(size_t(values), 2);
    std::copy_n(specials, std::min(values, 16), colors.begin());
    std::vector<uint32_t> words(many);
    for (uint32_t &word : words)
      word = colors[random() % colors.size()];
    expectEncoded(INVAR_ENCODING_PALETTE, unsigned(bits), DataType::Float32,
                  words);
  }
  std::vector<uint8_t> truths(5001);
  for (uint8_t &truth : truths)
    truth = random() % 2;
  expectEncoded(INVAR_ENCODING_PALETTE, 1, DataType::Bool, truths);
  std::vector<int8_t> nibbles(5001);
  for (int8_t &nibble : nibbles)
    nibble = int8_t(random() % 16) - 8;
  expectEncoded(INVAR_ENCODING_PALETTE, 4, DataType::Int4, nibbles);
}

TEST(RoundTrip, OneValueTooMany) {
  std::vector<uint32_t> words(many);
  for (size_t i = 0; i < many; ++i)
    words[i] = 0x12345600u + uint32_t(i % 256);
  words.back() = 0x87654321;
  Bytes bytes = encoded(makeElements(DataType::Float32, words));
  EXPECT_NE(headerOf(bytes).encoding, INVAR_ENCODING_PALETTE);
  std::vector<uint32_t> back(many);
  EXPECT_EQ(decode(bytes, back), "");
  EXPECT_EQ(back, words);
}

TEST(RoundTrip, NarrowFloats) {
  std::vector<uint16_t> codes = randomWords<uint16_t>(many, 3);
  std::vector<uint32_t> halves(many), brains(many);
  for (size_t i = 0; i < many; ++i) {
    halves[i] = invar_widen_half(codes[i]);
    brains[i] = uint32_t(codes[i]) << 16;
  }
  std::copy(std::begin(specials), std::end(specials), halves.begin());
  expectEncoded(INVAR_ENCODING_HALF, 16, DataType::Float32, halves);
  expectEncoded(INVAR_ENCODING_BFLOAT, 16, DataType::Float32, brains);
  std::vector<uint32_t> words = randomWords<uint32_t>(many, 4);
  std::vector<uint64_t> singles(many);
  for (size_t i = 0; i < many; ++i)
    singles[i] = invar_widen_single(words[i]);
  expectEncoded(INVAR_ENCODING_SINGLE, 32, DataType::Float64, singles);
}

TEST(RoundTrip, NarrowIntegers) {
  std::mt19937_64 random(5);
  std::vector<int64_t> small(many), middle(many), large(many);
  std::vector<uint32_t> bytes(many);
  std::vector<uint64_t> words(many);
  for (size_t i = 0; i < many; ++i) {
    small[i] = int16_t(random());
    middle[i] = int32_t(random());
    bytes[i] = uint16_t(random());
    words[i] = uint32_t(random());
    large[i] = int64_t(random());
  }
  small[0] = INT16_MIN;
  small[1] = INT16_MAX;
  expectEncoded(INVAR_ENCODING_SIGNED, 16, DataType::Int64, small);
  expectEncoded(INVAR_ENCODING_SIGNED, 32, DataType::Int64, middle);
  expectEncoded(INVAR_ENCODING_UNSIGNED, 16, DataType::UInt32, bytes);
  expectEncoded(INVAR_ENCODING_UNSIGNED, 32, DataType::UInt64, words);
  // Integers that need all of their bits are not encoded.
  EXPECT_TRUE(encoded(makeElements(DataType::Int64, large)).empty());
}

namespace {
/// Bytes times scales of rows, of columns, or of the columns of panels.
struct Quantized {
  int64_t panels, rows, columns;
  bool ofColumns;

  std::vector<float> make(unsigned seed) const {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> sizes(1e-4f, 2e-2f);
    int64_t groups = ofColumns ? panels * columns : panels * rows;
    std::vector<float> scales(size_t(groups), 0);
    for (float &scale : scales)
      scale = sizes(random);
    std::vector<float> numbers;
    for (int64_t panel = 0; panel < panels; ++panel)
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = 0; column < columns; ++column)
          numbers.push_back(float(int(random() % 255) - 127) *
                            scales[size_t(ofColumns ? panel * columns + column
                                                    : panel * rows + row)]);
    return numbers;
  }
};
} // namespace

TEST(RoundTrip, Scaled) {
  expectEncoded(INVAR_ENCODING_SCALED, 8, DataType::Float32,
                Quantized{1, 300, 2003, false}.make(1), {300, 2003});
  expectEncoded(INVAR_ENCODING_SCALED, 8, DataType::Float32,
                Quantized{1, 3001, 200, true}.make(2), {3001, 200});
  expectEncoded(INVAR_ENCODING_SCALED, 8, DataType::Float32,
                Quantized{7, 1001, 32, true}.make(3), {7, 1001, 32});
  // A row of zeros fits any scale.
  std::vector<float> numbers = Quantized{1, 300, 500, false}.make(4);
  std::fill_n(numbers.begin(), 500, 0.0f);
  expectEncoded(INVAR_ENCODING_SCALED, 8, DataType::Float32, numbers,
                {300, 500});
}

TEST(RoundTrip, NotScaled) {
  std::vector<float> numbers = Quantized{1, 300, 500, false}.make(5);
  for (float wrong : {-0.0f, NAN, INFINITY, 1e-3f}) {
    std::vector<float> changed = numbers;
    changed[70001] = wrong;
    Bytes bytes = encoded(makeElements(DataType::Float32, changed, {300, 500}));
    EXPECT_NE(headerOf(bytes).encoding, INVAR_ENCODING_SCALED) << wrong;
  }
}

TEST(RoundTrip, Compressed) {
  // The numbers share their high bytes.
  std::mt19937 random(6);
  std::vector<uint32_t> words(many);
  for (uint32_t &word : words)
    word = 0x3f000000 | uint32_t(random() % 0xffffff);
  expectEncoded(INVAR_ENCODING_RAW, 32, DataType::Float32, words);
  std::vector<uint16_t> halves(many);
  for (uint16_t &half : halves)
    half = uint16_t(0x3c00 | random() % 512);
  expectEncoded(INVAR_ENCODING_RAW, 16, DataType::Float16, halves);
}

TEST(RoundTrip, OnlyWhereItPays) {
  EXPECT_TRUE(
      encoded(makeElements(DataType::Float32, randomWords<uint32_t>(many, 7)))
          .empty());
  EXPECT_TRUE(
      encoded(makeElements(DataType::Int8, randomWords<int8_t>(many, 8)))
          .empty());
  // Too small, although all elements are equal.
  EXPECT_TRUE(
      encoded(makeElements(DataType::Float32, std::vector<float>(255, 1)))
          .empty());
  EXPECT_FALSE(
      encoded(makeElements(DataType::Float32, std::vector<float>(400, 1)))
          .empty());
  std::vector<llvm::StringRef> texts(1000, "text");
  EXPECT_TRUE(
      encoded(llvm::cantFail(ElementsBuilder().fromStrings(1000, texts)))
          .empty());
}

TEST(RoundTrip, ThreadsDoNotMatter) {
  std::vector<uint32_t> words(many);
  std::mt19937 random(9);
  for (uint32_t &word : words)
    word = 0x3f800000u + 77 * uint32_t(random() % 200);
  Elements content = makeElements(DataType::Float32, words);
  EncodingOptions one, four;
  one.evaluation.threads = 1;
  four.evaluation.threads = 4;
  EXPECT_EQ(encoded(content, one), encoded(content, four));
}
