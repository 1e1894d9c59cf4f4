/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The format of the program of a compiled model. The runtime interprets it: a program
 * allocates memory, computes sizes, calls kernels and functions of the runtime, and
 * branches. It is a list of 32-bit words, little-endian:
 *
 *   header      InvarProgramHeader
 *   strings     for each: its length in bytes, then the bytes, padded to a whole word
 *   types       for each: InvarTypeKind, then
 *               for a tensor: data type, rank (or ~0 for any rank), and for each axis
 *               the size as two words, low word first (-1 for an open size), and the
 *               string that names it (or ~0);
 *               for a sequence or optional: the number of the element's type, which
 *               precedes this type;
 *               for a map: the data type of keys, int64 or string, and the number of
 *               the type of one value, a tensor of rank 0 that precedes this type
 *   parameters  for each: the string that is its name, its type (a tensor of known sizes),
 *               and its offset in the store as two words, low word first, or ~0 twice if it
 *               is not in the store
 *   constants   for each: its type (a tensor of known sizes), InvarConstantKind, and offset
 *               and size, two words each, low word first. Offsets are multiples of 64.
 *               For strings, the store has their lengths, 8 bytes each, and then their
 *               bytes. For a parameter, the offset is its number
 *   attributes  for each: the count of entries, and for each entry: the string that is its
 *               name, InvarAttributeKind, the count of values, and the values: integers and
 *               doubles as two words each, strings as their numbers
 *   inputs      for each: the string that is its name, its type, and its default value,
 *               which is used if a run does not provide the input: the number of a
 *               constant of the store, or ~0 for none. Inputs with a default come last
 *   outputs     for each: the string that is its name, its type
 *   nodes       for each: the first word of its code, and the string that names it; in
 *               ascending order
 *   code        instructions
 *   folds       for each: the count of its words, the words, which are a program, and for
 *               each output of that program, which is a tensor of known sizes, its offset
 *               in the folded constants, two words each, low word first
 *
 * A program may also be packed. Then the words are INVAR_PACKED_MAGIC, the count of
 * unpacked words, the count of the bytes that follow, and these bytes: the program
 * compressed with zstd, padded to a whole word.
 *
 * Parameters are named weights, which the caller provides at run time or may replace.
 *
 * Folded constants are computed by folds in the first run. They have their own range of
 * memory. A fold is a program. Its inputs, if any, have the names of the model's
 * inputs. It has no folds or parameters itself, and it reads only constants of the
 * store and parameters of the model. Therefore all folds can run at the same time, and
 * a fold can run again when a parameter that it reads is replaced.
 *
 * The machine has two sets of registers. A number register has 64 bits: an integer, a
 * truth value (0 or 1) or a double. An object register holds a counted reference to a
 * tensor, sequence, optional or map, or nothing yet. It releases the reference when it
 * is overwritten or dropped, and when the run ends. At the start, the first object
 * registers hold the inputs.
 *
 * An instruction is its InvarOpcode, followed by its operands. The list below uses
 * these letters:
 *
 *   n, N   a number register that is read, written
 *   o, O   an object register that is read, written; ~0 for an omitted operand or result of
 *          CALL
 *   i      an integer of 64 bits, two words, low word first
 *   t c s a k   a type, constant, string, list of attributes, kernel
 *   d      a data type (InvarDataType of Tensor.h)
 *   w      a word
 *   j      a jump target: a word of the code, counted from the beginning of the code
 *   *x     a count, and then that many x
 *
 * The memory plan uses blocks, which are kept from run to run. RESERVE makes a block as
 * large as the run needs, and ALLOCATE_AT makes a tensor in it. Both express bytes as
 * an integer times a number register, which is 1 if all sizes are known. Tensors in a
 * block may overlap: the compiler guarantees that only one of them is in use at a time.
 * If a block has no room, the tensor is allocated like any other, so a program means
 * the same without blocks. An ALLOCATE_AT of a result register, right before a CALL,
 * requests the memory for that result.
 *
 * CHECK_INDICES checks the integers of a tensor, which are indices into axes.
 * Consecutive elements belong to the sizes in turn, so that tuples for several axes can
 * be checked. Indices count from 0. If the word is 1, negative indices count from the
 * end. The error message uses the string as the name of the indices: "expected an index
 * from -8 to 7, but got 8".
 *
 * Integers that are elements of tensors wrap around. Sizes and indices saturate, which
 * keeps their order: a size that is too large stays too large, and is an error where it
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
  /* The number of bytes of the folded constants, two words, low word first. */
  uint32_t folded_size[2];
  /* The string that names the file with the parameters that are not in the store; ~0 if
   * the store has all parameters. */
  uint32_t source;
  /* Identifies the folds and their sources. Libraries with equal recipes may share the
   * results. */
  uint32_t recipe[4];
} InvarProgramHeader;

#define INVAR_PROGRAM_MAGIC 0x504e5649u /* "IVNP" */

#define INVAR_PACKED_MAGIC 0x5a4e5649u /* "IVNZ" */
/* The maximal number of words that one byte of a packed program may stand for. */
#define INVAR_PACKED_MOST_WORDS 256u

/* Stands for an omitted number of a string, type, register etc. */
#define INVAR_NONE 0xffffffffu

typedef enum InvarConstantKind {
  INVAR_CONSTANT_STORED = 0, /* in the store after the library */
  INVAR_CONSTANT_FOLDED = 1, /* in the folded constants */
  INVAR_CONSTANT_PARAMETER = 2,
} InvarConstantKind;

typedef enum InvarAttributeKind {
  INVAR_ATTRIBUTE_INTS = 0, /* a single integer is a list of length one */
  INVAR_ATTRIBUTE_FLOATS = 1,
  INVAR_ATTRIBUTE_STRINGS = 2,
} InvarAttributeKind;

/* X(name, operands): a comment explains an instruction if its name does not. */
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
  X(SHIFT_LEFT, "Nnn") /* by 64 or more: 0; SHIFT_RIGHT: the sign */           \
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
  X(FLOAT_ADD, "Nnn") /* on doubles, like all that follow */                   \
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
    "Od*n")         /* a tensor of these sizes; its elements are undefined */  \
  X(RESERVE, "win") /* a block; its bytes are the integer times the number */  \
  X(ALLOCATE_AT,                                                               \
    "Odwin*n") /* as ALLOCATE, in a block, from this byte on; see above */     \
  X(RESHAPE, "Oo*n") /* the same elements; fails if the count differs */       \
  X(PART, "Oon*n")   /* elements from this one on, with these sizes */         \
  X(SIZE, "Now")     /* of an axis */                                          \
  X(LOAD, "Non")     /* element at a row-major index; fails if outside */      \
  X(STORE, "onn")    /* the number, to the object, at the index */             \
  X(COPY_OBJECT, "Oo")                                                         \
  X(DROP, "O")                                                                 \
  X(KERNEL, "k*o*n")  /* tensors and numbers, as in Abi.h */                   \
  X(CALL, "sa*o*O*t") /* a function of the runtime; types of its results */    \
  X(CHECK_TYPE, "ot") /* fails if the object is not of the type */             \
  /* Control. */                                                               \
  X(CHECK, "ns") /* fails with the message if the number is 0 */               \
  X(JUMP, "j")                                                                 \
  X(JUMP_IF, "nj")                                                             \
  X(JUMP_UNLESS, "nj")                                                         \
  X(RETURN, "*o")                                                              \
  /* Sizes and indices. */                                                     \
  X(ADD_SATURATED, "Nnn")                                                      \
  X(SUB_SATURATED, "Nnn")                                                      \
  X(MUL_SATURATED, "Nnn")                                                      \
  X(CHECK_INDICES, "ows*n") /* fails if an index is out of range; see above */ \
  X(RANK, "No")             /* the number of axes */

typedef enum InvarOpcode {
#define INVAR_OPCODE(NAME, OPERANDS) INVAR_OP_##NAME,
  INVAR_OPCODES(INVAR_OPCODE)
#undef INVAR_OPCODE
      INVAR_NUM_OPCODES
} InvarOpcode;

#endif /* INVAR_C_PROGRAM_H */
