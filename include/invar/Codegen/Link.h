// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links objects to a shared library that exports only `invar_module` (invar-c/Abi.h).
// The library may call functions of the C library that its loader, the runtime,
// provides: those of <math.h>, memcpy, memmove and memset. It does not name a library
// that defines them. Any other undefined symbol is an error.
//
// The bytes of a library depend only on the linked input. Constants are not linked: the
// writer of the file appends them to these bytes.
#ifndef INVAR_CODEGEN_LINK_H
#define INVAR_CODEGEN_LINK_H

#include "invar/Codegen/Compile.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace invar {

/// The contents of `invar_module` besides the kernels.
struct ModuleDescription {
  /// Program.h
  llvm::ArrayRef<uint32_t> program;
  /// The name and version of the compiler, e.g. "invar 0.1.0".
  llvm::StringRef compiler;
};

/// The kernels of a module for one processor.
struct KernelVariant {
  CpuTarget target;
  std::vector<KernelObject> kernels;
};

/// Links kernels. The index of a kernel is its number in the program. If there are
/// several variants, the one with the highest processor requirements must come first.
/// Only one link runs at a time in a process; other callers wait.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
linkModule(llvm::ArrayRef<KernelVariant> variants,
           const ModuleDescription &description);

} // namespace invar

#endif // INVAR_CODEGEN_LINK_H
