// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Node.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace invar;

static Shape concatShape(llvm::ArrayRef<NodeRef> parts, size_t axis) {
  Shape shape = parts.front()->shape;
  for (const NodeRef &part : parts.drop_front())
    shape[axis] += part->shape[axis];
  return shape;
}

static int64_t product(llvm::ArrayRef<int64_t> sizes) {
  return *countElements(sizes);
}

ConcatNode::ConcatNode(std::vector<NodeRef> from, size_t along)
    : ElementsNode(Kind::Concat, from.front()->type, concatShape(from, along),
                   maxOver(from, &ElementsNode::depth) + 1,
                   maxOver(from, &ElementsNode::cost) + 1,
                   llvm::SaturatingAdd(1u, sumOver(from, &ElementsNode::size))),
      parts(std::move(from)), axis(along) {
  llvm::ArrayRef<int64_t> sizes = shape;
  int64_t inner = product(sizes.drop_front(axis + 1));
  rowSize = sizes[axis] * inner;
  begins.push_back(0);
  for (const NodeRef &part : parts)
    begins.push_back(begins.back() + part->shape[axis] * inner);
}

// Short rows are assembled from blocks of rows of each part, long rows run by run.
static constexpr int64_t longRow = 2048;

int64_t ConcatNode::preferredRead() const {
  return rowSize < longRow ? 16 << 10 : 0;
}

void ConcatNode::read(int64_t begin, int64_t n, uint8_t *lanes,
                      Evaluation &ev) const {
  if (rowSize >= longRow || n < 2 * rowSize)
    return readRuns(begin, n, lanes, ev);
  size_t laneSize = getLaneSize(type);
  int64_t head = std::min(n, (rowSize - begin % rowSize) % rowSize);
  readRuns(begin, head, lanes, ev);
  int64_t rows = (n - head) / rowSize;
  int64_t firstRow = (begin + head) / rowSize;
  int64_t rowsAtOnce = std::max<int64_t>(1, 8192 / rowSize);
  for (int64_t done = 0; done < rows; done += rowsAtOnce)
    readRows(firstRow + done, std::min(rowsAtOnce, rows - done),
             lanes + size_t(head + done * rowSize) * laneSize, ev);
  int64_t tail = head + rows * rowSize;
  readRuns(begin + tail, n - tail, lanes + size_t(tail) * laneSize, ev);
}

/// Copies rows of `size` bytes to positions that are `stride` bytes apart.
static void spreadRows(const uint8_t *rows, int64_t count, size_t size,
                       uint8_t *to, size_t stride) {
  auto spread = [&](auto knownSize) {
    for (int64_t r = 0; r < count; ++r, rows += size, to += stride)
      std::memcpy(to, rows, knownSize);
  };
  // If the compiler knows the size, a copy is one instruction instead of a call.
  switch (size) {
  case 1:
    return spread(std::integral_constant<size_t, 1>());
  case 2:
    return spread(std::integral_constant<size_t, 2>());
  case 4:
    return spread(std::integral_constant<size_t, 4>());
  case 8:
    return spread(std::integral_constant<size_t, 8>());
  default:
    return spread(size);
  }
}

void ConcatNode::readRows(int64_t row, int64_t rows, uint8_t *lanes,
                          Evaluation &ev) const {
  size_t laneSize = getLaneSize(type);
  for (auto [i, part] : llvm::enumerate(parts)) {
    int64_t partRow = begins[i + 1] - begins[i];
    size_t bytes = size_t(partRow) * laneSize;
    Scratch::Frame frame(ev.scratch);
    uint8_t *block = frame.take(size_t(rows) * bytes);
    part->read(row * partRow, rows * partRow, block, ev);
    spreadRows(block, rows, bytes, lanes + size_t(begins[i]) * laneSize,
               size_t(rowSize) * laneSize);
  }
}

void ConcatNode::readRuns(int64_t begin, int64_t n, uint8_t *lanes,
                          Evaluation &ev) const {
  while (n > 0) {
    int64_t row = begin / rowSize;
    int64_t at = begin % rowSize;
    size_t i = size_t(llvm::upper_bound(begins, at) - begins.begin()) - 1;
    int64_t partRow = begins[i + 1] - begins[i];
    int64_t length = std::min(n, begins[i + 1] - at);
    parts[i]->read(row * partRow + at - begins[i], length, lanes, ev);
    lanes += size_t(length) * getLaneSize(type);
    begin += length;
    n -= length;
  }
}

void ConcatNode::prepareInputs(Evaluation &ev) const {
  for (const NodeRef &part : parts)
    part->prepare(ev);
}

NodeRef ConcatNode::slice(const ViewOp &op) const {
  int64_t start = op.starts[axis];
  int64_t left = op.shape[axis];
  int64_t step = left > 1 ? op.steps[axis] : 1;
  int64_t inner = rowSize / shape[axis];
  Shape starts(op.starts), sizes(op.shape), steps(op.steps);
  steps[axis] = step;

  // Visit the parts that the slice touches, in the slice's order.
  std::vector<NodeRef> pieces;
  while (left > 0) {
    size_t i =
        size_t(llvm::upper_bound(begins, start * inner) - begins.begin()) - 1;
    int64_t first = begins[i] / inner;
    int64_t last = begins[i + 1] / inner - 1;
    int64_t room = step > 0 ? (last - start) / step : (start - first) / -step;
    int64_t here = std::min(left, room + 1);
    starts[axis] = start - first;
    sizes[axis] = here;
    pieces.push_back(parts[i]->view({ViewOp::Slice, sizes, {}, starts, steps}));
    left -= here;
    if (left > 0)
      start += here * step;
  }
  if (pieces.size() == 1)
    return pieces.front();
  return std::make_shared<ConcatNode>(std::move(pieces), axis);
}

/// The parts can be reshaped one by one if a new dimension begins where the axis
/// begins, and the dimensions inside of it divide every part.
NodeRef ConcatNode::reshape(const ViewOp &op) const {
  int64_t outer = count / rowSize;
  size_t newAxis = 0;
  for (int64_t before = 1; newAxis < op.shape.size();
       before *= op.shape[newAxis++])
    if (before == outer && op.shape[newAxis] != 1)
      break;
  if (newAxis == op.shape.size())
    return nullptr;
  int64_t inner = product(op.shape.drop_front(newAxis + 1));
  if (llvm::any_of(begins, [&](int64_t begin) { return begin % inner != 0; }))
    return nullptr;
  std::vector<NodeRef> reshaped;
  Shape partShape(op.shape);
  for (auto [i, part] : llvm::enumerate(parts)) {
    partShape[newAxis] = (begins[i + 1] - begins[i]) / inner;
    reshaped.push_back(part->view({ViewOp::Reshape, partShape}));
  }
  return std::make_shared<ConcatNode>(std::move(reshaped), newAxis);
}

NodeRef ConcatNode::view(const ViewOp &op) const {
  if (size > maxSize)
    return makeDeferred(shared_from_this(), shape, /*alwaysKeep=*/false)
        ->view(op);
  std::vector<NodeRef> viewed;
  switch (op.kind) {
  case ViewOp::Slice:
    return slice(op);
  case ViewOp::Reshape:
    if (NodeRef reshaped = reshape(op))
      return reshaped;
    return makeDeferred(shared_from_this(), op.shape, /*alwaysKeep=*/false);
  case ViewOp::Transpose: {
    size_t newAxis = size_t(llvm::find(op.permutation, int64_t(axis)) -
                            op.permutation.begin());
    Shape partShape(op.shape);
    for (const NodeRef &part : parts) {
      partShape[newAxis] = part->shape[axis];
      viewed.push_back(
          part->view({ViewOp::Transpose, partShape, op.permutation}));
    }
    return std::make_shared<ConcatNode>(std::move(viewed), newAxis);
  }
  case ViewOp::Expand: {
    // The axis has at least two elements, so it is not the one that is repeated.
    size_t newAxis = axis + op.shape.size() - shape.size();
    Shape partShape(op.shape);
    for (const NodeRef &part : parts) {
      partShape[newAxis] = part->shape[axis];
      viewed.push_back(part->view({ViewOp::Expand, partShape}));
    }
    return std::make_shared<ConcatNode>(std::move(viewed), newAxis);
  }
  }
  llvm_unreachable("covered switch");
}

Hash128 ConcatNode::computeRecipe(const EvalOptions &options) const {
  Hasher hasher;
  hasher.add("concat").add(uint64_t(axis));
  for (const NodeRef &part : parts)
    hasher.add(part->getRecipe(options));
  return hasher.finish();
}
