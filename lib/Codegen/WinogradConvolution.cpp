// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WinogradConvolution.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace invar;

//===----------------------------------------------------------------------===//
// The form
//===----------------------------------------------------------------------===//

/// Whether a body adds the product of the two elements that it reads.
static bool addsProduct(Block &body) {
  auto isProduct = [](Operation *multiply, Operation *add) {
    return isa<arith::MulFOp>(multiply) && isa<arith::AddFOp>(add);
  };
  return body.getOperations().size() == 3 &&
         linalg::detail::isContractionBody(body, isProduct);
}

/// Whether an axis is read at the sum of two loops.
static bool isSum(AffineExpr expr, unsigned lhs, unsigned rhs) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return false;
  AffineExpr first = getAffineDimExpr(lhs, expr.getContext());
  AffineExpr second = getAffineDimExpr(rhs, expr.getContext());
  return (sum.getLHS() == first && sum.getRHS() == second) ||
         (sum.getLHS() == second && sum.getRHS() == first);
}

/// The loops that a map of four results selects.
static std::optional<std::array<unsigned, 4>> getLoops(AffineMap map) {
  if (map.getNumResults() != 4 || !map.isProjectedPermutation())
    return std::nullopt;
  std::array<unsigned, 4> loops;
  for (unsigned axis = 0; axis < 4; ++axis)
    loops[axis] = map.getDimPosition(axis);
  return loops;
}

/// Whether a tensor is 0 everywhere.
static bool isZero(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.value(), m_AnyZeroFloat());
}

/// The filter of a kernel that is given in transformed form, and the operation that reads
/// it.
static std::pair<std::optional<WinogradFilter>, linalg::GenericOp>
findFilter(func::FuncOp kernel) {
  for (auto op : kernel.front().getOps<linalg::GenericOp>())
    if (auto filter = WinogradFilter::get(op))
      if (op->hasOneUse())
        return {filter, dyn_cast<linalg::GenericOp>(*op->user_begin())};
  return {};
}

FailureOr<WinogradConvolution> WinogradConvolution::get(func::FuncOp kernel) {
  auto [filter, root] = findFilter(kernel);
  if (!root || root.getNumDpsInputs() != 2 || root->getNumResults() != 1 ||
      root.getDpsInputs()[1] != filter->restore.getResult(0) ||
      !addsProduct(*root.getBody()) || !isZero(root.getDpsInits()[0]))
    return failure();
  SmallVector<AffineMap> maps = root.getIndexingMapsArray();
  auto filterLoops = getLoops(maps[1]), resultLoops = getLoops(maps[2]);
  if (!filterLoops || !resultLoops || maps[0].getNumResults() != 4)
    return failure();
  auto [o, c, i, j] = *filterLoops;
  auto [n, h, w, column] = *resultLoops;
  auto dim = [&](unsigned loop) {
    return getAffineDimExpr(loop, kernel.getContext());
  };
  if (o != column || maps[0].getResult(0) != dim(n) ||
      !isSum(maps[0].getResult(1), h, i) ||
      !isSum(maps[0].getResult(2), w, j) || maps[0].getResult(3) != dim(c))
    return failure();

  SmallVector<int64_t> sizes = root.getStaticLoopRanges();
  FailureOr<Access> image = Access::get(root.getDpsInputs()[0], maps[0], sizes);
  OpOperand *operand = filter->getTransformed();
  FailureOr<Access> transformed = Access::get(
      operand->get(), filter->restore.getMatchingIndexingMap(operand),
      filter->restore.getStaticLoopRanges());
  FailureOr<Epilogue> epilogue = Epilogue::get(root);
  if (failed(image) || failed(transformed) || failed(epilogue) ||
      epilogue->findVectorLoop() != o || image->isTiled() ||
      transformed->getBorder() || !transformed->getTile(0) || sizes[c] < 1 ||
      sizes[o] < 1)
    return failure();
  // The border must be 0 for the transform, and channels must be contiguous and without a
  // border.
  Value border = image->getBorder();
  if ((border && !matchPattern(border, m_AnyZeroFloat())) ||
      image->getAxes()[0].isBordered || image->getAxes()[3].isBordered ||
      (sizes[c] != 1 && !image->isContiguous(c)))
    return failure();
  return WinogradConvolution{
      root, *filter, *image, *transformed, *epilogue, n, h, w,
      o,    i,       j,      sizes[c],     sizes[o]};
}

//===----------------------------------------------------------------------===//
// Splitting it up
//===----------------------------------------------------------------------===//

/// The number of vectors of a strip, out of `total`: a divisor of `total` if it yields
/// enough products for each load.
static unsigned getVectors(int64_t total, unsigned most) {
  for (unsigned vectors = most; vectors * 2 > most; --vectors)
    if (total % vectors == 0)
      return vectors;
  return std::min<int64_t>(total, most);
}

/// The total number of tiles; none if it is dynamic, or overflows.
static std::optional<int64_t> getTiles(const WinogradConvolution &convolution) {
  auto root = convolution.root;
  SmallVector<int64_t> sizes = root.getStaticLoopRanges();
  int64_t all = 1, results = convolution.getResults();
  for (unsigned loop :
       {convolution.count, convolution.height, convolution.width}) {
    if (ShapedType::isDynamic(sizes[loop]))
      return std::nullopt;
    int64_t along = loop == convolution.count
                        ? sizes[loop]
                        : llvm::divideCeil(sizes[loop], results);
    if (llvm::MulOverflow(all, along, all))
      return std::nullopt;
  }
  return all;
}

WinogradTiling WinogradTiling::get(const WinogradConvolution &convolution,
                                   const CpuTarget &target) {
  WinogradTiling tiling;
  tiling.line = target.lineBytes / int64_t(sizeof(float));
  int64_t panel = convolution.transformed.getTile(0)->size;
  tiling.lanes = std::min<int64_t>(target.getLanes(32), panel);
  int64_t total = llvm::divideCeil(convolution.columnCount, tiling.lanes);
  tiling.vectors = getVectors(total, target.tileVectors);
  tiling.rows = target.tileRows[tiling.vectors - 1];
  tiling.tailVectors = total % tiling.vectors;
  constexpr unsigned groupColumns = 64;
  tiling.strips = std::max(1u, groupColumns / tiling.getStrip());

  // A filter that does not stay in the second-level cache is read again for each block,
  // so there must be few blocks, and the next part is prefetched. Otherwise blocks are
  // small.
  int64_t large = target.cacheBytes / 4 * 3;
  int64_t tileBytes = 4 * convolution.getPlaces() * convolution.channels;
  tiling.prefetches = tileBytes >= large / convolution.columnCount;
  int64_t cachedBytes = tiling.prefetches ? large : large / 2;
  int64_t mostTiles = tiling.prefetches ? 96 : 24;
  int64_t fitting =
      std::clamp<int64_t>(cachedBytes / tileBytes, tiling.rows, mostTiles);
  tiling.blockTiles = fitting / tiling.rows * tiling.rows;
  if (auto tiles = getTiles(convolution)) {
    tiling.isStatic = true;
    int64_t blocks = llvm::divideCeil(*tiles, tiling.blockTiles);
    tiling.blockTiles = llvm::divideCeil(*tiles, std::max<int64_t>(blocks, 1));
  }
  tiling.blockTiles = std::max<int64_t>(tiling.blockTiles, 1);
  // The distance between places must not be a power of 2.
  auto pad = [line = tiling.line](int64_t count) {
    return int64_t(llvm::alignTo(count, line)) + line;
  };
  tiling.tileStride = pad(tiling.blockTiles * convolution.channels);
  tiling.productStride = pad(tiling.blockTiles * tiling.getGroup());
  return tiling;
}
