// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TileWriter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

TileWriter::TileWriter(KernelBuilder &builder, Contraction &contraction,
                       const Tiling &tiling)
    : builder(builder), contraction(contraction), tiling(tiling),
      sizes(getLoopSizes(builder, contraction.root)),
      reduction(builder, contraction, tiling, sizes),
      rowSizes(getSizes(contraction.rows)),
      tiles(builder, builder.product(rowSizes), tiling.rows) {}

Values TileWriter::getSizes(ArrayRef<LoopGroup> groups) {
  return llvm::map_to_vector(
      groups, [&](const LoopGroup &group) { return reduction.getSize(group); });
}

void TileWriter::enter(Value memory) {
  contraction.epilogue.enter(builder);
  sumMemory = memory;
}

void TileWriter::write(const StripOfTiles &job) {
  auto writeBlock = [&](Value begin, Value end) {
    tiles.forEach(job.firstTile, job.endTile, [&](unsigned count, Value first) {
      writeTile(job, count, first, begin, end);
    });
  };
  if (tiling.blockSize) {
    Value all = reduction.getSize(contraction.reduced.front());
    builder.loop(builder.index(0), all, tiling.blockSize, [&](Value begin) {
      Value end = builder.add(begin, builder.index(tiling.blockSize));
      writeBlock(begin, builder.min(end, all));
    });
  } else {
    writeBlock(Value(), Value());
  }
  if (sumMemory)
    writeResults(job);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Where the row loops are, group by group, in `count` rows from `first` on.
SmallVector<Values> TileWriter::getCoordinates(Value first, unsigned count) {
  if (rowSizes.size() < 2) {
    SmallVector<Values> all(count);
    for (unsigned row = 0; !rowSizes.empty() && row < count; ++row)
      all[row].push_back(builder.add(first, builder.index(row)));
    return all;
  }
  SmallVector<Values> all{builder.delinearize(first, rowSizes)};
  while (all.size() < count) {
    // As an odometer: what comes to its end begins again, and moves what is before it.
    Values next = all.back();
    Value carry = builder.index(1), zero = builder.index(0);
    for (size_t group = rowSizes.size(); --group > 0;) {
      Value moved = builder.add(next[group], carry);
      Value isEnd = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                          moved, rowSizes[group]);
      next[group] = arith::SelectOp::create(builder, isEnd, zero, moved);
      carry = arith::SelectOp::create(builder, isEnd, builder.index(1), zero);
    }
    next[0] = builder.add(next[0], carry);
    all.push_back(next);
  }
  return all;
}

LeftRow TileWriter::makeLeftRow(const StripOfTiles &job,
                                ArrayRef<Value> coordinates) {
  // The sum of what all loops that are not reduced contribute.
  auto along = [&](llvm::function_ref<Value(unsigned loop)> step) {
    Value sum = builder.index(0);
    for (auto [groups, indices] :
         {std::pair(ArrayRef(contraction.batch), ArrayRef(job.batch)),
          std::pair(ArrayRef(contraction.rows), coordinates)})
      for (auto [group, index] : llvm::zip_equal(groups, indices))
        sum = builder.add(sum, builder.mul(index, step(group.back())));
    return sum;
  };
  return reduction.makeRow(
      along([&](unsigned loop) { return reduction.getLeftStep(loop); }),
      [&](const Access::Axis &axis) {
        return along(
            [&](unsigned loop) { return builder.index(axis.steps[loop]); });
      });
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// What a tile is to fetch: its part of what follows the strip, or the block that ends at
/// `end`.
Value TileWriter::getAhead(const StripOfTiles &job, Value row, Value end) {
  if (!tiling.prefetches)
    return nullptr;
  // Panels lie one after the other, and so do the steps of a panel.
  Value all = builder.product(getSizes(contraction.reduced));
  Value step = builder.index(tiling.getStrip());
  Value length = builder.mul(all, step), next = length;
  if (end) {
    Value outer = reduction.getSize(contraction.reduced.front());
    Value perIteration = builder.mul(builder.div(all, outer), step);
    length = builder.mul(builder.index(tiling.blockSize), perIteration);
    next = builder.mul(end, perIteration);
  }
  Value parts = builder.index(reduction.getTilesThatFetch());
  Value part = builder.rem(builder.div(row, builder.index(tiling.rows)), parts);
  return builder.add(builder.add(job.right.offset, next),
                     builder.mul(part, builder.div(length, parts)));
}

/// Where a sum is kept.
Value TileWriter::getKept(const StripOfTiles &job, Value row, Value shift) {
  Value inUnit = builder.sub(row, tiles.getFirst(job.firstTile));
  return builder.add(builder.mul(inUnit, builder.index(tiling.getStrip())),
                     shift);
}

void TileWriter::writeTile(const StripOfTiles &job, unsigned count, Value first,
                           Value begin, Value end) {
  unsigned lanes = tiling.lanes;
  SmallVector<Values> coordinates = getCoordinates(first, count);
  SmallVector<LeftRow> leftRows;
  for (const Values &at : coordinates)
    leftRows.push_back(makeLeftRow(job, at));
  auto forEachVector = [&](auto body) {
    for (unsigned row = 0; row < count; ++row)
      for (unsigned vector = 0; vector < job.vectors; ++vector)
        body(row, builder.index(vector * lanes));
  };
  auto kept = [&](unsigned row, Value shift) {
    return getKept(job, builder.add(first, builder.index(row)), shift);
  };

  Type sumType = contraction.getSumType();
  auto makeInit = [&] {
    Values sums;
    forEachVector([&](unsigned row, Value shift) {
      atPoint(job, coordinates[row], shift, [&](const Point &point) {
        sums.push_back(contraction.epilogue.emitInit(builder, point));
      });
    });
    return sums;
  };
  Values sums;
  if (!begin) {
    sums = makeInit();
  } else {
    Value isLater = arith::CmpIOp::create(builder, arith::CmpIPredicate::sgt,
                                          begin, builder.index(0));
    sums = builder.ifThen(
        isLater,
        [&] {
          Values loaded;
          forEachVector([&](unsigned row, Value shift) {
            loaded.push_back(builder.loadVector(sumMemory, kept(row, shift),
                                                sumType, lanes));
          });
          return loaded;
        },
        makeInit());
  }
  sums = reduction.write(leftRows, job.right, job.vectors, sums, begin, end,
                         getAhead(job, first, end));

  Value *sum = sums.begin();
  forEachVector([&](unsigned row, Value shift) {
    if (sumMemory)
      builder.storeVector(*sum, sumMemory, kept(row, shift));
    else
      atPoint(job, coordinates[row], shift, [&](const Point &point) {
        contraction.epilogue.emit(builder, point, *sum);
      });
    ++sum;
  });
}

/// Makes results of sums that are kept.
void TileWriter::writeResults(const StripOfTiles &job) {
  unsigned lanes = tiling.lanes;
  builder.loop(
      tiles.getFirst(job.firstTile), tiles.getFirst(job.endTile), 1,
      [&](Value row) {
        Values coordinates = getCoordinates(row, 1).front();
        builder.loop(
            builder.index(0), builder.index(job.vectors * lanes), lanes,
            [&](Value shift) {
              Value sum =
                  builder.loadVector(sumMemory, getKept(job, row, shift),
                                     contraction.getSumType(), lanes);
              atPoint(job, coordinates, shift, [&](const Point &point) {
                contraction.epilogue.emit(builder, point, sum);
              });
            });
      });
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

Value TileWriter::getMask(const StripOfTiles &job, Value shift) {
  if (!job.columnsLeft)
    return nullptr;
  auto left = getConstantIntValue(job.columnsLeft);
  auto from = getConstantIntValue(shift);
  if (left &&
      ((from && *from + tiling.lanes <= *left) || *left % tiling.lanes == 0))
    return nullptr;
  Value lanes = builder.index(tiling.lanes);
  return builder.mask(builder.min(builder.sub(job.columnsLeft, shift), lanes),
                      tiling.lanes);
}

/// The index of one of the root's loops: a scalar, or a vector along the columns.
Value TileWriter::getIndex(const StripOfTiles &job, ArrayRef<Value> coordinates,
                           Value column, unsigned loop) {
  Value index;
  LoopGroup loops;
  auto lookIn = [&](ArrayRef<LoopGroup> groups, ArrayRef<Value> indices) {
    for (auto [group, at] : llvm::zip_equal(groups, indices))
      if (llvm::is_contained(group, loop)) {
        index = at;
        loops = group;
      }
  };
  unsigned lanes = 0;
  lookIn(contraction.batch, job.batch);
  lookIn(contraction.rows, coordinates);
  if (llvm::is_contained(contraction.columns, loop)) {
    lanes = tiling.lanes;
    auto type = VectorType::get({lanes}, builder.getIndexType());
    index = arith::AddIOp::create(builder, builder.splat(column, lanes),
                                  vector::StepOp::create(builder, type));
    loops = contraction.columns;
  }
  if (!index) // A loop of one iteration.
    return builder.index(0);
  while (loops.back() != loop) {
    Value size = builder.splat(sizes[loops.pop_back_val()], lanes);
    index = arith::DivUIOp::create(builder, index, size);
  }
  if (loops.size() > 1)
    index = arith::RemUIOp::create(builder, index,
                                   builder.splat(sizes[loop], lanes));
  return index;
}

void TileWriter::atPoint(const StripOfTiles &job, ArrayRef<Value> coordinates,
                         Value shift, PointBody body) {
  Value column = builder.add(job.column, shift);
  auto offset = [&](const Access &access, const Walk &walk) {
    Value sum = walk.origin;
    auto move = [&](const LoopGroup &group, Value index) {
      sum = builder.add(sum, builder.mul(index, walk.steps[group.back()]));
    };
    for (auto [group, index] : llvm::zip_equal(contraction.batch, job.batch))
      move(group, index);
    for (auto [group, index] : llvm::zip_equal(contraction.rows, coordinates))
      move(group, index);
    move(contraction.columns, column);
    return sum;
  };
  auto index = [&](unsigned loop) {
    return getIndex(job, coordinates, column, loop);
  };
  body({offset, index, contraction.columns.back(), tiling.lanes,
        getMask(job, shift)});
}
