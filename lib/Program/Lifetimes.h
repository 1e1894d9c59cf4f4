// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory a function needs from when to when, as far as that is known before it runs.
//
// Time counts the steps of the function: calls of kernels and of the runtime, also those in
// loops and branches, and then these themselves. A tensor is in use from the step that makes
// it to the last step that can see its elements: by itself, by a view of it, or by what may
// hold it (a sequence, what a branch gives, what a function of the runtime gives that may be
// its operand); and, if it was made before a loop, to the loop's end, since the loop may come
// round again.
//
// A kernel that says so (`invar.in_place`) may write its result over an operand; where that
// is not needed any more, and is as large, the result takes over its memory:
//
//   %4 = call @Conv_Add_3(%2, %w, %1, %3)        %1 is in use up to here
//                                                %3 lies where %1 did
#ifndef INVAR_LIB_PROGRAM_LIFETIMES_H
#define INVAR_LIB_PROGRAM_LIFETIMES_H

#include "Sizes.h"

namespace invar {

/// A tensor that a block allocates, and that nobody sees when the block has ended.
struct Lifetime {
  /// What tensor.empty, a call of the runtime or the like makes.
  mlir::Value tensor;
  SizeTerm bytes;
  uint32_t first, last;
  /// The one whose memory it takes over.
  std::optional<uint32_t> inPlaceOf;
};

class Lifetimes {
public:
  Lifetimes(mlir::func::FuncOp main, const Sizes &sizes);

  llvm::ArrayRef<Lifetime> get() const { return lifetimes; }
  uint32_t getNumSteps() const { return steps; }
  /// When an operation is done; of what takes no time, the next step.
  uint32_t getTime(mlir::Operation *op) const { return times.lookup(op); }

  /// Whether an object is seen when its block has ended.
  bool escapes(mlir::Value value) const {
    return fates.find(value)->second.escapes;
  }

private:
  /// What becomes of a value after it was made.
  struct Fate {
    uint32_t last = 0;
    /// Whether it is seen when its block has ended, or something in which it may be.
    bool escapes = false;
    /// Whether something may hold it that is no view.
    bool isHeld = false;
    /// Whether the runtime may change it in place: then it has memory of its own.
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
