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
 * Loading maps the file and checks the program. It does not read the constants.
 *
 * Ownership: a session belongs to the caller that loaded it. Its names and types live
 * as long as the session; values and statuses may live longer.
 * Threading: any number of threads may run and query one session at the same time. Each
 * run has its own memory, which is kept for the next run. At any time, one run
 * distributes its kernels over the session's threads; other runs compute on the threads
 * that called them. The caller must free a session only when no thread uses it any
 * more.
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

/* Threads that several sessions share, so that together they do not use more threads
 * than there are cores. Reference-counted, like values. Threads start when they are
 * first needed. */
typedef struct InvarThreads InvarThreads;

/* Creates a pool of `count` threads, which include the caller of a run; 0 means as many
 * as the process may use. A thread without work polls for `spin_us` microseconds before
 * it sleeps; -1 means the default. */
INVAR_API InvarStatus *invar_threads_create(int32_t count, int32_t spin_us,
                                            InvarThreads **threads);
INVAR_API void invar_threads_retain(InvarThreads *threads);
INVAR_API void invar_threads_release(InvarThreads *threads);

/* ---- Loading. */

typedef struct InvarSessionOptions {
  size_t size; /* sizeof(InvarSessionOptions): fields may be added at the end */
  /* Threads to share with other sessions, or null: then the session creates its own
   * threads, according to the next two fields. */
  InvarThreads *threads;
  int32_t num_threads; /* 0 for all that the process may use */
  int32_t spin_us;     /* -1 for the default */
  int32_t profile;     /* 1 to measure from the beginning, otherwise 0 */
  /* A folder for the constants that the first run computes, or null. Later sessions,
   * also in other processes, read them from there and share their memory. The folder is
   * created if necessary. */
  const char *fold_cache;
  /* Called for problems that do not affect results, on the thread that finds the
   * problem. May be null. */
  void (*warn)(void *context, const char *text);
  void *warn_context;
  /* The file with the weights, for a library without weights: the ONNX model that it
   * was compiled from, or a safetensors file. Null to look for the model beside the
   * library. */
  const char *weights;
} InvarSessionOptions;

/* The defaults, which null options also mean. */
#define INVAR_SESSION_OPTIONS                                                  \
  {sizeof(InvarSessionOptions), NULL, 0, -1, 0, NULL, NULL, NULL, NULL}

/* Loads the compiled model at `path`. */
INVAR_API InvarStatus *invar_session_load(const char *path,
                                          const InvarSessionOptions *options,
                                          InvarSession **session);
/* The same from a descriptor that is open for reading, such as a memfd. The caller
 * keeps the descriptor. Messages use `name`. */
INVAR_API InvarStatus *
invar_session_load_descriptor(int descriptor, const char *name,
                              const InvarSessionOptions *options,
                              InvarSession **session);
/* The same from bytes, which are copied. */
INVAR_API InvarStatus *
invar_session_load_bytes(const void *bytes, size_t size, const char *name,
                         const InvarSessionOptions *options,
                         InvarSession **session);
/* Creates a session of a model whose code is already in this process. The module and
 * the constants, which are 64-byte aligned, must outlive the session and all of its
 * outputs. */
INVAR_API InvarStatus *invar_session_create(const InvarModule *module,
                                            const void *constants,
                                            size_t constants_size,
                                            const char *name,
                                            const InvarSessionOptions *options,
                                            InvarSession **session);
INVAR_API void invar_session_free(InvarSession *session);

/* ---- Inputs and outputs. */

typedef struct InvarType InvarType;

INVAR_API InvarTypeKind invar_type_kind(const InvarType *type);
/* For tensors: the data type; the rank, or -1 for any rank; the size of an axis, or -1
 * for any size; and its name or null. Axes with the same name have the same size in a
 * run. */
INVAR_API InvarDataType invar_type_data_type(const InvarType *type);
INVAR_API int64_t invar_type_rank(const InvarType *type);
INVAR_API int64_t invar_type_size(const InvarType *type, size_t axis);
INVAR_API const char *invar_type_size_name(const InvarType *type, size_t axis);
/* For maps: the data type of the keys, INVAR_INT64 or INVAR_STRING. */
INVAR_API InvarDataType invar_type_key(const InvarType *type);
/* For sequences and optionals: the type of their elements. For maps: the type of one
 * value, a tensor of rank 0. */
INVAR_API const InvarType *invar_type_element(const InvarType *type);

INVAR_API size_t invar_session_num_inputs(const InvarSession *session);
INVAR_API const char *invar_session_input_name(const InvarSession *session,
                                               size_t index);
INVAR_API const InvarType *invar_session_input_type(const InvarSession *session,
                                                    size_t index);
/* Returns 1 if the model has a default value for the input, which is used if a run does
 * not provide the input; otherwise 0. Such inputs come after all others. */
INVAR_API int32_t invar_session_input_has_default(const InvarSession *session,
                                                  size_t index);
INVAR_API size_t invar_session_num_outputs(const InvarSession *session);
INVAR_API const char *invar_session_output_name(const InvarSession *session,
                                                size_t index);
INVAR_API const InvarType *
invar_session_output_type(const InvarSession *session, size_t index);

/* ---- Running. */

/* Runs the model once. The inputs are in the order of `input_names`, or in the
 * session's order if `input_names` is null. The caller must provide all inputs except
 * those with a default, which may also be null. Inputs must not change during the run.
 *
 * `outputs` has one entry for each output, in the session's order. If the entry is
 * null, the session creates the output and stores a reference to it. Otherwise the
 * entry is a tensor with the type and sizes of the output, and the session writes the
 * elements into it. If the run fails, `outputs` is unchanged, but elements of tensors
 * in it may have been written. */
INVAR_API InvarStatus *
invar_session_run(InvarSession *session, const char *const *input_names,
                  InvarValue *const *inputs, size_t num_inputs,
                  InvarValue **outputs, size_t num_outputs);

/* Limits of a run. */
typedef struct InvarRunOptions {
  size_t size; /* sizeof(InvarRunOptions): fields may be added at the end */
  /* Stops the run with INVAR_CANCELLED when it is triggered. May be null. */
  InvarCancel *cancel;
  /* Nanoseconds from the call until the run stops with INVAR_DEADLINE_EXCEEDED; 0 for
   * no deadline. A negative value is a deadline that has already passed. */
  int64_t timeout_ns;
  /* The maximal number of bytes that tensors and the scratch memory of kernels may take
   * at any time, without the caller's tensors and the texts of strings. A run that
   * needs more fails with INVAR_OUT_OF_MEMORY. 0 for no limit. */
  uint64_t memory_limit;
  /* Called every few milliseconds, on the thread of the caller. If it returns a value
   * other than 0, the run stops with INVAR_CANCELLED. May be null. */
  int32_t (*poll)(void *context);
  void *poll_context;
} InvarRunOptions;

/* The defaults, which null options also mean. */
#define INVAR_RUN_OPTIONS {sizeof(InvarRunOptions), NULL, 0, 0, NULL, NULL}

/* The same as invar_session_run, with limits. A stopped run ends like a failed one: the
 * session is unchanged. Runs of other threads continue, even if they wait for constants
 * that the stopped run was computing. */
INVAR_API InvarStatus *
invar_session_run_with(InvarSession *session, const InvarRunOptions *options,
                       const char *const *input_names,
                       InvarValue *const *inputs, size_t num_inputs,
                       InvarValue **outputs, size_t num_outputs);

/* The number of kernels that have been run and compared with their references, for a
 * library that was compiled to check its kernels; otherwise 0. A run fails if a kernel
 * differs. */
INVAR_API size_t invar_session_kernels_checked(const InvarSession *session);

/* ---- Constants. */

/* The number of folds that this session has run. Folds compute constants in the first
 * run. They run again only if they depend on weights that are replaced. */
INVAR_API uint64_t invar_session_folds_run(const InvarSession *session);

/* Weights that can be replaced. A library has them if it was compiled as refittable or
 * without weights. */
INVAR_API size_t invar_session_num_parameters(const InvarSession *session);
INVAR_API const char *invar_session_parameter_name(const InvarSession *session,
                                                   size_t index);
INVAR_API const InvarType *
invar_session_parameter_type(const InvarSession *session, size_t index);

/* Replaces weights: all of them or, if it fails, none. Values are copied. Constants
 * that depend on the replaced weights are computed again before this returns; others
 * are not. Runs that have begun continue with the old weights. */
INVAR_API InvarStatus *invar_session_refit(InvarSession *session,
                                           const char *const *names,
                                           InvarValue *const *values,
                                           size_t count);

/* The same, with limits as in invar_session_run_with. */
INVAR_API InvarStatus *invar_session_refit_with(InvarSession *session,
                                                const InvarRunOptions *options,
                                                const char *const *names,
                                                InvarValue *const *values,
                                                size_t count);

/* ---- Profile. */

typedef enum InvarProfileFormat {
  INVAR_PROFILE_TABLE =
      0, /* text: time by node and by kernel, in descending order */
  INVAR_PROFILE_TRACE = 1, /* JSON for chrome://tracing and Perfetto */
} InvarProfileFormat;

/* Enables or disables the measurement of runs that begin after this call. */
INVAR_API void invar_session_set_profile(InvarSession *session, int enabled);
/* Passes the measurements so far to `write`, piece by piece. */
INVAR_API void invar_session_get_profile(
    InvarSession *session, InvarProfileFormat format,
    void (*write)(void *context, const char *text, size_t size), void *context);

#ifdef __cplusplus
}
#endif

#endif /* INVAR_C_SESSION_H */
