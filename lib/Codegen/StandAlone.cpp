// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns preparations of operands into separate loops.
#include "KernelGroup.h"

#include "WinogradFilter.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace invar;

/// A loop nest that computes a new tensor of these sizes.
static linalg::GenericOp
makeLoops(ImplicitLocOpBuilder &builder, ArrayRef<OpFoldResult> sizes,
          Type elementType, ValueRange operands,
          function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  Value empty = tensor::EmptyOp::create(builder, sizes, elementType);
  SmallVector<AffineMap> maps(operands.size() + 1,
                              builder.getMultiDimIdentityMap(sizes.size()));
  SmallVector<utils::IteratorType> iterators(sizes.size(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, empty.getType(), operands, empty, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange elements) {
        ImplicitLocOpBuilder inside(loc, nested);
        Value made = body(inside, elements);
        linalg::YieldOp::create(inside, made);
      });
}

/// Replaces the result of an operation by `made`, cast to its type.
static void replace(ImplicitLocOpBuilder &builder, Operation *op, Value made,
                    function_ref<bool(OpOperand &)> where) {
  Type type = op->getResult(0).getType();
  if (made.getType() != type)
    made = tensor::CastOp::create(builder, type, made);
  op->getResult(0).replaceUsesWithIf(made, where);
}

/// Whether a kernel reads a padded tensor by a window, and needs no copy of it.
static bool readsByWindow(OpOperand &use) {
  auto generic = dyn_cast<linalg::GenericOp>(use.getOwner());
  return generic &&
         !generic.getMatchingIndexingMap(&use).isProjectedPermutation(
             /*allowZeroInResults=*/true);
}

/// Whether an operand is the image of a convolution with a transformed filter. Its
/// emitter reads all channels of a position together: they must be adjacent, and only
/// the axes of the image itself may have a border (WinogradConvolution.h).
static bool isTransformedImage(OpOperand &use) {
  auto generic = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!generic || generic.getNumDpsInputs() != 2 || use.getOperandNumber() != 0)
    return false;
  Operation *filter = generic.getDpsInputs()[1].getDefiningOp();
  return WinogradFilter::get(filter).has_value();
}

/// Whether padding adds to the first or the last axis: images or channels.
static bool padsOuterAxes(tensor::PadOp pad) {
  auto pads = [](ArrayRef<OpFoldResult> sizes) {
    return !isConstantIntValue(sizes.front(), 0) ||
           !isConstantIntValue(sizes.back(), 0);
  };
  return pads(pad.getMixedLowPad()) || pads(pad.getMixedHighPad());
}

/// Computes a padded tensor: elements of the source if there are any, otherwise the
/// padding value.
static void makePad(tensor::PadOp pad) {
  auto needsIt = [&](OpOperand &use) {
    return !readsByWindow(use) ||
           (isTransformedImage(use) && padsOuterAxes(pad));
  };
  if (llvm::none_of(pad->getUses(), needsIt))
    return;
  ImplicitLocOpBuilder builder(pad.getLoc(), pad);
  Value source = pad.getSource(), element = pad.getConstantPaddingValue();
  if (!element)
    return;
  SmallVector<OpFoldResult> low = pad.getMixedLowPad(),
                            high = pad.getMixedHighPad();
  SmallVector<OpFoldResult> from =
      tensor::getMixedSizes(builder, pad.getLoc(), source);
  auto toValue = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, pad.getLoc(), number);
  };
  SmallVector<OpFoldResult> sizes;
  for (auto [i, size] : llvm::enumerate(from)) {
    int64_t known = pad.getType().getDimSize(i);
    if (!ShapedType::isDynamic(known)) {
      sizes.push_back(builder.getIndexAttr(known));
      continue;
    }
    Value sum = arith::AddIOp::create(builder, toValue(low[i]), toValue(size));
    sizes.push_back(
        arith::AddIOp::create(builder, sum, toValue(high[i])).getResult());
  }
  SmallVector<Value> starts, limits;
  for (auto [start, size] : llvm::zip(low, from)) {
    starts.push_back(toValue(start));
    limits.push_back(toValue(size));
  }
  auto loops = makeLoops(
      builder, sizes, pad.getType().getElementType(), {},
      [&](ImplicitLocOpBuilder &b, ValueRange) -> Value {
        Value isInside, zero = arith::ConstantIndexOp::create(b, 0);
        SmallVector<Value> places;
        for (auto [i, start] : llvm::enumerate(starts)) {
          Value place = linalg::IndexOp::create(b, i);
          if (isConstantIntValue(low[i], 0) && isConstantIntValue(high[i], 0)) {
            places.push_back(place);
            continue;
          }
          place = arith::SubIOp::create(b, place, start);
          Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                               place, limits[i]);
          isInside =
              isInside ? arith::AndIOp::create(b, isInside, inside).getResult()
                       : inside;
          places.push_back(arith::SelectOp::create(b, inside, place, zero));
        }
        // In a source without elements, no position is inside, and the element that is
        // read is not used.
        Value read = tensor::ExtractOp::create(b, source, places);
        return isInside ? arith::SelectOp::create(b, isInside, read, element)
                              .getResult()
                        : read;
      });
  replace(builder, pad, loops.getResult(0), needsIt);
}

/// Copies a slice of a tensor, unless it is contiguous.
static void makeSlice(tensor::ExtractSliceOp slice) {
  auto needsIt = [&](OpOperand &use) {
    return !isa<linalg::GenericOp>(use.getOwner()) ||
           (isTransformedImage(use) &&
            (slice.getDroppedDims().any() ||
             !isConstantIntValue(slice.getMixedStrides().back(), 1)));
  };
  if (llvm::none_of(slice->getUses(), needsIt) || isContiguous(slice))
    return;
  ImplicitLocOpBuilder builder(slice.getLoc(), slice);
  builder.setInsertionPointAfter(slice);
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<OpFoldResult> sizes;
  for (auto [axis, size] : llvm::enumerate(slice.getMixedSizes()))
    if (!dropped[axis])
      sizes.push_back(size);
  auto loops = makeLoops(
      builder, sizes, slice.getType().getElementType(), slice.getResult(),
      [](ImplicitLocOpBuilder &, ValueRange in) { return in[0]; });
  replace(builder, slice, loops.getResult(0), needsIt);
}

static void makeFill(linalg::FillOp fill) {
  auto needsIt = [](OpOperand &use) {
    return !isa<linalg::GenericOp>(use.getOwner());
  };
  if (llvm::none_of(fill->getUses(), needsIt))
    return;
  ImplicitLocOpBuilder builder(fill.getLoc(), fill);
  Value element = fill.getInputs()[0];
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, fill.getLoc(), fill.getOutputs()[0]);
  auto loops =
      makeLoops(builder, sizes, element.getType(), {},
                [&](ImplicitLocOpBuilder &, ValueRange) { return element; });
  replace(builder, fill, loops.getResult(0), needsIt);
}

bool invar::isContiguous(tensor::ExtractSliceOp slice) {
  RankedTensorType type = slice.getSourceType();
  bool isWhole = true; // Whether all later axes are whole.
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
    if (!isConstantIntValue(slice.getMixedStrides()[axis], 1))
      return false;
    OpFoldResult size = slice.getMixedSizes()[axis];
    if (!isWhole && !isConstantIntValue(size, 1))
      return false;
    isWhole = isWhole && !type.isDynamicDim(axis) &&
              isConstantIntValue(size, type.getDimSize(axis));
  }
  return true;
}

/// Merges slices of slices into one slice: kernels read through only one.
static void mergeSlices(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  tensor::populateMergeConsecutiveInsertExtractSlicePatterns(patterns);
  SmallVector<Operation *> slices;
  function.walk([&](tensor::ExtractSliceOp slice) { slices.push_back(slice); });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  (void)applyOpPatternsGreedily(slices, std::move(patterns), config);
}

/// Lowers affine operations to arith, the only arithmetic of programs. Patterns over
/// tensors, such as those that merge slices, compute sizes with affine operations.
static void lowerAffine(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  populateAffineToStdConversionPatterns(patterns);
  SmallVector<Operation *> expressions;
  function.walk([&](Operation *op) {
    if (isa<affine::AffineDialect>(op->getDialect()))
      expressions.push_back(op);
  });
  (void)applyOpPatternsGreedily(expressions, std::move(patterns));
}

void invar::standAlone(func::FuncOp function) {
  mergeSlices(function);
  lowerAffine(function);
  function.walk([](Operation *op) {
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      makePad(pad);
    else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      makeSlice(slice);
    else if (auto fill = dyn_cast<linalg::FillOp>(op))
      makeFill(fill);
  });
}
