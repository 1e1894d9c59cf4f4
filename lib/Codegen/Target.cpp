// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Codegen/Target.h"

#include "Architecture.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace invar;

static const Architecture *const architectures[] = {&x86};

/// For messages: "x86-64".
static std::string getNames() {
  return join(map_range(architectures,
                        [](const Architecture *each) { return each->name; }),
              " or ");
}

/// LLVM's code generator for an architecture; null if this LLVM has none.
static const llvm::Target *findGenerator(const Architecture &architecture) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  std::string message;
  return TargetRegistry::lookupTarget(Triple(architecture.triple), message);
}

static Error reportNoGenerator() {
  return badUsage("expected a compiler for " + getNames() +
                  ", but got one for " + sys::getProcessTriple());
}

/// Whether LLVM knows a processor of this name. For an unknown name, LLVM would print a
/// message of its own.
static bool isKnown(const Architecture &architecture,
                    const llvm::Target &generator, StringRef cpu) {
  std::unique_ptr<MCSubtargetInfo> any(
      generator.createMCSubtargetInfo(Triple(architecture.triple), "", ""));
  return any && any->isCPUStringValid(cpu);
}

/// Describes a known processor with additional features.
static CpuTarget makeTarget(const Architecture &architecture,
                            const llvm::Target &generator, StringRef cpu,
                            StringRef features) {
  std::unique_ptr<MCSubtargetInfo> info(generator.createMCSubtargetInfo(
      Triple(architecture.triple), cpu, features));
  SmallVector<StringRef> required;
  for (StringRef feature : architecture.usedFeatures)
    if (info->checkFeatures(("+" + feature).str()))
      required.push_back(feature);
  CpuTarget target;
  static_cast<CpuFacts &>(target) = architecture.getFacts(required);
  target.triple = architecture.triple.str();
  target.base = architecture.base.str();
  target.cpu = cpu.str();
  target.required = join(required, ",");
  target.features =
      join(map_range(required,
                     [](StringRef feature) { return ("+" + feature).str(); }),
           ",");
  return target;
}

Expected<CpuTarget> CpuTarget::getHost(StringRef triple) {
  for (const Architecture *architecture : architectures) {
    if (Triple(architecture->triple).getArch() != Triple(triple).getArch())
      continue;
    const llvm::Target *generator = findGenerator(*architecture);
    if (!generator)
      return reportNoGenerator();
    SmallVector<std::string> features;
    for (auto &[name, has] : sys::getHostCPUFeatures())
      features.push_back((has ? "+" : "-") + name.str());
    // Sorted by name, so that the same processor always yields the same code.
    sort(features);
    return makeTarget(*architecture, *generator, sys::getHostCPUName(),
                      join(features, ","));
  }
  return badUsage("expected an " + getNames() +
                  " processor, for which kernels can be compiled, but got one "
                  "of '" +
                  triple + "'");
}

Expected<CpuTarget> CpuTarget::getHost() {
  return getHost(sys::getProcessTriple());
}

Expected<CpuTarget> CpuTarget::get(StringRef cpu) {
  if (cpu == "host")
    return getHost();
  bool hasGenerator = false;
  for (const Architecture *architecture : architectures) {
    const llvm::Target *generator = findGenerator(*architecture);
    hasGenerator |= generator != nullptr;
    if (generator && isKnown(*architecture, *generator, cpu))
      return makeTarget(*architecture, *generator, cpu, "");
  }
  if (!hasGenerator)
    return reportNoGenerator();
  return badUsage("expected the name of an " + getNames() +
                  " processor, but got '" + cpu + "'");
}

Expected<std::vector<CpuTarget>> CpuTarget::getAll(StringRef cpus) {
  std::vector<CpuTarget> targets;
  for (StringRef cpu : split(cpus, ',')) {
    Expected<CpuTarget> target = get(cpu);
    if (!target)
      return target.takeError();
    targets.push_back(std::move(*target));
  }
  return targets;
}
