// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library in memory, loaded by this runtime instead of the system's loader. The
// system's loader keeps a list of all libraries of the process and finds them again
// by name and by file, even after the file was replaced: a new library could get the
// code of an old one. An image is in no list. Loading one file twice makes two
// independent images, and an image runs a copy of the bytes that were checked,
// whatever happens to the file.
//
//   std::unique_ptr<ElfImage> image;
//   if (Status status = ElfImage::read(bytes, image))
//     return status;
//   const void *table = image->find("invar_module", sizeof(InvarModule));
//   …
//   return image->makeExecutable();
//
// read() loads the library as data: nothing is executable, so it also reads libraries
// for other processors. Only makeExecutable() lets code run.
//
// Libraries of compiled kernels are simple. Anything beyond this list is rejected:
//
//   segments      ascending, on separate pages; none is writable and executable
//   symbols       that lie in segments
//   relocations   of addresses in the image, and of imports, in writable segments
//   imports       functions of invar-c/LibraryFunctions.def
//
// So there are no constructors, text relocations, IFUNC symbols, thread-local
// variables or other libraries. After relocation nothing is writable. Whatever the
// bytes contain, the reader never reads or writes outside of the file and the image.
// It ignores sections.
#ifndef INVAR_RUNTIME_ELFIMAGE_H
#define INVAR_RUNTIME_ELFIMAGE_H

#include "Status.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace invar::runtime {

/// A processor whose libraries can be read, with the types of its relocations.
struct ElfMachine {
  uint32_t number, relative, import, call;
};

class ElfImage {
public:
  /// Reads a library for any processor. None of it can be executed.
  static Status read(std::span<const char> file,
                     std::unique_ptr<ElfImage> &image);
  /// Reads a library, and lets its code run.
  static Status load(std::span<const char> file,
                     std::unique_ptr<ElfImage> &image);
  /// Lets the code run. Fails if the code is for another processor.
  Status makeExecutable();
  ~ElfImage();
  ElfImage(const ElfImage &) = delete;
  ElfImage &operator=(const ElfImage &) = delete;

  /// Returns the exported object of this name, aligned to 8 bytes and with at least
  /// `size` bytes, or null if there is none.
  const void *find(std::string_view name, size_t size) const;

  /// Whether `count` elements at `begin` lie in one segment.
  template <typename T> bool contains(const T *begin, uint64_t count) const {
    return reinterpret_cast<uintptr_t>(begin) % alignof(T) == 0 &&
           count <= UINT64_MAX / sizeof(T) &&
           containsBytes(begin, count * sizeof(T));
  }
  /// Whether a string begins there, and ends in the segment.
  bool containsString(const char *begin) const;
  /// Whether code can begin there.
  bool containsCode(const void *begin) const;

private:
  struct Table {
    uint64_t address = 0, size = 0;
  };
  struct Dynamic;

  ElfImage() = default;
  Status readHeader(std::span<const char> file, Elf64_Ehdr &header);
  Status readSegments(std::span<const char> file);
  Status addSegment(const Elf64_Phdr &segment, size_t fileSize);
  Status map(std::span<const char> file);
  Status readDynamic();
  Status readEntry(const Elf64_Dyn &entry, Dynamic &dynamic) const;
  Status readSymbols(const Dynamic &dynamic);
  Status checkSymbol(const Elf64_Sym &symbol) const;
  Status relocate(Table table);
  Status relocate(const Elf64_Rela &relocation);
  Status findImport(uint64_t number, uint64_t &address) const;

  bool containsBytes(const void *begin, uint64_t size) const;
  const Elf64_Phdr *findSegment(uint64_t address, uint64_t size) const;
  /// Whether the table lies in a segment that no relocation changes.
  bool isTable(Table table) const;
  /// Reads a value at an address, which must lie in the image.
  template <typename T> T read(uint64_t address) const {
    T value;
    std::memcpy(&value, base + address, sizeof(value));
    return value;
  }
  /// The string at an offset of the string table; null if the offset is beyond its
  /// end.
  const char *getString(uint64_t offset) const;

  /// The mapped memory. Addresses of the library count from `base`.
  void *memory = nullptr;
  size_t memorySize = 0;
  char *base = nullptr;

  const ElfMachine *machine = nullptr;
  std::vector<Elf64_Phdr> segments; ///< loaded ones, ascending
  Table dynamicTable, strings, symbols;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_ELFIMAGE_H
