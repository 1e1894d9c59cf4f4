// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles kernels, runs them, and compares the results with the interpreter's.
//
//   expectRight(R"mlir( func.func private @k(…) … )mlir", {{3, 5}});
//
// A kernel is compiled for each level of x86-64 that this machine has, from x86-64-v2 on,
// and as plain loops. It runs in one range of units and in several, on random tensors
// that end, and then begin, at a page without access: an access out of bounds crashes. If
// its result may share the memory of an argument, that is tested too.
#ifndef INVAR_UNITTESTS_CODEGEN_KERNELTEST_H
#define INVAR_UNITTESTS_CODEGEN_KERNELTEST_H

#include "../../runtime/ElfImage.h"
#include "Interpreter.h"
#include "invar-c/Abi.h"
#include "invar/Codegen/Link.h"
#include <functional>
#include <memory>

namespace invar {

/// A loaded library that exists only in memory.
class LoadedModule {
public:
  /// Compiles and loads the kernels of a module. Returns null after a failed expectation.
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

/// The processors to test: with vectors of 256 and 128 bits, and of 512 bits if the
/// machine has them.
llvm::ArrayRef<const char *> getTestTargets();

/// A context that can parse kernels.
std::unique_ptr<mlir::MLIRContext> makeContext();

struct Expectation {
  /// The maximum error of floats, relative to the largest one of the result.
  double tolerance = 2e-6;
  /// Floats are from [-range, range].
  double range = 4;
  unsigned seed = 1;
  /// Changes random arguments to meet the kernel's assumptions.
  std::function<void(llvm::MutableArrayRef<TestValue>)> prepare = {};
  /// Changes the facts about the processors, to those of other processors.
  std::function<void(CpuFacts &)> adapt = {};
};

/// Runs the single kernel in `text` and compares with the interpreter. `sizes` are the
/// dynamic sizes of the tensor arguments, in order.
void expectRight(llvm::StringRef text, llvm::ArrayRef<int64_t> sizes = {},
                 Expectation expectation = {});

} // namespace invar

#endif // INVAR_UNITTESTS_CODEGEN_KERNELTEST_H
