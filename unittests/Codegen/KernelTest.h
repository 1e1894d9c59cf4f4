// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles kernels, runs them, and compares what they give with what they mean.
//
//   expectRight(R"mlir( func.func private @k(…) … )mlir", {{3, 5}});
//
// A kernel is compiled for AVX2 and, where this machine has it, for AVX-512, and as plain
// loops; it is run in one
// range of units and in several, on random tensors that end, and then begin, where no memory
// is: one element too far is a crash. Where its result may lie over an argument, it does so,
// too.
#ifndef INVAR_UNITTESTS_CODEGEN_KERNELTEST_H
#define INVAR_UNITTESTS_CODEGEN_KERNELTEST_H

#include "../../runtime/ElfImage.h"
#include "Interpreter.h"
#include "invar-c/Abi.h"
#include "invar/Codegen/Link.h"
#include <functional>
#include <memory>

namespace invar {

/// A library that is loaded; it lives in memory only.
class LoadedModule {
public:
  /// Compiles and loads the kernels of a module; null after a failed expectation.
  static std::unique_ptr<LoadedModule>
  load(mlir::ModuleOp module, const CpuTarget &target, bool isPlain = false);

  const InvarModule &getModule() const { return *module; }
  const InvarKernel &getKernel(unsigned number = 0) const {
    return module->kernels[number];
  }

private:
  LoadedModule() = default;

  std::unique_ptr<runtime::ElfImage> image;
  const InvarModule *module = nullptr;
};

/// The processors to test: AVX2, and AVX-512 where the machine has it.
llvm::ArrayRef<const char *> getTestTargets();

/// A context that can parse kernels.
std::unique_ptr<mlir::MLIRContext> makeContext();

struct Expectation {
  /// How far floats may be off, relative to the largest one of the result.
  double tolerance = 2e-6;
  /// Floats are from [-range, range].
  double range = 4;
  unsigned seed = 1;
  /// Makes of random arguments what a kernel may rely on.
  std::function<void(llvm::MutableArrayRef<TestValue>)> prepare = {};
};

/// Runs the one kernel in `text` and expects what the interpreter gives. `sizes` are the
/// dynamic sizes of the tensor arguments, in order.
void expectRight(llvm::StringRef text, llvm::ArrayRef<int64_t> sizes = {},
                 Expectation expectation = {});

} // namespace invar

#endif // INVAR_UNITTESTS_CODEGEN_KERNELTEST_H
