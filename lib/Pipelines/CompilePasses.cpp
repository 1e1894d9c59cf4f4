// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CompilePasses.h"

#include "invar/Codegen/Passes.h"
#include "invar/ConstFold/Passes.h"
#include "invar/ConstStore/Passes.h"
#include "invar/Conversion/ONNXToLinalg/Passes.h"
#include "invar/Layout/Passes.h"
#include "invar/Program/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace invar;

/// Adds the canonicalizer without its clean-up of blocks: compiled functions have one
/// block, and looking for unreachable ones took a tenth of the time of a large model.
static void addCanonicalizer(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass(
      GreedyRewriteConfig().setRegionSimplificationLevel(
          GreedySimplifyRegionLevel::Disabled)));
}

void invar::addLinalgPasses(OpPassManager &manager,
                            const CompileModelOptions &options) {
  manager.addPass(createONNXToLinalgPass(
      {.uncheckedIndices = options.leavesIndicesUnchecked}));
  addCanonicalizer(manager);
  manager.addPass(createCSEPass());
}

/// Adds the passes that choose the order of elements in tensors.
static void addLayoutPasses(OpPassManager &functions,
                            const CompileModelOptions &options,
                            const CpuTarget &target) {
  functions.addPass(createChannelsLastPass());
  functions.addPass(createCSEPass());
  functions.addPass(createFoldTransposesPass());
  if (options.winograd != WinogradUse::Off) {
    WinogradPassOptions winograd;
    winograd.everywhere = options.winograd == WinogradUse::On;
    winograd.lanes = target.getLanes(32);
    winograd.panel = target.panelWidth;
    winograd.narrowestPanel = target.narrowestPanel;
    if (options.winograd == WinogradUse::Fast)
      winograd.allowance = std::numeric_limits<int64_t>::max();
    functions.addPass(createWinogradPass(winograd));
  }
  functions.addPass(createPackWeightsPass(
      {.panel = target.panelWidth, .narrowestPanel = target.narrowestPanel}));
}

/// Moves constants to the store and, if requested, compresses them: folding then decodes
/// them.
static void addStorePasses(OpPassManager &manager,
                           const CompileModelOptions &options) {
  manager.addPass(createGatherConstantsPass());
  if (options.compressesWeights)
    manager.addPass(createCompressConstantsPass({.threads = options.threads}));
}

/// Folds computations on weights. Canonicalize only afterwards: it would cancel
/// pack/unpack pairs.
static void addFoldPasses(OpPassManager &manager,
                          const CompileModelOptions &options) {
  FoldTime time = options.foldTime;
  if (time != FoldTime::Never)
    manager.addNestedPass<func::FuncOp>(createPostponeExpansionPass());
  if (time == FoldTime::Compile || time == FoldTime::Auto)
    manager.addNestedPass<func::FuncOp>(createFoldConstantViewsPass(
        {.keepShared = options.compressesWeights && time == FoldTime::Auto}));
  // Constants that are computed at compile time are known only later.
  if (options.compressesWeights && time != FoldTime::Compile)
    addStorePasses(manager, options);
  if (time != FoldTime::Never)
    manager.addPass(
        createFoldConstantTensorsPass({.split = time == FoldTime::Compile}));
  manager.addNestedPass<func::FuncOp>(createLowerPackPass());
}

void invar::addKernelPasses(OpPassManager &manager,
                            const CompileModelOptions &options,
                            const CpuTarget &target) {
  if (!options.isPlain)
    addLayoutPasses(manager.nest<func::FuncOp>(), options, target);
  addFoldPasses(manager, options);
  manager.addPass(createLowerAffinePass());
  addCanonicalizer(manager);
  manager.addPass(createCSEPass());
  manager.addPass(createGatherConstantsPass());
  manager.addPass(createOutlineKernelsPass());
  manager.addNestedPass<func::FuncOp>(createHoistChecksPass());
}

void invar::addPassesAfterFolding(OpPassManager &manager,
                                  const CompileModelOptions &options) {
  manager.addPass(createSymbolDCEPass());
  addStorePasses(manager, options);
  // Other constant computations were rejected by folding, and are in kernels now.
  if (options.compressesWeights)
    manager.addPass(createFoldConstantTensorsPass({.onlyDecoding = true}));
}
