// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements `invar optimize`, for use by other programs: reads a model, runs passes over
// it, and writes it.
#ifndef INVAR_PIPELINES_OPTIMIZE_H
#define INVAR_PIPELINES_OPTIMIZE_H

#include "invar/Frontend/Export/Export.h"
#include "invar/Simplify/ShapeFacts.h"
#include "invar/Simplify/Simplify.h"
#include "invar/Support/Progress.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace invar {

/// Changes to the inputs and outputs of a model.
struct CutOptions {
  /// Names of the values that become the inputs or outputs of the model, each optionally
  /// followed by ":fp32" or another type. If empty, the model keeps its own.
  std::vector<std::string> inputs, outputs;
  /// Outputs to remove.
  std::vector<std::string> unusedOutputs;
  /// Turn the default values of inputs into constants.
  bool fixDefaults = false;
  /// Shapes that replace those that the model declares for its inputs. A shape without a
  /// name is for the only input.
  std::vector<onnx::ShapeFacts::Shape> shapes;

  /// Whether the resulting model takes or returns something else than the original.
  bool changesEnds() const {
    return !inputs.empty() || !outputs.empty() || !shapes.empty();
  }
};

struct OptimizeOptions {
  CutOptions cut;
  /// Names of passes, in order; empty for none. getPassNames() returns the valid names.
  std::vector<std::string> passes;
  /// Given facts about the shapes of the inputs. They need a pass that infers shapes.
  onnx::ShapeFacts facts;
  /// The rules to apply, and how constants are folded. A pass for a part applies only
  /// that part.
  SimplifyOptions simplify;
  /// The number of threads to use; 0 for as many as there are.
  unsigned threads = 0;
  /// If computed tensors together take more than this, they are kept on disk.
  uint64_t memoryLimit = MemoryBudget::noLimit;
  /// The file for these tensors; if null, one is created for the first of them.
  std::shared_ptr<SpillFile> spill;
  /// Fail instead of warning.
  bool strict = false;
  /// Fail unless all shapes are known in the end.
  bool requireStatic = false;
  ExportOptions output;
  /// Compares the model at `written` with the one at `original`, before the output
  /// appears. An error prevents the output from appearing.
  std::function<llvm::Error(llvm::StringRef original, llvm::StringRef written)>
      check;
  /// Encode every node again instead of copying unchanged ones, to test that all nodes
  /// survive the adapters in both directions.
  bool forgetSource = false;

  /// Whether the options state or require something about shapes.
  bool isAboutShapes() const {
    return requireStatic || !facts.shapes.empty() || !facts.ranges.empty() ||
           !cut.shapes.empty();
  }
};

/// The result of shape inference, and the number of visits to nodes.
struct ShapeSummary {
  size_t known = 0, symbolic = 0, unknown = 0;
  size_t visits = 0;
};

struct OptimizeResult {
  uint64_t inputBytes = 0;
  ModelContents before;
  ExportSummary written;
  /// The time from reading to writing, without checks.
  double seconds = 0;
  /// The peak of the process's anonymous memory, measured at the end of each phase; 0 if
  /// the system does not report it.
  uint64_t memory = 0;
  /// Set if shapes were inferred.
  std::optional<ShapeSummary> shapes;
  /// Set if rules were applied or constants propagated.
  std::optional<SimplifyResult> simplified;
  /// Declarations of the model that are wrong, content that the standard does not allow,
  /// and content that was not understood.
  std::vector<std::string> warnings;
};

/// The valid names in `passes`, in the order of their use.
llvm::ArrayRef<llvm::StringRef> getPassNames();

/// If `output` is empty, writes nothing, but reports what it would write.
llvm::Expected<OptimizeResult> optimize(llvm::StringRef input,
                                        llvm::StringRef output,
                                        const OptimizeOptions &options,
                                        Progress &progress);

} // namespace invar

#endif // INVAR_PIPELINES_OPTIMIZE_H
