/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values are the inputs and outputs of a model. A value is a tensor, a sequence of
 * values, an optional value, or a map from keys to numbers or strings.
 *
 * A tensor's elements are stored row-major and without gaps. Each element takes whole
 * bytes: a bool is a byte that is 0 or 1; an integer or float of less than 8 bits takes
 * one byte, integers being sign- or zero-extended; a complex number is two floats.
 * Strings are InvarStrings, whose bytes the tensor owns.
 *
 * Ownership: values are reference-counted. A function that returns a value returns a
 * reference, which the caller releases with invar_value_release. Pointers into a value
 * live as long as the value. A value keeps the memory of its elements alive: an output
 * may be kept after its session is freed.
 * Threading: counting references is safe on all threads. Everything else about a value
 * never changes, except its elements, which are ordinary memory: writing them while
 * another thread or a run reads them is an error.
 */
#ifndef INVAR_C_TENSOR_H
#define INVAR_C_TENSOR_H

#include "invar-c/Status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The maximal rank of a tensor. */
#define INVAR_MAX_RANK 64

/* The numbers of ONNX's TensorProto.DataType. */
typedef enum InvarDataType {
  INVAR_FLOAT32 = 1,
  INVAR_UINT8 = 2,
  INVAR_INT8 = 3,
  INVAR_UINT16 = 4,
  INVAR_INT16 = 5,
  INVAR_INT32 = 6,
  INVAR_INT64 = 7,
  INVAR_STRING = 8,
  INVAR_BOOL = 9,
  INVAR_FLOAT16 = 10,
  INVAR_FLOAT64 = 11,
  INVAR_UINT32 = 12,
  INVAR_UINT64 = 13,
  INVAR_COMPLEX64 = 14,
  INVAR_COMPLEX128 = 15,
  INVAR_BFLOAT16 = 16,
  INVAR_FLOAT8E4M3FN = 17,
  INVAR_FLOAT8E4M3FNUZ = 18,
  INVAR_FLOAT8E5M2 = 19,
  INVAR_FLOAT8E5M2FNUZ = 20,
  INVAR_UINT4 = 21,
  INVAR_INT4 = 22,
  INVAR_FLOAT4E2M1 = 23,
  INVAR_FLOAT8E8M0 = 24,
  INVAR_UINT2 = 25,
  INVAR_INT2 = 26,
  INVAR_FLOAT6E2M3 = 27,
  INVAR_FLOAT6E3M2 = 28,
} InvarDataType;

/* Returns ONNX's name, "float", "int64" …; null if `type` is not a data type. */
INVAR_API const char *invar_data_type_name(InvarDataType type);
/* Returns the bytes that an element takes in memory; 0 if `type` is not a data type. */
INVAR_API size_t invar_data_type_size(InvarDataType type);

/* An element of a tensor of strings. It need not end with a zero byte. */
typedef struct InvarString {
  const char *data;
  size_t size;
} InvarString;

typedef enum InvarTypeKind {
  INVAR_TYPE_TENSOR = 0,
  INVAR_TYPE_SEQUENCE = 1,
  INVAR_TYPE_OPTIONAL = 2,
  INVAR_TYPE_MAP = 3,
} InvarTypeKind;

typedef struct InvarValue InvarValue;

INVAR_API InvarTypeKind invar_value_kind(const InvarValue *value);
/* Both do nothing to a null value. */
INVAR_API void invar_value_retain(InvarValue *value);
INVAR_API void invar_value_release(InvarValue *value);

/* ---- Tensors. These functions accept only values that are tensors. */

/* Creates a tensor with its own memory, 64-byte aligned. Its elements are undefined;
 * strings are empty. */
INVAR_API InvarStatus *invar_tensor_create(InvarDataType type,
                                           const int64_t *sizes, size_t rank,
                                           InvarValue **tensor);

/* Creates a tensor whose elements are in memory of the caller, aligned at least as the
 * elements are. Nothing is copied. When the last reference to the tensor is released,
 * `release`, unless it is null, is called with `context`, on the thread that releases
 * it. It is not called if this function fails. Not for strings. */
INVAR_API InvarStatus *invar_tensor_borrow(InvarDataType type,
                                           const int64_t *sizes, size_t rank,
                                           void *data,
                                           void (*release)(void *context),
                                           void *context, InvarValue **tensor);

INVAR_API InvarDataType invar_tensor_data_type(const InvarValue *tensor);
INVAR_API size_t invar_tensor_rank(const InvarValue *tensor);
INVAR_API const int64_t *invar_tensor_sizes(const InvarValue *tensor);
/* The number of elements, and the bytes that they take. */
INVAR_API int64_t invar_tensor_count(const InvarValue *tensor);
INVAR_API size_t invar_tensor_bytes(const InvarValue *tensor);
/* The elements; for strings, an array of InvarString. Do not write the elements of an
 * output that is a constant of the model or an unchanged input. */
INVAR_API void *invar_tensor_data(const InvarValue *tensor);
/* Returns 1 if the elements are those of a constant of a model, otherwise 0. */
INVAR_API int32_t invar_tensor_is_constant(const InvarValue *tensor);

/* Copies a string to element `index` of a tensor that invar_tensor_create made. */
INVAR_API InvarStatus *invar_tensor_set_string(InvarValue *tensor,
                                               int64_t index, const char *data,
                                               size_t size);

/* ---- Sequences, optionals and maps. */

/* Creates a sequence of `count` values. The sequence takes its own references to them. */
INVAR_API InvarStatus *invar_sequence_create(InvarValue *const *values,
                                             size_t count,
                                             InvarValue **sequence);
INVAR_API size_t invar_sequence_size(const InvarValue *sequence);
/* An element, which still belongs to the sequence; `index` must be less than its size. */
INVAR_API InvarValue *invar_sequence_at(const InvarValue *sequence,
                                        size_t index);

/* Creates an optional that holds a value, to which it takes its own reference, or an
 * empty one if `value` is null. */
INVAR_API InvarStatus *invar_optional_create(InvarValue *value,
                                             InvarValue **optional);
/* The value in the optional, which still belongs to it; null if the optional is empty. */
INVAR_API InvarValue *invar_optional_get(const InvarValue *optional);

/* Creates a map from each element of `keys`, int64 or strings, to the element of
 * `values` at the same position. Both are tensors of rank 1 and of equal size, whose
 * elements are copied. Keys must be unique. */
INVAR_API InvarStatus *invar_map_create(const InvarValue *keys,
                                        const InvarValue *values,
                                        InvarValue **map);
/* The keys in ascending order, and their values in the same order: tensors of rank 1, which
 * still belong to the map. They may be shared with other maps and must not be written. */
INVAR_API InvarValue *invar_map_keys(const InvarValue *map);
INVAR_API InvarValue *invar_map_values(const InvarValue *map);

#ifdef __cplusplus
}
#endif

#endif /* INVAR_C_TENSOR_H */
