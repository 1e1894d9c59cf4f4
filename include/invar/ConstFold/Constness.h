// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How constant a value is: known from the text, when the model is compiled, when it first
// runs, or only in each run. A sparse forward data flow over functions on tensors.
//
// Sources are operations without operands, and arguments of functions that are listed in
// these attributes of their function, by number:
//
//   compiletime_const_args_index   known when compiling
//   runtime_const_args_index       known at the first run
//
// Both are lists of numbers, `array<i64: 0, 2>` or `[0 : i32, 2 : i32]`. Anything else, a
// number without an argument, and an argument in both lists are errors.
//
// A result is as constant as the least constant operand. What has effects, or gives another
// result for the same operands, is variable. Of an operation with regions all that it reads
// counts for all that it gives, what decides about its regions as much as what they yield:
// such an operation is constant as a whole or not at all.
#ifndef INVAR_CONSTFOLD_CONSTNESS_H
#define INVAR_CONSTFOLD_CONSTNESS_H

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>

namespace invar {

/// Ordered: what is computed from several is the greatest of theirs.
enum class Constness : uint8_t {
  Unknown, ///< in code that is never reached
  Literal,
  CompileTime,
  RunOnce,
  Variable,
};

llvm::StringRef toString(Constness constness);

/// Arguments of a function that are constant, by the attribute that lists them.
inline constexpr llvm::StringLiteral compileTimeArguments =
    "compiletime_const_args_index";
inline constexpr llvm::StringLiteral runOnceArguments =
    "runtime_const_args_index";

/// The operations of a module that refer to constants with names: these may be replaced.
llvm::DenseSet<mlir::Operation *> findParameters(mlir::ModuleOp module);

/// Erases arguments, and brings the lists of constant arguments up to date.
void eraseArguments(mlir::FunctionOpInterface function,
                    const llvm::BitVector &gone);

class ConstnessAnalysis {
public:
  /// Of all that is in `root`: a module, or one function. Calls of functions outside of it
  /// give what is variable. Null after an error: a function lists arguments wrongly.
  static std::unique_ptr<ConstnessAnalysis> run(mlir::Operation *root);

  Constness get(mlir::Value value) const;
  bool isConstant(mlir::Value value) const {
    return get(value) < Constness::Variable;
  }

private:
  ConstnessAnalysis() = default;

  mlir::DataFlowSolver solver;
};

} // namespace invar

#endif // INVAR_CONSTFOLD_CONSTNESS_H
