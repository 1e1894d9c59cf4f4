/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A compiled model, written by hand: y = x + w, of floats, where w is the only constant.
 * The tests put constants and trailer behind the library.
 */
#include "invar-c/Abi.h"
#include "invar-c/Program.h"

#ifndef TEST_ABI_VERSION
#define TEST_ABI_VERSION INVAR_ABI_VERSION
#endif
#ifndef TEST_FEATURES
#define TEST_FEATURES ""
#endif

static void run(void *const *tensors, const int64_t *numbers, int64_t from,
                int64_t to, void *scratch) {
  const float *x = tensors[0], *w = tensors[1];
  float *y = tensors[2];
  (void)numbers;
  (void)scratch;
  for (int64_t i = from; i < to; ++i)
    y[i] = x[i] + w[i];
}

static void plan(const int64_t *numbers, InvarKernelPlan *result) {
  result->units = numbers[0];
  result->grain = 1;
  result->scratch = 0;
}

/* So that the library is longer than a page. */
__attribute__((used, retain)) static const char padding[10000] = {1};

static const InvarKernel kernels[] = {{run, plan, "add"}};

enum { X, W, Y, NUM_OBJECTS };

/* clang-format off */
static const uint32_t program[] = {
  INVAR_PROGRAM_MAGIC,
  2,  /* strings */
  1,  /* types */
  0,  /* parameters */
  1,  /* constants */
  0,  /* lists of attributes */
  1,  /* inputs */
  1,  /* outputs */
  0,  /* nodes */
  23, /* words of code */
  1,  /* number registers */
  NUM_OBJECTS,
  0,  /* blocks */
  0,  /* folds */
  0, 0, INVAR_NONE, 0, 0, 0, 0, /* bytes of what is folded, source, recipe */
  1, 'x',
  1, 'y',
  INVAR_TYPE_TENSOR, INVAR_FLOAT32, 1, 4, 0, INVAR_NONE,
  0, INVAR_CONSTANT_STORED, 0, 0, 16, 0,
  0, 0, INVAR_NONE, /* without a default */
  1, 0,
  INVAR_OP_NUMBER, 0, 4, 0,
  INVAR_OP_CONSTANT, W, 0,
  INVAR_OP_ALLOCATE, Y, INVAR_FLOAT32, 1, 0,
  INVAR_OP_KERNEL, 0, 3, X, W, Y, 1, 0,
  INVAR_OP_RETURN, 1, Y,
};
/* clang-format on */

__attribute__((visibility("default")))
const InvarModule invar_module = {TEST_ABI_VERSION,
                                  1,
                                  kernels,
                                  program,
                                  sizeof(program) / sizeof(program[0]),
                                  "test",
                                  TEST_FEATURES};
