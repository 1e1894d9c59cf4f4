// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime functions on tensors of any rank.
#include "CallTesting.h"

using namespace invar;
using namespace invar::testing;

static rt::Value letters(const Ints &sizes, const char *text) {
  Strings elements;
  for (; *text; ++text)
    elements.emplace_back(1, *text);
  return strings(sizes, elements);
}
/// Returns the strings of one letter each as a text; an empty string is a dot.
static std::string lettersOf(const rt::Value &tensor) {
  std::string text;
  for (const std::string &string : stringsOf(tensor))
    text += string.empty() ? "." : string;
  return text;
}
TEST(ShapeCalls, BroadcastGivesListsOfOneLength) {
  Call broadcast = {"Broadcast", {INVAR_STRING, INVAR_FLOAT32, INVAR_INT64}};
  auto lists =
      broadcast.mustRun({letters({2, 1}, "ab"), vectorOf<float>({1, 2})});
  EXPECT_EQ(lettersOf(lists[0]), "aabb");
  EXPECT_EQ(elementsOf<float>(lists[1]), (Floats{1, 2, 1, 2}));
  EXPECT_EQ(elementsOf<int64_t>(lists[2]), (Ints{2, 2}));
  auto scalars = broadcast.mustRun({letters({}, "a"), scalar(3.0f)});
  EXPECT_EQ(scalars[0].sizes(), (Ints{1}));
  EXPECT_EQ(scalars[2].count(), 0);
  EXPECT_EQ(broadcast.whyFails({letters({2}, "ab"), countUp<float>({3})}),
            "expected tensors that broadcast, but got tensor(string)[2] and "
            "tensor(float)[3]");
}

TEST(ShapeCalls, ReshapeHasTheListedSizes) {
  rt::Value x = countUp<float>({2, 3, 4});
  Call reshape = {"Reshape", {INVAR_FLOAT32}};
  EXPECT_EQ(reshape({x, vectorOf<int64_t>({4, 6})}).sizes(), (Ints{4, 6}));
  EXPECT_EQ(reshape({x, vectorOf<int64_t>({24})}).data<float>()[23], 23);
  EXPECT_EQ(reshape({scalar(1.0f), vectorOf(Ints())}).sizes(), Ints());
  EXPECT_EQ(
      reshape({countUp<float>({0, 3}), vectorOf<int64_t>({3, 0})}).sizes(),
      (Ints{3, 0}));
  EXPECT_EQ(reshape.whyFails({x, vectorOf<int64_t>({5, 4})}),
            "expected sizes for the elements of tensor(float)[2,3,4], but got "
            "tensor(float)[5,4]");
  EXPECT_EQ(reshape.whyFails({x, vectorOf<int64_t>({-6, -4})}),
            "expected sizes for the elements of tensor(float)[2,3,4], but got "
            "tensor(float)[-6,-4]");
}

TEST(ShapeCalls, SizesAreRead) {
  Call shape = {"Shape", {INVAR_INT64}};
  EXPECT_EQ(elementsOf<int64_t>(shape({countUp<float>({2, 3, 4})})),
            (Ints{2, 3, 4}));
  EXPECT_EQ(shape({scalar(1.0f)}).sizes(), (Ints{0}));
}
