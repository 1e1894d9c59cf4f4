// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `invar compile` does, for programs that want the same: read a model, simplify it,
// lower it, and write a library (invar-c/Abi.h).
#ifndef INVAR_PIPELINES_COMPILE_H
#define INVAR_PIPELINES_COMPILE_H

#include "invar/ConstStore/MemoryReport.h"
#include "invar/Simplify/ShapeFacts.h"
#include "invar/Support/Progress.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <string>
#include <vector>

namespace invar {

/// How far to go: an earlier stage prints what there is then.
enum class CompileStage : uint8_t { ONNX, Linalg, Kernels, Library };

/// Whether convolutions of 3 x 3 are computed by fewer products, of transformed filters:
/// where that is faster and filters grow by little, never, wherever that is faster, or
/// wherever it can be.
enum class WinogradUse : uint8_t { Auto, Off, Fast, On };

/// By its name: "auto", "off", "fast" or "on".
llvm::Expected<WinogradUse> parseWinogradUse(llvm::StringRef name);

/// When what weights are turned into is computed: in each run, at the first run, when
/// compiling, or then if the library does not grow by it, and else at the first run.
enum class FoldTime : uint8_t { Never, Run, Compile, Auto };

/// By its name: "never", "run", "compile" or "auto".
llvm::Expected<FoldTime> parseFoldTime(llvm::StringRef name);

/// Where the weights of a library lie: behind its code, in a file beside it, which others can
/// read too, or with whoever runs it.
enum class WeightPlace : uint8_t { Embed, File, None };

/// By its name: "embed", "file" or "none".
llvm::Expected<WeightPlace> parseWeightPlace(llvm::StringRef name);

/// What a cache finds a library by; 0 where there is no cache.
using CacheKey = std::array<uint64_t, 2>;

struct CompileModelOptions {
  /// What is stated of the inputs.
  onnx::ShapeFacts facts;
  /// Fail where there would be a warning.
  bool strict = false;
  /// The processor to compile for, by LLVM's name for it; or several with commas, the best
  /// first, of which the first that there is is used when the model runs.
  std::string cpu = "host";
  /// How many threads may work; 0 is as many as there are.
  unsigned threads = 0;
  WinogradUse winograd = WinogradUse::Auto;
  CompileStage stage = CompileStage::Library;
  /// Whether it is decided now where tensors lie, and not when the model runs.
  bool plansMemory = true;
  FoldTime foldTime = FoldTime::Auto;
  WeightPlace weightPlace = WeightPlace::Embed;
  /// Whether weights can be replaced when the model runs.
  bool refits = false;
  /// Whether initializers that callers may override are constants all the same.
  bool fixesDefaults = false;
  /// Whether constants are kept in fewer bytes, where they have the structure for it, and
  /// decoded by the first run.
  bool compressesWeights = false;
  /// Whether runs take the nearest place where an index is outside, and do not fail.
  bool leavesIndicesUnchecked = false;
  /// Whether each run compares every kernel with its meaning, for tests: slow.
  bool checksKernels = false;
  /// Whether to compile the meaning of the model alone: every operation as plain loops, in
  /// the layout that the model has, without transformed or packed weights.
  bool isPlain = false;
  /// What the library says that it is.
  CacheKey cacheKey = {};
};

struct CompileResult {
  uint64_t inputBytes = 0, outputBytes = 0, constantBytes = 0;
  /// What is computed at the first run, and in how many parts.
  uint64_t foldedBytes = 0;
  size_t folds = 0;
  /// Weights that go by a name, and those of them that whoever runs the model has to bring.
  size_t parameters = 0, missingParameters = 0;
  /// Of constants that are compressed: bytes that they take, and would take else.
  uint64_t compressedBytes = 0, compressedFromBytes = 0;
  size_t kernels = 0;
  double seconds = 0;
  /// Of a library, where its tensors lie when it runs.
  MemoryReport memory;
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
