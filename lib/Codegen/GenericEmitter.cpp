// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelEmitter.h"

using namespace mlir;
using namespace invar;

std::unique_ptr<KernelEmitter> invar::matchGeneric(func::FuncOp kernel,
                                                   const CpuTarget &target) {
  kernel.emitError("expected a kernel of a known form");
  return nullptr;
}
