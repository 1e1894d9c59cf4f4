/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A compiled model, written by hand: y = x + w, with floats, where w is the only constant; or a
 * model with different code, y = x + factor * w. The tests append constants and a trailer.
 */
#include "invar-c/Abi.h"
#include "invar-c/Program.h"

#ifndef TEST_ABI_VERSION
#define TEST_ABI_VERSION INVAR_ABI_VERSION
#endif
#ifndef TEST_FEATURES
#define TEST_FEATURES ""
#endif

#ifndef TEST_FACTOR
#define TEST_FACTOR 1
#endif

/* Creates an empty file to show that code ran, without the C library. */
#ifdef TEST_MARKER
static void mark(void) {
#if defined(__x86_64__)
  long number = 85 /* creat */;
  __asm__ volatile("syscall"
                   : "+a"(number)
                   : "D"(TEST_MARKER), "S"(0600L)
                   : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long number __asm__("x8") = 56 /* openat */;
  register long folder __asm__("x0") = -100;
  register const char *path __asm__("x1") = TEST_MARKER;
  register long flags __asm__("x2") = 0101 /* O_CREAT | O_WRONLY */;
  register long mode __asm__("x3") = 0600;
  __asm__ volatile("svc 0"
                   : "+r"(folder)
                   : "r"(number), "r"(path), "r"(flags), "r"(mode)
                   : "memory");
#endif
}
#else
static void mark(void) {}
#endif

static void run(void *const *tensors, const int64_t *numbers, int64_t from,
                int64_t to, void *scratch) {
  const float *x = tensors[0], *w = tensors[1];
  float *y = tensors[2];
  (void)numbers;
  (void)scratch;
  mark();
  for (int64_t i = from; i < to; ++i)
    y[i] = x[i] + TEST_FACTOR * w[i];
}

static void plan(const int64_t *numbers, InvarKernelPlan *result) {
  result->units = numbers[0];
  result->grain = 1;
  result->scratch = 0;
}

/* Each of these is forbidden in a library. */
#ifdef TEST_CONSTRUCTOR
__attribute__((constructor)) static void start(void) {
  mark();
#ifndef TEST_MARKER
  __builtin_trap();
#endif
}
#endif
#ifdef TEST_THREAD_LOCAL
__attribute__((visibility("default"))) _Thread_local int perThread = 1;
#endif
#ifdef TEST_IFUNC
static volatile const int isOther = 1;
static void one(void) {}
static void other(void) {}
static void *choose(void) { return isOther ? (void *)other : (void *)one; }
static void chosen(void) __attribute__((ifunc("choose")));
__attribute__((visibility("default"))) void *const entries[] = {(void *)chosen};
#endif
#ifdef TEST_IMPORT
int system(const char *);
__attribute__((visibility("default"))) int (*const entry)(const char *) =
    system;
#endif

/* Makes the library longer than a page. */
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
  0, 0, INVAR_NONE, 0, 0, 0, 0, /* bytes of folded constants, source, recipe */
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
