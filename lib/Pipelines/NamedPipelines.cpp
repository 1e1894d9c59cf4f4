// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Pipelines/NamedPipelines.h"

#include "CompilePasses.h"
#include "FoldNow.h"
#include "invar/Codegen/Passes.h"
#include "invar/ConstFold/Passes.h"
#include "invar/ConstStore/Passes.h"
#include "invar/Conversion/ONNXToLinalg/Passes.h"
#include "invar/Dialect/Const/Const.h"
#include "invar/Layout/Passes.h"
#include "invar/Pipelines/Passes.h"
#include "invar/Program/Passes.h"
#include "invar/Simplify/Passes.h"
#include "invar/Support/Error.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_FOLDNOWPASS
#include "invar/Pipelines/Passes.h.inc"
} // namespace invar

namespace {
struct FoldNowPass : invar::impl::FoldNowPassBase<FoldNowPass> {
  using FoldNowPassBase::FoldNowPassBase;

  void runOnOperation() override {
    EvalOptions evaluation;
    evaluation.threads = threads;
    if (llvm::Error error = foldNow(getOperation(), {}, evaluation)) {
      getOperation().emitError(describe(std::move(error)).second);
      signalPassFailure();
    }
  }
};

struct NoOptions : PassPipelineOptions<NoOptions> {};

struct LinalgOptions : PassPipelineOptions<LinalgOptions> {
  Option<bool> uncheckedIndices{
      *this, "unchecked-indices",
      llvm::cl::desc("Clamp indices instead of checking them")};
};

struct KernelOptions : PassPipelineOptions<KernelOptions> {
  Option<std::string> cpu{*this, "target-cpu",
                          llvm::cl::desc("The processor to compile for"),
                          llvm::cl::init("host")};
  Option<std::string> winograd{
      *this, "winograd",
      llvm::cl::desc("Transformed filters: auto, off, fast or on"),
      llvm::cl::init("auto")};
  Option<std::string> foldAt{
      *this, "fold-at",
      llvm::cl::desc("When constants are computed: auto, compile, run or "
                     "never"),
      llvm::cl::init("auto")};
  Option<bool> compressWeights{*this, "compress-weights",
                               llvm::cl::desc("Compress constants")};
  Option<bool> plain{*this, "plain",
                     llvm::cl::desc("Keep the model's layout and weights")};
  Option<unsigned> threads{*this, "threads",
                           llvm::cl::desc("How many threads may work"),
                           llvm::cl::init(0)};
};
} // namespace

/// Registers a pipeline whose options may be wrong in ways that only building it finds.
template <typename Options>
static void registerPipeline(StringRef name, StringRef description,
                             llvm::Error (*build)(OpPassManager &,
                                                  const Options &)) {
  using ErrorHandler = llvm::function_ref<LogicalResult(const Twine &)>;
  registerPassPipeline(
      name, description,
      [build](OpPassManager &manager, StringRef text,
              ErrorHandler fail) -> LogicalResult {
        Options options;
        if (failed(options.parseFromString(text)))
          return failure();
        if (llvm::Error error = build(manager, options))
          return fail(describe(std::move(error)).second);
        return success();
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)> show) {
        show(Options());
      });
}

static llvm::Error buildOptimize(OpPassManager &manager, const NoOptions &) {
  manager.addPass(createSimplifyPass());
  return llvm::Error::success();
}

static llvm::Error buildLinalg(OpPassManager &manager,
                               const LinalgOptions &options) {
  CompileModelOptions compiling;
  compiling.leavesIndicesUnchecked = options.uncheckedIndices;
  addLinalgPasses(manager, compiling);
  return llvm::Error::success();
}

static llvm::Error buildKernels(OpPassManager &manager,
                                const KernelOptions &options) {
  CompileModelOptions compiling;
  compiling.cpu = options.cpu;
  compiling.compressesWeights = options.compressWeights;
  compiling.isPlain = options.plain;
  compiling.threads = options.threads;
  if (llvm::Error error =
          parseWinogradUse(options.winograd).moveInto(compiling.winograd))
    return error;
  if (llvm::Error error =
          parseFoldTime(options.foldAt).moveInto(compiling.foldTime))
    return error;
  llvm::Expected<std::vector<CpuTarget>> targets =
      CpuTarget::getAll(compiling.cpu);
  if (!targets)
    return targets.takeError();
  addKernelPasses(manager, compiling, targets->front());
  if (compiling.foldTime == FoldTime::Compile) {
    manager.addPass(createFoldNowPass({.threads = compiling.threads}));
    addPassesAfterFolding(manager, compiling);
  }
  return llvm::Error::success();
}

void invar::registerPasses() {
  registerTransformsPasses();
  registerInvarSimplifyPasses();
  registerONNXToLinalgPasses();
  registerInvarLayoutPasses();
  registerInvarConstFoldPasses();
  registerInvarConstStorePasses();
  registerInvarCodegenPasses();
  registerInvarProgramPasses();
  registerInvarPipelinesPasses();
  registerPipeline("invar-optimize", "What `invar optimize` does",
                   buildOptimize);
  registerPipeline(
      "invar-to-linalg",
      "From operators that invar-prepare left to loops over tensors",
      buildLinalg);
  registerPipeline("invar-to-kernels",
                   "From loops over tensors to a function that calls kernels",
                   buildKernels);
}
