/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A session runs a compiled model.
 *
 *   InvarSession *session;
 *   if ((status = invar_session_load("model.so", NULL, &session))) …
 *   InvarValue *y = NULL;
 *   if ((status = invar_session_run(session, NULL, &x, 1, &y, 1))) …
 *   const float *numbers = invar_tensor_data(y);
 *   invar_value_release(y);
 *   invar_session_free(session);
 *
 * Loading maps the file and checks the program; it does not read the constants.
 *
 * Ownership: a session belongs to who loaded it. Names and types that it gives live as long
 * as it; values and statuses live on.
 * Threading: any number of threads may run one session, and ask it anything, at once; each
 * run has memory of its own, kept for the next. Kernels of one run at a time are spread
 * over the session's threads, while others compute on the thread that called. Who frees a
 * session makes sure that nobody uses it any more.
 */
#ifndef INVAR_C_SESSION_H
#define INVAR_C_SESSION_H

#include "invar-c/Abi.h"
#include "invar-c/Cancel.h"
#include "invar-c/Tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct InvarSession InvarSession;

/* ---- Threads. */

/* Threads that sessions may share, so that two of them do not take more than there are
 * cores. Counted as values are. Threads start when they are first needed. */
typedef struct InvarThreads InvarThreads;

/* As many threads as `count`, the caller of a run being one of them; 0 stands for as many as
 * the process may use. After work they look for more for `spin_us` microseconds before they
 * sleep; -1 stands for what is good as a rule. */
INVAR_API InvarStatus *invar_threads_create(int32_t count, int32_t spin_us,
                                            InvarThreads **threads);
INVAR_API void invar_threads_retain(InvarThreads *threads);
INVAR_API void invar_threads_release(InvarThreads *threads);

/* ---- Loading. */

typedef struct InvarSessionOptions {
  size_t size; /* sizeof(InvarSessionOptions): fields may be added at the end */
  /* Threads to share with others; null for threads of its own, as the next two say. */
  InvarThreads *threads;
  int32_t num_threads; /* 0 for all that the process may use */
  int32_t spin_us;     /* -1 for what is good as a rule */
  int32_t profile;     /* 1 to measure from the beginning, else 0 */
  /* A folder to keep in what the first run computes of constants, for sessions to come, also
   * of other processes, which share its memory; null for none. It is made if need be. */
  const char *fold_cache;
  /* Told of what goes wrong but does not matter to results, by whichever thread finds it;
   * null for nobody. */
  void (*warn)(void *context, const char *text);
  void *warn_context;
  /* The file with the weights of a library that has none: the ONNX model that it was compiled
   * from, or one of safetensors; null to look for the model beside the library. */
  const char *weights;
} InvarSessionOptions;

/* What null options stand for. */
#define INVAR_SESSION_OPTIONS                                                  \
  {sizeof(InvarSessionOptions), NULL, 0, -1, 0, NULL, NULL, NULL, NULL}

/* A compiled model that lies at `path`. */
INVAR_API InvarStatus *invar_session_load(const char *path,
                                          const InvarSessionOptions *options,
                                          InvarSession **session);
/* The same of a descriptor that is open for reading, such as that of a memfd; it stays the
 * caller's. `name` is what messages call it. */
INVAR_API InvarStatus *
invar_session_load_descriptor(int descriptor, const char *name,
                              const InvarSessionOptions *options,
                              InvarSession **session);
/* The same of bytes, which are copied. */
INVAR_API InvarStatus *
invar_session_load_bytes(const void *bytes, size_t size, const char *name,
                         const InvarSessionOptions *options,
                         InvarSession **session);
/* A model whose code is in this process already. The module and the constants, 64-byte
 * aligned, must outlive the session and every output that it gave. */
INVAR_API InvarStatus *invar_session_create(const InvarModule *module,
                                            const void *constants,
                                            size_t constants_size,
                                            const char *name,
                                            const InvarSessionOptions *options,
                                            InvarSession **session);
INVAR_API void invar_session_free(InvarSession *session);

/* ---- What goes in and comes out. */

typedef struct InvarType InvarType;

INVAR_API InvarTypeKind invar_type_kind(const InvarType *type);
/* Of tensors: the data type; the rank, or -1 where any will do; the size of an axis, or -1
 * where any will do; and its name or null. Axes of one name have one size in a run. */
INVAR_API InvarDataType invar_type_data_type(const InvarType *type);
INVAR_API int64_t invar_type_rank(const InvarType *type);
INVAR_API int64_t invar_type_size(const InvarType *type, size_t axis);
INVAR_API const char *invar_type_size_name(const InvarType *type, size_t axis);
/* Of maps: the data type of keys, INVAR_INT64 or INVAR_STRING. */
INVAR_API InvarDataType invar_type_key(const InvarType *type);
/* Of sequences and optionals: the type of what is in them. Of maps: that of one value, a
 * tensor of rank 0. */
INVAR_API const InvarType *invar_type_element(const InvarType *type);

INVAR_API size_t invar_session_num_inputs(const InvarSession *session);
INVAR_API const char *invar_session_input_name(const InvarSession *session,
                                               size_t index);
INVAR_API const InvarType *invar_session_input_type(const InvarSession *session,
                                                    size_t index);
/* 1 where a run that does not bring the input takes the model's own value for it, else 0.
 * Such inputs come after all others. */
INVAR_API int32_t invar_session_input_has_default(const InvarSession *session,
                                                  size_t index);
INVAR_API size_t invar_session_num_outputs(const InvarSession *session);
INVAR_API const char *invar_session_output_name(const InvarSession *session,
                                                size_t index);
INVAR_API const InvarType *
invar_session_output_type(const InvarSession *session, size_t index);

/* ---- Running. */

/* Runs the model once. The inputs are in the order of `input_names`, or where that is null
 * in the session's order. All must be there but those that have a default, which may also
 * be null. They must not change during the run.
 *
 * For each output, in the session's order, `outputs` has null where the session shall make
 * it, and gets a reference to it; or a tensor of its type and sizes, which then gets its
 * elements. If the run fails, `outputs` stays as it was, but elements of tensors in it may
 * have been written. */
INVAR_API InvarStatus *
invar_session_run(InvarSession *session, const char *const *input_names,
                  InvarValue *const *inputs, size_t num_inputs,
                  InvarValue **outputs, size_t num_outputs);

/* What a run may take. */
typedef struct InvarRunOptions {
  size_t size; /* sizeof(InvarRunOptions): fields may be added at the end */
  /* Ends the run where it is triggered, with INVAR_CANCELLED; null for nobody who may. */
  InvarCancel *cancel;
  /* Nanoseconds from the call on after which it ends with INVAR_DEADLINE_EXCEEDED; 0 for no
   * deadline, and less for one that has passed. */
  int64_t timeout_ns;
  /* Bytes that tensors and the scratch of kernels may take at any time, without what the
   * caller brings and the texts of strings; a run that needs more fails with
   * INVAR_OUT_OF_MEMORY. 0 for no limit. */
  uint64_t memory_limit;
  /* Asked every few milliseconds by the thread that called; what is not 0 ends the run, with
   * INVAR_CANCELLED. Null for nobody. */
  int32_t (*poll)(void *context);
  void *poll_context;
} InvarRunOptions;

/* What null options stand for. */
#define INVAR_RUN_OPTIONS {sizeof(InvarRunOptions), NULL, 0, 0, NULL, NULL}

/* The same within bounds. A run that is stopped ends as one that fails: the session is as it
 * was, and runs of other threads, also those that wait for the constants that it was
 * computing, go on. */
INVAR_API InvarStatus *
invar_session_run_with(InvarSession *session, const InvarRunOptions *options,
                       const char *const *input_names,
                       InvarValue *const *inputs, size_t num_inputs,
                       InvarValue **outputs, size_t num_outputs);

/* How many kernels have been run and compared with their meaning, of a library that was
 * compiled to check them; a kernel that differs is an error of the run. Else 0. */
INVAR_API size_t invar_session_kernels_checked(const InvarSession *session);

/* ---- Constants. */

/* How many of the model's folds this session has run: what computes constants when it first
 * runs, and never again but for those that depend on weights that are replaced. */
INVAR_API uint64_t invar_session_folds_run(const InvarSession *session);

/* Weights that can be replaced: of a library that was compiled so, and of one that has none
 * of its own. */
INVAR_API size_t invar_session_num_parameters(const InvarSession *session);
INVAR_API const char *invar_session_parameter_name(const InvarSession *session,
                                                   size_t index);
INVAR_API const InvarType *
invar_session_parameter_type(const InvarSession *session, size_t index);

/* Replaces weights, all of them or, if it fails, none. Values are copied. Of what is computed
 * from weights, only what depends on these is computed again, before this returns. Runs that
 * have begun go on with the weights that they began with. */
INVAR_API InvarStatus *invar_session_refit(InvarSession *session,
                                           const char *const *names,
                                           InvarValue *const *values,
                                           size_t count);

/* The same within bounds, as invar_session_run_with. */
INVAR_API InvarStatus *invar_session_refit_with(InvarSession *session,
                                                const InvarRunOptions *options,
                                                const char *const *names,
                                                InvarValue *const *values,
                                                size_t count);

/* ---- Profile. */

typedef enum InvarProfileFormat {
  INVAR_PROFILE_TABLE =
      0, /* text: time by node and by kernel, the most first */
  INVAR_PROFILE_TRACE = 1, /* JSON for chrome://tracing and Perfetto */
} InvarProfileFormat;

/* Whether runs that begin from now on are measured. */
INVAR_API void invar_session_set_profile(InvarSession *session, int enabled);
/* What was measured so far, handed to `write` piece by piece. */
INVAR_API void invar_session_get_profile(
    InvarSession *session, InvarProfileFormat format,
    void (*write)(void *context, const char *text, size_t size), void *context);

#ifdef __cplusplus
}
#endif

#endif /* INVAR_C_SESSION_H */
