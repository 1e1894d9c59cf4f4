// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows over padded images, products of transposed or reshaped operands, and rules that
// need only one graph each.
#include "RuleScope.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Cast.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Conv.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Dialect/ONNX/Ops/Generate.h"
#include "invar/Dialect/ONNX/Ops/MatMul.h"
#include "invar/Dialect/ONNX/Ops/Normalize.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"
#include "invar/Dialect/ONNX/Ops/Pool.h"
#include "invar/Dialect/ONNX/Ops/Quantize.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Resize.h"
#include "invar/Dialect/ONNX/Ops/Scatter.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Dialect/ONNX/Ops/Softmax.h"
#include "invar/Dialect/ONNX/Ops/Transpose.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static Value fillWith(Maker &maker, double number) {
  return maker.constant(llvm::cantFail(ElementsBuilder().splat(
      DataType::Float32, {}, WideNum::ofDouble(number))));
}

static Value transpose(Maker &maker, Value x, ArrayRef<int64_t> order) {
  return maker.make<TransposeOp>(
      x, maker.getBuilder().getDenseI64ArrayAttr(order));
}

//===-- Windows ---------------------------------------------------------------===//

namespace {
enum class Window { Conv, MaxPool, AveragePool };

struct WindowShape {
  int64_t kernel, stride, dilation, begin, end, ceil, counts;
};
} // namespace

static Value makeWindow(Window window, const WindowShape &shape, Maker &maker,
                        Value x) {
  Builder &builder = maker.getBuilder();
  auto kernel = builder.getDenseI64ArrayAttr({shape.kernel});
  auto strides = builder.getDenseI64ArrayAttr({shape.stride});
  auto dilations = builder.getDenseI64ArrayAttr({shape.dilation});
  auto pads = builder.getDenseI64ArrayAttr({shape.begin, shape.end});
  switch (window) {
  case Window::Conv:
    return maker.make<ConvOp>(x, maker.counting({2, 2, shape.kernel}), Value(),
                              StringAttr(), dilations, IntegerAttr(), kernel,
                              pads, strides);
  case Window::MaxPool:
    return maker.make<MaxPoolOp>(Type(), x, StringAttr(),
                                 maker.attr(shape.ceil), dilations, kernel,
                                 pads, IntegerAttr(), strides);
  case Window::AveragePool:
    return maker.make<AveragePoolOp>(x, StringAttr(), maker.attr(shape.ceil),
                                     maker.attr(shape.counts), dilations,
                                     kernel, pads, strides);
  }
  llvm_unreachable("covered switch");
}

void invar::addWindows(Scope &scope) {
  static constexpr double lowest = -std::numeric_limits<double>::infinity();
  auto addAll = [&](Window window, const WindowShape &shape) {
    for (int64_t size : {anySize, int64_t(1), int64_t(2), int64_t(4)})
      for (int64_t before : {0, 1, 2})
        for (int64_t after : {0, 1})
          for (double border : {0.0, lowest})
            scope.add(
                {llvm::formatv("window {0} of {1} by {2}, {3} apart, pads "
                               "{4},{5}, ceil {6}, counts {7}, padded {8},{9} "
                               "with {10}",
                               int(window), shape.kernel, shape.stride,
                               shape.dilation, shape.begin, shape.end,
                               shape.ceil, shape.counts, before, after, border),
                 {{{1, 2, size}}},
                 [=](Maker &maker, ValueRange in) {
                   Value padded = maker.make<PadOp>(
                       in[0], maker.ints({0, 0, before, 0, 0, after}),
                       fillWith(maker, border), Value(), StringAttr());
                   return makeWindow(window, shape, maker, padded);
                 },
                 // Engines differ on windows over an empty image.
                 /*leastSize=*/1});
  };
  for (int64_t kernel : {1, 2, 3})
    for (int64_t stride : {1, 2})
      for (int64_t dilation : {1, 2})
        for (int64_t pad : {0, 1}) {
          WindowShape shape = {kernel, stride, dilation, pad, 0, 0, 0};
          addAll(Window::Conv, shape);
          for (int64_t ceil : {0, 1}) {
            shape.ceil = ceil;
            addAll(Window::MaxPool, shape);
            for (int64_t counts : {0, 1}) {
              shape.counts = counts;
              addAll(Window::AveragePool, shape);
            }
          }
        }
}

//===-- Products --------------------------------------------------------------===//

/// Products of matrices, each of which may be transposed, or a constant.
static void addMatrices(Scope &scope) {
  for (int64_t size : {anySize, int64_t(1), int64_t(3)})
    for (unsigned form : llvm::seq(64u)) {
      bool movesA = form & 1, movesB = form & 2, isGemm = form & 4;
      bool isConstant = form & 8, isShared = form & 16, adds = form & 32;
      // [n, 2] times [2, 3].
      std::vector<Input> inputs = {
          {movesA ? SmallVector<int64_t>{2, size}
                  : SmallVector<int64_t>{size, 2}},
          {movesB ? SmallVector<int64_t>{3, 2} : SmallVector<int64_t>{2, 3}}};
      scope.add({llvm::formatv("product in form {0}", form), inputs,
                 [=](Maker &maker, ValueRange in) {
                   Value a = in[0], b = in[1];
                   if (isConstant)
                     b = maker.counting(inputs[1].shape);
                   Value given = b;
                   if (movesA)
                     a = transpose(maker, a, {1, 0});
                   if (movesB)
                     b = transpose(maker, b, {1, 0});
                   Value product =
                       isGemm ? maker.make<GemmOp>(a, b, Value(), FloatAttr(),
                                                   FloatAttr(), IntegerAttr(),
                                                   IntegerAttr())
                              : maker.make<MatMulOp>(a, b);
                   if (adds)
                     product = maker.make<AddOp>(product, maker.counting({3}));
                   // A second use of the operand, which is added to the product.
                   if (!isShared)
                     return product;
                   Value flat = maker.make<ReshapeOp>(given, maker.ints({1, 6}),
                                                      IntegerAttr());
                   Value row =
                       maker.make<SliceOp>(flat, maker.ints(0), maker.ints(3),
                                           maker.ints(1), Value());
                   return maker.make<AddOp>(product, row);
                 }});
    }
}

/// Rows of x[n, 2, 4] as a matrix, times weights, plus a summand, and reshaped back.
static void addRows(Scope &scope) {
  for (int64_t size : {anySize, int64_t(1), int64_t(3)})
    for (unsigned form : llvm::seq(16u)) {
      bool isGemm = form & 1, hasBias = form & 2, adds = form & 4,
           movesB = form & 8;
      scope.add(
          {llvm::formatv("rows in form {0}", form),
           {{{size, 2, 4}}},
           [=](Maker &maker, ValueRange in) {
             Value rows = maker.make<ReshapeOp>(in[0], maker.ints({-1, 4}),
                                                IntegerAttr());
             Value weight =
                 maker.counting(isGemm && movesB ? ArrayRef<int64_t>{3, 4}
                                                 : ArrayRef<int64_t>{4, 3});
             Value product =
                 isGemm
                     ? maker.make<GemmOp>(
                           rows, weight,
                           hasBias ? maker.counting({3}) : Value(), FloatAttr(),
                           FloatAttr(), IntegerAttr(), maker.attr(movesB))
                     : maker.make<MatMulOp>(rows, weight);
             Value back = maker.make<ReshapeOp>(product, maker.ints({-1, 2, 3}),
                                                IntegerAttr());
             return adds ? maker.make<AddOp>(back, maker.counting({3})) : back;
           }});
    }
}

void invar::addProducts(Scope &scope) {
  addMatrices(scope);
  addRows(scope);
}

//===-- Others ----------------------------------------------------------------===//

/// Bytes that are dequantized, moved, and quantized again.
static void addQuantized(Scope &scope) {
  std::vector<Step> moves = makeMovements();
  for (const Step &step : makeSlices({-1, 0, 1}, {1, -1}, 0))
    moves.push_back(step);
  for (const Step &step : makeTransposes(2))
    moves.push_back(step);
  auto getScale = [](Maker &maker) { return fillWith(maker, 0.5); };
  for (const Step &step : moves) {
    if (!step.getRank(2))
      continue;
    for (int64_t size : {anySize, int64_t(2)})
      scope.add(
          {"QuantizeLinear(" + step.text + "(DequantizeLinear(x)))",
           {{{size, 2}, DataType::UInt8}},
           [=](Maker &maker, ValueRange in) {
             Value scale = getScale(maker);
             Value zero = maker.constant(llvm::cantFail(ElementsBuilder().splat(
                 DataType::UInt8, {}, WideNum::ofUnsigned(3))));
             Value floats = maker.make<DequantizeLinearOp>(
                 in[0], scale, zero, IntegerAttr(), IntegerAttr(),
                 IntegerAttr());
             return maker.make<QuantizeLinearOp>(
                 step.make(maker, floats), scale, zero, IntegerAttr(),
                 IntegerAttr(), IntegerAttr(), IntegerAttr(), IntegerAttr());
           }});
  }
}

/// Expands that broadcasting makes unnecessary.
static void addBroadcasts(Scope &scope) {
  for (int64_t size : {anySize, int64_t(0), int64_t(1), int64_t(3)})
    for (const SmallVector<int64_t> &narrow :
         {SmallVector<int64_t>{}, {1}, {2}, {1, 1}, {1, 2}, {anySize, 1}})
      for (bool isFill : {false, true})
        scope.add({"Add(x, Expand(y))",
                   {{{size, 2}}, {narrow}},
                   [=](Maker &maker, ValueRange in) {
                     Value shape = maker.make<ShapeOp>(in[0], IntegerAttr(),
                                                       IntegerAttr());
                     Value other = isFill ? maker.make<ConstantOfShapeOp>(
                                                shape, ElementsAttr())
                                          : maker.make<ExpandOp>(in[1], shape);
                     return maker.make<SubOp>(in[0], other);
                   }});
}

static void addIndices(Scope &scope) {
  for (int64_t axis : {0, 1, -1})
    for (bool isOwn : {false, true})
      scope.add({"GatherElements of all",
                 {{{2, 2}}},
                 [=](Maker &maker, ValueRange in) {
                   bool isRow = (axis == 0) == isOwn;
                   auto places = maker.constant(llvm::cantFail(
                       ElementsBuilder().fromArray<DataType::Int64>(
                           {2, 2}, isRow ? ArrayRef<int64_t>{0, 0, 1, -1}
                                         : ArrayRef<int64_t>{0, 1, 0, -1})));
                   return maker.make<GatherElementsOp>(in[0], places,
                                                       maker.attr(axis));
                 }});
  for (int64_t size : {anySize, int64_t(1), int64_t(2), int64_t(3)})
    for (int64_t count : {1, 2, 3})
      for (bool hasAxis : {false, true})
        scope.add({llvm::formatv("Compress by {0}", count),
                   {{{size}}},
                   [=](Maker &maker, ValueRange in) {
                     auto all =
                         maker.constant(llvm::cantFail(ElementsBuilder().splat(
                             DataType::Bool, count, WideNum::ofBool(true))));
                     return maker.make<CompressOp>(
                         in[0], all, hasAxis ? maker.attr(0) : IntegerAttr());
                   }});
}

/// Softmax of rows, with a Flatten before it.
static void addFlattened(Scope &scope) {
  for (int64_t size : {anySize, int64_t(0), int64_t(1), int64_t(3)})
    for (int64_t axis : {0, 1, -1})
      for (int64_t last : {2, 4})
        scope.add({llvm::formatv("Reshape(Softmax {0}(Flatten(x)))", axis),
                   {{{size, 2, 2}}},
                   [=](Maker &maker, ValueRange in) {
                     Value flat = maker.make<ReshapeOp>(
                         in[0], maker.ints({-1, last}), IntegerAttr());
                     Value soft = maker.make<SoftmaxOp>(flat, maker.attr(axis));
                     return maker.make<ReshapeOp>(soft, maker.ints({-1, 2, 2}),
                                                  IntegerAttr());
                   }});
}

/// Assignments to all elements of a tensor.
static void addAssignments(Scope &scope) {
  for (int64_t size : {anySize, int64_t(1), int64_t(3)})
    for (int64_t limit : {2, 3})
      scope.add(
          {"ScatterND of all",
           {{{size}}, {{size}}},
           [=](Maker &maker, ValueRange in) {
             Value shape =
                 maker.make<ShapeOp>(in[0], IntegerAttr(), IntegerAttr());
             Value count = maker.make<SqueezeOp>(shape, maker.ints(0));
             Value places = maker.make<RangeOp>(maker.scalar(limit - 2), count,
                                                maker.scalar(1), IntegerAttr());
             Value list = maker.make<UnsqueezeOp>(places, maker.ints(1));
             Value joined =
                 maker.make<ConcatOp>(ValueRange{list}, maker.attr(1));
             return maker.make<ScatterNDOp>(in[0], joined, in[1], StringAttr());
           }});
}

static void addEquations(Scope &scope) {
  for (StringRef equation : {"ij->ji", "ij->i", "ij->j", "ij->"})
    scope.add({("Einsum " + equation).str(),
               {{{anySize, 2}}},
               [=](Maker &maker, ValueRange in) {
                 return maker.make<EinsumOp>(
                     in, maker.getBuilder().getStringAttr(equation));
               }});
  for (StringRef equation : {"ij,ij->ij", "ij,kj->ik", "ij,ij->i", "ij,kj->ki"})
    scope.add({("Einsum " + equation).str(),
               {{{anySize, 2}}, {{anySize, 2}}},
               [=](Maker &maker, ValueRange in) {
                 return maker.make<EinsumOp>(
                     in, maker.getBuilder().getStringAttr(equation));
               }});
}

/// Computed sizes, and conversions through a wider type.
static void addConverted(Scope &scope) {
  for (int64_t times : {1, 2, 3})
    scope.add(
        {llvm::formatv("Resize to {0} times", times),
         {{{1, 1, anySize}}},
         [=](Maker &maker, ValueRange in) {
           Value shape =
               maker.make<ShapeOp>(in[0], IntegerAttr(), IntegerAttr());
           Value sizes = maker.make<MulOp>(shape, maker.ints({1, 1, times}));
           return maker.make<ResizeOp>(
               in[0], Value(), Value(), sizes, IntegerAttr(),
               DenseI64ArrayAttr(), StringAttr(), FloatAttr(), IntegerAttr(),
               FloatAttr(), StringAttr(), StringAttr(), StringAttr());
         },
         /*leastSize=*/1});
  auto cast = [](Maker &maker, Value x, DataType to) {
    return maker.make<CastOp>(x, StringAttr(), IntegerAttr(),
                              maker.attr(int64_t(to)));
  };
  scope.add({"Cast(LayerNormalization(Cast(x)))",
             {{{anySize, 2}, DataType::Float16}},
             [=](Maker &maker, ValueRange in) {
               Value ones =
                   maker.constant(llvm::cantFail(ElementsBuilder().splat(
                       DataType::Float32, 2, WideNum::ofDouble(1))));
               Value normal = maker.make<LayerNormalizationOp>(
                   Type(), Type(), cast(maker, in[0], DataType::Float32), ones,
                   Value(), IntegerAttr(), FloatAttr(), IntegerAttr());
               return cast(maker, normal, DataType::Float16);
             }});
}

void invar::addOthers(Scope &scope) {
  addEquations(scope);
  addConverted(scope);
  addQuantized(scope);
  addBroadcasts(scope);
  addIndices(scope);
  addFlattened(scope);
  addAssignments(scope);
}
