// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension invar._invar: the C API for the Python package. The package converts
// its arguments to plain lists and bytes.
#include "Compiler.h"
#include "Failure.h"
#include "Session.h"
#include "Waiting.h"

NB_MODULE(_invar, module) {
  module.doc() = "The C API of Invar, for the package 'invar'.";
  module.def("version", &invar_version);
  invar::python::raiseFailures();
  invar::python::bindWaiting(module);
  invar::python::bindCompiler(module);
  invar::python::bindSession(module);
}
