/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a function of the runtime reports failure: it returns an InvarStatus; a null
 * pointer means success. The text states what was expected and what was found. It
 * begins with the model and, for an error during a run, the node:
 *
 *   model.so: expected input 'x' to be tensor(float)[N,3,224,224], but got tensor(float)[1,224,224,3]
 *
 * Ownership: the caller that receives a status frees it. Texts live as long as their
 * status.
 * Threading: a status never changes, so any thread may read it.
 */
#ifndef INVAR_C_STATUS_H
#define INVAR_C_STATUS_H

#include "invar-c/Version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The cause of the failure. */
typedef enum InvarStatusCode {
  INVAR_OK = 0,
  INVAR_BAD_ARGUMENT = 1,      /* the caller: wrong name, type, size or count */
  INVAR_BAD_MODEL = 2,         /* file missing, foreign, truncated or too new */
  INVAR_BAD_PROCESSOR = 3,     /* the processor lacks required features */
  INVAR_OUT_OF_MEMORY = 4,     /* or out of threads, descriptors … */
  INVAR_RUN_FAILED = 5,        /* the model does not allow these inputs */
  INVAR_CHECK_FAILED = 6,      /* compiler bug: kernel differs from reference */
  INVAR_CANCELLED = 7,         /* the caller cancelled the call */
  INVAR_DEADLINE_EXCEEDED = 8, /* the call exceeded its timeout */
} InvarStatusCode;

typedef struct InvarStatus InvarStatus;

/* For extensions of this API. The text is copied. */
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
