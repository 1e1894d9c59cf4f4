/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The format of a constant that is stored in fewer bytes than its elements take.
 * Decoding restores every bit:
 *
 *   InvarEncodedHeader | parameters | ends of pieces | pieces
 *
 * Each element has a code of some bits. The encoding defines the value of a code:
 *
 *   encoding     element i is                              bits of a code   parameters
 *   RAW          the code                                  the element's    none
 *   SPLAT        the parameter                             0                one element
 *   IOTA         first + i * step, modulo 2^bits           0                both, of 64 bits
 *   IOTA_FLOAT   first + i * step, in doubles              0                both, doubles
 *   PALETTE      parameter number `code`                   1, 2, 4, 8       2^bits elements
 *   SIGNED       the code, extended by its sign            8, 16, 32        none
 *   UNSIGNED     the code, extended by zeros               8, 16, 32        none
 *   HALF         a float32: the code as float16            16               none
 *   BFLOAT       a float32: the code as bfloat16           16               none
 *   SINGLE       a float64: the code as float32            32               none
 *   SCALED       a float32: the code, a signed byte, times 8                scales, floats
 *                scale number i / block * lanes + i % lanes
 *
 * SCALED has one row of scales for each block of a weight, with one scale for each
 * lane. For example: one scale for all elements (block = count, lanes = 1), one for
 * each row of a matrix (block = columns, lanes = 1), one for each column (block =
 * count, lanes = columns), or one for each column of a matrix that is packed in panels
 * (block = a panel, lanes = columns of a panel).
 *
 * Codes are stored in pieces of `piece_codes` codes; the last piece may be shorter.
 * Each piece can be decoded separately, with memory for one piece. Codes of less than a
 * byte are packed into bytes, lowest bits first. Codes of several bytes are stored as
 * planes, all lowest bytes first, because the high bytes of neighbouring numbers are
 * similar. A piece is a zstd frame, or its plain bytes if the frame would not be
 * shorter: then the piece has as many bytes as its codes. The ends of pieces are
 * offsets from the first piece. If codes have no bits, there are neither ends nor
 * pieces.
 *
 * For example, a weight of 1024 x 768 floats (3,145,728 bytes) with 16 different
 * values:
 *
 *   header       56 bytes: PALETTE, 4 bits, elements of 4 bytes, 786,432 of them
 *   parameters   16 floats
 *   ends         3 integers: pieces of 262,144 codes
 *   pieces       3 times up to 131,072 bytes
 *
 * All numbers are little-endian. The decoder must check all of it: no field is trusted.
 */
#ifndef INVAR_C_ENCODING_H
#define INVAR_C_ENCODING_H

#include <stdint.h>
#include <string.h>

typedef enum InvarEncoding {
  INVAR_ENCODING_RAW = 0,
  INVAR_ENCODING_SPLAT = 1,
  INVAR_ENCODING_IOTA = 2,
  INVAR_ENCODING_IOTA_FLOAT = 3,
  INVAR_ENCODING_PALETTE = 4,
  INVAR_ENCODING_SIGNED = 5,
  INVAR_ENCODING_UNSIGNED = 6,
  INVAR_ENCODING_HALF = 7,
  INVAR_ENCODING_BFLOAT = 8,
  INVAR_ENCODING_SINGLE = 9,
  INVAR_ENCODING_SCALED = 10,
  INVAR_NUM_ENCODINGS
} InvarEncoding;

typedef struct InvarEncodedHeader {
  char magic[8];           /* INVAR_ENCODED_MAGIC */
  uint8_t encoding;        /* InvarEncoding */
  uint8_t code_bits;       /* 0 if elements need no codes */
  uint8_t element_size;    /* 1, 2, 4 or 8 bytes */
  uint8_t unused[5];       /* 0 */
  uint64_t count;          /* number of elements */
  uint64_t parameter_size; /* bytes, padded to a multiple of 8 */
  uint64_t
      piece_codes; /* a multiple of 8; counts elements if there are no codes */
  uint64_t block, lanes; /* for SCALED; block is a multiple of lanes */
} InvarEncodedHeader;

#define INVAR_ENCODED_MAGIC "INVARENC"

/* The maximal number of bytes of a piece, both of its codes and of its elements. */
#define INVAR_MOST_PIECE_BYTES (UINT64_C(1) << 20)

/* The number of bytes that `codes` codes take. */
static inline uint64_t invar_code_bytes(uint64_t codes, unsigned bits) {
  return bits < 8 ? (codes * bits + 7) / 8 : codes * (bits / 8);
}

/* Returns the bits of the float32 that equals a float16. Does not use the conversion of
 * the processor, which changes some NaNs. */
static inline uint32_t invar_widen_half(uint16_t half) {
  uint32_t sign = (uint32_t)(half >> 15) << 31;
  uint32_t exponent = (half >> 10) & 31u, fraction = half & 0x3ffu;
  if (exponent == 31)
    return sign | 0x7f800000u | fraction << 13;
  if (exponent != 0)
    return sign | (exponent + 112) << 23 | fraction << 13;
  if (fraction == 0)
    return sign;
  exponent = 113;
  for (; !(fraction & 0x400u); fraction <<= 1)
    --exponent;
  return sign | exponent << 23 | (fraction & 0x3ffu) << 13;
}

/* Returns the bits of the float64 that equals a float32, in the same way. */
static inline uint64_t invar_widen_single(uint32_t single) {
  uint64_t sign = (uint64_t)(single >> 31) << 63;
  uint64_t exponent = (single >> 23) & 0xffu, fraction = single & 0x7fffffu;
  if (exponent == 255)
    return sign | UINT64_C(0x7ff) << 52 | fraction << 29;
  if (exponent != 0)
    return sign | (exponent + 896) << 52 | fraction << 29;
  if (fraction == 0)
    return sign;
  exponent = 897;
  for (; !(fraction & 0x800000u); fraction <<= 1)
    --exponent;
  return sign | exponent << 52 | (fraction & 0x7fffffu) << 29;
}

/* Returns the bits of an element of IOTA_FLOAT, which is a float32 or float64 depending
 * on its size. */
static inline uint64_t invar_iota_float(double first, double step, uint64_t i,
                                        unsigned element_size) {
  double number = first + step * (double)i;
  float rounded = (float)number;
  uint64_t bits = 0;
  if (element_size == sizeof(rounded))
    memcpy(&bits, &rounded, sizeof(rounded));
  else
    memcpy(&bits, &number, sizeof(number));
  return bits;
}

/* Returns the bits of an element of SCALED. */
static inline uint32_t invar_scale(int8_t code, float scale) {
  float number = (float)code * scale;
  uint32_t bits;
  memcpy(&bits, &number, sizeof(bits));
  return bits;
}

#endif /* INVAR_C_ENCODING_H */
