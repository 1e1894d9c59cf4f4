// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM's IR to object files in memory.
#ifndef INVAR_LIB_CODEGEN_EMITOBJECT_H
#define INVAR_LIB_CODEGEN_EMITOBJECT_H

#include "invar/Codegen/Target.h"
#include "llvm/ADT/SmallString.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace invar {

/// LLVM's own description of a processor; one thread at a time may use it.
std::unique_ptr<llvm::TargetMachine> makeMachine(const CpuTarget &target);

/// Optimizes a module and writes it as position-independent code.
llvm::SmallString<0> emitObject(llvm::Module &module, const CpuTarget &target,
                                llvm::TargetMachine &machine);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_EMITOBJECT_H
