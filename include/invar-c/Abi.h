/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The binary interface between a compiled model and the runtime. A compiled model is a
 * shared library that exports one symbol, `invar_module`. Its constants follow the
 * bytes of the library, page-aligned:
 *
 *   model.so = ELF (kernels, the module's table, the program), padded to a page
 *            | constants | checksums of their blocks | InvarTrailer
 *
 * The constants may also be in a safetensors file beside the library, so that other
 * programs can read them:
 *
 *   model.so = ELF | checksums of the blocks of constants | file's name | InvarTrailer
 *   model.safetensors = header, padded to a page | constants
 *
 * Every byte has a checksum: XXH3 with 64 bits and no seed. The head (all before the
 * constants) and the tail (all after them) have one checksum each, which the runtime
 * checks when it loads the library. The constants have one checksum for each block of
 * INVAR_CHECKSUM_BLOCK bytes; the last block may be shorter. The runtime checks a block
 * before a run first reads it.
 *
 * The runtime maps the library itself (runtime/ElfImage.h), so the ELF file has a
 * simple form: segments, relocation tables, and imports of the functions in
 * LibraryFunctions.def.
 *
 * The program (Program.h) is a list of instructions. Kernels are the native code that
 * it calls. A kernel can compute any range of its work units, so the runtime
 * distributes ranges over its threads. A kernel uses no threads, allocates no memory,
 * and cannot fail.
 */
#ifndef INVAR_C_ABI_H
#define INVAR_C_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Incremented whenever the runtime can no longer run older libraries. */
#define INVAR_ABI_VERSION 5u

/* How to run a kernel with the given numbers. */
typedef struct InvarKernelPlan {
  int64_t units;   /* work units; ranges of them are independent */
  int64_t grain;   /* minimal units of a range: fewer are not worth a thread */
  int64_t scratch; /* bytes of scratch memory that each thread needs */
} InvarKernelPlan;

/* Computes work units [from, to). `tensors` has the addresses of the operands, then of
 * the results, all row-major. Tensors that the runtime allocates and constants are
 * 64-byte aligned. Tensors from the caller and parts of tensors are aligned only as
 * their elements are, so a kernel must not rely on more. `numbers` has the scalars;
 * floats among them are the bits of doubles. A result overlaps no operand, unless the
 * compiler knows that this is safe: then both have the same address. A tensor without
 * elements has an address from which a kernel may read 64 meaningless bytes: if no
 * element is in range, the kernel reads the first one and ignores it. `scratch` is
 * 64-byte aligned. */
typedef void (*InvarKernelFunction)(void *const *tensors,
                                    const int64_t *numbers, int64_t from,
                                    int64_t to, void *scratch);

/* Computes the plan of the kernel for `numbers`. */
typedef void (*InvarPlanFunction)(const int64_t *numbers,
                                  InvarKernelPlan *plan);

typedef struct InvarKernel {
  InvarKernelFunction run;
  InvarPlanFunction plan;
  const char *name;
} InvarKernel;

/* The reference for a kernel, in a library that checks its kernels at run time. */
typedef struct InvarKernelCheck {
  InvarKernel meaning; /* the same kernel as plain loops */
  const char *emitter; /* the emitter of the kernel itself, for messages */
  uint32_t num_results;
  uint32_t is_exact; /* 1 if both compute the same bits, 0 if sums may differ */
} InvarKernelCheck;

typedef struct InvarModule {
  uint32_t abi_version; /* INVAR_ABI_VERSION */
  uint32_t num_kernels;
  const InvarKernel *kernels;
  const uint32_t *program; /* Program.h */
  uint64_t program_words;
  const char *compiler; /* e.g. "invar 0.1.0" */
  /* The features that the processor must have: LLVM's names, separated by commas, e.g.
   * "avx2,fma". */
  const char *features;
  /* The same program with kernels that need fewer processor features, or null. The
   * runtime uses the first module in this list that the processor can run. */
  const struct InvarModule *next;
  /* One for each kernel, or null if the library was compiled without checks. */
  const InvarKernelCheck *checks;
} InvarModule;

#define INVAR_MODULE_SYMBOL "invar_module"

/* The number of bytes of constants that share one checksum. */
#define INVAR_CHECKSUM_BLOCK (UINT64_C(256) << 10)

/* The last bytes of the file. The magic comes last, so that every version of the format
 * can find it. */
typedef struct InvarTrailer {
  uint64_t
      head_size; /* bytes before the constants, or before the tail if none */
  uint64_t head_checksum;
  /* The offset in the file that contains the constants, page-aligned. */
  uint64_t constants_offset;
  uint64_t constants_size;
  /* The length of the name of the file that contains the constants. The name is stored
   * right before this trailer. 0 if the constants are in this file. */
  uint64_t file_name_size;
  uint64_t file_checksum; /* of that file's bytes before the constants */
  /* The cache key of a library in a cache, which identifies what it was compiled from;
   * otherwise 0. */
  uint64_t key[2];
  uint64_t tail_checksum; /* of all after the constants, up to this field */
  char magic[8];          /* INVAR_TRAILER_MAGIC */
} InvarTrailer;

#define INVAR_TRAILER_MAGIC "INVARSO4"

#ifdef __cplusplus
}
#endif

#endif /* INVAR_C_ABI_H */
