// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors that the outside world causes: a model file, a command line, a full disk. Such
// a failure is an llvm::Error with a kind that names the cause; a bug in Invar is an
// assert. Invariant: the message is complete when the error is created. It begins with
// the file that it is about, and reads
//
//   model.onnx: graph.node[3] 'conv1': expected 2 or 3 inputs, but got 1
//
// in lower case, without a period, with names in single quotes.
#ifndef INVAR_SUPPORT_ERROR_H
#define INVAR_SUPPORT_ERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace invar {

/// The cause of an error. The values are the exit codes of the command line.
enum class ErrorKind { BadInput = 1, BadUsage = 2, OutOfResources = 3 };

class InvarError : public llvm::ErrorInfo<InvarError> {
public:
  static char ID;

  InvarError(ErrorKind kind, std::string message)
      : kind(kind), text(std::move(message)) {}

  ErrorKind getKind() const { return kind; }
  llvm::StringRef getText() const { return text; }

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  ErrorKind kind;
  std::string text;
};

llvm::Error badInput(const llvm::Twine &message);
llvm::Error badUsage(const llvm::Twine &message);
llvm::Error outOfResources(const llvm::Twine &message);

/// The failure of a system call on `path`: "PATH: cannot WHAT: No space left on
/// device". The kind is OutOfResources if a disk, memory or descriptors ran out,
/// otherwise BadInput.
llvm::Error systemError(llvm::StringRef path, const llvm::Twine &what,
                        int errnum);

/// Returns the same error with `prefix` before its message, e.g. the node where it
/// happened.
llvm::Error inContext(const llvm::Twine &prefix, llvm::Error error);

/// Consumes `error` and returns its kind and message. If one of several errors is
/// OutOfResources, so is the kind.
std::pair<ErrorKind, std::string> describe(llvm::Error error);

} // namespace invar

#endif // INVAR_SUPPORT_ERROR_H
