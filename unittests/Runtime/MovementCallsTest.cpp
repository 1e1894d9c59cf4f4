// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallTesting.h"
#include "lib/Dialect/ONNX/Ops/Scatter/ScatterCalls.h"

using namespace invar;
using namespace invar::testing;

// Concat

static Call concat(InvarDataType type, int64_t axis, int threads = 1) {
  return {"Concat", {type}, {{"axis", Ints{axis}}}, threads};
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

// Elements by position

TEST(MovementCalls, TakeNumbersElementsOfAllOperands) {
  Call take = {"Take", {INVAR_STRING}};
  rt::Value ab = strings({1, 2}, {"a", "b"}), none = strings({0}, {}),
            c = strings({}, {"c"});
  rt::Value taken = take({tensor<int64_t>({2, 2}, {3, 0, 2, 1}), ab, none, c});
  EXPECT_EQ(taken.sizes(), (Ints{2, 2}));
  EXPECT_EQ(stringsOf(taken), (Strings{"c", "", "b", "a"}));
  EXPECT_EQ(take({vectorOf(Ints()), ab}).count(), 0);
  EXPECT_EQ(take.whyFails({vectorOf(Ints{4}), ab, none, c}),
            "expected places from 0 to 3, but got 4");
  EXPECT_EQ(take.whyFails({vectorOf(Ints{-1}), ab}),
            "expected places from 0 to 2, but got -1");
  EXPECT_EQ(take.whyFails({vectorOf(Ints{1}), none}),
            "expected places from 0 to 0, but got 1");
  EXPECT_EQ(take.whyFails({vectorOf(Ints{1}), ab, scalar(int64_t(1))}),
            "expected operand 2 of Take to be of type string, but got "
            "tensor(int64)[]");
  EXPECT_EQ(take.whyFails({ab, ab}),
            "expected operand 0 of Take to be of type int64, but got "
            "tensor(string)[1,2]");
}

TEST(MovementCalls, TakesOfManyElementsAreShared) {
  rt::Value x = countUp<float>({1 << 15}), y = countUp<float>({3});
  Ints backwards;
  for (int64_t i = x.count(); i-- > 0;)
    backwards.push_back(i + 1);
  backwards.push_back(0);
  backwards.push_back(x.count() + 3);
  Call take = {"Take", {INVAR_FLOAT32}, {}, 3};
  rt::Value taken = take({vectorOf(backwards), x, y});
  const auto *elements = taken.data<float>();
  for (int64_t i = 0; i < x.count(); ++i)
    ASSERT_EQ(elements[i], float(x.count() - 1 - i));
  EXPECT_EQ(elements[x.count()], 0);
  EXPECT_EQ(elements[x.count() + 1], 2);
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

// Scatters

static Call scatter(const char *name, InvarDataType type,
                    invar::Reduction reduction) {
  return {name, {type}, {{"reduction", Ints{int64_t(reduction)}}}};
}

TEST(MovementCalls, ScattersUpdateInOrder) {
  rt::Value x = vectorOf<float>({1, 2, 3}), updates = vectorOf<float>({5, 7});
  rt::Value twice = vectorOf<int64_t>({-1, 2});
  auto updated = [&](invar::Reduction reduction) {
    return elementsOf<float>(scatter("ScatterElements", INVAR_FLOAT32,
                                     reduction)({x, twice, updates}));
  };
  EXPECT_EQ(updated(invar::Reduction::None), (Floats{1, 2, 7}));
  EXPECT_EQ(updated(invar::Reduction::Add), (Floats{1, 2, 15}));
  EXPECT_EQ(updated(invar::Reduction::Mul), (Floats{1, 2, 105}));
  EXPECT_EQ(updated(invar::Reduction::Max), (Floats{1, 2, 7}));
  EXPECT_EQ(updated(invar::Reduction::Min), (Floats{1, 2, 3}));
  // The operand is unchanged.
  EXPECT_EQ(elementsOf<float>(x), (Floats{1, 2, 3}));
  EXPECT_EQ(scatter("ScatterElements", INVAR_FLOAT32, invar::Reduction(9))
                .whyFails({x, twice, updates}),
            "expected elements that the reduction combines, but got float");
  EXPECT_EQ(scatter("ScatterElements", INVAR_FLOAT32, invar::Reduction::None)
                .whyFails({x, twice, x}),
            "expected 2 updates of 1 elements, but got tensor(float)[3]");

  Call texts = scatter("ScatterElements", INVAR_STRING, invar::Reduction::Add);
  rt::Value words = vectorOf(Strings{"a", "", "c"});
  EXPECT_EQ(stringsOf(texts({words, twice, vectorOf(Strings{"x", "y"})})),
            (Strings{"a", "", "cxy"}));
  EXPECT_EQ(scatter("ScatterElements", INVAR_STRING, invar::Reduction::Mul)
                .whyFails({words, twice, vectorOf(Strings{"x", "y"})}),
            "expected elements that the reduction combines, but got string");
}

TEST(MovementCalls, ScatterNDUpdatesSlices) {
  rt::Value x = countUp<float>({2, 2});
  rt::Value rows = tensor<int64_t>({2, 1}, {1, 1});
  rt::Value updates = tensor<float>({2, 2}, {10, 20, 30, 40});
  EXPECT_EQ(
      elementsOf<float>(scatter("ScatterND", INVAR_FLOAT32,
                                invar::Reduction::Add)({x, rows, updates})),
      (Floats{0, 1, 42, 63}));
  EXPECT_EQ(
      elementsOf<float>(scatter("ScatterND", INVAR_FLOAT32,
                                invar::Reduction::None)({x, rows, updates})),
      (Floats{0, 1, 30, 40}));
  EXPECT_EQ(scatter("ScatterND", INVAR_FLOAT32, invar::Reduction::None)
                .whyFails({x, tensor<int64_t>({1, 1}, {2}), updates}),
            "expected an index from -2 to 1, but got 2");
  // Halves round after each update: 2048 + 1 + 1 stays 2048.
  rt::Value half = patterns<uint16_t>(INVAR_FLOAT16, {0x6800});
  rt::Value ones = patterns<uint16_t>(INVAR_FLOAT16, {0x3c00, 0x3c00});
  EXPECT_EQ(patternsOf<uint16_t>(
                scatter("ScatterND", INVAR_FLOAT16, invar::Reduction::Add)(
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
