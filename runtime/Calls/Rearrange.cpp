// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that reorder or repeat elements.
#include "BoxCopy.h"
#include "Calls.h"
#include "Indices.h"
#include "Numbers.h"

#include <algorithm>
#include <array>
#include <numeric>

using namespace invar;
using namespace invar::runtime;

/// Copies a tensor, viewed with `sizes`, with its axes permuted. The counts of elements
/// must be equal.
static Status permute(CallContext &call, const Tensor &x, Sizes sizes,
                      std::span<const int64_t> permutation, Tensor &y) {
  std::vector<int64_t> permuted;
  for (int64_t axis : permutation)
    permuted.push_back(sizes[size_t(axis)]);
  Strides from(sizes), to(permuted);
  BoxCopy copy(x, 0, y, 0);
  for (size_t i = 0; i < permuted.size(); ++i)
    copy.addAxis(permuted[i], from[size_t(permutation[i])], to[i]);
  return copy.run(call);
}

Status runtime::callTranspose(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  std::vector<int64_t> permutation(x.rank);
  std::iota(permutation.rbegin(), permutation.rend(), 0);
  if (call.findAttribute("perm")) {
    std::span<const int64_t> given = call.getInts("perm");
    if (!std::is_permutation(given.begin(), given.end(), permutation.begin(),
                             permutation.end()))
      return call.fail("expected 'perm' to have each of ", size_t(x.rank),
                       " axes once, but it has not");
    permutation.assign(given.begin(), given.end());
  }
  std::vector<int64_t> sizes;
  for (int64_t axis : permutation)
    sizes.push_back(x.getSize(size_t(axis)));
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, x.getType(), sizes, result))
    return status;
  return permute(call, x, x.getSizes(), permutation, *result);
}

/// Reads which axes are listed, by the second operand or the attribute `axes`. If none
/// is listed, all or none are reduced.
static Status readReduced(CallContext &call, size_t rank,
                          std::vector<bool> &isReduced) {
  std::span<const int64_t> axes = call.getInts("axes");
  if (call.getOperand(1))
    if (Status status = readNumbers(call, 1, axes))
      return status;
  bool isNoop = call.getInt("noop_with_empty_axes", 0) != 0;
  isReduced.assign(rank, axes.empty() && !isNoop);
  for (int64_t axis : axes) {
    if (Status status = call.normalizeAxis(axis, int64_t(rank)))
      return status;
    isReduced[size_t(axis)] = true;
  }
  return Status::success();
}

/// Not an ONNX operator. Converts a tensor of any rank to a matrix for a reduction:
/// each row has the elements along the reduced axes. The second result has the sizes
/// that the reduction of the rows must get.
Status runtime::callRows(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  std::vector<bool> isReduced;
  if (Status status = readReduced(call, x.rank, isReduced))
    return status;
  bool keepsAxes = call.getInt("keepdims", 1) != 0;
  std::vector<int64_t> permutation, sizes;
  int64_t matrix[] = {1, 1};
  for (bool wanted : {false, true})
    for (size_t axis = 0; axis < x.rank; ++axis) {
      if (isReduced[axis] != wanted)
        continue;
      permutation.push_back(int64_t(axis));
      // This overflows only if the tensor is empty: otherwise the product is at most
      // its count.
      if (__builtin_mul_overflow(matrix[wanted], x.getSize(axis),
                                 &matrix[wanted]))
        return call.fail("expected sizes below 2^63, but got ", describe(&x));
    }
  for (size_t axis = 0; axis < x.rank; ++axis)
    if (!isReduced[axis] || keepsAxes)
      sizes.push_back(isReduced[axis] ? 1 : x.getSize(axis));
  Tensor *rows = nullptr, *shape = nullptr;
  if (Status status = call.allocate(0, x.getType(), matrix, rows))
    return status;
  if (Status status =
          call.allocate(1, INVAR_INT64, {int64_t(sizes.size())}, shape))
    return status;
  std::ranges::copy(sizes, shape->getData<int64_t>());
  return permute(call, x, x.getSizes(), permutation, *rows);
}

/// Reads the block size, and checks that the operand is an image.
static Status readBlocks(CallContext &call, int64_t &block) {
  if (Status status = call.expectRank(0, 4))
    return status;
  block = call.getInt("blocksize", 0);
  if (block < 1 || block > INT32_MAX)
    return call.fail("expected 'blocksize' to be from 1 to ", INT32_MAX,
                     ", but got ", block);
  return Status::success();
}

Status runtime::callDepthToSpace(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  int64_t b = 0;
  if (Status status = readBlocks(call, b))
    return status;
  int64_t n = x.getSize(0), depth = x.getSize(1) / (b * b), h = x.getSize(2),
          w = x.getSize(3), high = 0, wide = 0;
  if (depth * b * b != x.getSize(1))
    return call.fail("expected channels by blocks of ", b, ", but got ",
                     describe(&x));
  if (__builtin_mul_overflow(h, b, &high) ||
      __builtin_mul_overflow(w, b, &wide))
    return call.fail("expected a size below 2^63, but got more");
  Tensor *result = nullptr;
  if (Status status =
          call.allocate(0, x.getType(), {n, depth, high, wide}, result))
    return status;
  if (call.getString("mode", "DCR") == "DCR")
    return permute(call, x, std::array{n, b, b, depth, h, w},
                   std::array<int64_t, 6>{0, 3, 4, 1, 5, 2}, *result);
  return permute(call, x, std::array{n, depth, b, b, h, w},
                 std::array<int64_t, 6>{0, 1, 4, 2, 5, 3}, *result);
}

Status runtime::callSpaceToDepth(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  int64_t b = 0;
  if (Status status = readBlocks(call, b))
    return status;
  int64_t n = x.getSize(0), depth = x.getSize(1), h = x.getSize(2) / b,
          w = x.getSize(3) / b;
  if (h * b != x.getSize(2) || w * b != x.getSize(3))
    return call.fail("expected an image of blocks of ", b, ", but got ",
                     describe(&x));
  Tensor *result = nullptr;
  int64_t depths = depth;
  if (__builtin_mul_overflow(depth, b * b, &depths))
    return call.fail("expected a size below 2^63, but got more");
  if (Status status = call.allocate(0, x.getType(), {n, depths, h, w}, result))
    return status;
  const int64_t blocksFirst[] = {0, 3, 5, 1, 2, 4},
                depthFirst[] = {0, 1, 3, 5, 2, 4};
  return permute(call, x, std::array{n, depth, h, b, w, b},
                 call.getString("mode", "DCR") == "DCR" ? blocksFirst
                                                        : depthFirst,
                 *result);
}

Status runtime::callReverseSequence(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  int64_t batchAxis = call.getInt("batch_axis", 1),
          timeAxis = call.getInt("time_axis", 0);
  if (x.rank < 2 || batchAxis + timeAxis != 1 || batchAxis * timeAxis != 0)
    return call.fail("expected axes 0 and 1 of batch and time, but got ",
                     batchAxis, " and ", timeAxis, " of ", describe(&x));
  int64_t times = x.getSize(size_t(timeAxis));
  if (Status status = call.expectCount(1, x.getSize(size_t(batchAxis))))
    return status;
  std::span<const int64_t> lengths;
  if (Status status = readNumbers(call, 1, lengths))
    return status;
  for (int64_t length : lengths)
    if (length < 0 || length > times)
      return call.fail("expected lengths from 0 to ", times, ", but got ",
                       length);
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, x.getType(), x.getSizes(), result))
    return status;
  Slices slices = {.rows = {}, .length = countAll(x.getSizes().subspan(2))};
  if (Status status = call.getScratch(x.getSize(0) * x.getSize(1), slices.rows))
    return status;
  int64_t columns = x.getSize(1), step = timeAxis ? 1 : columns;
  for (int64_t row = 0; row < x.getSize(0); ++row)
    for (int64_t column = 0; column < columns; ++column) {
      int64_t at = row * columns + column, time = timeAxis ? column : row;
      int64_t length = lengths[size_t(timeAxis ? row : column)];
      int64_t mirrored = time < length ? length - 1 - time : time;
      slices.rows[size_t(at)] = at + (mirrored - time) * step;
    }
  return pickSlices(call, x, slices, *result);
}

Status runtime::callTile(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  if (Status status = call.expectCount(1, x.rank))
    return status;
  std::span<const int64_t> repeats;
  if (Status status = readNumbers(call, 1, repeats))
    return status;
  std::vector<int64_t> sizes = copySizes(x);
  for (size_t i = 0; i < sizes.size(); ++i)
    if (repeats[i] < 0 ||
        __builtin_mul_overflow(sizes[i], repeats[i], &sizes[i]))
      return call.fail("expected repeats of at least 0, whose product with "
                       "sizes is below 2^63, but got ",
                       repeats[i]);
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, x.getType(), sizes, result))
    return status;
  Strides from(x.getSizes()), to(sizes);
  BoxCopy copy(x, 0, *result, 0);
  for (size_t i = 0; i < sizes.size(); ++i) {
    copy.addAxis(repeats[i], 0, x.getSize(i) * to[i]);
    copy.addAxis(x.getSize(i), from[i], to[i]);
  }
  return copy.run(call);
}
