// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets libFuzzer vary models instead of bytes.
#include "ModelTree.h"

#include <cstring>

using namespace invar::fuzz;

static llvm::StringRef toBytes(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

/// Drops models that became too long.
static size_t write(const std::string &model, uint8_t *out, size_t most) {
  if (model.size() > most)
    return 0;
  std::memcpy(out, model.data(), model.size());
  return model.size();
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  ModelTree::Random random(seed);
  ModelTree tree(toBytes(data, size));
  tree.mutate(random);
  return write(tree.str(), data, maxSize);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first,
                                            size_t firstSize,
                                            const uint8_t *second,
                                            size_t secondSize, uint8_t *out,
                                            size_t maxOutSize, unsigned seed) {
  ModelTree::Random random(seed);
  ModelTree tree(toBytes(first, firstSize));
  tree.crossOver(ModelTree(toBytes(second, secondSize)), random);
  return write(tree.str(), out, maxOutSize);
}
