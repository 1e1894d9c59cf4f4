// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any file must be read as a library or cause an error. Checksums are corrected first: an
// attacker can do the same, and random bytes would never pass them. No code of a library
// runs here.
#include "runtime/Library.h"

#include "InMemory.h"
#include "runtime/Checksum.h"
#include "runtime/Descriptor.h"
#include <cstdlib>

using namespace invar::runtime;

static void seal(std::vector<char> &bytes) {
  InvarTrailer trailer;
  if (bytes.size() < sizeof(trailer))
    return;
  char *end = bytes.data() + bytes.size() - sizeof(trailer);
  std::memcpy(&trailer, end, sizeof(trailer));
  auto size = uint64_t(bytes.size());
  if (trailer.head_size > size || trailer.constants_size > size ||
      trailer.head_size + trailer.constants_size > size - sizeof(trailer))
    return;
  trailer.head_checksum = computeChecksum(bytes.data(), trailer.head_size);
  std::memcpy(end, &trailer, sizeof(trailer));
  const char *tail = bytes.data() + trailer.head_size +
                     (trailer.file_name_size ? 0 : trailer.constants_size);
  trailer.tail_checksum = computeChecksum(
      tail, size_t(end + offsetof(InvarTrailer, tail_checksum) - tail));
  std::memcpy(end, &trailer, sizeof(trailer));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<char> bytes(data, data + size);
  seal(bytes);
  Descriptor file(invar::fuzz::makeFile(bytes));
  std::unique_ptr<Library> library;
  Status status = Library::open(file.get(), {}, library);
  if (!status) {
    Store::Ref constants = library->takeStore();
    status = constants->verify(0, constants->getSize(), nullptr);
  }
  // An error must state what was expected or what could not be done.
  if (status && status.getText().find("expected") == std::string_view::npos &&
      status.getText().find("cannot") == std::string_view::npos)
    std::abort();
  return 0;
}
