// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes convolutions by transformed tiles (WinogradConvolution.h). A work unit
// transforms the tiles of a block, unless the previous unit did, multiplies them with a
// group of the filter's columns, place by place, and computes results from the products.
// Intermediate data is in the thread's scratch memory:
//
//   tiles      [place][tile][channel]
//   products   [place][tile][column of the group]
//   patch      [result of a tile][lane]
#include "Contraction.h"
#include "KernelEmitter.h"
#include "WinogradProducts.h"
#include "WinogradTransforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

namespace {

/// A tile of a block, and the position of its first result.
struct Tile {
  Value inBlock, image, row, column;
};

class WinogradWriter {
public:
  WinogradWriter(KernelBuilder &builder, WinogradConvolution &convolution,
                 const WinogradTiling &tiling);

  KernelPlan writePlan();
  void writeRun();

private:
  void forEachTile(Value block, llvm::function_ref<void(const Tile &)> body);
  Value countTiles(Value block);

  void transform(const Tile &tile);
  void transform(const Tile &tile, Value offset, ArrayRef<Value> isRowInside,
                 ArrayRef<Value> isColumnInside);
  Values findInside(Value first, unsigned axis);

  void finish(const Tile &tile, Value group);
  void finish(const Tile &tile, Value column, Value inGroup, Value mask);
  void store(const Tile &tile, Value column, Value mask);

  Value getMask(Value column, Value end, int64_t all);

  KernelBuilder &builder;
  WinogradConvolution &convolution;
  const WinogradTiling &tiling;
  Type element;
  Values sizes;
  /// The number of tiles along both axes, and in total.
  Value rowTiles, columnTiles, tileCount;
  Value blocks, groups;
  Walk image;
  Value tiles, products, patch;
};

class WinogradEmitter : public KernelEmitter {
public:
  WinogradEmitter(WinogradConvolution convolution, WinogradTiling tiling)
      : convolution(std::move(convolution)), tiling(tiling) {}

  StringRef getName() const override { return "transformed convolution"; }
  KernelPlan emitPlan(KernelBuilder &builder) override {
    return WinogradWriter(builder, convolution, tiling).writePlan();
  }
  void emitRun(KernelBuilder &builder) override {
    WinogradWriter(builder, convolution, tiling).writeRun();
  }

private:
  WinogradConvolution convolution;
  WinogradTiling tiling;
};
} // namespace

std::unique_ptr<KernelEmitter> invar::matchWinograd(func::FuncOp kernel,
                                                    const CpuTarget &target) {
  FailureOr<WinogradConvolution> convolution = WinogradConvolution::get(kernel);
  if (failed(convolution))
    return nullptr;
  return std::make_unique<WinogradEmitter>(
      *convolution, WinogradTiling::get(*convolution, target));
}

WinogradWriter::WinogradWriter(KernelBuilder &builder,
                               WinogradConvolution &convolution,
                               const WinogradTiling &tiling)
    : builder(builder), convolution(convolution), tiling(tiling),
      element(builder.getF32Type()),
      sizes(getLoopSizes(builder, convolution.root)) {
  Value results = builder.index(convolution.getResults());
  rowTiles = builder.ceilDiv(sizes[convolution.height], results);
  columnTiles = builder.ceilDiv(sizes[convolution.width], results);
  tileCount =
      builder.mul(sizes[convolution.count], builder.mul(rowTiles, columnTiles));
  blocks = builder.ceilDiv(tileCount, builder.index(tiling.blockTiles));
  groups = builder.index(
      llvm::divideCeil(convolution.columnCount, tiling.getGroup()));
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

KernelPlan WinogradWriter::writePlan() {
  // If there are enough blocks, a thread takes all groups of a block, so that tiles are
  // transformed once.
  constexpr int64_t enough = 8;
  Value isEnough =
      builder.min(builder.index(1), builder.div(blocks, builder.index(enough)));
  Value grain = builder.max(builder.index(1), builder.mul(groups, isEnough));
  int64_t places = convolution.getPlaces(), results = convolution.getResults();
  int64_t scratch = places * (tiling.tileStride + tiling.productStride) +
                    results * results * tiling.lanes;
  return {builder.mul(blocks, groups), grain,
          builder.index(int64_t(sizeof(float)) * scratch)};
}

void WinogradWriter::writeRun() {
  int64_t places = convolution.getPlaces();
  int64_t productsBegin = places * tiling.tileStride * int64_t(sizeof(float));
  int64_t patchBegin =
      productsBegin + places * tiling.productStride * int64_t(sizeof(float));
  tiles = builder.getScratch(element, builder.index(0));
  products = builder.getScratch(element, builder.index(productsBegin));
  patch = builder.getScratch(element, builder.index(patchBegin));
  image = convolution.image.getWalk(builder);
  WinogradProducts multiply(builder, convolution, tiling, tiles, products);
  convolution.epilogue.enter(builder);
  builder.loop(
      builder.getFrom(), builder.getTo(), 1, builder.index(-1),
      [&](Value unit, ValueRange last) -> Values {
        Value block = builder.div(unit, groups);
        Value group = builder.rem(unit, groups);
        Value isOther = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne,
                                              block, last.front());
        builder.ifThen(isOther, [&] {
          forEachTile(block, [&](const Tile &tile) { transform(tile); });
        });
        // If all blocks have the same size, tiles that are missing in the last block are
        // computed but not used.
        multiply.write(group, tiling.isStatic ? builder.index(tiling.blockTiles)
                                              : countTiles(block));
        forEachTile(block, [&](const Tile &tile) { finish(tile, group); });
        return {block};
      });
}

/// The number of tiles in a block; the last block may have fewer.
Value WinogradWriter::countTiles(Value block) {
  Value most = builder.index(tiling.blockTiles);
  return builder.min(most, builder.sub(tileCount, builder.mul(block, most)));
}

void WinogradWriter::forEachTile(Value block,
                                 llvm::function_ref<void(const Tile &)> body) {
  Value first = builder.mul(block, builder.index(tiling.blockTiles));
  Value results = builder.index(convolution.getResults());
  builder.loop(builder.index(0), countTiles(block), 1, [&](Value number) {
    Values at =
        builder.delinearize(builder.add(first, number),
                            {sizes[convolution.count], rowTiles, columnTiles});
    body({number, at[0], builder.mul(at[1], results),
          builder.mul(at[2], results)});
  });
}

/// The mask of lanes that exist from `column` on; null if all lanes always exist.
Value WinogradWriter::getMask(Value column, Value end, int64_t all) {
  if (all % tiling.lanes == 0)
    return nullptr;
  Value left =
      builder.min(builder.sub(end, column), builder.index(tiling.lanes));
  return builder.mask(left, tiling.lanes);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// For each element of a tile along an axis of the image, beginning at `first`: whether
/// it is inside.
Values WinogradWriter::findInside(Value first, unsigned axis) {
  Value size = builder.getSize(convolution.image.getTensor(), axis);
  Values inside;
  for (unsigned each = 0; each < convolution.getTile(); ++each)
    // As an unsigned number, a position before the axis is large.
    inside.push_back(
        arith::CmpIOp::create(builder, arith::CmpIPredicate::ult,
                              builder.add(first, builder.index(each)), size));
  return inside;
}

void WinogradWriter::transform(const Tile &tile) {
  Value offset = image.origin;
  for (auto [loop, index] : {std::pair(convolution.count, tile.image),
                             std::pair(convolution.height, tile.row),
                             std::pair(convolution.width, tile.column)})
    offset = builder.add(offset, builder.mul(index, image.steps[loop]));
  Values positions;
  for (auto [axis, index] : {std::pair(1, tile.row), std::pair(2, tile.column)})
    positions.push_back(
        builder.add(convolution.image.getBegin(builder, axis), index));
  Values isRowInside = findInside(positions[0], 1);
  Values isColumnInside = findInside(positions[1], 2);
  // If both ends are inside, so is everything in between.
  Value isInside = isRowInside.front();
  for (Value other :
       {isRowInside.back(), isColumnInside.front(), isColumnInside.back()})
    isInside = arith::AndIOp::create(builder, isInside, other);
  Value reachesOut = arith::XOrIOp::create(
      builder, isInside,
      arith::ConstantIntOp::create(builder, builder.getI1Type(), 1));
  builder.ifThen(isInside, [&] { transform(tile, offset, {}, {}); });
  builder.ifThen(reachesOut,
                 [&] { transform(tile, offset, isRowInside, isColumnInside); });
}

/// Transforms a tile channel by channel; elements that are not inside are 0.
void WinogradWriter::transform(const Tile &tile, Value offset,
                               ArrayRef<Value> isRowInside,
                               ArrayRef<Value> isColumnInside) {
  unsigned size = convolution.getTile(), lanes = tiling.lanes;
  Value channels = builder.index(convolution.channels);
  Value target = builder.mul(tile.inBlock, channels);
  builder.loop(builder.index(0), channels, lanes, [&](Value channel) {
    Value there = getMask(channel, channels, convolution.channels);
    Value begin = builder.add(offset, channel);
    Values elements;
    for (unsigned row = 0; row < size; ++row)
      for (unsigned column = 0; column < size; ++column) {
        Value at = begin;
        for (auto [loop, steps] : {std::pair(convolution.tapRow, row),
                                   std::pair(convolution.tapColumn, column)})
          at = builder.add(
              at, builder.mul(builder.index(steps), image.steps[loop]));
        Value mask = there;
        if (!isRowInside.empty()) {
          Value inside = arith::AndIOp::create(builder, isRowInside[row],
                                               isColumnInside[column]);
          mask = builder.splat(inside, lanes);
          if (there)
            mask = arith::AndIOp::create(builder, mask, there);
        }
        elements.push_back(
            builder.loadVector(image.buffer, at, element, lanes, mask));
      }
    Value to = builder.add(target, channel);
    for (auto [place, value] : llvm::enumerate(
             transformTile(builder, convolution.getResults(), elements)))
      builder.storeVector(
          value, tiles,
          builder.add(to, builder.index(int64_t(place) * tiling.tileStride)),
          there);
  });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void WinogradWriter::finish(const Tile &tile, Value group) {
  Value all = builder.index(convolution.columnCount);
  Value first = builder.mul(group, builder.index(tiling.getGroup()));
  Value end =
      builder.min(builder.index(tiling.getGroup()), builder.sub(all, first));
  builder.loop(builder.index(0), end, tiling.lanes, [&](Value inGroup) {
    Value column = builder.add(first, inGroup);
    finish(tile, column, inGroup,
           getMask(column, all, convolution.columnCount));
  });
}

/// Computes the results of a tile for some columns.
void WinogradWriter::finish(const Tile &tile, Value column, Value inGroup,
                            Value mask) {
  Value from = builder.add(
      builder.mul(tile.inBlock, builder.index(tiling.getGroup())), inGroup);
  Values loaded;
  for (unsigned place = 0; place < convolution.getPlaces(); ++place)
    loaded.push_back(builder.loadVector(
        products,
        builder.add(from, builder.index(place * tiling.productStride)), element,
        tiling.lanes));
  for (auto [number, value] : llvm::enumerate(
           transformProducts(builder, convolution.getResults(), loaded)))
    builder.storeVector(value, patch,
                        builder.index(int64_t(number) * tiling.lanes));
  store(tile, column, mask);
}

/// Computes and stores the results of a tile that exist, from its sums.
void WinogradWriter::store(const Tile &tile, Value column, Value mask) {
  Value results = builder.index(convolution.getResults());
  auto count = [&](unsigned loop, Value first) {
    return builder.min(results, builder.sub(sizes[loop], first));
  };
  unsigned lanes = tiling.lanes;
  auto storeAt = [&](Value row, Value inRow) {
    Values at(sizes.size());
    at[convolution.count] = tile.image;
    at[convolution.height] = builder.add(tile.row, row);
    at[convolution.width] = builder.add(tile.column, inRow);
    at[convolution.columns] = column;
    auto offset = [&](const Access &, const Walk &walk) {
      Value sum = walk.origin;
      for (auto [index, step] : llvm::zip_equal(at, walk.steps))
        if (index)
          sum = builder.add(sum, builder.mul(index, step));
      return sum;
    };
    auto index = [&](unsigned loop) -> Value {
      if (loop != convolution.columns)
        return at[loop];
      auto type = VectorType::get({int64_t(lanes)}, builder.getIndexType());
      return arith::AddIOp::create(builder, builder.splat(column, lanes),
                                   vector::StepOp::create(builder, type));
    };
    Point point{offset, index, convolution.columns, lanes, mask};
    Value number = builder.add(builder.mul(row, results), inRow);
    Value sum = builder.loadVector(
        patch, builder.mul(number, builder.index(lanes)), element, lanes);
    convolution.epilogue.emit(builder, point, sum);
  };
  builder.loop(
      builder.index(0), count(convolution.height, tile.row), 1, [&](Value row) {
        builder.loop(builder.index(0), count(convolution.width, tile.column), 1,
                     [&](Value inRow) { storeAt(row, inRow); });
      });
}
