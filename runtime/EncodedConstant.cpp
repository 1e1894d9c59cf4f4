// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EncodedConstant.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <type_traits>
#include <zstd.h>

using namespace invar::runtime;

// Scratch

DecodingScratch::DecodingScratch()
    : memory(new (std::nothrow) uint8_t[INVAR_MOST_PIECE_BYTES]),
      context(ZSTD_createDCtx()) {}

DecodingScratch::~DecodingScratch() {
  ZSTD_freeDCtx(static_cast<ZSTD_DCtx *>(context));
}

std::span<const uint8_t>
DecodingScratch::decompress(std::span<const uint8_t> piece, size_t size) {
  if (!memory || !context || size > INVAR_MOST_PIECE_BYTES)
    return {};
  // The output buffer serves as the window, so a frame cannot request more memory.
  size_t got =
      ZSTD_decompressDCtx(static_cast<ZSTD_DCtx *>(context), memory.get(), size,
                          piece.data(), piece.size());
  if (ZSTD_isError(got) || got != size)
    return {};
  return {memory.get(), size};
}

// Properties of each encoding

namespace {
struct EncodingFacts {
  const char *name;
  /// The allowed sizes of codes, in bits, and of elements, in bytes. Each is a sum of
  /// powers of two.
  unsigned codeBits, elementSizes;
  /// The number of parameters, in units of 8 bytes; -1 if it depends on the header.
  int parameters;
};
} // namespace

static constexpr EncodingFacts encodings[] = {
    {"raw", 8 | 16 | 32 | 64, 1 | 2 | 4 | 8, 0},
    {"splat", 0, 1 | 2 | 4 | 8, 1},
    {"iota", 0, 1 | 2 | 4 | 8, 2},
    {"iota", 0, 4 | 8, 2},
    {"palette", 1 | 2 | 4 | 8, 1 | 2 | 4 | 8, -1},
    {"narrow", 8 | 16 | 32, 2 | 4 | 8, 0},
    {"narrow", 8 | 16 | 32, 2 | 4 | 8, 0},
    {"float16", 16, 4, 0},
    {"bfloat16", 16, 4, 0},
    {"float32", 32, 8, 0},
    {"scaled", 8, 4, -1},
};
static_assert(std::size(encodings) == INVAR_NUM_ENCODINGS);

const char *invar::runtime::getEncodingName(uint8_t encoding) {
  return encoding < INVAR_NUM_ENCODINGS ? encodings[encoding].name : "?";
}

// Checks

template <typename... Parts> static Status bad(const Parts &...parts) {
  return fail(INVAR_BAD_MODEL, "encoded constant: expected ", parts...);
}

/// Whether exactly one bit of a number is set, and that bit is also set in `those`.
static bool isOneOf(unsigned number, unsigned those) {
  return (number & (number - 1)) == 0 && (number & those) != 0;
}

Status EncodedConstant::checkEncoding() const {
  auto [name, codeBits, elementSizes, numbers] = encodings[header.encoding];
  bool hasCodes =
      codeBits ? isOneOf(header.code_bits, codeBits) : header.code_bits == 0;
  if (!isOneOf(header.element_size, elementSizes) || !hasCodes)
    return bad("an encoding '", name, "' of such elements, but got one of ",
               unsigned(header.element_size), " bytes in ",
               unsigned(header.code_bits), " bits");
  unsigned elementBits = header.element_size * 8u;
  bool isRaw = header.encoding == INVAR_ENCODING_RAW;
  bool isNarrow = header.encoding == INVAR_ENCODING_SIGNED ||
                  header.encoding == INVAR_ENCODING_UNSIGNED;
  if ((isRaw && header.code_bits != elementBits) ||
      (isNarrow && header.code_bits >= elementBits))
    return bad("codes for ", elementBits, " bits, but got ",
               unsigned(header.code_bits));
  if (header.encoding == INVAR_ENCODING_SCALED)
    return checkScales();
  uint64_t size = uint64_t(numbers) * 8;
  if (header.encoding == INVAR_ENCODING_PALETTE)
    size = std::max<uint64_t>(8, (uint64_t(1) << header.code_bits) *
                                     header.element_size);
  if (parameters.size() != size)
    return bad(size, " bytes of parameters, but got ", parameters.size());
  return Status::success();
}

/// Checks that there is a scale for each element.
Status EncodedConstant::checkScales() const {
  uint64_t count = header.count, block = header.block, lanes = header.lanes;
  if (block == 0 || lanes == 0 || block % lanes != 0)
    return bad("blocks of whole rows of scales, but got ", block, " and ",
               lanes);
  uint64_t blocks = count / block + (count % block != 0), scales;
  if (__builtin_mul_overflow(blocks, lanes, &scales) ||
      scales > parameters.size() / sizeof(float))
    return bad("scales for ", count, " elements, but got ", parameters.size(),
               " bytes");
  return Status::success();
}

uint64_t EncodedConstant::getEnd(uint64_t piece) const {
  uint64_t end;
  std::memcpy(&end, &ends[piece * sizeof(end)], sizeof(end));
  return end;
}

/// Checks that pieces ascend, that none is longer than its codes, and that the last one
/// ends at the end of the bytes.
Status EncodedConstant::checkEnds() const {
  uint64_t begin = 0;
  uint64_t most = invar_code_bytes(header.piece_codes, header.code_bits);
  for (uint64_t piece = 0; piece < ends.size() / sizeof(uint64_t); ++piece) {
    uint64_t end = getEnd(piece);
    if (end < begin || end - begin > most || end > pieces.size())
      return bad("a piece of at most ", most, " bytes from ", begin,
                 " on, but got one up to ", end);
    begin = end;
  }
  if (begin != pieces.size())
    return bad("pieces of ", pieces.size(), " bytes, but got ", begin);
  return Status::success();
}

Status EncodedConstant::check(std::span<const uint8_t> bytes,
                              size_t elementSize, uint64_t count) {
  if (bytes.size() < sizeof(header))
    return bad(sizeof(header), " bytes of header, but got ", bytes.size());
  std::memcpy(&header, bytes.data(), sizeof(header));
  std::span<const uint8_t> rest = bytes.subspan(sizeof(header));
  if (std::memcmp(header.magic, INVAR_ENCODED_MAGIC, sizeof(header.magic)) != 0)
    return bad("'", INVAR_ENCODED_MAGIC,
               "' at the beginning, but it is not "
               "there");
  if (header.encoding >= INVAR_NUM_ENCODINGS)
    return bad("an encoding, but got number ", unsigned(header.encoding));
  if (header.element_size != elementSize || header.count != count)
    return bad(count, " elements of ", elementSize, " bytes, but got ",
               header.count, " of ", unsigned(header.element_size));
  // Multiples of 8, so that the codes of a piece end at a byte boundary.
  uint64_t codes = header.piece_codes;
  if (codes == 0 || codes % 8 != 0 ||
      codes > INVAR_MOST_PIECE_BYTES / elementSize)
    return bad("pieces of up to ", INVAR_MOST_PIECE_BYTES,
               " bytes, but got ones of ", codes, " elements");
  if (header.parameter_size % 8 != 0 || header.parameter_size > rest.size())
    return bad("parameters in ", rest.size(), " bytes, but got ",
               header.parameter_size);
  parameters = rest.first(header.parameter_size);
  rest = rest.subspan(header.parameter_size);
  if (Status status = checkEncoding())
    return status;
  numPieces = count / codes + (count % codes != 0);
  uint64_t numEnds = header.code_bits ? numPieces : 0;
  if (numEnds > rest.size() / sizeof(uint64_t))
    return bad("the ends of ", numEnds, " pieces, but got ", rest.size(),
               " bytes");
  ends = rest.first(numEnds * sizeof(uint64_t));
  pieces = rest.subspan(ends.size());
  return checkEnds();
}

Status EncodedConstant::read(std::span<const uint8_t> bytes, size_t elementSize,
                             uint64_t count, EncodedConstant &constant) {
  return constant.check(bytes, elementSize, count);
}

// Decoding

/// Decodes codes of whole bytes, which are stored as byte planes.
template <typename Code, typename Element, typename Meaning>
static void expandPlanes(std::span<const uint8_t> codes, size_t count,
                         Element *elements, Meaning meaning) {
  const uint8_t *planes = codes.data();
  for (size_t i = 0; i < count; ++i) {
    Code code = 0;
    for (size_t byte = 0; byte < sizeof(Code); ++byte)
      code = Code(code | Code(planes[byte * count + i]) << (8 * byte));
    elements[i] = meaning(code);
  }
}

/// The same for signed or unsigned codes of `bits` bits.
template <bool isSigned, typename Element>
static void widen(std::span<const uint8_t> codes, unsigned bits, size_t count,
                  Element *elements) {
  auto extend = [](auto code) {
    using Code = decltype(code);
    if constexpr (isSigned)
      return Element(
          std::make_signed_t<Element>(std::make_signed_t<Code>(code)));
    else
      return Element(code);
  };
  if (bits == 8)
    expandPlanes<uint8_t>(codes, count, elements, extend);
  else if (bits == 16)
    expandPlanes<uint16_t>(codes, count, elements, extend);
  else
    expandPlanes<uint32_t>(codes, count, elements, extend);
}

template <typename T> static T load(std::span<const uint8_t> bytes, size_t i) {
  T number;
  std::memcpy(&number, &bytes[i * sizeof(T)], sizeof(T));
  return number;
}

template <typename Element>
void EncodedConstant::expandTo(std::span<const uint8_t> codes, uint64_t begin,
                               size_t count, Element *elements) const {
  unsigned bits = header.code_bits;
  switch (header.encoding) {
  case INVAR_ENCODING_RAW:
    return expandPlanes<Element>(codes, count, elements,
                                 [](Element code) { return code; });
  case INVAR_ENCODING_SPLAT:
    std::fill_n(elements, count, load<Element>(parameters, 0));
    return;
  case INVAR_ENCODING_IOTA: {
    auto first = load<uint64_t>(parameters, 0);
    auto step = load<uint64_t>(parameters, 1);
    for (size_t i = 0; i < count; ++i)
      elements[i] = Element(first + (begin + i) * step);
    return;
  }
  case INVAR_ENCODING_IOTA_FLOAT: {
    auto first = load<double>(parameters, 0);
    auto step = load<double>(parameters, 1);
    for (size_t i = 0; i < count; ++i)
      elements[i] =
          Element(invar_iota_float(first, step, begin + i, sizeof(Element)));
    return;
  }
  case INVAR_ENCODING_PALETTE: {
    Element palette[256];
    unsigned mask = (1u << bits) - 1, perByte = 8 / bits;
    std::memcpy(palette, parameters.data(), (mask + 1) * sizeof(Element));
    for (size_t i = 0; i < count; ++i)
      elements[i] = palette[codes[i / perByte] >> (i % perByte * bits) & mask];
    return;
  }
  case INVAR_ENCODING_SIGNED:
    return widen</*isSigned=*/true>(codes, bits, count, elements);
  case INVAR_ENCODING_UNSIGNED:
    return widen</*isSigned=*/false>(codes, bits, count, elements);
  case INVAR_ENCODING_HALF:
    return expandPlanes<uint16_t>(codes, count, elements, invar_widen_half);
  case INVAR_ENCODING_BFLOAT:
    return expandPlanes<uint16_t>(codes, count, elements, [](uint16_t code) {
      return uint32_t(code) << 16;
    });
  case INVAR_ENCODING_SINGLE:
    return expandPlanes<uint32_t>(codes, count, elements, invar_widen_single);
  default: // SCALED has its own function.
    return;
  }
}

/// Processes runs of elements that share a scale, or whose scales are consecutive.
void EncodedConstant::expandScaled(std::span<const uint8_t> codes,
                                   uint64_t begin, size_t count,
                                   uint32_t *elements) const {
  uint64_t period = header.lanes == 1 ? header.block : header.lanes;
  for (size_t i = 0; i < count;) {
    uint64_t place = begin + i;
    size_t scale =
        size_t(place / header.block * header.lanes + place % header.lanes);
    size_t run = std::min<uint64_t>(count - i, period - place % period);
    bool isOne = header.lanes == 1;
    for (size_t end = i + run; i < end; ++i, scale += !isOne)
      elements[i] =
          invar_scale(int8_t(codes[i]), load<float>(parameters, scale));
  }
}

void EncodedConstant::expand(std::span<const uint8_t> codes, uint64_t begin,
                             size_t count, void *elements) const {
  if (header.encoding == INVAR_ENCODING_SCALED)
    return expandScaled(codes, begin, count,
                        static_cast<uint32_t *>(elements) + begin);
  switch (header.element_size) {
  case 1:
    return expandTo(codes, begin, count,
                    static_cast<uint8_t *>(elements) + begin);
  case 2:
    return expandTo(codes, begin, count,
                    static_cast<uint16_t *>(elements) + begin);
  case 4:
    return expandTo(codes, begin, count,
                    static_cast<uint32_t *>(elements) + begin);
  default:
    return expandTo(codes, begin, count,
                    static_cast<uint64_t *>(elements) + begin);
  }
}

Status EncodedConstant::decode(uint64_t piece, DecodingScratch &scratch,
                               void *elements) const {
  uint64_t begin = piece * header.piece_codes;
  auto count = size_t(std::min(header.piece_codes, header.count - begin));
  std::span<const uint8_t> codes;
  if (header.code_bits) {
    uint64_t from = piece ? getEnd(piece - 1) : 0;
    codes = pieces.subspan(from, getEnd(piece) - from);
    auto size = size_t(invar_code_bytes(count, header.code_bits));
    if (codes.size() != size)
      codes = scratch.decompress(codes, size);
    if (codes.size() != size)
      return bad("a piece of ", size,
                 " bytes when decompressed, but it is "
                 "damaged, or there is no memory for it");
  }
  expand(codes, begin, count, elements);
  return Status::success();
}
