// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements `invar compile`, for use by other programs: reads a model, simplifies it,
// lowers it, and writes a library (invar-c/Abi.h).
#ifndef INVAR_PIPELINES_COMPILE_H
#define INVAR_PIPELINES_COMPILE_H

#include "invar/ConstStore/MemoryReport.h"
#include "invar/Pipelines/NamedPipelines.h"
#include "invar/Simplify/ShapeFacts.h"
#include "invar/Support/Progress.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <string>
#include <vector>

namespace invar {

/// How far to compile. An earlier stage than `Library` prints the result of that stage.
enum class CompileStage : uint8_t { ONNX, Linalg, Kernels, Library };

/// Whether convolutions of 3 x 3 use transformed filters, which need fewer products.
/// `Auto`: if that is faster and filters grow by little. `Off`: never. `Fast`: whenever
/// that is faster. `On`: whenever that is possible.
enum class WinogradUse : uint8_t { Auto, Off, Fast, On };

/// Parses a name: "auto", "off", "fast" or "on".
llvm::Expected<WinogradUse> parseWinogradUse(llvm::StringRef name);

/// When the transformed forms of weights are computed. `Never`: in each run. `Run`: at
/// the first run. `Compile`: at compile time. `Auto`: at compile time if the library does
/// not grow by it, otherwise at the first run.
enum class FoldTime : uint8_t { Never, Run, Compile, Auto };

/// Parses a name: "never", "run", "compile" or "auto".
llvm::Expected<FoldTime> parseFoldTime(llvm::StringRef name);

/// Where the weights of a library are stored. `Embed`: after its code. `File`: in a file
/// beside it, which other programs can read too. `None`: the user who runs it provides
/// them.
enum class WeightPlace : uint8_t { Embed, File, None };

/// Parses a name: "embed", "file" or "none".
llvm::Expected<WeightPlace> parseWeightPlace(llvm::StringRef name);

/// The key of a library in a cache; 0 without a cache.
using CacheKey = std::array<uint64_t, 2>;

struct CompileModelOptions {
  /// Given facts about the shapes of the inputs.
  onnx::ShapeFacts facts;
  /// Fail instead of warning.
  bool strict = false;
  /// The processor to compile for, by LLVM's name for it; or several with commas, the
  /// best first. The model runs the code for the first processor whose features are
  /// available.
  std::string cpu = "host";
  /// The number of threads to use; 0 for as many as there are.
  unsigned threads = 0;
  WinogradUse winograd = WinogradUse::Auto;
  CompileStage stage = CompileStage::Library;
  /// Whether the places of tensors are decided at compile time, instead of at run time.
  bool plansMemory = true;
  FoldTime foldTime = FoldTime::Auto;
  WeightPlace weightPlace = WeightPlace::Embed;
  /// Whether weights can be replaced at run time.
  bool refits = false;
  /// Whether initializers that callers may override are treated as constants.
  bool fixesDefaults = false;
  /// Whether constants are compressed, if their structure allows it, and decoded by the
  /// first run.
  bool compressesWeights = false;
  /// Whether a run uses the nearest valid index if an index is out of bounds, instead of
  /// failing.
  bool leavesIndicesUnchecked = false;
  /// Whether each run compares every kernel with its plain loops. For tests: slow.
  bool checksKernels = false;
  /// Whether to compile only the plain meaning of the model: every operation as plain
  /// loops, in the layout of the model, without transformed or packed weights.
  bool isPlain = false;
  /// The key that the library contains to identify itself.
  CacheKey cacheKey = {};
  /// Called for each pass manager before it runs; may be empty.
  ConfigurePasses configurePasses;
};

struct CompileResult {
  uint64_t inputBytes = 0, outputBytes = 0, constantBytes = 0;
  /// The bytes that are computed at the first run, and the number of parts.
  uint64_t foldedBytes = 0;
  size_t folds = 0;
  /// The number of weights that have a name, and of those that the user must provide.
  size_t parameters = 0, missingParameters = 0;
  /// For compressed constants: their bytes, and the bytes without compression.
  uint64_t compressedBytes = 0, compressedFromBytes = 0;
  size_t kernels = 0;
  double seconds = 0;
  /// For a library, the places of its tensors at run time.
  MemoryReport memory;
  std::vector<std::string> warnings;
};

/// Compiles the model at `input` to `output`. An earlier stage is printed to `text` instead,
/// without large constants if `output` is empty.
llvm::Expected<CompileResult> compile(llvm::StringRef input,
                                      llvm::StringRef output,
                                      const CompileModelOptions &options,
                                      Progress &progress,
                                      llvm::raw_ostream &text);

} // namespace invar

#endif // INVAR_PIPELINES_COMPILE_H
