// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests planned memory: where tensors are placed, and that a wrong plan does no harm.
#include "Testing.h"

#include <limits>

using namespace invar;
using namespace invar::testing;

namespace {
/// With the address sanitizer, each tensor is allocated separately.
constexpr bool ignoresPlans = !canMeasureMemory;

/// Writes the addresses of the other tensors to the last one, as integers.
struct Addresses {
  static void run(void *const *tensors, const int64_t *numbers, int64_t,
                  int64_t, void *) {
    for (int64_t i = 0; i < numbers[0]; ++i)
      static_cast<int64_t *>(tensors[numbers[0]])[i] = int64_t(tensors[i]);
  }
  static void plan(const int64_t *, InvarKernelPlan *plan) {
    *plan = {1, 1, 0};
  }
};

/// A program that places tensors at offsets of a block and returns their addresses.
struct Placed {
  struct Place {
    int64_t offset, unit, size;
    InvarDataType type = INVAR_UINT8;
  };

  Placed(int64_t blockBytes, int64_t blockUnit,
         const std::vector<Place> &places) {
    auto count = int64_t(places.size());
    b.output("addresses", b.tensor(INVAR_INT64, {int(count)}));
    uint32_t block = b.block(), length = b.immediate(count);
    List tensors;
    b.emit(INVAR_OP_RESERVE, block, blockBytes, b.immediate(blockUnit));
    for (const Place &place : places) {
      tensors.push_back(b.object());
      uint32_t unit = b.immediate(place.unit), size = b.immediate(place.size);
      b.emit(INVAR_OP_ALLOCATE_AT, tensors.back(), place.type, block,
             place.offset, unit, List{size});
    }
    tensors.push_back(b.object());
    b.emit(INVAR_OP_ALLOCATE, tensors.back(), INVAR_INT64, List{length});
    b.emit(INVAR_OP_KERNEL,
           b.kernel({&Addresses::run, &Addresses::plan, "addresses"}), tensors,
           List{length});
    b.emit(INVAR_OP_RETURN, List{tensors.back()});
  }

  ProgramBuilder b;
};
} // namespace

TEST(Blocks, TensorsLieWhereTheyArePlanned) {
  if (ignoresPlans)
    GTEST_SKIP()
        << "under the address sanitizer tensors lie apart, in no block";
  Placed placed(100, 64,
                {{0, 64, 640}, {10, 64, 640}, {10, 64, 64}, {99, 64, 64}});
  Model model(placed.b);
  rt::Session session = model.mustLoad();
  auto at = elementsOf<int64_t>(mustRun(session, {})[0]);
  EXPECT_EQ(at[0] % 64, 0);
  EXPECT_EQ(at[1], at[0] + 640);
  EXPECT_EQ(at[2], at[1]);
  EXPECT_EQ(at[3], at[0] + 6336);
  // The block is reused.
  EXPECT_EQ(elementsOf<int64_t>(mustRun(session, {})[0]), at);
}

TEST(Blocks, WhatDoesNotFitIsElsewhere) {
  constexpr int64_t huge = std::numeric_limits<int64_t>::max();
  Placed placed(1, 1000,
                {{0, 1000, 1000},
                 {64, 1, 1000},             // beyond the end
                 {1024, 1, 0},              // after the end
                 {1, 1, 10},                // not aligned
                 {64, huge, 10},            // offset overflows
                 {64, -1, 10},              // before the beginning
                 {0, 1, 1, INVAR_STRING}}); // strings own memory
  Model model(placed.b);
  auto at = elementsOf<int64_t>(mustRun(model.mustLoad(), {})[0]);
  for (size_t i = 1; i < at.size(); ++i)
    EXPECT_TRUE(at[i] < at[0] || at[i] >= at[0] + 1000) << i;
}

TEST(Blocks, ABlockThatCannotBeIsNotMissed) {
  constexpr int64_t huge = std::numeric_limits<int64_t>::max();
  for (auto [bytes, unit] : {std::pair<int64_t, int64_t>{huge, 1},
                             {huge, huge},
                             {64, -1},
                             {-1, 1},
                             {huge / 4, 1}}) {
    Placed placed(bytes, unit, {{0, 1, 100}, {0, 1, 100}});
    Model model(placed.b);
    auto at = elementsOf<int64_t>(mustRun(model.mustLoad(), {})[0]);
    EXPECT_NE(at[0], at[1]);
  }
}

TEST(Blocks, ATensorThatIsGivenAwayStaysAsItIs) {
  // The program returns a planned tensor, so the next run must use another block.
  ProgramBuilder b;
  uint32_t x = b.input("x", b.tensor(INVAR_FLOAT32, {4}));
  b.output("y", b.tensor(INVAR_FLOAT32, {4}));
  uint32_t block = b.block(), one = b.immediate(int64_t(1)),
           four = b.immediate(int64_t(4)), y = b.object();
  b.emit(INVAR_OP_RESERVE, block, int64_t(64), one);
  b.emit(INVAR_OP_ALLOCATE_AT, y, INVAR_FLOAT32, block, int64_t(0), one,
         List{four});
  b.emit(INVAR_OP_KERNEL, addTwiceKernel(b), List{x, y}, List{four});
  b.emit(INVAR_OP_RETURN, List{y});
  Model model(b);
  rt::Session session = model.mustLoad();
  auto first = mustRun(session, {tensor<float>({4}, {1, 2, 3, 4})});
  auto second = mustRun(session, {tensor<float>({4}, {5, 6, 7, 8})});
  EXPECT_EQ(elementsOf<float>(first[0]), (std::vector<float>{2, 4, 6, 8}));
  EXPECT_EQ(elementsOf<float>(second[0]), (std::vector<float>{10, 12, 14, 16}));
}

TEST(Blocks, ACallWritesItsResultWhereItIsWanted) {
  if (ignoresPlans)
    GTEST_SKIP()
        << "under the address sanitizer tensors lie apart, in no block";
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {2});
  uint32_t joinedType = b.tensor(INVAR_FLOAT32, {4});
  uint32_t x = b.input("x", type);
  b.output("addresses", b.tensor(INVAR_INT64, {3}));
  b.output("joined", joinedType);
  uint32_t block = b.block(), one = b.immediate(int64_t(1)),
           three = b.immediate(int64_t(3)), four = b.immediate(int64_t(4));
  uint32_t place = b.object(), joined = b.object(), other = b.object(),
           addresses = b.object();
  b.emit(INVAR_OP_RESERVE, block, int64_t(128), one);
  auto plan = [&](uint32_t to) {
    b.emit(INVAR_OP_ALLOCATE_AT, to, INVAR_FLOAT32, block, int64_t(64), one,
           List{four});
  };
  auto join = [&](uint32_t to) {
    b.call("Concat", {x, x}, {to}, {joinedType},
           b.attributes({{"axis", std::vector<int64_t>{0}}}));
  };
  plan(place);
  plan(joined);
  join(joined);
  // The allocation is not directly before the call, so the call replaces the register's
  // value.
  plan(other);
  b.emit(INVAR_OP_COPY_NUMBER, one, one);
  join(other);
  b.emit(INVAR_OP_ALLOCATE, addresses, INVAR_INT64, List{three});
  b.emit(INVAR_OP_KERNEL,
         b.kernel({&Addresses::run, &Addresses::plan, "addresses"}),
         List{place, joined, other, addresses}, List{three});
  b.emit(INVAR_OP_RETURN, List{addresses, joined});
  Model model(b);
  auto outputs = mustRun(model.mustLoad(), {tensor<float>({2}, {1, 2})});
  auto at = elementsOf<int64_t>(outputs[0]);
  EXPECT_EQ(at[0], at[1]);
  EXPECT_NE(at[0], at[2]);
  EXPECT_EQ(elementsOf<float>(outputs[1]), (std::vector<float>{1, 2, 1, 2}));
}

TEST(Blocks, TheNumberOfABlockIsChecked) {
  auto whyNot = [](uint32_t reserved, uint32_t placed) {
    Placed program(64, 1, {{0, 1, 1}});
    List &code = program.b.code;
    for (size_t i = 0; i < code.size(); ++i) {
      if (code[i] == INVAR_OP_RESERVE && code[i + 2] == 64)
        code[i + 1] = reserved;
      if (code[i] == INVAR_OP_ALLOCATE_AT && code[i + 2] == INVAR_UINT8)
        code[i + 3] = placed;
    }
    return Model(program.b).whyNot();
  };
  EXPECT_EQ(whyNot(0, 0), "");
  EXPECT_NE(
      whyNot(1, 0).find("expected the number of a block below 1, but got 1"),
      std::string::npos);
  EXPECT_NE(
      whyNot(0, 7).find("expected the number of a block below 1, but got 7"),
      std::string::npos);
}
