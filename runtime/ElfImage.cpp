// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ElfImage.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace invar::runtime;

#if defined(__x86_64__)
static constexpr unsigned hostMachine = EM_X86_64;
#elif defined(__aarch64__)
static constexpr unsigned hostMachine = EM_AARCH64;
#endif

static constexpr ElfMachine machines[] = {
    {EM_X86_64, R_X86_64_RELATIVE, R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT},
    {EM_AARCH64, R_AARCH64_RELATIVE, R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT},
};

/// More than the kernels of any model need.
static constexpr uint64_t mostMemory = uint64_t(1) << 30;
static constexpr uint64_t mostAlignment = uint64_t(64) << 10;

template <typename... Parts> static Status bad(const Parts &...parts) {
  return fail(INVAR_BAD_MODEL, "library: expected ", parts...);
}

static uint64_t getPageSize() {
  static const auto size = uint64_t(sysconf(_SC_PAGESIZE));
  return size;
}

static uint64_t alignDown(uint64_t address, uint64_t alignment) {
  return address / alignment * alignment;
}
static uint64_t alignUp(uint64_t address, uint64_t alignment) {
  return alignDown(address + alignment - 1, alignment);
}

ElfImage::~ElfImage() {
  if (memory)
    munmap(memory, memorySize);
}

// Segments

Status ElfImage::addSegment(const Elf64_Phdr &segment, size_t fileSize) {
  if (segment.p_offset > fileSize ||
      segment.p_filesz > fileSize - segment.p_offset)
    return bad("a segment in ", fileSize, " bytes, but got ", segment.p_filesz,
               " from ", segment.p_offset);
  if (segment.p_vaddr > mostMemory || segment.p_memsz > mostMemory ||
      segment.p_filesz > segment.p_memsz)
    return bad("a segment of at most ", mostMemory, " bytes, but got ",
               segment.p_memsz, " at ", segment.p_vaddr);
  bool isPower = (segment.p_align & (segment.p_align - 1)) == 0;
  if (!isPower || segment.p_align > mostAlignment)
    return bad("a segment aligned to at most ", mostAlignment,
               " bytes, but got ", segment.p_align);
  if (!(segment.p_flags & PF_R) ||
      ((segment.p_flags & PF_W) && (segment.p_flags & PF_X)))
    return bad("a segment that is readable, and not writable and executable, "
               "but got flags ",
               segment.p_flags);
  // Each page has one protection, so segments must not share pages.
  uint64_t free = 0;
  if (!segments.empty())
    free = alignUp(segments.back().p_vaddr + segments.back().p_memsz,
                   getPageSize());
  if (segment.p_vaddr < free)
    return bad("a segment from ", free, " on, but got one at ",
               segment.p_vaddr);
  segments.push_back(segment);
  return Status::success();
}

Status ElfImage::readHeader(std::span<const char> file, Elf64_Ehdr &header) {
  if (file.size() < sizeof(header) ||
      std::memcmp(file.data(), ELFMAG, SELFMAG) != 0)
    return bad("an ELF header, but there is none");
  std::memcpy(&header, file.data(), sizeof(header));
  auto known =
      std::ranges::find(machines, header.e_machine, &ElfMachine::number);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || known == std::end(machines))
    return fail(INVAR_BAD_PROCESSOR, "expected a library for machine ",
                hostMachine, ", but got one for ", header.e_machine);
  machine = known;
  uint64_t size = uint64_t(header.e_phnum) * sizeof(Elf64_Phdr);
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr) ||
      header.e_phoff > file.size() || size > file.size() - header.e_phoff)
    return bad("the headers of a shared library, but they are not there");
  return Status::success();
}

Status ElfImage::readSegments(std::span<const char> file) {
  Elf64_Ehdr header;
  if (Status status = readHeader(file, header))
    return status;
  bool statesStack = false;
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, file.data() + header.e_phoff + i * sizeof(segment),
                sizeof(segment));
    switch (segment.p_type) {
    case PT_LOAD:
      if (Status status = addSegment(segment, file.size()))
        return status;
      break;
    case PT_DYNAMIC:
      if (dynamicTable.size)
        return bad("one dynamic table, but got two");
      dynamicTable = {segment.p_vaddr, segment.p_memsz};
      break;
    case PT_GNU_STACK:
      if (segment.p_flags & PF_X)
        return bad("a stack that is not executable");
      statesStack = true;
      break;
    // Not needed here: headers, notes, tables for debuggers and unwinding, and RELRO,
    // because the whole image becomes read-only.
    case PT_NULL:
    case PT_PHDR:
    case PT_NOTE:
    case PT_GNU_EH_FRAME:
    case PT_GNU_RELRO:
    case PT_GNU_PROPERTY:
      break;
    case PT_TLS:
      return bad("no variables of threads, but got ", segment.p_memsz,
                 " bytes");
    default:
      return bad("no segment of type ", segment.p_type);
    }
  }
  if (segments.empty())
    return bad("a segment, but there is none");
  // Without PT_GNU_STACK, a library requests an executable stack.
  return statesStack ? Status::success()
                     : bad("a stack that is not executable, but got a library "
                           "that does not say so");
}

Status ElfImage::map(std::span<const char> file) {
  uint64_t alignment = getPageSize();
  for (const Elf64_Phdr &segment : segments)
    alignment = std::max<uint64_t>(alignment, segment.p_align);
  uint64_t end =
      alignUp(segments.back().p_vaddr + segments.back().p_memsz, getPageSize());
  // The system aligns the memory to a page. Reserve enough to align it further.
  memorySize = end + (alignment - getPageSize());
  memory = mmap(nullptr, memorySize, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    memory = nullptr;
    return fail(INVAR_OUT_OF_MEMORY, "expected ", memorySize,
                " bytes of memory for code, but got: ", std::strerror(errno));
  }
  auto address = reinterpret_cast<uintptr_t>(memory);
  base = static_cast<char *>(memory) + (alignUp(address, alignment) - address);
  for (const Elf64_Phdr &segment : segments)
    std::memcpy(base + segment.p_vaddr, file.data() + segment.p_offset,
                segment.p_filesz);
  return Status::success();
}

Status ElfImage::makeExecutable() {
  if (machine->number != hostMachine)
    return fail(INVAR_BAD_PROCESSOR, "expected a library for machine ",
                hostMachine, ", but got one for ", machine->number);
  bool hasFailed = false;
  for (const Elf64_Phdr &segment : segments) {
    if (!(segment.p_flags & PF_X))
      continue;
    uint64_t begin = alignDown(segment.p_vaddr, getPageSize());
    uint64_t end = alignUp(segment.p_vaddr + segment.p_memsz, getPageSize());
    hasFailed = hasFailed ||
                mprotect(base + begin, end - begin, PROT_READ | PROT_EXEC) != 0;
    __builtin___clear_cache(base + begin, base + end);
  }
  return hasFailed ? fail(INVAR_OUT_OF_MEMORY,
                          "cannot make code executable: ", std::strerror(errno))
                   : Status::success();
}

const Elf64_Phdr *ElfImage::findSegment(uint64_t address, uint64_t size) const {
  auto found = std::ranges::find_if(segments, [&](const Elf64_Phdr &segment) {
    return address >= segment.p_vaddr &&
           address - segment.p_vaddr <= segment.p_memsz &&
           size <= segment.p_memsz - (address - segment.p_vaddr);
  });
  return found == segments.end() ? nullptr : &*found;
}

bool ElfImage::isTable(Table table) const {
  const Elf64_Phdr *segment = findSegment(table.address, table.size);
  return segment && !(segment->p_flags & PF_W);
}

Status ElfImage::read(std::span<const char> file,
                      std::unique_ptr<ElfImage> &image) {
  std::unique_ptr<ElfImage> made(new ElfImage);
  if (Status status = made->readSegments(file))
    return status;
  if (Status status = made->map(file))
    return status;
  if (Status status = made->readDynamic())
    return status;
  if (mprotect(made->memory, made->memorySize, PROT_READ) != 0)
    return fail(INVAR_OUT_OF_MEMORY,
                "cannot make a library read-only: ", std::strerror(errno));
  image = std::move(made);
  return Status::success();
}

Status ElfImage::load(std::span<const char> file,
                      std::unique_ptr<ElfImage> &image) {
  std::unique_ptr<ElfImage> made;
  if (Status status = read(file, made))
    return status;
  if (Status status = made->makeExecutable())
    return status;
  image = std::move(made);
  return Status::success();
}

// Queries

const void *ElfImage::find(std::string_view wanted, size_t size) const {
  for (uint64_t at = 0; at < symbols.size; at += sizeof(Elf64_Sym)) {
    auto symbol = read<Elf64_Sym>(symbols.address + at);
    const char *name = getString(symbol.st_name);
    if (symbol.st_shndx == SHN_UNDEF || !name || name != wanted)
      continue;
    bool isThere = ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT &&
                   symbol.st_value % sizeof(uint64_t) == 0 &&
                   findSegment(symbol.st_value, size);
    return isThere ? base + symbol.st_value : nullptr;
  }
  return nullptr;
}

bool ElfImage::containsBytes(const void *begin, uint64_t size) const {
  uint64_t address = reinterpret_cast<uint64_t>(begin);
  auto first = reinterpret_cast<uint64_t>(base);
  return address >= first && findSegment(address - first, size);
}

bool ElfImage::containsString(const char *begin) const {
  if (!containsBytes(begin, 1))
    return false;
  const Elf64_Phdr *segment = findSegment(uint64_t(begin - base), 1);
  const char *end = base + segment->p_vaddr + segment->p_memsz;
  return std::memchr(begin, 0, size_t(end - begin)) != nullptr;
}

bool ElfImage::containsCode(const void *begin) const {
  if (!containsBytes(begin, 1))
    return false;
  uint64_t address = uint64_t(static_cast<const char *>(begin) - base);
  return findSegment(address, 1)->p_flags & PF_X;
}
