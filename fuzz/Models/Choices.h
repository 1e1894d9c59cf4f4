// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pseudo-random choices that are derived from an input without being part of it. So a
// varied model stays a model, and the same model is always tried with the same options.
#ifndef INVAR_FUZZ_CHOICES_H
#define INVAR_FUZZ_CHOICES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"
#include <random>

namespace invar::fuzz {

class Choices {
public:
  explicit Choices(llvm::StringRef input)
      : generator(unsigned(llvm::xxh3_64bits(input))) {}

  /// Returns a number below `count`.
  size_t pick(size_t count) { return (generator() >> 8) % count; }
  bool isOneOf(size_t count) { return pick(count) == 0; }
  template <typename T, size_t count> T among(const T (&values)[count]) {
    return values[pick(count)];
  }

private:
  std::minstd_rand generator;
};

} // namespace invar::fuzz

#endif // INVAR_FUZZ_CHOICES_H
