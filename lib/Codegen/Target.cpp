// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Codegen/Target.h"

#include "invar/Support/Error.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace invar;

/// The features that code may use beyond those of every x86-64 processor. LLVM must use
/// no others: a processor has more features, such as additional registers, that the
/// runtime does not check for.
static constexpr StringLiteral usedFeatures[] = {
    "sse4.2",      "avx",        "avx2",         "fma",
    "f16c",        "bmi",        "bmi2",         "lzcnt",
    "popcnt",      "movbe",      "avx512f",      "avx512bw",
    "avx512cd",    "avx512dq",   "avx512vl",     "avx512vnni",
    "avx512bf16",  "avx512fp16", "avxvnni",      "avx512vbmi",
    "avx512vbmi2", "avx512ifma", "avx512bitalg", "avx512vpopcntdq",
    "gfni"};

/// Looks up the features of `cpu`, and derives the target from them.
static Expected<CpuTarget> lookup(StringRef cpu, StringRef features) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  CpuTarget target;
  target.triple = "x86_64-unknown-linux-gnu";
  target.cpu = cpu.str();

  Triple triple(target.triple);
  std::string message;
  const llvm::Target *found = TargetRegistry::lookupTarget(triple, message);
  if (!found)
    return badUsage("expected a compiler for x86-64, but got one for " +
                    sys::getProcessTriple());
  // Check the name first: LLVM prints a message of its own for an unknown name.
  std::unique_ptr<MCSubtargetInfo> any(
      found->createMCSubtargetInfo(triple, "", ""));
  if (!any || !any->isCPUStringValid(cpu))
    return badUsage("expected the name of an x86-64 processor, but got '" +
                    cpu + "'");
  std::unique_ptr<MCSubtargetInfo> info(
      found->createMCSubtargetInfo(triple, cpu, features));
  SmallVector<StringRef> required;
  for (StringRef feature : usedFeatures)
    if (info->checkFeatures(("+" + feature).str()))
      required.push_back(feature);
  target.required = join(required, ",");
  target.features =
      join(map_range(required,
                     [](StringRef feature) { return ("+" + feature).str(); }),
           ",");
  target.hasHalves = is_contained(required, "f16c");

  if (is_contained(required, "avx512vl") &&
      is_contained(required, "avx512bw") &&
      is_contained(required, "avx512dq")) {
    target.vectorBits = 512;
    target.vectorRegisters = 32;
  } else if (is_contained(required, "avx2") && is_contained(required, "fma")) {
    target.vectorBits = 256;
  }
  return target;
}

CpuTarget CpuTarget::getHost() {
  SmallVector<std::string> features;
  for (auto &[name, has] : sys::getHostCPUFeatures())
    features.push_back((has ? "+" : "-") + name.str());
  // Sorted by name, so that the same processor always yields the same code.
  sort(features);
  return cantFail(lookup(sys::getHostCPUName(), join(features, ",")));
}

Expected<CpuTarget> CpuTarget::get(StringRef cpu) {
  return cpu == "host" ? getHost() : lookup(cpu, "");
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
