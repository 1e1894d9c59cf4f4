// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processor that kernels are compiled for.
//
//   Expected<CpuTarget> host = CpuTarget::getHost();
//   Expected<CpuTarget> old = CpuTarget::get("x86-64-v3");   // AVX2, FMA
//
// Emitters and layouts decide by CpuFacts, never by the name of a processor, of a feature
// or of an instruction. The facts are one table per architecture, in one file
// (lib/Codegen/X86.cpp). So a new architecture is a new file, and no emitter changes.
//
// Invariants: `required` names every feature that the code may use and that some
// processors of the architecture lack. A runtime that finds these features can run the
// code. And the facts follow from the name and the features alone: sizes of caches are
// those of the table, not of the machine that compiles. So the same options yield the
// same library everywhere.
#ifndef INVAR_CODEGEN_TARGET_H
#define INVAR_CODEGEN_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace invar {

/// What emitters and layouts know about a processor.
struct CpuFacts {
  /// How many elements of `bits` bits fill a vector register.
  unsigned getLanes(unsigned bits) const { return vectorBits / bits; }

  // Registers.

  /// The widest register that code should use.
  unsigned vectorBits = 128;
  /// The rows of a tile of sums (Tiling.h), by its number of vectors, from 1 on: as many
  /// as registers hold beside the factors.
  llvm::ArrayRef<unsigned> tileRows;
  /// The vectors of a tile if there are many columns.
  unsigned tileVectors = 2;
  /// The neighbors that a kernel with windows computes at once: enough sums to hide the
  /// latency of additions, few enough that registers hold them and what they read.
  unsigned windowTile = 6;

  // Instructions.

  /// Whether one instruction multiplies floats and adds. LLVM would call a function
  /// otherwise.
  bool hasFusedMultiplyAdd = false;
  /// Whether the processor converts between f16 and f32.
  bool hasHalves = false;
  /// The narrowest elements for which vectors with a mask are better than a loop.
  unsigned leastMaskedBits = 32;
  /// LLVM's intrinsic that multiplies two vectors of 2 * `lanes` integers of 16 bits and
  /// adds the products of each pair, in 32 bits. Null, or an empty name, if there is
  /// none: other instructions take its place.
  llvm::StringRef (*getPairProduct)(unsigned lanes) = nullptr;

  // Memory.

  int64_t lineBytes = 64;
  /// The second-level cache of a core. Fitting is a matter of speed only: processors with
  /// less of it run the same code.
  int64_t cacheBytes = 1 << 20;

  // Layout. A library has one copy of its weights for all processors that it is compiled
  // for, so panels must suit the vectors of all levels.

  /// The columns of a panel of packed weights, in a power of 2.
  int64_t panelWidth = 32;
  /// The least that panels are halved to if there are few columns.
  int64_t narrowestPanel = 8;
};

struct CpuTarget : CpuFacts {
  /// The processor that this program runs on. Fails if kernels cannot be compiled for its
  /// architecture.
  static llvm::Expected<CpuTarget> getHost();

  /// The same on a machine with this triple.
  static llvm::Expected<CpuTarget> getHost(llvm::StringRef triple);

  /// A processor by LLVM's name for it, such as "x86-64-v4" or "znver4"; "host" is the
  /// one that this program runs on.
  static llvm::Expected<CpuTarget> get(llvm::StringRef cpu);

  /// Parses several names, separated by commas, and keeps their order.
  static llvm::Expected<std::vector<CpuTarget>> getAll(llvm::StringRef cpus);

  std::string triple;
  /// LLVM's name of the architecture's baseline, for which any code may be compiled.
  std::string base;
  /// LLVM's name of the processor, from which LLVM knows the costs of instructions.
  std::string cpu;
  /// The features required beyond the base, in LLVM's format: "+avx2,+fma".
  std::string features;
  /// The features that the processor must have: "avx2,fma".
  std::string required;
};

} // namespace invar

#endif // INVAR_CODEGEN_TARGET_H
