// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model that was read can be written, and reading the result gives the same model:
// views lose nothing, and the reader accepts the writer's output.
#include "../unittests/Frontend/Wire/Rebuild.h"
#include <cstdlib>

using namespace invar;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  auto model = WireModel::parse(bytes, "no-such-folder/fuzz.onnx");
  if (!model) {
    llvm::consumeError(model.takeError());
    return -1; // do not add to the corpus
  }
  std::string once = rebuild((*model)->getModel());
  auto again = WireModel::parse(once, "no-such-folder/fuzz.onnx");
  if (!again) {
    llvm::errs() << again.takeError() << "\n";
    abort();
  }
  if (rebuild((*again)->getModel()) != once ||
      readAllTensors(**again) != readAllTensors(**model))
    abort();
  return 0;
}
