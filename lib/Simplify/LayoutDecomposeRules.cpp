// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decomposes operators that move or place elements: blocks between channels and space,
// crops and pads, windows and grids. Unknown sizes are computed in the graph.
#include "Formula.h"
#include "Rules.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"
#include "invar/Dialect/ONNX/Ops/Resize.h"
#include "invar/Dialect/ONNX/Ops/Signal.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Blocks ----------------------------------------------------------------===//

static constexpr StringLiteral decomposeDepthToSpacePattern =
    "DepthToSpace(x) -> Reshape(Transpose(Reshape(x))) [decomposition, one "
    "way]";
static LogicalResult decomposeDepthToSpace(DepthToSpaceOp op,
                                           Rewriting &rewriting) {
  Expression x(op.getInput(), rewriting);
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
  Expression blocks = transpose(reshapeTo(x, apart), order);
  return rewriting.tryReplace(
      op, reshapeTo(blocks,
                    {Size::copied(), depth, height * block, width * block}));
}

static constexpr StringLiteral decomposeSpaceToDepthPattern =
    "SpaceToDepth(x) -> Reshape(Transpose(Reshape(x))) [decomposition, one "
    "way]";
static LogicalResult decomposeSpaceToDepth(SpaceToDepthOp op,
                                           Rewriting &rewriting) {
  Expression x(op.getInput(), rewriting);
  if (x.getRank() != 4)
    return failure();
  int64_t block = op.getBlocksize();
  Size depth(x, 1), height = Size(x, 2) / block, width = Size(x, 3) / block;
  SmallVector<int64_t> order = {0, 3, 5, 1, 2, 4};
  if (op.getMode() == "CRD")
    order = {0, 1, 3, 5, 2, 4};
  Expression apart =
      reshapeTo(x, {Size::copied(), depth, height, block, width, block});
  return rewriting.tryReplace(
      op, reshapeTo(transpose(apart, order),
                    {Size::copied(), depth * block * block, height, width}));
}

static constexpr StringLiteral decomposeCenterCropPadPattern =
    "CenterCropPad(x, s) -> Slice(Pad(x)) [decomposition, one way]";
static LogicalResult decomposeCenterCropPad(CenterCropPadOp op,
                                            Rewriting &rewriting) {
  Expression x(op.getInputData(), rewriting);
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
  Expression sizes = shapeFrom(given, rewriting), list = ints(axes, rewriting);
  Expression target =
      cast(Expression(op.getShape(), rewriting), DataType::Int64);
  Expression larger = maximum(sizes, target), missing = larger - sizes;
  Expression before = missing / 2;
  Expression padded = Expression::make<PadOp>(
      &rewriting, x, concat({before, missing - before}, /*axis=*/0), Value(),
      list, StringAttr());
  Expression start = (larger - target) / 2;
  return rewriting.tryReplace(
      op, Expression::make<SliceOp>(&rewriting, padded, start, start + target,
                                    list, Value()));
}

//===-- Positions -------------------------------------------------------------===//

/// A window as the sum of a constant and cosines of one and of two periods.
template <typename Op>
static LogicalResult decomposeWindow(Op op, double constant, double first,
                                     double second, Rewriting &rewriting) {
  static constexpr double turn = 6.283185307179586476925;
  Expression size(op.getSize(), rewriting);
  if (size.getRank() != 0)
    return failure();
  Expression length = cast(size, DataType::Float32);
  if (!op.getPeriodic())
    length = length - 1;
  Expression angle = cast(countTo(size), DataType::Float32) * (turn / length);
  Expression window = constant - first * cos(angle);
  if (second != 0)
    window = window + second * cos(angle * 2);
  return rewriting.tryReplace(op,
                              cast(window, DataType(op.getOutputDatatype())));
}

static constexpr StringLiteral decomposeBlackmanWindowPattern =
    "BlackmanWindow(n) -> 0.42 - 0.5*Cos(t) + 0.08*Cos(2*t), t = "
    "Range(n)*2*pi/n [of a scalar; decomposition, one way]";
static LogicalResult decomposeBlackman(BlackmanWindowOp op,
                                       Rewriting &rewriting) {
  return decomposeWindow(op, 0.42, 0.5, 0.08, rewriting);
}

static constexpr StringLiteral decomposeHammingWindowPattern =
    "HammingWindow(n) -> 0.543 - 0.457*Cos(Range(n)*2*pi/n) [of a scalar; "
    "decomposition, one way]";
static LogicalResult decomposeHamming(HammingWindowOp op,
                                      Rewriting &rewriting) {
  return decomposeWindow(op, 25.0 / 46, 1 - 25.0 / 46, 0, rewriting);
}

static constexpr StringLiteral decomposeHannWindowPattern =
    "HannWindow(n) -> 0.5 - 0.5*Cos(Range(n)*2*pi/n) [of a scalar; "
    "decomposition, one way]";
static LogicalResult decomposeHann(HannWindowOp op, Rewriting &rewriting) {
  return decomposeWindow(op, 0.5, 0.5, 0, rewriting);
}

static constexpr StringLiteral decomposeAffineGridPattern =
    "AffineGrid(m, [n, c, h, w]) -> m0*x + m1*y + m2, x and y from -1 to 1 "
    "[four or five sizes; decomposition, one way]";
static LogicalResult decomposeAffineGrid(AffineGridOp op,
                                         Rewriting &rewriting) {
  Expression matrices(op.getTheta(), rewriting), sizes(op.getSize(), rewriting);
  std::optional<int64_t> count = sizes.getSize(0);
  if (matrices.getRank() != 3 || (count != 4 && count != 5))
    return failure();
  int64_t rank = *count - 2;
  auto getColumn = [&](int64_t column) {
    Expression numbers =
        gather(matrices, ints(column, rewriting), 2); // n x rank x 1
    SmallVector<int64_t> order = {0, 2, 1};
    Expression row = transpose(numbers, order);
    return rank == 2 ? unsqueeze(row, 1) : unsqueeze(row, {1, 2});
  };
  Expression grid;
  // The first column belongs to the last axis of the image.
  for (int64_t column = 0; column < rank; ++column) {
    Expression size =
        squeeze(slice(sizes, 0, *count - 1 - column, *count - column), 0);
    Expression length = cast(size, matrices.getType());
    // A single pixel is at -1.
    Expression step =
        op.getAlignCorners() ? 2 / maximum(length - 1, 1) : 2 / length;
    Expression start = op.getAlignCorners() ? Expression(-1) : step / 2 - 1;
    Expression places = start + cast(countTo(size), matrices.getType()) * step;
    // The coordinates of a pixel are a separate axis after those of the image.
    SmallVector<int64_t> axes =
        llvm::to_vector(llvm::seq<int64_t>(1, column + 2));
    Expression part = getColumn(column) * unsqueeze(places, axes);
    grid = grid ? grid + part : part;
  }
  return rewriting.tryReplace(op, grid + getColumn(rank));
}

void invar::addLayoutDecomposeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<decomposeDepthToSpace>::get(
      "decompose-depth-to-space", Decompose, decomposeDepthToSpacePattern));
  rules.push_back(RuleFor<decomposeSpaceToDepth>::get(
      "decompose-space-to-depth", Decompose, decomposeSpaceToDepthPattern));
  rules.push_back(RuleFor<decomposeCenterCropPad>::get(
      "decompose-center-crop-pad", Decompose, decomposeCenterCropPadPattern));
  rules.push_back(
      RuleFor<decomposeBlackman>::get("decompose-blackman-window", Decompose,
                                      decomposeBlackmanWindowPattern)
          .forLowering(true));
  rules.push_back(RuleFor<decomposeHamming>::get("decompose-hamming-window",
                                                 Decompose,
                                                 decomposeHammingWindowPattern)
                      .forLowering(true));
  rules.push_back(RuleFor<decomposeHann>::get("decompose-hann-window",
                                              Decompose,
                                              decomposeHannWindowPattern)
                      .forLowering(true));
  rules.push_back(RuleFor<decomposeAffineGrid>::get("decompose-affine-grid",
                                                    Decompose,
                                                    decomposeAffineGridPattern)
                      .forLowering(true));
}
