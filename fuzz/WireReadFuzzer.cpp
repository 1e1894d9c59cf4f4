// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes are a model or an error, and any tensor has values or an error.
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
  // An error says where, or that all of it is something else.
  llvm::StringRef error = text;
  if (!error.contains(" at byte ") && !error.contains("expected an ONNX model"))
    abort();
  return 0;
}
