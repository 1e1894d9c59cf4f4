// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Determines when a function needs which memory, as far as that is known at compile time.
//
// Time counts the steps of the function: calls of kernels and of the runtime, including
// those in loops and branches, and then the loops and branches themselves. A tensor is in
// use from the step that creates it to the last step that can access its elements:
// directly, by a view, or through an object that may hold it (a sequence, the result of a
// branch, or the result of a runtime function that may be its operand). If it was created
// before a loop that uses it, it is in use to the end of the loop, since the loop may
// iterate again.
//
// A kernel with the attribute `invar.in_place` may write its result over an operand. If
// the operand is not needed any more and has the same size, the result takes over its
// memory:
//
//   %4 = call @Conv_Add_3(%2, %w, %1, %3)        %1 is in use up to here
//                                                %3 uses the memory of %1
#ifndef INVAR_LIB_PROGRAM_LIFETIMES_H
#define INVAR_LIB_PROGRAM_LIFETIMES_H

#include "Sizes.h"

namespace invar {

/// A tensor that a block allocates, and that is not accessible after the end of the
/// block.
struct Lifetime {
  /// The result of tensor.empty, of a call of the runtime, or similar.
  mlir::Value tensor;
  SizeTerm bytes;
  uint32_t first, last;
  /// The lifetime whose memory it takes over.
  std::optional<uint32_t> inPlaceOf;
};

class Lifetimes {
public:
  Lifetimes(mlir::func::FuncOp main, const Sizes &sizes);

  llvm::ArrayRef<Lifetime> get() const { return lifetimes; }
  uint32_t getNumSteps() const { return steps; }
  /// The step of an operation; for an operation that takes no time, the next step.
  uint32_t getTime(mlir::Operation *op) const { return times.lookup(op); }

  /// Whether an object is accessible after the end of its block.
  bool escapes(mlir::Value value) const {
    return fates.find(value)->second.escapes;
  }

private:
  /// The later uses of a value.
  struct Fate {
    uint32_t last = 0;
    /// Whether it, or an object that may contain it, is accessible after the end of its
    /// block.
    bool escapes = false;
    /// Whether something that is not a view may hold it.
    bool isHeld = false;
    /// Whether the runtime may change it in place. It then needs its own memory.
    bool isChanged = false;
  };

  void countSteps(mlir::Block &block);
  void findFates(mlir::Block &block);
  Fate findFate(mlir::Value value) const;
  void addUse(Fate &fate, mlir::OpOperand &use) const;
  void findAllocations(mlir::Operation *op);
  void shareMemory(mlir::func::CallOp call);
  std::optional<uint32_t> findOverwritten(mlir::func::CallOp call,
                                          uint32_t result) const;

  mlir::Block &body;
  mlir::SymbolTable symbols;
  const Sizes &sizes;
  uint32_t steps = 0;
  llvm::DenseMap<mlir::Operation *, uint32_t> times;
  llvm::DenseMap<mlir::Value, Fate> fates;
  std::vector<Lifetime> lifetimes;
  llvm::DenseMap<mlir::Value, uint32_t> numbers;
};

} // namespace invar

#endif // INVAR_LIB_PROGRAM_LIFETIMES_H
