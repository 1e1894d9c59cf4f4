// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strings are computed immediately, because their lanes point to memory that needs an
// owner. ImageDecoder is never folded: decoders of lossy formats return different pixels.
#include "invar/Dialect/ONNX/FoldCall.h"
#include "invar/Dialect/ONNX/FoldStrings.h"
#include "invar/Dialect/ONNX/Ops/String.h"
#include "invar/Kernels/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

FoldResult RegexFullMatchOp::computeValues(Folding &fold) {
  return foldByCall(*this, fold, Floats::AsTheyAre);
}

FoldResult StringConcatOp::computeValues(Folding &fold) {
  llvm::Expected<Shape> shape = fold.getShape();
  if (!shape)
    return shape.takeError();
  auto all = uint64_t(countElements(*shape).value_or(INT64_MAX));
  if (llvm::Error error = checkStrings(all))
    return error;
  uint64_t characters = 0;
  for (Value operand : {getX(), getY()}) {
    auto strings = fold.read<StringRef>(operand);
    if (!strings)
      return strings.takeError();
    // Each is repeated as often.
    for (StringRef string : *strings)
      characters += string.size() * (all / strings->get().size());
  }
  if (llvm::Error error = checkStrings(all, characters))
    return error;
  return foldByCall(fold, describePlainCall(*this), Floats::AsTheyAre);
}

FoldResult StringNormalizerOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  if (x.numElements() == 0)
    return notFolded("expected a row of strings, but got a tensor of " +
                     printShape(x.getShape()) + " elements");
  auto strings = fold.read<StringRef>(x);
  if (!strings)
    return strings.takeError();
  // The case of other letters depends on a locale that may not be installed.
  auto isAscii = [](StringRef word) {
    return llvm::all_of(word, [](char c) { return llvm::isASCII(c); });
  };
  ArrayRef<Attribute> stops = getStopwords().value_or(ArrayRef<Attribute>());
  bool needsLocale = getCaseChangeAction() != "NONE" ||
                     (!getIsCaseSensitive() && !stops.empty());
  if (needsLocale && !(llvm::all_of(*strings, isAscii) &&
                       llvm::all_of(stops, [&](Attribute stop) {
                         return isAscii(cast<StringAttr>(stop).getValue());
                       })))
    return notFolded("its strings are not all of ASCII");
  return foldByCall(*this, fold, Floats::AsTheyAre);
}

FoldResult StringSplitOp::computeValues(Folding &fold) {
  auto strings = fold.read<StringRef>(getX());
  if (!strings)
    return strings.takeError();
  StringRef delimiter = getDelimiter().value_or("");
  bool isLimited = getMaxsplit() && *getMaxsplit() >= 0;
  std::vector<std::string_view> parts;
  uint64_t most = 0;
  for (StringRef string : *strings) {
    if (!delimiter.empty() && string.empty())
      return notFolded("runtimes differ on the parts of an empty string");
    if (delimiter.empty() &&
        string.find_first_of("\t\n\v\f\r") != StringRef::npos)
      return notFolded("runtimes differ on what is white space");
    if (delimiter.empty() && string.ends_with(" ") && isLimited)
      return notFolded("runtimes differ on spaces at the end");
    parts.clear();
    uint64_t count = kernels::splitWords(
        string, delimiter, isLimited ? uint64_t(*getMaxsplit()) : UINT64_MAX,
        parts);
    most = std::max(most, count);
  }
  if (llvm::Error error = checkStrings(strings->get().size() * most))
    return error;
  return foldByCall(*this, fold, Floats::AsTheyAre);
}

FoldResult TfIdfVectorizerOp::computeValues(Folding &fold) {
  const Elements &x = fold.get(getX());
  llvm::Expected<Shape> shape = fold.getShape();
  if (!shape)
    return shape.takeError();
  int64_t length = x.getRank() ? x.getShape().back() : 1;
  int64_t distances = std::min<int64_t>(getMaxSkipCount(), length) + 1;
  if (llvm::Error error =
          fold.checkWork({x.numElements(), distances,
                          std::min<int64_t>(getMaxGramLength(), length)}))
    return error;
  if (llvm::Error error = fold.checkWork(*shape))
    return error;
  return foldByCall(*this, fold, Floats::Doubles);
}
