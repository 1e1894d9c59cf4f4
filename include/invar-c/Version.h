/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The version of the runtime. Declarations in the headers of invar-c remain within a
 * major version; structs that may grow begin with their own size.
 */
#ifndef INVAR_C_VERSION_H
#define INVAR_C_VERSION_H

#define INVAR_VERSION_MAJOR 0
#define INVAR_VERSION_MINOR 1
#define INVAR_VERSION_PATCH 0

/* Marks the functions that the shared library exports. It exports nothing else. */
#define INVAR_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the linked library, which may be newer than this header: "0.1.0". The
 * text is never freed. */
INVAR_API const char *invar_version(void);

#ifdef __cplusplus
}
#endif

#endif /* INVAR_C_VERSION_H */
