// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomExpr.h"

#include "llvm/Support/raw_ostream.h"

using namespace invar;

static int64_t pick(Random &random, int64_t least, int64_t most) {
  // std::uniform_int_distribution is not reproducible across platforms.
  return least + int64_t(random() % uint64_t(most - least + 1));
}

//===-- Making ----------------------------------------------------------------===//

static Formula makeTruth(Random &random, unsigned depth) {
  if (depth && pick(random, 0, 3) == 0) {
    auto op = Operator(pick(random, int(Operator::And), int(Operator::Not)));
    Formula formula{op, 0, {makeTruth(random, depth - 1)}};
    if (op != Operator::Not)
      formula.operands.push_back(makeTruth(random, depth - 1));
    return formula;
  }
  auto op =
      Operator(pick(random, int(Operator::Equal), int(Operator::Greater)));
  unsigned below = depth ? depth - 1 : 0;
  return {op, 0, {makeFormula(random, below), makeFormula(random, below)}};
}

Formula invar::makeFormula(Random &random, unsigned depth) {
  if (!depth || pick(random, 0, 5) == 0) {
    if (pick(random, 0, 2))
      return {Operator::Input, pick(random, 0, numInputs - 1)};
    return {Operator::Literal, pick(random, -9, 9)};
  }
  auto op = Operator(pick(random, int(Operator::Add), int(Operator::Select)));
  Formula formula{op};
  if (op == Operator::Select)
    formula.operands.push_back(makeTruth(random, depth - 1));
  while (formula.operands.size() <
         (op == Operator::Clamp || op == Operator::Select ? 3 : 2))
    formula.operands.push_back(makeFormula(random, depth - 1));
  return formula;
}

std::vector<int64_t> invar::makeInputs(Random &random) {
  std::vector<int64_t> inputs;
  for (unsigned i = 0; i < numInputs; ++i) {
    int64_t most = pick(random, 0, 2) ? 30 : 1;
    inputs.push_back(pick(random, i < numSizes ? 0 : -most, most));
  }
  return inputs;
}

//===-- Evaluating ------------------------------------------------------------===//

static __int128 floorDiv(__int128 a, __int128 b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

static __int128 calculate(Operator op, llvm::ArrayRef<int64_t> x) {
  __int128 a = x[0], b = x.size() > 1 ? x[1] : 0;
  switch (op) {
  case Operator::Add:
    return a + b;
  case Operator::Sub:
    return a - b;
  case Operator::Mul:
    return a * b;
  case Operator::FloorDiv:
    return floorDiv(a, b);
  case Operator::CeilDiv:
    return -floorDiv(-a, b);
  case Operator::Mod:
    return a - b * floorDiv(a, b);
  case Operator::Min:
    return std::min(a, b);
  case Operator::Max:
    return std::max(a, b);
  case Operator::Clamp:
    return std::min<__int128>(std::max(a, b), x[2]);
  case Operator::Select:
    return a ? b : x[2];
  case Operator::Equal:
    return a == b;
  case Operator::Different:
    return a != b;
  case Operator::AtMost:
    return a <= b;
  case Operator::Less:
    return a < b;
  case Operator::AtLeast:
    return a >= b;
  case Operator::Greater:
    return a > b;
  case Operator::And:
    return a && b;
  case Operator::Or:
    return a || b;
  case Operator::Not:
    return !a;
  case Operator::Input:
  case Operator::Literal:
    break;
  }
  llvm_unreachable("leaves have no operands");
}

std::optional<int64_t> invar::evaluate(const Formula &formula,
                                       llvm::ArrayRef<int64_t> inputs) {
  if (formula.op == Operator::Input)
    return inputs[formula.number];
  if (formula.op == Operator::Literal)
    return formula.number;
  llvm::SmallVector<int64_t> operands;
  for (const Formula &operand : formula.operands) {
    std::optional<int64_t> value = evaluate(operand, inputs);
    if (!value)
      return std::nullopt;
    operands.push_back(*value);
  }
  bool divides = formula.op == Operator::FloorDiv ||
                 formula.op == Operator::CeilDiv || formula.op == Operator::Mod;
  if (divides && operands[1] == 0)
    return std::nullopt;
  __int128 result = calculate(formula.op, operands);
  constexpr int64_t limit = int64_t(1) << 40;
  return result < -limit || result > limit ? std::nullopt
                                           : std::optional(int64_t(result));
}

IndexExpr invar::build(const Formula &formula,
                       llvm::ArrayRef<IndexExpr> inputs) {
  if (formula.op == Operator::Input)
    return inputs[formula.number];
  if (formula.op == Operator::Literal)
    return formula.number;
  IndexExpr x[3];
  for (auto [i, operand] : llvm::enumerate(formula.operands))
    x[i] = build(operand, inputs);
  switch (formula.op) {
  case Operator::Add:
    return x[0] + x[1];
  case Operator::Sub:
    return x[0] - x[1];
  case Operator::Mul:
    return x[0] * x[1];
  case Operator::FloorDiv:
    return x[0].floorDiv(x[1]);
  case Operator::CeilDiv:
    return x[0].ceilDiv(x[1]);
  case Operator::Mod:
    return x[0] % x[1];
  case Operator::Min:
    return IndexExpr::min(x[0], x[1]);
  case Operator::Max:
    return IndexExpr::max(x[0], x[1]);
  case Operator::Clamp:
    return x[0].clamp(x[1], x[2]);
  case Operator::Select:
    return IndexExpr::select(x[0], x[1], x[2]);
  case Operator::Equal:
    return x[0] == x[1];
  case Operator::Different:
    return x[0] != x[1];
  case Operator::AtMost:
    return x[0] <= x[1];
  case Operator::Less:
    return x[0] < x[1];
  case Operator::AtLeast:
    return x[0] >= x[1];
  case Operator::Greater:
    return x[0] > x[1];
  case Operator::And:
    return x[0] & x[1];
  case Operator::Or:
    return x[0] | x[1];
  case Operator::Not:
    return !x[0];
  case Operator::Input:
  case Operator::Literal:
    break;
  }
  llvm_unreachable("leaves have no operands");
}

//===-- Printing --------------------------------------------------------------===//

std::string invar::toString(const Formula &formula) {
  static constexpr const char *names[] = {
      "input",   "literal",   "add",    "sub",  "mul",     "floordiv",
      "ceildiv", "mod",       "min",    "max",  "clamp",   "select",
      "equal",   "different", "atmost", "less", "atleast", "greater",
      "and",     "or",        "not"};
  if (formula.op == Operator::Literal)
    return std::to_string(formula.number);
  if (formula.op == Operator::Input)
    return "x" + std::to_string(formula.number);
  std::string text = names[int(formula.op)];
  for (auto [i, operand] : llvm::enumerate(formula.operands))
    text += (i ? ", " : "(") + toString(operand);
  return text + ")";
}
