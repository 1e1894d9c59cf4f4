// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds constant tensors: weights, and tensors that are computed from weights and
// literals only, for example by a cast or a reshape of a weight that may be replaced.
// Converting them to another form costs nothing at run time, because it is folded
// (ConstFold).
#ifndef INVAR_LIB_LAYOUT_CONSTANTTENSORS_H
#define INVAR_LIB_LAYOUT_CONSTANTTENSORS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace invar {

class ConstantTensors {
public:
  /// Whether a value is a constant of static shape that is computed from a weight, and
  /// has no other form yet that loops read instead.
  bool contains(mlir::Value value);

private:
  /// The sources of a value: something variable, only literals, or also weights.
  enum class Origin : uint8_t { Variable, Literals, Weights };

  Origin find(mlir::Value value);

  llvm::DenseMap<mlir::Operation *, Origin> known;
};

} // namespace invar

#endif // INVAR_LIB_LAYOUT_CONSTANTTENSORS_H
