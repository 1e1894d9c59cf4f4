// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles kernels to machine code.
//
//   FailureOr<std::vector<KernelObject>> objects = compileKernels(module, options);
//
// Each function of the module with the attribute `invar.kernel` becomes an object file
// in memory. The object has two functions of invar-c/Abi.h: `SYMBOL.run` and
// `SYMBOL.plan`. Kernels are compiled in parallel and independently of each other: the
// same kernel always yields the same bytes. Link.h links the objects to a library.
#ifndef INVAR_CODEGEN_COMPILE_H
#define INVAR_CODEGEN_COMPILE_H

#include "invar/Codegen/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallString.h"
#include <string>
#include <vector>

namespace invar {

struct CompileOptions {
  CpuTarget target;
  /// Number of kernels that are compiled at once; 0 for as many as there are cores.
  unsigned threads = 0;
  /// Appended to symbols, to distinguish these kernels from those for another
  /// processor.
  std::string suffix;
  /// Whether to write plain loops (makePlainEmitter) instead of fast code.
  bool isPlain = false;
  /// Whether to write plain loops beside the fast code, so that the runtime can compare
  /// them.
  bool withMeaning = false;
};

struct KernelObject {
  std::string name;
  /// The prefix of its symbols: the name and the suffix.
  std::string symbol;
  /// The emitter that wrote it, for messages.
  std::string emitter;
  llvm::SmallString<0> bytes;
  /// The same kernel as plain loops, if `withMeaning` is set. Its symbols begin with
  /// `symbol` followed by `meaningSuffix`.
  llvm::SmallString<0> meaning;
  /// Whether fast code and plain loops compute the same bits, because no sum is
  /// reordered.
  bool isExact = false;
  unsigned numResults = 0;
};

inline constexpr llvm::StringLiteral meaningSuffix = ".meaning";

/// Compiles the kernels of a module, in their order. If one cannot be compiled, fails
/// with an error at that kernel.
llvm::FailureOr<std::vector<KernelObject>>
compileKernels(mlir::ModuleOp module, const CompileOptions &options);

} // namespace invar

#endif // INVAR_CODEGEN_COMPILE_H
