// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the values of operators that move elements are made of. All of it works for every
// element type, strings included, and nearly all of it is lazy (Elements.h):
//
//   tile, padAlong, sliceAlong    views, and concatenations of views
//   countUp, choose               formulas: a triangle is a choice by row and column,
//                                 one-hot rows are a choice by index and place, …
//   pickAlong, pickRows           views where few runs of indices say it, else a copy that
//                                 is made when it is first read
//
// So 4 GiB of one-hot rows are kept as their indices:
//
//   Elements places = *countUp(fold, depth);                        8 bytes for each of 4096
//   Elements isThere = *builder.combine(equal, {indices, places});
//   Elements rows = *choose(fold, isThere, on, off);
#ifndef INVAR_DIALECT_ONNX_MOVEMENT_H
#define INVAR_DIALECT_ONNX_MOVEMENT_H

#include "invar/Dialect/ONNX/Folding.h"

namespace invar::onnx {

/// The scalar that is zero, false or empty.
llvm::Expected<Elements> makeZero(const Folding &fold, DataType type);

/// The numbers 0, 1, … below `count`, of type int64.
llvm::Expected<Elements> countUp(const Folding &fold, int64_t count);

/// `yes` where `condition` holds, else `no`; broadcast.
llvm::Expected<Elements> choose(const Folding &fold, const Elements &condition,
                                const Elements &yes, const Elements &no);

/// Of one axis `count` elements from `start` on, `step` apart; of the others all.
llvm::Expected<Elements> sliceAlong(const Folding &fold, const Elements &x,
                                    int64_t axis, int64_t start, int64_t count,
                                    int64_t step = 1);

/// `before` and `after` elements that are `value`, a scalar, around those of an axis.
llvm::Expected<Elements> padAlong(const Folding &fold, const Elements &x,
                                  int64_t axis, int64_t before, int64_t after,
                                  const Elements &value);

/// `x` repeated along each axis.
llvm::Expected<Elements> tile(const Folding &fold, const Elements &x,
                              llvm::ArrayRef<int64_t> repeats);

/// The numbers of an operand of indices, counted from the front; fails where one is not in
/// [-size, size).
llvm::Expected<std::vector<int64_t>>
readIndices(const Folding &fold, mlir::Value operand, int64_t size);

/// Which elements of a tensor of `shape`, in row-major order, `indices` of its rank mean:
/// each replaces its own place on `axis`. Fails where one is not there.
llvm::Expected<std::vector<int64_t>>
locateElements(const Folding &fold, mlir::Value indices,
               llvm::ArrayRef<int64_t> shape, int64_t axis);

/// Slices of a tensor: it is seen as rows of `length` elements, of which those with the
/// numbers `rows` are meant.
struct Slices {
  std::vector<int64_t> rows;
  int64_t length;
};
/// The slices of a tensor of `shape` that tuples of indices mean, past `batchAxes` axes
/// which both have. Fails where one is not there.
llvm::Expected<Slices> locateSlices(const Folding &fold, mlir::Value indices,
                                    llvm::ArrayRef<int64_t> shape,
                                    int64_t batchAxes);

/// The slices of `x` at `places` of an axis, which are there.
llvm::Expected<Elements> pickAlong(const Folding &fold, const Elements &x,
                                   int64_t axis, std::vector<int64_t> places);

/// These slices of `x`, which make up `shape`.
llvm::Expected<Elements> pickRows(const Folding &fold, const Elements &x,
                                  Slices slices, llvm::ArrayRef<int64_t> shape);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_MOVEMENT_H
