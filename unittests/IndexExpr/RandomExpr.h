// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random formulas over a few inputs, and what they are worth: as plain numbers, which is
// the truth that the library is held to, and as index expressions.
//
//   Formula formula = makeFormula(random, /*depth=*/4);
//   evaluate(formula, {3, 7, 0, -2})          // a number, or none
//   build(formula, {n, m, i, j})              // an IndexExpr
#ifndef INVAR_UNITTESTS_INDEXEXPR_RANDOMEXPR_H
#define INVAR_UNITTESTS_INDEXEXPR_RANDOMEXPR_H

#include "invar/IndexExpr/IndexExpr.h"
#include <random>

namespace invar {

/// The first inputs are sizes, from 0; the others any numbers.
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
  Select, // The first operand is a truth, as the results of what follows are.
  Equal,
  Different,
  AtMost,
  Less,
  AtLeast,
  Greater,
  And, // Of truths.
  Or,
  Not,
};

struct Formula {
  Operator op;
  int64_t number = 0; // A literal's value, an input's position.
  std::vector<Formula> operands = {};
};

using Random = std::mt19937_64;

Formula makeFormula(Random &random, unsigned depth);
/// Small numbers, sizes among them as they may be; 0 and 1 often.
std::vector<int64_t> makeInputs(Random &random);

/// None where a division by zero is in it, or a number too large for expressions to be
/// rearranged without overflow; in what is not chosen, too: code calculates that as well.
std::optional<int64_t> evaluate(const Formula &formula,
                                llvm::ArrayRef<int64_t> inputs);
IndexExpr build(const Formula &formula, llvm::ArrayRef<IndexExpr> inputs);

std::string toString(const Formula &formula);

} // namespace invar

#endif // INVAR_UNITTESTS_INDEXEXPR_RANDOMEXPR_H
