// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests kinds, scopes, literals, affine maps and emitted code.
#include "invar/IndexExpr/IndexExpr.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace invar;

static std::string toString(IndexExpr expr) {
  std::string text;
  llvm::raw_string_ostream(text) << expr;
  return text;
}

//===-- Literals --------------------------------------------------------------===//

TEST(IndexExpr, LiteralsNeedNoScope) {
  IndexExpr seven = 7;
  EXPECT_EQ(seven.getScope(), nullptr);
  EXPECT_EQ((seven + 1).getLiteral(), 8);
  EXPECT_EQ((seven - 9).getLiteral(), -2);
  EXPECT_EQ((IndexExpr(-7)).floorDiv(2).getLiteral(), -4);
  EXPECT_EQ((IndexExpr(-7)).ceilDiv(2).getLiteral(), -3);
  EXPECT_EQ((IndexExpr(7)).floorDiv(-2).getLiteral(), -4);
  EXPECT_EQ((IndexExpr(-7) % 3).getLiteral(), 2);
  EXPECT_EQ((IndexExpr(7) % -3).getLiteral(), -2);
  EXPECT_EQ((IndexExpr(INT64_MIN) % -1).getLiteral(), 0);
  EXPECT_EQ(seven.clamp(0, 5).getLiteral(), 5);
  EXPECT_EQ(seven.clamp(9, 8).getLiteral(), 8) << "the upper limit wins";
  EXPECT_TRUE((seven <= 7).isLiteral(1));
  EXPECT_TRUE((seven < 7).isLiteral(0));
  EXPECT_TRUE((seven != 7).isLiteral(0));
  EXPECT_TRUE(((seven == 7) & (seven > 8)).isLiteral(0));
  EXPECT_TRUE(((seven == 7) | (seven > 8)).isLiteral(1));
  EXPECT_TRUE((!(seven == 7)).isLiteral(0));
}

TEST(IndexExpr, WhatHasNoNumberIsUndefined) {
  IndexExpr most = INT64_MAX, least = INT64_MIN;
  for (IndexExpr expr :
       {most + 1, least - 1, most * 2, least * -1, IndexExpr(1).floorDiv(0),
        IndexExpr(1).ceilDiv(0), IndexExpr(1) % 0, least.floorDiv(-1),
        least.ceilDiv(-1), IndexExpr() + 1, IndexExpr() == 1, !IndexExpr(),
        IndexExpr::min(IndexExpr(), 1)}) {
    EXPECT_TRUE(expr.isUndefined());
    EXPECT_EQ(expr.getKind(), IndexExprKind::Undefined);
    EXPECT_TRUE(expr.hasQuestionmark());
    EXPECT_FALSE(expr.isAffine());
    EXPECT_FALSE(expr.isAtLeast(INT64_MIN));
    EXPECT_FALSE(expr.isKnownEqual(expr));
    EXPECT_FALSE(expr.isKnownDifferent(1));
    EXPECT_EQ(expr.getShape(), ShapedType::kDynamic);
    EXPECT_EQ(toString(expr), "undefined");
  }
  // The operand that is not selected does not matter.
  EXPECT_TRUE(IndexExpr::select(1, 5, IndexExpr()).isLiteral(5));
  EXPECT_TRUE(IndexExpr::select(0, 5, IndexExpr()).isUndefined());
}

TEST(IndexExpr, WhatNoInputsGiveAValueIsImpossible) {
  SymbolicContext context;
  IndexExprScope scope(context);
  IndexExpr most = INT64_MAX, least = INT64_MIN, half = int64_t(1) << 62;
  IndexExpr n = scope.getDim("n");
  for (IndexExpr expr :
       {most + 1, least - 1, most * 2, least * -1, IndexExpr(1).floorDiv(0),
        IndexExpr(1).ceilDiv(0), IndexExpr(1) % 0, least.floorDiv(-1),
        // Everything computed from it.
        (most + 1) - most, IndexExpr::min(most + 1, 5), n * 0 + (most + 1),
        (most + 1) == n, IndexExpr::select(n == 1, most + 1, least - 1),
        // For every size, because sizes are at least 0.
        n + half + half, (n + half) * 2}) {
    EXPECT_TRUE(expr.isImpossible());
    EXPECT_TRUE(expr.isUndefined());
    EXPECT_FALSE(expr.isKnownDifferent(1));
  }
  // An undefined value may be anything. An expression that is too large only for some
  // inputs is not impossible either.
  EXPECT_FALSE(IndexExpr().isImpossible());
  EXPECT_FALSE((IndexExpr() + 1).isImpossible());
  EXPECT_FALSE((n * half * 4).isImpossible());
  EXPECT_FALSE((n - half - half).isImpossible());
  EXPECT_FALSE(IndexExpr::select(n == 1, 5, most + 1).isImpossible());
  EXPECT_FALSE(IndexExpr::select(1, 5, most + 1).isImpossible());
  EXPECT_TRUE(most.isKnownDifferent(least));
}

//===-- Kinds and scopes ------------------------------------------------------===//

TEST(IndexExpr, KindsAreWhatTheHeaderSays) {
  SymbolicContext context;
  IndexExprScope scope(context);
  IndexExpr n = scope.getDim("n"), s = scope.getSymbol("s");
  IndexExpr unknown = scope.getQuestionmark();
  EXPECT_EQ(IndexExpr(3).getKind(), IndexExprKind::Literal);
  EXPECT_TRUE(n.isDim());
  EXPECT_TRUE(s.isSymbol());
  EXPECT_TRUE(unknown.isQuestionmark());
  EXPECT_EQ((n * 2 + s).getKind(), IndexExprKind::Affine);
  EXPECT_EQ((n + 1).floorDiv(2).getKind(), IndexExprKind::Affine);
  EXPECT_EQ((n % 4).getKind(), IndexExprKind::Affine);
  EXPECT_EQ(n.ceilDiv(4).getKind(), IndexExprKind::Affine);
  EXPECT_EQ((n * s).getKind(), IndexExprKind::NonAffine);
  EXPECT_EQ(n.floorDiv(s).getKind(), IndexExprKind::NonAffine);
  EXPECT_EQ(IndexExpr::max(n, s).getKind(), IndexExprKind::NonAffine);
  EXPECT_TRUE((n == s).isPredicate());
  EXPECT_TRUE((n < s).isPredicate());
  EXPECT_TRUE((!(n < s) & (n == 3)).isPredicate());
  EXPECT_EQ((unknown + 1).getKind(), IndexExprKind::NonAffine);
  EXPECT_TRUE((unknown + n).hasQuestionmark());
  EXPECT_TRUE((n - n).isLiteral(0));
  EXPECT_TRUE((n + 1).isKnownDifferent(n));
  EXPECT_TRUE((n + n).isKnownEqual(n * 2));
  EXPECT_TRUE((n + 1).isAtLeast(1));
  EXPECT_FALSE((n + 1).isAtLeast(2));
  EXPECT_EQ((n * 2).getShape(), ShapedType::kDynamic);
  EXPECT_EQ(toString(n * 2 + 1), "2*n + 1");
}

TEST(IndexExpr, TheWorkedExampleHolds) {
  auto outputSize = [](IndexExpr in, IndexExpr kernel, IndexExpr stride) {
    return (in - kernel).floorDiv(stride) + 1;
  };
  SymbolicContext context;
  IndexExprScope scope(context);
  EXPECT_TRUE(outputSize(224, 3, 2).isLiteral(111));
  EXPECT_EQ(toString(outputSize(scope.getDim("h"), 3, 2)),
            "(h + 1) floordiv 2 - 1");
}

TEST(IndexExprScope, TheFirstRoleStays) {
  SymbolicContext context;
  IndexExprScope scope(context);
  EXPECT_TRUE(scope.getDim("n").isDim());
  EXPECT_TRUE(scope.getSymbol("n").isDim());
  EXPECT_TRUE(scope.getSymbol("s").isSymbol());
  EXPECT_TRUE(scope.getDim("s").isSymbol());
  EXPECT_EQ(scope.getNumDims(), 1u);
  EXPECT_EQ(scope.getNumSymbols(), 1u);
}

TEST(IndexExprScope, AnOuterDimIsAnInnerSymbol) {
  SymbolicContext context;
  IndexExprScope outer(context);
  IndexExpr n = outer.getDim("n"), sum = n + outer.getDim("m");
  IndexExprScope inner(outer);
  EXPECT_TRUE(inner.import(n).isSymbol());
  EXPECT_EQ(inner.import(sum).getKind(), IndexExprKind::Affine);
  EXPECT_EQ(inner.getNumSymbols(), 2u);
  EXPECT_EQ(inner.getNumDims(), 0u);
  // A dim of this scope stays one, and the outer scope is unchanged.
  IndexExprScope other(outer);
  other.getDim("n");
  EXPECT_TRUE(other.import(n).isDim());
  EXPECT_TRUE(n.isDim());
  // The same expression, in two scopes.
  EXPECT_EQ(inner.import(sum).getSymbolic(context), sum.getSymbolic(context));
  EXPECT_TRUE((inner.import(sum) - inner.import(n)).isSymbol());
  EXPECT_TRUE(inner.import(7).isLiteral(7));
  EXPECT_TRUE(inner.import(IndexExpr()).isUndefined());
}

TEST(IndexExprDeathTest, ScopesAreNotMixed) {
  SymbolicContext context;
  IndexExprScope one(context), two(context);
  IndexExpr n = one.getDim("n"), m = two.getDim("m");
  EXPECT_DEBUG_DEATH((void)(n + m), "expected expressions of one scope");
  EXPECT_TRUE((two.import(n) + m).isDefined());
}

//===-- Affine maps and code --------------------------------------------------===//

namespace {
class IndexExprCodeTest : public testing::Test {
protected:
  IndexExprCodeTest()
      : builder(&context), loc(builder.getUnknownLoc()),
        module(ModuleOp::create(loc)) {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                        func::FuncDialect>();
    builder.setInsertionPointToEnd(module->getBody());
    SmallVector<Type> inputs(3, builder.getIndexType());
    auto function = func::FuncOp::create(builder, loc, "f",
                                         builder.getFunctionType(inputs, {}));
    block = function.addEntryBlock();
    builder.setInsertionPointToEnd(block);
  }
  std::string code() {
    std::string text;
    llvm::raw_string_ostream stream(text);
    for (Operation &op : *block)
      stream << op << "\n";
    return text;
  }

  MLIRContext context;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
  Block *block;
  SymbolicContext symbolic;
};
} // namespace

TEST_F(IndexExprCodeTest, AffineExpressionsNumberInputsByRole) {
  IndexExprScope scope(symbolic);
  IndexExpr a = scope.getDim("a"), s = scope.getSymbol("s"),
            b = scope.getDim("b");
  AffineExpr d0 = builder.getAffineDimExpr(0), d1 = builder.getAffineDimExpr(1),
             s0 = builder.getAffineSymbolExpr(0);
  EXPECT_EQ((a + b * 2 + s - 1).getAffineExpr(&context), d0 + s0 + d1 * 2 - 1);
  EXPECT_EQ((b + 1).floorDiv(2).getAffineExpr(&context), (d1 + 1).floorDiv(2));
  EXPECT_EQ(IndexExpr(5).getAffineExpr(&context),
            builder.getAffineConstantExpr(5));
  // In an inner scope the same inputs are symbols, numbered again.
  IndexExprScope inner(scope);
  EXPECT_EQ(inner.import(b + 1).getAffineExpr(&context),
            builder.getAffineSymbolExpr(0) + 1);
}

TEST_F(IndexExprCodeTest, MapsHaveOnlyWhatIsUsed) {
  IndexExprScope scope(symbolic, builder, loc);
  IndexExpr a = scope.getDim(block->getArgument(0)),
            b = scope.getDim(block->getArgument(1)),
            s = scope.getSymbol(block->getArgument(2));
  AffineMap map;
  SmallVector<Value> operands;
  (b + s * 3).getAffineMapAndOperands(scope, map, operands);
  EXPECT_EQ(map, AffineMap::get(1, 1,
                                builder.getAffineDimExpr(0) +
                                    builder.getAffineSymbolExpr(0) * 3));
  EXPECT_EQ(operands,
            (SmallVector<Value>{block->getArgument(1), block->getArgument(2)}));
  EXPECT_TRUE(a.isDim());
  operands.clear();
  IndexExpr(4).getAffineMapAndOperands(scope, map, operands);
  EXPECT_EQ(map.getSingleConstantResult(), 4);
  EXPECT_TRUE(operands.empty());
}

TEST_F(IndexExprCodeTest, EachExpressionIsEmittedOnce) {
  IndexExprScope scope(symbolic, builder, loc);
  IndexExpr a = scope.getDim(block->getArgument(0)),
            s = scope.getSymbol(block->getArgument(2));
  EXPECT_EQ(a.getValue(scope), block->getArgument(0));
  EXPECT_EQ(scope.getDim(block->getArgument(0)).getSymbolic(symbolic),
            a.getSymbolic(symbolic));
  EXPECT_TRUE(block->empty()) << code();
  Value product = (a * s).getValue(scope);
  EXPECT_EQ((s * a).getValue(scope), product);
  // An inner scope reuses the outer one's emitted code.
  IndexExprScope inner(scope);
  EXPECT_EQ(inner.import(a * s).getValue(inner), product);
  EXPECT_EQ(llvm::range_size(*block), 1u) << code();
  Value sum = (a * 2 + 1).getValue(scope);
  EXPECT_TRUE(sum.getDefiningOp<affine::AffineApplyOp>()) << code();
}

TEST_F(IndexExprCodeTest, LiteralsAreAttributesWhereTheyCanBe) {
  IndexExprScope scope(symbolic, builder, loc);
  EXPECT_EQ(
      cast<IntegerAttr>(cast<Attribute>(IndexExpr(5).getOpFoldResult(scope)))
          .getInt(),
      5);
  IndexExpr a = scope.getDim(block->getArgument(0));
  EXPECT_EQ(cast<Value>(a.getOpFoldResult(scope)), block->getArgument(0));
  Value five = IndexExpr(5).getValue(scope);
  EXPECT_EQ(five.getDefiningOp<arith::ConstantIndexOp>().value(), 5);
  EXPECT_EQ(scope.getQuestionmark().getValue(scope), nullptr);
  EXPECT_EQ(IndexExpr().getValue(scope), nullptr);
}

TEST_F(IndexExprCodeTest, WhatIsTooLargeIsEmittedOnTheWay) {
  IndexExprScope scope(symbolic, builder, loc);
  IndexExpr a = scope.getDim(block->getArgument(0)),
            s = scope.getSymbol(block->getArgument(2));
  IndexExpr power = a + s + 1;
  for (int i = 0; i < 8; ++i) {
    power = power * power;
    ASSERT_TRUE(power.isDefined());
  }
  // Also as an affine expression of emitted values.
  IndexExpr sum = power * 3 + a;
  EXPECT_TRUE(sum.getValue(scope)) << code();
  EXPECT_TRUE((power + 1).floorDiv(2).getValue(scope)) << code();
}
