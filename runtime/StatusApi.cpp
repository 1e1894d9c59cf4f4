// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Status.h"

#include "invar/Files/Printable.h"

#define INVAR_TEXT(X) #X
#define INVAR_VERSION_TEXT(MAJOR, MINOR, PATCH)                                \
  INVAR_TEXT(MAJOR) "." INVAR_TEXT(MINOR) "." INVAR_TEXT(PATCH)

const char *invar_version(void) {
  return INVAR_VERSION_TEXT(INVAR_VERSION_MAJOR, INVAR_VERSION_MINOR,
                            INVAR_VERSION_PATCH);
}

InvarStatus *invar_status_create(InvarStatusCode code, const char *text) {
  return new InvarStatus{code, invar::makePrintable(text)};
}

InvarStatusCode invar_status_code(const InvarStatus *status) {
  return status ? status->code : INVAR_OK;
}

const char *invar_status_text(const InvarStatus *status) {
  return status ? status->text.c_str() : "";
}

void invar_status_free(InvarStatus *status) { delete status; }
