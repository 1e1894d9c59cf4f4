// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the mutator of the model fuzzers: many of its results must be models.
#include "../../../fuzz/Models/ModelTree.h"

#include "Rebuild.h"
#include "gtest/gtest.h"

using namespace invar;
using namespace invar::fuzz;

/// Replaces libFuzzer's function, which varies bytes.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize) {
  if (size)
    data[0] ^= 1;
  else if (maxSize)
    data[size++] = 'x';
  return size;
}

/// Returns the number of nodes if the bytes are a model.
static std::optional<size_t> countNodes(llvm::StringRef bytes) {
  auto model = WireModel::parse(bytes, "m.onnx");
  if (!model) {
    llvm::consumeError(model.takeError());
    return std::nullopt;
  }
  const auto &graph = (*model)->getModel().graph;
  return graph ? graph->nodes.size() : 0;
}

TEST(ModelTree, WritesWhatItRead) {
  std::string sample = makeSampleModel();
  EXPECT_EQ(ModelTree(sample).str(), sample);
}

TEST(ModelTree, ReadsAnyBytes) {
  std::string sample = makeSampleModel();
  for (size_t size = 0; size < sample.size(); ++size) {
    // The decodable part is stable when read and written again.
    std::string once = ModelTree(sample.substr(0, size)).str();
    EXPECT_EQ(ModelTree(once).str(), once);
  }
}

TEST(ModelTree, MutationsStayModels) {
  constexpr unsigned count = 2000;
  std::string sample = makeSampleModel();
  unsigned changed = 0, models = 0;
  for (unsigned seed = 1; seed <= count; ++seed) {
    ModelTree::Random random(seed);
    ModelTree tree(sample);
    tree.mutate(random);
    changed += tree.str() != sample;
    models += countNodes(tree.str()).has_value();
  }
  EXPECT_GT(changed, count * 9 / 10);
  EXPECT_GT(models, count * 3 / 4);
}

TEST(ModelTree, TakesNodesOverFromOtherModels) {
  std::string sample = makeSampleModel();
  size_t nodes = *countNodes(sample);
  unsigned grown = 0, bigger = 0;
  constexpr unsigned count = 200;
  for (unsigned seed = 1; seed <= count; ++seed) {
    ModelTree::Random random(seed);
    ModelTree tree(sample);
    tree.crossOver(ModelTree(sample), random);
    std::optional<size_t> after = countNodes(tree.str());
    grown += after && *after > nodes;
    bigger += tree.str().size() > sample.size();
  }
  EXPECT_EQ(bigger, count);
  EXPECT_GT(grown, 0u);
}
