// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that appears whole or not at all. Bytes go to a nameless file in the
// target's folder; commit() gives it the name. Whatever happens before (an
// error, a full disk, Ctrl-C, kill -9), the target is what it was and nothing
// is left beside it.
//
//   auto out = OutputFile::create("out.onnx");
//   ...
//   if (llvm::Error error = (*out)->write(header))
//     return error;                              // nothing appears
//   if (llvm::Error error = (*out)->copyRange(*model, weights))
//     return error;
//   return (*out)->commit();                     // out.onnx appears
//
// - The target may be the very file that is being read: its mapping keeps the
//   old bytes.
// - A symbolic link is written through: the file that it leads to is replaced.
// - A file that is replaced keeps its permissions; a new one gets what the
//   umask gives.
// - What is not a regular file (/dev/null, /dev/stdout, a pipe) is written
//   directly.
// - Where the work of the thread is stopped (Stop/Scope.h), writing fails, and the
//   file does not appear.
// - Where the file system has no nameless files, a hidden temporary stands in;
//   it is removed on failure and, with `removeOnSignal`, when a signal ends the
//   program.
//
// commit() is a rename, so a killed process leaves the old file or the new one.
// To hold that against a power failure too, `durable` first waits until the
// disk has the data: as long as writing the whole file takes, where otherwise
// the kernel does it later.
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
  /// Survive a power failure, not only a kill.
  bool durable = false;
  /// Remove a temporary that has a name when a signal ends the program. For
  /// programs: LLVM's handlers for SIGINT, SIGTERM and the like get installed.
  bool removeOnSignal = false;
  /// Take a named temporary even where nameless files work: network file
  /// systems have none, and tests want that way too.
  bool namedTemporary = false;
  /// Counts the bytes written, for somebody who watches.
  std::atomic<uint64_t> *written = nullptr;
};

class OutputFile {
public:
  static llvm::Expected<std::unique_ptr<OutputFile>>
  create(llvm::StringRef path, OutputOptions options = {});

  /// Without commit() before, all that was written is gone.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// The name that the caller gave.
  llvm::StringRef getPath() const { return path; }

  /// Bytes written so far.
  uint64_t getPosition() const { return position; }

  llvm::Error write(llvm::StringRef bytes);

  /// Zeros up to the next multiple of `alignment`, e.g. 4096 before a tensor
  /// that others want to map.
  llvm::Error alignTo(uint64_t alignment);

  /// Appends a part of another file; large ones without passing through this
  /// process. That the source has become too short meanwhile is BadInput in the
  /// source's name.
  llvm::Error copyRange(const MappedFile &source, ByteRange range);

  /// A name under which all that was written can be read before commit(); empty
  /// if it has none, which `namedTemporary` prevents for regular files.
  llvm::Expected<llvm::StringRef> getPreview();

  /// Makes the file appear. Nothing may be written after it.
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
  std::string target;    // with links followed
  std::string temporary; // hidden name in the target's folder, when it has one
  std::unique_ptr<char[]> buffer;
  uint64_t buffered = 0;
  uint64_t position = 0;
  int descriptor = -1;
  bool isDirect = false; // not a regular file, so there is nothing to rename
};

} // namespace invar

#endif // INVAR_SUPPORT_OUTPUTFILE_H
