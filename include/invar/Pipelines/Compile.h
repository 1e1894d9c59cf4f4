// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `invar compile` does, for programs that want the same: read a model, simplify it,
// lower it, and write a library (invar-c/Abi.h).
#ifndef INVAR_PIPELINES_COMPILE_H
#define INVAR_PIPELINES_COMPILE_H

#include "invar/Simplify/ShapeFacts.h"
#include "invar/Support/Progress.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace invar {

/// How far to go: an earlier stage prints what there is then.
enum class CompileStage : uint8_t { ONNX, Linalg, Kernels, Library };

struct CompileModelOptions {
  /// What is stated of the inputs.
  onnx::ShapeFacts facts;
  /// The processor to compile for, by LLVM's name for it; or several with commas, the best
  /// first, of which the first that there is is used when the model runs.
  std::string cpu = "host";
  /// How many threads may work; 0 is as many as there are.
  unsigned threads = 0;
  CompileStage stage = CompileStage::Library;
};

struct CompileResult {
  uint64_t inputBytes = 0, outputBytes = 0, constantBytes = 0;
  size_t kernels = 0;
  double seconds = 0;
  std::vector<std::string> warnings;
};

/// Compiles the model at `input` to `output`; of an earlier stage it prints to `text`.
llvm::Expected<CompileResult> compile(llvm::StringRef input,
                                      llvm::StringRef output,
                                      const CompileModelOptions &options,
                                      Progress &progress,
                                      llvm::raw_ostream &text);

} // namespace invar

#endif // INVAR_PIPELINES_COMPILE_H
