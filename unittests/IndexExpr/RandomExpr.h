// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random formulas over a few inputs, and their values: as plain numbers, which are the
// expected results, and as index expressions.
//
//   Formula formula = makeFormula(random, /*depth=*/4);
//   evaluate(formula, {3, 7, 0, -2})          // a number, or none
//   build(formula, {n, m, i, j})              // an IndexExpr
#ifndef INVAR_UNITTESTS_INDEXEXPR_RANDOMEXPR_H
#define INVAR_UNITTESTS_INDEXEXPR_RANDOMEXPR_H

#include "invar/IndexExpr/IndexExpr.h"
#include <random>

namespace invar {

/// The first inputs are sizes, at least 0; the others are any numbers.
constexpr unsigned numSizes = 3, numInputs = 5;

enum class Operator {
  Input,
  Literal,
  Add,
  Sub,
  Mul,
  FloorDiv,
  CeilDiv,
  Mod,
  Min,
  Max,
  Clamp,
  Select, // The first operand and the results of the following are booleans.
  Equal,
  Different,
  AtMost,
  Less,
  AtLeast,
  Greater,
  And, // Operands are booleans.
  Or,
  Not,
};

struct Formula {
  Operator op;
  int64_t number = 0; // A literal's value or an input's position.
  std::vector<Formula> operands = {};
};

using Random = std::mt19937_64;

Formula makeFormula(Random &random, unsigned depth);
/// Returns small numbers, including valid sizes; 0 and 1 are frequent.
std::vector<int64_t> makeInputs(Random &random);

/// Returns nullopt if there is a division by zero, or a number that is too large to
/// rearrange expressions without overflow. This includes operands that are not selected,
/// because code computes them too.
std::optional<int64_t> evaluate(const Formula &formula,
                                llvm::ArrayRef<int64_t> inputs);
IndexExpr build(const Formula &formula, llvm::ArrayRef<IndexExpr> inputs);

std::string toString(const Formula &formula);

} // namespace invar

#endif // INVAR_UNITTESTS_INDEXEXPR_RANDOMEXPR_H
