// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emitter for kernels of no special form: any sequence of linalg operations.
#include "NestWriter.h"

using namespace mlir;
using namespace invar;

namespace {
class GenericEmitter : public KernelEmitter {
public:
  GenericEmitter(LoopNest given, const CpuTarget &target)
      : nest(std::move(given)), schedule(Schedule::get(nest, target)) {}

  StringRef getName() const override { return "loop nest"; }
  KernelPlan emitPlan(KernelBuilder &builder) override {
    return NestWriter(builder, nest, schedule).writePlan();
  }
  void emitRun(KernelBuilder &builder) override {
    NestWriter(builder, nest, schedule).writeRun();
  }

private:
  LoopNest nest;
  Schedule schedule;
};
} // namespace

std::unique_ptr<KernelEmitter> invar::matchGeneric(func::FuncOp kernel,
                                                   const CpuTarget &target) {
  FailureOr<LoopNest> nest = LoopNest::get(kernel);
  if (failed(nest))
    return nullptr;
  return std::make_unique<GenericEmitter>(std::move(*nest), target);
}
