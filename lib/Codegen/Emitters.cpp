// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emitters, in the order in which they are tried.
#include "KernelEmitter.h"

using namespace mlir;
using namespace invar;

std::unique_ptr<KernelEmitter> invar::findEmitter(func::FuncOp kernel,
                                                  const CpuTarget &target) {
  using Match =
      std::unique_ptr<KernelEmitter> (*)(func::FuncOp, const CpuTarget &);
  for (Match match :
       {matchContraction, matchWinograd, matchWindow, matchGeneric})
    if (std::unique_ptr<KernelEmitter> emitter = match(kernel, target))
      return emitter;
  return nullptr;
}

void invar::emitKernel(func::FuncOp kernel, const CpuTarget &target,
                       ModuleOp module, KernelEmitter &emitter) {
  KernelBuilder run = KernelBuilder::createRun(kernel, target, module);
  emitter.emitRun(run);
  func::ReturnOp::create(run);
  KernelBuilder plan = KernelBuilder::createPlan(kernel, target, module);
  KernelPlan values = emitter.emitPlan(plan);
  func::ReturnOp::create(
      plan, ValueRange{values.units, values.grain, values.scratch});
}
