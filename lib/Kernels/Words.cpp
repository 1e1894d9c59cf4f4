// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Words.h"

using namespace invar;

static constexpr std::string_view whiteSpace = " \t\n\v\f\r";

static std::string_view dropSpace(std::string_view text) {
  size_t first = text.find_first_not_of(whiteSpace);
  return text.substr(first == std::string_view::npos ? text.size() : first);
}

size_t kernels::splitWords(std::string_view text, std::string_view delimiter,
                           uint64_t maxSplits,
                           std::vector<std::string_view> &parts) {
  bool isSpace = delimiter.empty();
  size_t before = parts.size();
  if (isSpace && (text = dropSpace(text)).empty())
    return 0;
  while (parts.size() - before < maxSplits) {
    size_t end =
        isSpace ? text.find_first_of(whiteSpace) : text.find(delimiter);
    if (end == std::string_view::npos)
      break;
    parts.push_back(text.substr(0, end));
    text = text.substr(end + (isSpace ? 1 : delimiter.size()));
    if (isSpace && (text = dropSpace(text)).empty())
      return parts.size() - before;
  }
  parts.push_back(text);
  return parts.size() - before;
}
