/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes a compiled model from an ELF file, like an attacker who knows the format: all checksums
 * are right, and so is the key that a cache looks for. The only constant is {7, 7, 7, 7}.
 *
 *   seal_library ELF OUT [KEY]      KEY: 32 hexadecimal digits
 */
#define XXH_INLINE_ALL
#include "invar-c/Abi.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { PAGE = 4096, MOST = 1 << 24 };

int main(int argc, char **argv) {
  char *bytes = calloc(1, MOST);
  FILE *in = argc > 2 ? fopen(argv[1], "rb") : NULL;
  size_t size = in && bytes ? fread(bytes, 1, MOST / 2, in) : 0;
  if (!size)
    return 1;
  size_t head = (size + PAGE - 1) / PAGE * PAGE;
  const float constants[4] = {7, 7, 7, 7};
  memcpy(bytes + head, constants, sizeof(constants));
  char *tail = bytes + head + sizeof(constants);
  uint64_t block = XXH3_64bits(constants, sizeof(constants));
  memcpy(tail, &block, sizeof(block));
  InvarTrailer trailer;
  memset(&trailer, 0, sizeof(trailer));
  trailer.head_size = trailer.constants_offset = head;
  trailer.head_checksum = XXH3_64bits(bytes, head);
  trailer.constants_size = sizeof(constants);
  unsigned long long high = 0, low = 0;
  if (argc > 3 && sscanf(argv[3], "%16llx%16llx", &high, &low) != 2)
    return 1;
  trailer.key[0] = low;
  trailer.key[1] = high;
  memcpy(trailer.magic, INVAR_TRAILER_MAGIC, sizeof(trailer.magic));
  size_t covered = sizeof(block) + offsetof(InvarTrailer, tail_checksum);
  memcpy(tail + sizeof(block), &trailer, sizeof(trailer));
  trailer.tail_checksum = XXH3_64bits(tail, covered);
  memcpy(tail + sizeof(block), &trailer, sizeof(trailer));
  size = head + sizeof(constants) + sizeof(block) + sizeof(trailer);
  FILE *out = fopen(argv[2], "wb");
  return !out || fwrite(bytes, 1, size, out) != size || fclose(out) != 0;
}
