// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that equal expressions are the same pointer, that bounds decide comparisons, and
// that nothing overflows or grows without limit.
#include "invar/IndexExpr/Symbolic.h"
#include "gtest/gtest.h"

using namespace invar;

namespace {
class SymbolicTest : public testing::Test {
protected:
  Symbolic number(int64_t value) { return context.getConstant(value); }
  Symbolic parse(llvm::StringRef text) { return context.parse(text); }
  Bounds boundsOf(llvm::StringRef text) { return parse(text)->getBounds(); }
  void expectSame(llvm::StringRef left, llvm::StringRef right) {
    EXPECT_EQ(parse(left), parse(right))
        << left.str() << " is " << toString(parse(left)) << ", " << right.str()
        << " is " << toString(parse(right));
  }

  SymbolicContext context;
  Symbolic n = context.getAtom("N"), m = context.getAtom("M");
};
} // namespace

//===-- Canonical forms -------------------------------------------------------===//

TEST_F(SymbolicTest, SumsAndProductsHaveOneForm) {
  EXPECT_EQ(context.scale(n, 2), context.add(n, n));
  EXPECT_EQ(context.sub(context.add(n, number(1)), number(1)), n);
  expectSame("N + M", "M + N");
  expectSame("N*M*3", "3*M*N");
  expectSame("(N + 1)*(N - 1)", "N*N - 1");
  expectSame("(N + M)*(N + M)", "N*N + 2*N*M + M*M");
  expectSame("N - N", "0");
  expectSame("0*N", "0");
  EXPECT_NE(n, m);
  EXPECT_NE(context.scale(n, 2), n);
}

TEST_F(SymbolicTest, WhatDividesIsPulledOut) {
  expectSame("(6*N) floordiv 3", "2*N");
  expectSame("(6*N + 5) floordiv 3", "2*N + 1");
  expectSame("(7*N + 3*M) floordiv 3", "2*N + M + N floordiv 3");
  expectSame("(4*N + 6) floordiv 8", "(2*N + 3) floordiv 4");
  expectSame("(4*N + 7) floordiv 8", "(2*N + 3) floordiv 4");
  expectSame("(-N) floordiv -1", "N");
  expectSame("N floordiv -2", "(-N) floordiv 2");
}

TEST_F(SymbolicTest, DivisionsOfDivisionsBecomeOne) {
  expectSame("((N + 1) floordiv 2 + 1) floordiv 2", "(N + 3) floordiv 4");
  expectSame("(N floordiv 2) floordiv 3", "N floordiv 6");
  expectSame("(N ceildiv 2) ceildiv 2", "N ceildiv 4");
}

TEST_F(SymbolicTest, PolynomialsDivideExactly) {
  expectSame("(N*M) floordiv N", "M");
  expectSame("(N*N + 2*N*M + M*M) floordiv (N + M)", "N + M");
  expectSame("(6*N*M + 3*N) floordiv (3*N)", "2*M + 1");
  expectSame("(2*N*M) floordiv (4*N)", "M floordiv 2");
  expectSame("(N*M*7) floordiv (N*K*7)", "M floordiv K");
  expectSame("(N*M) mod N", "0");
  expectSame("(8*N) mod 4", "0");
  expectSame("N ceildiv 1", "N");
}

TEST_F(SymbolicTest, ExtremaAreMadeOfOneFunction) {
  expectSame("max(N, M)", "max(M, N)");
  expectSame("min(N, M)", "min(M, N)");
  expectSame("min(N, M) + max(N, M)", "N + M");
  expectSame("max(N, N)", "N");
  expectSame("max(-N, -M)", "-min(N, M)");
}

TEST_F(SymbolicTest, BoundsDecideExtremaAndTruths) {
  // Sizes are not negative.
  expectSame("max(N, 0)", "N");
  expectSame("max(N + 1, 1)", "N + 1");
  expectSame("min(N, -1)", "-1");
  expectSame("max(N, N + 1)", "N + 1");
  expectSame("min(9223372036854775807, N)", "N");
  EXPECT_EQ(context.atMost(number(0), n), number(1));
  EXPECT_EQ(context.equal(n, number(-1)), number(0));
  EXPECT_EQ(context.equal(n, n), number(1));
  EXPECT_EQ(context.equal(context.add(n, number(1)), n), number(0));
  EXPECT_EQ(context.atMost(context.add(n, number(1)), n), number(0));
  EXPECT_TRUE(context.equal(n, m)->isTruth());
}

TEST_F(SymbolicTest, TruthsHaveOneForm) {
  EXPECT_EQ(context.equal(n, m), context.equal(m, n));
  EXPECT_EQ(context.isZero(parse("2*N - 2*M")), context.equal(n, m));
  // An even number is not an odd one.
  EXPECT_EQ(context.isZero(parse("2*N - 2*M + 1")), number(0));
  Symbolic less = context.logicalNot(context.atMost(m, n));
  EXPECT_EQ(less, context.atMost(context.add(n, number(1)), m));
  EXPECT_TRUE(less->isTruth());
  Symbolic same = context.equal(n, m);
  EXPECT_EQ(context.logicalAnd(same, same), same);
  EXPECT_EQ(context.logicalOr(same, same), same);
  EXPECT_EQ(context.logicalOr(same, context.logicalNot(same)), number(1));
  EXPECT_EQ(context.logicalAnd(same, context.logicalNot(same)), number(0));
}

TEST_F(SymbolicTest, ChoicesThatDoNotMatterAreNotMade) {
  Symbolic same = context.equal(n, m), other = context.logicalNot(same);
  EXPECT_EQ(context.select(number(1), n, m), n);
  EXPECT_EQ(context.select(number(0), n, m), m);
  EXPECT_EQ(context.select(same, n, n), n);
  // select(N == M, N, M) is always M.
  EXPECT_EQ(context.select(same, n, m), m);
  EXPECT_EQ(context.select(same, number(1), number(0)), same);
  EXPECT_EQ(context.select(other, n, number(7)),
            context.select(same, number(7), n));
  EXPECT_EQ(context.select(context.getUndefined(), n, n),
            context.getUndefined());
  // The operand that is not selected may be undefined.
  EXPECT_EQ(context.select(number(1), n, context.getUndefined()), n);
}

TEST_F(SymbolicTest, UnknownsAreOnlyEqualToThemselves) {
  Symbolic a = context.makeUnknown(), b = context.makeUnknown();
  EXPECT_NE(a, b);
  EXPECT_EQ(context.sub(a, a), number(0));
  EXPECT_FALSE(context.sub(a, b)->isConstant());
  EXPECT_TRUE(context.add(n, a)->hasUnknown());
  EXPECT_FALSE(context.add(n, m)->hasUnknown());
  // Atoms without a name are all different.
  EXPECT_NE(context.getAtom(""), context.getAtom(""));
}

//===-- Bounds ----------------------------------------------------------------===//

TEST_F(SymbolicTest, BoundsFollowFromThoseOfAtoms) {
  ASSERT_TRUE(context.setBounds(n, {1, 16}));
  ASSERT_TRUE(context.setBounds(m, {2, 3}));
  EXPECT_EQ(boundsOf("2*N - M + 5"), (Bounds{4, 35}));
  EXPECT_EQ(boundsOf("N*M"), (Bounds{2, 48}));
  EXPECT_EQ(boundsOf("-N*M"), (Bounds{-48, -2}));
  EXPECT_EQ(boundsOf("N floordiv 4"), (Bounds{0, 4}));
  EXPECT_EQ(boundsOf("N floordiv M"), (Bounds{0, 8}));
  EXPECT_EQ(boundsOf("max(N - 5, 0)"), (Bounds{0, 11}));
  EXPECT_EQ(boundsOf("iszero(N - M)"), (Bounds{0, 1}));
  EXPECT_EQ(boundsOf("select(iszero(N - M), 5, N)"), (Bounds{1, 16}));
  EXPECT_EQ(boundsOf("(N + 15) floordiv 16"), (Bounds{1, 1}));
}

TEST_F(SymbolicTest, BoundsOfLargeSizesAreNoLimits) {
  EXPECT_EQ(boundsOf("N*M"), (Bounds{0, INT64_MAX}));
  EXPECT_EQ(boundsOf("5 - N"), (Bounds{-INT64_MAX + 5, 5}));
  EXPECT_EQ(boundsOf("N - M").least, -INT64_MAX);
  // With a divisor that may be 0, the result is still nonnegative.
  EXPECT_EQ(boundsOf("N floordiv M").least, 0);
}

TEST_F(SymbolicTest, BoundsThatCannotBeAreRefused) {
  EXPECT_TRUE(context.setBounds(n, {4, 8}));
  EXPECT_TRUE(context.setBounds(n, {0, 6}));
  EXPECT_EQ(n->getBounds(), (Bounds{4, 6}));
  EXPECT_FALSE(context.setBounds(n, {7, 9}));
  EXPECT_TRUE(context.setBounds(n, {6, 100}));
  EXPECT_EQ(context.resolve(n), number(6));
}

TEST_F(SymbolicTest, ASizeIsAtLeastOneWhereItIsNotZero) {
  Symbolic isThere = context.logicalNot(context.isZero(n));
  EXPECT_EQ(context.isAtLeastZero(context.sub(n, number(1))), isThere);
  EXPECT_EQ(context.isAtLeastZero(context.sub(context.scale(n, 3), number(2))),
            isThere);
  // If n is zero, 0 can be substituted for it.
  EXPECT_EQ(context.select(isThere, number(0), context.scale(n, -1)),
            number(0));
  Symbolic odd = context.sub(context.scale(n, 2), number(1));
  EXPECT_EQ(context.select(isThere, odd, number(0)),
            context.max(odd, number(0)));
  // Here both differ for n = 1.
  Symbolic less = context.sub(n, number(2));
  EXPECT_NE(context.select(isThere, less, number(0)),
            context.max(less, number(0)));
}

//===-- Limits ----------------------------------------------------------------===//

TEST_F(SymbolicTest, WhatHasNoNumberIsUndefined) {
  Symbolic undefined = context.getUndefined();
  Symbolic most = number(INT64_MAX), least = number(INT64_MIN);
  EXPECT_EQ(context.add(most, number(1)), undefined);
  EXPECT_EQ(context.sub(least, number(1)), undefined);
  EXPECT_EQ(context.mul(most, number(2)), undefined);
  EXPECT_EQ(context.scale(least, -1), undefined);
  EXPECT_EQ(context.scale(context.scale(n, INT64_MAX), 2), undefined);
  EXPECT_EQ(context.floorDiv(n, number(0)), undefined);
  EXPECT_EQ(context.mod(n, number(0)), undefined);
  EXPECT_EQ(context.floorDiv(least, number(-1)), undefined);
}

TEST_F(SymbolicTest, UndefinedStaysUndefined) {
  Symbolic undefined = context.getUndefined();
  using Operation = Symbolic (SymbolicContext::*)(Symbolic, Symbolic);
  for (Operation operation :
       {&SymbolicContext::add, &SymbolicContext::sub, &SymbolicContext::mul,
        &SymbolicContext::floorDiv, &SymbolicContext::ceilDiv,
        &SymbolicContext::mod, &SymbolicContext::min, &SymbolicContext::max,
        &SymbolicContext::equal, &SymbolicContext::atMost,
        &SymbolicContext::logicalAnd, &SymbolicContext::logicalOr})
    for (Symbolic other : {n, number(0), number(3), undefined}) {
      EXPECT_EQ((context.*operation)(undefined, other), undefined);
      EXPECT_EQ((context.*operation)(other, undefined), undefined);
    }
  EXPECT_EQ(context.isZero(undefined), undefined);
  EXPECT_EQ(context.isAtLeastZero(undefined), undefined);
  EXPECT_EQ(context.logicalNot(undefined), undefined);
  EXPECT_EQ(context.resolve(undefined), undefined);
}

TEST_F(SymbolicTest, NumbersAtTheLimitsAreCalculatedWith) {
  // Every operation on every pair, with a name in it: no intermediate result may
  // overflow.
  using Operation = Symbolic (SymbolicContext::*)(Symbolic, Symbolic);
  llvm::SmallVector<Symbolic> operands;
  for (int64_t limit : {INT64_MIN, INT64_MIN + 1, int64_t(-1), int64_t(0),
                        int64_t(3), INT64_MAX - 1, INT64_MAX}) {
    operands.push_back(number(limit));
    operands.push_back(context.add(n, number(limit)));
    operands.push_back(context.scale(n, limit));
    operands.push_back(context.add(context.scale(m, limit), number(limit)));
  }
  for (Operation operation :
       {&SymbolicContext::add, &SymbolicContext::sub, &SymbolicContext::mul,
        &SymbolicContext::floorDiv, &SymbolicContext::ceilDiv,
        &SymbolicContext::mod, &SymbolicContext::min, &SymbolicContext::max,
        &SymbolicContext::equal, &SymbolicContext::atMost})
    for (Symbolic left : operands)
      for (Symbolic right : operands) {
        Symbolic result = (context.*operation)(left, right);
        // No operation may return a constant that its own bounds exclude.
        if (result->isConstant())
          EXPECT_TRUE(result->getBounds().contains(result->getConstant()));
      }
  EXPECT_EQ(context.floorDiv(number(INT64_MIN), number(3)),
            number(-3074457345618258603));
  expectSame("(N - 9223372036854775807) floordiv 2",
             "(N + 1) floordiv 2 - 4611686018427387904");
}

TEST_F(SymbolicTest, ExpressionsStayBounded) {
  Symbolic square = context.add(context.add(n, m), number(1));
  unsigned steps = 0;
  for (; steps < 100 && !square->isUndefined(); ++steps) {
    EXPECT_LE(square->getSize(), SymbolicContext::maxSize);
    square = context.mul(square, square);
  }
  EXPECT_LT(steps, 10u);
  // The same with expressions that are not polynomials, and with sums that only get
  // longer.
  Symbolic nested = n, sum = n;
  for (int i = 1; i < 1000; ++i) {
    Symbolic atom = context.getAtom("n" + std::to_string(i));
    if (!nested->isUndefined())
      nested = context.max(context.mul(nested, nested), atom);
    if (!sum->isUndefined())
      sum = context.add(sum, atom);
  }
  EXPECT_TRUE(nested->isUndefined());
  EXPECT_TRUE(sum->isUndefined());
}
