/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The compiler's API: does for programs what `invar optimize`, `invar compile` and
 * `invar run` do on the command line.
 *
 *   InvarModelSource model = {"model.onnx", NULL, 0};
 *   if ((status = invar_compile(&model, "model.so", NULL))) …
 *
 *   InvarSession *session;
 *   if ((status = invar_session_open(&model, NULL, NULL, NULL, NULL, &session))) …
 *
 * These functions are in the static library InvarCAPI, the compiler. A program that
 * only runs compiled models needs only the runtime and the other headers.
 *
 * Ownership: no function keeps its arguments after the call.
 * Threading: any number of threads may call these functions at the same time.
 */
#ifndef INVAR_C_COMPILER_H
#define INVAR_C_COMPILER_H

#include "invar-c/Session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A model in a file, or in memory if `path` is null. External data is read from the
 * folder of the file, so a model in memory has none. */
typedef struct InvarModelSource {
  const char *path;
  const void *bytes;
  size_t size;
} InvarModelSource;

/* Facts about a model that the caller states, as on the command line. */
typedef struct InvarFacts {
  /* Shapes of inputs: "x=1x3x?x?", or with names "x=batch,3,?,?". */
  const char *const *shapes;
  size_t num_shapes;
  /* Values of named sizes: "batch=8", or their ranges: "seq=1..512". */
  const char *const *dims;
  size_t num_dims;
} InvarFacts;

/* Receives warnings about wrong statements in a model, one line at a time. */
typedef struct InvarWarnings {
  void (*warn)(void *context, const char *text); /* may be null */
  void *context;
} InvarWarnings;

/* Zero fields mean the defaults, and so does a null pointer to options. */
typedef struct InvarCompileOptions {
  /* sizeof(InvarCompileOptions): fields may be added at the end. */
  size_t size;
  InvarFacts facts;
  /* LLVM's name of the target processor, or several names separated by commas, the best
   * first; at run time, the first one that the processor supports is used. Null for the
   * processor that runs the compiler. */
  const char *target_cpu;
  /* 0 for all threads that the process may use. */
  int32_t num_threads;
  /* 1 to show a progress line on standard error, if it is a terminal. */
  int32_t show_progress;
  InvarWarnings warnings;
  /* Whether convolutions use the Winograd algorithm, which needs fewer products, with
   * transformed filters: "auto" uses it where it is faster and memory grows little,
   * "fast" wherever it is faster, "on" wherever it is possible, "off" never; null means
   * "auto". */
  const char *winograd;
  /* When values that depend only on weights are computed: "compile" at compile time,
   * "run" once, in the first run, "never" in each run, "auto" at compile time unless
   * the library would grow; null means "auto". */
  const char *fold_at;
  /* 1 to assign the memory of tensors at run time instead of compile time. */
  int32_t no_memory_plan;
  /* 1 to store constants in fewer bytes if their structure allows it. The first run
   * decodes them, bit for bit. */
  int32_t compress_weights;
  /* Where weights are stored: "embed" in the library, "file" in a safetensors file
   * beside it, "none" if the caller provides them at run time
   * (InvarSessionOptions.weights); null means "embed". invar_session_open always uses
   * "embed". */
  const char *link_params;
  /* 1 to allow weights to be replaced at run time (invar_session_refit). */
  int32_t refittable;
  /* 1 for a library that checks itself: each run compares every kernel with the same
   * kernel as plain loops, and fails with INVAR_CHECK_FAILED if they differ. Slow. */
  int32_t check_kernels;
  /* 1 to compile every operation as plain loops, without optimizations: slow, but
   * correct even if an optimization has a bug. */
  int32_t plain;
  /* 1 to treat initializers that callers may override as constants. */
  int32_t fix_defaults;
  /* As in InvarRunOptions: a token that stops the call, or null, and a timeout in
   * nanoseconds, or 0. A stopped call leaves nothing behind. */
  InvarCancel *cancel;
  int64_t timeout_ns;
  /* 1 to replace an index that is out of range at run time by the nearest valid one,
   * instead of failing. This saves the check of the indices. Memory outside of a tensor
   * is never read. */
  int32_t unchecked_indices;
} InvarCompileOptions;

/* Compiles a model to the library `output`. The file appears complete or not at all. */
INVAR_API InvarStatus *invar_compile(const InvarModelSource *model,
                                     const char *output,
                                     const InvarCompileOptions *options);

/* How a model was opened. */
typedef struct InvarOpening {
  /* sizeof(InvarOpening), set by the caller. */
  size_t size;
  /* 1 for a library, 0 for a model. */
  int32_t is_library;
  /* -1 if nothing was compiled. */
  double compile_seconds;
} InvarOpening;

/* Opens a session of a model. The model is compiled, unless the folder `cache` contains
 * its library from an earlier call. A null `cache` means $XDG_CACHE_HOME/invar or
 * ~/.cache/invar; "" disables the cache. `opening` may be null.
 * If the path of the model ends in ".so", it is a library and is loaded. The content of
 * the file does not decide this, because the code of a library runs: a library with
 * another name, or in memory, is refused here. Load it with invar_session_load or
 * invar_session_load_bytes. */
INVAR_API InvarStatus *invar_session_open(const InvarModelSource *model,
                                          const InvarCompileOptions *options,
                                          const char *cache,
                                          const InvarSessionOptions *running,
                                          InvarOpening *opening,
                                          InvarSession **session);

/* Zero fields mean the defaults, and so does a null pointer to options. */
typedef struct InvarOptimizeOptions {
  /* sizeof(InvarOptimizeOptions): fields may be added at the end. */
  size_t size;
  InvarFacts facts;
  /* Rules to enable in addition to the default ones, and rules to disable, by their
   * names in docs/Rules.md. */
  const char *const *enable;
  size_t num_enable;
  const char *const *disable;
  size_t num_disable;
  /* The opset to write; 0 for the opset of the model. */
  int64_t opset;
  /* The number of bytes by which constants may grow if that folds more operators; 0 for
   * the default, -1 for none. */
  int64_t max_growth;
  /* The number of bytes of computed tensors in memory, beyond which they are placed on
   * disk; 0 for no limit. */
  uint64_t memory_limit;
  /* 0 for all threads that the process may use. */
  int32_t num_threads;
  /* 1 to apply only changes that keep every bit of the results in every engine. */
  int32_t exact_only;
  /* 1 to treat initializers that callers may override as constants. */
  int32_t fix_defaults;
  /* 1 to fail unless every shape is known after the optimization. */
  int32_t require_static;
  /* 1 to write weights to a file beside the output. */
  int32_t external_data;
  /* 1 to show a progress line on standard error, if it is a terminal. */
  int32_t show_progress;
  InvarWarnings warnings;
  /* The passes to run, by the names of `invar optimize --passes`; if there are none,
   * "simplify". */
  const char *const *passes;
  size_t num_passes;
  /* As in InvarRunOptions: a token that stops the call, or null, and a timeout in
   * nanoseconds, or 0. A stopped call leaves nothing behind. */
  InvarCancel *cancel;
  int64_t timeout_ns;
} InvarOptimizeOptions;

/* Simplifies a model and writes it to `output`. The file appears complete or not at
 * all. */
INVAR_API InvarStatus *invar_optimize(const InvarModelSource *model,
                                      const char *output,
                                      const InvarOptimizeOptions *options);

#ifdef __cplusplus
}
#endif

#endif /* INVAR_C_COMPILER_H */
