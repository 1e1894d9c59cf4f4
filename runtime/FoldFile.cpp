// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FoldFile.h"

#include "Checksum.h"
#include "Descriptor.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace invar::runtime;

static Status explain(const std::string &path, const char *what, int code) {
  return fail(INVAR_OUT_OF_MEMORY, path, ": cannot ", what, ": ",
              std::strerror(code));
}

static uint64_t checksumOf(const InvarFoldHeader &header) {
  return computeChecksum(&header, offsetof(InvarFoldHeader, header_checksum));
}

/// Bytes of the list of checksums for `size` bytes of constants.
static uint64_t getListSize(uint64_t size) {
  return countBlocks(size) * sizeof(uint64_t);
}

FoldFile::FoldFile(std::string folder, Key key, uint64_t size)
    : folder(std::move(folder)), key(key), size(size) {}

FoldFile::~FoldFile() {
  if (isFinishing)
    pthread_join(finisher, nullptr);
}

std::string FoldFile::getName(const Key &key) {
  char name[3 * 16 + 1];
  std::snprintf(name, sizeof(name), "%016llx%016llx%016llx",
                static_cast<unsigned long long>(key[0]),
                static_cast<unsigned long long>(key[1]),
                static_cast<unsigned long long>(key[2]));
  return std::string(name) + INVAR_FOLD_SUFFIX;
}

// Reading

Status FoldFile::read(int descriptor, std::string name, InvarFoldHeader &header,
                      Store::Ref &kept) {
  // A read error is not reported as damage.
  auto unreadable = [] {
    return fail(INVAR_OUT_OF_MEMORY, "cannot read: ", std::strerror(errno));
  };
  struct stat facts;
  if (fstat(descriptor, &facts) != 0)
    return unreadable();
  if (!S_ISREG(facts.st_mode))
    return fail(INVAR_BAD_MODEL, "expected a file, but got something else");
  auto fileSize = uint64_t(facts.st_size);
  if (fileSize >= sizeof(header) &&
      !readAt(descriptor, 0, &header, sizeof(header)))
    return unreadable();
  if (fileSize < sizeof(header) ||
      std::memcmp(header.magic, INVAR_FOLD_MAGIC, sizeof(header.magic)) != 0 ||
      header.header_checksum != checksumOf(header))
    return fail(INVAR_BAD_MODEL,
                "expected a header, but it is damaged, or of another version");
  uint64_t rest = fileSize - sizeof(header);
  if (header.size > rest || getListSize(header.size) != rest - header.size)
    return fail(INVAR_BAD_MODEL, "expected ", header.size,
                " bytes of constants, but got ", rest, " with their checksums");
  BlockList expected{{}, std::move(name)};
  expected.checksums.resize(countBlocks(header.size));
  size_t listSize = getListSize(header.size);
  if (!readAt(descriptor, sizeof(header) + header.size,
              expected.checksums.data(), listSize))
    return unreadable();
  if (computeChecksum(expected.checksums.data(), listSize) !=
      header.blocks_checksum)
    return fail(INVAR_BAD_MODEL,
                "expected a list of checksums, but it is damaged");
  kept = Store::Ref(Store::map(descriptor, INVAR_FOLD_OFFSET, header.size,
                               std::move(expected)));
  return kept ? Status::success()
              : fail(INVAR_OUT_OF_MEMORY, "cannot map: ", std::strerror(errno));
}

Status FoldFile::checkFolder() {
  Reason why;
  return folder.open(why) || why.error != 0
             ? Status::success()
             : fail(INVAR_OUT_OF_MEMORY, why.text);
}

Status FoldFile::open(Store::Ref &kept) {
  Reason why;
  if (!folder.open(why))
    return Status::success(); // There is no file yet; begin() reports why.
  Descriptor file(folder.open(getName(key), why));
  if (!file)
    return why.text.empty() ? Status::success()
                            : fail(INVAR_BAD_MODEL, why.text);
  InvarFoldHeader header;
  Store::Ref found;
  if (Status status = read(file.get(), getPath(), header, found))
    return std::move(status).in(getPath());
  if (!std::equal(key.begin(), key.end(), header.key) || header.size != size)
    return fail(INVAR_BAD_MODEL, getPath(),
                ": expected constants of the name that the file has, but got "
                "others");
  kept = std::move(found);
  return Status::success();
}

// Writing

Status FoldFile::begin() {
  // If folds were stopped or failed, the file already exists.
  if (made.getDescriptor() >= 0)
    return Status::success();
  Reason why;
  if (!folder.make(why) || !made.create(folder, why))
    return fail(INVAR_OUT_OF_MEMORY, why.text);
  uint64_t all = INVAR_FOLD_OFFSET + size + getListSize(size);
  if (int code = posix_fallocate(made.getDescriptor(), 0, off_t(all)))
    return explain(folder.getPath(), "take room for constants", code);
  return Status::success();
}

bool FoldFile::keep() {
  int descriptor = made.getDescriptor();
  BlockChecksums blocks;
  blocks.add(range, size);
  std::vector<uint64_t> checksums = blocks.finish();
  size_t listSize = getListSize(size);
  InvarFoldHeader header = {};
  std::memcpy(header.magic, INVAR_FOLD_MAGIC, sizeof(header.magic));
  std::copy(key.begin(), key.end(), header.key);
  header.size = size;
  header.blocks_checksum = computeChecksum(checksums.data(), listSize);
  header.header_checksum = checksumOf(header);
  return writeAt(descriptor, INVAR_FOLD_OFFSET, range, size) &&
         writeAt(descriptor, INVAR_FOLD_OFFSET + size, checksums.data(),
                 listSize) &&
         writeAt(descriptor, 0, &header, sizeof(header)) &&
         fdatasync(descriptor) == 0 && made.commit(getName(key));
}

/// Maps the file over the memory with the same bytes, possibly while runs read them.
void FoldFile::moveOver() const {
  void *mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE,
                      made.getDescriptor(), INVAR_FOLD_OFFSET);
  if (mapped != MAP_FAILED &&
      mremap(mapped, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, range) ==
          MAP_FAILED)
    munmap(mapped, size);
}

void FoldFile::finish(char *computed) {
  if (made.getDescriptor() < 0)
    return;
  range = computed;
  auto run = [](void *self) -> void * {
    auto *file = static_cast<FoldFile *>(self);
    if (file->keep())
      file->moveOver();
    return nullptr;
  };
  isFinishing = pthread_create(&finisher, nullptr, run, this) == 0;
  if (!isFinishing)
    run(this);
}
