/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The format of a file with the constants that a model's first run has computed. Later
 * runs, in any process, read them from the file:
 *
 *   KEY.fold = InvarFoldHeader | the constants | checksums of their blocks
 *
 * The key identifies the sources of the constants, the code that computed them and the
 * processor: three numbers, written as 48 hexadecimal digits. A file gets its name only
 * when it is complete. Until then its name begins with a dot and ends with ".tmp", and
 * its writer holds a lock on it (flock). Checksums are those of libraries (Abi.h): the
 * header and the list of checksums are checked when the file is opened, a block of
 * constants before a run first reads it.
 */
#ifndef INVAR_C_FOLDFILE_H
#define INVAR_C_FOLDFILE_H

#include <stdint.h>

#define INVAR_FOLD_MAGIC "INVARFC2"
#define INVAR_FOLD_SUFFIX ".fold"

/* One page long, so that the constants begin at a page boundary. */
typedef struct InvarFoldHeader {
  char magic[8]; /* INVAR_FOLD_MAGIC */
  uint64_t key[3];
  uint64_t size;             /* bytes of constants */
  uint64_t blocks_checksum;  /* of the list of checksums */
  char unused[4096 - 7 * 8]; /* 0 */
  uint64_t header_checksum;  /* of all bytes before it */
} InvarFoldHeader;

#define INVAR_FOLD_OFFSET sizeof(InvarFoldHeader)

#endif /* INVAR_C_FOLDFILE_H */
