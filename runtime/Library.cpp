// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Library.h"

#include "CpuFeatures.h"
#include "Descriptor.h"
#include "invar-c/FoldFile.h"
#include "invar-c/Program.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace invar::runtime;

// Store

Store *Store::map(int descriptor, uint64_t offset, size_t size) {
  void *data = nullptr;
  if (size) {
    data =
        mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, off_t(offset));
    if (data == MAP_FAILED)
      return nullptr;
  }
  auto *store = new Store(static_cast<const char *>(data), size);
  store->isMapped = store->isOfFile = size != 0;
  return store;
}

Store *Store::make(size_t size) {
  if (!size)
    return new Store(nullptr, 0);
  void *data = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED)
    return nullptr;
  // It takes long to get so many small pages, one after the other.
  madvise(data, size, MADV_HUGEPAGE);
  auto *store = new Store(static_cast<const char *>(data), size);
  store->isMapped = true;
  return store;
}

void Store::dropPages(uint64_t offset, uint64_t count) const {
  if (!isOfFile)
    return;
  auto page = uint64_t(sysconf(_SC_PAGESIZE));
  uint64_t begin = (offset + page - 1) / page * page;
  uint64_t end = (offset + count) / page * page;
  if (begin < end)
    madvise(const_cast<char *>(data) + begin, end - begin, MADV_DONTNEED);
}

Store::~Store() {
  if (isMapped)
    munmap(const_cast<char *>(data), size);
}

void Store::release(void *pointer) {
  auto *store = static_cast<Store *>(pointer);
  if (store->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete store;
}

// The file

#if defined(__x86_64__)
static constexpr unsigned hostMachine = EM_X86_64;
#elif defined(__aarch64__)
static constexpr unsigned hostMachine = EM_AARCH64;
#endif

static Status systemFailure(const char *what) {
  bool isShort = errno == ENOMEM || errno == EMFILE || errno == ENFILE;
  return fail(isShort ? INVAR_OUT_OF_MEMORY : INVAR_BAD_MODEL, "cannot ", what,
              ": ", std::strerror(errno));
}

/// That the loader of the system can be let at the file: all that it will map is there.
static Status checkElf(int descriptor, uint64_t end) {
  Elf64_Ehdr header;
  if (!readAt(descriptor, 0, &header, sizeof(header)) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return fail(INVAR_BAD_MODEL,
                "expected a compiled model, but got a file that is no library");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != hostMachine)
    return fail(INVAR_BAD_PROCESSOR, "expected a library for machine ",
                hostMachine, ", but got one for ", header.e_machine);
  uint64_t size = uint64_t(header.e_phnum) * sizeof(Elf64_Phdr);
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr) ||
      header.e_phoff > end || size > end - header.e_phoff)
    return fail(INVAR_BAD_MODEL,
                "expected a compiled model, but got a damaged library");
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  if (!readAt(descriptor, header.e_phoff, segments.data(), size))
    return systemFailure("read");
  for (const Elf64_Phdr &segment : segments)
    if (segment.p_offset > end || segment.p_filesz > end - segment.p_offset)
      return fail(INVAR_BAD_MODEL, "expected ",
                  segment.p_offset + segment.p_filesz,
                  " bytes of library, but got ", end);
  return Status::success();
}

static Status readTrailer(int descriptor, uint64_t fileSize,
                          InvarTrailer &trailer) {
  if (fileSize < sizeof(Elf64_Ehdr) + sizeof(trailer))
    return fail(INVAR_BAD_MODEL,
                "expected a compiled model, but got a file of ", fileSize,
                " bytes");
  // Say of a file that is no library at all just that.
  if (Status status = checkElf(descriptor, fileSize))
    return status;
  if (!readAt(descriptor, fileSize - sizeof(trailer), &trailer,
              sizeof(trailer)))
    return systemFailure("read");
  if (std::memcmp(trailer.magic, INVAR_TRAILER_MAGIC, sizeof(trailer.magic)))
    return fail(INVAR_BAD_MODEL, "expected '", INVAR_TRAILER_MAGIC,
                "' near the file's end, but it is not there: the file was cut "
                "short, or is a library that Invar has not made");
  uint64_t end = fileSize - sizeof(trailer);
  if (trailer.file_name_size)
    return checkElf(descriptor, end);
  if (trailer.constants_offset > end ||
      trailer.constants_size > end - trailer.constants_offset ||
      trailer.constants_offset % uint64_t(sysconf(_SC_PAGESIZE)) != 0)
    return fail(INVAR_BAD_MODEL, "expected constants on whole pages before ",
                end, ", but got ", trailer.constants_size, " bytes from ",
                trailer.constants_offset);
  return checkElf(descriptor, trailer.constants_offset);
}

// Constants

static Status mapConstants(int descriptor, const InvarTrailer &trailer,
                           Store::Ref &store) {
  store = Store::Ref(
      Store::map(descriptor, trailer.constants_offset, trailer.constants_size));
  return store ? Status::success() : systemFailure("map the constants");
}

std::string Surroundings::findBeside(const std::string &file) const {
  if (library.empty())
    return "";
  return library.substr(0, library.find_last_of('/') + 1) +
         file.substr(file.find_last_of('/') + 1);
}

/// That a file has the constants of a library, as many as there should be.
static Status checkConstants(int descriptor, const InvarTrailer &trailer) {
  struct stat facts;
  if (fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode))
    return fail(INVAR_BAD_MODEL, "expected a file, but got something else");
  constexpr uint64_t longest = 1 << 30;
  auto page = uint64_t(sysconf(_SC_PAGESIZE));
  uint64_t begin = trailer.constants_offset, size = trailer.constants_size;
  if (begin > longest || begin % page != 0 || size > INT64_MAX - begin)
    return fail(INVAR_BAD_MODEL,
                "expected constants on whole pages, but the "
                "library says ",
                size, " bytes from ", begin);
  std::string header(std::min(begin, uint64_t(facts.st_size)), 0);
  if (!readAt(descriptor, 0, header.data(), header.size()))
    return systemFailure("read");
  if (header.size() != begin ||
      invar_fold_hash(header.data(), header.size()) != trailer.file_hash)
    return fail(INVAR_BAD_MODEL, "expected the constants that were written "
                                 "with the library, but got others");
  if (uint64_t(facts.st_size) != begin + size)
    return fail(INVAR_BAD_MODEL, "expected ", begin + size, " bytes, but got ",
                facts.st_size);
  return Status::success();
}

/// Maps the constants that lie in a file beside the library, or in the one that is stated.
static Status openConstants(int library, uint64_t librarySize,
                            const InvarTrailer &trailer,
                            const Surroundings &around, std::string &path,
                            Store::Ref &store) {
  constexpr uint64_t longest = 4096;
  uint64_t end = librarySize - sizeof(trailer);
  std::string name(std::min(trailer.file_name_size, longest), 0);
  if (name.size() != trailer.file_name_size || name.size() > end ||
      !readAt(library, end - name.size(), name.data(), name.size()))
    return fail(INVAR_BAD_MODEL, "expected the name of a file, but got ",
                trailer.file_name_size, " bytes");
  path = around.weights.empty() ? around.findBeside(name) : around.weights;
  if (path.empty())
    return fail(INVAR_BAD_ARGUMENT, "expected the file '", name,
                "', which has the constants, to be stated: where the library "
                "lies is not known");
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file)
    return fail(INVAR_BAD_MODEL, path,
                ", which has the constants: cannot "
                "open: ",
                std::strerror(errno));
  if (Status status = checkConstants(file.get(), trailer))
    return std::move(status).in(path);
  return mapConstants(file.get(), trailer, store);
}

// The library

static Status checkModule(const InvarModule &module) {
  if (module.abi_version != INVAR_ABI_VERSION)
    return fail(INVAR_BAD_MODEL, "expected a model compiled for version ",
                INVAR_ABI_VERSION,
                " of the runtime's interface, but got version ",
                module.abi_version);
  return checkCpuFeatures(module.features ? module.features : "");
}

Status invar::runtime::chooseModule(const InvarModule *&module) {
  Status status = checkModule(*module);
  while (status && module->abi_version == INVAR_ABI_VERSION && module->next) {
    module = module->next;
    status = checkModule(*module);
  }
  return status;
}

Status Library::open(int descriptor, const Surroundings &around,
                     std::unique_ptr<Library> &library) {
  library.reset(new Library);
  library->descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (library->descriptor < 0)
    return systemFailure("open");
  return library->load(around);
}

Library::~Library() {
  if (handle)
    dlclose(handle);
  if (descriptor >= 0)
    close(descriptor);
}

Status Library::load(const Surroundings &around) {
  struct stat facts;
  if (fstat(descriptor, &facts) != 0)
    return systemFailure("read");
  if (!S_ISREG(facts.st_mode))
    return fail(INVAR_BAD_MODEL, "expected a file, but got something else");
  InvarTrailer trailer;
  if (Status status = readTrailer(descriptor, uint64_t(facts.st_size), trailer))
    return status;

  std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    return fail(INVAR_BAD_MODEL, "cannot load: ", why ? why : "no reason");
  }
  module = static_cast<const InvarModule *>(dlsym(handle, INVAR_MODULE_SYMBOL));
  if (!module)
    return fail(INVAR_BAD_MODEL, "expected a symbol '", INVAR_MODULE_SYMBOL,
                "', but there is none");
  if (Status status = chooseModule(module))
    return status;
  uint64_t hash = invar_program_hash(module->program, module->program_words);
  if (hash != trailer.program_hash)
    return fail(INVAR_BAD_MODEL, "expected the program of hash ",
                trailer.program_hash, ", but got ", hash,
                ": the file was changed while it was in use, or is damaged");
  if (trailer.file_name_size)
    return openConstants(descriptor, uint64_t(facts.st_size), trailer, around,
                         constantsFile, store);
  return mapConstants(descriptor, trailer, store);
}
