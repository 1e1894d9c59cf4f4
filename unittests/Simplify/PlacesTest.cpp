// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the order of operators in a changing block, compared with MLIR's own order.
#include "../../lib/Simplify/Places.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace invar;

namespace {

class PlacesTest : public testing::Test {
protected:
  PlacesTest() { append(100); }

  Operation *makeBefore(Operation *next) {
    OpBuilder builder(&context);
    if (next)
      builder.setInsertionPoint(next);
    else
      builder.setInsertionPointToEnd(module->getBody());
    return ModuleOp::create(builder, builder.getUnknownLoc());
  }
  void append(size_t count) {
    for (size_t i = 0; i < count; ++i)
      ops.push_back(makeBefore(nullptr));
  }
  void erase(size_t index) {
    places.forget(ops[index]);
    ops[index]->erase();
    ops.erase(ops.begin() + ptrdiff_t(index));
  }
  void expectRight(Operation *a, Operation *b) {
    EXPECT_EQ(places.isBefore(a, b), a->isBeforeInBlock(b));
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  std::vector<Operation *> ops;
  Places places;
};

TEST_F(PlacesTest, AnyChanges) {
  std::mt19937 random(1);
  auto draw = [&] { return size_t(random() % ops.size()); };
  for (int i = 0; i < 20'000; ++i) {
    switch (random() % 4) {
    case 0:
      ops.push_back(makeBefore(ops[draw()]));
      break;
    case 1:
      if (ops.size() > 2)
        erase(draw());
      break;
    case 2: {
      Operation *moved = ops[draw()], *place = ops[draw()];
      if (moved != place) {
        places.forget(moved);
        moved->moveBefore(place);
      }
      break;
    }
    default:
      expectRight(ops[draw()], ops[draw()]);
    }
  }
}

// Halving a gap repeatedly exhausts it; then all operators are renumbered.
TEST_F(PlacesTest, OnePlace) {
  Operation *before = ops[49], *after = ops[50];
  for (int i = 0; i < 200; ++i) {
    Operation *made = makeBefore(after);
    EXPECT_TRUE(places.isBefore(before, made));
    EXPECT_TRUE(places.isBefore(made, after));
    EXPECT_FALSE(places.isBefore(after, made));
    before = made;
  }
  for (size_t i = 1; i < ops.size(); ++i)
    EXPECT_TRUE(places.isBefore(ops[i - 1], ops[i]));
}

TEST_F(PlacesTest, TheSame) { EXPECT_FALSE(places.isBefore(ops[7], ops[7])); }

// An operator that moves to another block has no number there.
TEST_F(PlacesTest, AnotherBlock) {
  expectRight(ops[10], ops[20]);
  auto inner = cast<ModuleOp>(ops[0]);
  ops[20]->moveBefore(inner.getBody(), inner.getBody()->end());
  ops[10]->moveBefore(inner.getBody(), inner.getBody()->end());
  expectRight(ops[10], ops[20]);
  expectRight(ops[9], ops[30]);
}

} // namespace
