// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/OutputFile.h"

#include "invar/Stop/Scope.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace invar;

// Small writes are collected in a buffer of this size.
static constexpr uint64_t bufferSize = 256 * 1024;

// Below this size, a copy through memory is faster than copy_file_range.
static constexpr uint64_t smallCopy = 32 * 1024;

// The kernel accepts larger copies, but progress is counted after each copy.
static constexpr uint64_t largestCopy = 64 * 1024 * 1024;

/// Repeats a call that a signal interrupted.
template <typename Call> static auto retry(Call call) {
  decltype(call()) result;
  do
    result = call();
  while (result < 0 && errno == EINTR);
  return result;
}

/// The descriptor that a name like /dev/stdout stands for. Such names are links to the
/// file that the shell opened, which must be written, not replaced.
static std::optional<int> descriptorNamed(llvm::StringRef path) {
  if (path == "/dev/stdout")
    return STDOUT_FILENO;
  if (path == "/dev/stderr")
    return STDERR_FILENO;
  int number = 0;
  if ((path.consume_front("/dev/fd/") ||
       path.consume_front("/proc/self/fd/")) &&
      !path.getAsInteger(10, number))
    return number;
  return std::nullopt;
}

/// Follows links at the end of `path`. The resulting name need not exist yet.
static llvm::Expected<std::string> followLinks(llvm::StringRef path) {
  std::string target = path.str();
  for (int i = 0; i != 40; ++i) { // the kernel's limit
    char content[4096];
    ssize_t size = readlink(target.c_str(), content, sizeof(content));
    if (size < 0)
      return target;
    llvm::StringRef link(content, size);
    if (llvm::sys::path::is_absolute(link)) {
      target = link.str();
      continue;
    }
    llvm::SmallString<256> joined(llvm::sys::path::parent_path(target));
    llvm::sys::path::append(joined, link);
    target = joined.str().str();
  }
  return systemError(path, "write", ELOOP);
}

static std::string folderOf(const std::string &path) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  return folder.empty() ? "." : folder.str();
}

/// After a stop, some of the content may not have been computed.
static llvm::Error checkStop(llvm::StringRef path) {
  if (!StopScope::isDue())
    return llvm::Error::success();
  return outOfResources(path + ": " + StopScope::get()->explain());
}

llvm::Error OutputFile::fail(const llvm::Twine &what, int errnum) const {
  return systemError(path, what, errnum);
}

llvm::Expected<std::unique_ptr<OutputFile>>
OutputFile::create(llvm::StringRef path, OutputOptions options) {
  std::unique_ptr<OutputFile> file(new OutputFile());
  file->options = options;
  file->path = path.str();
  file->buffer = std::make_unique<char[]>(bufferSize);

  struct stat status;
  bool exists = stat(file->path.c_str(), &status) == 0;
  file->isDirect =
      descriptorNamed(path) ||
      (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
  if (file->isDirect) {
    if (llvm::Error error = file->openDirectly())
      return error;
    return file;
  }
  if (exists && S_ISDIR(status.st_mode))
    return file->fail("write", EISDIR);
  // rename() does not check whether the file is writable.
  if (exists && access(file->path.c_str(), W_OK) != 0)
    return file->fail("write", errno);

  llvm::Expected<std::string> target = followLinks(path);
  if (!target)
    return target.takeError();
  file->target = std::move(*target);
  if (llvm::Error error = file->openTemporary())
    return error;
  if (exists)
    if (llvm::Error error = file->takeAttributes(status))
      return error;
  return file;
}

llvm::Error OutputFile::openDirectly() {
  if (std::optional<int> number = descriptorNamed(path))
    descriptor = fcntl(*number, F_DUPFD_CLOEXEC, 0);
  else
    descriptor = retry(
        [&] { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY); });
  if (descriptor < 0)
    return fail("write", errno);
  return llvm::Error::success();
}

llvm::Error OutputFile::openTemporary() {
  if (!options.namedTemporary) {
    descriptor =
        ::open(folderOf(target).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      // commit() names the file through /proc, which a container may lack.
      std::string self = "/proc/self/fd/" + std::to_string(descriptor);
      if (access(self.c_str(), F_OK) == 0)
        return llvm::Error::success();
      close(descriptor);
      descriptor = -1;
    } else if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) {
      return fail("write", errno);
    }
  }
  return nameTemporary([&](const char *name) {
    descriptor = ::open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    return descriptor;
  });
}

/// Finds an unused name beside the target that `make` can create. On failure, `make`
/// returns a negative number and sets errno.
llvm::Error
OutputFile::nameTemporary(llvm::function_ref<int(const char *)> make) {
  llvm::StringRef name = llvm::sys::path::filename(target).take_front(200);
  for (int i = 0; i != 100; ++i) {
    llvm::SmallString<256> candidate(folderOf(target));
    unsigned random = llvm::sys::Process::GetRandomNumber();
    llvm::sys::path::append(candidate,
                            "." + name + "." + llvm::Twine::utohexstr(random));
    temporary = candidate.str().str();
    if (options.removeOnSignal)
      llvm::sys::RemoveFileOnSignal(temporary);
    if (make(temporary.c_str()) >= 0)
      return llvm::Error::success();
    int errnum = errno;
    if (options.removeOnSignal)
      llvm::sys::DontRemoveFileOnSignal(temporary);
    temporary.clear();
    if (errnum != EEXIST)
      return fail("write", errnum);
  }
  return fail("write", EEXIST);
}

/// Gives the new file the owner and permissions of the one that it replaces.
llvm::Error OutputFile::takeAttributes(const struct stat &replaced) {
  // Only root can change the owner; for other users the file becomes their own.
  struct stat mine;
  if (fstat(descriptor, &mine) == 0 &&
      (mine.st_uid != replaced.st_uid || mine.st_gid != replaced.st_gid) &&
      fchown(descriptor, replaced.st_uid, replaced.st_gid) != 0 &&
      errno != EPERM)
    return fail("write", errno);
  if (fchmod(descriptor, replaced.st_mode & 0777) != 0)
    return fail("write", errno);
  return llvm::Error::success();
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (!temporary.empty()) {
    unlink(temporary.c_str());
    if (options.removeOnSignal)
      llvm::sys::DontRemoveFileOnSignal(temporary);
    temporary.clear();
  }
  if (descriptor >= 0)
    close(descriptor);
  descriptor = -1;
}

llvm::Error OutputFile::write(llvm::StringRef bytes) {
  assert(descriptor >= 0 && "written after commit");
  if (bytes.size() > bufferSize - buffered)
    if (llvm::Error error = flush())
      return error;
  if (bytes.size() >= bufferSize) {
    if (llvm::Error error = writeAll(bytes))
      return error;
  } else if (!bytes.empty()) {
    std::memcpy(buffer.get() + buffered, bytes.data(), bytes.size());
    buffered += bytes.size();
  }
  advance(bytes.size());
  return llvm::Error::success();
}

void OutputFile::advance(uint64_t bytes) {
  position += bytes;
  if (options.written)
    *options.written += bytes;
}

llvm::Error OutputFile::flush() {
  llvm::StringRef bytes(buffer.get(), buffered);
  buffered = 0;
  return writeAll(bytes);
}

llvm::Error OutputFile::writeAll(llvm::StringRef bytes) {
  while (!bytes.empty()) {
    if (llvm::Error error = checkStop(path))
      return error;
    ssize_t written = retry([&] {
      return ::write(descriptor, bytes.data(),
                     std::min<size_t>(bytes.size(), largestCopy));
    });
    if (written < 0)
      return fail("write", errno);
    bytes = bytes.drop_front(written);
  }
  return llvm::Error::success();
}

llvm::Error OutputFile::alignTo(uint64_t alignment) {
  static constexpr char zeros[4096] = {};
  uint64_t missing = (alignment - position % alignment) % alignment;
  while (missing != 0) {
    uint64_t size = std::min<uint64_t>(missing, sizeof(zeros));
    if (llvm::Error error = write({zeros, size}))
      return error;
    missing -= size;
  }
  return llvm::Error::success();
}

llvm::Error OutputFile::copyRange(const MappedFile &source, ByteRange range) {
  if (range.size < smallCopy)
    return write(source.getBytes(range));
  if (llvm::Error error = flush())
    return error;

  off_t from = range.offset;
  uint64_t left = range.size;
  while (left != 0) {
    if (llvm::Error error = checkStop(path))
      return error;
    ssize_t copied = retry([&] {
      return copy_file_range(source.getDescriptor(), &from, descriptor, nullptr,
                             std::min(left, largestCopy), 0);
    });
    if (copied > 0) {
      left -= copied;
      advance(copied);
      continue;
    }
    if (copied < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG ||
                       errno == EIO || errno == ENOMEM))
      return fail("write", errno);
    // Pipes, other file systems, old kernels, or the end of the source: pread() handles
    // all of these.
    return copyThroughBuffer(source, {uint64_t(from), left});
  }
  return llvm::Error::success();
}

llvm::Error OutputFile::copyThroughBuffer(const MappedFile &source,
                                          ByteRange range) {
  // Do not read the mapping: a source that has become shorter must be an error.
  while (range.size != 0) {
    ssize_t got = retry([&] {
      return pread(source.getDescriptor(), buffer.get(),
                   std::min(range.size, bufferSize), off_t(range.offset));
    });
    if (got < 0)
      return systemError(source.getPath(), "read", errno);
    if (got == 0)
      return badInput(source.getPath() + ": expected " +
                      llvm::Twine(source.getSize()) +
                      " bytes, but the file shrank while it was read");
    if (llvm::Error error = writeAll({buffer.get(), size_t(got)}))
      return error;
    range.offset += got;
    range.size -= got;
    advance(got);
  }
  return llvm::Error::success();
}

llvm::Expected<llvm::StringRef> OutputFile::getPreview() {
  if (llvm::Error error = flush())
    return error;
  return temporary;
}

llvm::Error OutputFile::commit() {
  assert(descriptor >= 0 && "committed twice");
  if (llvm::Error error = flush())
    return error;
  if (llvm::Error error = checkStop(path))
    return error;
  if (!isDirect) {
    if (options.durable && fsync(descriptor) != 0)
      return fail("write", errno);
    if (llvm::Error error = appear())
      return error;
  }
  // Network file systems report a full disk here.
  int result = close(descriptor);
  descriptor = -1;
  if (result != 0 && errno != EINTR)
    return fail("write", errno);
  return llvm::Error::success();
}

llvm::Error OutputFile::appear() {
  if (temporary.empty()) {
    std::string self = "/proc/self/fd/" + std::to_string(descriptor);
    auto link = [&](const char *name) {
      return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
    };
    bool done = link(target.c_str()) == 0;
    if (!done && errno != EEXIST)
      return fail("write", errno);
    // Only rename() can replace a file, and it needs a name.
    if (!done)
      if (llvm::Error error = nameTemporary(link))
        return error;
  }
  if (!temporary.empty()) {
    if (rename(temporary.c_str(), target.c_str()) != 0)
      return fail("write", errno);
    if (options.removeOnSignal)
      llvm::sys::DontRemoveFileOnSignal(temporary);
    temporary.clear();
  }
  if (!options.durable)
    return llvm::Error::success();

  // The name must be on the disk too.
  int folder = ::open(folderOf(target).c_str(), O_RDONLY | O_CLOEXEC);
  if (folder < 0)
    return fail("write", errno);
  int result = fsync(folder);
  int errnum = errno;
  close(folder);
  return result == 0 ? llvm::Error::success() : fail("write", errnum);
}
