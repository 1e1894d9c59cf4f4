// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the loops of a nest as a schedule says.
//
//   for unit in [from, to)                                    writeRun
//     for the unit's tile of each shared loop                 writeShared
//       for each group of steps
//         for the group's parallel loops                      writeParallel
//           what its steps reduce begins with, and stores     writeReductions
//           for the loops that they reduce                    writeReduced
//             the bodies of its steps                         writePoint
//
// Where a tensor that one step computes for another is kept follows from its loops: at a
// point of the shared loops, one without further axes is a register; one with further axes
// lies in the thread's scratch memory, unless it is a result of the kernel too. Several
// vectors of a shared loop may be under way at once: each has scratch memory of its own.
#ifndef INVAR_LIB_CODEGEN_NESTWRITER_H
#define INVAR_LIB_CODEGEN_NESTWRITER_H

#include "KernelEmitter.h"
#include "OperandView.h"
#include "Schedule.h"
#include "StepBody.h"
#include <map>

namespace invar {

/// How the shared loops are cut into work units: one entry for each of Schedule::shared.
struct UnitTiling {
  KernelBuilder::Values sizes, tiles, counts;
  /// The cost of a unit, in sixteenths of cycles.
  mlir::Value work;
};

/// What a group reduces, where the order does not matter: parts of it can be reduced by
/// themselves and put together. Of several states, one after the other.
class PartialResults {
public:
  /// Has nothing where some order matters.
  static PartialResults get(const StepGroup &group);

  bool areSumsOfFloats() const;
  KernelBuilder::Values getNeutral(KernelBuilder &b, unsigned lanes,
                                   size_t states) const;
  KernelBuilder::Values combine(KernelBuilder &b, mlir::ValueRange one,
                                mlir::ValueRange other) const;
  KernelBuilder::Values reduceLanes(KernelBuilder &b,
                                    mlir::ValueRange vectors) const;

private:
  struct Part {
    Combiner combiner;
    mlir::Type element;
  };
  llvm::SmallVector<Part> parts;
};

class NestWriter {
public:
  NestWriter(KernelBuilder &builder, const LoopNest &nest,
             const Schedule &schedule);

  KernelPlan writePlan();
  void writeRun();

private:
  using Values = KernelBuilder::Values;

  /// A point of the loops, and what is known at it.
  struct State : NestPoint {
    /// Tensors that have been computed, each its element at the point.
    llvm::SmallDenseMap<mlir::Value, mlir::Value> computed;
    llvm::SmallDenseMap<const NestOperand *, mlir::Value> loaded;
  };
  using States = llvm::SmallVector<State, 4>;

  /// A tensor in scratch memory: bytes from `offset` on.
  struct Scratch {
    mlir::Value offset;
    llvm::SmallVector<Coordinate> coordinates;
    Values strides;
  };

  UnitTiling makeTiling();
  void layOutScratch();
  bool needsScratch(const StepGroup &group, mlir::Value tensor) const;
  void makeViews();
  void makeReadView(const NestOperand &operand);
  OperandView makeScratchView(mlir::Value tensor, const NestOperand &operand);

  void writeShared(const UnitTiling &tiling, llvm::ArrayRef<mlir::Value> unit,
                   unsigned depth, State &state);
  void writeParallel(const StepGroup &group, unsigned depth,
                     llvm::MutableArrayRef<State> states);
  void writeReductions(const StepGroup &group,
                       llvm::MutableArrayRef<State> states);
  int64_t countTerms(const StepGroup &group, unsigned depth) const;
  Values writeReduced(const StepGroup &group, unsigned depth,
                      llvm::MutableArrayRef<State> states, Values soFar);
  Values writeReducedByVectors(const StepGroup &group, unsigned loop,
                               const State &state, Values soFar);
  Values writePoint(const StepGroup &group, State &state,
                    llvm::ArrayRef<mlir::Value> soFar);

  /// Calls `body` with the states of each piece of [begin, end) along a loop.
  void
  alongVectors(mlir::Value begin, mlir::Value end, unsigned loop,
               const VectorShape &shape, const State &state,
               llvm::function_ref<void(llvm::MutableArrayRef<State>)> body);
  States makeStates(const State &state, unsigned loop, mlir::Value index,
                    unsigned lanes, unsigned count, mlir::Value mask = {});
  bool isWhole(unsigned loop, unsigned lanes) const;

  mlir::Value read(const NestOperand &operand, State &state);
  void loadAhead(const StepGroup &group, State &state);
  void write(mlir::Value tensor, mlir::Value value, State &state);
  mlir::Value getIndex(unsigned loop, const State &state);
  mlir::Value extract(const NestStep &step, mlir::tensor::ExtractOp op,
                      mlir::ValueRange indices, const State &state);

  KernelBuilder &b;
  const LoopNest &nest;
  const Schedule &schedule;
  llvm::DenseMap<mlir::Value, Scratch> scratch;
  mlir::Value scratchSize;
  /// Where operands are read from, and where tensors are written to.
  std::map<const NestOperand *, OperandView> reads;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<OperandView, 1>> writes;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_NESTWRITER_H
