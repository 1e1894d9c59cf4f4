/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What `invar optimize`, `invar compile` and `invar run` do to models, for programs.
 *
 *   InvarModelSource model = {"model.onnx", NULL, 0};
 *   if ((status = invar_compile(&model, "model.so", NULL))) …
 *
 *   InvarSession *session;
 *   if ((status = invar_session_open(&model, NULL, NULL, NULL, NULL, &session))) …
 *
 * This is the compiler, the static library InvarCAPI; who only runs compiled models needs
 * the runtime and the other headers.
 *
 * Ownership: nothing that is handed in is kept after the call.
 * Threading: any number of threads may call any of these at once.
 */
#ifndef INVAR_C_COMPILER_H
#define INVAR_C_COMPILER_H

#include "invar-c/Session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A model in a file, or in memory where `path` is null. External data is looked for beside
 * the file, so a model in memory has none. */
typedef struct InvarModelSource {
  const char *path;
  const void *bytes;
  size_t size;
} InvarModelSource;

/* What is stated of a model, as on the command line. */
typedef struct InvarFacts {
  /* Shapes of inputs: "x=1x3x?x?", or with names "x=batch,3,?,?". */
  const char *const *shapes;
  size_t num_shapes;
  /* Sizes that go by a name: "batch=8", or between which numbers they are: "seq=1..512". */
  const char *const *dims;
  size_t num_dims;
} InvarFacts;

/* Told what a model says of itself that is not so, a line at a time. */
typedef struct InvarWarnings {
  void (*warn)(void *context, const char *text); /* null for nobody */
  void *context;
} InvarWarnings;

/* Zeros stand for what is good as a rule, and so does a null pointer to options. */
typedef struct InvarCompileOptions {
  /* sizeof(InvarCompileOptions): fields may be added at the end. */
  size_t size;
  InvarFacts facts;
  /* LLVM's name of the processor, or several with commas, the best first, of which the first
   * that there is is used when the model runs; null for the one that this runs on. */
  const char *target_cpu;
  /* 0 for all that the process may use. */
  int32_t num_threads;
  /* 1 for a line on standard error, if it is a terminal. */
  int32_t show_progress;
  InvarWarnings warnings;
  /* Whether convolutions are computed by fewer products, of transformed filters: "auto"
   * for where that is faster and memory grows little, "off", "fast" for wherever that is
   * faster, or "on" for wherever it can be; null for "auto". */
  const char *winograd;
  /* When what weights are turned into is computed: "compile", "run" for once, by the first
   * run, "never" for in each run, or "auto" for when compiling, unless the library would
   * grow; null for "auto". */
  const char *fold_at;
  /* 1 to decide when the model runs where tensors lie. */
  int32_t no_memory_plan;
  /* 1 to keep constants in fewer bytes, where they have the structure for it; the first run
   * decodes them, bit for bit. */
  int32_t compress_weights;
  /* Where weights lie: "embed" for in the library, "file" for in a file of safetensors beside
   * it, or "none" for with whoever runs it (InvarSessionOptions.weights); null for "embed".
   * A model that is opened for a session has its weights anyway. */
  const char *link_params;
  /* 1 to let weights be replaced when the model runs (invar_session_refit). */
  int32_t refittable;
  /* 1 for a library that checks itself, slowly: each run compares every kernel with the
   * same kernel as plain loops, and fails with INVAR_CHECK_FAILED where they differ. */
  int32_t check_kernels;
  /* 1 to compile the meaning of the model alone, every operation as plain loops: slow, and
   * right where all that makes code fast is not. */
  int32_t plain;
  /* 1 to make constants of initializers that callers may override. */
  int32_t fix_defaults;
  /* As in InvarRunOptions: a token that ends it, or null, and nanoseconds after which it
   * ends, or 0. Nothing is left behind then. */
  InvarCancel *cancel;
  int64_t timeout_ns;
  /* 1 to take the nearest place where an index that a run brings is outside of its axis, and
   * not to fail: saves a look at the indices. Memory beside a tensor is never read. */
  int32_t unchecked_indices;
} InvarCompileOptions;

/* Compiles a model to the library `output`, which appears whole or not at all. */
INVAR_API InvarStatus *invar_compile(const InvarModelSource *model,
                                     const char *output,
                                     const InvarCompileOptions *options);

/* How a model was opened. */
typedef struct InvarOpening {
  /* sizeof(InvarOpening), which the caller has set. */
  size_t size;
  /* 1 for a library, 0 for a model. */
  int32_t is_library;
  /* -1 where nothing had to be compiled. */
  double compile_seconds;
} InvarOpening;

/* A session of a model, which is compiled unless its library is kept in the folder `cache` from
 * an earlier time; null stands for $XDG_CACHE_HOME/invar or ~/.cache/invar, and "" for keeping
 * nothing. `opening` may be null.
 * Or of a library, which is loaded where the model has a path that ends in ".so". Content decides
 * nothing, because the code of a library runs: one of another name, or in memory, is refused
 * here, and loaded by invar_session_load or invar_session_load_bytes. */
INVAR_API InvarStatus *invar_session_open(const InvarModelSource *model,
                                          const InvarCompileOptions *options,
                                          const char *cache,
                                          const InvarSessionOptions *running,
                                          InvarOpening *opening,
                                          InvarSession **session);

/* Zeros stand for what is good as a rule, and so does a null pointer to options. */
typedef struct InvarOptimizeOptions {
  /* sizeof(InvarOptimizeOptions): fields may be added at the end. */
  size_t size;
  InvarFacts facts;
  /* Rules to apply beyond the usual ones, and to do without, by the names of docs/Rules.md. */
  const char *const *enable;
  size_t num_enable;
  const char *const *disable;
  size_t num_disable;
  /* The opset to write; 0 for the model's own. */
  int64_t opset;
  /* Bytes that constants may grow by where that folds more; -1 for none. */
  int64_t max_growth;
  /* Bytes of computed tensors beyond which they lie on disk; 0 for no limit. */
  uint64_t memory_limit;
  /* 0 for all that the process may use. */
  int32_t num_threads;
  /* 1 to do only what keeps every bit in every engine. */
  int32_t exact_only;
  /* 1 to make constants of initializers that callers may override. */
  int32_t fix_defaults;
  /* 1 to fail unless every shape is known in the end. */
  int32_t require_static;
  /* 1 to put weights into a file beside the output. */
  int32_t external_data;
  /* 1 for a line on standard error, if it is a terminal. */
  int32_t show_progress;
  InvarWarnings warnings;
  /* What to run, by the names of `invar optimize --passes`; none for "simplify". */
  const char *const *passes;
  size_t num_passes;
  /* As in InvarRunOptions: a token that ends it, or null, and nanoseconds after which it
   * ends, or 0. Nothing is left behind then. */
  InvarCancel *cancel;
  int64_t timeout_ns;
} InvarOptimizeOptions;

/* Simplifies a model and writes it to `output`, which appears whole or not at all. */
INVAR_API InvarStatus *invar_optimize(const InvarModelSource *model,
                                      const char *output,
                                      const InvarOptimizeOptions *options);

#ifdef __cplusplus
}
#endif

#endif /* INVAR_C_COMPILER_H */
