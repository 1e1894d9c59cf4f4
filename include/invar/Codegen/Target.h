// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processor that kernels are compiled for.
//
//   CpuTarget host = CpuTarget::getHost();
//   Expected<CpuTarget> old = CpuTarget::get("x86-64-v3");   // AVX2, FMA
//
// Invariant: `required` names every feature that the code may use and that some x86-64
// processors lack. A runtime that finds these features can run the code.
#ifndef INVAR_CODEGEN_TARGET_H
#define INVAR_CODEGEN_TARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace invar {

struct CpuTarget {
  /// The processor that this program runs on.
  static CpuTarget getHost();

  /// A processor by LLVM's name for it, such as "x86-64-v4" or "znver4"; "host" is the
  /// one that this program runs on.
  static llvm::Expected<CpuTarget> get(llvm::StringRef cpu);

  /// Parses several names, separated by commas, and keeps their order.
  static llvm::Expected<std::vector<CpuTarget>> getAll(llvm::StringRef cpus);

  /// How many elements of `bits` bits fill a vector register.
  unsigned getLanes(unsigned bits) const { return vectorBits / bits; }
  bool hasAVX512() const { return vectorBits == 512; }

  /// The baseline that code can always use.
  static constexpr llvm::StringLiteral base = "x86-64";

  std::string triple;
  /// LLVM's name of the processor, from which LLVM knows the costs of instructions.
  std::string cpu;
  /// The features required beyond the base, in LLVM's format: "+avx2,+fma".
  std::string features;
  /// The features that the processor must have: "avx2,fma".
  std::string required;
  /// The widest register that code should use: 512, 256 or 128.
  unsigned vectorBits = 128;
  /// How many such registers there are.
  unsigned vectorRegisters = 16;
  /// Whether the processor converts between f16 and f32.
  bool hasHalves = false;
};

} // namespace invar

#endif // INVAR_CODEGEN_TARGET_H
