// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Wire/ExternalData.h"

#include "invar/Support/Error.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace invar;

/// Decimal digits and nothing else: no sign, space or prefix.
static llvm::Expected<uint64_t> parseNumber(const EntryView &entry) {
  uint64_t number = 0;
  bool allDigits =
      entry.value.find_first_not_of("0123456789") == llvm::StringRef::npos;
  if (!allDigits || entry.value.getAsInteger(10, number))
    return badInput("external_data '" + entry.key +
                    "': expected a decimal number of at most 64 bits, but got "
                    "'" +
                    entry.value.take_front(64) + "'");
  return number;
}

llvm::Expected<ExternalLocation>
invar::parseExternalLocation(llvm::ArrayRef<EntryView> entries) {
  const EntryView *location = nullptr, *offset = nullptr, *length = nullptr,
                  *checksum = nullptr;
  for (const EntryView &entry : entries) {
    const EntryView **place = entry.key == "location"   ? &location
                              : entry.key == "offset"   ? &offset
                              : entry.key == "length"   ? &length
                              : entry.key == "checksum" ? &checksum
                                                        : nullptr;
    if (!place)
      continue;
    if (*place)
      return badInput("external_data '" + entry.key +
                      "': expected one value, but got '" +
                      (*place)->value.take_front(64) + "' and '" +
                      entry.value.take_front(64) + "'");
    *place = &entry;
  }

  if (!location)
    return badInput("external_data: expected a key 'location', but got none");
  ExternalLocation result;
  result.location = location->value;
  if (checksum)
    result.checksum = checksum->value;
  if (offset)
    if (llvm::Error error = parseNumber(*offset).moveInto(result.offset))
      return error;
  if (length)
    if (llvm::Error error = parseNumber(*length).moveInto(result.length))
      return error;
  return result;
}

ExternalFiles::ExternalFiles(llvm::StringRef modelPath)
    : folder(llvm::sys::path::parent_path(modelPath)) {
  if (folder.empty())
    folder = ".";
}

ExternalFiles::~ExternalFiles() {
  if (folderDescriptor >= 0)
    close(folderDescriptor);
}

/// Why a location may not even be tried, or an empty string.
static llvm::StringRef findFault(llvm::StringRef location) {
  if (location.empty())
    return "an empty one";
  if (location.contains('\0'))
    return "one with a zero byte";
  if (location.contains('\\'))
    return "one with a backslash";
  if (location.starts_with("/"))
    return "an absolute one";
  while (!location.empty()) {
    auto [component, rest] = location.split('/');
    if (component == "..")
      return "one with '..'";
    location = rest;
  }
  return "";
}

static llvm::Error outside(llvm::StringRef location) {
  return badInput("'" + location +
                  "': expected a file inside the model's folder, but got a "
                  "link that leads out of it");
}

/// For kernels before 5.6: where did the descriptor get to?
static bool isBeneath(int descriptor, int folder) {
  auto pathOf = [](int fd) -> std::string {
    char path[PATH_MAX];
    std::string self = "/proc/self/fd/" + std::to_string(fd);
    ssize_t size = readlink(self.c_str(), path, sizeof(path));
    return size < 0 ? "" : std::string(path, size);
  };
  std::string parent = pathOf(folder);
  if (parent.empty())
    return false; // no /proc: nothing can be proven
  if (parent.back() != '/')
    parent += '/';
  return llvm::StringRef(pathOf(descriptor)).starts_with(parent);
}

llvm::Expected<int> ExternalFiles::openBeneath(llvm::StringRef location) {
  if (folderDescriptor < 0)
    folderDescriptor = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folderDescriptor < 0)
    return systemError(folder, "open", errno);

  // O_NONBLOCK: a pipe is to be refused, not waited for.
  std::string name = location.str();
  open_how how = {};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  long descriptor = -1;
  do
    descriptor =
        syscall(SYS_openat2, folderDescriptor, name.c_str(), &how, sizeof(how));
  while (descriptor < 0 && (errno == EINTR || errno == EAGAIN));
  if (descriptor >= 0)
    return int(descriptor);
  if (errno == EXDEV || errno == ELOOP)
    return outside(location);
  if (errno != ENOSYS && errno != EPERM) // EPERM: a sandbox that is older
    return systemError(("'" + location + "'").str(), "open", errno);

  descriptor = openat(folderDescriptor, name.c_str(), int(how.flags));
  if (descriptor < 0)
    return systemError(("'" + location + "'").str(), "open", errno);
  if (isBeneath(int(descriptor), folderDescriptor))
    return int(descriptor);
  close(int(descriptor));
  return outside(location);
}

llvm::Expected<std::shared_ptr<const MappedFile>>
ExternalFiles::open(llvm::StringRef location) {
  if (auto known = byLocation.find(location); known != byLocation.end())
    return known->second;
  if (llvm::StringRef fault = findFault(location); !fault.empty())
    return badInput("'" + location.take_front(256) +
                    "': expected a relative path inside the model's folder, "
                    "but got " +
                    fault);
  llvm::Expected<int> descriptor = openBeneath(location);
  if (!descriptor)
    return descriptor.takeError();
  llvm::SmallString<256> path(folder == "." ? "" : folder);
  llvm::sys::path::append(path, location);
  llvm::Expected<std::shared_ptr<const MappedFile>> file =
      MappedFile::adopt(*descriptor, path);
  if (!file)
    return file.takeError();
  auto &same = byIdentity[(*file)->getIdentity()];
  if (!same)
    same = std::move(*file);
  byLocation[location] = same;
  return same;
}
