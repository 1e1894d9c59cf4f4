/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A file of constants that a model's first run has computed, for all later ones, in any
 * process:
 *
 *   KEY.fold = InvarFoldHeader, filled up to INVAR_FOLD_OFFSET bytes | the constants
 *
 * The key says what they were computed from, by which code and for which processor: three
 * numbers, as 48 hexadecimal digits. A file appears under its name when it is whole; until
 * then it has a name that begins with a dot and ends with ".tmp", and whoever writes it has
 * it locked (flock). Header, key and size are checked when it is used; the hash of what it
 * holds by `invar cache verify`.
 */
#ifndef INVAR_C_FOLDFILE_H
#define INVAR_C_FOLDFILE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define INVAR_FOLD_MAGIC "INVARFC1"
#define INVAR_FOLD_SUFFIX ".fold"
#define INVAR_FOLD_OFFSET 4096u

typedef struct InvarFoldHeader {
  char magic[8]; /* INVAR_FOLD_MAGIC */
  uint64_t key[3];
  uint64_t size;         /* bytes of constants */
  uint64_t content_hash; /* invar_fold_hash of them */
  uint64_t header_hash;  /* of all before */
} InvarFoldHeader;

/* FNV-1a of four words of 64 bits at once, and what is left over byte by byte. */
static inline uint64_t invar_fold_hash(const void *bytes, size_t size) {
  const uint64_t prime = 0x100000001b3u;
  uint64_t lanes[4] = {0xcbf29ce484222325u, 0x9ce484222325cbf2u,
                       0x84222325cbf29ce4u, 0x2325cbf29ce48422u};
  const char *at = (const char *)bytes;
  size_t left = size;
  for (; left >= 32; left -= 32, at += 32)
    for (int i = 0; i < 4; ++i) {
      uint64_t word;
      memcpy(&word, at + 8 * i, 8);
      lanes[i] = (lanes[i] ^ word) * prime;
      lanes[i] ^= lanes[i] >> 29;
    }
  uint64_t hash = size;
  for (int i = 0; i < 4; ++i)
    hash = (hash ^ lanes[i]) * prime;
  for (; left; --left, ++at)
    hash = (hash ^ (unsigned char)*at) * prime;
  return hash ^ hash >> 32;
}

#endif /* INVAR_C_FOLDFILE_H */
