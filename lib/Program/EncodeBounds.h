// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bounds of one call of a kernel: expresses the kernel's accesses to its arguments in
// the registers of the call's operands.
#ifndef INVAR_LIB_PROGRAM_ENCODEBOUNDS_H
#define INVAR_LIB_PROGRAM_ENCODEBOUNDS_H

#include "Encoder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace invar {

class KernelBounds {
public:
  KernelBounds(Encoder &encoder, mlir::func::FuncOp kernel,
               mlir::func::CallOp call)
      : encoder(encoder), kernel(kernel), call(call) {}

  /// Emits the checks. Fails with an error if a kernel has a form that is not known here.
  llvm::LogicalResult emit();

private:
  /// A literal number, or a number in a register.
  struct Count {
    Count(int64_t literal) : literal(literal) {}
    static Count inRegister(uint32_t at) {
      Count count(0);
      count.literal.reset();
      count.at = at;
      return count;
    }
    bool operator==(const Count &) const = default;

    std::optional<int64_t> literal;
    uint32_t at = 0;
  };

  /// A number in the kernel.
  Count get(mlir::OpFoldResult number);
  Count getSize(mlir::Value tensor, int64_t axis);
  Count giveUp() {
    isLost = true;
    return 0;
  }

  uint32_t toRegister(Count count);
  Count compute(InvarOpcode opcode, Count a, Count b);
  Count add(Count a, Count b);
  Count multiply(Count a, Count b);

  void check(Count holds, llvm::StringRef message);
  void expectEqual(Count a, Count b);
  /// Checks that a position is at least 0 and below a size, unless a surrounding loop is
  /// empty.
  void expectBelow(Count place, Count size, llvm::StringRef message,
                   llvm::ArrayRef<Count> ranges = {});
  void checkUnlessEmpty(Count holds, llvm::StringRef message,
                        llvm::ArrayRef<Count> ranges);

  void checkSlice(mlir::tensor::ExtractSliceOp slice);
  void checkPad(mlir::tensor::PadOp pad);
  void checkLoops(mlir::linalg::LinalgOp op);
  /// The number of iterations of each loop. Checks that all sizes that define it are
  /// equal.
  llvm::SmallVector<Count> getRanges(mlir::linalg::LinalgOp op);
  Count getLast(mlir::AffineExpr expr, llvm::ArrayRef<Count> ranges);
  Count isEmpty(llvm::ArrayRef<Count> ranges);

  Encoder &encoder;
  mlir::func::FuncOp kernel;
  mlir::func::CallOp call;
  bool isLost = false;
};

} // namespace invar

#endif // INVAR_LIB_PROGRAM_ENCODEBOUNDS_H
