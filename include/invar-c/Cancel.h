/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A token that ends runs, compilations and optimizations before they are done.
 *
 *   InvarCancel *cancel = invar_cancel_create();
 *   InvarRunOptions options = INVAR_RUN_OPTIONS;
 *   options.cancel = cancel;
 *   status = invar_session_run_with(session, &options, …);   (one thread)
 *   invar_cancel_trigger(cancel);                            (another)
 *
 * The call then fails with INVAR_CANCELLED, as a rule within some milliseconds, and leaves
 * nothing behind: the session can be used as before. One token may be for any number of
 * calls.
 *
 * Ownership: counted, as values are. Who hands a token to a call keeps it until that ends.
 * Threading: any thread may do anything at any time. A signal handler may trigger.
 */
#ifndef INVAR_C_CANCEL_H
#define INVAR_C_CANCEL_H

#include "invar-c/Version.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct InvarCancel InvarCancel;

INVAR_API InvarCancel *invar_cancel_create(void);
INVAR_API void invar_cancel_retain(InvarCancel *cancel);
INVAR_API void invar_cancel_release(InvarCancel *cancel);

/* Ends the calls that have the token, and those that get it before it is reset. */
INVAR_API void invar_cancel_trigger(InvarCancel *cancel);
INVAR_API void invar_cancel_reset(InvarCancel *cancel);
/* 1 where it is triggered, else 0. */
INVAR_API int32_t invar_cancel_is_triggered(const InvarCancel *cancel);

#ifdef __cplusplus
}
#endif

#endif /* INVAR_C_CANCEL_H */
