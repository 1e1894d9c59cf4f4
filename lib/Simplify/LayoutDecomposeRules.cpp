// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that move or place elements: blocks between channels and space, crops and pads,
// turned pairs, windows and grids. Sizes that are not known are computed in the graph.
#include "Formula.h"
#include "Rules.h"
#include "invar/Dialect/ONNX/Ops/Attention.h"
#include "invar/Dialect/ONNX/Ops/Generate.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"
#include "invar/Dialect/ONNX/Ops/Resize.h"
#include "invar/Dialect/ONNX/Ops/Signal.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static constexpr int64_t end = std::numeric_limits<int64_t>::max();

//===-- Blocks ----------------------------------------------------------------===//

// Pattern: DepthToSpace(x) -> Reshape(Transpose(Reshape(x))) [decomposition, one way]
static LogicalResult decomposeDepthToSpace(DepthToSpaceOp op,
                                           Rewriting &rewriting) {
  Term x(op.getInput(), rewriting);
  if (x.getRank() != 4)
    return failure();
  int64_t block = op.getBlocksize();
  bool hasDepthFirst = op.getMode() == "CRD";
  Size depth = Size(x, 1) / block / block, height(x, 2), width(x, 3);
  SmallVector<Size> apart = {Size::copied(), block,  block,
                             depth,          height, width};
  if (hasDepthFirst)
    apart = {Size::copied(), depth, block, block, height, width};
  // N, depth, height, block rows, width, block columns.
  SmallVector<int64_t> order = {0, 3, 4, 1, 5, 2};
  if (hasDepthFirst)
    order = {0, 1, 4, 2, 5, 3};
  Term blocks = transpose(reshapeTo(x, apart), order);
  return rewriting.tryReplace(
      op, reshapeTo(blocks,
                    {Size::copied(), depth, height * block, width * block}));
}

// Pattern: SpaceToDepth(x) -> Reshape(Transpose(Reshape(x))) [decomposition, one way]
static LogicalResult decomposeSpaceToDepth(SpaceToDepthOp op,
                                           Rewriting &rewriting) {
  Term x(op.getInput(), rewriting);
  if (x.getRank() != 4)
    return failure();
  int64_t block = op.getBlocksize();
  Size depth(x, 1), height = Size(x, 2) / block, width = Size(x, 3) / block;
  SmallVector<int64_t> order = {0, 3, 5, 1, 2, 4};
  if (op.getMode() == "CRD")
    order = {0, 1, 3, 5, 2, 4};
  Term apart =
      reshapeTo(x, {Size::copied(), depth, height, block, width, block});
  return rewriting.tryReplace(
      op, reshapeTo(transpose(apart, order),
                    {Size::copied(), depth * block * block, height, width}));
}

// Pattern: CenterCropPad(x, s) -> Slice(Pad(x)) [decomposition, one way]
static LogicalResult decomposeCenterCropPad(CenterCropPadOp op,
                                            Rewriting &rewriting) {
  Term x(op.getInputData(), rewriting);
  std::optional<int64_t> rank = x.getRank();
  std::optional<DataType> type = x.getType();
  if (!rank || !type || !isNumeric(*type))
    return failure();
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq(*rank));
  if (op.getAxes()) {
    axes.assign(op.getAxes()->begin(), op.getAxes()->end());
    for (int64_t &axis : axes) {
      std::optional<int64_t> front = normalizeAxis(axis, *rank);
      if (!front)
        return failure();
      axis = *front;
    }
  }
  SmallVector<Size> given;
  for (int64_t axis : axes)
    given.push_back(Size(x, axis));
  Term sizes = shapeFrom(given, rewriting), list = ints(axes, rewriting);
  Term target = cast(Term(op.getShape(), rewriting), DataType::Int64);
  Term larger = maximum(sizes, target), missing = larger - sizes;
  Term before = missing / 2;
  Term padded = Term::make<PadOp>(
      &rewriting, x, concat({before, missing - before}, /*axis=*/0), Value(),
      list, StringAttr());
  Term start = (larger - target) / 2;
  return rewriting.tryReplace(op, Term::make<SliceOp>(&rewriting, padded, start,
                                                      start + target, list,
                                                      Value()));
}

//===-- Pairs -----------------------------------------------------------------===//

// Pattern: RotaryEmbedding(x, cos, sin, p) -> Concat(cos*x1 - sin*x2, sin*x1 + cos*x2, rest)
//          [of known sizes of heads; decomposition, one way]
static LogicalResult decomposeRotaryEmbedding(RotaryEmbeddingOp op,
                                              Rewriting &rewriting) {
  Term given(op.getX(), rewriting), x = given;
  std::optional<int64_t> rank = x.getRank();
  if (!rank || (*rank != 3 && *rank != 4))
    return failure();
  const Size copied = Size::copied();
  int64_t headsAxis = 1;
  std::optional<int64_t> size = x.getSize(*rank - 1);
  std::optional<int64_t> heads = op.getNumHeads();
  if (*rank == 3) {
    if (!size || !heads || *heads <= 0 || *size % *heads != 0)
      return failure();
    size = *size / *heads;
    headsAxis = 2;
    x = reshapeTo(x, {copied, copied, *heads, *size});
  }
  int64_t turned = op.getRotaryEmbeddingDim();
  if (turned == 0)
    turned = size.value_or(0);
  int64_t half = turned / 2;
  if (!size || half <= 0 || turned > *size || turned % 2 != 0)
    return failure();
  auto align = [&](Value cache) {
    Term angles(cache, rewriting);
    if (op.getPositionIds())
      angles = gather(angles, Term(op.getPositionIds(), rewriting), 0);
    if (angles.getRank() != 3)
      return Term();
    if (angles.getSize(2) != half)
      angles = slice(angles, 2, 0, half);
    return unsqueeze(angles, headsAxis);
  };
  Term cosine = align(op.getCosCache()), sine = align(op.getSinCache());
  bool isInterleaved = op.getInterleaved() != 0;
  Term first = isInterleaved ? slice(x, 3, 0, turned, 2) : slice(x, 3, 0, half);
  Term second =
      isInterleaved ? slice(x, 3, 1, turned, 2) : slice(x, 3, half, turned);
  Term real = cosine * first - sine * second;
  Term imaginary = sine * first + cosine * second;
  Term y =
      isInterleaved
          ? reshapeTo(concat({unsqueeze(real, 4), unsqueeze(imaginary, 4)}, 4),
                      {copied, copied, copied, turned})
          : concat({real, imaginary}, 3);
  if (turned < *size)
    y = concat({y, slice(x, 3, turned, end)}, 3);
  if (*rank == 3)
    y = reshapeTo(y, {copied, copied, *size * *heads});
  return rewriting.tryReplace(op, y);
}

//===-- Positions -------------------------------------------------------------===//

/// 0, 1, 2, ... up to a size that has no axes.
static Term countTo(Term size) {
  return size ? Term::make<RangeOp>(&size.getRewriting(), Term(0).as(size),
                                    size, Term(1).as(size), IntegerAttr())
              : Term();
}

/// Cosines of one and of two turns, with these weights, along a window.
template <typename Op>
static LogicalResult decomposeWindow(Op op, double constant, double first,
                                     double second, Rewriting &rewriting) {
  static constexpr double turn = 6.283185307179586476925;
  Term size(op.getSize(), rewriting);
  if (size.getRank() != 0)
    return failure();
  Term length = cast(size, DataType::Float32);
  if (!op.getPeriodic())
    length = length - 1;
  Term angle = cast(countTo(size), DataType::Float32) * (turn / length);
  Term window = constant - first * cos(angle);
  if (second != 0)
    window = window + second * cos(angle * 2);
  return rewriting.tryReplace(op,
                              cast(window, DataType(op.getOutputDatatype())));
}

// Pattern: BlackmanWindow(n) -> 0.42 - 0.5*Cos(t) + 0.08*Cos(2*t), t = Range(n)*2*pi/n
//          [of a scalar; decomposition, one way]
static LogicalResult decomposeBlackman(BlackmanWindowOp op,
                                       Rewriting &rewriting) {
  return decomposeWindow(op, 0.42, 0.5, 0.08, rewriting);
}

// Pattern: HammingWindow(n) -> 0.543 - 0.457*Cos(Range(n)*2*pi/n)
//          [of a scalar; decomposition, one way]
static LogicalResult decomposeHamming(HammingWindowOp op,
                                      Rewriting &rewriting) {
  return decomposeWindow(op, 25.0 / 46, 1 - 25.0 / 46, 0, rewriting);
}

// Pattern: HannWindow(n) -> 0.5 - 0.5*Cos(Range(n)*2*pi/n)
//          [of a scalar; decomposition, one way]
static LogicalResult decomposeHann(HannWindowOp op, Rewriting &rewriting) {
  return decomposeWindow(op, 0.5, 0.5, 0, rewriting);
}

// Pattern: AffineGrid(m, [n, c, h, w]) -> m0*x + m1*y + m2, x and y from -1 to 1
//          [four or five sizes; decomposition, one way]
static LogicalResult decomposeAffineGrid(AffineGridOp op,
                                         Rewriting &rewriting) {
  Term matrices(op.getTheta(), rewriting), sizes(op.getSize(), rewriting);
  std::optional<int64_t> count = sizes.getSize(0);
  if (matrices.getRank() != 3 || (count != 4 && count != 5))
    return failure();
  int64_t rank = *count - 2;
  auto getColumn = [&](int64_t column) {
    Term numbers = gather(matrices, ints(column, rewriting), 2); // n x rank x 1
    SmallVector<int64_t> order = {0, 2, 1};
    Term row = transpose(numbers, order);
    return rank == 2 ? unsqueeze(row, 1) : unsqueeze(row, {1, 2});
  };
  Term grid;
  // Columns begin with the last axis of the image.
  for (int64_t column = 0; column < rank; ++column) {
    Term size =
        squeeze(slice(sizes, 0, *count - 1 - column, *count - column), 0);
    Term length = cast(size, matrices.getType());
    Term step = op.getAlignCorners() ? 2 / (length - 1) : 2 / length;
    Term start = op.getAlignCorners() ? Term(-1) : step / 2 - 1;
    Term places = start + cast(countTo(size), matrices.getType()) * step;
    // The coordinates of a pixel are an axis of their own, behind those of the image.
    SmallVector<int64_t> axes =
        llvm::to_vector(llvm::seq<int64_t>(1, column + 2));
    Term part = getColumn(column) * unsqueeze(places, axes);
    grid = grid ? grid + part : part;
  }
  return rewriting.tryReplace(op, grid + getColumn(rank));
}

void invar::addLayoutDecomposeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<decomposeDepthToSpace>::get(
      "decompose-depth-to-space", Decompose,
      "DepthToSpace(x) -> Reshape(Transpose(Reshape(x))) [decomposition, one "
      "way]"));
  rules.push_back(RuleFor<decomposeSpaceToDepth>::get(
      "decompose-space-to-depth", Decompose,
      "SpaceToDepth(x) -> Reshape(Transpose(Reshape(x))) [decomposition, one "
      "way]"));
  rules.push_back(RuleFor<decomposeCenterCropPad>::get(
      "decompose-center-crop-pad", Decompose,
      "CenterCropPad(x, s) -> Slice(Pad(x)) [decomposition, one way]"));
  rules.push_back(RuleFor<decomposeRotaryEmbedding>::get(
      "decompose-rotary-embedding", Decompose,
      "RotaryEmbedding(x, cos, sin, p) -> Concat(cos*x1 - sin*x2, sin*x1 + "
      "cos*x2, rest) [of known sizes of heads; decomposition, one way]"));
  rules.push_back(RuleFor<decomposeBlackman>::get(
      "decompose-blackman-window", Decompose,
      "BlackmanWindow(n) -> 0.42 - 0.5*Cos(t) + 0.08*Cos(2*t), t = "
      "Range(n)*2*pi/n [of a scalar; decomposition, one way]"));
  rules.push_back(RuleFor<decomposeHamming>::get(
      "decompose-hamming-window", Decompose,
      "HammingWindow(n) -> 0.543 - 0.457*Cos(Range(n)*2*pi/n) [of a scalar; "
      "decomposition, one way]"));
  rules.push_back(RuleFor<decomposeHann>::get(
      "decompose-hann-window", Decompose,
      "HannWindow(n) -> 0.5 - 0.5*Cos(Range(n)*2*pi/n) [of a scalar; "
      "decomposition, one way]"));
  rules.push_back(RuleFor<decomposeAffineGrid>::get(
      "decompose-affine-grid", Decompose,
      "AffineGrid(m, [n, c, h, w]) -> m0*x + m1*y + m2, x and y from -1 to 1 "
      "[four or five sizes; decomposition, one way]"));
}
