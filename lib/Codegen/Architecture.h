// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of an architecture, in one file for each (X86.cpp). Nothing else names
// its features, instructions or levels.
#ifndef INVAR_LIB_CODEGEN_ARCHITECTURE_H
#define INVAR_LIB_CODEGEN_ARCHITECTURE_H

#include "invar/Codegen/Target.h"

namespace invar {

struct Architecture {
  /// For messages: an "x86-64" processor.
  llvm::StringLiteral name;
  /// Libraries are ELF on each system, and the runtime loads them itself.
  llvm::StringLiteral triple;
  /// LLVM's name of the baseline, whose features every processor has.
  llvm::StringLiteral base;
  /// The features that code may use beyond the baseline. LLVM must use no others: a
  /// processor has more features, such as additional registers, that the runtime does
  /// not check for (runtime/CpuFeatures.def).
  llvm::ArrayRef<llvm::StringLiteral> usedFeatures;
  /// The facts about a processor with these features.
  CpuFacts (*getFacts)(llvm::ArrayRef<llvm::StringRef> features);
};

extern const Architecture x86;

} // namespace invar

#endif // INVAR_LIB_CODEGEN_ARCHITECTURE_H
