// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that writes the loops of kernels, to inspect them.
#include "KernelEmitter.h"
#include "invar/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_EMITKERNELSPASS
#include "invar/Codegen/Passes.h.inc"
} // namespace invar

namespace {
class EmitKernelsPass
    : public invar::impl::EmitKernelsPassBase<EmitKernelsPass> {
public:
  using EmitKernelsPassBase::EmitKernelsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::Expected<CpuTarget> target = CpuTarget::get(cpu);
    if (!target) {
      module.emitError(llvm::toString(target.takeError()));
      return signalPassFailure();
    }
    // The written functions have the kernel's name, so the kernel is removed first.
    for (auto kernel :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!kernel->hasAttr(kernelAttribute))
        continue;
      kernel->remove();
      OwningOpRef<func::FuncOp> owner = kernel;
      std::unique_ptr<KernelEmitter> emitter =
          plain ? makePlainEmitter() : findEmitter(kernel, *target);
      if (!emitter)
        return signalPassFailure();
      emitKernel(kernel, *target, module, *emitter);
    }
  }
};
} // namespace
