// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Codegen/Compile.h"

#include "EmitObject.h"
#include "KernelEmitter.h"
#include "KernelLowering.h"
#include "invar/Codegen/Passes.h"
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
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace invar;

/// Loads all that lowering makes: threads cannot.
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

/// Compiles one kernel; nothing where that fails.
static llvm::SmallString<0> compile(func::FuncOp kernel, StringRef symbol,
                                    const KernelLowering &lowering,
                                    const CpuTarget &target) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  if (failed(emitKernel(kernel, target, *module)) ||
      failed(lowering.lower(*module)))
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
  std::unique_ptr<llvm::TargetMachine> machine = makeMachine(target);
  return emitObject(*code, target, *machine);
}

FailureOr<std::vector<KernelObject>>
invar::compileKernels(ModuleOp module, const CompileOptions &options) {
  MLIRContext *context = module.getContext();
  loadDialects(context);
  KernelLowering lowering(context);
  SmallVector<func::FuncOp> kernels;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kernelAttribute))
      kernels.push_back(function);

  std::vector<KernelObject> objects(kernels.size());
  ParallelDiagnosticHandler diagnostics(context);
  unsigned threads = context->isMultithreadingEnabled() ? options.threads : 1;
  parallelFor(kernels.size(), 1, threads, [&](uint64_t begin, uint64_t end) {
    for (uint64_t index = begin; index < end; ++index) {
      diagnostics.setOrderIDForThread(index);
      KernelObject &object = objects[index];
      object.name = kernels[index].getName();
      object.symbol = object.name + options.suffix;
      object.bytes =
          compile(kernels[index], object.symbol, lowering, options.target);
      diagnostics.eraseOrderIDForThread();
    }
  });
  for (const KernelObject &object : objects)
    if (object.bytes.empty())
      return failure();
  return objects;
}
