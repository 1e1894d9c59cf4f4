/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The program of a compiled model: what the runtime does between the kernels. It allocates,
 * computes sizes, calls kernels and the runtime's own functions, and branches. It is a list
 * of 32-bit words, little-endian:
 *
 *   header      InvarProgramHeader
 *   strings     for each: its length in bytes, then the bytes, filled up to a whole word
 *   types       for each: InvarTypeKind, then of a tensor: data type, rank (or ~0 for any),
 *               and for each axis the size as two words, low first (-1 where it is open),
 *               and the string that names it (or ~0); of a sequence or optional: the
 *               number of the type of what is in it, a type that stands before this one; of
 *               a map: the data type of keys, int64 or string, and the number of the type
 *               of one value, a tensor of rank 0 that stands before this one
 *   parameters  for each: the string that is its name, its type, a tensor of known sizes,
 *               and its offset in the store, two words, low first, or ~0 twice where the
 *               store does not have it
 *   constants   for each: its type, a tensor of known sizes, InvarConstantKind, and offset
 *               and size, two words each, low word first. Offsets are multiples of 64. Of
 *               strings the store has their lengths, 8 bytes each, and then their bytes. Of
 *               a parameter, its number stands for the offset
 *   attributes  for each: the count of entries, and for each entry: the string that is its
 *               name, InvarAttributeKind, the count of values, and the values: integers and
 *               doubles as two words each, strings as their numbers
 *   inputs      for each: the string that is its name, its type, and the number of the
 *               constant that it is where a run does not bring it, one of the store, or ~0;
 *               those that have one come last
 *   outputs     for each: the string that is its name, its type
 *   nodes       for each: the first word of the code that belongs to it, and the string that
 *               names it; ascending
 *   code        instructions
 *   folds       for each: the count of its words, those of a program of its own, and for each
 *               of that one's outputs, which are tensors of known sizes, where it lies among
 *               what is folded, two words each, low word first
 *
 * It may also be packed: then the words are INVAR_PACKED_MAGIC, the count of words that they
 * stand for, the count of bytes that follow, and these, the program compressed by zstd,
 * filled up to a whole word.
 *
 * Parameters are weights that go by a name: whoever runs the model brings them, or may
 * replace them.
 *
 * What is folded is constant, but computed when the model first runs: in a range of bytes of
 * its own, by folds. A fold is a program that may have inputs of the names of the model's,
 * and no folds and parameters of its own; it reads constants of the store and parameters of
 * the model alone. So all folds can run at once, and one again when a parameter that it
 * reads is replaced.
 *
 * The machine has two files of registers. Numbers are 64 bits: integers, also for truth (0
 * or 1), or doubles. Objects are tensors, sequences, optionals, maps, or nothing yet; a register
 * shares what it holds, and lets go of it when it is overwritten, dropped, or the run ends.
 * Inputs are in the first object registers when the program begins.
 *
 * An instruction is its InvarOpcode and then its operands, as the list below has them:
 *
 *   n, N   a number register that is read, written
 *   o, O   an object register that is read, written; ~0 for an operand or result of CALL
 *          that is left out
 *   i      an integer of 64 bits, two words, low word first
 *   t c s a k   a type, constant, string, list of attributes, kernel
 *   d      a data type (InvarDataType of Tensor.h)
 *   w      a word
 *   j      a word of the code to jump to, counted from the code's beginning
 *   *x     a count, and so many x
 *
 * Memory that is planned beforehand lies in blocks, which are kept from run to run. RESERVE
 * makes a block as large as the run needs it, and ALLOCATE_AT a tensor in it; both give bytes
 * as an integer times a number, which is 1 where all sizes are known. Tensors in a block may
 * overlap: who wrote the program knows that only one of them is in use. Where a block has no
 * room, the tensor is allocated like any other, so a program means the same without blocks.
 * An ALLOCATE_AT right before a CALL, of a register for a result, says where that is wanted.
 *
 * CHECK_INDICES takes integers that name places of axes: an element, and the next, belong to
 * the sizes in turn, so that tuples of several axes can be checked. They count from 0, and
 * where the word is 1 also from the end, where they are negative. The string says in the error
 * what they are: "expected an index from -8 to 7, but got 8".
 *
 * Integers that are elements of tensors wrap around. Sizes and places saturate, so that
 * they keep their order: what is too large to be a size stays so, and is an error where it
 * is used. Nothing traps: n / 0 is 0, and the lowest number / -1 is itself.
 */
#ifndef INVAR_C_PROGRAM_H
#define INVAR_C_PROGRAM_H

#include "invar-c/Tensor.h"

typedef struct InvarProgramHeader {
  uint32_t magic; /* INVAR_PROGRAM_MAGIC */
  uint32_t num_strings;
  uint32_t num_types;
  uint32_t num_parameters;
  uint32_t num_constants;
  uint32_t num_attribute_lists;
  uint32_t num_inputs;
  uint32_t num_outputs;
  uint32_t num_nodes;
  uint32_t num_code_words;
  uint32_t num_number_registers;
  uint32_t num_object_registers;
  uint32_t num_blocks;
  uint32_t num_folds;
  /* Bytes of what is folded, two words, low first. */
  uint32_t folded_size[2];
  /* The string that names the file which parameters came from that the store does not have;
   * ~0 where it has all. */
  uint32_t source;
  /* What the folds compute and from what: who has computed the same may share it. */
  uint32_t recipe[4];
} InvarProgramHeader;

#define INVAR_PROGRAM_MAGIC 0x504e5649u /* "IVNP" */

#define INVAR_PACKED_MAGIC 0x5a4e5649u /* "IVNZ" */
/* The words that a byte of a packed program stands for at most. */
#define INVAR_PACKED_MOST_WORDS 256u

/* What is left out where a number of something stands: ~0. */
#define INVAR_NONE 0xffffffffu

typedef enum InvarConstantKind {
  INVAR_CONSTANT_STORED = 0, /* in the store behind the library */
  INVAR_CONSTANT_FOLDED = 1, /* among what is folded */
  INVAR_CONSTANT_PARAMETER = 2,
} InvarConstantKind;

typedef enum InvarAttributeKind {
  INVAR_ATTRIBUTE_INTS = 0, /* one integer is a list of one */
  INVAR_ATTRIBUTE_FLOATS = 1,
  INVAR_ATTRIBUTE_STRINGS = 2,
} InvarAttributeKind;

/* X(name, operands): what each does is said beside it. */
#define INVAR_OPCODES(X)                                                       \
  /* Numbers. */                                                               \
  X(NUMBER, "Ni")                                                              \
  X(COPY_NUMBER, "Nn")                                                         \
  X(ADD, "Nnn")                                                                \
  X(SUB, "Nnn")                                                                \
  X(MUL, "Nnn")                                                                \
  X(DIV, "Nnn") /* truncates */                                                \
  X(DIV_UNSIGNED, "Nnn")                                                       \
  X(FLOOR_DIV, "Nnn")                                                          \
  X(CEIL_DIV, "Nnn")                                                           \
  X(REM, "Nnn") /* sign of the dividend */                                     \
  X(REM_UNSIGNED, "Nnn")                                                       \
  X(AND, "Nnn")                                                                \
  X(OR, "Nnn")                                                                 \
  X(XOR, "Nnn")                                                                \
  X(SHIFT_LEFT, "Nnn") /* by 64 and more: 0, or to the right the sign */       \
  X(SHIFT_RIGHT, "Nnn")                                                        \
  X(SHIFT_RIGHT_UNSIGNED, "Nnn")                                               \
  X(MIN, "Nnn")                                                                \
  X(MAX, "Nnn")                                                                \
  X(MIN_UNSIGNED, "Nnn")                                                       \
  X(MAX_UNSIGNED, "Nnn")                                                       \
  X(EQUAL, "Nnn")                                                              \
  X(NOT_EQUAL, "Nnn")                                                          \
  X(LESS, "Nnn")                                                               \
  X(LESS_EQUAL, "Nnn")                                                         \
  X(LESS_UNSIGNED, "Nnn")                                                      \
  X(LESS_EQUAL_UNSIGNED, "Nnn")                                                \
  X(SELECT, "Nnnn")     /* the second if the first is not 0, else the third */ \
  X(SIGN_EXTEND, "Nnw") /* of the lowest w bits */                             \
  X(ZERO_EXTEND, "Nnw")                                                        \
  X(FLOAT_ADD, "Nnn") /* of doubles, as all that follow */                     \
  X(FLOAT_SUB, "Nnn")                                                          \
  X(FLOAT_MUL, "Nnn")                                                          \
  X(FLOAT_DIV, "Nnn")                                                          \
  X(FLOAT_EQUAL, "Nnn")                                                        \
  X(FLOAT_LESS, "Nnn")                                                         \
  X(FLOAT_LESS_EQUAL, "Nnn")                                                   \
  X(FLOAT_FLOOR, "Nn")                                                         \
  X(FLOAT_CEIL, "Nn")                                                          \
  X(FLOAT_ROUND_TO_SINGLE, "Nn")                                               \
  X(INT_TO_FLOAT, "Nn")                                                        \
  X(FLOAT_TO_INT, "Nn") /* truncates; out of range saturates, NaN is 0 */      \
  /* Objects. */                                                               \
  X(CONSTANT, "Oc")                                                            \
  X(ALLOCATE,                                                                  \
    "Od*n") /* a tensor of these sizes; its elements are undefined */          \
  X(RESERVE,                                                                   \
    "win") /* a block of so many bytes: the integer times the number */        \
  X(ALLOCATE_AT,                                                               \
    "Odwin*n") /* the same as ALLOCATE, in a block, so many bytes into it */   \
  X(RESHAPE, "Oo*n") /* the same elements; as many, or the run fails */        \
  X(PART, "Oon*n")   /* elements from the number on, of these sizes */         \
  X(SIZE, "Now")     /* of an axis */                                          \
  X(LOAD, "Non")  /* element of an index in row-major order; fails outside */  \
  X(STORE, "onn") /* of the object, at the index, the number */                \
  X(COPY_OBJECT, "Oo")                                                         \
  X(DROP, "O")                                                                 \
  X(KERNEL, "k*o*n")  /* tensors and numbers, as Abi.h has it */               \
  X(CALL, "sa*o*O*t") /* a function of the runtime; types of what it gives */  \
  X(CHECK_TYPE, "ot") /* fails where the object is not of the type */          \
  /* Control. */                                                               \
  X(CHECK, "ns") /* fails with the message where the number is 0 */            \
  X(JUMP, "j")                                                                 \
  X(JUMP_IF, "nj")                                                             \
  X(JUMP_UNLESS, "nj")                                                         \
  X(RETURN, "*o")                                                              \
  /* Sizes and places. */                                                      \
  X(ADD_SATURATED, "Nnn")                                                      \
  X(SUB_SATURATED, "Nnn")                                                      \
  X(MUL_SATURATED, "Nnn")                                                      \
  X(CHECK_INDICES, "ows*n") /* fails where an element is no place; see above */

typedef enum InvarOpcode {
#define INVAR_OPCODE(NAME, OPERANDS) INVAR_OP_##NAME,
  INVAR_OPCODES(INVAR_OPCODE)
#undef INVAR_OPCODE
      INVAR_NUM_OPCODES
} InvarOpcode;

#endif /* INVAR_C_PROGRAM_H */
