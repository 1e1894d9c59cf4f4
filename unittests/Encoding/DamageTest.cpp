// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests bytes that no compiler has made: they must be rejected or decode to other
// elements, without any other effect.
#include "Testing.h"

using namespace invar;
using namespace invar::testing;

namespace {
/// A small sample of each encoding, in even smaller pieces.
struct Sample {
  const char *name;
  size_t elementSize, count;
  Bytes bytes;
};
} // namespace

template <typename T>
static Sample sample(const char *name, DataType type,
                     const std::vector<T> &lanes,
                     std::vector<int64_t> shape = {}) {
  return {name, sizeof(T), lanes.size(),
          encoded(makeElements(type, lanes, std::move(shape)))};
}

static std::vector<Sample> makeSamples() {
  std::mt19937 random(1);
  constexpr size_t count = 3000;
  std::vector<uint32_t> few(count), half(count), brain(count), alike(count);
  std::vector<int64_t> iota(count), narrow(count);
  std::vector<uint64_t> single(count);
  std::vector<float> floats(count), scaled(count);
  for (size_t i = 0; i < count; ++i) {
    few[i] = 0x12345678u * (random() % 7);
    half[i] = invar_widen_half(uint16_t(random()));
    brain[i] = uint32_t(random()) << 16;
    alike[i] = 0x3f800000u | uint32_t(random() % 0x10000);
    iota[i] = int64_t(3 * i);
    narrow[i] = int16_t(random());
    single[i] = invar_widen_single(uint32_t(random()));
    floats[i] = float(i) * 0.5f;
    scaled[i] = float(int(random() % 255) - 127) * (0.01f + float(i / 100));
  }
  return {
      sample("splat", DataType::Float32, std::vector<float>(count, 3)),
      sample("iota", DataType::Int64, iota),
      sample("iota of floats", DataType::Float32, floats),
      sample("palette", DataType::Float32, few),
      sample("narrow", DataType::Int64, narrow),
      sample("half", DataType::Float32, half),
      sample("bfloat", DataType::Float32, brain),
      sample("single", DataType::Float64, single),
      sample("scaled", DataType::Float32, scaled, {30, 100}),
      sample("compressed", DataType::Float32, alike),
  };
}

/// Decodes into memory of exactly the necessary size, so that a sanitizer detects
/// accesses out of bounds.
static std::string tryDecode(const Bytes &given, size_t elementSize,
                             size_t count) {
  Bytes bytes(given);
  bytes.shrink_to_fit();
  runtime::EncodedConstant constant;
  runtime::Status status =
      runtime::EncodedConstant::read(bytes, elementSize, count, constant);
  std::vector<uint64_t> memory((elementSize * count + 7) / 8);
  runtime::DecodingScratch scratch;
  for (uint64_t i = 0; !status && i < constant.countPieces(); ++i)
    status = constant.decode(i, scratch, memory.data());
  return std::string(status.getText());
}

TEST(Damage, Samples) {
  for (const Sample &sample : makeSamples()) {
    ASSERT_FALSE(sample.bytes.empty()) << sample.name;
    EXPECT_EQ(tryDecode(sample.bytes, sample.elementSize, sample.count), "")
        << sample.name;
  }
}

TEST(Damage, CutShort) {
  for (const Sample &sample : makeSamples())
    for (size_t length = 0; length < sample.bytes.size();
         length += length < 200 ? 1 : 97) {
      Bytes part(sample.bytes.begin(),
                 sample.bytes.begin() + ptrdiff_t(length));
      EXPECT_NE(tryDecode(part, sample.elementSize, sample.count), "")
          << sample.name << ", " << length << " bytes";
    }
}

TEST(Damage, FlippedBits) {
  for (const Sample &sample : makeSamples()) {
    // All bits of the header and the parameters, and some of the rest.
    size_t size = sample.bytes.size();
    for (size_t bit = 0; bit < size * 8; bit += bit < 2048 ? 1 : 61) {
      Bytes flipped = sample.bytes;
      flipped[bit / 8] ^= uint8_t(1u << (bit % 8));
      std::string said = tryDecode(flipped, sample.elementSize, sample.count);
      constexpr size_t magicBits = sizeof(InvarEncodedHeader::magic) * 8;
      EXPECT_TRUE(bit >= magicBits || !said.empty()) << sample.name;
    }
  }
}

TEST(Damage, RandomNumbersInHeaders) {
  std::mt19937_64 random(2);
  constexpr uint64_t odd[] = {0,
                              1,
                              7,
                              8,
                              255,
                              1u << 20,
                              uint64_t(1) << 32,
                              uint64_t(1) << 63,
                              UINT64_MAX,
                              UINT64_MAX - 7};
  for (const Sample &sample : makeSamples())
    for (int round = 0; round < 4000; ++round) {
      Bytes changed = sample.bytes;
      InvarEncodedHeader header = headerOf(changed);
      uint64_t number =
          round % 2 ? odd[random() % std::size(odd)] : random() % 10000;
      uint64_t *fields[] = {&header.count, &header.parameter_size,
                            &header.piece_codes, &header.block, &header.lanes};
      *fields[random() % std::size(fields)] = number;
      if (random() % 2)
        header.encoding = uint8_t(random() % (INVAR_NUM_ENCODINGS + 1));
      if (random() % 2)
        header.code_bits = uint8_t(1u << random() % 8);
      std::memcpy(changed.data(), &header, sizeof(header));
      (void)tryDecode(changed, sample.elementSize, sample.count);
    }
}

TEST(Damage, WhatIsSaid) {
  Sample good = makeSamples().front();
  auto say = [&](auto change) {
    Bytes bytes = good.bytes;
    InvarEncodedHeader header = headerOf(bytes);
    change(header);
    std::memcpy(bytes.data(), &header, sizeof(header));
    return tryDecode(bytes, good.elementSize, good.count);
  };
  EXPECT_EQ(say([](auto &header) { header.magic[0] = 'X'; }),
            "encoded constant: expected 'INVARENC' at the beginning, but it is "
            "not there");
  EXPECT_EQ(say([](auto &header) { header.encoding = 77; }),
            "encoded constant: expected an encoding, but got number 77");
  EXPECT_EQ(say([](auto &header) { header.count = 3001; }),
            "encoded constant: expected 3000 elements of 4 bytes, but got 3001 "
            "of 4");
  EXPECT_EQ(say([](auto &header) { header.piece_codes = 12; }),
            "encoded constant: expected pieces of up to 1048576 bytes, but got "
            "ones of 12 elements");
  EXPECT_EQ(say([](auto &header) { header.code_bits = 8; }),
            "encoded constant: expected an encoding 'splat' of such elements, "
            "but got one of 4 bytes in 8 bits");
  EXPECT_EQ(say([](auto &header) { header.parameter_size = 0; }),
            "encoded constant: expected 8 bytes of parameters, but got 0");
}
