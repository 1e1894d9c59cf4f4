// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LibraryFile.h"

#include "Checksum.h"
#include "Descriptor.h"
#include "invar-c/Abi.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <new>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

using namespace invar::runtime;

/// More than the kernels of any model need.
static constexpr uint64_t mostHead = uint64_t(1) << 30;
static constexpr uint64_t mostName = 4096;

static Status systemFailure(const char *what) {
  // Like a lack of memory, a disk error does not mean that the file is bad.
  bool isShort =
      errno == ENOMEM || errno == EMFILE || errno == ENFILE || errno == EIO;
  return fail(isShort ? INVAR_OUT_OF_MEMORY : INVAR_BAD_MODEL, "cannot ", what,
              ": ", std::strerror(errno));
}

static Status expectChecksum(const char *what, uint64_t expected,
                             std::string_view bytes) {
  uint64_t got = computeChecksum(bytes.data(), bytes.size());
  return got == expected
             ? Status::success()
             : fail(INVAR_BAD_MODEL, "expected checksum ", expected, " for ",
                    what, ", but got ", got, ": the file is damaged");
}

static Status getSize(int descriptor, uint64_t &size) {
  struct stat facts;
  if (fstat(descriptor, &facts) != 0)
    return systemFailure("read");
  if (!S_ISREG(facts.st_mode))
    return fail(INVAR_BAD_MODEL, "expected a file, but got something else");
  size = uint64_t(facts.st_size);
  return Status::success();
}

/// Reads a part of a file. The caller has checked that the file is long enough.
static Status readPart(int descriptor, uint64_t offset, uint64_t size,
                       std::unique_ptr<char[]> &bytes) {
  bytes.reset(new (std::nothrow) char[size]);
  if (!bytes)
    return fail(INVAR_OUT_OF_MEMORY, "expected ", size,
                " bytes of memory for a library, but there are not as many");
  return readAt(descriptor, offset, bytes.get(), size) ? Status::success()
                                                       : systemFailure("read");
}

namespace {
/// Reads one file, beginning with its end.
class Reader {
public:
  Reader(int descriptor, const Surroundings &around, LibraryFile &file)
      : descriptor(descriptor), around(around), file(file) {}

  Status run() {
    if (Status status = getSize(descriptor, fileSize))
      return status;
    if (Status status = readTrailer())
      return status;
    if (Status status = readTail())
      return status;
    if (Status status = readHead())
      return status;
    return isApart() ? openConstants() : mapConstants(descriptor, "");
  }

private:
  bool isApart() const { return trailer.file_name_size != 0; }

  Status readTrailer();
  Status explainMagic() const;
  Status readTail();
  Status readHead();
  Status openConstants();
  Status checkConstantsFile(int constants) const;
  Status mapConstants(int constants, std::string path);

  int descriptor;
  const Surroundings &around;
  LibraryFile &file;
  uint64_t fileSize = 0;
  InvarTrailer trailer = {};
  std::vector<uint64_t> checksums;
  std::string constantsName;
};
} // namespace

/// Explains why there is no trailer: recognizes libraries of former formats.
Status Reader::explainMagic() const {
  constexpr std::string_view magicOf2 = "INVARSO2", magicOf3 = "INVARSO3";
  constexpr uint64_t trailerOf2 = 48;
  char magic[8];
  for (auto [known, fromEnd] :
       {std::pair(magicOf2, trailerOf2), std::pair(magicOf3, sizeof(magic))})
    if (readAt(descriptor, fileSize - fromEnd, magic, sizeof(magic)) &&
        std::string_view(magic, sizeof(magic)) == known)
      return fail(INVAR_BAD_MODEL, "expected a library of format '",
                  INVAR_TRAILER_MAGIC, "', but got one of '", known,
                  "': compile the model again");
  return fail(INVAR_BAD_MODEL, "expected '", INVAR_TRAILER_MAGIC,
              "' at the file's end, but it is not there: the file was cut "
              "short, or is a library that Invar has not made");
}

Status Reader::readTrailer() {
  if (fileSize < sizeof(Elf64_Ehdr) + sizeof(trailer))
    return fail(INVAR_BAD_MODEL,
                "expected a compiled model, but got a file of ", fileSize,
                " bytes");
  char magic[SELFMAG];
  if (!readAt(descriptor, 0, magic, sizeof(magic)) ||
      !readAt(descriptor, fileSize - sizeof(trailer), &trailer,
              sizeof(trailer)))
    return systemFailure("read");
  // Report a file that is no library at all as such.
  if (std::memcmp(magic, ELFMAG, SELFMAG) != 0)
    return fail(INVAR_BAD_MODEL,
                "expected a compiled model, but got a file that is no library; "
                "a model that is to be compiled is not named '.so'");
  return std::memcmp(trailer.magic, INVAR_TRAILER_MAGIC,
                     sizeof(trailer.magic)) == 0
             ? Status::success()
             : explainMagic();
}

/// Reads everything after the constants. Only values that are checked here are trusted.
Status Reader::readTail() {
  auto page = uint64_t(sysconf(_SC_PAGESIZE));
  uint64_t head = trailer.head_size, offset = trailer.constants_offset;
  uint64_t size = trailer.constants_size, name = trailer.file_name_size;
  bool isGood = head <= mostHead && name <= mostName && offset % page == 0 &&
                size <= uint64_t(INT64_MAX) - mostHead &&
                (isApart() ? offset <= mostHead : offset == head);
  uint64_t begin = isGood ? head + (isApart() ? 0 : size) : 0;
  uint64_t table = isGood ? countBlocks(size) * sizeof(uint64_t) : 0;
  uint64_t tail = table + name + sizeof(trailer);
  if (!isGood || begin > fileSize || tail != fileSize - begin)
    return fail(INVAR_BAD_MODEL, "expected the parts of a library in ",
                fileSize, " bytes, but got ", head, " and ", size,
                " bytes of constants from ", offset,
                ": the file was cut short, or is damaged");
  std::unique_ptr<char[]> bytes;
  if (Status status = readPart(descriptor, begin, tail, bytes))
    return status;
  constexpr uint64_t behind =
      sizeof(trailer) - offsetof(InvarTrailer, tail_checksum);
  if (Status status =
          expectChecksum("what follows the constants", trailer.tail_checksum,
                         {bytes.get(), tail - behind}))
    return status;
  checksums.resize(countBlocks(size));
  if (table)
    std::memcpy(checksums.data(), bytes.get(), table);
  std::ranges::copy(trailer.key, file.key.begin());
  constantsName.assign(bytes.get() + table, name);
  return Status::success();
}

Status Reader::readHead() {
  file.headSize = trailer.head_size;
  if (Status status = readPart(descriptor, 0, file.headSize, file.head))
    return status;
  return expectChecksum("code and program", trailer.head_checksum,
                        {file.head.get(), file.headSize});
}

// Constants

std::string Surroundings::findBeside(const std::string &file) const {
  if (library.empty())
    return "";
  return library.substr(0, library.find_last_of('/') + 1) +
         file.substr(file.find_last_of('/') + 1);
}

Status Reader::mapConstants(int constants, std::string path) {
  file.constants = Store::Ref(
      Store::map(constants, trailer.constants_offset, trailer.constants_size,
                 {std::move(checksums), std::move(path)}));
  return file.constants ? Status::success()
                        : systemFailure("map the constants");
}

/// Checks that a file has the constants of this library, and all of them.
Status Reader::checkConstantsFile(int constants) const {
  uint64_t size;
  if (Status status = getSize(constants, size))
    return status;
  uint64_t begin = trailer.constants_offset;
  if (size != begin + trailer.constants_size)
    return fail(INVAR_BAD_MODEL, "expected ", begin + trailer.constants_size,
                " bytes, but got ", size);
  std::unique_ptr<char[]> header;
  if (Status status = readPart(constants, 0, begin, header))
    return status;
  if (computeChecksum(header.get(), begin) != trailer.file_checksum)
    return fail(INVAR_BAD_MODEL,
                "expected the constants that were written with the library, "
                "but got others, or the file is damaged");
  return Status::success();
}

/// Maps the constants from a file beside the library, or from the file that the caller
/// named.
Status Reader::openConstants() {
  std::string path = around.weights.empty() ? around.findBeside(constantsName)
                                            : around.weights;
  if (path.empty())
    return fail(INVAR_BAD_ARGUMENT, "expected the file '", constantsName,
                "', which has the constants, to be stated: where the library "
                "lies is not known");
  Descriptor constants(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!constants)
    return fail(
        INVAR_BAD_MODEL, path,
        ", which has the constants: cannot open: ", std::strerror(errno));
  if (Status status = checkConstantsFile(constants.get()))
    return std::move(status).in(path);
  file.constantsFile = path;
  return mapConstants(constants.get(), path);
}

Status LibraryFile::open(int descriptor, const Surroundings &around,
                         LibraryFile &file) {
  return Reader(descriptor, around, file).run();
}
