// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From objects to a shared library that exports `invar_module` (invar-c/Abi.h) and nothing
// else. It may call functions of the C library that its loader, the runtime, knows: those of
// <math.h>, memcpy, memmove and memset. It names no library that has them; anything else that
// is not defined is an error.
//
// The bytes of a library depend on what is linked and on nothing else. Constants are not
// linked: whoever writes the file puts them behind these bytes.
#ifndef INVAR_CODEGEN_LINK_H
#define INVAR_CODEGEN_LINK_H

#include "invar/Codegen/Compile.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace invar {

/// What `invar_module` says of a model besides its kernels.
struct ModuleDescription {
  /// Program.h
  llvm::ArrayRef<uint32_t> program;
  /// Who has compiled it, e.g. "invar 0.1.0".
  llvm::StringRef compiler;
};

/// The kernels of a module for one processor.
struct KernelVariant {
  CpuTarget target;
  std::vector<KernelObject> kernels;
};

/// Links kernels, whose numbers in the program are their places. Of several variants, that
/// which needs most of a processor comes first. One link at a time is done in a process;
/// others wait.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
linkModule(llvm::ArrayRef<KernelVariant> variants,
           const ModuleDescription &description);

} // namespace invar

#endif // INVAR_CODEGEN_LINK_H
