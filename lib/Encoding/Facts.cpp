// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Facts.h"

#include "invar-c/Encoding.h"
#include "invar/Support/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <mutex>

using namespace invar;

//===-- Palettes --------------------------------------------------------------===//

size_t Palette::getSlot(Pattern pattern) const {
  size_t slot = (pattern * 0x9e3779b97f4a7c15u) >> 54;
  static_assert(numSlots == size_t(1) << (64 - 54));
  while (slots[slot] != nobody && patterns[slots[slot]] != pattern)
    slot = (slot + 1) % numSlots;
  return slot;
}

bool Palette::insert(Pattern pattern) {
  size_t slot = getSlot(pattern);
  if (slots[slot] != nobody)
    return true;
  if (patterns.size() == most)
    return false;
  slots[slot] = uint16_t(patterns.size());
  patterns.push_back(pattern);
  return true;
}

void Palette::sort() {
  llvm::SmallVector<Pattern, 0> sorted(patterns);
  llvm::sort(sorted);
  *this = Palette();
  for (Pattern pattern : sorted)
    insert(pattern);
}

//===-- Narrower numbers ------------------------------------------------------===//

std::optional<uint16_t> invar::narrowToHalf(uint32_t single) {
  uint32_t sign = single >> 16 & 0x8000, fraction = single & 0x7fffff;
  int exponent = int(single >> 23 & 0xff) - 112;
  uint32_t half = sign;
  if (exponent == 255 - 112)
    half |= 0x7c00 | fraction >> 13;
  else if (exponent > 0 && exponent < 31)
    half |= uint32_t(exponent) << 10 | fraction >> 13;
  else if (exponent <= 0 && exponent > -10)
    half |= (0x800000 | fraction) >> (14 - exponent);
  if (invar_widen_half(uint16_t(half)) != single)
    return std::nullopt;
  return uint16_t(half);
}

std::optional<uint32_t> invar::narrowToSingle(uint64_t number) {
  uint64_t sign = number >> 32 & 0x80000000u;
  uint64_t fraction = number & 0xfffffffffffffu;
  int exponent = int(number >> 52 & 0x7ff) - 896;
  uint64_t single = sign;
  if (exponent == 2047 - 896)
    single |= 0x7f800000u | fraction >> 29;
  else if (exponent > 0 && exponent < 255)
    single |= uint64_t(exponent) << 23 | fraction >> 29;
  else if (exponent <= 0 && exponent > -23)
    single |= (uint64_t(1) << 52 | fraction) >> (30 - exponent);
  if (invar_widen_single(uint32_t(single)) != number)
    return std::nullopt;
  return uint32_t(single);
}

/// The bytes that `bits` bits take, rounded up to 1, 2, 4 or 8.
static unsigned getBytes(unsigned bits) {
  return unsigned(llvm::PowerOf2Ceil(std::max(1u, (bits + 7) / 8)));
}

//===-- One way through all elements ------------------------------------------===//

int64_t invar::getPieceSize(DataType type) {
  return int64_t(INVAR_MOST_PIECE_BYTES / getLaneSize(type));
}

Pattern invar::getPattern(const uint8_t *lanes, size_t size, size_t i) {
  Pattern pattern = 0;
  memcpy(&pattern, lanes + i * size, size);
  return pattern;
}

namespace {
/// Assumptions that hold until an element disproves them.
enum Belief : unsigned {
  Splat = 1,
  Counts = 2,
  Half = 4,
  BFloat = 8,
  Single = 16,
  FewValues = 32,
};

class Finder {
public:
  Finder(const Elements &content, const EvalOptions &options)
      : content(content), options(options), type(content.getType()),
        count(content.numElements()) {}

  Facts find();

private:
  bool isFloat() const {
    return type == DataType::Float32 || type == DataType::Float64;
  }
  bool isInteger() const {
    NumberKind kind = getKind(type);
    return kind == NumberKind::Signed || kind == NumberKind::Unsigned;
  }
  /// Sets the assumptions that are possible for the type and the first two elements.
  void begin();
  std::optional<Iota> guessIota();
  template <typename Word> void look(int64_t from, int64_t to);

  /// Drops an assumption unless it holds for all elements of a piece.
  template <typename Word, typename Keeps>
  void test(Belief belief, llvm::ArrayRef<Word> words, Keeps keeps) {
    if (believed.load(std::memory_order_relaxed) & belief &&
        !llvm::all_of(words, keeps))
      believed.fetch_and(~unsigned(belief), std::memory_order_relaxed);
  }

  const Elements &content;
  const EvalOptions &options;
  DataType type;
  int64_t count;
  Pattern first = 0;
  Iota iota = {0, 0};
  std::atomic<unsigned> believed = Splat | FewValues;

  /// Facts about the elements read so far.
  std::mutex lock;
  Palette palette;
  /// Bits that differ from the sign in some integer, and bits that are set in some
  /// integer.
  uint64_t signedBits = 0, unsignedBits = 0;
};
} // namespace

/// The iota that the first two elements would begin.
std::optional<Iota> Finder::guessIota() {
  if (count < 2 || (!isFloat() && !isInteger()))
    return std::nullopt;
  size_t size = getLaneSize(type);
  uint8_t lanes[2 * sizeof(Pattern)];
  content.read(0, 2, lanes, options);
  Pattern second = getPattern(lanes, size, 1);
  if (isInteger())
    return Iota{first, second - first};
  auto toDouble = [&](Pattern pattern) {
    return type == DataType::Float32
               ? double(llvm::bit_cast<float>(uint32_t(pattern)))
               : llvm::bit_cast<double>(pattern);
  };
  double step = toDouble(second) - toDouble(first);
  return Iota{llvm::bit_cast<uint64_t>(toDouble(first)),
              llvm::bit_cast<uint64_t>(step)};
}

void Finder::begin() {
  uint8_t lane[sizeof(Pattern)];
  content.read(0, 1, lane, options);
  first = getPattern(lane, getLaneSize(type), 0);
  if (auto guessed = guessIota()) {
    iota = *guessed;
    believed |= Counts;
  }
  if (type == DataType::Float32)
    believed |= Half | BFloat;
  if (type == DataType::Float64)
    believed |= Single;
}

template <typename Word> void Finder::look(int64_t from, int64_t to) {
  std::vector<Word> lanes(size_t(to - from));
  EvalOptions alone = options;
  alone.threads = 1;
  content.read(from, to - from, lanes.data(), alone);
  llvm::ArrayRef<Word> words(lanes);

  test(Splat, words, [&](Word word) { return word == Word(first); });
  auto index = uint64_t(from);
  if (isFloat()) {
    auto start = llvm::bit_cast<double>(iota.first);
    auto step = llvm::bit_cast<double>(iota.step);
    test(Counts, words, [&](Word word) {
      return word == Word(invar_iota_float(start, step, index++, sizeof(Word)));
    });
  } else {
    test(Counts, words, [&](Word word) {
      return word == Word(iota.first + iota.step * index++);
    });
  }
  if constexpr (sizeof(Word) == 4) {
    test(Half, words, [](Word word) { return bool(narrowToHalf(word)); });
    test(BFloat, words, [](Word word) { return (word & 0xffff) == 0; });
  }
  if constexpr (sizeof(Word) == 8)
    test(Single, words, [](Word word) { return bool(narrowToSingle(word)); });
  Palette own;
  test(FewValues, words, [&](Word word) { return own.insert(word); });

  uint64_t ownSigned = 0, ownUnsigned = 0;
  if (isInteger())
    for (Word word : words) {
      int64_t wide = llvm::SignExtend64<sizeof(Word) * 8>(word);
      ownSigned |= uint64_t(wide ^ (wide >> 63));
      ownUnsigned |= word;
    }
  std::lock_guard guard(lock);
  signedBits |= ownSigned;
  unsignedBits |= ownUnsigned;
  test(FewValues, own.get(),
       [&](Pattern pattern) { return palette.insert(pattern); });
}

Facts Finder::find() {
  begin();
  size_t size = getLaneSize(type);
  parallelFor(uint64_t(count), uint64_t(getPieceSize(type)), options.threads,
              [&](uint64_t from, uint64_t to) {
                auto a = int64_t(from), b = int64_t(to);
                switch (size) {
                case 1:
                  return look<uint8_t>(a, b);
                case 2:
                  return look<uint16_t>(a, b);
                case 4:
                  return look<uint32_t>(a, b);
                default:
                  return look<uint64_t>(a, b);
                }
              });
  unsigned found = believed;
  Facts facts;
  facts.isSplat = found & Splat;
  facts.isHalf = found & Half;
  facts.isBFloat = found & BFloat;
  facts.isSingle = found & Single;
  facts.hasPalette = found & FewValues;
  facts.first = first;
  if (found & Counts)
    facts.iota = iota;
  palette.sort();
  facts.palette = std::move(palette);
  facts.signedBytes = facts.unsignedBytes = unsigned(size);
  if (isInteger()) {
    // One more bit for the sign.
    facts.signedBytes = std::min(facts.signedBytes,
                                 getBytes(65 - llvm::countl_zero(signedBits)));
    facts.unsignedBytes = std::min(
        facts.unsignedBytes, getBytes(64 - llvm::countl_zero(unsignedBits)));
  }
  return facts;
}

Facts invar::findFacts(const Elements &content, const EvalOptions &options) {
  return Finder(content, options).find();
}
