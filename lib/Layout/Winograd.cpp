// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Layout/Passes.h"

#include "ConstantTensors.h"
#include "Panels.h"
#include "TransformedFilter.h"
#include "Unused.h"
#include "WinogradForms.h"
#include "invar/Constness/Constness.h"
#include "invar/Dialect/Const/Const.h"
#include "invar/Winograd/Convolution.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_WINOGRADPASS
#include "invar/Layout/Passes.h.inc"
} // namespace invar

/// Whether transforming the filter of a convolution can pay off, and is folded.
static bool isSuitable(Convolution3x3 &convolution,
                       const ConstnessAnalysis &constness) {
  // Each thread stores some transformed tiles of all channels.
  constexpr int64_t mostChannels = 4096;
  // Vectors are along the columns. With few columns, another axis is vectorized.
  constexpr int64_t fewestColumns = 4;
  return convolution.sizes[convolution.o] >= fewestColumns &&
         convolution.sizes[convolution.c] <= mostChannels &&
         canChangeForm(*convolution.getFilter(), constness);
}

static ConvolutionSizes getSizes(const Convolution3x3 &convolution) {
  const auto &[op, n, h, w, o, c, i, j, sizes] = convolution;
  return {sizes[n], sizes[h], sizes[w], sizes[c], sizes[o]};
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
static void transform(Convolution3x3 &convolution, const Winograd &form,
                      int64_t panel) {
  ImplicitLocOpBuilder builder(convolution.op.getLoc(), convolution.op);
  int64_t columns = convolution.sizes[convolution.o],
          channels = convolution.sizes[convolution.c];
  OpOperand &filter = *convolution.getFilter();
  Value panels = packFilter(builder, filter.get(), panel);
  Value transformed = transformFilter(builder, panels, form);
  int64_t tile = form.getTile();
  Value empty = tensor::EmptyOp::create(
      builder, {columns, channels, tile, tile}, builder.getF32Type());
  Value unpacked = linalg::UnPackOp::create(
                       builder, transformed, empty, panelAxis,
                       OpFoldResult(builder.getIndexAttr(panel)), panelOrder)
                       .getResult();
  filter.set(restoreFilter(builder, unpacked, form));
}

namespace {
struct WinogradPass : invar::impl::WinogradPassBase<WinogradPass> {
  using WinogradPassBase::WinogradPassBase;

  void runOnOperation() override {
    SmallVector<Convolution3x3> convolutions;
    getOperation().walk([&](linalg::GenericOp op) {
      if (auto convolution = Convolution3x3::get(op))
        convolutions.push_back(*convolution);
    });
    if (convolutions.empty())
      return;
    std::unique_ptr<ConstnessAnalysis> constness =
        ConstnessAnalysis::run(getOperation());
    if (!constness)
      return signalPassFailure();
    llvm::erase_if(convolutions, [&](Convolution3x3 &convolution) {
      return !isSuitable(convolution, *constness);
    });
    for (auto [convolution, form] :
         llvm::zip(convolutions, choose(convolutions, *constness)))
      if (form) {
        int64_t columns = convolution.sizes[convolution.o];
        transform(convolution, *form, fitPanel(panel, narrowestPanel, columns));
      }
    eraseUnused(getOperation());
  }

  SmallVector<const Winograd *> choose(ArrayRef<Convolution3x3> convolutions,
                                       const ConstnessAnalysis &constness) {
    auto sizes = llvm::map_to_vector(convolutions, getSizes);
    if (everywhere)
      return getFastestForms(sizes, lanes);
    double room =
        countConstantBytes(getOperation(), constness) * double(growth) / 100;
    return chooseForms(sizes, lanes, std::max(room, double(allowance)));
  }
};
} // namespace
