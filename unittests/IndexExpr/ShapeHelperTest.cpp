// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the helpers of operators' shape functions.
#include "invar/IndexExpr/ShapeHelper.h"

#include "gtest/gtest.h"

using namespace invar;

TEST(ShapeHelper, AxesCountFromEitherEnd) {
  EXPECT_EQ(normalizeAxis(0, 3), 0);
  EXPECT_EQ(normalizeAxis(2, 3), 2);
  EXPECT_EQ(normalizeAxis(-1, 3), 2);
  EXPECT_EQ(normalizeAxis(-3, 3), 0);
  EXPECT_EQ(normalizeAxis(3, 3), std::nullopt);
  EXPECT_EQ(normalizeAxis(-4, 3), std::nullopt);
  EXPECT_EQ(normalizeAxis(0, 0), std::nullopt);
  EXPECT_EQ(normalizeAxis(INT64_MIN, 3), std::nullopt);
  EXPECT_EQ(normalizeAxis(INT64_MAX, 3), std::nullopt);
}

TEST(ShapeHelper, SizesBroadcast) {
  EXPECT_TRUE(broadcastSizes(1, 5).isLiteral(5));
  EXPECT_TRUE(broadcastSizes(5, 1).isLiteral(5));
  EXPECT_TRUE(broadcastSizes(5, 5).isLiteral(5));
  EXPECT_TRUE(broadcastSizes(1, 0).isLiteral(0));
  EXPECT_TRUE(broadcastSizes(0, 1).isLiteral(0));
  EXPECT_TRUE(broadcastSizes(5, 4).isUndefined());
  EXPECT_TRUE(broadcastSizes(5, 0).isUndefined());
}

TEST(ShapeHelper, NamesBroadcast) {
  SymbolicContext context;
  IndexExprScope scope(context);
  IndexExpr n = scope.getDim("n"), m = scope.getDim("m");
  EXPECT_TRUE(broadcastSizes(n, n).isKnownEqual(n));
  EXPECT_TRUE(broadcastSizes(n, 1).isKnownEqual(n));
  EXPECT_TRUE(broadcastSizes(1, n).isKnownEqual(n));
  // If one size is not 1, the other is 1 or the same.
  EXPECT_TRUE(broadcastSizes(n, 5).isLiteral(5));
  EXPECT_TRUE(broadcastSizes(0, n).isLiteral(0));
  EXPECT_TRUE(broadcastSizes(n + 2, m).isKnownEqual(n + 2));
  EXPECT_TRUE(broadcastSizes(m, n + 2).isKnownEqual(n + 2));
  EXPECT_TRUE(broadcastSizes(n, scope.getQuestionmark()).hasQuestionmark());

  // An undecided result must be right for all sizes.
  IndexExpr both = broadcastSizes(n, m);
  for (auto [left, right, size] :
       {std::tuple(1, 7, 7), std::tuple(7, 1, 7), std::tuple(7, 7, 7),
        std::tuple(1, 1, 1), std::tuple(0, 1, 0), std::tuple(1, 0, 0)}) {
    SymbolicContext facts;
    Symbolic expr = facts.parse(toString(both.getSymbolic(context)));
    ASSERT_TRUE(facts.unify(facts.getAtom("n"), facts.getConstant(left)));
    ASSERT_TRUE(facts.unify(facts.getAtom("m"), facts.getConstant(right)));
    EXPECT_EQ(facts.resolve(expr), facts.getConstant(size))
        << left << " and " << right;
  }
}
