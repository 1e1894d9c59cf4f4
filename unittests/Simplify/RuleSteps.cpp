// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators on one tensor, with all their parameters in a small range.
#include "RuleScope.h"

#include "invar/Dialect/ONNX/Ops/Activation.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Dialect/ONNX/Ops/Softmax.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static std::string toText(ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << llvm::interleaved_array(numbers);
  return text;
}

/// The rank function of a step that keeps the rank, for operands of at least `least`
/// axes.
static auto keepingRank(int64_t least = 0) {
  return [least](int64_t rank) {
    return rank >= least ? std::optional(rank) : std::nullopt;
  };
}

/// The rank function of a step whose result always has this rank.
static auto toRank(int64_t result, int64_t least = 0) {
  return [=](int64_t rank) {
    return rank >= least ? std::optional(result) : std::nullopt;
  };
}

/// The rank function of a step that adds or removes axes.
static auto addingAxes(int64_t count, int64_t least) {
  return [=](int64_t rank) {
    return rank >= least ? std::optional(rank + count) : std::nullopt;
  };
}

std::vector<Step> invar::makeSlices(ArrayRef<int64_t> bounds,
                                    ArrayRef<int64_t> steps, int64_t axis) {
  std::vector<Step> slices;
  for (int64_t step : steps)
    for (int64_t start : bounds)
      for (int64_t end : bounds)
        slices.push_back({llvm::formatv("Slice {0}:{1}:{2} axis {3} ", start,
                                        end, step, axis),
                          keepingRank(axis + 1), [=](Maker &maker, Value x) {
                            return maker.make<SliceOp>(
                                x, maker.ints(start), maker.ints(end),
                                maker.ints(axis),
                                step == 1 ? Value() : maker.ints(step));
                          }});
  return slices;
}

std::vector<Step> invar::makePads(ArrayRef<int64_t> sizes) {
  std::vector<Step> pads;
  for (int64_t begin : sizes)
    for (int64_t end : sizes)
      for (StringRef mode : {"constant", "edge"})
        pads.push_back({llvm::formatv("Pad {0},{1} {2} ", begin, end, mode),
                        keepingRank(1), [=](Maker &maker, Value x) {
                          return maker.make<PadOp>(
                              x, maker.ints({begin, end}), Value(),
                              maker.ints(0),
                              maker.getBuilder().getStringAttr(mode));
                        }});
  return pads;
}

std::vector<Step> invar::makeConcats(ArrayRef<int64_t> sizes) {
  std::vector<Step> concats;
  // A matrix with 2 columns, and constants with these numbers of rows before and after.
  for (int64_t before : sizes)
    for (int64_t after : sizes)
      for (bool isTwice : {false, true})
        concats.push_back(
            {llvm::formatv("Concat {0} rows, {1}, {2} rows ", before,
                           isTwice ? "twice" : "once", after),
             [](int64_t rank) {
               return rank == 2 ? std::optional<int64_t>(2) : std::nullopt;
             },
             [=](Maker &maker, Value x) {
               SmallVector<Value> parts(isTwice ? 2 : 1, x);
               if (before)
                 parts.insert(parts.begin(), maker.counting({before, 2}));
               if (after)
                 parts.push_back(maker.counting({after, 2}));
               return maker.make<ConcatOp>(parts, maker.attr(0));
             }});
  return concats;
}

static void addReshapes(std::vector<Step> &all) {
  for (const SmallVector<int64_t> &target : {SmallVector<int64_t>{-1},
                                             {0, -1},
                                             {-1, 2},
                                             {2, -1},
                                             {1, -1},
                                             {0, 1, -1},
                                             {1, 0, 2},
                                             {-1, 1, 2},
                                             {0, 2, 1},
                                             {2, 0, -1}})
    for (int64_t allowZero : {0, 1})
      all.push_back({llvm::formatv("Reshape {0} {1} ", toText(target),
                                   allowZero ? "with zeros" : ""),
                     toRank(int64_t(target.size()), 1),
                     [target, allowZero](Maker &maker, Value x) {
                       return maker.make<ReshapeOp>(x, maker.ints(target),
                                                    maker.attr(allowZero));
                     }});
  for (int64_t axis : {-1, 0, 1, 2})
    all.push_back({llvm::formatv("Flatten {0} ", axis),
                   toRank(2, std::abs(axis)), [=](Maker &maker, Value x) {
                     return maker.make<FlattenOp>(x, maker.attr(axis));
                   }});
  for (const SmallVector<int64_t> &axes :
       {SmallVector<int64_t>{0}, {1}, {-1}, {0, 1}, {1, 2}, {0, 2}, {-1, 0}}) {
    int64_t count = int64_t(axes.size());
    auto getList = [axes](Maker &maker) { return maker.ints(axes); };
    int64_t most = *llvm::max_element(axes);
    all.push_back({llvm::formatv("Unsqueeze {0} ", toText(axes)),
                   [=](int64_t rank) {
                     return most < rank + count && rank + count <= 4
                                ? std::optional(rank + count)
                                : std::nullopt;
                   },
                   [=](Maker &maker, Value x) {
                     return maker.make<UnsqueezeOp>(x, getList(maker));
                   }});
    all.push_back({llvm::formatv("Squeeze {0} ", toText(axes)),
                   addingAxes(-count, std::max(most + 1, count)),
                   [=](Maker &maker, Value x) {
                     return maker.make<SqueezeOp>(x, getList(maker));
                   }});
  }
}

static void addGathers(std::vector<Step> &all) {
  for (const SmallVector<int64_t> &indices : {SmallVector<int64_t>{0},
                                              {-1},
                                              {0, 1},
                                              {1, 0},
                                              {-2, -1},
                                              {-1, 0},
                                              {1, 1}})
    for (int64_t axis : {0, 1, -1})
      all.push_back(
          {llvm::formatv("Gather {0} axis {1} ", toText(indices), axis),
           keepingRank(std::abs(axis) + (axis >= 0)),
           [axis, indices](Maker &maker, Value x) {
             return maker.make<GatherOp>(x, maker.ints(indices),
                                         maker.attr(axis));
           }});
  for (int64_t index : {0, 1, -1})
    for (int64_t axis : {0, 1})
      all.push_back({llvm::formatv("Gather {0} axis {1} ", index, axis),
                     addingAxes(-1, axis + 1), [=](Maker &maker, Value x) {
                       return maker.make<GatherOp>(x, maker.scalar(index),
                                                   maker.attr(axis));
                     }});
}

static void addRepetitions(std::vector<Step> &all) {
  for (const SmallVector<int64_t> &shape :
       {SmallVector<int64_t>{1}, {2}, {1, 1}, {1, 2}, {2, 1, 1}, {0, 1, 2}})
    all.push_back({llvm::formatv("Expand {0} ", toText(shape)),
                   [size = int64_t(shape.size())](int64_t rank) {
                     return std::optional(std::max(rank, size));
                   },
                   [shape](Maker &maker, Value x) {
                     return maker.make<ExpandOp>(x, maker.ints(shape));
                   }});
  for (int64_t first : {0, 1, 2})
    all.push_back({llvm::formatv("Tile {0},1 ", first),
                   [](int64_t rank) {
                     return rank == 2 ? std::optional(rank) : std::nullopt;
                   },
                   [=](Maker &maker, Value x) {
                     return maker.make<TileOp>(x, maker.ints({first, 1}));
                   }});
}

/// Splits whose parts, all or some of them, are joined again.
static void addSplits(std::vector<Step> &all) {
  enum Join { First, Last, InOrder, Reversed, Twice };
  static constexpr StringRef names[] = {"the first", "the last", "in order",
                                        "reversed", "twice"};
  for (Join join : {First, Last, InOrder, Reversed, Twice})
    for (int64_t axis : {0, 1, -1})
      all.push_back({llvm::formatv("Split axis {0}, {1} ", axis, names[join]),
                     keepingRank(std::abs(axis) + (axis >= 0)),
                     [=](Maker &maker, Value x) {
                       OpBuilder &builder = maker.getBuilder();
                       SmallVector<Type> types(2, maker.getUnknown());
                       auto split = SplitOp::create(
                           builder, builder.getUnknownLoc(), types, x, Value(),
                           maker.attr(axis), maker.attr(2));
                       SmallVector<Value> parts(split.getOutputs());
                       if (join == First || join == Last)
                         return parts[join == Last];
                       if (join == Reversed)
                         std::swap(parts[0], parts[1]);
                       if (join == Twice)
                         parts.push_back(parts[0]);
                       return maker.make<ConcatOp>(parts, maker.attr(axis));
                     }});
}

std::vector<Step> invar::makeMovements() {
  std::vector<Step> all;
  addReshapes(all);
  addGathers(all);
  addRepetitions(all);
  addSplits(all);
  return all;
}

template <typename Op>
static void addReduction(StringRef name, std::vector<Step> &all) {
  for (int64_t keep : {0, 1})
    for (const SmallVector<int64_t> &axes :
         {SmallVector<int64_t>{}, {0}, {1}, {-1}, {0, 1}})
      for (int64_t noop : {0, 1}) {
        bool isAll = axes.empty() && !noop;
        int64_t count = int64_t(axes.size());
        all.push_back({llvm::formatv("{0} {1}{2}{3} ", name, toText(axes),
                                     keep ? " kept" : "", noop ? " noop" : ""),
                       [=](int64_t rank) -> std::optional<int64_t> {
                         if (rank < 2)
                           return std::nullopt;
                         return keep ? rank : isAll ? 0 : rank - count;
                       },
                       [keep, noop, axes](Maker &maker, Value x) {
                         return maker.make<Op>(x, maker.ints(axes),
                                               maker.attr(keep),
                                               maker.attr(noop));
                       }});
      }
}

template <typename Op>
static void addExtreme(StringRef name, std::vector<Step> &all) {
  for (int64_t keep : {0, 1})
    for (int64_t axis : {0, 1, -1})
      all.push_back(
          {llvm::formatv("{0} {1}{2} ", name, axis, keep ? " kept" : ""),
           addingAxes(keep - 1, 2), [=](Maker &maker, Value x) {
             return maker.make<Op>(x, maker.attr(axis), maker.attr(keep),
                                   maker.attr(0));
           }});
}

std::vector<Step> invar::makeReductions(bool isLong) {
  std::vector<Step> all;
  addReduction<ReduceMaxOp>("ReduceMax", all);
  addReduction<ReduceSumOp>("ReduceSum", all);
  addExtreme<ArgMaxOp>("ArgMax", all);
  if (!isLong)
    return all;
  addReduction<ReduceMeanOp>("ReduceMean", all);
  addReduction<ReduceProdOp>("ReduceProd", all);
  addReduction<ReduceSumSquareOp>("ReduceSumSquare", all);
  addExtreme<ArgMinOp>("ArgMin", all);
  return all;
}

std::vector<Step> invar::makeTransposes(int64_t rank) {
  std::vector<Step> all;
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq(rank));
  do {
    all.push_back({llvm::formatv("Transpose {0} ", toText(order)),
                   [=](int64_t its) {
                     return its == rank ? std::optional(rank) : std::nullopt;
                   },
                   [order](Maker &maker, Value x) {
                     return maker.make<TransposeOp>(
                         x, maker.getBuilder().getDenseI64ArrayAttr(order));
                   }});
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

std::vector<Step> invar::makeUnaries() {
  std::vector<Step> all;
  all.push_back({"Neg ", keepingRank(),
                 [](Maker &maker, Value x) { return maker.make<NegOp>(x); }});
  for (SmallVector<int64_t> shape :
       {SmallVector<int64_t>{}, {1}, {2}, {1, 2}, {2, 1, 2}})
    all.push_back({llvm::formatv("Add of {0} ", toText(shape)),
                   [size = int64_t(shape.size())](int64_t rank) {
                     return std::optional(std::max(rank, size));
                   },
                   [shape](Maker &maker, Value x) {
                     return maker.make<AddOp>(x, maker.counting(shape));
                   }});
  for (int64_t axis : {0, 1, -1}) {
    all.push_back({llvm::formatv("Hardmax {0} ", axis), keepingRank(2),
                   [=](Maker &maker, Value x) {
                     return maker.make<HardmaxOp>(x, maker.attr(axis));
                   }});
    all.push_back({llvm::formatv("Concat with itself axis {0} ", axis),
                   keepingRank(2), [=](Maker &maker, Value x) {
                     return maker.make<ConcatOp>(ValueRange{x, x},
                                                 maker.attr(axis));
                   }});
  }
  return all;
}
