// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors on their way to Python. Inside the extension they are C++ exceptions:
//
//   Failure with INVAR_BAD_ARGUMENT    invar.ArgumentError, which is a ValueError too
//   Failure with INVAR_CANCELLED       invar.Cancelled
//   … with INVAR_DEADLINE_EXCEEDED     invar.DeadlineExceeded, which is a TimeoutError too
//   Failure with any other code        invar.Error, which is a RuntimeError
//
// Also converts strings to and from Python. Names and strings of a model are bytes that
// need not be UTF-8; they survive a round trip (surrogateescape).
#ifndef INVAR_PYTHON_FAILURE_H
#define INVAR_PYTHON_FAILURE_H

#include "invar-c/Invar.hpp"

#include <nanobind/nanobind.h>

#include <exception>
#include <string>
#include <string_view>

namespace invar::python {

namespace nb = nanobind;

class Failure : public std::exception {
public:
  Failure(InvarStatusCode code, std::string text)
      : code(code), text(std::move(text)) {}
  explicit Failure(const rt::Error &error)
      : Failure(error.code(), error.text()) {}

  InvarStatusCode getCode() const { return code; }
  const char *what() const noexcept override { return text.c_str(); }

private:
  InvarStatusCode code;
  std::string text;
};

/// Throws if the status is a failure.
inline void check(InvarStatus *status) {
  if (rt::Error error{status})
    throw Failure(error);
}
template <typename T> T take(rt::Result<T> result) {
  if (!result)
    throw Failure(result.error());
  return std::move(*result);
}

/// Throws an error about an invalid argument.
[[noreturn]] inline void reject(std::string expected, const std::string &got) {
  throw Failure(INVAR_BAD_ARGUMENT,
                "expected " + std::move(expected) + ", but got " + got);
}

inline nb::str toStr(std::string_view text) {
  PyObject *decoded = PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()),
                                           "surrogateescape");
  if (!decoded)
    throw nb::python_error();
  return nb::steal<nb::str>(decoded);
}

/// The bytes of a str; a bytes object is returned unchanged.
inline nb::bytes toBytes(nb::handle text) {
  if (nb::isinstance<nb::bytes>(text))
    return nb::borrow<nb::bytes>(text);
  PyObject *encoded =
      PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape");
  if (!encoded)
    throw nb::python_error();
  return nb::steal<nb::bytes>(encoded);
}

inline std::string toUtf8(nb::handle text) {
  nb::bytes bytes = toBytes(text);
  return {bytes.c_str(), bytes.size()};
}

/// The same for C, where a null character ends a string.
inline std::string toText(nb::handle text) {
  std::string bytes = toUtf8(text);
  if (size_t end = bytes.find('\0'); end != std::string::npos)
    reject("a text without null characters",
           "one behind '" + bytes.substr(0, end) + "'");
  return bytes;
}

/// Translates failures that leave C++ to the errors of the package.
void raiseFailures();

} // namespace invar::python

#endif // INVAR_PYTHON_FAILURE_H
