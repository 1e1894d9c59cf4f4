// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests all rules about elements that are moved, cut and joined, exhaustively in a small
// scope (RuleScope.h). The list of rules decides what must be tested: a new rule of these
// kinds fails the test until the scope has a graph for it.
#include "RuleScope.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace invar;

namespace {

constexpr int64_t most = std::numeric_limits<int64_t>::max();
constexpr int64_t least = std::numeric_limits<int64_t>::min();

std::vector<Input> matrices(ArrayRef<int64_t> sizes) {
  std::vector<Input> inputs;
  for (int64_t size : sizes)
    inputs.push_back({{size, 2}});
  return inputs;
}

template <typename T>
std::vector<T> operator+(std::vector<T> a, const std::vector<T> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Slices after all operators that cut and join, and all pairs of operators.
void addPairs(Scope &scope, bool isLong) {
  std::vector<int64_t> bounds = {least, -3, -1, 0, 1, 2, 4, most};
  std::vector<int64_t> few = {-2, -1, 0, 1, most};
  std::vector<int64_t> steps = {1, 2, -1}, sizes = {anySize, 0, 3};
  std::vector<int64_t> borders = {0, 1, 2}, fewBorders = {0, 1};
  if (isLong) {
    few = bounds = {least, -5, -3, -2, -1, 0, 1, 2, 3, 5, most};
    steps = {1, 2, 3, -1, -2};
    sizes = {anySize, 0, 1, 2, 3, 4};
    borders = fewBorders = {-1, 0, 1, 2};
  }
  scope.addPairs(makePads(borders) + makeConcats({0, 1, 2}),
                 makeSlices(bounds, steps, 0), matrices(sizes));
  auto slices = makeSlices(few, {1, 2, -1}, 0);
  scope.addPairs(slices, slices, matrices(sizes));
  auto others = makeMovements() + makePads(fewBorders) + makeConcats({0, 1}) +
                makeSlices({-1, 0, 1}, {1}, 0) + makeSlices({-1, 1}, {1}, 1) +
                makeTransposes(2) + makeTransposes(3) + makeUnaries();
  scope.addPairs(others, others + makeReductions(isLong),
                 matrices(isLong ? sizes : std::vector<int64_t>{anySize, 2}));
}

/// Axes of size 1 that are added, removed and moved.
void addOnes(Scope &scope) {
  auto moves = makeMovements();
  scope.addPairs(moves + makeTransposes(3), moves,
                 std::vector<Input>{{{1, anySize, 1}}});
}

/// Transposes around all operators that they can be moved across.
void addTransposed(Scope &scope, bool isLong) {
  auto orders = makeTransposes(3);
  auto between = makeUnaries() + makeReductions(/*isLong=*/true) +
                 makeSlices({-1, 1}, {1, -1}, 1) + makePads({0, 1});
  if (isLong)
    between = between + makeMovements();
  auto after = makeTransposes(3) + makeTransposes(2);
  for (int64_t size : {anySize, int64_t(3)})
    for (const Step &order : orders)
      for (const Step &step : between) {
        Input input = {{size, 2, 1}};
        scope.addChain({&order, &step}, input);
        for (const Step &last : after)
          scope.addChain({&order, &step, &last}, input);
      }
  scope.finish();
}

/// Axes counted from the back, in an opset that does not support them.
void addOldAxes(Scope &scope) {
  scope.finish();
  scope.opset = 10;
  auto moves = makeMovements() + makeSlices({-1, 1}, {1}, 1) +
               makeSlices({-1, 1}, {1}, -1) + makeReductions(/*isLong=*/true);
  scope.addPairs(makeTransposes(3), moves,
                 std::vector<Input>{{{anySize, 2, 1}}});
  scope.finish();
  scope.opset = 0;
}

void runAll(bool isLong) {
  Scope scope;
  addPairs(scope, isLong);
  addOnes(scope);
  addOldAxes(scope);
  addTransposed(scope, isLong);
  addJoins(scope);
  addCasts(scope);
  addShapes(scope);
  addWindows(scope);
  addProducts(scope);
  addOthers(scope);
  scope.finish();
  llvm::outs() << scope.numCases << " graphs, " << scope.numCompared
               << " results compared, " << scope.numRefused
               << " graphs that cannot run\n";
  for (const Rule &rule : getRules()) {
    if (!isInScope(rule))
      continue;
    unsigned count = scope.applied[rule.name.str()];
    llvm::outs() << rule.name << ": " << count << "\n";
    EXPECT_GT(count, 0u) << rule.name.str() << " was never applied";
  }
  EXPECT_EQ(scope.numWrong, 0u);
}

TEST(RulesTest, SmallScope) { runAll(/*isLong=*/false); }
TEST(RulesTest, DISABLED_LongScope) { runAll(/*isLong=*/true); }

} // namespace
