// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WinogradConvolution.h"

#include "invar/Winograd/Convolution.h"

using namespace mlir;
using namespace invar;

//===----------------------------------------------------------------------===//
// The form
//===----------------------------------------------------------------------===//

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
  auto convolution =
      root ? Convolution3x3::get(root) : std::optional<Convolution3x3>();
  if (!convolution ||
      convolution->getFilter()->get() != filter->restore.getResult(0))
    return failure();
  const auto &[op, n, h, w, o, c, i, j, sizes] = *convolution;
  OpOperand *input = convolution->getImage();
  FailureOr<Access> image =
      Access::get(input->get(), root.getMatchingIndexingMap(input), sizes);
  OpOperand *operand = filter->getTransformed();
  FailureOr<Access> transformed = Access::get(
      operand->get(), filter->restore.getMatchingIndexingMap(operand),
      filter->restore.getStaticLoopRanges());
  FailureOr<Epilogue> epilogue = Epilogue::get(root);
  if (failed(image) || failed(transformed) || failed(epilogue) ||
      epilogue->findVectorLoop() != o || image->isTiled() ||
      transformed->getBorder() || !transformed->getTile(0))
    return failure();
  // Channels must be contiguous and without a border, as standAlone() arranges.
  if (image->getAxes()[0].isBordered || image->getAxes()[3].isBordered ||
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
