// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Layout/Passes.h"

#include "ConstantTensors.h"
#include "Panels.h"
#include "TransformedFilter.h"
#include "Unused.h"
#include "WinogradForms.h"
#include "invar/Constness/Constness.h"
#include "invar/Dialect/Const/Const.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_WINOGRADPASS
#include "invar/Layout/Passes.h.inc"
} // namespace invar

namespace {
/// Y(n, h, w, o) += X(n, h + i, w + j, c) * W(o, c, i, j), where W is constant, all
/// types are f32, and sums start with 0.
struct Convolution {
  /// None if the operation is something else.
  static std::optional<Convolution> get(linalg::GenericOp op,
                                        const ConstnessAnalysis &constness);

  OpOperand *getFilter() { return op.getDpsInputOperand(1); }

  linalg::GenericOp op;
  Value filter;
  ConvolutionSizes sizes;
};
} // namespace

/// Whether a tensor is 0 everywhere.
static bool isZero(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.value(), m_AnyZeroFloat());
}

/// Whether an image has no padding, or padding of 0.
static bool hasZeroBorder(Value image) {
  auto pad = image.getDefiningOp<tensor::PadOp>();
  Value border = pad ? pad.getConstantPaddingValue() : Value();
  return !pad || (border && matchPattern(border, m_AnyZeroFloat()));
}

/// Whether a body adds the product of the two elements that it reads.
static bool addsProduct(Block &body) {
  auto isProduct = [](Operation *multiply, Operation *add) {
    return isa<arith::MulFOp>(multiply) && isa<arith::AddFOp>(add);
  };
  return body.getOperations().size() == 3 &&
         linalg::detail::isContractionBody(body, isProduct);
}

std::optional<Convolution>
Convolution::get(linalg::GenericOp op, const ConstnessAnalysis &constness) {
  auto isFloat = [](Value operand) {
    return getElementTypeOrSelf(operand).isF32();
  };
  if (op.getNumDpsInputs() != 2 || op->getNumResults() != 1 ||
      !llvm::all_of(op->getOperands(), isFloat) ||
      !addsProduct(*op.getBody()) || !isZero(op.getDpsInits()[0]) ||
      !hasZeroBorder(op.getDpsInputs()[0]))
    return std::nullopt;
  Value filter = op.getDpsInputs()[1];
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (!canChangeForm(*op.getDpsInputOperand(1), constness) || failed(dims) ||
      dims->batch.size() != 1 || dims->outputImage.size() != 2 ||
      dims->outputChannel.size() != 1 || dims->filterLoop.size() != 2 ||
      dims->inputChannel.size() != 1 || !dims->depth.empty())
    return std::nullopt;
  unsigned n = dims->batch[0], h = dims->outputImage[0],
           w = dims->outputImage[1], o = dims->outputChannel[0],
           i = dims->filterLoop[0], j = dims->filterLoop[1],
           c = dims->inputChannel[0];
  // Channels are last, and there are no strides or dilations.
  MLIRContext *context = op.getContext();
  auto dim = [&](unsigned loop) { return getAffineDimExpr(loop, context); };
  auto map = [&](ArrayRef<AffineExpr> axes) {
    return AffineMap::get(op.getNumLoops(), 0, axes, context);
  };
  AffineMap expected[] = {
      map({dim(n), dim(h) + dim(i), dim(w) + dim(j), dim(c)}),
      map({dim(o), dim(c), dim(i), dim(j)}),
      map({dim(n), dim(h), dim(w), dim(o)})};
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  // Each thread stores some transformed tiles of all channels.
  constexpr int64_t mostChannels = 4096;
  // Vectors are along the columns. With few columns, another axis is vectorized.
  constexpr int64_t fewestColumns = 4;
  if (op.getNumLoops() != 7 ||
      !llvm::equal(op.getIndexingMapsArray(), expected) || sizes[i] != 3 ||
      sizes[j] != 3 || sizes[o] < fewestColumns || sizes[c] < 1 ||
      sizes[c] > mostChannels)
    return std::nullopt;
  return Convolution{
      op, filter, {sizes[n], sizes[h], sizes[w], sizes[c], sizes[o]}};
}

//===----------------------------------------------------------------------===//
// Filters
//===----------------------------------------------------------------------===//

/// How a filter is packed into panels (TransformedFilter.h).
static constexpr int64_t panelAxis = 0, panelOrder[] = {0, 2, 3, 1};

static Value packFilter(ImplicitLocOpBuilder &builder, Value filter,
                        int64_t panel) {
  auto type = cast<RankedTensorType>(filter.getType());
  OpFoldResult tile = builder.getIndexAttr(panel);
  std::optional<Value> padding;
  if (type.getDimSize(panelAxis) % panel)
    padding = arith::ConstantOp::create(builder, builder.getF32FloatAttr(0));
  Value empty = linalg::PackOp::createDestinationTensor(
      builder, builder.getLoc(), filter, tile, panelAxis, panelOrder);
  return linalg::PackOp::create(builder, filter, empty, panelAxis, tile,
                                padding, panelOrder)
      .getResult();
}

/// Replaces the filter by one that is restored from transformed panels.
static void transform(Convolution &convolution, const Winograd &form,
                      int64_t panel) {
  ImplicitLocOpBuilder builder(convolution.op.getLoc(), convolution.op);
  auto [count, height, width, channels, columns] = convolution.sizes;
  Value panels = packFilter(builder, convolution.filter, panel);
  Value transformed = transformFilter(builder, panels, form);
  int64_t tile = form.getTile();
  Value empty = tensor::EmptyOp::create(
      builder, {columns, channels, tile, tile}, builder.getF32Type());
  Value unpacked = linalg::UnPackOp::create(
                       builder, transformed, empty, panelAxis,
                       OpFoldResult(builder.getIndexAttr(panel)), panelOrder)
                       .getResult();
  convolution.getFilter()->set(restoreFilter(builder, unpacked, form));
}

namespace {
struct WinogradPass : invar::impl::WinogradPassBase<WinogradPass> {
  using WinogradPassBase::WinogradPassBase;

  void runOnOperation() override {
    std::unique_ptr<ConstnessAnalysis> constness =
        ConstnessAnalysis::run(getOperation());
    if (!constness)
      return signalPassFailure();
    SmallVector<Convolution> convolutions;
    getOperation().walk([&](linalg::GenericOp op) {
      if (auto convolution = Convolution::get(op, *constness))
        convolutions.push_back(*convolution);
    });
    for (auto [convolution, form] :
         llvm::zip(convolutions, choose(convolutions, *constness)))
      if (form) {
        transform(convolution, *form,
                  fitPanel(panel, narrowestPanel, convolution.sizes.columns));
        ++numTransformed;
      }
    eraseUnused(getOperation());
  }

  SmallVector<const Winograd *> choose(ArrayRef<Convolution> convolutions,
                                       const ConstnessAnalysis &constness) {
    auto sizes = llvm::map_to_vector(
        convolutions, [](const Convolution &each) { return each.sizes; });
    if (everywhere)
      return getFastestForms(sizes, lanes);
    double room =
        countConstantBytes(getOperation(), constness) * double(growth) / 100;
    return chooseForms(sizes, lanes, std::max(room, double(allowance)));
  }
};
} // namespace
