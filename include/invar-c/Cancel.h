/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A token that stops runs, compilations and optimizations early.
 *
 *   InvarCancel *cancel = invar_cancel_create();
 *   InvarRunOptions options = INVAR_RUN_OPTIONS;
 *   options.cancel = cancel;
 *   status = invar_session_run_with(session, &options, …);   (one thread)
 *   invar_cancel_trigger(cancel);                            (another)
 *
 * The call then fails with INVAR_CANCELLED, usually within a few milliseconds, and
 * leaves nothing behind: the session can be used as before. One token may be used for
 * any number of calls.
 *
 * Ownership: reference-counted, like values. The caller must keep a token that it
 * passes to a call until the call ends.
 * Threading: any thread may call any of these functions at any time. A signal handler
 * may call invar_cancel_trigger.
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

/* Stops the calls that use the token, and calls that receive it before it is reset. */
INVAR_API void invar_cancel_trigger(InvarCancel *cancel);
INVAR_API void invar_cancel_reset(InvarCancel *cancel);
/* Returns 1 if the token is triggered, otherwise 0. */
INVAR_API int32_t invar_cancel_is_triggered(const InvarCancel *cancel);

#ifdef __cplusplus
}
#endif

#endif /* INVAR_C_CANCEL_H */
