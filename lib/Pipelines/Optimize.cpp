// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Pipelines/Optimize.h"

#include "Cut.h"
#include "RunPasses.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include <chrono>

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

/// The memory of the process that is not a view of a file, from /proc/self/status.
static uint64_t getAnonymousMemory() {
  auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/status");
  if (!status)
    return 0;
  StringRef text = (*status)->getBuffer();
  uint64_t kilobytes = 0;
  text = text.substr(text.find("RssAnon:")).split(':').second.ltrim();
  return text.consumeInteger(10, kilobytes) ? 0 : kilobytes << 10;
}

namespace {
/// Optimizes one model, from file to file.
class Optimizing {
public:
  Optimizing(StringRef input, StringRef output, const OptimizeOptions &options,
             Progress &progress)
      : input(input), output(output), options(options), progress(progress),
        memory(options.memoryLimit, options.spill) {
    evaluation.threads = options.threads;
    evaluation.memory = &memory;
    exporting = options.output;
    exporting.progress = &progress;
    exporting.evaluation = evaluation;
    exporting.measureOnly = output.empty();
    exporting.declaredIsOutdated = !options.cut.shapes.empty();
    // If shapes are stated, write the shapes that follow from them.
    exporting.valueInfos = options.isAboutShapes();
  }

  llvm::Expected<OptimizeResult> run() {
    auto start = Clock::now();
    if (llvm::Error error = read())
      return error;
    if (llvm::Error error = cut())
      return error;
    llvm::scope_exit removal([&] { removeReference(); });
    if (options.check && options.cut.changesEnds())
      if (llvm::Error error = writeReference())
        return error;
    for (const std::string &pass : options.passes) {
      if (llvm::Error error = runPass(pass))
        return error;
      noteMemory();
    }
    if (llvm::Error error =
            reportOpaque(model, options.strict, result.warnings))
      return error;
    if (options.strict && !result.warnings.empty())
      return badInput(result.warnings.front());
    if (options.requireStatic)
      if (llvm::Error error = requireStaticShapes(model))
        return error;
    if (options.forgetSource)
      model.source->forgetOperations();
    if (llvm::Error error = write())
      return error;
    noteMemory();
    result.seconds =
        std::chrono::duration<double>(Clock::now() - start - checking).count();
    return std::move(result);
  }

private:
  using Clock = std::chrono::steady_clock;

  void noteMemory() {
    result.memory = std::max(result.memory, getAnonymousMemory());
  }

  llvm::Error read() {
    progress.begin(("reading " + input).str());
    if (llvm::Error error = importModel(context, input,
                                        {.strict = options.strict,
                                         .opset = options.output.opset})
                                .moveInto(model))
      return error;
    result.warnings = model.warnings;
    result.inputBytes = model.source->getModel().getFile()->getSize();
    result.before = getContents(*model.module, *model.source);
    // The first pass that infers shapes uses the facts; afterwards, the types contain
    // them.
    facts = options.facts;
    noteMemory();
    return llvm::Error::success();
  }

  llvm::Error cut() {
    const CutOptions &ends = options.cut;
    if (ends.fixDefaults)
      fixDefaults(model);
    std::vector<onnx::ShapeFacts::Shape> shapes = ends.shapes;
    if (llvm::Error error = nameShapes(model, shapes))
      return error;
    if (llvm::Error error = overwriteShapes(model, shapes))
      return error;
    if (ends.changesEnds()) {
      // If shapes were replaced, warnings about the declared shapes are of no use.
      std::vector<std::string> outdated;
      auto found = inferShapes(model, std::exchange(facts, {}),
                               shapes.empty() ? result.warnings : outdated);
      if (!found)
        return found.takeError();
    }
    return cutModel(model, ends);
  }

  /// Writes the cut model, to compare it with the result.
  llvm::Error writeReference() {
    StringRef folder = llvm::sys::path::parent_path(output);
    llvm::SmallString<128> path;
    if (std::error_code error = llvm::sys::fs::createUniqueFile(
            (folder.empty() ? "" : folder + "/") + ".cut.%%%%%%%%.onnx", path))
      return systemError(output, "write", error.value());
    reference = path.str().str();
    llvm::sys::RemoveFileOnSignal(reference);
    ExportOptions plain;
    plain.valueInfos = exporting.valueInfos;
    plain.declaredIsOutdated = exporting.declaredIsOutdated;
    plain.evaluation = evaluation;
    auto written =
        exportModel(*model.module, model.source.get(), reference, plain);
    if (!written)
      return written.takeError();
    if (!written->dataFile.empty()) {
      llvm::SmallString<128> data(folder);
      llvm::sys::path::append(data, written->dataFile);
      referenceData = data.str().str();
    }
    return llvm::Error::success();
  }

  void removeReference() {
    for (const std::string &path : {reference, referenceData})
      if (!path.empty()) {
        (void)llvm::sys::fs::remove(path);
        llvm::sys::DontRemoveFileOnSignal(path);
      }
  }

  llvm::Error runPass(StringRef pass) {
    if (pass == "none")
      return llvm::Error::success();
    std::vector<std::string> outdated;
    std::vector<std::string> &warnings =
        options.cut.shapes.empty() ? result.warnings : outdated;
    llvm::Expected<ShapeSummary> shapes = ShapeSummary();
    if (pass == "infer-shapes") {
      progress.begin("inferring shapes");
      shapes = inferShapes(model, std::exchange(facts, {}), warnings);
      exporting.valueInfos = true;
    } else if (llvm::is_contained(getPartNames(), pass)) {
      progress.begin("simplifying");
      exporting.dropUnused = true;
      SimplifyOptions part = options.simplify;
      part.opset = options.output.opset.value_or(0);
      if (part.fold)
        part.fold->evaluation = evaluation;
      restrictTo(pass, part);
      shapes =
          runSimplify(model, std::exchange(facts, {}), part,
                      /*configure=*/{}, result.simplified.emplace(), warnings);
    } else {
      return badUsage("expected a pass among '" +
                      llvm::join(getPassNames(), "', '") + "', but got '" +
                      pass + "'");
    }
    if (!shapes)
      return shapes.takeError();
    result.shapes = *shapes;
    return llvm::Error::success();
  }

  llvm::Error write() {
    if (options.check)
      exporting.approve = [&](StringRef written) {
        progress.begin("comparing outputs");
        auto start = Clock::now();
        llvm::Error error = options.check(
            reference.empty() ? input : StringRef(reference), written);
        checking = Clock::now() - start;
        return error;
      };
    return exportModel(*model.module, model.source.get(),
                       output.empty() ? input : output, exporting)
        .moveInto(result.written);
  }

  StringRef input, output;
  const OptimizeOptions &options;
  Progress &progress;
  // Computed values are destroyed with the context, before the memory that contains them.
  MemoryBudget memory;
  EvalOptions evaluation;
  MLIRContext context{MLIRContext::Threading::DISABLED};
  ImportedModel model;
  onnx::ShapeFacts facts;
  ExportOptions exporting;
  /// The cut model in a file, and its data file, while they are needed.
  std::string reference, referenceData;
  /// The time spent on comparing outputs.
  Clock::duration checking{};
  OptimizeResult result;
};
} // namespace

llvm::Expected<OptimizeResult> invar::optimize(StringRef input,
                                               StringRef output,
                                               const OptimizeOptions &options,
                                               Progress &progress) {
  return Optimizing(input, output, options, progress).run();
}
