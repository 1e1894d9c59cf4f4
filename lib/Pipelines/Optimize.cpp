// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Pipelines/Optimize.h"

#include "RunPasses.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Frontend/Import/Import.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace invar;

llvm::ArrayRef<StringRef> invar::getPassNames() {
  static const std::vector<StringRef> names = [] {
    std::vector<StringRef> all = {"none", "infer-shapes"};
    llvm::append_range(all, getPartNames());
    return all;
  }();
  return names;
}

/// Nodes of a model: what is in its graphs but initializers and ends.
static size_t countNodes(ModuleOp module) {
  size_t count = 0;
  module.walk([&](Operation *op) {
    count += isa<onnx::ONNXDialect>(op->getDialect()) &&
             !op->hasTrait<OpTrait::IsTerminator>() &&
             !op->hasAttr(onnx::attr::initializer);
  });
  return count;
}

llvm::Expected<OptimizeResult> invar::optimize(StringRef input,
                                               StringRef output,
                                               const OptimizeOptions &options,
                                               Progress &progress) {
  // What is computed dies with the context, before the memory that it lies in.
  MemoryBudget memory(options.memoryLimit);
  EvalOptions evaluation;
  evaluation.threads = options.threads;
  evaluation.memory = &memory;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  progress.begin(("reading " + input).str());
  llvm::Expected<ImportedModel> model = importModel(context, input);
  if (!model)
    return model.takeError();
  OptimizeResult result;
  result.inputBytes = model->source->getModel().getFile()->getSize();
  result.nodesBefore = countNodes(*model->module);
  ExportOptions exportOptions = options.output;
  exportOptions.progress = &progress;
  exportOptions.evaluation = evaluation;
  SimplifyOptions simplify = options.simplify;
  simplify.opset = options.output.opset.value_or(0);
  if (simplify.fold)
    simplify.fold->evaluation = evaluation;
  // The first pass that infers takes the facts; then the types say them.
  onnx::ShapeFacts facts = options.facts;
  for (const std::string &pass : options.passes) {
    if (pass == "none")
      continue;
    llvm::Expected<ShapeSummary> shapes = ShapeSummary();
    if (pass == "infer-shapes") {
      progress.begin("inferring shapes");
      shapes = inferShapes(*model, std::exchange(facts, {}), result.warnings);
      exportOptions.valueInfos = true;
    } else if (llvm::is_contained(getPartNames(), pass)) {
      progress.begin("simplifying");
      SimplifyOptions part = simplify;
      restrictTo(pass, part);
      shapes = runSimplify(*model, std::exchange(facts, {}), part,
                           result.simplified.emplace(), result.warnings);
    } else {
      return badUsage("expected a pass among '" +
                      llvm::join(getPassNames(), "', '") + "', but got '" +
                      pass + "'");
    }
    if (!shapes)
      return shapes.takeError();
    result.shapes = *shapes;
  }
  if (options.requireStatic)
    if (llvm::Error error = requireStaticShapes(*model))
      return error;
  if (options.forgetSource)
    model->source->forgetOperations();
  result.nodesAfter = countNodes(*model->module);

  llvm::Expected<ExportSummary> written =
      exportModel(*model->module, model->source.get(), output, exportOptions);
  if (!written)
    return written.takeError();
  result.written = *written;
  return result;
}
