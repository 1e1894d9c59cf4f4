// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any file must be read as a file of folded constants or cause an error. The input is the
// used part of the header and the rest of the file; the zeros that pad the header are
// inserted. Checksums are corrected first.
#include "runtime/FoldFile.h"

#include "InMemory.h"
#include "runtime/Checksum.h"
#include "runtime/Descriptor.h"
#include <cstdlib>

using namespace invar::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  constexpr size_t beginning = offsetof(InvarFoldHeader, unused);
  if (size < beginning)
    return -1;
  InvarFoldHeader header = {};
  std::memcpy(&header, data, beginning);
  std::vector<char> bytes(sizeof(header) + size - beginning);
  std::memcpy(bytes.data() + sizeof(header), data + beginning,
              size - beginning);
  if (header.size <= size - beginning)
    header.blocks_checksum =
        computeChecksum(bytes.data() + sizeof(header) + header.size,
                        countBlocks(header.size) * sizeof(uint64_t) <=
                                size - beginning - header.size
                            ? countBlocks(header.size) * sizeof(uint64_t)
                            : 0);
  header.header_checksum =
      computeChecksum(&header, offsetof(InvarFoldHeader, header_checksum));
  std::memcpy(bytes.data(), &header, sizeof(header));

  Descriptor file(invar::fuzz::makeFile(bytes));
  Store::Ref kept;
  InvarFoldHeader read;
  Status status = FoldFile::read(file.get(), "fuzz", read, kept);
  if (!status)
    status = kept->verify(0, kept->getSize(), nullptr);
  // An error must state what was expected or what could not be done.
  if (status && status.getText().find("expected") == std::string_view::npos &&
      status.getText().find("cannot") == std::string_view::npos)
    std::abort();
  return 0;
}
