// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes must be read as a file of weights or cause an error. Each weight that is
// found must be inside these bytes or in memory of its own.
#include "runtime/Weights.h"
#include <cstdlib>
#include <vector>

using namespace invar::runtime;

static void check(const Status &status) {
  // An error must state what was expected or what could not be done.
  if (status && status.getText().find("expected") == std::string_view::npos &&
      status.getText().find("cannot") == std::string_view::npos)
    std::abort();
}

/// Reads every byte of the weight, if it is found.
static void find(const Weights &weights, const char *name) {
  bool isFound = false;
  Weight weight;
  Status status = weights.find(name, isFound, weight);
  check(status);
  if (status || !isFound)
    return;
  int64_t bytes =
      countBytes(weight.type, weight.sizes.data(), weight.sizes.size())
          .value_or(-1);
  if (bytes < 0)
    std::abort();
  volatile char sum = 0;
  for (int64_t i = 0; i < bytes; ++i)
    sum = char(sum + weight.place.getData()[i]);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<char> bytes(data, data + size);
  bytes.shrink_to_fit();
  for (bool isModel : {true, false}) {
    // openSafetensors expects the length of the header to be checked before.
    if (!isModel && !isSafetensors({bytes.data(), bytes.size()}))
      continue;
    Store::Ref file(new Store(bytes.data(), bytes.size()));
    std::unique_ptr<Weights> weights;
    Status status = isModel ? openOnnxWeights("none/", file, weights)
                            : openSafetensors(file, weights);
    check(status);
    if (!status)
      for (const char *name : {"a", "b", "c", ""})
        find(*weights, name);
  }
  return 0;
}
