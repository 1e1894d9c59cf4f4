// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes must be read as numpy tensors (.npy or .npz) or cause an error, and a tensor
// that was read must be writable.
#include "../tools/invar/Npy.h"
#include "invar/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace invar;

static void check(llvm::Error error) {
  std::string text = describe(std::move(error)).second;
  // An error must state what was expected or what could not be done.
  if (llvm::StringRef(text).contains("expected") ||
      llvm::StringRef(text).contains("cannot"))
    return;
  llvm::errs() << text << "\n";
  std::abort();
}

static void read(llvm::StringRef bytes) {
  for (InvarDataType wanted :
       {INVAR_FLOAT32, INVAR_BFLOAT16, INVAR_INT4, INVAR_STRING, INVAR_BOOL}) {
    auto tensor = readNpy(bytes, wanted);
    if (!tensor)
      check(tensor.takeError());
    else if (llvm::Error error = writeNpy("/dev/null", *tensor))
      check(std::move(error));
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  if (!isZip(bytes)) {
    read(bytes);
    return 0;
  }
  auto members = listZip(bytes);
  if (!members) {
    check(members.takeError());
    return 0;
  }
  for (const ZipMember &member : *members) {
    // A few compressed bytes may expand to many: that is not an error.
    constexpr uint64_t most = 1 << 20;
    if (member.size > most)
      continue;
    auto content = extract(member);
    if (content)
      read(*content);
    else
      check(content.takeError());
  }
  return 0;
}
