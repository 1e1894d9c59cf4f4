// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides in which order the steps of a nest run, and along which loops vectors lie.
//
// Steps with the same local loops form one group, so that a value that one step computes
// and the next one reads stays in registers. A step that needs the result of a reduction
// begins a new group:
//
//   softmax    {max}  {exp, sum}  {divide}
//
// Vectors lie either along a shared loop, so that all steps compute vectors, or along a
// local loop of each group, or a group has no vectors. The choice depends on the cost of
// loads and stores: consecutive elements are one access, others one access each.
#ifndef INVAR_LIB_CODEGEN_SCHEDULE_H
#define INVAR_LIB_CODEGEN_SCHEDULE_H

#include "LoopNest.h"

namespace invar {

/// How a loop is executed by vectors.
struct VectorShape {
  /// 0 means element by element.
  unsigned lanes = 0;
  /// The number of vectors that are processed at once.
  unsigned unroll = 1;
  /// Whether the last, incomplete vector is processed element by element instead of with
  /// a mask.
  bool hasScalarTail = false;
};

struct StepGroup {
  llvm::SmallVector<const NestStep *> steps;
  /// The local loops that no step reduces, and those that some step reduces. The one with
  /// vectors is the last of its kind.
  llvm::SmallVector<unsigned> parallel, reduced;
  std::optional<unsigned> vectorLoop;
  VectorShape vector;
  /// Cycles for an iteration of the innermost loop, in sixteenths.
  unsigned cost = 1;

  bool contains(const NestStep *step) const {
    return llvm::is_contained(steps, step);
  }
  bool hasLocalLoops() const { return !parallel.empty() || !reduced.empty(); }
};

struct Schedule {
  static Schedule get(const LoopNest &nest, const CpuTarget &target);

  llvm::SmallVector<StepGroup> groups;
  /// Outermost first; the loop with vectors is the last one.
  llvm::SmallVector<unsigned> shared;
  std::optional<unsigned> vectorLoop;
  VectorShape vector;
};

} // namespace invar

#endif // INVAR_LIB_CODEGEN_SCHEDULE_H
