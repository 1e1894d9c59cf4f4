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

#include "invar/ConstStore/MemoryReport.h"
#include "invar/Elements/Elements.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <vector>

namespace invar {

/// A constant that a program refers to, and where it is to lie.
struct StoredConstant {
  Elements content;
  uint64_t offset, size;
  /// Of a weight that goes by one; else empty.
  std::string name;
};

struct EncodedProgram {
  std::vector<uint32_t> words;
  std::vector<StoredConstant> constants;
  /// Bytes that all constants take, with what lies between them, and those of what is
  /// computed at the first run.
  uint64_t constantsSize = 0, foldedSize = 0;
  size_t folds = 0;
  /// Weights that go by a name, and those of them that are not among the constants.
  size_t parameters = 0, missingParameters = 0;
  /// Where the main program's tensors lie.
  MemoryReport memory;
};

struct EncodeOptions {
  /// Whatever the folded constants depend on besides other constants, as the processor.
  llvm::StringRef target;
  /// Else the runtime allocates each tensor when it is needed.
  bool plansMemory = true;
  /// Whether weights that go by a name are among the constants; else the file that they are
  /// in is `source`.
  bool keepsParameters = true;
  llvm::StringRef source;
};

/// Encodes `main`, and the functions of its module that compute its constants at the first
/// run (those with the attribute `const.fold`); kernels have the numbers of their places
/// among the kernels of the module. Emits errors.
llvm::FailureOr<EncodedProgram> encodeProgram(mlir::func::FuncOp main,
                                              const EncodeOptions &options);

/// The words of a program in fewer, if there are: packed, as the runtime takes them too.
std::vector<uint32_t> packProgram(llvm::ArrayRef<uint32_t> words);

} // namespace invar

#endif // INVAR_PROGRAM_ENCODE_H
