// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension invar._invar: the C API for the package around it, whose Python makes plain
// lists and bytes of what users write.
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
