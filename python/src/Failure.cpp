// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Failure.h"

using namespace invar::python;

static void translate(const std::exception_ptr &thrown, void *) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Failure &failure) {
    const char *name = "Error";
    switch (failure.getCode()) {
    case INVAR_BAD_ARGUMENT:
      name = "ArgumentError";
      break;
    case INVAR_CANCELLED:
      name = "Cancelled";
      break;
    case INVAR_DEADLINE_EXCEEDED:
      name = "DeadlineExceeded";
      break;
    default:
      break;
    }
    nb::object raised = nb::module_::import_("invar._errors").attr(name);
    PyErr_SetObject(raised.ptr(), toStr(failure.what()).ptr());
  }
}

void invar::python::raiseFailures() {
  nb::register_exception_translator(translate);
}
