// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests expressions as text: printed text can be parsed back, and every name is
// preserved.
#include "invar/IndexExpr/Symbolic.h"
#include "gtest/gtest.h"

using namespace invar;

static std::string readAndPrint(llvm::StringRef text) {
  SymbolicContext context;
  return toString(context.parse(text));
}

TEST(SymbolicText, ReadsAsUsersWrite) {
  EXPECT_EQ(readAndPrint("2*N"), "2*N");
  EXPECT_EQ(readAndPrint("N + N"), "2*N");
  EXPECT_EQ(readAndPrint("N+N"), "2*N");
  EXPECT_EQ(readAndPrint(" N - 1 "), "N - 1");
  EXPECT_EQ(readAndPrint("1 - N"), "1 - N");
  EXPECT_EQ(readAndPrint("1 + M - N"), "M - N + 1");
  EXPECT_EQ(readAndPrint("-N - M"), "-N - M");
  EXPECT_EQ(readAndPrint("(h + 1) floordiv 2"), "(h + 1) floordiv 2");
  EXPECT_EQ(readAndPrint("2*(h floordiv 2)"), "2*(h floordiv 2)");
  EXPECT_EQ(readAndPrint("-(h floordiv 2)"), "-h floordiv 2");
  EXPECT_EQ(readAndPrint("h ceildiv 2"), "(h + 1) floordiv 2");
  EXPECT_EQ(readAndPrint("h mod 4"), "h - 4*(h floordiv 4)");
  EXPECT_EQ(readAndPrint("min(a, b)"), "min(a, b)");
  EXPECT_EQ(readAndPrint("a - max(a - 1, 0)"), "min(a, 1)");
  EXPECT_EQ(readAndPrint("max(a - 1, 0)"), "max(a - 1, 0)");
  EXPECT_EQ(readAndPrint("select(iszero(a), b, 2)"), "select(iszero(a), b, 2)");
}

TEST(SymbolicText, AMinusBindsLikeASum) {
  SymbolicContext context;
  Symbolic half =
      context.floorDiv(context.getAtom("h"), context.getConstant(2));
  EXPECT_EQ(context.parse("-h floordiv 2"), context.scale(half, -1));
  EXPECT_EQ(context.parse("1 - h floordiv 2"),
            context.sub(context.getConstant(1), half));
  EXPECT_EQ(context.parse("(-h) floordiv 2"),
            context.floorDiv(context.scale(context.getAtom("h"), -1),
                             context.getConstant(2)));
}

TEST(SymbolicText, AnyTextIsANameAtLeast) {
  for (std::string text : {std::string("batch-size"),
                           std::string("batch size"),
                           std::string("'"),
                           std::string("''a"),
                           std::string("3d"),
                           std::string("2*"),
                           std::string("max(a)"),
                           std::string("max()"),
                           std::string("f(a, b)"),
                           std::string("select(a, b)"),
                           std::string("-"),
                           std::string("--"),
                           std::string("(a"),
                           std::string("a)"),
                           std::string("a b"),
                           std::string("floordiv"),
                           std::string("a floordiv"),
                           std::string("9223372036854775808"),
                           std::string("1 floordiv 0"),
                           std::string("\xff\n\tx"),
                           std::string("\0x", 2),
                           std::string("?"),
                           std::string("%0"),
                           std::string("höhe"),
                           std::string(1 << 20, 'x'),
                           std::string(500, '('),
                           std::string(1 << 20, '('),
                           std::string(500, '-') + "-",
                           std::string("a=b"),
                           std::string("a<b")}) {
    SymbolicContext context;
    Symbolic atom = context.parse(text);
    ASSERT_TRUE(atom->isAtom()) << text;
    EXPECT_EQ(atom->getName(), text);
    EXPECT_EQ(toString(atom), text);
    EXPECT_EQ(context.parse(text), atom);
    // In an expression, the name is quoted if necessary.
    Symbolic twice = context.scale(atom, 2);
    if (text.size() < 1000)
      EXPECT_EQ(context.parse(toString(twice)), twice) << toString(twice);
  }
}

TEST(SymbolicText, HyphensBelongToNames) {
  SymbolicContext context;
  Symbolic size = context.parse("2*batch-size - batch-size");
  ASSERT_TRUE(size->isAtom());
  EXPECT_EQ(size->getName(), "batch-size");
  EXPECT_EQ(toString(context.parse("a - b")), "a - b");
}

TEST(SymbolicText, ExpressionsInNamesAreUnderstood) {
  SymbolicContext context;
  Symbolic sum = context.parse("past + seq");
  EXPECT_EQ(sum, context.add(context.getAtom("past"), context.getAtom("seq")));
  // But an existing name is not parsed as an expression.
  Symbolic name = context.getAtom("a + b");
  EXPECT_EQ(context.parse("a + b"), name);
}

TEST(SymbolicText, NamesAreQuotedInsideCalls) {
  SymbolicContext context;
  Symbolic odd = context.getAtom("a + b"), n = context.getAtom("N");
  Symbolic truth = context.equal(odd, n);
  for (Symbolic expr :
       {context.select(truth, odd, context.getConstant(2)), truth,
        context.isZero(odd), context.max(odd, n),
        context.max(n, context.getConstant(3)),
        context.floorDiv(odd, context.getAtom("it's")),
        context.floorDiv(context.getAtom("''"), context.getAtom("max")),
        context.mul(context.getAtom("mod"), context.getAtom("7"))})
    EXPECT_EQ(context.parse(toString(expr)), expr) << toString(expr);
}

TEST(SymbolicText, TextIsNoLongerThanWhatItSays) {
  // max(x + z, x + y) contains x twice: nested often enough, the text would grow
  // exponentially.
  SymbolicContext context;
  Symbolic nested = context.getAtom("x");
  for (int i = 0;; ++i) {
    Symbolic y = context.getAtom("y" + std::to_string(i)),
             z = context.getAtom("z" + std::to_string(i));
    Symbolic sum = context.add(nested, context.max(y, z));
    Symbolic next = context.floorDiv(sum, context.getConstant(2));
    if (next->isUndefined())
      break;
    nested = next;
  }
  ASSERT_GT(nested->getSize(), SymbolicContext::maxSize / 2);
  std::string text = toString(nested);
  EXPECT_LT(text.size(), 12 * SymbolicContext::maxSize) << text.substr(0, 200);
}

TEST(SymbolicText, DeepNestingIsBounded) {
  SymbolicContext context;
  std::string text = std::string(400, '(') + "N" + std::string(400, ')');
  EXPECT_EQ(context.parse(text), context.getAtom("N"));
  std::string products = "(N + 1)";
  while (products.size() < 1000)
    products += "*(N + 1)";
  // (N + 1)^125 is too large for an expression, so the text is a name.
  EXPECT_TRUE(context.parse(products)->isAtom());
}
