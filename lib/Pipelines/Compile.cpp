// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Pipelines/Compile.h"

#include "CompilePasses.h"
#include "Cut.h"
#include "FoldNow.h"
#include "RunPasses.h"
#include "WriteLibrary.h"
#include "invar/Codegen/Link.h"
#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Elements/IR/Pool.h"
#include "invar/Program/Encode.h"
#include "invar/Stop/Scope.h"
#include "invar/Support/Error.h"
#include "llvm/Support/Path.h"
#include <chrono>

using namespace mlir;
using namespace invar;

namespace {
/// Compiles one model to a library.
class Compiling {
public:
  Compiling(StringRef input, StringRef output,
            const CompileModelOptions &options, Progress &progress,
            llvm::raw_ostream &text)
      : input(input), output(output), options(options), progress(progress),
        text(text) {
    evaluation.threads = options.threads;
    // MLIR prints IR between passes from one thread only.
    if (options.configurePasses)
      context.disableMultithreading();
    // After a stop, no further pass begins. The handler also makes the stop known in
    // MLIR's threads.
    if (Stop *stop = StopScope::get())
      context.registerActionHandler(
          [stop](llvm::function_ref<void()> act, const tracing::Action &) {
            StopScope scope(stop);
            if (!stop->isDue())
              act();
          });
  }

  llvm::Expected<CompileResult> run() {
    auto start = std::chrono::steady_clock::now();
    // Fail early if the processor is not supported.
    if (options.stage >= CompileStage::Kernels)
      if (llvm::Error error = CpuTarget::getAll(options.cpu).moveInto(targets))
        return error;
    if (llvm::Error error = simplify())
      return error;
    if (options.stage == CompileStage::ONNX)
      return print();
    auto addPasses = [&](OpPassManager &manager) {
      addLinalgPasses(manager, options);
    };
    if (llvm::Error error = lower(addPasses, "lowering"))
      return error;
    if (options.stage == CompileStage::Linalg)
      return print();
    if (llvm::Error error = findKernels())
      return error;
    if (options.stage == CompileStage::Kernels)
      return print();
    if (llvm::Error error = generate())
      return error;
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    return std::move(result);
  }

  /// Whether there are initializers that callers may override.
  bool hasDefaults() const { return defaults > 0; }

private:
  llvm::Error simplify() {
    progress.begin(("reading " + input).str());
    if (llvm::Error error =
            importModel(context, input,
                        {.strict = options.strict, .opset = onnx::newestOpset})
                .moveInto(model))
      return error;
    result.warnings = model.warnings;
    findSources();
    result.inputBytes = model.source->getModel().getFile()->getSize();
    // Weights that the user provides or replaces must not also be inputs.
    bool opensWeights =
        options.refits || options.weightPlace == WeightPlace::None;
    if (options.fixesDefaults || opensWeights)
      fixDefaults(model);
    else if (llvm::Error error = expandDefaults(model))
      return error;
    countDefaults();
    // Small weights are always kept.
    constexpr uint64_t worthLeavingOut = 1024;
    if (options.weightPlace == WeightPlace::None)
      openWeights(model, worthLeavingOut);
    if (options.refits)
      openWeights(model, std::nullopt);
    progress.begin("simplifying");
    SimplifyOptions simplifying = SimplifyOptions::forLowering();
    simplifying.fold->evaluation = evaluation;
    SimplifyResult simplified;
    auto shapes =
        runSimplify(model, options.facts, simplifying, options.configurePasses,
                    simplified, result.warnings);
    if (!shapes)
      return shapes.takeError();
    if (options.strict && !result.warnings.empty())
      return badInput(result.warnings.front());
    return llvm::Error::success();
  }

  /// Counts initializers that callers may override: their values are known only at run
  /// time.
  void countDefaults() {
    auto main = model.module->lookupSymbol<func::FuncOp>("main");
    uint64_t bytes = 0;
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (auto content = main.getArgAttrOfType<ElementsAttr>(
              i, onnx::attr::defaultValue)) {
        ++defaults;
        std::optional<DataType> type =
            elements::toDataType(content.getElementType());
        bytes += uint64_t(content.getNumElements()) *
                 (type ? getLaneSize(*type) : 0);
      }
    // Small ones cost nothing.
    constexpr uint64_t worthSaying = 1 << 20;
    if (bytes >= worthSaying)
      result.warnings.push_back(
          (input + ": callers may override " + Twine(defaults) +
           " initializers, which are no constants then; fixing their defaults "
           "makes runs faster")
              .str());
  }

  /// Collects the files that constants are views of.
  void findSources() {
    model.module->walk([&](onnx::ConstantOp op) {
      auto content =
          dyn_cast_or_null<elements::LazyElementsAttr>(op.getValueAttr());
      auto range =
          content ? content.getElements().getFileRange() : std::nullopt;
      if (range)
        sources.insert(range->file);
    });
  }

  llvm::Error findKernels() {
    auto addPasses = [&](OpPassManager &manager) {
      addKernelPasses(manager, options, targets.front());
    };
    if (llvm::Error error = lower(addPasses, "finding kernels"))
      return error;
    return options.foldTime == FoldTime::Compile ? foldConstants()
                                                 : llvm::Error::success();
  }

  /// Computes at compile time what the first run would compute.
  llvm::Error foldConstants() {
    progress.begin("computing constants");
    llvm::Error error = llvm::Error::success();
    if (llvm::Error failed = runPass(model, [&]() -> LogicalResult {
          error = foldNow(*model.module, sources, evaluation);
          return success();
        })) {
      // The pass was stopped, which explains its error.
      llvm::consumeError(std::move(error));
      return failed;
    }
    if (error)
      return error;
    auto addPasses = [&](OpPassManager &manager) {
      addPassesAfterFolding(manager, options);
    };
    return lower(addPasses, "computing constants");
  }

  llvm::Error lower(llvm::function_ref<void(OpPassManager &)> addPasses,
                    StringRef what) {
    progress.begin(what);
    return runPass(model, [&]() -> LogicalResult {
      PassManager manager(&context, ModuleOp::getOperationName());
      manager.enableVerifier(verifies);
      if (options.configurePasses && failed(options.configurePasses(manager)))
        return failure();
      addPasses(manager);
      return manager.run(*model.module);
    });
  }

  /// Prints the stage. A file gets all of it, so that `invar-opt` can continue from it:
  /// large constants, and locations, which name kernels.
  llvm::Expected<CompileResult> print() {
    OpPrintingFlags flags;
    if (output.empty())
      elements::elide(*model.module, 16);
    else
      flags.enableDebugInfo();
    model.module->print(text, flags);
    return std::move(result);
  }

  llvm::Error generate() {
    progress.begin("generating code");
    EncodedProgram program;
    std::vector<KernelVariant> variants;
    llvm::Error error = runPass(model, [&]() -> LogicalResult {
      auto main = model.module->lookupSymbol<func::FuncOp>("main");
      if (!main)
        return model.module->emitError("expected a main graph");
      bool isStripped = options.weightPlace == WeightPlace::None;
      FailureOr<EncodedProgram> encoded = encodeProgram(
          main, {.target = options.cpu,
                 .plansMemory = options.plansMemory,
                 .keepsParameters = !isStripped,
                 .source = isStripped ? llvm::sys::path::filename(input)
                                      : StringRef()});
      if (failed(encoded))
        return failure();
      program = std::move(*encoded);
      for (const CpuTarget &target : targets) {
        auto kernels = compileKernels(
            *model.module, {.target = target,
                            .threads = options.threads,
                            .suffix = "." + std::to_string(variants.size()),
                            .isPlain = options.isPlain,
                            .withMeaning = options.checksKernels});
        if (failed(kernels))
          return failure();
        variants.push_back({target, std::move(*kernels)});
      }
      return success();
    });
    if (error)
      return error;
    if (options.compressesWeights)
      program.words = packProgram(program.words);
    progress.begin("linking");
    auto library = linkModule(variants, {.program = program.words,
                                         .compiler = "invar " INVAR_VERSION});
    if (!library)
      return inContext(input + ": ", library.takeError());
    progress.begin(("writing " + output).str());
    result.kernels = variants.front().kernels.size();
    result.constantBytes = program.constantsSize;
    result.memory = std::move(program.memory);
    result.foldedBytes = program.foldedSize;
    result.folds = program.folds;
    result.parameters = program.parameters;
    result.missingParameters = program.missingParameters;
    countCompressed();
    return writeLibrary(output, (*library)->getBuffer(), program,
                        {.evaluation = evaluation,
                         .sources = sources,
                         .apart = options.weightPlace == WeightPlace::File,
                         .key = options.cacheKey})
        .moveInto(result.outputBytes);
  }

  /// Counts the bytes of encoded constants, and the bytes that they would take otherwise.
  void countCompressed() {
    llvm::DenseSet<int64_t> seen;
    model.module->walk([&](constants::DecodeOp decode) {
      auto ref = decode.getBytes().getDefiningOp<constants::RefOp>();
      if (!ref || !seen.insert(int64_t(*ref.getIndex())).second)
        return;
      auto type = cast<RankedTensorType>(decode.getType());
      std::optional<DataType> element =
          elements::toDataType(type.getElementType());
      result.compressedBytes += uint64_t(ref.getType().getNumElements());
      result.compressedFromBytes += uint64_t(type.getNumElements()) *
                                    (element ? getLaneSize(*element) : 0);
    });
  }

#ifdef NDEBUG
  static constexpr bool verifies = false;
#else
  static constexpr bool verifies = true;
#endif

  StringRef input, output;
  const CompileModelOptions &options;
  Progress &progress;
  llvm::raw_ostream &text;
  EvalOptions evaluation;
  MLIRContext context;
  ImportedModel model;
  MappedFiles sources;
  /// The processors to compile for, the best first.
  std::vector<CpuTarget> targets;
  CompileResult result;
  size_t defaults = 0;
};
} // namespace

/// Looks up a name; an error lists all valid names.
template <typename T>
static llvm::Expected<T> choose(StringRef name, StringRef what,
                                ArrayRef<std::pair<StringRef, T>> choices) {
  std::string names;
  for (auto [number, choice] : llvm::enumerate(choices)) {
    if (choice.first == name)
      return choice.second;
    StringRef between = number + 1 == choices.size() ? " or " : ", ";
    names += ((number ? between : "") + "'" + choice.first + "'").str();
  }
  return badUsage("expected " + names + " for " + what + ", but got '" + name +
                  "'");
}

llvm::Expected<WinogradUse> invar::parseWinogradUse(StringRef name) {
  return choose<WinogradUse>(name, "the use of transformed filters",
                             {{"auto", WinogradUse::Auto},
                              {"off", WinogradUse::Off},
                              {"fast", WinogradUse::Fast},
                              {"on", WinogradUse::On}});
}

llvm::Expected<FoldTime> invar::parseFoldTime(StringRef name) {
  return choose<FoldTime>(name, "when constants are computed",
                          {{"auto", FoldTime::Auto},
                           {"compile", FoldTime::Compile},
                           {"run", FoldTime::Run},
                           {"never", FoldTime::Never}});
}

llvm::Expected<WeightPlace> invar::parseWeightPlace(StringRef name) {
  return choose<WeightPlace>(name, "where weights lie",
                             {{"embed", WeightPlace::Embed},
                              {"file", WeightPlace::File},
                              {"none", WeightPlace::None}});
}

llvm::Expected<CompileResult> invar::compile(StringRef input, StringRef output,
                                             const CompileModelOptions &options,
                                             Progress &progress,
                                             llvm::raw_ostream &text) {
  std::string why;
  {
    Compiling compiling(input, output, options, progress, text);
    llvm::Expected<CompileResult> result = compiling.run();
    if (result || !compiling.hasDefaults())
      return result;
    auto [kind, message] = describe(result.takeError());
    if (kind != ErrorKind::BadInput)
      return llvm::make_error<InvarError>(kind, message);
    why = std::move(message);
  }
  // If callers may override a shape or an axis, too much is unknown. Hardly any caller
  // does.
  CompileModelOptions fixed = options;
  fixed.fixesDefaults = true;
  llvm::Expected<CompileResult> result =
      Compiling(input, output, fixed, progress, text).run();
  if (!result) {
    llvm::consumeError(result.takeError());
    return badInput(why);
  }
  result->warnings.push_back(
      why + "; so initializers that callers may override are constants");
  return result;
}
