// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Simplify/ShapeFacts.h"

#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace invar;
using llvm::StringRef;

/// Splits at the last '=', because names of inputs may contain one.
static llvm::Expected<std::pair<StringRef, StringRef>>
splitFact(StringRef text, StringRef form) {
  auto parts = text.rsplit('=');
  if (parts.first.empty() || parts.first.size() == text.size())
    return badUsage("expected " + form + ", but got '" + text + "'");
  return parts;
}

/// Reads a size: from 0 to the greatest signed 64-bit number.
static bool isSize(StringRef text, int64_t &size) {
  return !text.getAsInteger(10, size) && size >= 0;
}

llvm::Error invar::addShapeFact(StringRef text, onnx::ShapeFacts &facts) {
  auto parts = splitFact(text, "INPUT=SHAPE such as 'x=1x3x?x?'");
  if (!parts)
    return parts.takeError();
  auto [input, shape] = *parts;
  // With 'x' as the separator, names would be ambiguous. Commas allow any name.
  bool isPlain = shape.find_first_not_of("0123456789x?") == StringRef::npos;
  onnx::ShapeFacts::Shape fact{input.str(), {}};
  if (!shape.empty())
    for (StringRef dim : llvm::split(shape, isPlain ? 'x' : ',')) {
      dim = dim.trim();
      int64_t size;
      bool looksLikeNumber =
          dim.find_first_not_of("0123456789-") == StringRef::npos;
      if (dim.empty() || (looksLikeNumber && !isSize(dim, size)))
        return badUsage("expected sizes, names and '?' in the shape of '" +
                        input + "', but got '" + dim + "' in '" + shape + "'");
      fact.dims.push_back(dim == "?" ? "" : dim.str());
    }
  facts.shapes.push_back(std::move(fact));
  return llvm::Error::success();
}

llvm::Error invar::addDimFact(StringRef text, onnx::ShapeFacts &facts) {
  auto parts = splitFact(text, "NAME=SIZE such as 'batch=8'");
  if (!parts)
    return parts.takeError();
  int64_t size;
  if (!isSize(parts->second, size))
    return badUsage("expected a size for '" + parts->first + "', but got '" +
                    parts->second + "'");
  facts.ranges.push_back({parts->first.str(), {size, size}});
  return llvm::Error::success();
}

llvm::Error invar::addRangeFact(StringRef text, onnx::ShapeFacts &facts) {
  auto parts = splitFact(text, "NAME=LEAST..MOST such as 'seq=1..512'");
  if (!parts)
    return parts.takeError();
  auto [least, most] = parts->second.split("..");
  Bounds bounds{0, INT64_MAX};
  if (!parts->second.contains("..") ||
      (!least.empty() && !isSize(least, bounds.least)) ||
      (!most.empty() && !isSize(most, bounds.most)) ||
      bounds.least > bounds.most)
    return badUsage("expected a range LEAST..MOST for '" + parts->first +
                    "', but got '" + parts->second + "'");
  facts.ranges.push_back({parts->first.str(), bounds});
  return llvm::Error::success();
}
