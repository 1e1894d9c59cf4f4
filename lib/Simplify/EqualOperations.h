// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds operators that compute the same results from the same operands, lists of
// integers with the same entries (however computed), and equal constants.
//
// All are found by a hash, in time linear in the graph. The hash of a big constant
// covers only a few samples of it. The whole constant is read only when another one has
// the same hash. So a model with many different weights is hardly read at all.
//
// All graphs of a model share constants. The exception are short lists of integers,
// such as axes or a target shape: each graph keeps its own copy. Other tools infer a
// graph in isolation and do not see values around it; they would lose every shape that
// such a constant decides.
#ifndef INVAR_LIB_SIMPLIFY_EQUALOPERATIONS_H
#define INVAR_LIB_SIMPLIFY_EQUALOPERATIONS_H

#include "Places.h"
#include "invar/Dialect/ONNX/TypeInference.h"

namespace invar {

/// Whether two tensors have the same type, shape and bytes. Strings are not compared.
bool haveSameContent(const Elements &a, const Elements &b);

/// Whether a tensor is a short list of integers, such as axes or a shape. Such a
/// constant stays in the graph that uses it.
bool isFewIntegers(const Elements &content);

class EqualOperations {
public:
  explicit EqualOperations(const onnx::TypeInference &inference)
      : inference(inference) {}

  /// Returns an operator that is equal to `op` and can replace it. If there is none,
  /// records `op` and returns null. A returned constant may be located after `op`, or
  /// in another graph unless it must stay there; putBefore() moves it.
  mlir::Operation *findOrAdd(mlir::Operation *op);
  /// Removes an operator that will be erased, or that has new operands.
  void forget(mlir::Operation *op);
  /// Moves `a` to a place where it is computed before `b`, if it is not there already.
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
  /// Hashes of constants that had to be read entirely.
  llvm::DenseMap<mlir::Operation *, Hash128> contents;
};

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_EQUALOPERATIONS_H
