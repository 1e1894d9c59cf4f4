// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallTesting.h"

using namespace invar;
using namespace invar::testing;

// Concat

static Call concat(InvarDataType type, int64_t axis, int threads = 1) {
  return {"Concat", {type}, {{"axis", Ints{axis}}}, threads};
}

TEST(MovementCalls, TensorsOfAnyRankBecomeRows) {
  rt::Value x = countUp<float>({2, 3, 2});
  auto rowsOf = [](const Call &call, const std::vector<rt::Value> &operands) {
    std::vector<rt::Value> made = call.mustRun(operands);
    return std::pair(made[0].sizes(), elementsOf<int64_t>(made[1]));
  };
  Call along = {"Rows",
                {INVAR_FLOAT32, INVAR_INT64},
                {{"axes", Ints{-2}}, {"keepdims", Ints{0}}}};
  EXPECT_EQ(elementsOf<float>(along({x})),
            (Floats{0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11}));
  EXPECT_EQ(rowsOf(along, {x}), std::pair(Ints({4, 3}), Ints({2, 2})));
  Call all = {"Rows", {INVAR_FLOAT32, INVAR_INT64}};
  EXPECT_EQ(rowsOf(all, {x}), std::pair(Ints({1, 12}), Ints({1, 1, 1})));
  EXPECT_EQ(rowsOf(all, {x, vectorOf<int64_t>({0, 2})}),
            std::pair(Ints({3, 4}), Ints({1, 3, 1})));
  EXPECT_EQ(rowsOf(all, {scalar(1.0f)}), std::pair(Ints({1, 1}), Ints()));
  EXPECT_EQ(rowsOf(all, {countUp<float>({2, 0}), vectorOf<int64_t>({1})}),
            std::pair(Ints({2, 0}), Ints({2, 1})));
  Call none = {"Rows",
               {INVAR_FLOAT32, INVAR_INT64},
               {{"noop_with_empty_axes", Ints{1}}}};
  EXPECT_EQ(rowsOf(none, {x}), std::pair(Ints({12, 1}), Ints({2, 3, 2})));
  EXPECT_EQ(all.whyFails({x, vectorOf<int64_t>({3})}),
            "expected an axis from -3 to 2, but got 3");
}

TEST(MovementCalls, ConcatJoinsAlongAnyAxis) {
  rt::Value a = tensor<float>({2, 1}, {1, 2});
  rt::Value b = tensor<float>({2, 2}, {3, 4, 5, 6});
  rt::Value joined = concat(INVAR_FLOAT32, -1)({a, b, a});
  EXPECT_EQ(joined.sizes(), (Ints{2, 4}));
  EXPECT_EQ(elementsOf<float>(joined), (Floats{1, 3, 4, 1, 2, 5, 6, 2}));
  EXPECT_EQ(
      concat(INVAR_FLOAT32, 0).whyFails({a, b}),
      "expected tensors to join along axis 0 with tensor(float)[2,1], but got "
      "tensor(float)[2,2]");
  EXPECT_EQ(concat(INVAR_FLOAT32, 2).whyFails({a, b}),
            "expected an axis from -2 to 1, but got 2");
  EXPECT_EQ(stringsOf(concat(INVAR_STRING, 1)(
                {strings({2, 1}, {"a", "b"}), strings({2, 1}, {"c", "d"})})),
            (Strings{"a", "c", "b", "d"}));
}

TEST(MovementCalls, ConcatSkipsWhatIsEmpty) {
  rt::Value empty = tensor<float>({0}, {}), flat = tensor<float>({2, 0}, {});
  rt::Value x = tensor<float>({2, 1}, {1, 2});
  // A single remaining operand is not copied.
  EXPECT_EQ(concat(INVAR_FLOAT32, 1)({empty, x, flat}).get(), x.get());
  EXPECT_EQ(concat(INVAR_FLOAT32, 0)({flat, flat, empty}).sizes(),
            (Ints{4, 0}));
  EXPECT_EQ(elementsOf<float>(concat(INVAR_FLOAT32, 1)({empty, x, flat, x})),
            (Floats{1, 1, 2, 2}));
  // A tensor that adds to the size must agree with the others, even without elements.
  EXPECT_EQ(
      concat(INVAR_FLOAT32, 0).whyFails({x, flat}),
      "expected tensors to join along axis 0 with tensor(float)[2,1], but got "
      "tensor(float)[2,0]");
}

TEST(MovementCalls, ConcatOfMuchIsShared) {
  // Whole parts, long rows, and rows of one element.
  for (Ints sizes : {Ints{3, 1 << 16}, Ints{1 << 16, 3}, Ints{1 << 18, 1}})
    for (int64_t axis : {0, 1}) {
      rt::Value x = countUp<int32_t>(sizes);
      rt::Value joined = concat(INVAR_INT32, axis, 3)({x, x});
      const auto *from = x.data<int32_t>(), *to = joined.data<int32_t>();
      int64_t rows = axis ? sizes[0] : 1, length = x.count() / rows;
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t half : {0, 1})
          ASSERT_TRUE(std::equal(from + row * length, from + (row + 1) * length,
                                 to + (2 * row + half) * length));
    }
}

// Slices

TEST(MovementCalls, SlicesGoEitherWay) {
  rt::Value x = strings({2, 3}, {"a", "b", "c", "d", "e", "f"});
  Call slice = {"Slice", {INVAR_STRING}};
  auto cut = [&](const Ints &starts, const Ints &ends, const Ints &axes,
                 const Ints &steps) {
    return slice(
        {x, vectorOf(starts), vectorOf(ends), vectorOf(axes), vectorOf(steps)});
  };
  EXPECT_EQ(stringsOf(cut({1}, {INT64_MAX}, {-1}, {1})),
            (Strings{"b", "c", "e", "f"}));
  EXPECT_EQ(stringsOf(cut({-1, -1}, {INT64_MIN, -4}, {0, 1}, {-1, -2})),
            (Strings{"f", "d", "c", "a"}));
  // In both directions, the largest number means the end.
  EXPECT_EQ(stringsOf(cut({1}, {INT64_MAX}, {0}, {-1})),
            (Strings{"d", "e", "f", "a", "b", "c"}));
  EXPECT_EQ(cut({5}, {9}, {0}, {1}).sizes(), (Ints{0, 3}));
  EXPECT_EQ(stringsOf(cut({0}, {9}, {1}, {INT64_MAX})), (Strings{"a", "d"}));
  EXPECT_EQ(stringsOf(cut({9}, {-9}, {1}, {INT64_MIN})), (Strings{"c", "f"}));
  auto whyNot = [&](const Ints &axes, const Ints &steps) {
    return slice.whyFails({x, vectorOf(Ints{0, 0}), vectorOf(Ints{1, 1}),
                           vectorOf(axes), vectorOf(steps)});
  };
  EXPECT_EQ(whyNot({0, 1}, {1, 0}),
            "expected steps other than 0, but got 0 for axis 1");
  EXPECT_EQ(whyNot({1, -1}, {1, 1}),
            "expected different axes, but got 1 twice");
  EXPECT_EQ(whyNot({0, 2}, {1, 1}), "expected an axis from -2 to 1, but got 2");
  EXPECT_EQ(whyNot({0}, {1, 1}),
            "expected starts, ends, axes and steps of at most 2 axes, but got "
            "2, 2, 1 and 2");
}

TEST(MovementCalls, SplitsGiveThePartsThatAreAskedFor) {
  rt::Value x = countUp<int32_t>({2, 3});
  Call split = {"Split", {INVAR_INT32, INVAR_INT32}, {{"axis", Ints{1}}}};
  auto halves = split.mustRun({x});
  EXPECT_EQ(elementsOf<int32_t>(halves[0]), (std::vector<int32_t>{0, 1, 3, 4}));
  EXPECT_EQ(halves[1].sizes(), (Ints{2, 1}));
  EXPECT_EQ(split.whyFails({x, vectorOf(Ints{1, 1})}),
            "expected parts of 3 in sum, but got 2");
  EXPECT_EQ(split.whyFails({x, vectorOf(Ints{-1, 4})}),
            "expected parts of 3 in sum, but got -1 where 3 are left");
  // The first and the third of three.
  split.attributes.push_back({"results", Ints{0, 2}});
  auto some = split.mustRun({x, vectorOf(Ints{1, 0, 2})});
  EXPECT_EQ(elementsOf<int32_t>(some[1]), (std::vector<int32_t>{1, 2, 4, 5}));
}

TEST(MovementCalls, CropsAndPadsAroundTheCentre) {
  rt::Value x = strings({1, 4}, {"a", "b", "c", "d"});
  Call call = {"CenterCropPad", {INVAR_STRING}};
  EXPECT_EQ(stringsOf(call({x, vectorOf(Ints{2, 3})})),
            (Strings{"a", "b", "c", "", "", ""}));
  call.attributes = {{"axes", Ints{-1}}};
  EXPECT_EQ(stringsOf(call({x, vectorOf(Ints{7})})),
            (Strings{"", "a", "b", "c", "d", "", ""}));
  EXPECT_EQ(call.whyFails({x, vectorOf(Ints{7, 7})}),
            "expected sizes of 1 axes, but got 2");
  EXPECT_EQ(call.whyFails({x, vectorOf(Ints{-1})}),
            "expected sizes of at least 0, but got tensor(string)[1,-1]");
}

TEST(MovementCalls, TrianglesAreKept) {
  rt::Value x = strings({2, 2}, {"a", "b", "c", "d"});
  Call upper = {"Trilu", {INVAR_STRING}};
  Call lower = {"Trilu", {INVAR_STRING}, {{"upper", Ints{0}}}};
  EXPECT_EQ(stringsOf(upper({x})), (Strings{"a", "b", "", "d"}));
  EXPECT_EQ(stringsOf(lower({x, scalar(int64_t(-1))})),
            (Strings{"", "", "c", ""}));
  EXPECT_EQ(stringsOf(upper({x, scalar(INT64_MAX)})),
            (Strings{"", "", "", ""}));
  EXPECT_EQ(stringsOf(lower({x, scalar(INT64_MAX)})),
            (Strings{"a", "b", "c", "d"}));
}

TEST(MovementCalls, CompressTakesWhatAConditionSays) {
  rt::Value x = countUp<float>({2, 3});
  rt::Value condition = tensor<bool>({3}, {false, true, true});
  EXPECT_EQ(
      elementsOf<float>(Call{"Compress", {INVAR_FLOAT32}}({x, condition})),
      (Floats{1, 2}));
  Call rows = {"Compress", {INVAR_FLOAT32}, {{"axis", Ints{0}}}};
  // More conditions than rows.
  EXPECT_EQ(elementsOf<float>(rows({x, condition})), (Floats{3, 4, 5}));
  EXPECT_EQ(rows.whyFails({x, x}),
            "expected operand 1 of Compress to be of type bool, but got "
            "tensor(float)[2,3]");
}

// Indices

TEST(MovementCalls, GathersPickByIndex) {
  rt::Value x = strings({2, 2}, {"a", "b", "c", "d"});
  Call gather = {"Gather", {INVAR_STRING}, {{"axis", Ints{1}}}};
  rt::Value picked = gather({x, tensor<int64_t>({1, 3}, {1, -2, 1})});
  EXPECT_EQ(picked.sizes(), (Ints{2, 1, 3}));
  EXPECT_EQ(stringsOf(picked), (Strings{"b", "a", "b", "d", "c", "d"}));
  EXPECT_EQ(gather.whyFails({x, scalar(int64_t(2))}),
            "expected an index from -2 to 1, but got 2");
  EXPECT_EQ(gather.whyFails({x, scalar(INT64_MIN)}),
            "expected an index from -2 to 1, but got -9223372036854775808");
  EXPECT_EQ(gather.whyFails({x, x}),
            "expected numbers, but got tensor(string)[2,2]");

  Call elements = {"GatherElements", {INVAR_STRING}};
  EXPECT_EQ(stringsOf(elements({x, tensor<int32_t>({1, 2}, {1, 0})})),
            (Strings{"c", "b"}));
  EXPECT_EQ(elements.whyFails({x, tensor<int64_t>({1, 3}, {0, 0, 0})}),
            "expected indices of size 2 at most along axis 1, but got 3");

  Call slices = {"GatherND", {INVAR_STRING}};
  EXPECT_EQ(stringsOf(slices({x, tensor<int64_t>({2, 1}, {1, 0})})),
            (Strings{"c", "d", "a", "b"}));
  EXPECT_EQ(stringsOf(slices({x, tensor<int64_t>({1, 2}, {1, -1})})),
            (Strings{"d"}));
  EXPECT_EQ(slices.whyFails({x, tensor<int64_t>({1, 3}, {0, 0, 0})}),
            "expected indices of up to 2 axes behind 0, but got "
            "tensor(int64)[1,3]");
  slices.attributes = {{"batch_dims", Ints{1}}};
  EXPECT_EQ(stringsOf(slices({x, tensor<int64_t>({2, 1}, {1, 0})})),
            (Strings{"b", "c"}));
  EXPECT_EQ(slices.whyFails({x, tensor<int64_t>({1, 1}, {1})}),
            "expected a batch of tensor(int64)[2], but got indices of "
            "tensor(int64)[1,1]");
}

TEST(MovementCalls, GathersOfManyRowsAreShared) {
  rt::Value x = countUp<int32_t>({1 << 12, 9});
  std::vector<int64_t> backwards;
  for (int64_t i = 1 << 12; i-- > 0;)
    backwards.push_back(i);
  Call gather = {"Gather", {INVAR_INT32}, {}, 3};
  rt::Value picked = gather({x, vectorOf(backwards)});
  for (int64_t i = 0; i < x.count(); ++i)
    ASSERT_EQ(picked.data<int32_t>()[i], ((1 << 12) - 1 - i / 9) * 9 + i % 9);
}

// Scatters

static Call scatter(const char *name, InvarDataType type,
                    const char *reduction) {
  return {name, {type}, {{"reduction", Strings{reduction}}}};
}

TEST(MovementCalls, ScattersUpdateInOrder) {
  rt::Value x = vectorOf<float>({1, 2, 3}), updates = vectorOf<float>({5, 7});
  rt::Value twice = vectorOf<int64_t>({-1, 2});
  auto updated = [&](const char *reduction) {
    return elementsOf<float>(scatter("ScatterElements", INVAR_FLOAT32,
                                     reduction)({x, twice, updates}));
  };
  EXPECT_EQ(updated("none"), (Floats{1, 2, 7}));
  EXPECT_EQ(updated("add"), (Floats{1, 2, 15}));
  EXPECT_EQ(updated("mul"), (Floats{1, 2, 105}));
  EXPECT_EQ(updated("max"), (Floats{1, 2, 7}));
  EXPECT_EQ(updated("min"), (Floats{1, 2, 3}));
  // The operand is unchanged.
  EXPECT_EQ(elementsOf<float>(x), (Floats{1, 2, 3}));
  EXPECT_EQ(scatter("ScatterElements", INVAR_FLOAT32, "odd")
                .whyFails({x, twice, updates}),
            "expected a reduction for elements of float, but got 'odd'");
  EXPECT_EQ(
      scatter("ScatterElements", INVAR_FLOAT32, "none").whyFails({x, twice, x}),
      "expected 2 updates of 1 elements, but got tensor(float)[3]");

  Call texts = scatter("ScatterElements", INVAR_STRING, "add");
  rt::Value words = vectorOf(Strings{"a", "", "c"});
  EXPECT_EQ(stringsOf(texts({words, twice, vectorOf(Strings{"x", "y"})})),
            (Strings{"a", "", "cxy"}));
  EXPECT_EQ(scatter("ScatterElements", INVAR_STRING, "mul")
                .whyFails({words, twice, vectorOf(Strings{"x", "y"})}),
            "expected a reduction for elements of string, but got 'mul'");
}

TEST(MovementCalls, ScatterNDUpdatesSlices) {
  rt::Value x = countUp<float>({2, 2});
  rt::Value rows = tensor<int64_t>({2, 1}, {1, 1});
  rt::Value updates = tensor<float>({2, 2}, {10, 20, 30, 40});
  EXPECT_EQ(elementsOf<float>(
                scatter("ScatterND", INVAR_FLOAT32, "add")({x, rows, updates})),
            (Floats{0, 1, 42, 63}));
  EXPECT_EQ(elementsOf<float>(scatter("ScatterND", INVAR_FLOAT32,
                                      "none")({x, rows, updates})),
            (Floats{0, 1, 30, 40}));
  EXPECT_EQ(scatter("ScatterND", INVAR_FLOAT32, "none")
                .whyFails({x, tensor<int64_t>({1, 1}, {2}), updates}),
            "expected an index from -2 to 1, but got 2");
  // Halves round after each update: 2048 + 1 + 1 stays 2048.
  rt::Value half = patterns<uint16_t>(INVAR_FLOAT16, {0x6800});
  rt::Value ones = patterns<uint16_t>(INVAR_FLOAT16, {0x3c00, 0x3c00});
  EXPECT_EQ(patternsOf<uint16_t>(scatter("ScatterND", INVAR_FLOAT16, "add")(
                {half, tensor<int64_t>({2, 1}, {0, 0}), ones})),
            std::vector<uint16_t>{0x6800});
}

TEST(MovementCalls, UpdatesMayBeTheTensorItself) {
  // The second call may change the first one's result in place, unless it also reads it.
  auto count = [](bool isUsedAgain) {
    ProgramBuilder b;
    uint32_t floats = b.anyTensor(INVAR_FLOAT32);
    uint32_t x = b.input("x", floats),
             i = b.input("i", b.anyTensor(INVAR_INT64)),
             u = b.input("u", floats);
    b.output("y", floats);
    b.output("z", floats);
    uint32_t first = b.object(), second = b.object();
    b.call("ScatterND", {x, i, u}, {first}, {floats});
    b.call("ScatterND", {first, i, isUsedAgain ? first : u}, {second},
           {floats});
    b.emit(INVAR_OP_RETURN, List{second, second});
    return mustRun(Model(b).mustLoad(),
                   {vectorOf<float>({1, 2}), tensor<int64_t>({2, 1}, {1, 0}),
                    vectorOf<float>({3, 4})});
  };
  EXPECT_EQ(elementsOf<float>(count(false)[0]), (Floats{4, 3}));
  // Its own elements are the updates: they must be read before they are written.
  EXPECT_EQ(elementsOf<float>(count(true)[0]), (Floats{3, 4}));
}

TEST(MovementCalls, CachesAreWrittenRound) {
  rt::Value cache = strings({2, 3, 1}, {"a", "b", "c", "d", "e", "f"});
  rt::Value update = strings({2, 2, 1}, {"1", "2", "3", "4"});
  Call linear = {"TensorScatter", {INVAR_STRING}};
  Call circular = {
      "TensorScatter", {INVAR_STRING}, {{"mode", Strings{"circular"}}}};
  EXPECT_EQ(stringsOf(linear({cache, update})),
            (Strings{"1", "2", "c", "3", "4", "f"}));
  EXPECT_EQ(stringsOf(linear({cache, update, vectorOf<int64_t>({1, 0})})),
            (Strings{"a", "1", "2", "3", "4", "f"}));
  EXPECT_EQ(stringsOf(circular({cache, update, vectorOf<int64_t>({2, -1})})),
            (Strings{"2", "b", "1", "4", "e", "3"}));
  EXPECT_EQ(linear.whyFails({cache, update, vectorOf<int64_t>({2, 0})}),
            "expected an index from 0 to 1, but got 2");
  EXPECT_EQ(linear.whyFails({update, cache}),
            "expected an update that fits into tensor(string)[2,2,1] along "
            "axis 1, but got tensor(string)[2,3,1]");
}
