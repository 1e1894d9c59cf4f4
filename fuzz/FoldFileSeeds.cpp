// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes seeds for the fuzzer into the given folder: files of folded constants without
// the padding of the header.
#include "invar-c/FoldFile.h"
#include "runtime/Checksum.h"
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

using namespace invar::runtime;

int main(int argc, char **argv) {
  if (argc != 2)
    return std::fprintf(stderr, "usage: InvarFoldFileSeeds FOLDER\n"), 1;
  std::filesystem::create_directories(argv[1]);
  for (size_t size : {size_t(0), size_t(100)}) {
    InvarFoldHeader header = {};
    std::memcpy(header.magic, INVAR_FOLD_MAGIC, sizeof(header.magic));
    header.size = size;
    std::string bytes(reinterpret_cast<const char *>(&header),
                      offsetof(InvarFoldHeader, unused));
    std::string constants(size, 'w');
    BlockChecksums blocks;
    blocks.add(constants.data(), size);
    bytes += constants;
    for (uint64_t checksum : blocks.finish())
      bytes.append(reinterpret_cast<const char *>(&checksum), sizeof(checksum));
    std::ofstream(std::filesystem::path(argv[1]) / std::to_string(size),
                  std::ios::binary)
        << bytes;
  }
  return 0;
}
