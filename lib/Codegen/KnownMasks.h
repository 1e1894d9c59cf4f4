// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores of the first lanes of a vector, where it is known how many these are.
//
// LLVM 22 compiles a masked store whose mask is a constant with one lane to a store of that
// lane. If the elements were truncated before, it stores the lane as wide as it was before
// (X86, AVX-512): three bytes after an i8 are overwritten. So LLVM never sees a constant
// mask: known lanes are stored in pieces of 2^n elements, without a mask.
#ifndef INVAR_LIB_CODEGEN_KNOWNMASKS_H
#define INVAR_LIB_CODEGEN_KNOWNMASKS_H

namespace llvm {
class Function;
} // namespace llvm

namespace invar {

/// Replaces all masked stores with constant masks. Must run after all that may find out
/// that a mask is a constant.
void splitKnownMasks(llvm::Function &function);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_KNOWNMASKS_H
