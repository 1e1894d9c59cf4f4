// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitObject.h"

#include "KnownMasks.h"
#include "invar/Stop/Scope.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
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

/// LLVM's description of a processor.
static std::unique_ptr<TargetMachine> makeMachine(const CpuTarget &target) {
  std::string message;
  Triple triple(target.triple);
  const Target *found = TargetRegistry::lookupTarget(triple, message);
  assert(found && "expected that the target was looked up before");
  return std::unique_ptr<TargetMachine>(found->createTargetMachine(
      triple, target.base, target.features, TargetOptions(), Reloc::PIC_,
      std::nullopt, CodeGenOptLevel::Aggressive));
}

/// Sets the features that the code may use. A function without these attributes is
/// compiled for any processor of the architecture.
static void setTarget(Function &function, const CpuTarget &target) {
  function.addFnAttr("target-cpu", target.base);
  function.addFnAttr("tune-cpu", target.cpu);
  if (!target.features.empty())
    function.addFnAttr("target-features", target.features);
  std::string bits = std::to_string(target.vectorBits);
  function.addFnAttr("prefer-vector-width", bits);
  function.addFnAttr("min-legal-vector-width", bits);
  function.addFnAttr(Attribute::NoUnwind);
}

namespace {
/// Skips the optional passes of code generation after a stop. A large kernel takes tens
/// of milliseconds, and LLVM cannot leave its list of passes early.
class StopGate : public OptPassGate {
public:
  bool shouldRunPass(StringRef, StringRef) const override {
    return !invar::StopScope::isDue();
  }
  bool isEnabled() const override { return invar::StopScope::get(); }
};
} // namespace

/// The parts of a writer that are built only once.
class ObjectWriter::Passes {
public:
  explicit Passes(const CpuTarget &target);

  std::optional<SmallString<0>> run(Module &module);

private:
  void optimize(Module &module);

  const CpuTarget target;
  std::unique_ptr<TargetMachine> machine;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  FunctionPassManager pipeline;
  SmallString<0> bytes;
  raw_svector_ostream stream;
  legacy::PassManager codegen;
};

ObjectWriter::Passes::Passes(const CpuTarget &target)
    : target(target), machine(makeMachine(target)), stream(bytes) {
  PassBuilder passes(machine.get());
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);
  // Emitters write vectors and loops in their final form, so little is left to
  // optimize. The list of passes is short, and code generation takes most of the time.
  pipeline.addPass(EarlyCSEPass());
  pipeline.addPass(InstCombinePass());
  // Hoist the addresses of rows: computed in each iteration, they would use up the
  // registers.
  pipeline.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                   /*UseMemorySSA=*/true));
  bool isRefused = machine->addPassesToEmitFile(codegen, stream, nullptr,
                                                CodeGenFileType::ObjectFile);
  assert(!isRefused && "expected that objects can be written");
  (void)isRefused;
}

void ObjectWriter::Passes::optimize(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration()) {
      pipeline.run(function, functions);
      splitKnownMasks(function);
    }
  // The next module may have the same address, so cached analyses must go.
  loops.clear();
  functions.clear();
  components.clear();
  modules.clear();
}

std::optional<SmallString<0>> ObjectWriter::Passes::run(Module &module) {
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  module.setPICLevel(PICLevel::BigPIC);
  for (Function &function : module)
    if (!function.isDeclaration())
      setTarget(function, target);
  if (StopScope::isDue())
    return std::nullopt;
  optimize(module);
  if (StopScope::isDue())
    return std::nullopt;
  // The context keeps a reference and may live longer than this writer.
  static StopGate gate;
  module.getContext().setOptPassGate(gate);
  codegen.run(module);
  return std::exchange(bytes, {});
}

ObjectWriter::ObjectWriter(const CpuTarget &target)
    : passes(std::make_unique<Passes>(target)) {}

ObjectWriter::~ObjectWriter() = default;

std::optional<SmallString<0>> ObjectWriter::write(Module &module) {
  return passes->run(module);
}
