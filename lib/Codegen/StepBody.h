// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of a step's body that decide how its loops are written.
#ifndef INVAR_LIB_CODEGEN_STEPBODY_H
#define INVAR_LIB_CODEGEN_STEPBODY_H

#include "LoopNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace invar {

/// How partial results of a reduction are combined.
struct Combiner {
  mlir::arith::AtomicRMWKind kind;
  mlir::vector::CombiningKind vectorKind;
};

/// How result `index` of a step is reduced, if the order does not matter: the body
/// combines one value with the previous result by a single operation that is independent
/// of the order.
std::optional<Combiner> getCombiner(const NestStep &step, unsigned index);

/// Whether a value of the body is the same for all indices of a loop.
bool isUniform(const NestStep &step, mlir::Value value, unsigned loop);

/// Whether a value of the body increases by one with each iteration of a loop.
bool isRamp(const NestStep &step, mlir::Value value, unsigned loop);

/// Whether an element that the body extracts from a tensor moves to the next element with
/// each iteration of a loop.
bool readsNext(const NestStep &step, mlir::tensor::ExtractOp extract,
               unsigned loop);

/// Whether inactive lanes could do harm: by reading at any position, or by dividing.
bool mustNotGuess(const NestStep &step, unsigned loop);

/// The approximate number of cycles that the body takes for a vector, or for an element.
unsigned getBodyCost(const NestStep &step);

/// The bits of the widest element that the step computes with.
unsigned getWidestBits(const NestStep &step);

} // namespace invar

#endif // INVAR_LIB_CODEGEN_STEPBODY_H
