/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A file of constants that a model's first run has computed, for all later ones, in any
 * process:
 *
 *   KEY.fold = InvarFoldHeader | the constants | checksums of their blocks
 *
 * The key says what they were computed from, by which code and for which processor: three
 * numbers, as 48 hexadecimal digits. A file appears under its name when it is whole; until
 * then it has a name that begins with a dot and ends with ".tmp", and whoever writes it has
 * it locked (flock). Checksums are those of libraries (Abi.h): header and list are checked
 * when the file is opened, and a block of constants before a run first reads it.
 */
#ifndef INVAR_C_FOLDFILE_H
#define INVAR_C_FOLDFILE_H

#include <stdint.h>

#define INVAR_FOLD_MAGIC "INVARFC2"
#define INVAR_FOLD_SUFFIX ".fold"

/* As long as a page, so that constants begin one. */
typedef struct InvarFoldHeader {
  char magic[8]; /* INVAR_FOLD_MAGIC */
  uint64_t key[3];
  uint64_t size;             /* bytes of constants */
  uint64_t blocks_checksum;  /* of the list of checksums */
  char unused[4096 - 7 * 8]; /* 0 */
  uint64_t header_checksum;  /* of all before */
} InvarFoldHeader;

#define INVAR_FOLD_OFFSET sizeof(InvarFoldHeader)

#endif /* INVAR_C_FOLDFILE_H */
