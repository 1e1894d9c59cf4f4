/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Written in C, because in C++ functions of <math.h> are overloaded.
 */
#define _GNU_SOURCE /* sincos, roundeven */
#include "LibraryFunctions.h"

#include <math.h>
#include <string.h>

const InvarLibraryFunction invarLibraryFunctions[] = {
#define INVAR_LIBRARY_FUNCTION(NAME) {#NAME, (void (*)(void))NAME},
#include "invar-c/LibraryFunctions.def"
};

const size_t invarNumLibraryFunctions =
    sizeof(invarLibraryFunctions) / sizeof(invarLibraryFunctions[0]);
