// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a function that calls kernels to the program that the runtime runs
// (invar-c/Program.h).
//
// The function has been outlined (invar-outline-kernels): what is left are calls of kernels
// and of the runtime, views, sizes, and scf. Each value gets a register; a tensor is let go
// of behind its last use, so memory is free for others as soon as it can be.
#ifndef INVAR_PROGRAM_ENCODE_H
#define INVAR_PROGRAM_ENCODE_H

#include "invar/Elements/Elements.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <vector>

namespace invar {

/// A constant that a program refers to, and where it is to lie.
struct StoredConstant {
  Elements content;
  uint64_t offset, size;
};

struct EncodedProgram {
  std::vector<uint32_t> words;
  std::vector<StoredConstant> constants;
  /// Bytes that all constants take, with what lies between them.
  uint64_t constantsSize = 0;
};

/// Encodes `main`; kernels have the numbers of their places among the kernels of the
/// module. Emits errors.
llvm::FailureOr<EncodedProgram> encodeProgram(mlir::func::FuncOp main);

} // namespace invar

#endif // INVAR_PROGRAM_ENCODE_H
