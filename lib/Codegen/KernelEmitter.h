// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface between the forms of kernels and the rest of the code generator. A form
// is one file with a `match` function, which inspects a kernel and returns an emitter, or
// null if the kernel does not have this form. The forms are tried in the order of
// Emitters.cpp; the last one accepts the kernels that no other form accepts.
//
// An emitter writes two functions (KernelBuilder.h). The plan computes the number of work
// units, which are independent of each other; the run computes the units [from, to).
// Invariant: both derive the units from the same numbers and nothing else, so they agree.
// And each element of a result is written once, after all reads that it depends on. So a
// result may share memory with an operand that is only read at the same place
// (InPlace.h).
#ifndef INVAR_LIB_CODEGEN_KERNELEMITTER_H
#define INVAR_LIB_CODEGEN_KERNELEMITTER_H

#include "KernelBuilder.h"

namespace invar {

/// Values of type index, with the meaning of InvarKernelPlan (invar-c/Abi.h).
struct KernelPlan {
  mlir::Value units, grain, scratch;
};

class KernelEmitter {
public:
  virtual ~KernelEmitter() = default;

  /// The name of the form in messages: "contraction".
  virtual llvm::StringRef getName() const = 0;
  virtual KernelPlan emitPlan(KernelBuilder &builder) = 0;
  virtual void emitRun(KernelBuilder &builder) = 0;
};

// The forms. Each returns null if the kernel does not have the form. The last one reports
// the reason as an error at the operation in question.
std::unique_ptr<KernelEmitter> matchContraction(mlir::func::FuncOp kernel,
                                                const CpuTarget &target);
std::unique_ptr<KernelEmitter> matchWinograd(mlir::func::FuncOp kernel,
                                             const CpuTarget &target);
std::unique_ptr<KernelEmitter> matchWindow(mlir::func::FuncOp kernel,
                                           const CpuTarget &target);
std::unique_ptr<KernelEmitter> matchGeneric(mlir::func::FuncOp kernel,
                                            const CpuTarget &target);

/// The emitter that writes any kernel as plain loops, element by element.
std::unique_ptr<KernelEmitter> makePlainEmitter();

/// The emitter for a kernel, or null after an error.
std::unique_ptr<KernelEmitter> findEmitter(mlir::func::FuncOp kernel,
                                           const CpuTarget &target);

/// Writes the two functions of a kernel to the end of `module`.
void emitKernel(mlir::func::FuncOp kernel, const CpuTarget &target,
                mlir::ModuleOp module, KernelEmitter &emitter);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_KERNELEMITTER_H
