// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of a model from Python's and to them:
//
//   tensor      an array: numpy's, or anything that speaks DLPack or the buffer protocol
//   strings     numpy's array of str objects
//   sequence    a list
//   optional    None, or what is in it
//   map         a dict; in, any mapping
//
// Invariant: whose elements lie row-major and aligned in memory is not copied on the way
// in, and nothing is on the way out, but for what Python could not write as it likes:
// constants of the model, and what it has in its hands already, as an input or as another
// output.
#ifndef INVAR_PYTHON_VALUES_H
#define INVAR_PYTHON_VALUES_H

#include "invar-c/Invar.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <map>
#include <string>

namespace invar::python {

namespace nb = nanobind;

/// Whether an object is a dict or anything else of collections.abc.Mapping.
bool isMapping(nb::handle object);

/// A value of the type that a model declares, as far as `object` fits it: the runtime tells
/// of what does not. None is no value. `what` names it in messages: "input 'x'".
rt::Value toValue(nb::handle object, const InvarType *type,
                  const std::string &what);

/// A tensor to be written: an array whose elements lie row-major and may be written.
rt::Value toPlace(nb::handle object, const std::string &what);

/// Memory, as ranges of addresses that do not overlap.
class Memory {
public:
  /// Adds a range; false where some of it was there already.
  bool add(const void *begin, size_t size);

private:
  std::map<uintptr_t, uintptr_t> ends; // by beginning
};

/// Hands values out to Python.
class Giver {
public:
  /// What Python has in its hands already.
  void know(const rt::Value &value);
  nb::object give(rt::Value value);

private:
  nb::object giveArray(rt::Value value);
  nb::object giveMap(const rt::Value &value);

  Memory known;
  /// Of maps, whose values live until all is given.
  std::map<const InvarValue *, nb::list> keys;
};

} // namespace invar::python

#endif // INVAR_PYTHON_VALUES_H
