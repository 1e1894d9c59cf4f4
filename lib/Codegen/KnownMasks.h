// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits stores of the first lanes of a vector if their number is known at compile time.
//
// LLVM 22 compiles a masked store whose mask is a constant with one lane to a store of
// that lane. If the elements were truncated before, it stores the lane with its width
// before the truncation (X86, AVX-512): three bytes after an i8 are overwritten. So LLVM
// must never see a constant mask: known lanes are stored in pieces of 2^n elements,
// without a mask.
#ifndef INVAR_LIB_CODEGEN_KNOWNMASKS_H
#define INVAR_LIB_CODEGEN_KNOWNMASKS_H

namespace llvm {
class Function;
} // namespace llvm

namespace invar {

/// Replaces all masked stores with constant masks. Must run after every pass that may
/// turn a mask into a constant.
void splitKnownMasks(llvm::Function &function);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_KNOWNMASKS_H
