// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes must decode as an encoded constant or cause an error. The expected number of
// elements is taken from the bytes themselves, so that most inputs pass that check.
#include "runtime/EncodedConstant.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace invar::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  InvarEncodedHeader header = {};
  std::memcpy(&header, data, std::min(size, sizeof(header)));
  // The caller allocates the memory for the elements before decoding.
  constexpr uint64_t mostElements = 1 << 16;
  uint64_t count = std::min(header.count, mostElements);
  size_t elementSize = std::clamp<size_t>(header.element_size, 1, 8);
  std::vector<uint8_t> bytes(data, data + size);
  bytes.shrink_to_fit();

  EncodedConstant constant;
  Status status = EncodedConstant::read(bytes, elementSize, count, constant);
  if (!status) {
    std::vector<uint64_t> elements((count * elementSize + 7) / 8);
    DecodingScratch scratch;
    for (uint64_t i = 0; !status && i < constant.countPieces(); ++i)
      status = constant.decode(i, scratch, elements.data());
  }
  // An error must state what was expected.
  if (status && status.getText().find("expected") == std::string_view::npos)
    std::abort();
  return 0;
}
