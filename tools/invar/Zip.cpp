// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads zip archives as numpy writes them: one file, members stored or deflated,
// possibly with 64-bit sizes.
#include "Npy.h"

#include "Commands.h"
#include "invar/Support/Error.h"
#include "llvm/Support/Endian.h"
#include <zlib.h>

using namespace invar;
using llvm::StringRef;
namespace endian = llvm::support::endian;

// Signatures of the parts of an archive, and the sizes of their fixed portions.
static constexpr StringRef memberMark("PK\3\4", 4), entryMark("PK\1\2", 4),
    endMark("PK\5\6", 4), wideEndMark("PK\6\6", 4), locatorMark("PK\6\7", 4);
static constexpr size_t memberSize = 30, entrySize = 46, endSize = 22,
                        wideEndSize = 56, locatorSize = 20;

bool invar::isZip(StringRef bytes) {
  return bytes.starts_with(memberMark) || bytes.starts_with(endMark);
}

static llvm::Error damaged(const llvm::Twine &what) {
  return badInput("expected a whole .npz of numpy, but " + what);
}

/// Returns `size` bytes at `offset`; empty if there are not enough.
static StringRef slice(StringRef bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset)
    return StringRef();
  return bytes.substr(offset, size);
}

namespace {
/// The location of the list of members.
struct Directory {
  uint64_t count = 0, offset = 0;
};
} // namespace

static llvm::Expected<Directory> findDirectory(StringRef bytes) {
  // A comment of up to 64 KiB may follow the end record.
  size_t from =
      bytes.size() > 0x10000 + endSize ? bytes.size() - 0x10000 - endSize : 0;
  size_t place = bytes.substr(from).rfind(endMark);
  StringRef end = place == StringRef::npos
                      ? StringRef()
                      : slice(bytes, from + place, endSize);
  if (end.empty())
    return damaged("its end is missing");
  Directory directory{endian::read16le(end.data() + 10),
                      endian::read32le(end.data() + 16)};
  if (directory.count != 0xffff && directory.offset != 0xffffffff)
    return directory;
  // Larger numbers are in another record. The record before this one points to it.
  if (from + place < locatorSize)
    return damaged("its end is missing");
  StringRef locator = slice(bytes, from + place - locatorSize, locatorSize);
  StringRef wide =
      locator.starts_with(locatorMark)
          ? slice(bytes, endian::read64le(locator.data() + 8), wideEndSize)
          : StringRef();
  if (!wide.starts_with(wideEndMark))
    return damaged("its end is missing");
  return Directory{endian::read64le(wide.data() + 32),
                   endian::read64le(wide.data() + 48)};
}

/// Replaces each of `fields` that did not fit into 32 bits by its value from the 64-bit
/// extra field, in order.
static bool readWideFields(StringRef extra,
                           std::initializer_list<uint64_t *> fields) {
  StringRef wide;
  while (extra.size() >= 4) {
    uint16_t id = endian::read16le(extra.data());
    uint16_t size = endian::read16le(extra.data() + 2);
    if (size > extra.size() - 4)
      return false;
    if (id == 1)
      wide = extra.substr(4, size);
    extra = extra.drop_front(4 + size);
  }
  for (uint64_t *field : fields) {
    if (*field != 0xffffffff)
      continue;
    if (wide.size() < 8)
      return false;
    *field = endian::read64le(wide.data());
    wide = wide.drop_front(8);
  }
  return true;
}

llvm::Expected<std::vector<ZipMember>> invar::listZip(StringRef bytes) {
  auto directory = findDirectory(bytes);
  if (!directory)
    return directory.takeError();
  std::vector<ZipMember> members;
  uint64_t offset = directory->offset;
  for (uint64_t i = 0; i < directory->count; ++i) {
    StringRef entry = slice(bytes, offset, entrySize);
    if (!entry.starts_with(entryMark))
      return damaged("its list of members is");
    const char *at = entry.data();
    uint16_t method = endian::read16le(at + 10);
    uint64_t stored = endian::read32le(at + 20),
             size = endian::read32le(at + 24),
             place = endian::read32le(at + 42);
    uint64_t nameSize = endian::read16le(at + 28),
             extraSize = endian::read16le(at + 30),
             commentSize = endian::read16le(at + 32);
    StringRef rest = slice(bytes, offset + entrySize, nameSize + extraSize);
    if (rest.size() < nameSize + extraSize ||
        !readWideFields(rest.drop_front(nameSize), {&size, &stored, &place}))
      return damaged("its list of members is cut short");
    offset += entrySize + nameSize + extraSize + commentSize;
    ZipMember member{rest.take_front(nameSize).str(),
                     {},
                     size,
                     endian::read32le(at + 16),
                     method == 8};
    StringRef local = slice(bytes, place, memberSize);
    if (!local.starts_with(memberMark))
      return damaged("member '" + inOneLine(member.name) + "' is missing");
    uint64_t begin = place + memberSize + endian::read16le(local.data() + 26) +
                     endian::read16le(local.data() + 28);
    member.stored = slice(bytes, begin, stored);
    if (member.stored.size() != stored || (method != 8 && stored != size))
      return damaged("member '" + inOneLine(member.name) + "' is cut short");
    if ((method != 0 && method != 8) || (endian::read16le(at + 8) & 1))
      return badInput("expected members that are stored or deflated, but '" +
                      inOneLine(member.name) + "' is neither");
    members.push_back(std::move(member));
  }
  return members;
}

llvm::Expected<std::string> invar::extract(const ZipMember &member) {
  std::string name = inOneLine(member.name);
  std::string content;
  if (!member.isDeflated) {
    content = member.stored.str();
  } else {
    // Deflate cannot compress to less than 1/1032. Reject such claims before
    // allocating.
    if (member.size / 1032 > member.stored.size())
      return damaged("member '" + name + "' cannot be so large");
    content.resize(member.size);
    z_stream stream = {};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
      return outOfResources("cannot allocate memory to inflate '" + name + "'");
    // zlib counts with 32 bits, so both sides are processed in pieces.
    constexpr uint64_t piece = uint64_t(1) << 30;
    uint64_t read = 0, written = 0;
    int state = Z_OK;
    while (state == Z_OK) {
      auto in = uInt(std::min(piece, member.stored.size() - read));
      auto out = uInt(std::min(piece, member.size - written));
      stream.next_in = reinterpret_cast<Bytef *>(
          const_cast<char *>(member.stored.data() + read));
      stream.avail_in = in;
      stream.next_out = reinterpret_cast<Bytef *>(content.data() + written);
      stream.avail_out = out;
      state = inflate(&stream, Z_NO_FLUSH);
      read += in - stream.avail_in;
      written += out - stream.avail_out;
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END || written != member.size)
      return damaged("member '" + name + "' does not inflate");
  }
  if (crc32_z(0, reinterpret_cast<const Bytef *>(content.data()),
              content.size()) != member.checksum)
    return damaged("member '" + name + "' has another checksum");
  return content;
}
