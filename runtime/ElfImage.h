// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library in memory, brought there by this runtime and not by the system's loader. That
// one keeps a list of all libraries of the process and finds them again by names, by
// files, and by names that outlive both: a new library could get the code of an old one.
// An image is in no list. Two images of one file are two images, and what an image runs is
// a copy of the bytes that were checked, whatever happens to the file.
//
//   std::unique_ptr<ElfImage> image;
//   if (Status status = ElfImage::read(bytes, image))
//     return status;
//   const void *table = image->find("invar_module", sizeof(InvarModule));
//   …
//   return image->makeExecutable();
//
// read() makes data of it: nothing is executable, and a library for another processor can be
// looked at too. makeExecutable() is the only place that lets code run.
//
// What a compiler of kernels writes is simple, and nothing else is taken:
//
//   segments      in ascending pages of their own; none is writable and executable
//   symbols       that lie in segments
//   relocations   of addresses in the image, and of imports, in writable segments
//   imports       functions of invar-c/LibraryFunctions.def
//
// So there are no constructors, no text relocations, no functions that choose others
// (IFUNC), no thread-local variables and no other libraries. When all is relocated nothing
// is writable any more. Nothing that the bytes say makes it read or write elsewhere.
// Sections are of no use here, and are not looked at.
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

/// Processors whose libraries can be read, by the types of their relocations.
struct ElfMachine {
  uint32_t number, relative, import, call;
};

class ElfImage {
public:
  /// Reads a library of any processor. None of it can be executed.
  static Status read(std::span<const char> file,
                     std::unique_ptr<ElfImage> &image);
  /// Reads a library, and lets its code run.
  static Status load(std::span<const char> file,
                     std::unique_ptr<ElfImage> &image);
  /// Lets the code run. Fails where it is of another processor.
  Status makeExecutable();
  ~ElfImage();
  ElfImage(const ElfImage &) = delete;
  ElfImage &operator=(const ElfImage &) = delete;

  /// What the library exports under a name, aligned to 8 bytes, and of at least so many
  /// bytes; null where there is no such thing.
  const void *find(std::string_view name, size_t size) const;

  /// Whether so many elements from there on are of one segment.
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
  /// Whether a table is there, in a segment that no relocation changes.
  bool isTable(Table table) const;
  /// Reads what lies at an address of the image, which must have it.
  template <typename T> T read(uint64_t address) const {
    T value;
    std::memcpy(&value, base + address, sizeof(value));
    return value;
  }
  /// The string at an offset of the table of strings; null where it has none there.
  const char *getString(uint64_t offset) const;

  /// What is mapped; addresses of the library count from `base`.
  void *memory = nullptr;
  size_t memorySize = 0;
  char *base = nullptr;

  const ElfMachine *machine = nullptr;
  std::vector<Elf64_Phdr> segments; ///< ascending; those that are loaded
  Table dynamicTable, strings, symbols;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_ELFIMAGE_H
