// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_NGRAMS_H
#define INVAR_KERNELS_NGRAMS_H

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace invar::kernels {

/// The n-grams that TfIdfVectorizer counts. Words are numbers here. The n-grams form a
/// tree, in which each n-gram is a path from the root.
class NGramPool {
public:
  /// Adds an n-gram with an id of at least 0. Returns false if it already exists.
  bool add(std::span<const int64_t> words, int64_t id);

  /// The n-grams to search for: those of `shortest` to `longest` words, with up to
  /// `maxSkip` words skipped between neighbours. The number of skipped words is the
  /// same within an n-gram.
  struct Search {
    int64_t shortest, longest, maxSkip;
  };

  /// Adds to counts[id] how often each n-gram occurs in a text.
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
  /// The node that a word leads to from another node; the root is number 0.
  std::unordered_map<Step, Node, StepHash> steps;
};

/// The result of TfIdfVectorizer for a text: a row with a score for each n-gram of a
/// pool, in the n-gram's column.
struct NGramScores {
  enum Mode : uint8_t { Count, IsThere, Weighted };
  Mode mode = Count;
  NGramPool::Search search = {1, 1, 0};
  /// For each n-gram. Empty weights mean ones.
  std::vector<int64_t> columns;
  std::vector<double> weights;
  NGramPool pool;

  /// Fills the pool with n-grams, given as consecutive words; those of n words begin at
  /// begins[n - 1]. Returns why that is impossible, or an empty text.
  std::string fill(std::span<const int64_t> words,
                   std::span<const int64_t> begins);
  /// Adds the scores to a row of zeros, which has all columns. `counts` is working
  /// memory with one number for each n-gram.
  void score(std::span<const int64_t> text, std::span<double> counts,
             std::span<double> row) const;
};

} // namespace invar::kernels

#endif // INVAR_KERNELS_NGRAMS_H
