// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes contractions (Contraction.h), split up as Tiling.h describes. A work unit is a
// number of tiles of one strip, or of several strips. Consecutive units go over the
// rows of a strip first, so that the strip of the right operand stays in the cache. If
// the left operand is big, they go over all strips for a block of rows before the next
// block.
#include "KernelEmitter.h"
#include "StripCopy.h"
#include "TileWriter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

namespace {
class ContractionWriter {
public:
  ContractionWriter(KernelBuilder &builder, Contraction &contraction,
                    const Tiling &tiling);

  KernelPlan writePlan();
  void writeRun();

private:
  /// Offsets into a thread's scratch memory; null for parts that are not needed.
  struct Scratch {
    Value border, sums, terms, left, copy, size;
  };
  struct UnitNumbers {
    Values batch;
    Value stripUnit, rowUnit;
  };

  Scratch layOutScratch();
  Value getRowsPerBlock();
  UnitNumbers splitUnit(Value unit);
  StripOfTiles makeJob(const UnitNumbers &numbers);
  void forEachStrip(const UnitNumbers &numbers,
                    llvm::function_ref<void(const StripOfTiles &)> body);
  Value getStripOffset(const StripOfTiles &job);
  Values getVectorOffsets(unsigned vectors, Value columnsLeft);
  RightStrip getStrip(const StripOfTiles &job);
  Values getParameters(Value column);
  void fillBorder();
  Value copyStrip(const UnitNumbers &numbers, Value last);
  void writeUnit(const UnitNumbers &numbers);

  KernelBuilder &builder;
  Contraction &contraction;
  const Tiling &tiling;
  TileWriter tiles;
  Values batchSizes, reducedSizes;
  Value columns, strips, stripUnits, rowUnits;
  StripCopy copy;
  Scratch scratch;
  Walk right;
  Value copyMemory;
};

class ContractionEmitter : public KernelEmitter {
public:
  ContractionEmitter(Contraction contraction, Tiling tiling)
      : contraction(std::move(contraction)), tiling(tiling) {}

  StringRef getName() const override { return "contraction"; }
  KernelPlan emitPlan(KernelBuilder &builder) override {
    return ContractionWriter(builder, contraction, tiling).writePlan();
  }
  void emitRun(KernelBuilder &builder) override {
    ContractionWriter(builder, contraction, tiling).writeRun();
  }

private:
  Contraction contraction;
  Tiling tiling;
};
} // namespace

std::unique_ptr<KernelEmitter>
invar::matchContraction(func::FuncOp kernel, const CpuTarget &target) {
  FailureOr<Contraction> contraction = Contraction::get(kernel);
  if (failed(contraction))
    return nullptr;
  FailureOr<Tiling> tiling = Tiling::get(*contraction, target);
  if (failed(tiling))
    return nullptr;
  return std::make_unique<ContractionEmitter>(*contraction, *tiling);
}

ContractionWriter::ContractionWriter(KernelBuilder &builder,
                                     Contraction &contraction,
                                     const Tiling &tiling)
    : builder(builder), contraction(contraction), tiling(tiling),
      tiles(builder, contraction, tiling),
      batchSizes(tiles.getSizes(contraction.batch)),
      reducedSizes(tiles.getSizes(contraction.reduced)),
      columns(tiles.getSizes(contraction.columns).front()),
      strips(builder.ceilDiv(columns, builder.index(tiling.getStrip()))),
      stripUnits(builder.ceilDiv(strips, builder.index(tiling.unitStrips))),
      rowUnits(builder.ceilDiv(tiles.getTiles().getCount(),
                               builder.index(tiling.unitTiles))),
      copy(builder, contraction, tiling, tiles.getReduction(), columns),
      scratch(layOutScratch()) {}

ContractionWriter::Scratch ContractionWriter::layOutScratch() {
  Scratch layout;
  Value end = builder.index(0);
  auto place = [&](Value count, Type element) {
    Value begin = end;
    int64_t size = getMemoryType(element).getIntOrFloatBitWidth() / 8;
    end = builder.add(
        end, builder.alignScratch(builder.mul(count, builder.index(size))));
    return begin;
  };
  if (contraction.left.access.getBorder() && !tiling.pairs)
    layout.border = place(tiles.getReduction().getSpan(),
                          contraction.left.element.getType());
  if (tiling.keepsSums)
    layout.sums =
        place(builder.index(int64_t(tiling.unitStrips) * tiling.unitTiles *
                            tiling.rows * tiling.getStrip()),
              contraction.getSumType());
  if (int64_t count = tiles.getRowTerms().getTableSize())
    layout.terms = place(builder.index(count), builder.getIndexType());
  if (tiling.pairs) {
    Value rows = builder.index(int64_t(tiling.unitTiles) * tiling.rows);
    layout.left = place(builder.mul(rows, tiles.getReduction().getPairs()),
                        builder.getI32Type());
  }
  if (tiling.packs)
    layout.copy = place(copy.getCount(), copy.getElementType());
  layout.size = end;
  return layout;
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

KernelPlan ContractionWriter::writePlan() {
  // A thread pays off from about 5 microseconds of work: this many products, or this
  // many loads of the right operand if each of its elements is used only a few times.
  constexpr int64_t products = 500'000, loads = 25'000;
  Value one = builder.index(1);
  Value rows = builder.min(tiles.getTiles().getRows(),
                           builder.index(tiling.unitTiles * tiling.rows));
  Value width = builder.min(
      columns, builder.index(tiling.unitStrips * tiling.getStrip()));
  Value loaded = builder.mul(builder.product(reducedSizes), width);
  Value multiplied = builder.mul(loaded, rows);
  Value grain = builder.min(
      builder.ceilDiv(builder.index(products), builder.max(multiplied, one)),
      builder.ceilDiv(builder.index(loads), builder.max(loaded, one)));
  Value units = builder.mul(builder.product(batchSizes),
                            builder.mul(stripUnits, rowUnits));
  return {units, grain, scratch.size};
}

/// The number of row units that go over all strips before the next rows; null for all.
Value ContractionWriter::getRowsPerBlock() {
  // The part of the left operand that is read for all strips must stay in the
  // second-level cache.
  int64_t cached = builder.getTarget().cacheBytes / 2;
  auto reduced = getConstantIntValue(builder.product(reducedSizes));
  if (!reduced || isConstantIntValue(stripUnits, 1))
    return nullptr;
  int64_t unit = tiling.unitTiles * tiling.rows *
                 (contraction.getSumType().getIntOrFloatBitWidth() / 8);
  int64_t count =
      std::max<int64_t>(1, cached / unit / std::max<int64_t>(*reduced, 1));
  auto all = getConstantIntValue(rowUnits);
  return all && *all <= count ? Value() : builder.index(count);
}

ContractionWriter::UnitNumbers ContractionWriter::splitUnit(Value unit) {
  Value perBatch = builder.mul(stripUnits, rowUnits);
  Value inBatch = builder.rem(unit, perBatch);
  UnitNumbers numbers;
  numbers.batch = builder.delinearize(builder.div(unit, perBatch), batchSizes);
  Value block = getRowsPerBlock();
  if (!block) {
    numbers.stripUnit = builder.div(inBatch, rowUnits);
    numbers.rowUnit = builder.rem(inBatch, rowUnits);
    return numbers;
  }
  // The last block has fewer rows than the others.
  Value perBlock = builder.mul(stripUnits, block);
  Value first = builder.mul(builder.div(inBatch, perBlock), block);
  Value inBlock = builder.rem(inBatch, perBlock);
  Value count = builder.min(block, builder.sub(rowUnits, first));
  numbers.stripUnit = builder.div(inBlock, count);
  numbers.rowUnit = builder.add(first, builder.rem(inBlock, count));
  return numbers;
}

StripOfTiles ContractionWriter::makeJob(const UnitNumbers &numbers) {
  StripOfTiles job;
  job.batch = numbers.batch;
  Value unitTiles = builder.index(tiling.unitTiles);
  job.firstTile = builder.mul(numbers.rowUnit, unitTiles);
  job.endTile = builder.min(tiles.getTiles().getCount(),
                            builder.add(job.firstTile, unitTiles));
  return job;
}

/// Writes `body` for the strips of a unit: once, or separately for whole strips and the
/// last one.
void ContractionWriter::forEachStrip(
    const UnitNumbers &numbers,
    llvm::function_ref<void(const StripOfTiles &)> body) {
  StripOfTiles job = makeJob(numbers);
  Value width = builder.index(tiling.getStrip());
  Value perUnit = builder.index(tiling.unitStrips);
  auto writeAs = [&](unsigned vectors, Value columnsLeft) {
    job.vectors = vectors;
    job.columnsLeft = columnsLeft;
    job.right = getStrip(job);
    body(job);
  };
  auto write = [&](Value slot) {
    job.slot = slot;
    Value strip = builder.add(builder.mul(numbers.stripUnit, perUnit), slot);
    job.column = builder.mul(strip, width);
    Value left = builder.sub(columns, job.column);
    Value rest = builder.rem(columns, width);
    if (!tiling.tailVectors)
      return writeAs(tiling.vectors,
                     isConstantIntValue(rest, 0) ? Value() : left);
    auto compare = [&](arith::CmpIPredicate predicate) {
      return arith::CmpIOp::create(builder, predicate, left, width);
    };
    builder.ifThen(compare(arith::CmpIPredicate::sge),
                   [&] { writeAs(tiling.vectors, Value()); });
    builder.ifThen(compare(arith::CmpIPredicate::slt),
                   [&] { writeAs(tiling.tailVectors, rest); });
  };
  if (tiling.unitStrips == 1)
    return write(builder.index(0));
  Value first = builder.mul(numbers.stripUnit, perUnit);
  builder.loop(builder.index(0),
               builder.min(perUnit, builder.sub(strips, first)), 1, write);
}

//===----------------------------------------------------------------------===//
// The right operand
//===----------------------------------------------------------------------===//

/// The offset of a strip in the right operand.
Value ContractionWriter::getStripOffset(const StripOfTiles &job) {
  Value offset = right.origin;
  for (auto [group, index] : llvm::zip_equal(contraction.batch, job.batch))
    offset = builder.add(offset, builder.mul(index, right.steps[group.back()]));
  const Access &access = contraction.right.access;
  unsigned column = contraction.columns.back();
  const Access::Tile *tile = access.getTile(column);
  if (!tile)
    return builder.add(offset, builder.mul(job.column, right.steps[column]));
  Value panel = builder.index(tile->size);
  Value stride = access.getStrides(builder)[tile->outerAxis];
  offset =
      builder.add(offset, builder.mul(builder.div(job.column, panel), stride));
  return builder.add(offset, builder.rem(job.column, panel));
}

/// The offset of each vector of a strip in the right operand. A strip of several panels
/// may reach past the last panel if there are too few columns. The first panel is then
/// read again.
Values ContractionWriter::getVectorOffsets(unsigned vectors,
                                           Value columnsLeft) {
  const Access &access = contraction.right.access;
  const Access::Tile *tile = access.getTile(contraction.columns.back());
  Values offsets;
  for (unsigned vector = 0; vector < vectors; ++vector) {
    int64_t shift = vector * tiling.lanes;
    if (!tile) {
      offsets.push_back(builder.index(shift));
      continue;
    }
    Value stride = access.getStrides(builder)[tile->outerAxis];
    Value panel = builder.mul(builder.index(shift / tile->size), stride);
    if (columnsLeft && shift >= tile->size) {
      Value isThere =
          arith::CmpIOp::create(builder, arith::CmpIPredicate::sgt, columnsLeft,
                                builder.index(shift / tile->size * tile->size));
      panel =
          arith::SelectOp::create(builder, isThere, panel, builder.index(0));
    }
    offsets.push_back(builder.add(panel, builder.index(shift % tile->size)));
  }
  return offsets;
}

RightStrip ContractionWriter::getStrip(const StripOfTiles &job) {
  if (scratch.copy)
    return copy.getStrip(copyMemory);
  RightStrip strip{right.buffer,
                   getStripOffset(job),
                   right.steps,
                   getVectorOffsets(job.vectors, job.columnsLeft),
                   {}};
  // A packed operand is padded to whole vectors; other operands need masks.
  if (!tiling.panel && job.columnsLeft)
    for (unsigned vector = 0; vector < job.vectors; ++vector)
      strip.masks.push_back(
          tiles.getMask(job, builder.index(vector * tiling.lanes)));
  return strip;
}

/// The values of the right factor's parameters for the columns of a vector.
Values ContractionWriter::getParameters(Value column) {
  Values values;
  for (const Factor::Parameter &parameter : contraction.right.parameters) {
    Walk walk = parameter.access.getWalk(builder);
    Type element = parameter.argument.getType();
    if (!parameter.access.moves(contraction.columns.back())) {
      values.push_back(builder.load(walk.buffer, walk.origin, element));
      continue;
    }
    Value left =
        builder.min(builder.sub(columns, column), builder.index(tiling.lanes));
    values.push_back(builder.loadVector(
        walk.buffer, builder.add(walk.origin, column), element, tiling.lanes,
        builder.mask(left, tiling.lanes)));
  }
  return values;
}

/// Copies the strip of a unit and returns its number. Does not copy if `last`, the
/// number of the previous unit's strip, is the same.
Value ContractionWriter::copyStrip(const UnitNumbers &numbers, Value last) {
  Value current = numbers.stripUnit, scale = stripUnits;
  for (size_t group = batchSizes.size(); group-- > 0;) {
    current = builder.add(current, builder.mul(numbers.batch[group], scale));
    scale = builder.mul(scale, batchSizes[group]);
  }
  Value isOther =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, current, last);
  builder.ifThen(isOther, [&] {
    StripOfTiles job = makeJob(numbers);
    job.column =
        builder.mul(numbers.stripUnit, builder.index(tiling.getStrip()));
    StripCopy::Source source{
        right,
        getStripOffset(job),
        job.column,
        getVectorOffsets(tiling.vectors, builder.sub(columns, job.column)),
        {}};
    for (unsigned vector = 0; vector < tiling.vectors; ++vector)
      source.parameters.push_back(getParameters(
          builder.add(job.column, builder.index(vector * tiling.lanes))));
    copy.write(source, copyMemory);
  });
  return current;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

void ContractionWriter::fillBorder() {
  Value memory =
      builder.getScratch(contraction.left.element.getType(), scratch.border);
  tiles.getReduction().setBorder(memory);
  Value border = builder.splat(
      builder.getScalar(contraction.left.access.getBorder()), tiling.lanes);
  builder.loopByVectors(tiles.getReduction().getSpan(), tiling.lanes, {},
                        [&](Value offset, Value mask, ValueRange) -> Values {
                          builder.storeVector(border, memory, offset, mask);
                          return {};
                        });
}

void ContractionWriter::writeUnit(const UnitNumbers &numbers) {
  tiles.enterUnit(makeJob(numbers));
  if (!tiling.blockSize)
    return forEachStrip(numbers, [&](const StripOfTiles &job) {
      tiles.writeSums(job, {});
      if (scratch.sums)
        tiles.writeResults(job);
    });
  Value all = reducedSizes.front();
  builder.loop(builder.index(0), all, tiling.blockSize, [&](Value begin) {
    Value end = builder.add(begin, builder.index(tiling.blockSize));
    forEachStrip(numbers, [&](const StripOfTiles &job) {
      tiles.writeSums(job, {begin, builder.min(end, all)});
    });
  });
  forEachStrip(numbers,
               [&](const StripOfTiles &job) { tiles.writeResults(job); });
}

void ContractionWriter::writeRun() {
  if (scratch.sums)
    tiles.setSums(builder.getScratch(contraction.getSumType(), scratch.sums));
  if (scratch.terms)
    tiles.getRowTerms().setTable(
        builder.getScratch(builder.getIndexType(), scratch.terms));
  right = contraction.right.access.getWalk(builder);
  if (scratch.border)
    fillBorder();
  Values copied;
  if (scratch.left) {
    tiles.getLeftCopy().setMemory(
        builder.getScratch(builder.getI16Type(), scratch.left));
    tiles.getReduction().setLeftCopy(
        builder.getScratch(builder.getI32Type(), scratch.left));
  }
  if (scratch.copy) {
    copyMemory = builder.getScratch(copy.getElementType(), scratch.copy);
    copied.push_back(builder.index(-1));
  }
  builder.loop(builder.getFrom(), builder.getTo(), 1, copied,
               [&](Value unit, ValueRange carried) -> Values {
                 UnitNumbers numbers = splitUnit(unit);
                 Values now;
                 if (scratch.copy)
                   now.push_back(copyStrip(numbers, carried.front()));
                 writeUnit(numbers);
                 return now;
               });
}
