// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs that are not chains of operators: joined parts, casts of all types, lists that
// are computed from shapes, windows, products of matrices.
#include "RuleScope.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Cast.h"
#include "invar/Dialect/ONNX/Ops/Compare.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Conv.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Dialect/ONNX/Ops/Logic.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"
#include "invar/Dialect/ONNX/Ops/Pool.h"
#include "invar/Dialect/ONNX/Ops/Quantize.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Scatter.h"
#include "invar/Dialect/ONNX/Ops/Sequence.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Dialect/ONNX/Ops/Softmax.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static constexpr int64_t most = std::numeric_limits<int64_t>::max();

static Value slice(Maker &maker, Value x, int64_t start, int64_t end) {
  return maker.make<SliceOp>(x, maker.ints(start), maker.ints(end),
                             maker.ints(0), Value());
}

//===-- Parts -----------------------------------------------------------------===//

/// Slices of one tensor that are joined, in their original order and in others.
static void addJoinedSlices(Scope &scope) {
  static constexpr int64_t places[] = {-3, -1, 0, 1, 2, 4, most};
  for (int64_t size : {anySize, int64_t(0), int64_t(1), int64_t(3), int64_t(4)})
    for (int64_t a : places)
      for (int64_t b : places)
        for (int64_t c : places)
          for (int64_t d : {b, -b, int64_t(0)})
            scope.add(
                {llvm::formatv("Concat(x[{0}:{1}], x[{2}:{3}])", a, b, d, c),
                 {{{size}}},
                 [=](Maker &maker, ValueRange in) {
                   return maker.make<ConcatOp>(
                       ValueRange{slice(maker, in[0], a, b),
                                  slice(maker, in[0], d, c)},
                       maker.attr(0));
                 }});
}

/// Slices and indices of joined tensors, of known and open sizes.
static void addPartsOfJoined(Scope &scope) {
  static constexpr int64_t places[] = {-5, -3, -2, -1, 0, 1, 2, 3, 5, most};
  for (const std::vector<Input> &parts :
       std::vector<std::vector<Input>>{{{{anySize}}, {{2}}},
                                       {{{2}}, {{anySize}}},
                                       {{{1}}, {{anySize}}, {{2}}},
                                       {{{0}}, {{2}}, {{1}}},
                                       {{{2}}, {{0}}, {{anySize}}}}) {
    auto join = [](Maker &maker, ValueRange in) {
      return maker.make<ConcatOp>(in, maker.attr(0));
    };
    std::string text = "Concat of " + std::to_string(parts.size());
    for (int64_t start : places)
      for (int64_t end : places)
        for (int64_t step : {1, 2})
          scope.add({llvm::formatv("Slice {0}:{1}:{2} of {3}", start, end, step,
                                   text),
                     parts, [=](Maker &maker, ValueRange in) {
                       return maker.make<SliceOp>(
                           join(maker, in), maker.ints(start), maker.ints(end),
                           maker.ints(0), maker.ints(step));
                     }});
    for (int64_t a : {-3, -2, -1, 0, 1, 2})
      for (int64_t b : {-3, -2, -1, 0, 1, 2})
        scope.add({llvm::formatv("Gather {0}, {1} of {2}", a, b, text), parts,
                   [=](Maker &maker, ValueRange in) {
                     return maker.make<GatherOp>(
                         join(maker, in), maker.ints({a, b}), maker.attr(0));
                   }});
  }
}

/// Sequences of parts.
static void addSequences(Scope &scope) {
  for (int64_t size : {anySize, int64_t(3), int64_t(4)})
    for (int64_t position : {-2, -1, 0, 1, 2})
      for (int64_t first : {0, 1, 2})
        for (int64_t keep : {0, 1})
          scope.add({llvm::formatv("SequenceAt {0} of SplitToSequence {1}{2}",
                                   position, first, keep ? " kept" : ""),
                     {{{size, 2}}},
                     [=](Maker &maker, ValueRange in) {
                       // 0: no sizes; 1: all parts have size 2; 2: a list of two sizes.
                       Value sizes = first == 0   ? Value()
                                     : first == 1 ? maker.scalar(2)
                                                  : maker.ints({1, 2});
                       Value parts = maker.make<SplitToSequenceOp>(
                           in[0], sizes, maker.attr(0), maker.attr(keep));
                       return maker.make<SequenceAtOp>(parts,
                                                       maker.scalar(position));
                     }});
}

/// Two tensors, each of which may be transposed.
static void addTransposedPairs(Scope &scope) {
  auto orders = std::make_shared<std::vector<Step>>(makeTransposes(2));
  for (int64_t size : {anySize, int64_t(1), int64_t(3)})
    for (unsigned form : llvm::seq(8u)) {
      bool movesA = form & 1, movesB = form & 2, isJoined = form & 4;
      SmallVector<int64_t> plain = {size, 2}, moved = {2, size};
      scope.add({llvm::formatv("transposed pair in form {0}", form),
                 {{movesA ? moved : plain}, {movesB ? moved : plain}},
                 [=](Maker &maker, ValueRange in) {
                   Value a = (*orders)[movesA].make(maker, in[0]);
                   Value b = (*orders)[movesB].make(maker, in[1]);
                   return isJoined ? maker.make<ConcatOp>(ValueRange{a, b},
                                                          maker.attr(1))
                                   : maker.make<SubOp>(a, b);
                 }});
    }
  for (int64_t isNew : {0, 1})
    for (int64_t count : {1, 2})
      scope.add({llvm::formatv("ConcatFromSequence of {0}", count),
                 {{{anySize, 2}}, {{anySize, 2}}},
                 [=](Maker &maker, ValueRange in) {
                   Value parts =
                       maker.make<SequenceConstructOp>(in.take_front(count));
                   return maker.make<ConcatFromSequenceOp>(parts, maker.attr(0),
                                                           maker.attr(isNew));
                 }});
}

void invar::addJoins(Scope &scope) {
  addTransposedPairs(scope);
  addJoinedSlices(scope);
  addPartsOfJoined(scope);
  addSequences(scope);
  for (int64_t size : {anySize, int64_t(0), int64_t(2)})
    for (int64_t other : {anySize, int64_t(0), int64_t(2)}) {
      std::vector<Input> inputs = {{{size, 2}}, {{other, 2}}};
      scope.add(
          {"Concat(Concat(x, y), x)", inputs, [](Maker &maker, ValueRange in) {
             Value inner = maker.make<ConcatOp>(in, maker.attr(0));
             return maker.make<ConcatOp>(ValueRange{inner, in[0]},
                                         maker.attr(-2));
           }});
      scope.add({"Concat(x, c, d, y)", inputs, [](Maker &maker, ValueRange in) {
                   return maker.make<ConcatOp>(
                       ValueRange{in[0], maker.counting({1, 2}),
                                  maker.counting({0, 2}),
                                  maker.counting({2, 2}), in[1]},
                       maker.attr(0));
                 }});
    }
}

//===-- Casts -----------------------------------------------------------------===//

void invar::addCasts(Scope &scope) {
  static constexpr DataType types[] = {
      DataType::Bool,    DataType::UInt8,    DataType::Int8,
      DataType::UInt16,  DataType::Int16,    DataType::UInt32,
      DataType::Int32,   DataType::UInt64,   DataType::Int64,
      DataType::Float16, DataType::BFloat16, DataType::Float32,
      DataType::Float64};
  auto cast = [](Maker &maker, Value x, DataType to) {
    return maker.make<CastOp>(x, StringAttr(), IntegerAttr(),
                              maker.attr(int64_t(to)));
  };
  for (DataType from : types)
    for (DataType between : types)
      for (DataType to : types)
        scope.add({llvm::formatv("Cast {0} to {1} to {2}", getName(from),
                                 getName(between), getName(to)),
                   {{{16},
                     from,
                     {0, 1, 2, 127, 128, 200, 255, 256, 1000, 2049, 32767,
                      40000, 65535, 0.5, 1.5, 2.5}}},
                   [=](Maker &maker, ValueRange in) {
                     return cast(maker, cast(maker, in[0], between), to);
                   }});
  for (DataType to : types)
    scope.add({llvm::formatv("CastLike to {0}", getName(to)),
               {{{3}}, {{2}, to}},
               [](Maker &maker, ValueRange in) {
                 return maker.make<CastLikeOp>(in[0], in[1], StringAttr(),
                                               IntegerAttr());
               }});
}

//===-- Shapes ----------------------------------------------------------------===//

namespace {
/// A number that is computed from the shape of x[n, 2].
struct Entry {
  StringRef text;
  std::function<Value(Maker &, Value shape)> make;
};
} // namespace

static Value pick(Maker &maker, Value list, int64_t index) {
  return maker.make<GatherOp>(list, maker.ints(index), maker.attr(0));
}

static const Entry entries[] = {
    {"n", [](Maker &maker, Value shape) { return pick(maker, shape, 0); }},
    {"2", [](Maker &maker, Value shape) { return pick(maker, shape, -1); }},
    {"n - 1",
     [](Maker &maker, Value shape) {
       return maker.make<SubOp>(pick(maker, shape, 0), maker.ints(1));
     }},
    {"n - 3",
     [](Maker &maker, Value shape) {
       return maker.make<SubOp>(pick(maker, shape, 0), maker.ints(3));
     }},
    {"n + 1",
     [](Maker &maker, Value shape) {
       return maker.make<AddOp>(pick(maker, shape, 0), maker.ints(1));
     }},
    {"-n",
     [](Maker &maker, Value shape) {
       return maker.make<NegOp>(pick(maker, shape, 0));
     }},
    {"2n",
     [](Maker &maker, Value shape) {
       return maker.make<MulOp>(pick(maker, shape, 0), maker.ints(2));
     }},
    {"1", [](Maker &maker, Value) { return maker.ints(1); }},
    {"-1", [](Maker &maker, Value) { return maker.ints(-1); }},
    {"0", [](Maker &maker, Value) { return maker.ints(0); }}};

static Value shapeOf(Maker &maker, Value x) {
  return maker.make<ShapeOp>(x, IntegerAttr(), IntegerAttr());
}

static void addTargets(Scope &scope) {
  // A target that no constant can express.
  scope.add({"Reshape [n, 1, n]",
             {{{anySize, anySize}}},
             [](Maker &maker, ValueRange in) {
               Value shape = shapeOf(maker, in[0]);
               Value target = maker.make<ConcatOp>(
                   ValueRange{pick(maker, shape, 0), maker.ints(1),
                              pick(maker, shape, 1)},
                   maker.attr(0));
               return maker.make<ReshapeOp>(in[0], target, IntegerAttr());
             }});
  for (int64_t size : {anySize, int64_t(0), int64_t(1), int64_t(3)})
    for (const Entry &a : entries)
      for (const Entry &b : entries) {
        std::vector<Input> inputs = {{{size, 2}}};
        scope.add({llvm::formatv("x[{0} : {1}]", a.text, b.text), inputs,
                   [&](Maker &maker, ValueRange in) {
                     Value shape = shapeOf(maker, in[0]);
                     return maker.make<SliceOp>(in[0], a.make(maker, shape),
                                                b.make(maker, shape),
                                                maker.ints(0), Value());
                   }});
        auto makeList = [&](Maker &maker, Value x, bool hasOne) {
          Value shape = shapeOf(maker, x);
          SmallVector<Value> parts = {a.make(maker, shape),
                                      b.make(maker, shape)};
          if (hasOne)
            parts.insert(parts.begin() + 1, maker.ints(1));
          return maker.make<ConcatOp>(parts, maker.attr(0));
        };
        for (bool hasOne : {false, true}) {
          std::string text = llvm::formatv("[{0}, {1}{2}]", a.text,
                                           hasOne ? "1, " : "", b.text);
          scope.add({"Reshape " + text, inputs,
                     [=](Maker &maker, ValueRange in) {
                       return maker.make<ReshapeOp>(
                           in[0], makeList(maker, in[0], hasOne),
                           IntegerAttr());
                     },
                     // A computed 0 in a target would copy a size.
                     /*leastSize=*/1});
          scope.add(
              {"Expand " + text, inputs, [=](Maker &maker, ValueRange in) {
                 return maker.make<ExpandOp>(in[0],
                                             makeList(maker, in[0], hasOne));
               }});
        }
        scope.add({llvm::formatv("[{0}, {1}]", a.text, b.text), inputs,
                   [=](Maker &maker, ValueRange in) {
                     return makeList(maker, in[0], false);
                   }});
      }
}

/// Parts of the shape of x[n, 2, 3], or of its transpose.
static void addPartsOfShapes(Scope &scope) {
  static constexpr int64_t places[] = {-4, -2, -1, 0, 1, 2, 3, 5};
  for (bool isMoved : {false, true}) {
    auto getShape = [=](Maker &maker, Value x, int64_t start, int64_t end) {
      if (isMoved)
        x = maker.make<TransposeOp>(
            x, maker.getBuilder().getDenseI64ArrayAttr({2, 0, 1}));
      return maker.make<ShapeOp>(x, end == 3 ? IntegerAttr() : maker.attr(end),
                                 maker.attr(start));
    };
    std::string text = isMoved ? "moved " : "";
    std::vector<Input> inputs = {{{anySize, 2, 3}}};
    for (int64_t first : {0, 1, -2})
      for (int64_t last : {3, 2, -1}) {
        for (int64_t start : places)
          for (int64_t end : places)
            for (int64_t step : {1, 2, -1})
              scope.add({llvm::formatv("Shape {0}:{1} {2}, sliced {3}:{4}:{5}",
                                       first, last, text, start, end, step),
                         inputs, [=](Maker &maker, ValueRange in) {
                           return maker.make<SliceOp>(
                               getShape(maker, in[0], first, last),
                               maker.ints(start), maker.ints(end),
                               maker.ints(0), maker.ints(step));
                         }});
        for (int64_t a : {-1, 0, 1})
          for (int64_t b : {-1, 0, 1})
            scope.add({llvm::formatv("Shape {0}:{1} {2}, gathered {3}, {4}",
                                     first, last, text, a, b),
                       inputs, [=](Maker &maker, ValueRange in) {
                         return maker.make<GatherOp>(
                             getShape(maker, in[0], first, last),
                             maker.ints({a, b}), maker.attr(0));
                       }});
      }
    for (int64_t keep : {0, 1})
      scope.add(
          {"ReduceProd of Shape", inputs, [=](Maker &maker, ValueRange in) {
             return maker.make<ReduceProdOp>(getShape(maker, in[0], 0, 3),
                                             Value(), maker.attr(keep),
                                             maker.attr(0));
           }});
  }
}

void invar::addShapes(Scope &scope) {
  addTargets(scope);
  addPartsOfShapes(scope);
}
