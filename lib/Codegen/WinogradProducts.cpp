// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WinogradProducts.h"

#include "Instructions.h"
#include "RowTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

/// Loops of the operation that restores the filter: channels, and the two loops of a
/// place.
static constexpr unsigned channelLoop = 1, rowLoop = 4, columnLoop = 5;

/// The number of channels that are unrolled.
static constexpr int64_t unroll = 4;

WinogradProducts::WinogradProducts(KernelBuilder &builder,
                                   const WinogradConvolution &convolution,
                                   const WinogradTiling &tiling, Value tiles,
                                   Value products)
    : builder(builder), convolution(convolution), tiling(tiling),
      element(builder.getF32Type()),
      filter(convolution.transformed.getWalk(builder)),
      panels(*convolution.transformed.getTile(0)),
      panelStride(
          convolution.transformed.getStrides(builder)[panels.outerAxis]),
      tiles(tiles), products(products) {}

void WinogradProducts::write(Value group, Value count) {
  int64_t all = llvm::divideCeil(convolution.columnCount, tiling.getStrip());
  Value first = builder.mul(group, builder.index(tiling.strips));
  Value end = builder.min(builder.index(tiling.strips),
                          builder.sub(builder.index(all), first));
  auto writeStrip = [&](Strip strip) {
    Value number = builder.add(first, strip.slot);
    strip.column = builder.mul(number, builder.index(tiling.getStrip()));
    if (!tiling.tailVectors)
      return write(strip, count);
    // The last strip is narrower.
    Value last = builder.index(all - 1);
    builder.ifThen(builder.isLess(number, last), [&] { write(strip, count); });
    strip.vectors = tiling.tailVectors;
    builder.ifThen(
        arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, number, last),
        [&] { write(strip, count); });
  };
  Value size = builder.index(convolution.getTile());
  builder.loop(builder.index(0), size, 1, [&](Value row) {
    builder.loop(builder.index(0), size, 1, [&](Value column) {
      Value place = builder.add(builder.mul(row, size), column);
      Value begin = builder.add(builder.mul(row, filter.steps[rowLoop]),
                                builder.mul(column, filter.steps[columnLoop]));
      begin = builder.add(filter.origin, begin);
      builder.loop(builder.index(0), end, 1, [&](Value slot) {
        writeStrip({place, begin, slot, Value(), tiling.vectors});
      });
    });
  });
}

/// The offset of a column's panel, at the place of a strip.
Value WinogradProducts::getPanel(const Strip &strip, Value column) {
  Value panel = builder.div(column, builder.index(panels.size));
  return builder.add(strip.begin, builder.mul(panel, panelStride));
}

/// The offsets of a strip's vectors.
Values WinogradProducts::getVectors(const Strip &strip) {
  Values begins;
  for (unsigned vector = 0; vector < strip.vectors; ++vector) {
    Value column =
        builder.add(strip.column, builder.index(vector * tiling.lanes));
    begins.push_back(
        builder.add(getPanel(strip, column),
                    builder.rem(column, builder.index(panels.size))));
  }
  return begins;
}

/// Some tiles prefetch their share of the filter at the next place, which is stored after
/// this one. The share is proportional to their part of all tiles.
WinogradProducts::Fetch
WinogradProducts::getFetch(const Strip &strip, unsigned rows, Value firstRow) {
  int64_t width = std::min<int64_t>(tiling.getStrip(), panels.size);
  Value share = builder.index(width * convolution.channels / tiling.blockTiles);
  Value ahead =
      builder.add(filter.steps[columnLoop], builder.mul(firstRow, share));
  Fetch fetch;
  for (int64_t shift = 0; shift < tiling.getStrip(); shift += panels.size) {
    Value column = builder.add(strip.column, builder.index(shift));
    // Narrow strips share a panel.
    Value before = builder.mul(builder.rem(column, builder.index(panels.size)),
                               builder.index(convolution.channels));
    fetch.from.push_back(
        builder.add(getPanel(strip, column), builder.add(before, ahead)));
  }
  fetch.lines =
      llvm::divideCeil(rows * width * unroll, tiling.line * tiling.blockTiles);
  return fetch;
}

/// Writes the products of all tiles with a strip of the filter, at one place.
void WinogradProducts::write(const Strip &strip, Value count) {
  Values vectors = getVectors(strip);
  Value from = builder.mul(strip.place, builder.index(tiling.tileStride));
  Value to =
      builder.add(builder.mul(strip.place, builder.index(tiling.productStride)),
                  builder.mul(strip.slot, builder.index(tiling.getStrip())));
  Value channels = builder.index(convolution.channels);
  Value group = builder.index(tiling.getGroup());
  auto getRow = [&](Value begin, Value first, unsigned row, Value stride) {
    Value number = builder.add(first, builder.index(row));
    return builder.add(begin, builder.mul(number, stride));
  };
  RowTiles rowTiles(builder, count, tiling.rows);
  rowTiles.forEach(
      builder.index(0), rowTiles.getCount(), [&](unsigned size, Value first) {
        Values rows;
        for (unsigned row = 0; row < size; ++row)
          rows.push_back(getRow(from, first, row, channels));
        Fetch fetch;
        if (tiling.prefetches)
          fetch = getFetch(strip, size, first);
        Values sums = sumUp(rows, vectors, fetch);
        const Value *sum = sums.begin();
        for (unsigned row = 0; row < size; ++row) {
          Value at = getRow(to, first, row, group);
          for (unsigned vector = 0; vector < strip.vectors; ++vector)
            builder.storeVector(
                *sum++, products,
                builder.add(at, builder.index(vector * tiling.lanes)));
        }
      });
}

/// Multiplies all rows with all vectors, for some channels.
Values WinogradProducts::addSteps(int64_t count, ArrayRef<Value> rows,
                                  ArrayRef<Value> vectors, Value channel,
                                  Value shift, Values sums) {
  for (int64_t each = 0; each < count; ++each) {
    Value number = builder.index(each);
    Value moved =
        builder.add(shift, builder.mul(number, filter.steps[channelLoop]));
    Values factors = llvm::map_to_vector(vectors, [&](Value at) {
      return builder.loadVector(filter.buffer, builder.add(at, moved), element,
                                tiling.lanes);
    });
    Value *sum = sums.begin();
    for (Value row : rows) {
      Value at = builder.add(row, builder.add(channel, number));
      Value own = builder.splat(builder.load(tiles, at, element), tiling.lanes);
      for (Value factor : factors) {
        *sum = emitMultiplyAdd(builder, own, factor, *sum);
        ++sum;
      }
    }
  }
  return sums;
}

/// Sums over the channels. The sums are ordered by row, and then by vector.
Values WinogradProducts::sumUp(ArrayRef<Value> givenRows,
                               ArrayRef<Value> givenVectors,
                               const Fetch &fetch) {
  auto hide = [&](Value at) { return builder.hideOrigin(at); };
  Values rows = llvm::map_to_vector(givenRows, hide);
  Values vectors = llvm::map_to_vector(givenVectors, hide);
  Value zero = builder.zero(getRegisterType(element, tiling.lanes));
  Values carried(rows.size() * vectors.size(), zero);
  // The loop carries its position in the filter, so that no iteration multiplies.
  carried.push_back(builder.index(0));
  llvm::append_range(carried, fetch.from);
  Value step = builder.mul(builder.index(unroll), filter.steps[channelLoop]);
  int64_t whole = convolution.channels / unroll * unroll;
  carried = builder.loop(
      builder.index(0), builder.index(whole), unroll, carried,
      [&](Value channel, ValueRange given) {
        ValueRange fetched = given.take_back(fetch.from.size());
        for (Value at : fetched)
          for (int64_t each = 0; each < fetch.lines; ++each)
            memref::PrefetchOp::create(
                builder, filter.buffer,
                ValueRange{builder.add(at, builder.index(each * tiling.line))},
                /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
        Values next(given.drop_back(fetch.from.size()));
        Value shift = next.pop_back_val();
        next = addSteps(unroll, rows, vectors, channel, shift, std::move(next));
        next.push_back(builder.add(shift, step));
        for (Value at : fetched)
          next.push_back(
              builder.add(at, builder.index(fetch.lines * tiling.line)));
        return next;
      });
  carried.pop_back_n(fetch.from.size());
  Value shift = carried.pop_back_val();
  return addSteps(convolution.channels - whole, rows, vectors,
                  builder.index(whole), shift, std::move(carried));
}
