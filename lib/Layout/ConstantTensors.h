// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tensors are constant: weights, and what is computed of nothing else, as by a cast or
// a reshape of one that may be replaced. Whatever form they are given costs nothing: it is
// folded (ConstFold).
#ifndef INVAR_LIB_LAYOUT_CONSTANTTENSORS_H
#define INVAR_LIB_LAYOUT_CONSTANTTENSORS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace invar {

class ConstantTensors {
public:
  /// Whether a value is a constant of known sizes that is made of a weight, and was not given
  /// another form yet that it is read through.
  bool contains(mlir::Value value);

private:
  /// What a value is made of: something variable, only literals, or also weights.
  enum class Origin : uint8_t { Variable, Literals, Weights };

  Origin find(mlir::Value value);

  llvm::DenseMap<mlir::Operation *, Origin> known;
};

} // namespace invar

#endif // INVAR_LIB_LAYOUT_CONSTANTTENSORS_H
