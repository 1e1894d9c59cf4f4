// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CpuFeatures.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

using namespace invar::runtime;

#if defined(__x86_64__)

/// The state that the system saves for a process: bits of the register XCR0.
enum State : uint64_t { none = 0, avx = 0x6, avx512 = 0xe6, amx = 0x60000 };

static uint64_t getSavedState() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned osxsave = 1u << 27;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & osxsave))
    return 0;
  uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low | uint64_t(high) << 32;
}

namespace {
struct Feature {
  std::string_view name;
  bool isThere;
};
} // namespace

static std::vector<Feature> readFeatures() {
  uint64_t saved = getSavedState();
  unsigned leaf = 0, subleaf = 0, eax = 0, ebx = 0, ecx = 0, edx = 0;
  bool hasLeaf = false;
  std::vector<Feature> features;
  // Features of the same leaf follow each other.
#define INVAR_CPU_FEATURE(NAME, LEAF, SUBLEAF, REGISTER, BIT, STATE)           \
  if (leaf != LEAF || subleaf != SUBLEAF) {                                    \
    leaf = LEAF;                                                               \
    subleaf = SUBLEAF;                                                         \
    hasLeaf = __get_cpuid_count(leaf, subleaf, &eax, &ebx, &ecx, &edx);        \
  }                                                                            \
  features.push_back(                                                          \
      {NAME, hasLeaf && (REGISTER >> BIT & 1) && (saved & STATE) == STATE});
#include "CpuFeatures.def"
  return features;
}

/// Whether the processor has a feature; none if the name is unknown.
static std::optional<bool> hasFeature(std::string_view feature) {
  // On virtual machines, cpuid takes microseconds each time.
  static const std::vector<Feature> features = readFeatures();
  auto found = std::ranges::find(features, feature, &Feature::name);
  return found == features.end() ? std::nullopt : std::optional(found->isThere);
}

#else

static std::optional<bool> hasFeature(std::string_view) { return std::nullopt; }

#endif

Status invar::runtime::checkCpuFeatures(std::string_view features) {
  std::string missing;
  while (!features.empty()) {
    size_t comma = std::min(features.find(','), features.size());
    std::string_view feature = features.substr(0, comma);
    features.remove_prefix(std::min(comma + 1, features.size()));
    if (feature.empty())
      continue;
    std::optional<bool> has = hasFeature(feature);
    if (!has)
      return fail(INVAR_BAD_PROCESSOR,
                  "expected features of processors that this runtime knows, "
                  "but got '",
                  feature, "'");
    if (!*has)
      missing.append(missing.empty() ? "" : ",").append(feature);
  }
  if (missing.empty())
    return Status::success();
  return fail(INVAR_BAD_PROCESSOR, "expected a processor with '", missing,
              "', but this one has not");
}
