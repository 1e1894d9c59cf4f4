/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In C, where a function of <math.h> is one function and not several of one name.
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
