// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallTesting.h"

#include <optional>

using namespace invar;
using namespace invar::testing;

namespace {
/// A program that adds its inputs to a stack, one after the other.
struct Stacking {
  std::optional<int64_t> expected;
  bool isReversed = false;
  int64_t axis = 0;
  /// Returns the stack without its last slice as another result, so that it must not
  /// change when the last slice is added.
  bool keepsShorter = false;

  rt::Result<std::vector<rt::Value>>
  run(const std::vector<rt::Value> &slices) const {
    ProgramBuilder b;
    uint32_t any = b.anyTensor(slices.front().dataType());
    uint32_t ofStack = b.sequence(any), ofCount = b.anyTensor(INVAR_INT64);
    List registers;
    for (size_t i = 0; i < slices.size(); ++i)
      registers.push_back(b.input("x" + std::to_string(i), any));
    std::vector<rt::Value> inputs = slices;
    List count;
    if (expected) {
      count.push_back(b.input("count", ofCount));
      inputs.push_back(scalar(*expected));
    }
    uint32_t stack = b.object(), shorter = b.object(), joined = b.object();
    b.node("n");
    b.call("StackStart", count, {stack}, {ofStack});
    for (uint32_t slice : registers) {
      if (keepsShorter && slice == registers.back())
        b.emit(INVAR_OP_COPY_OBJECT, shorter, stack);
      uint32_t next = b.object();
      b.call("StackAdd", {stack, slice}, {next}, {ofStack},
             b.attributes({{"is_reversed", Ints{isReversed}}}));
      stack = next;
    }
    uint32_t axisOf = b.attributes({{"axis", Ints{axis}}});
    b.output("all", any);
    b.call("StackFinish", {stack}, {joined}, {any}, axisOf);
    List results = {joined};
    if (keepsShorter) {
      uint32_t joinedShorter = b.object();
      b.output("shorter", any);
      b.call("StackFinish", {shorter}, {joinedShorter}, {any}, axisOf);
      results.push_back(joinedShorter);
    }
    b.emit(INVAR_OP_RETURN, results);
    return Model(b).mustLoad().run(inputs);
  }
  std::vector<rt::Value> mustRun(const std::vector<rt::Value> &slices) const {
    auto outputs = run(slices);
    EXPECT_STREQ(outputs.error().text(), "");
    return outputs ? *outputs : std::vector<rt::Value>(2);
  }
  std::string whyFails(const std::vector<rt::Value> &slices) const {
    return run(slices).error().text();
  }
};
} // namespace

TEST(StackCalls, JoinSlicesAlongAnyAxis) {
  rt::Value a = tensor<float>({2, 1}, {1, 2}),
            b = tensor<float>({2, 1}, {3, 4}),
            c = tensor<float>({2, 1}, {5, 6});
  for (std::optional<int64_t> expected : {std::optional<int64_t>(), {3}}) {
    rt::Value first = Stacking{expected}.mustRun({a, b, c})[0];
    EXPECT_EQ(first.sizes(), (Ints{3, 2, 1}));
    EXPECT_EQ(elementsOf<float>(first), (Floats{1, 2, 3, 4, 5, 6}));
    rt::Value last = Stacking{expected, false, -1}.mustRun({a, b, c})[0];
    EXPECT_EQ(last.sizes(), (Ints{2, 1, 3}));
    EXPECT_EQ(elementsOf<float>(last), (Floats{1, 3, 5, 2, 4, 6}));
  }
  EXPECT_EQ(elementsOf<float>(Stacking{3, true}.mustRun({a, b, c})[0]),
            (Floats{5, 6, 3, 4, 1, 2}));
  EXPECT_EQ(elementsOf<float>(Stacking{3, true, 1}.mustRun({a, b, c})[0]),
            (Floats{5, 3, 1, 6, 4, 2}));
}

TEST(StackCalls, GrowWhileTheNumberOfSlicesIsUnknown) {
  // Slices of many sizes around that of the first room, and without elements.
  for (int64_t size : {0, 1, 100, 1000, 1024, 5000}) {
    std::vector<rt::Value> slices;
    Floats all;
    for (int i = 0; i < 70; ++i) {
      auto elements = Floats(size_t(size), float(i));
      all.insert(all.end(), elements.begin(), elements.end());
      slices.push_back(vectorOf(elements));
    }
    rt::Value joined = Stacking().mustRun(slices)[0];
    EXPECT_EQ(joined.sizes(), (Ints{70, size}));
    EXPECT_EQ(elementsOf<float>(joined), all);
  }
}

TEST(StackCalls, HoldStrings) {
  std::vector<rt::Value> slices;
  Strings all;
  for (int i = 0; i < 300; ++i) {
    all.push_back("text " + std::to_string(i));
    slices.push_back(vectorOf(Strings{all.back()}));
  }
  EXPECT_EQ(stringsOf(Stacking().mustRun(slices)[0]), all);
  EXPECT_EQ(stringsOf(Stacking{300}.mustRun(slices)[0]), all);
}

TEST(StackCalls, AreNotChangedWhileTheyAreInUse) {
  rt::Value a = vectorOf<float>({1, 2}), b = vectorOf<float>({3, 4}),
            c = vectorOf<float>({5, 6});
  auto results = Stacking{{}, false, 0, true}.mustRun({a, b, c});
  EXPECT_EQ(elementsOf<float>(results[0]), (Floats{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(elementsOf<float>(results[1]), (Floats{1, 2, 3, 4}));
}

TEST(StackCalls, RefuseWhatDoesNotFit) {
  rt::Value a = vectorOf<float>({1, 2}), b = vectorOf<float>({3});
  EXPECT_EQ(
      Stacking().whyFails({a, b}),
      "model: node 'n': expected slices like the first, tensor(float)[2], "
      "but got tensor(float)[1]");
  EXPECT_EQ(Stacking{1}.whyFails({a, a}),
            "model: node 'n': expected at most 1 slices, but got more");
  EXPECT_EQ(Stacking{3}.whyFails({a, a}),
            "model: node 'n': expected 3 slices, but got 2");
  EXPECT_EQ(
      (Stacking{{}, true}.whyFails({a, a})),
      "model: node 'n': expected a known number of slices to add in reverse");
  EXPECT_EQ((Stacking{2, false, 2}.whyFails({a, a})),
            "model: node 'n': expected an axis from -2 to 1, but got 2");
  EXPECT_EQ(Stacking{INT64_MAX}.whyFails({a}),
            "model: node 'n': expected less than 2^63 bytes, but got "
            "tensor(float)[9223372036854775807,2]");
}

TEST(StackCalls, RefuseOtherSequences) {
  rt::Value number = tensor<int64_t>({2}, {5, -1}),
            wrong = tensor<int64_t>({1}, {0});
  for (const auto &items :
       std::vector<std::vector<rt::Value>>{{},
                                           {wrong},
                                           {number},
                                           {number, wrong},
                                           {vectorOf<float>({0, 0}), wrong}}) {
    ProgramBuilder b;
    uint32_t any = b.anyTensor(INVAR_INT64), type = b.sequence(any);
    uint32_t list = b.input("list", type), x = b.input("x", any),
             made = b.object();
    b.output("y", type);
    b.node("n");
    b.call("StackAdd", {list, x}, {made}, {type});
    b.emit(INVAR_OP_RETURN, List{made});
    auto sequence = rt::Value::sequence(items);
    ASSERT_TRUE(sequence);
    auto outputs = Model(b).mustLoad().run({*sequence, wrong});
    EXPECT_FALSE(outputs);
  }
}
