// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the loops of a nest according to a schedule.
//
//   for unit in [from, to)                                    writeRun
//     for the unit's tile of each shared loop                 writeShared
//       for each group of steps
//         for the group's parallel loops                      writeParallel
//           initial values and stores of its reductions       writeReductions
//           for the loops that they reduce                    writeReduced
//             the bodies of its steps                         writePoint
//
// The storage of a tensor that one step computes for another follows from its loops. At a
// point of the shared loops, a tensor without further axes is a register. A tensor with
// further axes is in the thread's scratch memory, unless it is also a result of the
// kernel. Several vectors of a shared loop may be processed at once; each has its own
// scratch memory.
#ifndef INVAR_LIB_CODEGEN_NESTWRITER_H
#define INVAR_LIB_CODEGEN_NESTWRITER_H

#include "KernelEmitter.h"
#include "OperandView.h"
#include "Schedule.h"
#include "StepBody.h"
#include <map>

namespace invar {

/// How the shared loops are split into work units: one entry for each loop of
/// Schedule::shared.
struct UnitTiling {
  KernelBuilder::Values sizes, tiles, counts;
  /// The cost of a unit, in sixteenths of cycles.
  mlir::Value work;
};

/// The results that a group reduces, if the order does not matter: parts can be reduced
/// separately and then combined. The results of several states follow each other.
class PartialResults {
public:
  /// Returns an empty object if the order of some reduction matters.
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

  /// A point of the loops, and the values that are known there.
  struct State : NestPoint {
    /// Tensors that have been computed, each with its element at the point.
    llvm::SmallDenseMap<mlir::Value, mlir::Value> computed;
    llvm::SmallDenseMap<const NestOperand *, mlir::Value> loaded;
  };
  using States = llvm::SmallVector<State, 4>;

  /// A tensor in scratch memory, beginning at byte `offset`.
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
  /// The views that operands are read from, and those that tensors are written to.
  std::map<const NestOperand *, OperandView> reads;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<OperandView, 1>> writes;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_NESTWRITER_H
