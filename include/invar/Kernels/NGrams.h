// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_NGRAMS_H
#define INVAR_KERNELS_NGRAMS_H

#include <cstdint>
#include <span>
#include <unordered_map>

namespace invar::kernels {

/// The n-grams that TfIdfVectorizer counts: words, which are numbers here, in a tree in
/// which each n-gram is a way from the root.
class NGramPool {
public:
  /// Adds an n-gram under an id, at least 0; false where it is there already.
  bool add(std::span<const int64_t> words, int64_t id);

  /// The n-grams to look for: of `shortest` to `longest` words, with up to `maxSkip` words
  /// left out between any two that are neighbours.
  struct Search {
    int64_t shortest, longest, maxSkip;
  };

  /// Counts in counts[id] how often each n-gram occurs in a text.
  template <typename T>
  void count(std::span<const int64_t> text, const Search &search,
             std::span<T> counts) const;

private:
  struct Step {
    int64_t node, word;
    bool operator==(const Step &) const = default;
  };
  struct StepHash {
    size_t operator()(const Step &step) const;
  };
  struct Node {
    int64_t number;
    int64_t id = -1;
  };
  /// Where a word leads to from a node; the root is number 0.
  std::unordered_map<Step, Node, StepHash> steps;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_NGRAMS_H
