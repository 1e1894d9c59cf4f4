// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Codegen/Compile.h"

#include "EmitObject.h"
#include "KernelEmitter.h"
#include "KernelLowering.h"
#include "invar/Codegen/Passes.h"
#include "invar/Stop/Scope.h"
#include "invar/Support/Parallel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"
#include <atomic>

using namespace mlir;
using namespace invar;

/// Loads all dialects that lowering creates operations of: threads cannot load
/// dialects.
static void loadDialects(MLIRContext *context) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context->appendDialectRegistry(registry);
  context->loadDialect<
      arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
      linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
      memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect,
      ub::UBDialect, vector::VectorDialect>();
}

/// Compiles one kernel; returns an empty object on failure.
static llvm::SmallString<0>
compile(func::FuncOp kernel, StringRef symbol, const KernelLowering &lowering,
        const CpuTarget &target, KernelEmitter &emitter, ObjectWriter &writer) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  emitKernel(kernel, target, *module, emitter);
  if (failed(lowering.lower(*module)))
    return {};
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(
      *module, context, kernel.getName(), /*disableVerification=*/true);
  if (!code)
    return {};
  for (llvm::Function &function : *code)
    if (StringRef rest = function.getName();
        rest.consume_front(kernel.getName()))
      function.setName(symbol + rest);
  return writer.write(*code).value_or(llvm::SmallString<0>());
}

/// Whether a kernel computes the same bits in any order of its loops, because it sums
/// no floats. The minimum and maximum of floats do not depend on their order.
static bool isExact(func::FuncOp kernel) {
  auto sumsFloats = [](linalg::LinalgOp op) {
    return op.getNumReductionLoops() &&
           llvm::any_of(
               op.getBlock()->getTerminator()->getOperands(),
               [](Value yielded) {
                 return isa<FloatType>(yielded.getType()) &&
                        !isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp,
                                         arith::MaxNumFOp, arith::MinNumFOp>(
                            yielded.getDefiningOp());
               });
  };
  return !kernel
              .walk([&](linalg::LinalgOp op) {
                return sumsFloats(op) ? WalkResult::interrupt()
                                      : WalkResult::advance();
              })
              .wasInterrupted();
}

FailureOr<std::vector<KernelObject>>
invar::compileKernels(ModuleOp module, const CompileOptions &options) {
  MLIRContext *context = module.getContext();
  loadDialects(context);
  KernelLowering lowering(context, options.target.hasHalves);
  SmallVector<func::FuncOp> kernels;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kernelAttribute))
      kernels.push_back(function);

  std::vector<KernelObject> objects(kernels.size());
  ParallelDiagnosticHandler diagnostics(context);
  auto compileKernel = [&](size_t index, ObjectWriter &writer) {
    func::FuncOp kernel = kernels[index];
    KernelObject &object = objects[index];
    object.name = kernel.getName();
    object.symbol = object.name + options.suffix;
    object.numResults = kernel.getNumResults();
    object.isExact = isExact(kernel);
    auto compileBy = [&](KernelEmitter &emitter, const Twine &symbol) {
      return compile(kernel, symbol.str(), lowering, options.target, emitter,
                     writer);
    };
    auto emitter = options.isPlain ? makePlainEmitter()
                                   : findEmitter(kernel, options.target);
    if (emitter) {
      object.emitter = emitter->getName();
      object.bytes = compileBy(*emitter, object.symbol);
    }
    if (options.withMeaning)
      object.meaning =
          compileBy(*makePlainEmitter(), object.symbol + meaningSuffix);
  };
  // Each thread has a writer and takes the next kernel until none is left.
  unsigned threads =
      context->isMultithreadingEnabled() ? resolveThreads(options.threads) : 1;
  std::atomic<size_t> next = 0;
  parallelFor(std::min<size_t>(threads, kernels.size()), 1, threads,
              [&](uint64_t, uint64_t) {
                std::optional<ObjectWriter> writer;
                for (size_t index; (index = next++) < kernels.size();) {
                  if (StopScope::isDue())
                    return;
                  if (!writer)
                    writer.emplace(options.target);
                  diagnostics.setOrderIDForThread(index);
                  compileKernel(index, *writer);
                  diagnostics.eraseOrderIDForThread();
                }
              });
  for (const KernelObject &object : objects)
    if (object.bytes.empty() || (options.withMeaning && object.meaning.empty()))
      return failure();
  return objects;
}
