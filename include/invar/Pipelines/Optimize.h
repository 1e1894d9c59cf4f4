// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `invar optimize` does, for programs that want the same: read a model, run passes
// over it, write it.
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

/// Where a model is to begin and end, other than it does.
struct CutOptions {
  /// Names of values, each perhaps with ":fp32" or another type after it, that the model
  /// is to begin or end with; as it does where there are none.
  std::vector<std::string> inputs, outputs;
  /// Outputs to do without.
  std::vector<std::string> unusedOutputs;
  /// Make constants of what inputs are when a caller does not give them.
  bool fixDefaults = false;
  /// Shapes that inputs get whatever the model declares. One without a name is of the only
  /// input.
  std::vector<onnx::ShapeFacts::Shape> shapes;

  /// Whether the model is another one then, that takes or gives something else.
  bool changesEnds() const {
    return !inputs.empty() || !outputs.empty() || !shapes.empty();
  }
};

struct OptimizeOptions {
  CutOptions cut;
  /// Names of passes, in order; empty for none. getPassNames() tells which there are.
  std::vector<std::string> passes;
  /// What is stated of the inputs; it needs a pass that infers shapes.
  onnx::ShapeFacts facts;
  /// Which rules, and how constants are folded; a pass that does a part does only that.
  SimplifyOptions simplify;
  /// How many threads may work; 0 is as many as there are.
  unsigned threads = 0;
  /// Computed tensors that take more than this together are kept on disk.
  uint64_t memoryLimit = MemoryBudget::noLimit;
  /// Where these lie; null for a file that is made when the first of them is.
  std::shared_ptr<SpillFile> spill;
  /// Fail where there would be a warning.
  bool strict = false;
  /// Fail unless all shapes are known in the end.
  bool requireStatic = false;
  ExportOptions output;
  /// Compares the model at `written`, which has not appeared yet, with the one at
  /// `original`; an error keeps it from appearing.
  std::function<llvm::Error(llvm::StringRef original, llvm::StringRef written)>
      check;
  /// Encode every node anew instead of copying the untouched ones: shows that all of them
  /// survive the adapters both ways.
  bool forgetSource = false;

  /// Whether something is stated of shapes, or asked of them.
  bool isAboutShapes() const {
    return requireStatic || !facts.shapes.empty() || !facts.ranges.empty() ||
           !cut.shapes.empty();
  }
};

/// What shape inference found, and how many visits to nodes it took.
struct ShapeSummary {
  size_t known = 0, symbolic = 0, unknown = 0;
  size_t visits = 0;
};

struct OptimizeResult {
  uint64_t inputBytes = 0;
  ModelContents before;
  ExportSummary written;
  /// From reading to writing, checks aside.
  double seconds = 0;
  /// The most anonymous memory that the process had at the end of a phase; 0 where the
  /// system does not say.
  uint64_t memory = 0;
  /// If shapes were inferred.
  std::optional<ShapeSummary> shapes;
  /// If rules were applied or constants propagated.
  std::optional<SimplifyResult> simplified;
  /// What the model says of itself that is not so, what it has that the standard does not
  /// allow, and what was not understood.
  std::vector<std::string> warnings;
};

/// The names that `passes` may have, in the order of their use.
llvm::ArrayRef<llvm::StringRef> getPassNames();

/// Writes nothing if `output` is empty, but says what it would.
llvm::Expected<OptimizeResult> optimize(llvm::StringRef input,
                                        llvm::StringRef output,
                                        const OptimizeOptions &options,
                                        Progress &progress);

} // namespace invar

#endif // INVAR_PIPELINES_OPTIMIZE_H
