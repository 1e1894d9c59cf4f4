// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Failures inside the runtime. Like an llvm::Error, a Status is true if something went
// wrong:
//
//   if (Status status = checkRank(x))
//     return status;
//
//   return fail(INVAR_BAD_ARGUMENT, "expected rank ", rank, ", but got ", x.rank());
//
// A Status becomes the InvarStatus of the C API. It is one pointer, null on success.
#ifndef INVAR_RUNTIME_STATUS_H
#define INVAR_RUNTIME_STATUS_H

#include "invar-c/Status.h"

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

struct InvarStatus {
  InvarStatusCode code;
  std::string text;
};

namespace invar::runtime {

class [[nodiscard]] Status {
public:
  Status() = default;
  Status(InvarStatusCode code, std::string text)
      : failure(new InvarStatus{code, std::move(text)}) {}

  static Status success() { return {}; }

  explicit operator bool() const { return failure != nullptr; }
  InvarStatusCode getCode() const { return failure ? failure->code : INVAR_OK; }
  std::string_view getText() const {
    return failure ? std::string_view(failure->text) : std::string_view();
  }

  /// Prefixes the text of the failure with the place where it happened.
  Status in(std::string_view place) && {
    if (failure)
      failure->text = std::string(place).append(": ") + failure->text;
    return std::move(*this);
  }

  /// Appends more to the text of the failure.
  Status with(std::string_view more) && {
    if (failure)
      failure->text.append("; ").append(more);
    return std::move(*this);
  }

  /// Transfers ownership of the failure to a C caller.
  InvarStatus *release() && { return failure.release(); }

private:
  std::unique_ptr<InvarStatus> failure;
};

inline void append(std::string &text, std::string_view part) { text += part; }
template <std::integral T> void append(std::string &text, T number) {
  text += std::to_string(number);
}

/// Creates a failure whose text is the concatenation of strings and integers.
template <typename... Parts>
Status fail(InvarStatusCode code, const Parts &...parts) {
  std::string text;
  (append(text, parts), ...);
  return {code, std::move(text)};
}

} // namespace invar::runtime

#endif // INVAR_RUNTIME_STATUS_H
