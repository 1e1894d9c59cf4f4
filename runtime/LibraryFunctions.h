/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of invar-c/LibraryFunctions.def in this process.
 */
#ifndef INVAR_RUNTIME_LIBRARYFUNCTIONS_H
#define INVAR_RUNTIME_LIBRARYFUNCTIONS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct InvarLibraryFunction {
  const char *name;
  void (*address)(void);
} InvarLibraryFunction;

extern const InvarLibraryFunction invarLibraryFunctions[];
extern const size_t invarNumLibraryFunctions;

#ifdef __cplusplus
}
#endif

#endif /* INVAR_RUNTIME_LIBRARYFUNCTIONS_H */
