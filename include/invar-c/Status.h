/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a function of the runtime fails: it returns an InvarStatus, and a null pointer means
 * that all went well. The text says what was expected and what was there instead, and
 * begins with the model and, while it ran, the node:
 *
 *   model.so: expected input 'x' to be tensor(float)[N,3,224,224], but got tensor(float)[1,224,224,3]
 *
 * Ownership: whoever gets a status frees it. Texts live as long as their status.
 * Threading: a status never changes, so any thread may look at it.
 */
#ifndef INVAR_C_STATUS_H
#define INVAR_C_STATUS_H

#include "invar-c/Version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whose fault it is. */
typedef enum InvarStatusCode {
  INVAR_OK = 0,
  INVAR_BAD_ARGUMENT = 1,  /* the caller: a wrong name, type, size or count */
  INVAR_BAD_MODEL = 2,     /* the file: missing, foreign, cut short, too new */
  INVAR_BAD_PROCESSOR = 3, /* the machine lacks what the model was made for */
  INVAR_OUT_OF_MEMORY = 4, /* or out of threads, descriptors … */
  INVAR_RUN_FAILED = 5,    /* the model does not allow these inputs */
  INVAR_CHECK_FAILED = 6,  /* the compiler: a kernel differs from its meaning */
  INVAR_CANCELLED = 7,     /* the caller: it wants no result any more */
  INVAR_DEADLINE_EXCEEDED =
      8, /* nobody: it takes longer than the caller waits */
} InvarStatusCode;

typedef struct InvarStatus InvarStatus;

/* For who adds to this API; the text is copied. */
INVAR_API InvarStatus *invar_status_create(InvarStatusCode code,
                                           const char *text);
/* A null status is INVAR_OK, with an empty text. */
INVAR_API InvarStatusCode invar_status_code(const InvarStatus *status);
INVAR_API const char *invar_status_text(const InvarStatus *status);
INVAR_API void invar_status_free(InvarStatus *status);

#ifdef __cplusplus
}
#endif

#endif /* INVAR_C_STATUS_H */
