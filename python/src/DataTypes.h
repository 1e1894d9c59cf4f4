// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of ONNX's data types in numpy, in the package ml_dtypes, which adds types
// that numpy lacks, and in DLPack.
#ifndef INVAR_PYTHON_DATATYPES_H
#define INVAR_PYTHON_DATATYPES_H

#include "invar-c/Session.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <string_view>

namespace invar::python {

namespace nb = nanobind;

struct DataType {
  InvarDataType number;
  /// The name of the dtype.
  const char *name;
  /// 0 lanes if DLPack has another form of the type, as for elements of less than a
  /// byte.
  nb::dlpack::dtype exchanged;
  /// Whether ml_dtypes has the type, and numpy does not.
  bool isExtension;

  /// A type of numpy itself that has the same number of bytes for each element.
  nb::dlpack::dtype getCarrier() const;
  /// The name of the carrier.
  const char *getCarrierName() const;
  /// The dtype; fails if it needs a package that is not installed.
  nb::object getDtype() const;
};

/// Return null if there is none. Strings are not listed.
const DataType *findDataType(InvarDataType number);
const DataType *findDataType(std::string_view name);
const DataType *findDataType(nb::dlpack::dtype exchanged);

/// In onnxruntime's notation: "tensor(float)", "seq(map(int64,tensor(float)))".
std::string describe(const InvarType *type);
/// The sizes of axes: numbers, names, and None for others. None if the rank is unknown.
nb::object getShape(const InvarType *type);

} // namespace invar::python

#endif // INVAR_PYTHON_DATATYPES_H
