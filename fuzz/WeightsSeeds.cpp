// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes seeds for the fuzzer into the given folder: files of weights.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

/// A length-delimited field of Protocol Buffers.
static std::string field(char number, const std::string &bytes) {
  return std::string{char(number << 3 | 2), char(bytes.size())} + bytes;
}
static std::string number(char field, char value) {
  return {char(field << 3), value};
}

/// A tensor of two elements, and the location of its data.
static std::string tensor(const char *name, char type,
                          const std::string &elements) {
  return number(1, 2) + number(2, type) + field(8, name) + elements;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return std::fprintf(stderr, "usage: InvarWeightsSeeds FOLDER\n"), 1;
  const std::string eight = "12345678";
  std::string header =
      R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
      R"("b":{"dtype":"I16","shape":[2,2],"data_offsets":[8,16]}})";
  std::string beside = field(13, field(1, "location") + field(2, "x.bin")) +
                       field(13, field(1, "offset") + field(2, "4")) +
                       number(14, 1);
  std::string constant =
      field(2, "c") + field(4, "Constant") +
      field(5, field(1, "value") + field(5, tensor("", 1, field(9, eight))));
  const std::string seeds[] = {
      std::string{char(header.size()), 0, 0, 0, 0, 0, 0, 0} + header + eight +
          eight,
      field(7, field(5, tensor("a", 1, field(9, eight))) +
                   field(5, tensor("b", 6, field(5, "\x05\x07")))),
      field(7, field(5, tensor("a", 1, field(4, eight))) + field(1, constant)),
      field(7, field(5, tensor("b", 7, number(7, 1) + number(7, 2))) +
                   field(5, tensor("a", 1, beside))),
  };
  std::filesystem::create_directories(argv[1]);
  int name = 0;
  for (const std::string &seed : seeds)
    std::ofstream(std::filesystem::path(argv[1]) / std::to_string(name++),
                  std::ios::binary)
        << seed;
  return 0;
}
