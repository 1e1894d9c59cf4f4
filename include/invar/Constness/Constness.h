// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Determines when a value becomes known: it is literal, known at compile time, known at
// the first run, or variable. The analysis is a forward data flow over functions on
// tensors, in time linear in their operations.
//
// Sources are operations without operands, and function arguments that these attributes
// of the function list by number:
//
//   compiletime_const_args_index   known at compile time
//   runtime_const_args_index       known at the first run
//
// Both are lists of numbers, `array<i64: 0, 2>` or `[0 : i32, 2 : i32]`. Anything else, a
// number without an argument, and an argument in both lists are errors.
//
// A result is as constant as the least constant operand. Operations that have side
// effects, or that are not deterministic, are variable. For an operation with regions,
// everything that it reads counts for all its results, both the values that control the
// regions and those that they yield. Such an operation is constant as a whole or not at
// all.
#ifndef INVAR_CONSTNESS_CONSTNESS_H
#define INVAR_CONSTNESS_CONSTNESS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>

namespace invar {

/// Ordered: the constness of a result is the maximum of its operands' constness.
enum class Constness : uint8_t {
  Unknown, ///< in a function that nothing calls
  Literal,
  CompileTime,
  RunOnce,
  Variable,
};

llvm::StringRef toString(Constness constness);

/// The attributes that list constant arguments of a function.
inline constexpr llvm::StringLiteral compileTimeArguments =
    "compiletime_const_args_index";
inline constexpr llvm::StringLiteral runOnceArguments =
    "runtime_const_args_index";

/// The operations in `root`, a module or a part of one, that refer to named constants,
/// which may be replaced later.
llvm::DenseSet<mlir::Operation *> findParameters(mlir::Operation *root);

/// Erases arguments, and updates the lists of constant arguments.
void eraseArguments(mlir::FunctionOpInterface function,
                    const llvm::BitVector &gone);

class ConstnessAnalysis {
public:
  /// Analyzes everything in `root`: a module, or one function. Results of calls to
  /// functions outside of it are variable. Emits an error and returns null if a
  /// function lists arguments wrongly.
  static std::unique_ptr<ConstnessAnalysis> run(mlir::Operation *root);

  Constness get(mlir::Value value) const;
  bool isConstant(mlir::Value value) const {
    return get(value) < Constness::Variable;
  }

private:
  ConstnessAnalysis() = default;

  llvm::DenseMap<mlir::Value, Constness> values;
};

} // namespace invar

#endif // INVAR_CONSTNESS_CONSTNESS_H
