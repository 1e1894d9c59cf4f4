// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the dynamic table, symbols and relocations of a library.
#include "ElfImage.h"
#include "LibraryFunctions.h"

#include <algorithm>

using namespace invar::runtime;

template <typename... Parts> static Status bad(const Parts &...parts) {
  return fail(INVAR_BAD_MODEL, "library: expected ", parts...);
}

// The dynamic table

struct ElfImage::Dynamic {
  Table strings, relocations, calls;
  uint64_t symbols = 0, hash = 0;
};

Status ElfImage::readEntry(const Elf64_Dyn &entry, Dynamic &dynamic) const {
  uint64_t value = entry.d_un.d_val;
  auto expect = [&](uint64_t expected) {
    return value == expected ? Status::success()
                             : bad(expected, " for dynamic entry ", entry.d_tag,
                                   ", but got ", value);
  };
  switch (entry.d_tag) {
  case DT_STRTAB:
    dynamic.strings.address = value;
    return Status::success();
  case DT_STRSZ:
    dynamic.strings.size = value;
    return Status::success();
  case DT_SYMTAB:
    dynamic.symbols = value;
    return Status::success();
  case DT_HASH:
    dynamic.hash = value;
    return Status::success();
  case DT_RELA:
    dynamic.relocations.address = value;
    return Status::success();
  case DT_RELASZ:
    dynamic.relocations.size = value;
    return Status::success();
  case DT_JMPREL:
    dynamic.calls.address = value;
    return Status::success();
  case DT_PLTRELSZ:
    dynamic.calls.size = value;
    return Status::success();
  case DT_SYMENT:
    return expect(sizeof(Elf64_Sym));
  case DT_RELAENT:
    return expect(sizeof(Elf64_Rela));
  case DT_PLTREL:
    return expect(DT_RELA);
  // Not needed here.
  case DT_SONAME:
  case DT_PLTGOT:
  case DT_RELACOUNT:
    return Status::success();
  case DT_INIT:
  case DT_FINI:
  case DT_INIT_ARRAY:
  case DT_INIT_ARRAYSZ:
  case DT_FINI_ARRAY:
  case DT_FINI_ARRAYSZ:
  case DT_PREINIT_ARRAY:
  case DT_PREINIT_ARRAYSZ:
    return bad("no code that runs when it is loaded or unloaded, but got "
               "dynamic entry ",
               entry.d_tag);
  case DT_NEEDED:
    return bad("no other library that is needed: compile the model again");
  case DT_TEXTREL:
    return bad("no relocations of code");
  case DT_FLAGS:
    return value & ~uint64_t(DF_BIND_NOW | DF_SYMBOLIC)
               ? bad("no flags that need more than relocations, but got ",
                     value)
               : Status::success();
  case DT_FLAGS_1:
    return value & ~uint64_t(DF_1_NOW)
               ? bad("no flags that need more than relocations, but got ",
                     value)
               : Status::success();
  default:
    return bad("no dynamic entry ", entry.d_tag);
  }
}

const char *ElfImage::getString(uint64_t offset) const {
  // The last byte of the table is zero; readSymbols() has checked that.
  return offset < strings.size ? base + strings.address + offset : nullptr;
}

Status ElfImage::readSymbols(const Dynamic &dynamic) {
  strings = dynamic.strings;
  if (strings.size == 0 || !isTable(strings) ||
      base[strings.address + strings.size - 1] != 0)
    return bad("a table of strings, but it is not there");
  // A hash table begins with the counts of its buckets and of the symbols.
  if (!isTable({dynamic.hash, 2 * sizeof(uint32_t)}))
    return bad("a hash table of symbols, but it is not there");
  uint64_t count = read<uint32_t>(dynamic.hash + sizeof(uint32_t));
  symbols = {dynamic.symbols, count * sizeof(Elf64_Sym)};
  if (!isTable(symbols))
    return bad("a table of ", count, " symbols, but it is not there");
  // The first symbol of every table is a placeholder.
  for (uint64_t i = 1; i < count; ++i)
    if (Status status = checkSymbol(
            read<Elf64_Sym>(symbols.address + i * sizeof(Elf64_Sym))))
      return status;
  return Status::success();
}

Status ElfImage::checkSymbol(const Elf64_Sym &symbol) const {
  const char *name = getString(symbol.st_name);
  if (!name)
    return bad("a symbol with a name, but got offset ", symbol.st_name, " of ",
               strings.size, " bytes of names");
  unsigned type = ELF64_ST_TYPE(symbol.st_info);
  if (type != STT_NOTYPE && type != STT_OBJECT && type != STT_FUNC)
    return bad("symbols of data and functions, but got '", name, "' of type ",
               type);
  if (symbol.st_shndx != SHN_UNDEF &&
      !findSegment(symbol.st_value, symbol.st_size))
    return bad("a symbol in the library, but got '", name, "' at ",
               symbol.st_value);
  return Status::success();
}

Status ElfImage::readDynamic() {
  if (!dynamicTable.size ||
      !findSegment(dynamicTable.address, dynamicTable.size))
    return bad("a dynamic table, but it is not there");
  Dynamic dynamic;
  for (uint64_t at = 0;; at += sizeof(Elf64_Dyn)) {
    if (dynamicTable.size - at < sizeof(Elf64_Dyn))
      return bad("an end of the dynamic table, but there is none");
    auto entry = read<Elf64_Dyn>(dynamicTable.address + at);
    if (entry.d_tag == DT_NULL)
      break;
    if (Status status = readEntry(entry, dynamic))
      return status;
  }
  if (Status status = readSymbols(dynamic))
    return status;
  if (Status status = relocate(dynamic.relocations))
    return status;
  return relocate(dynamic.calls);
}

// Relocations

Status ElfImage::findImport(uint64_t number, uint64_t &address) const {
  if (number >= symbols.size / sizeof(Elf64_Sym))
    return bad("a symbol below ", symbols.size / sizeof(Elf64_Sym),
               ", but got ", number);
  auto symbol = read<Elf64_Sym>(symbols.address + number * sizeof(Elf64_Sym));
  const char *found = getString(symbol.st_name);
  std::string_view name = found ? found : "";
  if (symbol.st_shndx != SHN_UNDEF)
    return bad("an import, but got symbol '", name, "', which is not one");
  std::span functions(invarLibraryFunctions, invarNumLibraryFunctions);
  auto known = std::ranges::find(functions, name, [](const auto &function) {
    return std::string_view(function.name);
  });
  if (known == functions.end())
    return bad("a function that libraries may call, but got '", name, "'");
  address = reinterpret_cast<uint64_t>(known->address);
  return Status::success();
}

Status ElfImage::relocate(const Elf64_Rela &relocation) {
  uint64_t place = relocation.r_offset, value = 0;
  const Elf64_Phdr *segment = findSegment(place, sizeof(value));
  if (!segment || !(segment->p_flags & PF_W))
    return bad("relocations in what is writable, but got one at ", place);
  uint64_t type = ELF64_R_TYPE(relocation.r_info);
  auto addend = uint64_t(relocation.r_addend);
  if (type == machine->relative) {
    if (!findSegment(addend, 0))
      return bad("an address in the library, but got ", addend);
    value = reinterpret_cast<uint64_t>(base + addend);
  } else if ((type == machine->import || type == machine->call) &&
             addend == 0) {
    if (Status status = findImport(ELF64_R_SYM(relocation.r_info), value))
      return status;
  } else {
    return bad("relocations of addresses and imports, but got one of type ",
               type);
  }
  std::memcpy(base + place, &value, sizeof(value));
  return Status::success();
}

Status ElfImage::relocate(Table table) {
  if (table.size == 0)
    return Status::success();
  if (table.size % sizeof(Elf64_Rela) != 0 || !isTable(table))
    return bad("a table of relocations, but got ", table.size, " bytes at ",
               table.address);
  for (uint64_t at = 0; at < table.size; at += sizeof(Elf64_Rela))
    if (Status status = relocate(read<Elf64_Rela>(table.address + at)))
      return status;
  return Status::success();
}
