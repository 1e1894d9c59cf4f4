// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How ONNX's data types are called by others: by numpy, by the package ml_dtypes, which
// gives numpy those that it does not have, and by DLPack.
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
  /// 0 lanes where DLPack has another form of it: elements of less than a byte.
  nb::dlpack::dtype exchanged;
  /// Whether ml_dtypes has it, and numpy does not.
  bool isExtension;

  /// What numpy itself can make arrays of, and has as many bytes an element.
  nb::dlpack::dtype getCarrier() const;
  /// The name of that.
  const char *getCarrierName() const;
  /// The dtype; fails where it takes a package that is not there.
  nb::object getDtype() const;
};

/// Null where there is none: strings are no numbers.
const DataType *findDataType(InvarDataType number);
const DataType *findDataType(std::string_view name);
const DataType *findDataType(nb::dlpack::dtype exchanged);

/// In the words of onnxruntime: "tensor(float)", "seq(map(int64,tensor(float)))".
std::string describe(const InvarType *type);
/// Sizes of axes: numbers, names, and None for others; None where the rank is not known.
nb::object getShape(const InvarType *type);

} // namespace invar::python

#endif // INVAR_PYTHON_DATATYPES_H
