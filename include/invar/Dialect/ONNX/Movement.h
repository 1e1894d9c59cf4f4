// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building blocks for the values of operators that move elements. They work for every
// element type, strings included, and most are lazy (Elements.h):
//
//   tile, padAlong, sliceAlong    views, and concatenations of views
//   countUp, choose               formulas: a triangle is a choice by row and column,
//                                 one-hot rows are a choice by index and position, …
//   pickAlong, pickRows           views if the indices form few regular runs, otherwise a
//                                 copy that is made when it is first read
//
// So 4 GiB of one-hot rows are stored as their indices:
//
//   Elements places = *countUp(fold, depth);                        8 bytes for each of 4096
//   Elements isThere = *builder.combine(equal, {indices, places});
//   Elements rows = *choose(fold, isThere, on, off);
#ifndef INVAR_DIALECT_ONNX_MOVEMENT_H
#define INVAR_DIALECT_ONNX_MOVEMENT_H

#include "invar/Dialect/ONNX/Folding.h"

namespace invar::onnx {

/// Returns the scalar zero, false or empty string.
llvm::Expected<Elements> makeZero(const Folding &fold, DataType type);

/// Returns the numbers 0, 1, …, count - 1, of type int64.
llvm::Expected<Elements> countUp(const Folding &fold, int64_t count);

/// Returns `yes` where `condition` holds, otherwise `no`; the operands are broadcast.
llvm::Expected<Elements> choose(const Folding &fold, const Elements &condition,
                                const Elements &yes, const Elements &no);

/// Slices one axis: `count` elements from `start` on, `step` apart.
llvm::Expected<Elements> sliceAlong(const Folding &fold, const Elements &x,
                                    int64_t axis, int64_t start, int64_t count,
                                    int64_t step = 1);

/// Pads an axis with `before` and `after` elements equal to the scalar `value`.
llvm::Expected<Elements> padAlong(const Folding &fold, const Elements &x,
                                  int64_t axis, int64_t before, int64_t after,
                                  const Elements &value);

/// Repeats `x` along each axis.
llvm::Expected<Elements> tile(const Folding &fold, const Elements &x,
                              llvm::ArrayRef<int64_t> repeats);

/// Reads an operand of indices and converts negative ones to count from the front.
/// Fails if one is not in [-size, size).
llvm::Expected<std::vector<int64_t>>
readIndices(const Folding &fold, mlir::Value operand, int64_t size);

/// Returns the positions, in row-major order, of elements of a tensor of `shape`. The
/// rank of `indices` is that of the tensor. Each entry refers to the element at the
/// entry's own position, with the index on `axis` replaced by the entry. Fails if an
/// index is out of range.
llvm::Expected<std::vector<int64_t>>
locateElements(const Folding &fold, mlir::Value indices,
               llvm::ArrayRef<int64_t> shape, int64_t axis);

/// Slices of a tensor. The tensor is treated as rows of `length` elements; `rows` are
/// the numbers of the selected rows.
struct Slices {
  std::vector<int64_t> rows;
  int64_t length;
};
/// Returns the slices of a tensor of `shape` that tuples of indices select, after
/// `batchAxes` axes that the tensor and the indices share. Fails if an index is out of
/// range.
llvm::Expected<Slices> locateSlices(const Folding &fold, mlir::Value indices,
                                    llvm::ArrayRef<int64_t> shape,
                                    int64_t batchAxes);

/// Returns the slices of `x` at `places` of an axis. The places must be valid.
llvm::Expected<Elements> pickAlong(const Folding &fold, const Elements &x,
                                   int64_t axis, std::vector<int64_t> places);

/// Returns these slices of `x` as a tensor of `shape`.
llvm::Expected<Elements> pickRows(const Folding &fold, const Elements &x,
                                  Slices slices, llvm::ArrayRef<int64_t> shape);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_MOVEMENT_H
