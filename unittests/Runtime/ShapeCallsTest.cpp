// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime functions that repeat, pad, permute and reshape elements of any type.
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
static Call onStrings(const char *name,
                      std::vector<ProgramBuilder::Attribute> attributes = {}) {
  return {name, {INVAR_STRING}, std::move(attributes)};
}

// Repeating

TEST(ShapeCalls, RangesStopBeforeTheirLimit) {
  Call ints = {"Range", {INVAR_INT64}}, floats = {"Range", {INVAR_FLOAT32}};
  auto count = [&](int64_t from, int64_t to, int64_t by) {
    return elementsOf<int64_t>(
        ints({scalar(from), tensor<int64_t>({1}, {to}), scalar(by)}));
  };
  EXPECT_EQ(count(1, 8, 3), (Ints{1, 4, 7}));
  EXPECT_EQ(count(1, 7, 3), (Ints{1, 4}));
  EXPECT_EQ(count(3, -3, -2), (Ints{3, 1, -1}));
  EXPECT_EQ(count(3, 3, 1), Ints());
  EXPECT_EQ(count(3, 1, 1), Ints());
  EXPECT_EQ(count(INT64_MAX - 1, INT64_MAX, INT64_MAX), Ints{INT64_MAX - 1});
  EXPECT_EQ(
      elementsOf<float>(floats({scalar(0.5f), scalar(1.6f), scalar(0.5f)})),
      (Floats{0.5f, 1.0f, 1.5f}));
  EXPECT_EQ(ints.whyFails(
                {scalar(int64_t(0)), scalar(int64_t(1)), scalar(int64_t(0))}),
            "expected steps other than 0, but got 0");
  EXPECT_EQ(ints.whyFails({scalar(int64_t(0)), vectorOf<int64_t>({1, 2}),
                           scalar(int64_t(1))}),
            "expected operand 1 of Range to have 1 elements, but got "
            "tensor(int64)[2]");
}

TEST(ShapeCalls, ExpandRepeats) {
  Call expand = onStrings("Expand");
  rt::Value x = letters({2, 1}, "ab");
  rt::Value wide = expand({x, vectorOf<int64_t>({2, 1, 3})});
  EXPECT_EQ(wide.sizes(), (Ints{2, 2, 3}));
  EXPECT_EQ(lettersOf(wide), "aaabbbaaabbb");
  EXPECT_EQ(expand({x, vectorOf<int64_t>({})}).sizes(), (Ints{2, 1}));
  EXPECT_EQ(expand({x, vectorOf<int64_t>({2, 0})}).sizes(), (Ints{2, 0}));
  EXPECT_EQ(expand.whyFails({x, vectorOf<int64_t>({3, 1})}),
            "expected sizes to expand tensor(string)[2,1] to, but got "
            "tensor(string)[3,1]");
  EXPECT_EQ(expand.whyFails({x, vectorOf<int64_t>(Ints(70, 1))}).substr(0, 8),
            "expected");
}

TEST(ShapeCalls, TileRepeats) {
  Call tile = onStrings("Tile");
  rt::Value x = letters({2, 2}, "abcd");
  rt::Value tiled = tile({x, vectorOf<int64_t>({2, 2})});
  EXPECT_EQ(tiled.sizes(), (Ints{4, 4}));
  EXPECT_EQ(lettersOf(tiled), "ababcdcdababcdcd");
  EXPECT_EQ(tile({x, vectorOf<int64_t>({0, 2})}).sizes(), (Ints{0, 4}));
  EXPECT_EQ(tile.whyFails({x, vectorOf<int64_t>({INT64_MAX, 1})}),
            "expected repeats of at least 0, whose product with sizes is below "
            "2^63, but got 9223372036854775807");
  EXPECT_EQ(tile.whyFails({x, vectorOf<int64_t>({1})}),
            "expected operand 1 of Tile to have 2 elements, but got "
            "tensor(int64)[1]");
}

TEST(ShapeCalls, WhereChooses) {
  Call where = onStrings("Where");
  rt::Value condition = patterns<uint8_t>(INVAR_BOOL, {1, 0});
  EXPECT_EQ(
      lettersOf(where({condition, letters({3, 1}, "abc"), letters({}, "z")})),
      "azbzcz");
  EXPECT_EQ(where.whyFails(
                {vectorOf<int64_t>({1}), letters({}, "a"), letters({}, "b")}),
            "expected operand 0 of Where to be of type bool, but got "
            "tensor(int64)[1]");
}

TEST(ShapeCalls, OneHotIsOneOfTwo) {
  rt::Value values = letters({2}, "-x");
  rt::Value hot = onStrings("OneHot")(
      {vectorOf<int64_t>({1, -1, 3}), scalar(int64_t(3)), values});
  EXPECT_EQ(hot.sizes(), (Ints{3, 3}));
  EXPECT_EQ(lettersOf(hot), "-x---x---");
  rt::Value first = onStrings("OneHot", {{"axis", Ints{0}}})(
      {vectorOf<float>({1, 0.5f}), scalar(int64_t(2)), values});
  EXPECT_EQ(lettersOf(first), "--x-");
  EXPECT_EQ(onStrings("OneHot", {{"axis", Ints{2}}})
                .whyFails({vectorOf<int64_t>({1}), scalar(int64_t(2)), values}),
            "expected an axis from -2 to 1, but got 2");
}

TEST(ShapeCalls, ConstantsHaveTheirType) {
  rt::Value sizes = vectorOf<int64_t>({2, 1});
  Call ones = {"ConstantOfShape", {INVAR_INT32}, {{"value", Ints{1}}}};
  EXPECT_EQ(elementsOf<int32_t>(ones({sizes})), (std::vector<int32_t>{1, 1}));
  Call zeros = {"ConstantOfShape", {INVAR_FLOAT32}};
  EXPECT_EQ(elementsOf<float>(zeros({sizes})), (Floats{0, 0}));
  EXPECT_EQ(zeros({vectorOf<int64_t>({})}).sizes(), (Ints{}));
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

// Padding

static Call pad(const char *mode) {
  return onStrings("Pad", {{"mode", Strings{mode}}});
}

TEST(ShapeCalls, PadAddsAndCrops) {
  rt::Value x = letters({2, 3}, "abcdef");
  rt::Value padded = pad("constant")({x, vectorOf<int64_t>({1, -1, 0, 1})});
  EXPECT_EQ(padded.sizes(), (Ints{3, 3}));
  EXPECT_EQ(lettersOf(padded), "...bc.ef.");
  EXPECT_EQ(
      lettersOf(pad("constant")({x, vectorOf<int64_t>({1, 0}), letters({}, "*"),
                                 vectorOf<int64_t>({-1})})),
      "*abc*def");
  EXPECT_EQ(pad("constant").whyFails({x, vectorOf<int64_t>({0, 0, -3, 0})}),
            "expected borders of axis 0 that leave 0 to 1152921504606846976 of "
            "2 elements, but got 0 and -3");
  EXPECT_EQ(pad("constant").whyFails({x, vectorOf<int64_t>({0, 0})}),
            "expected 'pads' to have 4 numbers, but got 2");
}

TEST(ShapeCalls, PadContinues) {
  rt::Value x = letters({3}, "abc");
  rt::Value five = vectorOf<int64_t>({5, 4});
  EXPECT_EQ(lettersOf(pad("edge")({x, five})), "aaaaaabccccc");
  EXPECT_EQ(lettersOf(pad("wrap")({x, five})), "bcabcabcabca");
  EXPECT_EQ(lettersOf(pad("reflect")({x, five})), "babcbabcbabc");
  // Cropped elements do not take part.
  EXPECT_EQ(lettersOf(pad("wrap")({x, vectorOf<int64_t>({-1, 2})})), "bcbc");
  EXPECT_EQ(lettersOf(pad("edge")(
                {letters({2, 2}, "abcd"), vectorOf<int64_t>({1, 1, 0, 0})})),
            "aabaabccd");
  EXPECT_EQ(pad("edge").whyFails({letters({0}, ""), five}),
            "expected something to fill the border with");
}

// Permuting

TEST(ShapeCalls, TransposePermutes) {
  rt::Value x = letters({2, 1, 3}, "abcdef");
  EXPECT_EQ(lettersOf(onStrings("Transpose")({x})), "adbecf");
  rt::Value turned = onStrings("Transpose", {{"perm", Ints{2, 0, 1}}})({x});
  EXPECT_EQ(turned.sizes(), (Ints{3, 2, 1}));
  EXPECT_EQ(onStrings("Transpose", {{"perm", Ints{0, 0, 1}}}).whyFails({x}),
            "expected 'perm' to have each of 3 axes once, but it has not");
}

TEST(ShapeCalls, BlocksMoveToDepthAndBack) {
  rt::Value x = letters({1, 1, 2, 4}, "abcdefgh");
  for (const char *mode : {"DCR", "CRD"}) {
    std::vector<ProgramBuilder::Attribute> attributes = {
        {"blocksize", Ints{2}}, {"mode", Strings{mode}}};
    rt::Value deep = onStrings("SpaceToDepth", attributes)({x});
    EXPECT_EQ(deep.sizes(), (Ints{1, 4, 1, 2}));
    EXPECT_EQ(lettersOf(deep), "acbdegfh");
    EXPECT_EQ(lettersOf(onStrings("DepthToSpace", attributes)({deep})),
              "abcdefgh");
  }
  EXPECT_EQ(
      onStrings("DepthToSpace", {{"blocksize", Ints{2}}}).whyFails({x}),
      "expected channels by blocks of 2, but got tensor(string)[1,1,2,4]");
  EXPECT_EQ(onStrings("SpaceToDepth", {{"blocksize", Ints{3}}}).whyFails({x}),
            "expected an image of blocks of 3, but got "
            "tensor(string)[1,1,2,4]");
}

TEST(ShapeCalls, SequencesAreReversed) {
  rt::Value x = letters({3, 2}, "abcdef");
  EXPECT_EQ(
      lettersOf(onStrings("ReverseSequence")({x, vectorOf<int64_t>({2, 3})})),
      "cfadeb");
  Call byRows = onStrings("ReverseSequence",
                          {{"batch_axis", Ints{0}}, {"time_axis", Ints{1}}});
  EXPECT_EQ(lettersOf(byRows({x, vectorOf<int64_t>({2, 1, 0})})), "bacdef");
  EXPECT_EQ(byRows.whyFails({x, vectorOf<int64_t>({3, 1, 0})}),
            "expected lengths from 0 to 2, but got 3");
}

// Reshaping

TEST(ShapeCalls, ReshapeReadsSizes) {
  rt::Value x = countUp<float>({2, 3, 4});
  Call reshape = {"Reshape", {INVAR_FLOAT32}};
  EXPECT_EQ(reshape({x, vectorOf<int64_t>({0, -1})}).sizes(), (Ints{2, 12}));
  EXPECT_EQ(reshape({x, vectorOf<int64_t>({24})}).data<float>()[23], 23);
  EXPECT_EQ(reshape.whyFails({x, vectorOf<int64_t>({-1, -1})}),
            "expected sizes, one of them -1 at most, but got "
            "tensor(float)[-1,-1]");
  EXPECT_EQ(reshape.whyFails({x, vectorOf<int64_t>({5, -1})}),
            "expected sizes for the elements of tensor(float)[2,3,4], but got "
            "tensor(float)[5,4]");
  Call exact = {"Reshape", {INVAR_FLOAT32}, {{"allowzero", Ints{1}}}};
  EXPECT_EQ(exact({countUp<float>({0, 3}), vectorOf<int64_t>({3, 0})}).sizes(),
            (Ints{3, 0}));
}

TEST(ShapeCalls, FlattenMakesTwoAxes) {
  rt::Value x = countUp<float>({2, 3, 4});
  auto flatten = [&](int64_t axis) {
    return Call{"Flatten", {INVAR_FLOAT32}, {{"axis", Ints{axis}}}};
  };
  EXPECT_EQ(flatten(2)({x}).sizes(), (Ints{6, 4}));
  EXPECT_EQ(flatten(0)({x}).sizes(), (Ints{1, 24}));
  EXPECT_EQ(flatten(-2)({x}).sizes(), (Ints{2, 12}));
  EXPECT_EQ(flatten(4).whyFails({x}),
            "expected an axis from -3 to 3, but got 4");
}

TEST(ShapeCalls, AxesOfOneComeAndGo) {
  rt::Value x = countUp<float>({1, 3, 1});
  Call squeeze = {"Squeeze", {INVAR_FLOAT32}},
       unsqueeze = {"Unsqueeze", {INVAR_FLOAT32}};
  EXPECT_EQ(squeeze({x}).sizes(), (Ints{3}));
  EXPECT_EQ(squeeze({x, vectorOf<int64_t>({-1})}).sizes(), (Ints{1, 3}));
  EXPECT_EQ(squeeze.whyFails({x, vectorOf<int64_t>({1})}),
            "expected a size of 1 along axis 1, but got 3");
  EXPECT_EQ(unsqueeze({x, vectorOf<int64_t>({-1, 0})}).sizes(),
            (Ints{1, 1, 3, 1, 1}));
  EXPECT_EQ(unsqueeze.whyFails({x, vectorOf<int64_t>({0, -5})}),
            "expected axes that differ, but got one twice");
  EXPECT_EQ(unsqueeze.whyFails({x, vectorOf<int64_t>({4})}),
            "expected an axis from -4 to 3, but got 4");
}

TEST(ShapeCalls, SizesAreRead) {
  rt::Value x = countUp<float>({2, 3, 4});
  auto shape = [&](int64_t start, int64_t end) {
    Call call = {
        "Shape", {INVAR_INT64}, {{"start", Ints{start}}, {"end", Ints{end}}}};
    return elementsOf<int64_t>(call({x}));
  };
  EXPECT_EQ(shape(0, 9), (Ints{2, 3, 4}));
  EXPECT_EQ(shape(-2, -1), (Ints{3}));
  EXPECT_EQ(shape(2, 1), (Ints{}));
  Call size = {"Size", {INVAR_INT64}};
  EXPECT_EQ(elementsOf<int64_t>(size({x})), (Ints{24}));
}
