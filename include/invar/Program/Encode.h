// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes a function that calls kernels as the program that the runtime interprets
// (invar-c/Program.h).
//
// The function must have been outlined (invar-outline-kernels): it contains only calls of
// kernels and of the runtime, views, sizes, and scf. Each value gets a register. A tensor
// is dropped after its last use, so its memory is free for others as soon as possible.
#ifndef INVAR_PROGRAM_ENCODE_H
#define INVAR_PROGRAM_ENCODE_H

#include "invar/ConstStore/MemoryReport.h"
#include "invar/Elements/Elements.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <vector>

namespace invar {

/// A constant that a program refers to, and its place among the constants.
struct StoredConstant {
  Elements content;
  uint64_t offset, size;
  /// The name of a weight that has one; otherwise empty.
  std::string name;
};

struct EncodedProgram {
  std::vector<uint32_t> words;
  std::vector<StoredConstant> constants;
  /// The bytes of all constants, including gaps between them, and the bytes of constants
  /// that are computed at the first run.
  uint64_t constantsSize = 0, foldedSize = 0;
  size_t folds = 0;
  /// The number of weights that have a name, and of those that are not among the
  /// constants.
  size_t parameters = 0, missingParameters = 0;
  /// The memory layout of the main program's tensors.
  MemoryReport memory;
};

struct EncodeOptions {
  /// Everything that folded constants depend on besides other constants, such as the
  /// processor.
  llvm::StringRef target;
  /// If false, the runtime allocates each tensor when it is needed.
  bool plansMemory = true;
  /// Whether weights that have a name are among the constants. Otherwise they are in the
  /// file `source`.
  bool keepsParameters = true;
  llvm::StringRef source;
};

/// Encodes `main`, and the functions of its module that compute its constants at the
/// first run (those with the attribute `const.fold`). The number of a kernel is its index
/// among the kernels of the module. Emits errors.
llvm::FailureOr<EncodedProgram> encodeProgram(mlir::func::FuncOp main,
                                              const EncodeOptions &options);

/// Packs the words of a program, if that makes them fewer. The runtime accepts both
/// forms.
std::vector<uint32_t> packProgram(llvm::ArrayRef<uint32_t> words);

} // namespace invar

#endif // INVAR_PROGRAM_ENCODE_H
