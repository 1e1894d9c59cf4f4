// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes must be read as a model or cause an error; the same holds for each tensor's
// values.
#include "../unittests/Frontend/Wire/Rebuild.h"
#include "invar/Support/Error.h"
#include <cstdlib>

using namespace invar;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  auto model = WireModel::parse(bytes, "no-such-folder/fuzz.onnx");
  if (model) {
    readAllTensors(**model);
    return 0;
  }
  std::string text = describe(model.takeError()).second;
  // An error must state its position, or that the file is not an ONNX model.
  llvm::StringRef error = text;
  if (!error.contains(" at byte ") && !error.contains("expected an ONNX model"))
    abort();
  return 0;
}
