// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests thousands of random formulas: literals and symbols have the value of plain
// arithmetic, bounds hold, and the text can be parsed back.
#include "RandomExpr.h"
#include "gtest/gtest.h"

using namespace invar;

namespace {
struct Case {
  unsigned depth, count;
  uint64_t seed;
};
class PropertyTest : public testing::TestWithParam<Case> {
protected:
  /// Calls `check` with each formula; failures are reported with the formula and its
  /// seed.
  template <typename Check> void forEachFormula(Check check) {
    auto [depth, count, seed] = GetParam();
    for (unsigned i = 0; i < count && !HasFailure(); ++i) {
      Random random(seed + i);
      Formula formula = makeFormula(random, depth);
      SCOPED_TRACE("depth " + std::to_string(depth) + ", seed " +
                   std::to_string(seed + i) + ": " + toString(formula));
      check(formula, random);
    }
  }
};

/// The inputs as symbols.
struct Inputs {
  Inputs() : scope(context) {
    for (unsigned i = 0; i < numInputs; ++i) {
      Symbolic atom = i < numSizes ? context.getAtom("n" + std::to_string(i))
                                   : context.makeUnknown(Bounds());
      exprs.push_back(i % 2 ? scope.getAsDim(atom) : scope.getAsSymbol(atom));
    }
  }
  /// Returns the value of an expression if the inputs have these values.
  Symbolic substitute(IndexExpr expr, llvm::ArrayRef<int64_t> values) {
    for (auto [input, value] : llvm::zip(exprs, values))
      EXPECT_TRUE(context.unify(input.getSymbolic(context),
                                context.getConstant(value)));
    return context.resolve(expr.getSymbolic(context));
  }

  SymbolicContext context;
  IndexExprScope scope;
  std::vector<IndexExpr> exprs;
};
} // namespace

static std::string describe(llvm::ArrayRef<int64_t> values) {
  std::string text = "inputs";
  for (int64_t value : values)
    text += " " + std::to_string(value);
  return text;
}

TEST_P(PropertyTest, LiteralsAreWorthWhatNumbersAre) {
  forEachFormula([](const Formula &formula, Random &random) {
    for (int i = 0; i < 10; ++i) {
      std::vector<int64_t> values = makeInputs(random);
      std::optional<int64_t> expected = evaluate(formula, values);
      if (!expected)
        continue;
      IndexExpr result =
          build(formula, std::vector<IndexExpr>(values.begin(), values.end()));
      ASSERT_TRUE(result.isLiteral()) << describe(values);
      EXPECT_EQ(result.getLiteral(), *expected) << describe(values);
    }
  });
}

TEST_P(PropertyTest, SymbolsAreWorthWhatNumbersAre) {
  unsigned checked = 0, undefined = 0;
  forEachFormula([&](const Formula &formula, Random &random) {
    for (int i = 0; i < 4; ++i) {
      std::vector<int64_t> values = makeInputs(random);
      std::optional<int64_t> expected = evaluate(formula, values);
      if (!expected)
        continue;
      Inputs inputs;
      IndexExpr expr = build(formula, inputs.exprs);
      if (expr.isUndefined()) {
        ++undefined; // Too large: no result, but not a wrong one.
        continue;
      }
      ++checked;
      EXPECT_TRUE(expr.getBounds().contains(*expected)) << describe(values);
      Symbolic result = inputs.substitute(expr, values);
      if (result->isUndefined())
        continue;
      ASSERT_TRUE(result->isConstant())
          << describe(values) << ": " << toString(result);
      EXPECT_EQ(result->getConstant(), *expected)
          << describe(values) << ": "
          << toString(expr.getSymbolic(inputs.context));
    }
  });
  // Shallow formulas are never too large.
  EXPECT_GT(checked, GetParam().count);
  if (GetParam().depth <= 3)
    EXPECT_LT(undefined, checked / 50);
}

TEST_P(PropertyTest, FactsMayComeOneByOne) {
  forEachFormula([](const Formula &formula, Random &random) {
    std::vector<int64_t> values = makeInputs(random);
    std::optional<int64_t> expected = evaluate(formula, values);
    Inputs inputs;
    Symbolic expr = build(formula, inputs.exprs).getSymbolic(inputs.context);
    if (!expected)
      return;
    for (auto [input, value] : llvm::zip(inputs.exprs, values)) {
      EXPECT_TRUE(inputs.context.unify(input.getSymbolic(inputs.context),
                                       inputs.context.getConstant(value)));
      expr = inputs.context.resolve(expr);
      if (!expr->isUndefined())
        EXPECT_TRUE(expr->getBounds().contains(*expected)) << describe(values);
    }
    if (!expr->isUndefined())
      EXPECT_EQ(expr, inputs.context.getConstant(*expected))
          << describe(values);
  });
}

TEST_P(PropertyTest, IdentitiesHoldAsPointers) {
  forEachFormula([](const Formula &formula, Random &random) {
    Inputs inputs;
    SymbolicContext &context = inputs.context;
    Symbolic a = build(formula, inputs.exprs).getSymbolic(context);
    Symbolic b =
        build(makeFormula(random, 2), inputs.exprs).getSymbolic(context);
    Symbolic c =
        build(makeFormula(random, 1), inputs.exprs).getSymbolic(context);
    auto expectSame = [&](Symbolic left, Symbolic right) {
      if (!left->isUndefined() && !right->isUndefined())
        EXPECT_EQ(left, right)
            << toString(left) << " and " << toString(right) << ", of "
            << toString(a) << ", " << toString(b) << " and " << toString(c);
    };
    expectSame(context.add(a, b), context.add(b, a));
    expectSame(context.mul(a, b), context.mul(b, a));
    expectSame(context.mul(context.add(a, b), c),
               context.add(context.mul(a, c), context.mul(b, c)));
    expectSame(context.sub(context.add(a, b), b), a);
    expectSame(context.max(a, b), context.max(b, a));
    expectSame(context.min(a, b), context.min(b, a));
    expectSame(context.add(context.min(a, b), context.max(a, b)),
               context.add(a, b));
    expectSame(context.equal(a, b), context.equal(b, a));
    expectSame(context.floorDiv(context.scale(a, 6), context.getConstant(3)),
               context.scale(a, 2));
    expectSame(context.floorDiv(context.add(context.scale(a, 4), b),
                                context.getConstant(4)),
               context.add(a, context.floorDiv(b, context.getConstant(4))));
  });
}

TEST_P(PropertyTest, TextIsReadBack) {
  forEachFormula([](const Formula &formula, Random &) {
    SymbolicContext context;
    IndexExprScope scope(context);
    std::vector<IndexExpr> inputs;
    for (const char *name : {"N", "batch-size", "a + b", "it's", "3d"})
      inputs.push_back(scope.getDim(name));
    Symbolic expr = build(formula, inputs).getSymbolic(context);
    std::string text = toString(expr);
    if (expr->isUndefined())
      return;
    // Near the limits, intermediate expressions may be larger than the result, or the
    // text too long: then it is parsed as a name.
    Symbolic back = context.parse(text);
    bool mayBeName =
        text.size() > 1024 || expr->getSize() > SymbolicContext::maxSize / 2;
    if (!mayBeName || !back->isAtom())
      EXPECT_EQ(back, expr) << text;
  });
}

INSTANTIATE_TEST_SUITE_P(Depths, PropertyTest,
                         testing::Values(Case{1, 2000, 1000000},
                                         Case{2, 4000, 2000000},
                                         Case{3, 4000, 3000000},
                                         Case{4, 2000, 4000000},
                                         Case{6, 400, 6000000}),
                         [](const testing::TestParamInfo<Case> &info) {
                           return "Depth" + std::to_string(info.param.depth);
                         });
