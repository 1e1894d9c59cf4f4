// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Files/ModelFolder.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <linux/openat2.h>
#include <memory>
#include <sys/syscall.h>
#include <unistd.h>

using namespace invar;

/// A pipe must be refused, not waited for.
static constexpr int readFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

ModelFolder::ModelFolder(std::string_view modelPath) : model(modelPath) {
  size_t end = model.find_last_of('/');
  path = end == std::string::npos ? "." : model.substr(0, end ? end : 1);
}

ModelFolder::~ModelFolder() {
  if (descriptor >= 0)
    close(descriptor);
}

/// Why a location is invalid; empty if it is valid.
static std::string_view findFault(std::string_view location) {
  if (location.empty())
    return "an empty one";
  if (location.find('\0') != std::string_view::npos)
    return "one with a zero byte";
  if (location.find('\\') != std::string_view::npos)
    return "one with a backslash";
  if (location.front() == '/')
    return "an absolute one";
  while (!location.empty()) {
    size_t end = std::min(location.find('/'), location.size());
    if (location.substr(0, end) == "..")
      return "one with '..'";
    location.remove_prefix(std::min(end + 1, location.size()));
  }
  return "";
}

/// The path of an open descriptor; empty if it cannot be determined.
static std::string getPathOf(int descriptor) {
  char path[PATH_MAX];
  std::string self = "/proc/self/fd/" + std::to_string(descriptor);
  ssize_t size = readlink(self.c_str(), path, sizeof(path));
  return size < 0 ? "" : std::string(path, size_t(size));
}

/// Whether an open file is in a folder or below it.
static bool isBeneath(int descriptor, std::string folder) {
  if (folder.empty())
    return false; // The folder is unknown.
  if (folder.back() != '/')
    folder += '/';
  return getPathOf(descriptor).starts_with(folder);
}

/// The folder of the file that a model's path resolves to; empty if there is none.
static std::string getResolvedFolder(const std::string &model) {
  std::unique_ptr<char, decltype(&free)> real(realpath(model.c_str(), nullptr),
                                              free);
  std::string path = real ? real.get() : "";
  return path.substr(0, path.find_last_of('/') + 1);
}

/// Follows all links, but opens the file only if it is in the folder of the model or in
/// that of the file that the model's path resolves to.
int ModelFolder::openOutside(const char *location, Fault &fault) const {
  // O_PATH does not open the file itself, so this has no side effects.
  int place = openat(descriptor, location, O_PATH | O_CLOEXEC);
  if (place < 0) {
    fault = {Fault::NoFile, {}, errno};
    return -1;
  }
  int opened = -1;
  fault = {Fault::Outside};
  if (isBeneath(place, getPathOf(descriptor)) ||
      isBeneath(place, getResolvedFolder(model))) {
    opened =
        ::open(("/proc/self/fd/" + std::to_string(place)).c_str(), readFlags);
    fault = {Fault::NoFile, {}, errno};
  }
  close(place);
  return opened;
}

int ModelFolder::open(std::string_view location, Fault &fault) {
  if (std::string_view what = findFault(location); !what.empty()) {
    fault = {Fault::BadLocation, what};
    return -1;
  }
  if (descriptor < 0)
    descriptor = ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    fault = {Fault::NoFolder, {}, errno};
    return -1;
  }
  std::string name(location);
  open_how how = {};
  how.flags = readFlags;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  long opened = -1;
  do
    opened = syscall(SYS_openat2, descriptor, name.c_str(), &how, sizeof(how));
  while (opened < 0 && (errno == EINTR || errno == EAGAIN));
  if (opened >= 0)
    return int(opened);
  // EXDEV: a link that leads out. ENOSYS: a kernel before 5.6. EPERM: a sandbox of that
  // age.
  if (errno == EXDEV || errno == ENOSYS || errno == EPERM)
    return openOutside(name.c_str(), fault);
  fault = {errno == ELOOP ? Fault::Outside : Fault::NoFile, {}, errno};
  return -1;
}
