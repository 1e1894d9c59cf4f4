// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckOrder.h"

#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/Runtime/Runtime.h"
#include "invar/Program/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_HOISTCHECKSPASS
#include "invar/Program/Passes.h.inc"
} // namespace invar

static bool isCheck(Operation &op) {
  return isa<cf::AssertOp, rt::CheckIndicesOp>(op);
}

/// Whether an operation may be anywhere after its operands: it computes numbers, or is a
/// view of memory. The runtime itself rejects positions outside of a tensor.
static bool isLight(Operation &op) {
  return isCheck(op) ||
         isa_and_present<arith::ArithDialect, math::MathDialect>(
             op.getDialect()) ||
         isa<constants::RefOp, tensor::CastOp, tensor::CollapseShapeOp,
             tensor::DimOp, tensor::ExpandShapeOp, tensor::ExtractOp,
             tensor::ExtractSliceOp, tensor::FromElementsOp, tensor::RankOp,
             tensor::ReshapeOp, UnrealizedConversionCastOp>(op);
}

namespace {
/// The operations of a block that are not light, in order, and the positions of the light
/// ones.
struct Order {
  explicit Order(Block &block);

  SmallVector<Operation *> heavy;
  /// For a light operation: how many heavy ones come before it, and how many must.
  struct Place {
    unsigned now, first;
  };
  llvm::MapVector<Operation *, Place> light;
};
} // namespace

Order::Order(Block &block) {
  llvm::DenseMap<Operation *, unsigned> numbers;
  for (Operation &op : block) {
    if (!isLight(op)) {
      heavy.push_back(&op);
      numbers[&op] = unsigned(heavy.size());
      continue;
    }
    unsigned first = 0;
    for (Value operand : op.getOperands())
      if (Operation *maker = operand.getDefiningOp();
          maker && maker->getBlock() == &block)
        first = std::max(first, isLight(*maker) ? light[maker].first
                                                : numbers.lookup(maker));
    light[&op] = {unsigned(heavy.size()), first};
  }
}

void invar::hoistChecks(Block &block) {
  Order order(block);
  // Checks, and the light operations that they are computed from.
  llvm::DenseSet<Operation *> needed;
  for (auto &[op, place] : llvm::reverse(order.light)) {
    if (!isCheck(*op) && !needed.contains(op))
      continue;
    needed.insert(op);
    for (Value operand : op->getOperands())
      if (Operation *maker = operand.getDefiningOp())
        needed.insert(maker);
  }
  // In their order, so that each comes after its operands again.
  for (auto &[op, place] : order.light) {
    if (place.first == place.now || !needed.contains(op))
      continue;
    op->moveBefore(order.heavy[place.first]);
  }
}

/// Whether kernels may run in an operation.
static bool runsKernels(Operation *op) {
  return op->walk([](func::CallOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

static LogicalResult verifyCheckOrder(Block &block) {
  Order order(block);
  for (auto &[op, place] : order.light) {
    if (!isCheck(*op))
      continue;
    for (Operation *before :
         ArrayRef(order.heavy).take_front(place.now).drop_front(place.first)) {
      if (!runsKernels(before))
        continue;
      InFlightDiagnostic error =
          op->emitError("expected a check before kernels whose results it does "
                        "not need, but got it behind one");
      error.attachNote(before->getLoc()) << "this runs first";
      return error;
    }
  }
  return success();
}

LogicalResult invar::verifyCheckOrder(func::FuncOp function) {
  WalkResult result = function.walk([](Block *block) {
    return failed(::verifyCheckOrder(*block)) ? WalkResult::interrupt()
                                              : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct HoistChecksPass : invar::impl::HoistChecksPassBase<HoistChecksPass> {
  void runOnOperation() override {
    // Kernels have no checks.
    if (!getOperation()->hasAttr("invar.kernel"))
      getOperation().walk([](Block *block) { hoistChecks(*block); });
  }
};
} // namespace
