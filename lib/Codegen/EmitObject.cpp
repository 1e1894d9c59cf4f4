// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitObject.h"

#include "KnownMasks.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;
using namespace invar;

std::unique_ptr<TargetMachine> invar::makeMachine(const CpuTarget &target) {
  std::string message;
  Triple triple(target.triple);
  const Target *found = TargetRegistry::lookupTarget(triple, message);
  assert(found && "expected that the target was looked up before");
  return std::unique_ptr<TargetMachine>(found->createTargetMachine(
      triple, CpuTarget::base, target.features, TargetOptions(), Reloc::PIC_,
      std::nullopt, CodeGenOptLevel::Aggressive));
}

/// Says what the code may use. A function without these is compiled for any x86-64.
static void setTarget(Function &function, const CpuTarget &target) {
  function.addFnAttr("target-cpu", CpuTarget::base);
  function.addFnAttr("tune-cpu", target.cpu);
  if (!target.features.empty())
    function.addFnAttr("target-features", target.features);
  std::string bits = std::to_string(target.vectorBits);
  function.addFnAttr("prefer-vector-width", bits);
  function.addFnAttr("min-legal-vector-width", bits);
  function.addFnAttr(Attribute::NoUnwind);
}

/// What emitters leave to be done is little: they write vectors and loops as these are to
/// be. So this is a short list, and code generation is where the time goes.
static void optimize(Module &module, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder passes(&machine);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);

  FunctionPassManager pipeline;
  pipeline.addPass(EarlyCSEPass());
  pipeline.addPass(InstCombinePass());
  // Addresses of rows: computed in each iteration, they would crowd out the registers.
  pipeline.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                   /*UseMemorySSA=*/true));
  for (Function &function : module)
    if (!function.isDeclaration()) {
      pipeline.run(function, functions);
      splitKnownMasks(function);
    }
}

SmallString<0> invar::emitObject(Module &module, const CpuTarget &target,
                                 TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  module.setPICLevel(PICLevel::BigPIC);
  for (Function &function : module)
    if (!function.isDeclaration())
      setTarget(function, target);
  optimize(module, machine);

  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  bool isRefused = machine.addPassesToEmitFile(passes, stream, nullptr,
                                               CodeGenFileType::ObjectFile);
  assert(!isRefused && "expected that objects can be written");
  (void)isRefused;
  passes.run(module);
  return bytes;
}
