// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Failure.h"

using namespace invar::python;

static void translate(const std::exception_ptr &thrown, void *) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Failure &failure) {
    bool isArgument = failure.getCode() == INVAR_BAD_ARGUMENT;
    nb::object raised = nb::module_::import_("invar._errors")
                            .attr(isArgument ? "ArgumentError" : "Error");
    PyErr_SetObject(raised.ptr(), toStr(failure.what()).ptr());
  }
}

void invar::python::raiseFailures() {
  nb::register_exception_translator(translate);
}
