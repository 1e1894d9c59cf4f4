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
      leftCopy(builder, contraction, tiling, reduction),
      terms(builder, getSizes(contraction.rows),
            int64_t(tiling.unitTiles) * tiling.rows),
      tiles(builder, builder.product(terms.getSizes()), tiling.rows) {
  auto addTerm = [&](llvm::function_ref<Value(unsigned loop)> step) {
    return terms.add(
        llvm::map_to_vector(contraction.rows, [&](const LoopGroup &group) {
          return step(group.back());
        }));
  };
  leftTerm =
      addTerm([&](unsigned loop) { return reduction.getLeft().steps[loop]; });
  for (const Reduction::BorderedAxis &axis : reduction.getBordered())
    axisTerms.push_back(addTerm([&](unsigned loop) {
      return builder.index(
          contraction.left.access.getAxes()[axis.axis].steps[loop]);
    }));
  for (const Walk *walk : contraction.epilogue.enter(builder))
    walkTerms.push_back(
        addTerm([&](unsigned loop) { return walk->steps[loop]; }));
}

Values TileWriter::getSizes(ArrayRef<LoopGroup> groups) {
  return llvm::map_to_vector(
      groups, [&](const LoopGroup &group) { return reduction.getSize(group); });
}

void TileWriter::enterUnit(const StripOfTiles &job) {
  Value first = tiles.getFirst(job.firstTile);
  Value end = tiles.getFirst(job.endTile);
  terms.fill(first, end);
  if (tiling.pairs)
    builder.loop(first, end, 1, [&](Value row) {
      leftCopy.write(makeLeftRow(job, row), getCopiedRow(job, row));
    });
}

void TileWriter::writeSums(const StripOfTiles &job, Iterations block) {
  tiles.forEach(job.firstTile, job.endTile, [&](unsigned count, Value first) {
    writeTile(job, count, first, block);
  });
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Value TileWriter::getTerm(const StripOfTiles &job, unsigned number, Value row) {
  return terms.get(number, row, tiles.getFirst(job.firstTile));
}

/// The contribution of the batch loops to an address; each loop moves by `step`.
Value TileWriter::getBatchTerm(const StripOfTiles &job,
                               llvm::function_ref<Value(unsigned)> step) {
  Value sum = builder.index(0);
  for (auto [group, index] : llvm::zip_equal(contraction.batch, job.batch))
    sum = builder.add(sum, builder.mul(index, step(group.back())));
  return sum;
}

LeftRow TileWriter::makeLeftRow(const StripOfTiles &job, Value row) {
  const Walk &left = reduction.getLeft();
  const Access &access = contraction.left.access;
  Value base = builder.add(left.origin, getBatchTerm(job, [&](unsigned loop) {
                             return left.steps[loop];
                           }));
  LeftRow made{builder.add(base, getTerm(job, leftTerm, row)), {}};
  for (auto [axis, term] :
       llvm::zip_equal(reduction.getBordered(), axisTerms)) {
    Value begin = builder.add(
        access.getBegin(builder, axis.axis),
        getBatchTerm(job, [&, number = axis.axis](unsigned loop) {
          return builder.index(access.getAxes()[number].steps[loop]);
        }));
    made.positions.push_back(builder.add(begin, getTerm(job, term, row)));
  }
  return made;
}

/// The offset of the copy of a row.
Value TileWriter::getCopiedRow(const StripOfTiles &job, Value row) {
  Value inUnit = builder.sub(row, tiles.getFirst(job.firstTile));
  return builder.mul(inUnit, reduction.getPairs());
}

/// Where a tile prefetches: its part of the data that follows the strip, or the block.
Value TileWriter::getAhead(const StripOfTiles &job, Value row,
                           Iterations block) {
  if (!tiling.prefetches)
    return nullptr;
  int64_t parts = reduction.getTilesThatFetch();
  Value part = builder.rem(builder.div(row, builder.index(tiling.rows)),
                           builder.index(parts));
  // Panels are stored one after the other, and so are the steps of a panel. All strips of
  // a panel fetch the next panel.
  Value all = builder.product(getSizes(contraction.reduced));
  int64_t width = std::max(tiling.panel, tiling.getStrip());
  Value panel = builder.sub(job.right.offset,
                            builder.rem(job.column, builder.index(width)));
  auto getPart = [&](Value number, Value length, int64_t count) {
    return builder.mul(number, builder.div(length, builder.index(count)));
  };
  if (!block.end) {
    Value length = builder.mul(all, builder.index(width));
    return builder.add(builder.add(panel, length),
                       getPart(part, length, parts));
  }
  // If there are several panels, tiles fetch parts of them in turn.
  int64_t panels = width / tiling.panel;
  Value outer = reduction.getSize(contraction.reduced.front());
  Value perIteration =
      builder.mul(builder.div(all, outer), builder.index(tiling.panel));
  Value length = builder.mul(builder.index(tiling.blockSize), perIteration);
  Value number = builder.rem(part, builder.index(panels));
  // The data that follows is the same block of the next strip, or the next block of this
  // one.
  bool isOtherStrip = tiling.unitStrips > 1;
  if (isOtherStrip)
    number = builder.add(number, builder.index(panels));
  Value begin = builder.add(
      builder.mul(number, builder.mul(all, builder.index(tiling.panel))),
      builder.mul(isOtherStrip ? block.begin : block.end, perIteration));
  return builder.add(builder.add(panel, begin),
                     getPart(builder.div(part, builder.index(panels)), length,
                             std::max<int64_t>(1, parts / panels)));
}

/// The offset of a sum that is kept.
Value TileWriter::getKept(const StripOfTiles &job, Value row, Value shift) {
  Value inUnit = builder.sub(row, tiles.getFirst(job.firstTile));
  Value rows = builder.index(int64_t(tiling.unitTiles) * tiling.rows);
  Value place = builder.add(builder.mul(job.slot, rows), inUnit);
  return builder.add(builder.mul(place, builder.index(tiling.getStrip())),
                     shift);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void TileWriter::writeTile(const StripOfTiles &job, unsigned count, Value first,
                           Iterations block) {
  auto forEachVector = [&](auto body) {
    for (unsigned row = 0; row < count; ++row)
      for (unsigned vector = 0; vector < job.vectors; ++vector)
        body(builder.add(first, builder.index(row)),
             builder.index(vector * tiling.lanes));
  };
  SmallVector<LeftRow> rows;
  for (unsigned row = 0; row < count; ++row) {
    Value number = builder.add(first, builder.index(row));
    rows.push_back(tiling.pairs ? LeftRow{getCopiedRow(job, number), {}}
                                : makeLeftRow(job, number));
  }
  Values sums;
  forEachVector([&](Value row, Value shift) {
    atPoint(job, row, shift, [&](const Point &point) {
      sums.push_back(contraction.epilogue.emitInit(builder, point));
    });
  });
  if (block.begin) {
    Value isLater = arith::CmpIOp::create(builder, arith::CmpIPredicate::sgt,
                                          block.begin, builder.index(0));
    sums = builder.ifThen(
        isLater,
        [&] {
          Values kept;
          forEachVector([&](Value row, Value shift) {
            kept.push_back(
                builder.loadVector(sumMemory, getKept(job, row, shift),
                                   contraction.getSumType(), tiling.lanes));
          });
          return kept;
        },
        sums);
  }
  sums = reduction.write(rows, job.right, job.vectors, sums, block,
                         getAhead(job, first, block));

  Value *sum = sums.begin();
  forEachVector([&](Value row, Value shift) {
    if (sumMemory)
      builder.storeVector(*sum, sumMemory, getKept(job, row, shift));
    else
      atPoint(job, row, shift, [&](const Point &point) {
        contraction.epilogue.emit(builder, point, *sum);
      });
    ++sum;
  });
}

void TileWriter::writeResults(const StripOfTiles &job) {
  unsigned lanes = tiling.lanes;
  builder.loop(tiles.getFirst(job.firstTile), tiles.getFirst(job.endTile), 1,
               [&](Value row) {
                 builder.loop(
                     builder.index(0), builder.index(job.vectors * lanes),
                     lanes, [&](Value shift) {
                       Value sum = builder.loadVector(
                           sumMemory, getKept(job, row, shift),
                           contraction.getSumType(), lanes);
                       atPoint(job, row, shift, [&](const Point &point) {
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
Value TileWriter::getIndex(const StripOfTiles &job, Value row, Value column,
                           unsigned loop) {
  // A group's index counts through all loops of the group.
  auto inGroup = [&](Value index, LoopGroup group, unsigned lanes) {
    for (; group.back() != loop; group.pop_back())
      index = arith::DivUIOp::create(builder, index,
                                     builder.splat(sizes[group.back()], lanes));
    if (group.size() > 1)
      index = arith::RemUIOp::create(builder, index,
                                     builder.splat(sizes[loop], lanes));
    return index;
  };
  for (auto [group, index] : llvm::zip_equal(contraction.batch, job.batch))
    if (llvm::is_contained(group, loop))
      return inGroup(index, group, 0);
  Values coordinates;
  if (!contraction.rows.empty())
    coordinates = builder.delinearize(row, terms.getSizes());
  for (auto [group, index] : llvm::zip_equal(contraction.rows, coordinates))
    if (llvm::is_contained(group, loop))
      return inGroup(index, group, 0);
  if (!llvm::is_contained(contraction.columns, loop)) // One iteration.
    return builder.index(0);
  auto type = VectorType::get({tiling.lanes}, builder.getIndexType());
  Value index =
      arith::AddIOp::create(builder, builder.splat(column, tiling.lanes),
                            vector::StepOp::create(builder, type));
  return inGroup(index, contraction.columns, tiling.lanes);
}

void TileWriter::atPoint(const StripOfTiles &job, Value row, Value shift,
                         PointBody body) {
  Value column = builder.add(job.column, shift);
  unsigned vectorLoop = contraction.columns.back();
  auto offset = [&](const Access &, const Walk &walk) {
    Value base = builder.add(
        builder.add(
            walk.origin,
            getBatchTerm(job, [&](unsigned loop) { return walk.steps[loop]; })),
        builder.mul(column, walk.steps[vectorLoop]));
    return builder.add(base, getTerm(job, walkTerms[walk.number], row));
  };
  auto index = [&](unsigned loop) { return getIndex(job, row, column, loop); };
  body({offset, index, vectorLoop, tiling.lanes, getMask(job, shift)});
}
