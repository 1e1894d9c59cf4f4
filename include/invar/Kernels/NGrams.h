// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_NGRAMS_H
#define INVAR_KERNELS_NGRAMS_H

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

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

/// What TfIdfVectorizer makes of a text: a row with a score for each n-gram of a pool, at
/// the n-gram's column.
struct NGramScores {
  enum Mode : uint8_t { Count, IsThere, Weighted };
  Mode mode = Count;
  NGramPool::Search search = {1, 1, 0};
  /// For each n-gram; no weights are ones.
  std::vector<int64_t> columns;
  std::vector<double> weights;
  NGramPool pool;

  /// Fills the pool with words, n-gram after n-gram: those of n words begin at
  /// begins[n - 1]. Why that is not possible, or an empty text.
  std::string fill(std::span<const int64_t> words,
                   std::span<const int64_t> begins);
  /// Adds to a row of zeros, which has all columns; `counts` is scratch of one number for
  /// each n-gram.
  void score(std::span<const int64_t> text, std::span<double> counts,
             std::span<double> row) const;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_NGRAMS_H
