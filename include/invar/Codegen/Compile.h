// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From kernels to machine code.
//
//   FailureOr<std::vector<KernelObject>> objects = compileKernels(module, options);
//
// Every function of the module that has the attribute `invar.kernel` becomes an object file
// in memory, with two functions of invar-c/Abi.h, `SYMBOL.run` and `SYMBOL.plan`. Kernels are
// compiled in parallel, and independently of each other: the same kernel always gives the
// same bytes. Link.h makes a library of them.
#ifndef INVAR_CODEGEN_COMPILE_H
#define INVAR_CODEGEN_COMPILE_H

#include "invar/Codegen/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallString.h"
#include <string>
#include <vector>

namespace invar {

struct CompileOptions {
  CpuTarget target = CpuTarget::getHost();
  /// How many kernels are compiled at once; 0 for as many as there are cores.
  unsigned threads = 0;
  /// What tells the symbols of these kernels from those for another processor.
  std::string suffix;
  /// Whether to write plain loops (makePlainEmitter) instead of fast code.
  bool isPlain = false;
  /// Whether to write plain loops beside the fast code, for the runtime to compare.
  bool withMeaning = false;
};

struct KernelObject {
  std::string name;
  /// What its symbols begin with: the name and the suffix.
  std::string symbol;
  /// The emitter that wrote it, for messages.
  std::string emitter;
  llvm::SmallString<0> bytes;
  /// The same kernel as plain loops, if asked for; its symbols begin with `symbol` and
  /// `meaningSuffix`.
  llvm::SmallString<0> meaning;
  /// Whether fast code and plain loops give the same bits: no sum is reordered.
  bool isExact = false;
  unsigned numResults = 0;
};

inline constexpr llvm::StringLiteral meaningSuffix = ".meaning";

/// Compiles the kernels of a module, in their order; or says at the kernel why not.
llvm::FailureOr<std::vector<KernelObject>>
compileKernels(mlir::ModuleOp module, const CompileOptions &options = {});

} // namespace invar

#endif // INVAR_CODEGEN_COMPILE_H
