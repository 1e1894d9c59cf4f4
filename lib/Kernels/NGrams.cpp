// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/NGrams.h"

#include <algorithm>
#include <unordered_set>

using namespace invar::kernels;

size_t NGramPool::StepHash::operator()(const Step &step) const {
  // Fibonacci hashing, so that small numbers are spread out.
  uint64_t mixed =
      uint64_t(step.node) * 0x9e3779b97f4a7c15u + uint64_t(step.word);
  mixed *= 0x9e3779b97f4a7c15u;
  return size_t(mixed ^ (mixed >> 32));
}

bool NGramPool::add(std::span<const int64_t> words, int64_t id) {
  int64_t at = 0;
  Node *last = nullptr;
  for (int64_t word : words) {
    int64_t next = int64_t(steps.size()) + 1;
    last = &steps.try_emplace({at, word}, Node{next}).first->second;
    at = last->number;
  }
  if (!last || last->id >= 0)
    return false;
  last->id = id;
  return true;
}

template <typename T>
void NGramPool::count(std::span<const int64_t> text, const Search &search,
                      std::span<T> counts) const {
  int64_t length = int64_t(text.size()), shortest = search.shortest;
  // Larger distances than the text is long have no matches.
  int64_t farthest = std::min(search.maxSkip, length) + 1;
  for (int64_t distance = 1; distance <= farthest; ++distance) {
    for (int64_t start = 0; start < length; ++start) {
      int64_t at = 0, words = 1;
      for (int64_t i = start; i < length && words <= search.longest;
           i += distance, ++words) {
        auto found = steps.find({at, text[size_t(i)]});
        if (found == steps.end())
          break;
        at = found->second.number;
        if (words >= shortest && found->second.id >= 0)
          counts[size_t(found->second.id)] += T(1);
      }
    }
    // A single word is the same at any distance, so count it only once.
    shortest = std::max<int64_t>(shortest, 2);
    if (shortest > search.longest)
      break;
  }
}

template void NGramPool::count(std::span<const int64_t>, const Search &,
                               std::span<float>) const;
template void NGramPool::count(std::span<const int64_t>, const Search &,
                               std::span<double>) const;

std::string NGramScores::fill(std::span<const int64_t> words,
                              std::span<const int64_t> begins) {
  for (int64_t column : columns)
    if (column < 0)
      return "expected 'ngram_indexes' of at least 0, but got " +
             std::to_string(column);
  std::unordered_set<int64_t> distinct(columns.begin(), columns.end());
  if (!weights.empty() && distinct.size() != columns.size())
    return "expected 'ngram_indexes' that differ, but got one twice";
  int64_t id = 0, count = int64_t(words.size());
  for (size_t i = 0; i < begins.size(); ++i) {
    int64_t length = int64_t(i) + 1, begin = begins[i];
    int64_t end = i + 1 < begins.size() ? begins[i + 1] : count;
    if (begin < 0 || begin > end || end > count || (end - begin) % length)
      return "expected 'ngram_counts' to part the pool, but got " +
             std::to_string(begin) + " to " + std::to_string(end);
    for (; begin < end; begin += length, ++id) {
      if (id >= int64_t(columns.size()))
        return "expected an index for each n-gram, but got " +
               std::to_string(columns.size());
      bool isUsed = length >= search.shortest && length <= search.longest;
      if (isUsed && !pool.add(words.subspan(size_t(begin), size_t(length)), id))
        return "expected n-grams that differ, but got one twice";
    }
  }
  return {};
}

void NGramScores::score(std::span<const int64_t> text, std::span<double> counts,
                        std::span<double> row) const {
  std::ranges::fill(counts, 0.0);
  pool.count<double>(text, search, counts);
  for (size_t id = 0; id < columns.size(); ++id) {
    double &cell = row[size_t(columns[id])];
    cell += counts[id];
    if (mode == IsThere)
      cell = cell > 0;
    if (mode != Count && !weights.empty())
      cell *= weights[id];
  }
}
