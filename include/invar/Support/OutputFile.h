// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that appears complete or not at all. Bytes are written to a nameless file in
// the target's folder; commit() gives it the name. If anything happens before (an
// error, a full disk, Ctrl-C, kill -9), the target is unchanged and nothing is left
// beside it.
//
//   auto out = OutputFile::create("out.onnx");
//   ...
//   if (llvm::Error error = (*out)->write(header))
//     return error;                              // nothing appears
//   if (llvm::Error error = (*out)->copyRange(*model, weights))
//     return error;
//   return (*out)->commit();                     // out.onnx appears
//
// - The target may be the file that is being read: its mapping keeps the old bytes.
// - A symbolic link is followed: the file that it points to is replaced.
// - A replaced file keeps its permissions; a new one gets those of the umask.
// - A file that is not regular (/dev/null, /dev/stdout, a pipe) is written directly.
// - If the work of the thread is stopped (Stop/Scope.h), writing fails and the file
//   does not appear.
// - If the file system has no nameless files, a hidden temporary file is used. It is
//   removed on failure and, with `removeOnSignal`, when a signal ends the program.
//
// commit() renames the file, so a killed process leaves either the old file or the new
// one. To guarantee this for a power failure too, `durable` waits until the data is on
// the disk. That takes as long as writing the whole file; otherwise the kernel writes
// it later.
#ifndef INVAR_SUPPORT_OUTPUTFILE_H
#define INVAR_SUPPORT_OUTPUTFILE_H

#include "invar/Support/MappedFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

struct stat;

namespace invar {

struct OutputOptions {
  /// Survive a power failure, not only a killed process.
  bool durable = false;
  /// Remove a named temporary file when a signal ends the program. Only for programs:
  /// this installs LLVM's handlers for SIGINT, SIGTERM etc.
  bool removeOnSignal = false;
  /// Use a named temporary file even if nameless files work. Network file systems have
  /// none, so tests need to cover this case.
  bool namedTemporary = false;
  /// Counts the bytes written, to show progress.
  std::atomic<uint64_t> *written = nullptr;
};

class OutputFile {
public:
  static llvm::Expected<std::unique_ptr<OutputFile>>
  create(llvm::StringRef path, OutputOptions options = {});

  /// Discards everything that was written, unless commit() was called.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// The name that the caller gave.
  llvm::StringRef getPath() const { return path; }

  /// Bytes written so far.
  uint64_t getPosition() const { return position; }

  llvm::Error write(llvm::StringRef bytes);

  /// Writes zeros up to the next multiple of `alignment`, e.g. 4096 before a tensor
  /// that other programs may map.
  llvm::Error alignTo(uint64_t alignment);

  /// Appends a part of another file. Large parts are copied by the kernel, without
  /// passing through this process. If the source has become too short, the error is
  /// BadInput and names the source.
  llvm::Error copyRange(const MappedFile &source, ByteRange range);

  /// The name of a file with everything that was written so far, readable before
  /// commit(). Empty if there is none; for regular files, `namedTemporary` guarantees
  /// one.
  llvm::Expected<llvm::StringRef> getPreview();

  /// Makes the file appear. Nothing may be written afterwards.
  llvm::Error commit();

private:
  OutputFile() = default;

  llvm::Error openDirectly();
  llvm::Error openTemporary();
  llvm::Error nameTemporary(llvm::function_ref<int(const char *)> make);
  llvm::Error takeAttributes(const struct stat &replaced);
  llvm::Error appear();
  void advance(uint64_t bytes);
  llvm::Error flush();
  llvm::Error writeAll(llvm::StringRef bytes);
  llvm::Error copyThroughBuffer(const MappedFile &source, ByteRange range);
  llvm::Error fail(const llvm::Twine &what, int errnum) const;
  void discard();

  OutputOptions options;
  std::string path;      // as given
  std::string target;    // with links resolved
  std::string temporary; // hidden name in the target's folder, or empty
  std::unique_ptr<char[]> buffer;
  uint64_t buffered = 0;
  uint64_t position = 0;
  int descriptor = -1;
  bool isDirect = false; // not a regular file, so nothing is renamed
};

} // namespace invar

#endif // INVAR_SUPPORT_OUTPUTFILE_H
