// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles the truncation of a mapped file. The kernel reports it as SIGBUS at the
// reading instruction, deep in some loop, where no error can be returned. A program
// with a guard in main ends instead with exit code 1 and one line,
//
//   model.onnx: expected 4096 bytes, but the file shrank while it was read
//
// after it has removed the temporary files that it was writing. Every other SIGBUS
// keeps its previous meaning. A user of the library who wants another policy does not
// create a guard.
#ifndef INVAR_SUPPORT_TRUNCATIONGUARD_H
#define INVAR_SUPPORT_TRUNCATIONGUARD_H

#include "llvm/ADT/StringRef.h"

namespace invar {

/// Create at most one, in main, before threads are started, and after llvm::InitLLVM if
/// that is used (so that this handler runs first). Files that were mapped earlier are
/// covered too.
class TruncationGuard {
public:
  TruncationGuard();
  ~TruncationGuard();
  TruncationGuard(const TruncationGuard &) = delete;
  TruncationGuard &operator=(const TruncationGuard &) = delete;
};

/// MappedFile registers a mapping: reads of `bytes` may fail because of the file
/// `descriptor`, named `path` (which lives as long as the mapping). It unregisters the
/// mapping before it unmaps the file.
void *registerMapping(llvm::StringRef bytes, const char *path, int descriptor);
void unregisterMapping(void *registration);

} // namespace invar

#endif // INVAR_SUPPORT_TRUNCATIONGUARD_H
