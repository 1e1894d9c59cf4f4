// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes seeds for the fuzzer into the given folder: constants in each encoding.
#include "invar/Elements/ElementsBuilder.h"
#include "invar/Encoding/Encode.h"
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

using namespace invar;

static constexpr int64_t count = 400;

/// Encodes elements that `make` computes one by one, 20 per row.
template <typename Word, typename Make>
static Elements makeSeed(DataType type, Make make) {
  std::vector<Word> lanes;
  for (int64_t i = 0; i < count; ++i)
    lanes.push_back(make(i));
  Elements content = llvm::cantFail(ElementsBuilder().fromLanes(
      type, {count / 20, 20}, lanes.data(), lanes.size()));
  EncodingOptions options;
  options.leastBytes = options.leastSaved = options.leastPercent = 0;
  return *llvm::cantFail(encode(content, options));
}

int main(int argc, char **argv) {
  if (argc != 2)
    return std::fprintf(stderr, "usage: InvarEncodedSeeds FOLDER\n"), 1;
  std::mt19937 random(1);
  const Elements seeds[] = {
      makeSeed<float>(DataType::Float32, [](int64_t) { return 3.0f; }),
      makeSeed<int64_t>(DataType::Int64, [](int64_t i) { return 5 * i; }),
      makeSeed<float>(DataType::Float32,
                      [](int64_t i) { return 0.5f * float(i); }),
      makeSeed<uint32_t>(DataType::Float32,
                         [&](int64_t) { return random() % 3 * 0x12345u; }),
      makeSeed<int64_t>(DataType::Int64,
                        [&](int64_t) { return int16_t(random()); }),
      makeSeed<uint64_t>(DataType::UInt64,
                         [&](int64_t) { return uint16_t(random()); }),
      makeSeed<uint32_t>(
          DataType::Float32,
          [&](int64_t) { return invar_widen_half(uint16_t(random())); }),
      makeSeed<uint32_t>(DataType::Float32,
                         [&](int64_t) { return uint32_t(random()) << 16; }),
      makeSeed<uint64_t>(
          DataType::Float64,
          [&](int64_t) { return invar_widen_single(uint32_t(random())); }),
      makeSeed<float>(DataType::Float32,
                      [&](int64_t i) {
                        return float(int(random() % 255) - 127) *
                               (0.01f + float(i / 20) * 0.3f);
                      }),
      makeSeed<uint32_t>(
          DataType::Float32,
          [&](int64_t) { return 0x3f000000u | uint32_t(random() & 0xfff); }),
  };
  std::filesystem::create_directories(argv[1]);
  int number = 0;
  for (const Elements &seed : seeds) {
    std::vector<char> bytes(size_t(seed.numElements()));
    seed.read(0, seed.numElements(), bytes.data());
    std::ofstream(std::filesystem::path(argv[1]) / std::to_string(number++),
                  std::ios::binary)
        .write(bytes.data(), std::streamsize(bytes.size()));
  }
  return 0;
}
