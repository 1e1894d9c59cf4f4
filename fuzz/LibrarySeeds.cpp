// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes seeds for the fuzzer into the given folder: good and bad libraries of the unit
// tests, with constants and a trailer. The fuzzer computes the checksums.
#include "invar-c/Abi.h"
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace fs = std::filesystem;

int main(int argc, char **argv) {
  if (argc != 2)
    return std::fprintf(stderr, "usage: InvarLibrarySeeds FOLDER\n"), 1;
  fs::create_directories(argv[1]);
  constexpr size_t page = 4096, constants = 64, checksums = 8;
  int count = 0;
  for (const char *name :
       {"Good", "OldCpu", "Constructor", "ThreadLocal", "Ifunc", "Import"})
    for (bool isApart : {false, true}) {
      std::ifstream file(fs::path(TEST_LIBRARIES) / (name + std::string(".so")),
                         std::ios::binary);
      std::string bytes(std::istreambuf_iterator<char>(file), {});
      if (bytes.empty())
        return std::fprintf(stderr, "expected the library '%s'\n", name), 1;
      bytes.resize((bytes.size() + page - 1) / page * page);
      InvarTrailer trailer = {};
      trailer.head_size = bytes.size();
      trailer.constants_offset = isApart ? page : bytes.size();
      trailer.constants_size = constants;
      trailer.file_name_size = isApart ? 1 : 0;
      std::memcpy(trailer.magic, INVAR_TRAILER_MAGIC, sizeof(trailer.magic));
      bytes.append(isApart ? checksums + 1 : constants + checksums, 'w');
      bytes.append(reinterpret_cast<const char *>(&trailer), sizeof(trailer));
      std::ofstream(fs::path(argv[1]) / std::to_string(count++),
                    std::ios::binary)
          << bytes;
    }
  return 0;
}
