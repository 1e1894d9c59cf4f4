// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Passes.h"

#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/Runtime/Runtime.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_ONNXTOLINALGPASS
#include "invar/Conversion/ONNXToLinalg/Passes.h.inc"
} // namespace invar

namespace {
struct ONNXToLinalgPass : invar::impl::ONNXToLinalgPassBase<ONNXToLinalgPass> {
  using Base::Base;

  void runOnOperation() override {
    onnx::LoweringTable table;
    onnx::addLowerings(table);
    // Calls of functions have been inlined.
    for (Operation &op : llvm::make_early_inc_range(getOperation().getOps())) {
      auto graph = dyn_cast<func::FuncOp>(op);
      if (!graph) {
        op.erase();
        continue;
      }
      OpBuilder builder(&getContext());
      if (failed(onnx::GraphLowering(table, builder, !uncheckedIndices)
                     .lower(graph)))
        return signalPassFailure();
    }
  }
};
} // namespace
