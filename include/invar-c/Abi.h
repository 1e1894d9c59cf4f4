/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a compiled model is to the runtime: a shared library that exports one symbol,
 * `invar_module`, and behind the library's own bytes, page-aligned, its constants.
 *
 *   model.so = ELF (kernels, the module's table, the program), filled up to a page
 *            | constants | checksums of their blocks | InvarTrailer
 *
 * or, for others to read them too, with the constants in a file of safetensors beside it:
 *
 *   model.so = ELF | checksums of the blocks of constants | file's name | InvarTrailer
 *   model.safetensors = header, filled up to a page | constants
 *
 * Every byte has a checksum, XXH3 of 64 bits without a seed: the head (all before the
 * constants) and the tail (all behind them) have one each and are checked when the library
 * is loaded. Constants have one for each block of INVAR_CHECKSUM_BLOCK bytes, the last of
 * which may be shorter, and are checked before a run first reads them.
 *
 * The runtime maps the library by itself (runtime/ElfImage.h), so it is an ELF file of a
 * simple kind: segments, tables of relocations, and imports of the functions in
 * LibraryFunctions.def.
 *
 * The program (Program.h) says what happens; kernels are the native code that it calls.
 * A kernel computes any range of its work units, so the runtime hands out ranges to as many
 * threads as there are. It knows nothing of threads, allocates nothing, and cannot fail.
 */
#ifndef INVAR_C_ABI_H
#define INVAR_C_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever a library of before could not be run any more. */
#define INVAR_ABI_VERSION 5u

/* How a kernel wants to be run for given numbers. */
typedef struct InvarKernelPlan {
  int64_t units; /* work units; ranges of them are independent of each other */
  int64_t
      grain; /* units that are worth a thread: a range has at least as many */
  int64_t scratch; /* bytes of memory that each thread needs for itself */
} InvarKernelPlan;

/* Computes work units [from, to). `tensors` are the addresses of the operands and then of
 * the results, row-major. What the runtime allocates and what is constant is 64-byte
 * aligned; what the caller brought, and parts of tensors, only as their elements are, so a
 * kernel must not ask for more. `numbers` are the scalars. Floats among them are doubles,
 * bit for bit. Results overlap no operands, but for those that whoever made the kernel and
 * the program knows to be safe: then the result has the same address. A tensor without
 * elements has an address from which a kernel may read 64 bytes, which mean nothing: where
 * no element is in range, it reads the first one and drops it. `scratch` is 64-byte
 * aligned. */
typedef void (*InvarKernelFunction)(void *const *tensors,
                                    const int64_t *numbers, int64_t from,
                                    int64_t to, void *scratch);

/* Says how the kernel wants to be run for `numbers`. */
typedef void (*InvarPlanFunction)(const int64_t *numbers,
                                  InvarKernelPlan *plan);

typedef struct InvarKernel {
  InvarKernelFunction run;
  InvarPlanFunction plan;
  const char *name;
} InvarKernel;

/* What a kernel must compute, for a library that checks its kernels when it runs. */
typedef struct InvarKernelCheck {
  InvarKernel meaning; /* the same kernel as plain loops */
  const char *emitter; /* what wrote the kernel itself, for messages */
  uint32_t num_results;
  uint32_t is_exact; /* 1 if both give the same bits, 0 if sums may differ */
} InvarKernelCheck;

typedef struct InvarModule {
  uint32_t abi_version; /* INVAR_ABI_VERSION */
  uint32_t num_kernels;
  const InvarKernel *kernels;
  const uint32_t *program; /* Program.h */
  uint64_t program_words;
  const char *compiler; /* e.g. "invar 0.1.0" */
  /* What the processor must have: names as in LLVM, with commas, e.g. "avx2,fma". */
  const char *features;
  /* The same program with kernels that need less of a processor; null where there are none.
   * The first that the processor can run is used. */
  const struct InvarModule *next;
  /* One for each kernel, or null: libraries check nothing unless compiled to. */
  const InvarKernelCheck *checks;
} InvarModule;

#define INVAR_MODULE_SYMBOL "invar_module"

/* Bytes of constants that have one checksum. */
#define INVAR_CHECKSUM_BLOCK (UINT64_C(256) << 10)

/* The last bytes of the file. The magic is the very last, where each version of the format
 * can look for it. */
typedef struct InvarTrailer {
  uint64_t
      head_size; /* bytes before the constants, or the tail if it has none */
  uint64_t head_checksum;
  /* From the beginning of the file that has them, page-aligned. */
  uint64_t constants_offset;
  uint64_t constants_size;
  /* Bytes of the name, right before this, of the file that has the constants; 0 where it is
   * this one. */
  uint64_t file_name_size;
  uint64_t file_checksum; /* of that file's bytes before the constants */
  /* What a library that is kept in a cache was made from; 0 of others. */
  uint64_t key[2];
  uint64_t tail_checksum; /* of all behind the constants, up to this field */
  char magic[8];          /* INVAR_TRAILER_MAGIC */
} InvarTrailer;

#define INVAR_TRAILER_MAGIC "INVARSO4"

#ifdef __cplusplus
}
#endif

#endif /* INVAR_C_ABI_H */
