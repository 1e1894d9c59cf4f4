// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests facts: stated facts are used, and contradictions are rejected.
#include "invar/IndexExpr/Symbolic.h"
#include "gtest/gtest.h"

using namespace invar;

namespace {
class SymbolicFactsTest : public testing::Test {
protected:
  Symbolic parse(llvm::StringRef text) { return context.parse(text); }
  bool unify(llvm::StringRef left, llvm::StringRef right) {
    return context.unify(parse(left), parse(right));
  }
  std::string resolve(llvm::StringRef text) {
    return toString(context.resolve(parse(text)));
  }

  SymbolicContext context;
};
} // namespace

TEST_F(SymbolicFactsTest, TheOlderNameStays) {
  parse("batch");
  parse("n");
  EXPECT_TRUE(unify("n", "batch"));
  EXPECT_EQ(resolve("n"), "batch");
  EXPECT_EQ(resolve("batch"), "batch");
  EXPECT_EQ(resolve("2*n + batch"), "3*batch");
  EXPECT_EQ(context.getNumDefinitions(), 1u);
  EXPECT_TRUE(unify("batch", "n"));
  EXPECT_EQ(context.getNumDefinitions(), 1u) << "nothing new was stated";
}

TEST_F(SymbolicFactsTest, UnknownsAreDroppedBeforeNames) {
  Symbolic unknown = context.makeUnknown(), name = context.getAtom("N");
  EXPECT_TRUE(context.unify(unknown, name));
  EXPECT_EQ(context.resolve(unknown), name);
}

TEST_F(SymbolicFactsTest, EqualitiesGoThroughChains) {
  for (const char *name : {"a", "b", "c", "d"})
    parse(name);
  EXPECT_TRUE(unify("c", "d"));
  EXPECT_TRUE(unify("a", "b"));
  EXPECT_TRUE(unify("d", "b"));
  EXPECT_EQ(resolve("a - c"), "0");
  EXPECT_TRUE(unify("c", "8"));
  for (const char *name : {"a", "b", "c", "d"})
    EXPECT_EQ(resolve(name), "8");
}

TEST_F(SymbolicFactsTest, EquationsAreSolvedForOneAtom) {
  EXPECT_TRUE(unify("2*N", "8"));
  EXPECT_EQ(resolve("N"), "4");
  EXPECT_TRUE(unify("3*K + 2*N", "K + 14"));
  EXPECT_EQ(resolve("K"), "3");
  parse("L");
  EXPECT_TRUE(unify("M", "L + 1"));
  EXPECT_EQ(resolve("M*M"), "2*L + L*L + 1");
  EXPECT_EQ(resolve("(M - 1) floordiv L"), "1");
  EXPECT_EQ(resolve("max(M, L)"), "L + 1");
  EXPECT_EQ(resolve("select(iszero(M - L), 5, 6)"), "6");
}

TEST_F(SymbolicFactsTest, ContradictionsAreRefused) {
  EXPECT_FALSE(unify("3", "4"));
  EXPECT_FALSE(unify("N", "N + 1"));
  EXPECT_FALSE(unify("N", "-1")) << "a size is not negative";
  EXPECT_FALSE(unify("2*N", "7"));
  EXPECT_FALSE(unify("N + M + 1", "0"));
  EXPECT_EQ(context.getNumDefinitions(), 0u);
  EXPECT_TRUE(unify("N", "8"));
  EXPECT_FALSE(unify("N", "9"));
  EXPECT_FALSE(unify("N*M", "8*M + 1"));
  EXPECT_EQ(resolve("N"), "8");
}

TEST_F(SymbolicFactsTest, BoundsOfBothHold) {
  ASSERT_TRUE(context.setBounds(parse("N"), {1, 10}));
  ASSERT_TRUE(context.setBounds(parse("M"), {5, 20}));
  EXPECT_FALSE(unify("N", "11"));
  EXPECT_TRUE(unify("N", "M"));
  EXPECT_EQ(context.resolve(parse("M"))->getBounds(), (Bounds{5, 10}));
  EXPECT_FALSE(unify("M", "12"));
  EXPECT_TRUE(unify("M", "7"));
  EXPECT_EQ(resolve("N"), "7");
}

TEST_F(SymbolicFactsTest, SizesThatAreThereAreNotNegative) {
  EXPECT_EQ(resolve("max(N - 6, 0)"), "max(N - 6, 0)");
  context.assumeSize(parse("N - 6"));
  EXPECT_EQ(parse("N")->getBounds().least, 6);
  EXPECT_EQ(resolve("max(N - 6, 0)"), "N - 6");
  // This also applies to expressions made before the fact, when they are made again.
  EXPECT_EQ(parse("2*N")->getBounds().least, 12);
  EXPECT_FALSE(unify("N", "5"));
  // For an expression over several names, only the bound of the expression is known.
  context.assumeSize(parse("A - B"));
  EXPECT_EQ(resolve("max(A - B, 0)"), "A - B");
  EXPECT_EQ(parse("A")->getBounds().least, 0);
  context.assumeSize(parse("-3"));
  context.assumeSize(context.getUndefined());
  context.assumeSize(parse("C - 9223372036854775807 - 1"));
  EXPECT_EQ(parse("C")->getBounds().least, 0);
}

TEST_F(SymbolicFactsTest, AnAtomIsNotSaidByItself) {
  // N = N*M - 4 would define N by itself: nothing is learned, and nothing breaks.
  EXPECT_TRUE(unify("N", "N*M - 4"));
  EXPECT_EQ(context.getNumDefinitions(), 0u);
  EXPECT_TRUE(unify("K", "K floordiv 2"));
  EXPECT_EQ(resolve("K"), "K");
  // A product alone does not determine its factors, but it can define another atom.
  EXPECT_TRUE(unify("A*B", "C*D"));
  EXPECT_EQ(context.getNumDefinitions(), 0u);
  EXPECT_TRUE(unify("E", "A*B"));
  EXPECT_EQ(resolve("E floordiv A"), "B");
}

TEST_F(SymbolicFactsTest, LongChainsTakeNeitherStackNorTime) {
  // Each new fact puts another atom below all others: the worst case for recursion.
  constexpr int length = 100000;
  std::vector<Symbolic> atoms;
  for (int i = 0; i < length; ++i)
    atoms.push_back(context.getAtom("n" + std::to_string(i)));
  for (int i = length - 1; i > 0; --i)
    ASSERT_TRUE(context.unify(atoms[i], atoms[i - 1]));
  EXPECT_EQ(context.resolve(atoms.back()), atoms.front());
  // Later facts do not traverse the whole chain again.
  for (int i = 0; i < length; ++i) {
    Symbolic other = context.getAtom("m" + std::to_string(i));
    ASSERT_TRUE(context.unify(other, atoms.back()));
  }
  EXPECT_EQ(context.resolve(context.getAtom("m5")), atoms.front());
}

TEST_F(SymbolicFactsTest, LongChainsOfSumsTakeNoStack) {
  constexpr int length = 50000;
  std::vector<Symbolic> atoms;
  for (int i = 0; i < length; ++i)
    atoms.push_back(context.getAtom("n" + std::to_string(i)));
  Symbolic one = context.getConstant(1);
  for (int i = length - 1; i > 0; --i)
    ASSERT_TRUE(context.unify(atoms[i], context.add(atoms[i - 1], one)));
  EXPECT_EQ(toString(context.resolve(atoms.back())),
            "n0 + " + std::to_string(length - 1));
}
