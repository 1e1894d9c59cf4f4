// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which order the steps of a nest run, and along which loops vectors lie.
//
// Steps with the same local loops are written as one group, so that what one computes and
// the next one reads stays in registers, up to a step that needs the end of a reduction:
//
//   softmax    {max}  {exp, sum}  {divide}
//
// Vectors lie either along a shared loop, and then all steps compute vectors, or each group
// has vectors along one of its local loops, or none. The choice is by what loads and stores
// cost: consecutive elements are one access, others one access each.
#ifndef INVAR_LIB_CODEGEN_SCHEDULE_H
#define INVAR_LIB_CODEGEN_SCHEDULE_H

#include "LoopNest.h"

namespace invar {

/// How a loop is done by vectors.
struct VectorShape {
  /// 0 for elements one by one.
  unsigned lanes = 0;
  /// How many vectors are under way at once.
  unsigned unroll = 1;
  /// Whether the last, incomplete vector is done element by element, and not by a mask.
  bool hasScalarTail = false;
};

struct StepGroup {
  llvm::SmallVector<const NestStep *> steps;
  /// The local loops that no step reduces, and then those that some step does. The one
  /// with vectors is the last of its kind.
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
