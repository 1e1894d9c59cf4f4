// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Words.h"

using namespace invar;

static constexpr std::string_view whiteSpace = " \t\n\v\f\r";

static std::string_view dropSpace(std::string_view text) {
  size_t first = text.find_first_not_of(whiteSpace);
  return text.substr(first == std::string_view::npos ? text.size() : first);
}

std::vector<std::string_view> kernels::splitWords(std::string_view text,
                                                  std::string_view delimiter,
                                                  uint64_t maxSplits) {
  bool isSpace = delimiter.empty();
  std::vector<std::string_view> parts;
  if (isSpace && (text = dropSpace(text)).empty())
    return parts;
  while (parts.size() < maxSplits) {
    size_t end =
        isSpace ? text.find_first_of(whiteSpace) : text.find(delimiter);
    if (end == std::string_view::npos)
      break;
    parts.push_back(text.substr(0, end));
    text = text.substr(end + (isSpace ? 1 : delimiter.size()));
    if (isSpace && (text = dropSpace(text)).empty())
      return parts;
  }
  parts.push_back(text);
  return parts;
}
