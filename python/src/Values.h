// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts values between Python and the runtime:
//
//   tensor      an array: numpy's, or anything that speaks DLPack or the buffer protocol
//   strings     numpy's array of str objects
//   sequence    a list
//   optional    None, or the value in it
//   map         a dict; in, any mapping
//
// Invariant: inputs are not copied if their elements are row-major and aligned. Outputs
// are not copied, except those that Python must not write: constants of the model, and
// memory that Python already has, as an input or as another output.
#ifndef INVAR_PYTHON_VALUES_H
#define INVAR_PYTHON_VALUES_H

#include "Waiting.h"
#include "invar-c/Invar.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <map>
#include <string>

namespace invar::python {

namespace nb = nanobind;

/// Whether an object is a dict or any other collections.abc.Mapping.
bool isMapping(nb::handle object);

/// Converts an object to a value of the type that the model declares, as far as it
/// fits; the runtime reports mismatches. None becomes an empty value. `what` names the
/// object in messages: "input 'x'". Many strings take long, so the limits apply here.
rt::Value toValue(nb::handle object, const InvarType *type,
                  const std::string &what, const Limits &limits);

/// A tensor to write into: the array must be row-major and writable.
rt::Value toPlace(nb::handle object, const std::string &what);

/// A set of memory ranges that do not overlap.
class Memory {
public:
  /// Adds a range; returns false if part of it was already there.
  bool add(const void *begin, size_t size);

private:
  std::map<uintptr_t, uintptr_t> ends; // by beginning
};

/// Converts values to Python objects.
class Giver {
public:
  /// The limits must outlive it.
  explicit Giver(const Limits &limits) : limits(limits) {}

  /// Records memory that Python already has.
  void know(const rt::Value &value);
  nb::object give(rt::Value value);

private:
  nb::object giveArray(rt::Value value);
  nb::object giveStrings(const rt::Value &value);
  nb::list giveScalars(const rt::Value &value);
  nb::object giveMap(const rt::Value &value);

  const Limits &limits;
  Memory known;
  /// Keys of maps. Their values must live until everything is converted.
  std::map<const InvarValue *, nb::list> keys;
};

} // namespace invar::python

#endif // INVAR_PYTHON_VALUES_H
