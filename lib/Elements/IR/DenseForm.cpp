// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DenseForm.h"

#include "invar/Elements/Lanes.h"

using namespace mlir;
using namespace invar;
using namespace invar::elements;

/// The lane at `index` in the low bytes of two words.
static std::array<uint64_t, 2> wordsAt(const Elements &content, int64_t index) {
  std::array<uint64_t, 2> words = {0, 0};
  content.read(index, 1, words.data());
  return words;
}

APInt elements::bitsAt(const Elements &content, int64_t index) {
  DataType type = content.getType();
  unsigned width = type == DataType::Bool ? 1 : getBitWidth(type);
  return APInt(width, wordsAt(content, index)[0], /*isSigned=*/false,
               /*implicitTrunc=*/true);
}

APFloat elements::floatAt(const Elements &content, FloatType type,
                          int64_t index) {
  return APFloat(type.getFloatSemantics(), bitsAt(content, index));
}

std::complex<APFloat> elements::complexAt(const Elements &content,
                                          ComplexType type, int64_t index) {
  auto part = cast<FloatType>(type.getElementType());
  std::array<uint64_t, 2> words = wordsAt(content, index);
  if (part.getWidth() == 32)
    words = {words[0] & UINT32_MAX, words[0] >> 32};
  auto make = [&](uint64_t bits) {
    return APFloat(part.getFloatSemantics(), APInt(part.getWidth(), bits));
  };
  return {make(words[0]), make(words[1])};
}

uint64_t elements::getDenseSize(DataType type, int64_t count) {
  if (type == DataType::Bool)
    return llvm::divideCeil(uint64_t(count), 8);
  return uint64_t(count) * (isPacked(type) ? 1 : getBitWidth(type) / 8);
}

uint64_t elements::getDenseSize(const Elements &content) {
  return getDenseSize(content.getType(),
                      content.isSplat() ? 1 : content.numElements());
}

void elements::readDenseBytes(const Elements &content, uint64_t begin,
                              MutableArrayRef<char> bytes) {
  if (content.getType() != DataType::Bool) {
    size_t size =
        isPacked(content.getType()) ? 1 : getBitWidth(content.getType()) / 8;
    assert(begin % size == 0 && bytes.size() % size == 0);
    content.read(int64_t(begin / size), int64_t(bytes.size() / size),
                 bytes.data());
    if (isPacked(content.getType()))
      for (char &byte : bytes)
        byte &= char((1 << getBitWidth(content.getType())) - 1);
    return;
  }
  if (content.isSplat()) {
    bytes[0] = content.at<bool>(0) ? char(0xff) : 0;
    return;
  }
  int64_t first = int64_t(begin) * 8;
  int64_t count = std::min<int64_t>(int64_t(bytes.size()) * 8,
                                    content.numElements() - first);
  auto lanes = std::make_unique<bool[]>(count);
  content.read<bool>(first, MutableArrayRef<bool>(lanes.get(), count));
  std::fill(bytes.begin(), bytes.end(), 0);
  for (int64_t i = 0; i < count; ++i)
    bytes[i / 8] |= char(lanes[i] << (i % 8));
}
