// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface between the forms of kernels and the rest of the code generator. A form is
// one file with a `match` function: it looks at a kernel and returns an emitter, or nothing
// where the kernel is not of the form. Emitters are asked in the order of Emitters.cpp; the
// last one takes what no other has taken.
//
// An emitter writes two functions (KernelBuilder.h). The plan says how many work units there
// are, which are independent of each other; the run computes the units [from, to).
// Invariant: both see the same numbers and nothing else, so they agree. And each element of a
// result is written once, behind all that is read for it; so a result may lie over an operand
// that is read at the same place only (InPlace.h).
#ifndef INVAR_LIB_CODEGEN_KERNELEMITTER_H
#define INVAR_LIB_CODEGEN_KERNELEMITTER_H

#include "KernelBuilder.h"

namespace invar {

/// Values of type index, as InvarKernelPlan (invar-c/Abi.h) has them.
struct KernelPlan {
  mlir::Value units, grain, scratch;
};

class KernelEmitter {
public:
  virtual ~KernelEmitter() = default;

  /// What it writes, for people: "contraction".
  virtual llvm::StringRef getName() const = 0;
  virtual KernelPlan emitPlan(KernelBuilder &builder) = 0;
  virtual void emitRun(KernelBuilder &builder) = 0;
};

// The forms; each returns null where the kernel is not of the form. The last one says why,
// by an error at the operation in question.
std::unique_ptr<KernelEmitter> matchContraction(mlir::func::FuncOp kernel,
                                                const CpuTarget &target);
std::unique_ptr<KernelEmitter> matchWinograd(mlir::func::FuncOp kernel,
                                             const CpuTarget &target);
std::unique_ptr<KernelEmitter> matchWindow(mlir::func::FuncOp kernel,
                                           const CpuTarget &target);
std::unique_ptr<KernelEmitter> matchGeneric(mlir::func::FuncOp kernel,
                                            const CpuTarget &target);

/// The emitter that writes what any kernel means, element by element.
std::unique_ptr<KernelEmitter> makePlainEmitter();

/// The emitter for a kernel, or null after an error.
std::unique_ptr<KernelEmitter> findEmitter(mlir::func::FuncOp kernel,
                                           const CpuTarget &target);

/// Writes the two functions of a kernel to the end of `module`.
void emitKernel(mlir::func::FuncOp kernel, const CpuTarget &target,
                mlir::ModuleOp module, KernelEmitter &emitter);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_KERNELEMITTER_H
