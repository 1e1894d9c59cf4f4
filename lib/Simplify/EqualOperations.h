// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds operators that compute the same from the same, lists of integers that have the same
// entries, however they are computed, and constants that are the same.
//
// All are found by a hash, in time linear in the graph. Of a big constant the hash takes a
// few places only; all of it is read only when another agrees with it there. So a model of
// many weights, no two of them equal, is hardly read at all.
//
// Constants are shared by all graphs of a model, except for a few integers, such as axes or a
// target shape: each graph keeps its own. Other tools infer a graph by itself, and do not see
// the values around it. They would lose every shape that such a constant decides.
#ifndef INVAR_LIB_SIMPLIFY_EQUALOPERATIONS_H
#define INVAR_LIB_SIMPLIFY_EQUALOPERATIONS_H

#include "Places.h"
#include "invar/Dialect/ONNX/TypeInference.h"

namespace invar {

/// Whether two tensors have the same type, shape and bytes. Strings are not compared.
bool haveSameContent(const Elements &a, const Elements &b);

/// Whether a tensor has a few integers, as axes and shapes have. A constant of these lies in
/// the graph that uses it.
bool isFewIntegers(const Elements &content);

class EqualOperations {
public:
  explicit EqualOperations(const onnx::TypeInference &inference)
      : inference(inference) {}

  /// One that is equal to `op` and may stand for it; if there is none, `op` is remembered.
  /// A constant may stand behind `op`, or in another graph if it need not stay in its own: it
  /// can be moved.
  mlir::Operation *findOrAdd(mlir::Operation *op);
  /// Forgets an operator that goes, or that has other operands now.
  void forget(mlir::Operation *op);
  /// Puts `a` where it is computed before `b`, unless it stands there.
  void putBefore(mlir::Operation *a, mlir::Operation *b);

private:
  llvm::ArrayRef<Symbolic> getList(mlir::Operation *op) const;
  llvm::hash_code hashOperand(mlir::Value operand) const;
  bool areEqualOperands(mlir::Value a, mlir::Value b) const;
  std::optional<llvm::hash_code> hash(mlir::Operation *op);
  bool areEqual(mlir::Operation *a, mlir::Operation *b);
  bool canStandFor(mlir::Operation *a, mlir::Operation *b);

  const onnx::TypeInference &inference;
  Places places;
  llvm::DenseMap<size_t, llvm::SmallVector<mlir::Operation *, 1>> byHash;
  llvm::DenseMap<mlir::Operation *, size_t> hashes;
  /// Of what had to be read.
  llvm::DenseMap<mlir::Operation *, Hash128> contents;
};

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_EQUALOPERATIONS_H
