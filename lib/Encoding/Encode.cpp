// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Encoding/Encode.h"

#include "Facts.h"
#include "Scales.h"
#include "invar/Elements/ElementsBuilder.h"
#include "invar/Support/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <zstd.h>

using namespace invar;
using Bytes = std::vector<uint8_t>;

namespace {
/// Memory of a thread for one piece, reused for the next.
struct Scratch {
  Bytes lanes, codes, compressed;
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{
      ZSTD_createCCtx(), &ZSTD_freeCCtx};
};

/// Chooses the encoding of a constant and writes it.
class Encoder {
public:
  Encoder(const Elements &content, const EvalOptions &options)
      : content(content), options(options),
        size(getLaneSize(content.getType())),
        count(uint64_t(content.numElements())),
        facts(findFacts(content, options)) {
    choose();
  }

  llvm::Expected<std::optional<Elements>> run(uint64_t mostBytes);

private:
  uint64_t countPieces() const {
    return header.code_bits ? llvm::divideCeil(count, header.piece_codes) : 0;
  }

  void choose();
  /// Selects an encoding if it is smaller than the best so far.
  void consider(InvarEncoding encoding, unsigned codeBits, uint64_t numbers);
  void writeParameters();

  Bytes encodePiece(uint64_t piece, Scratch &scratch) const;
  void makeCodes(uint64_t begin, size_t length, Scratch &scratch) const;
  std::vector<Bytes> encodePieces() const;

  const Elements &content;
  const EvalOptions &options;
  size_t size;
  uint64_t count;
  Facts facts;
  std::optional<Scales> scales;

  InvarEncodedHeader header = {};
  Bytes parameters;
};
} // namespace

//===-- The choice ------------------------------------------------------------===//

void Encoder::consider(InvarEncoding encoding, unsigned codeBits,
                       uint64_t parameterBytes) {
  auto getBytes = [&](unsigned bits, uint64_t rest) {
    return invar_code_bytes(count, bits) + rest;
  };
  if (header.code_bits && getBytes(codeBits, parameterBytes) >=
                              getBytes(header.code_bits, header.parameter_size))
    return;
  header.encoding = encoding;
  header.code_bits = uint8_t(codeBits);
  header.parameter_size = llvm::alignTo(parameterBytes, 8);
}

void Encoder::choose() {
  std::memcpy(header.magic, INVAR_ENCODED_MAGIC, sizeof(header.magic));
  header.element_size = uint8_t(size);
  header.count = count;
  header.piece_codes = uint64_t(getPieceSize(content.getType()));

  consider(INVAR_ENCODING_RAW, unsigned(size) * 8, 0);
  if (facts.hasPalette) {
    unsigned bits = 1;
    while ((size_t(1) << bits) < facts.palette.get().size())
      bits *= 2;
    consider(INVAR_ENCODING_PALETTE, bits, (uint64_t(1) << bits) * size);
  }
  consider(INVAR_ENCODING_SIGNED, facts.signedBytes * 8, 0);
  consider(INVAR_ENCODING_UNSIGNED, facts.unsignedBytes * 8, 0);
  if (facts.isHalf)
    consider(INVAR_ENCODING_HALF, 16, 0);
  if (facts.isBFloat)
    consider(INVAR_ENCODING_BFLOAT, 16, 0);
  if (facts.isSingle)
    consider(INVAR_ENCODING_SINGLE, 32, 0);
  // Searching for scales takes longest.
  if (header.code_bits > 8 && !facts.iota && !facts.isSplat)
    scales = findScales(content, options);
  if (scales) {
    header.block = scales->block;
    header.lanes = scales->lanes;
    consider(INVAR_ENCODING_SCALED, 8, scales->scales.size() * sizeof(float));
  }
  bool isFloat = getKind(content.getType()) == NumberKind::Float;
  if (facts.iota)
    consider(isFloat ? INVAR_ENCODING_IOTA_FLOAT : INVAR_ENCODING_IOTA, 0, 16);
  if (facts.isSplat)
    consider(INVAR_ENCODING_SPLAT, 0, 8);
  writeParameters();
}

void Encoder::writeParameters() {
  parameters.assign(header.parameter_size, 0);
  auto write = [&](size_t place, const void *number, size_t bytes) {
    std::memcpy(&parameters[place * bytes], number, bytes);
  };
  switch (header.encoding) {
  case INVAR_ENCODING_SPLAT:
    return write(0, &facts.first, size);
  case INVAR_ENCODING_IOTA:
  case INVAR_ENCODING_IOTA_FLOAT:
    write(0, &facts.iota->first, 8);
    return write(1, &facts.iota->step, 8);
  case INVAR_ENCODING_PALETTE:
    for (auto [place, pattern] : llvm::enumerate(facts.palette.get()))
      write(place, &pattern, size);
    return;
  case INVAR_ENCODING_SCALED:
    std::memcpy(parameters.data(), scales->scales.data(),
                scales->scales.size() * sizeof(float));
    return;
  default:
    return;
  }
}

//===-- Codes -----------------------------------------------------------------===//

/// Codes of less than a byte are packed into bytes, codes of several bytes are stored
/// as planes.
template <typename ToCode>
static void writeCodes(size_t length, unsigned bits, ToCode toCode,
                       Bytes &codes) {
  for (size_t i = 0; i < length; ++i) {
    uint64_t code = toCode(i);
    if (bits < 8)
      codes[i * bits / 8] |= uint8_t(code << (i * bits % 8));
    else
      for (size_t byte = 0; byte < bits / 8; ++byte)
        codes[byte * length + i] = uint8_t(code >> (8 * byte));
  }
}

void Encoder::makeCodes(uint64_t begin, size_t length, Scratch &scratch) const {
  auto &[lanes, codes, compressed, context] = scratch;
  lanes.resize(length * size);
  EvalOptions alone = options;
  alone.threads = 1;
  content.read(int64_t(begin), int64_t(length), lanes.data(), alone);
  auto at = [&, from = lanes.data()](size_t i) {
    return getPattern(from, size, i);
  };

  unsigned bits = header.code_bits;
  codes.assign(invar_code_bytes(length, bits), 0);
  switch (header.encoding) {
  case INVAR_ENCODING_PALETTE:
    writeCodes(
        length, bits, [&](size_t i) { return facts.palette.find(at(i)); },
        codes);
    break;
  case INVAR_ENCODING_HALF:
    writeCodes(
        length, bits, [&](size_t i) { return *narrowToHalf(uint32_t(at(i))); },
        codes);
    break;
  case INVAR_ENCODING_BFLOAT:
    writeCodes(length, bits, [&](size_t i) { return at(i) >> 16; }, codes);
    break;
  case INVAR_ENCODING_SINGLE:
    writeCodes(
        length, bits, [&](size_t i) { return *narrowToSingle(at(i)); }, codes);
    break;
  case INVAR_ENCODING_SCALED:
    writeCodes(
        length, bits,
        [&](size_t i) {
          auto number = llvm::bit_cast<float>(uint32_t(at(i)));
          return uint8_t(*unscale(number, scales->get(begin + i)));
        },
        codes);
    break;
  default: // The lowest bytes of each element.
    writeCodes(length, bits, at, codes);
    break;
  }
}

/// Returns the compressed codes, or the codes themselves if that is not shorter.
Bytes Encoder::encodePiece(uint64_t piece, Scratch &scratch) const {
  uint64_t begin = piece * header.piece_codes;
  makeCodes(begin, size_t(std::min(header.piece_codes, count - begin)),
            scratch);
  auto &[lanes, codes, compressed, context] = scratch;
  compressed.resize(ZSTD_compressBound(codes.size()));
  size_t length =
      ZSTD_compressCCtx(context.get(), compressed.data(), compressed.size(),
                        codes.data(), codes.size(), ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(length) || length >= codes.size())
    return codes;
  return {compressed.begin(), compressed.begin() + ptrdiff_t(length)};
}

std::vector<Bytes> Encoder::encodePieces() const {
  std::vector<Bytes> pieces(countPieces());
  std::atomic<uint64_t> next = 0;
  uint64_t workers =
      std::min<uint64_t>(pieces.size(), resolveThreads(options.threads));
  parallelFor(workers, 1, options.threads, [&](uint64_t, uint64_t) {
    Scratch scratch;
    for (uint64_t piece; (piece = next++) < pieces.size();)
      pieces[piece] = encodePiece(piece, scratch);
  });
  return pieces;
}

llvm::Expected<std::optional<Elements>> Encoder::run(uint64_t mostBytes) {
  std::vector<Bytes> pieces = encodePieces();
  Bytes ends;
  uint64_t end = 0;
  for (const Bytes &piece : pieces) {
    end += piece.size();
    auto *bytes = reinterpret_cast<const uint8_t *>(&end);
    ends.insert(ends.end(), bytes, bytes + sizeof(end));
  }
  uint64_t total = sizeof(header) + parameters.size() + ends.size() + end;
  if (total > mostBytes)
    return std::nullopt;
  auto buffer =
      Buffer::create(DataType::Int8, int64_t(total),
                     [&](llvm::MutableArrayRef<uint8_t> bytes) {
                       uint8_t *to = bytes.data();
                       auto append = [&](const void *from, size_t length) {
                         if (length)
                           std::memcpy(to, from, length);
                         to += length;
                       };
                       append(&header, sizeof(header));
                       append(parameters.data(), parameters.size());
                       append(ends.data(), ends.size());
                       for (Bytes &piece : pieces) {
                         append(piece.data(), piece.size());
                         Bytes().swap(piece);
                       }
                     });
  if (!buffer)
    return buffer.takeError();
  return ElementsBuilder().fromBuffer(*buffer, int64_t(total));
}

llvm::Expected<std::optional<Elements>>
invar::encode(const Elements &content, const EncodingOptions &options) {
  NumberKind kind = getKind(content.getType());
  if (kind == NumberKind::String || kind == NumberKind::Complex)
    return std::nullopt;
  uint64_t bytes =
      uint64_t(content.numElements()) * getLaneSize(content.getType());
  if (bytes < std::max<uint64_t>(options.leastBytes, options.leastSaved))
    return std::nullopt;
  uint64_t most = std::min(bytes - options.leastSaved,
                           bytes - bytes / 100 * options.leastPercent);
  return Encoder(content, options.evaluation).run(most);
}
