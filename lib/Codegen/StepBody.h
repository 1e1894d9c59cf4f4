// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about the body of a step that decide how its loops are written.
#ifndef INVAR_LIB_CODEGEN_STEPBODY_H
#define INVAR_LIB_CODEGEN_STEPBODY_H

#include "LoopNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace invar {

/// How partial results of a reduction are put together.
struct Combiner {
  mlir::arith::AtomicRMWKind kind;
  mlir::vector::CombiningKind vectorKind;
};

/// How result `index` of a step is reduced, where the order does not matter: its body puts
/// one value into what it has so far by a single operation that knows no order.
std::optional<Combiner> getCombiner(const NestStep &step, unsigned index);

/// Whether a value of the body is the same for all indices of a loop.
bool isUniform(const NestStep &step, mlir::Value value, unsigned loop);

/// Whether a value of the body goes up by one with a loop.
bool isRamp(const NestStep &step, mlir::Value value, unsigned loop);

/// How an element that is taken out of a tensor inside of the body moves with a loop: not,
/// to the next one, or anywhere.
bool readsNext(const NestStep &step, mlir::tensor::ExtractOp extract,
               unsigned loop);

/// Whether lanes that do not count could do harm: by reading anywhere, or by dividing.
bool mustNotGuess(const NestStep &step, unsigned loop);

/// About how many cycles the body takes for a vector, or for an element.
unsigned getBodyCost(const NestStep &step);

/// The bits of the widest element that the step computes with.
unsigned getWidestBits(const NestStep &step);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_STEPBODY_H
