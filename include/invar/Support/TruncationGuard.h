// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program does when a mapped file is cut short under it. The kernel
// reports this as SIGBUS at the instruction that reads, deep in some loop;
// nothing there can return an error. A program that has put a guard into main
// ends instead with exit code 1 and one line,
//
//   model.onnx: expected 4096 bytes, but the file shrank while it was read
//
// after removing the temporary files it was writing. Every other SIGBUS keeps
// the meaning it had. A library user who wants another policy does not make a
// guard.
#ifndef INVAR_SUPPORT_TRUNCATIONGUARD_H
#define INVAR_SUPPORT_TRUNCATIONGUARD_H

#include "llvm/ADT/StringRef.h"

namespace invar {

/// Make at most one, in main, before threads and after llvm::InitLLVM if that
/// is used (so that this handler is asked first); files mapped before count
/// too.
class TruncationGuard {
public:
  TruncationGuard();
  ~TruncationGuard();
  TruncationGuard(const TruncationGuard &) = delete;
  TruncationGuard &operator=(const TruncationGuard &) = delete;
};

/// What MappedFile tells the guard: that reads of `bytes` may fail because of
/// the file `descriptor`, called `path` (which lives as long as the mapping);
/// and that the mapping is about to go.
void *registerMapping(llvm::StringRef bytes, const char *path, int descriptor);
void unregisterMapping(void *registration);

} // namespace invar

#endif // INVAR_SUPPORT_TRUNCATIONGUARD_H
