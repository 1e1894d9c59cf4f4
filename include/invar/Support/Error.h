// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can go wrong because of the world outside: a model file, a command line, a
// full disk. Such a failure travels as an llvm::Error that says whose fault it is;
// a mistake of ours is an assert. Invariant: the message is whole when the error is
// made, begins with the file it is about, and reads
//
//   model.onnx: graph.node[3] 'conv1': expected 2 or 3 inputs, but got 1
//
// lower case, no period, names in single quotes.
#ifndef INVAR_SUPPORT_ERROR_H
#define INVAR_SUPPORT_ERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace invar {

/// Whose fault it is. The values are the exit codes of the command line.
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

/// The failure of a system call on `path`: "PATH: cannot WHAT: No space left on device".
/// A disk, memory or descriptor that ran out is OutOfResources, the rest BadInput.
llvm::Error systemError(llvm::StringRef path, const llvm::Twine &what,
                        int errnum);

/// The same error with `prefix` put before its message, e.g. the node it happened in.
llvm::Error inContext(const llvm::Twine &prefix, llvm::Error error);

/// Consumes `error`: its kind (OutOfResources never hides behind another) and message.
std::pair<ErrorKind, std::string> describe(llvm::Error error);

} // namespace invar

#endif // INVAR_SUPPORT_ERROR_H
