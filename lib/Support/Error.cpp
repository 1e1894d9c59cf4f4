// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/Error.h"

#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstring>

using namespace invar;

char InvarError::
    ID; // NOLINT: LLVM's errors are told apart by the address of this.

void InvarError::log(llvm::raw_ostream &os) const { os << text; }

std::error_code InvarError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

llvm::Error invar::badInput(const llvm::Twine &message) {
  return llvm::make_error<InvarError>(ErrorKind::BadInput, message.str());
}

llvm::Error invar::badUsage(const llvm::Twine &message) {
  return llvm::make_error<InvarError>(ErrorKind::BadUsage, message.str());
}

llvm::Error invar::outOfResources(const llvm::Twine &message) {
  return llvm::make_error<InvarError>(ErrorKind::OutOfResources, message.str());
}

static bool ranOut(int errnum) {
  switch (errnum) {
  case ENOSPC:
  case EDQUOT:
  case EFBIG:
  case ENOMEM:
  case EMFILE:
  case ENFILE:
    return true;
  default:
    return false;
  }
}

llvm::Error invar::systemError(llvm::StringRef path, const llvm::Twine &what,
                               int errnum) {
  ErrorKind kind =
      ranOut(errnum) ? ErrorKind::OutOfResources : ErrorKind::BadInput;
  return llvm::make_error<InvarError>(
      kind, (path + ": cannot " + what + ": " + std::strerror(errnum)).str());
}

llvm::Error invar::inContext(const llvm::Twine &prefix, llvm::Error error) {
  if (!error)
    return error;
  auto [kind, text] = describe(std::move(error));
  return llvm::make_error<InvarError>(kind, (prefix + text).str());
}

std::pair<ErrorKind, std::string> invar::describe(llvm::Error error) {
  ErrorKind kind = ErrorKind::BadInput;
  std::string text;
  auto add = [&](llvm::StringRef more) {
    if (!text.empty())
      text += '\n';
    text += more;
  };
  llvm::handleAllErrors(
      std::move(error),
      [&](const InvarError &e) {
        if (text.empty() || e.getKind() == ErrorKind::OutOfResources)
          kind = e.getKind();
        add(e.getText());
      },
      [&](const llvm::ErrorInfoBase &e) { add(e.message()); });
  return {kind, text};
}
