// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_WORDS_H
#define INVAR_KERNELS_WORDS_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace invar::kernels {

/// Adds the parts of a text between delimiters, as Python splits them, to `parts`, and
/// returns their number. An empty delimiter splits at runs of (ASCII) white space, and
/// removes it at both ends. After `maxSplits` splits, the rest is one part.
size_t splitWords(std::string_view text, std::string_view delimiter,
                  uint64_t maxSplits, std::vector<std::string_view> &parts);

} // namespace invar::kernels

#endif // INVAR_KERNELS_WORDS_H
