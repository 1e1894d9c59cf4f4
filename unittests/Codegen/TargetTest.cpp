// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what is known of processors, and the errors for those that are not supported.
#include "invar/Codegen/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace invar;
using llvm::StringRef;

static std::string getError(llvm::Error error) {
  return llvm::toString(std::move(error));
}

TEST(Target, Levels) {
  struct Level {
    const char *cpu;
    unsigned lanes, tileVectors;
    bool hasFusedMultiplyAdd, hasHalves;
    unsigned leastMaskedBits;
  };
  for (const Level &level : {Level{"x86-64", 4, 2, false, false, 32},
                             Level{"x86-64-v2", 4, 2, false, false, 32},
                             // AVX and conversions, but no AVX2.
                             Level{"ivybridge", 4, 2, false, true, 32},
                             Level{"x86-64-v3", 8, 2, true, true, 32},
                             Level{"x86-64-v4", 16, 4, true, true, 8},
                             Level{"znver4", 16, 4, true, true, 8}}) {
    SCOPED_TRACE(level.cpu);
    CpuTarget target = llvm::cantFail(CpuTarget::get(level.cpu));
    EXPECT_EQ(target.cpu, level.cpu);
    EXPECT_EQ(target.getLanes(32), level.lanes);
    EXPECT_EQ(target.tileVectors, level.tileVectors);
    EXPECT_EQ(target.hasFusedMultiplyAdd, level.hasFusedMultiplyAdd);
    EXPECT_EQ(target.hasHalves, level.hasHalves);
    EXPECT_EQ(target.leastMaskedBits, level.leastMaskedBits);
    EXPECT_LE(target.tileVectors, target.tileRows.size());
    EXPECT_FALSE(target.getPairProduct(target.getLanes(32)).empty());
    EXPECT_TRUE(target.getPairProduct(5).empty());
    // Vectors of 4 bytes and more fill panels.
    EXPECT_EQ(target.panelWidth % target.getLanes(32), 0);
  }
}

// Code may need only features that the runtime can look for.
TEST(Target, RuntimeKnowsFeatures) {
  static constexpr StringRef known[] = {
#define INVAR_CPU_FEATURE(NAME, LEAF, SUBLEAF, REGISTER, BIT, STATE) NAME,
#include "../../runtime/CpuFeatures.def"
  };
  for (const char *cpu : {"x86-64-v4", "znver4", "znver5", "diamondrapids",
                          "sapphirerapids", "sierraforest", "bdver4"}) {
    CpuTarget target = llvm::cantFail(CpuTarget::get(cpu));
    for (StringRef feature : llvm::split(target.required, ','))
      EXPECT_TRUE(llvm::is_contained(known, feature)) << feature.str();
  }
}

TEST(Target, KeepsOrder) {
  auto targets = llvm::cantFail(CpuTarget::getAll("x86-64-v4,x86-64-v2"));
  ASSERT_EQ(targets.size(), 2U);
  EXPECT_EQ(targets[0].cpu, "x86-64-v4");
  EXPECT_EQ(targets[1].cpu, "x86-64-v2");
}

TEST(Target, OfOtherArchitectures) {
  for (const char *cpu : {"neoverse-n1", "apple-m1", "pentium-99", ""})
    EXPECT_EQ(getError(CpuTarget::get(cpu).takeError()),
              std::string("expected the name of an x86-64 processor, but got "
                          "'") +
                  cpu + "'");
  EXPECT_EQ(getError(CpuTarget::getAll("x86-64-v3,cortex-a53").takeError()),
            "expected the name of an x86-64 processor, but got 'cortex-a53'");
  for (const char *triple : {"aarch64-unknown-linux-gnu", "riscv64-linux"})
    EXPECT_EQ(getError(CpuTarget::getHost(triple).takeError()),
              std::string("expected an x86-64 processor, for which kernels can "
                          "be compiled, but got one of '") +
                  triple + "'");
}

// The facts do not depend on the machine that compiles.
TEST(Target, HostIsALevel) {
  CpuTarget host = llvm::cantFail(CpuTarget::getHost());
  for (const char *cpu : {"x86-64", "x86-64-v3", "x86-64-v4"}) {
    CpuTarget level = llvm::cantFail(CpuTarget::get(cpu));
    EXPECT_EQ(host.cacheBytes, level.cacheBytes);
    EXPECT_EQ(host.lineBytes, level.lineBytes);
    EXPECT_EQ(host.panelWidth, level.panelWidth);
    EXPECT_EQ(host.narrowestPanel, level.narrowestPanel);
  }
}
