// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime functions that programs call: each program is one call, or a few.
#include "Testing.h"

#include <cmath>
#include <ctime>

using namespace invar;
using namespace invar::testing;
using Attributes = std::vector<ProgramBuilder::Attribute>;
using Ints = std::vector<int64_t>;

namespace {
/// Makes a type in a builder.
using MakeType = uint32_t (*)(ProgramBuilder &);

template <InvarDataType type> uint32_t any(ProgramBuilder &b) {
  return b.anyTensor(type);
}
template <InvarDataType type> uint32_t sequenceOf(ProgramBuilder &b) {
  return b.sequence(b.anyTensor(type));
}
template <InvarDataType type> uint32_t optionalOf(ProgramBuilder &b) {
  return b.optional(b.anyTensor(type));
}
constexpr MakeType floats = any<INVAR_FLOAT32>, ints = any<INVAR_INT64>,
                   bools = any<INVAR_BOOL>, texts = any<INVAR_STRING>,
                   listOfFloats = sequenceOf<INVAR_FLOAT32>,
                   maybeFloats = optionalOf<INVAR_FLOAT32>;

struct Call {
  const char *name;
  std::vector<MakeType> operands;
  MakeType result;
  Attributes attributes = {};
  int threads = 1;
};

/// Calls the function; an empty value is omitted.
rt::Result<std::vector<rt::Value>>
tryCall(const Call &call, const std::vector<rt::Value> &values) {
  ProgramBuilder b;
  List operands;
  std::vector<rt::Value> inputs;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) {
      operands.push_back(INVAR_NONE);
      continue;
    }
    operands.push_back(b.input("x" + std::to_string(i), call.operands[i](b)));
    inputs.push_back(values[i]);
  }
  uint32_t result = b.object(), type = call.result(b);
  b.output("y", type);
  b.node("n");
  b.call(call.name, operands, {result}, {type}, b.attributes(call.attributes));
  b.emit(INVAR_OP_RETURN, List{result});
  Model model(b);
  return model.mustLoad(call.threads).run(inputs);
}

rt::Value mustCall(const Call &call, const std::vector<rt::Value> &values) {
  auto outputs = tryCall(call, values);
  EXPECT_STREQ(outputs.error().text(), "");
  return outputs ? (*outputs)[0] : rt::Value();
}

std::string whyFails(const Call &call, const std::vector<rt::Value> &values) {
  return tryCall(call, values).error().text();
}

rt::Value scalar(int64_t number) { return tensor<int64_t>({}, {number}); }
rt::Value vectorOf(std::vector<float> numbers) {
  return tensor<float>({int64_t(numbers.size())}, numbers);
}
rt::Value listOf(const std::vector<rt::Value> &items) {
  rt::Value list;
  EXPECT_FALSE(rt::Value::sequence(items).moveInto(list));
  return list;
}

/// Returns the first elements of the tensors of a sequence.
std::vector<float> firstsOf(const rt::Value &list) {
  std::vector<float> firsts;
  for (size_t i = 0; i < list.size(); ++i)
    firsts.push_back(list[i].data<float>()[0]);
  return firsts;
}
} // namespace

// Sequences

TEST(Calls, SequencesAreMadeAndAsked) {
  rt::Value a = vectorOf({1}), b = vectorOf({2, 3});
  EXPECT_EQ(mustCall({"SequenceEmpty", {}, listOfFloats}, {}).size(), 0u);
  rt::Value list =
      mustCall({"SequenceConstruct", {floats, floats}, listOfFloats}, {a, b});
  EXPECT_EQ(firstsOf(list), (std::vector<float>{1, 2}));
  EXPECT_EQ(list[1].get(), b.get());
  rt::Value length = mustCall({"SequenceLength", {listOfFloats}, ints}, {list});
  EXPECT_EQ(elementsOf<int64_t>(length), Ints{2});
  EXPECT_EQ(length.sizes(), Ints{});
  Call at = {"SequenceAt", {listOfFloats, ints}, floats};
  EXPECT_EQ(mustCall(at, {list, scalar(1)}).get(), b.get());
  EXPECT_EQ(mustCall(at, {list, scalar(-2)}).get(), a.get());
  EXPECT_EQ(whyFails(at, {list, scalar(2)}),
            "model: node 'n': expected a position from -2 to 1, but got 2");
  EXPECT_EQ(whyFails(at, {list, scalar(INT64_MIN)}),
            "model: node 'n': expected a position from -2 to 1, but got "
            "-9223372036854775808");
  EXPECT_EQ(whyFails(at, {list, tensor<int64_t>({2}, {0, 0})}),
            "model: node 'n': expected operand 1 of SequenceAt to have 1 "
            "elements, but got tensor(int64)[2]");
}

TEST(Calls, SequencesGrowAndShrink) {
  rt::Value list = listOf({vectorOf({1}), vectorOf({2})});
  Call insert = {"SequenceInsert", {listOfFloats, floats, ints}, listOfFloats};
  rt::Value item = vectorOf({9});
  EXPECT_EQ(firstsOf(mustCall(insert, {list, item})),
            (std::vector<float>{1, 2, 9}));
  EXPECT_EQ(firstsOf(mustCall(insert, {list, item, scalar(0)})),
            (std::vector<float>{9, 1, 2}));
  EXPECT_EQ(firstsOf(mustCall(insert, {list, item, scalar(-1)})),
            (std::vector<float>{1, 9, 2}));
  EXPECT_EQ(firstsOf(mustCall(insert, {list, item, scalar(2)})),
            (std::vector<float>{1, 2, 9}));
  EXPECT_EQ(whyFails(insert, {list, item, scalar(3)}),
            "model: node 'n': expected a position from -2 to 2, but got 3");
  Call erase = {"SequenceErase", {listOfFloats, ints}, listOfFloats};
  EXPECT_EQ(firstsOf(mustCall(erase, {list})), std::vector<float>{1});
  EXPECT_EQ(firstsOf(mustCall(erase, {list, scalar(0)})),
            std::vector<float>{2});
  EXPECT_EQ(firstsOf(mustCall(erase, {list, scalar(-2)})),
            std::vector<float>{2});
  EXPECT_EQ(whyFails(erase, {listOf({})}),
            "model: node 'n': expected an item in the sequence, but got none");
  // The operand is unchanged.
  EXPECT_EQ(firstsOf(list), (std::vector<float>{1, 2}));
}

TEST(Calls, ASequenceThatALoopFillsIsChangedInPlace) {
  // list = []; for i in range(n): list.insert(x); returns the list. With `keep`, each
  // previous list is read after the insertion, so it must not change.
  auto make = [](bool keep) {
    ProgramBuilder b;
    uint32_t x = b.input("x", b.anyTensor(INVAR_FLOAT32)),
             n = b.input("n", b.anyTensor(INVAR_INT64));
    uint32_t list = b.object(), before = b.object(), length = b.object();
    uint32_t type = b.sequence(b.anyTensor(INVAR_FLOAT32));
    uint32_t intType = b.anyTensor(INVAR_INT64);
    b.output("list", type);
    uint32_t zero = b.immediate(int64_t(0)), one = b.immediate(int64_t(1));
    uint32_t left = b.number();
    b.emit(INVAR_OP_LOAD, left, n, zero);
    b.call("SequenceEmpty", {}, {list}, {type});
    Label again = b.label(), end = b.label();
    b.place(again);
    b.emit(INVAR_OP_JUMP_UNLESS, left, end);
    if (keep) {
      b.emit(INVAR_OP_COPY_OBJECT, before, list);
      b.call("SequenceInsert", {list, x}, {list}, {type});
      b.call("SequenceLength", {before}, {length}, {intType});
      uint32_t expected = b.number(), got = b.number(), total = b.number();
      b.emit(INVAR_OP_LOAD, got, length, zero);
      b.emit(INVAR_OP_LOAD, total, n, zero);
      b.emit(INVAR_OP_SUB, expected, total, left);
      b.emit(INVAR_OP_EQUAL, got, got, expected);
      b.emit(INVAR_OP_CHECK, got,
             b.string("a list that is in use has changed"));
    } else {
      b.call("SequenceInsert", {list, x}, {before}, {type});
      b.emit(INVAR_OP_DROP, list);
      b.emit(INVAR_OP_COPY_OBJECT, list, before);
      b.emit(INVAR_OP_DROP, before);
    }
    b.emit(INVAR_OP_SUB, left, left, one);
    b.emit(INVAR_OP_JUMP, again);
    b.place(end);
    b.emit(INVAR_OP_RETURN, List{list});
    return Model(b);
  };
  rt::Value x = vectorOf({1});
  Model careful = make(true), fast = make(false);
  EXPECT_EQ(mustRun(careful.mustLoad(), {x, scalar(100)})[0].size(), 100u);

  // Ten times the work takes about ten times as long, not a hundred times. The thread's
  // CPU time does not depend on other load of the machine.
  rt::Session session = fast.mustLoad();
  auto getTime = [] {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
  };
  auto measure = [&](int64_t n) {
    double best = HUGE_VAL;
    for (int round = 0; round < 5; ++round) {
      double begin = getTime();
      EXPECT_EQ(mustRun(session, {x, scalar(n)})[0].size(), size_t(n));
      best = std::min(best, getTime() - begin);
    }
    return best;
  };
  measure(100'000);
  EXPECT_LT(measure(100'000) / measure(10'000), 40);
}

TEST(Calls, SequencesAreJoined) {
  Call concat = {"ConcatFromSequence", {listOfFloats}, floats};
  rt::Value a = tensor<float>({2, 1}, {1, 2}),
            b = tensor<float>({2, 2}, {3, 4, 5, 6});
  concat.attributes = {{"axis", Ints{1}}};
  rt::Value joined = mustCall(concat, {listOf({a, b})});
  EXPECT_EQ(joined.sizes(), (Ints{2, 3}));
  EXPECT_EQ(elementsOf<float>(joined), (std::vector<float>{1, 3, 4, 2, 5, 6}));
  EXPECT_EQ(
      whyFails(
          {"ConcatFromSequence", {listOfFloats}, floats, {{"axis", Ints{0}}}},
          {listOf({a, b})}),
      "model: node 'n': expected tensors to join along axis 0 with "
      "tensor(float)[2,1], but got tensor(float)[2,2]");
  EXPECT_EQ(whyFails(concat, {listOf({})}),
            "model: node 'n': expected a tensor in the sequence, but got none");
  EXPECT_EQ(
      whyFails(
          {"ConcatFromSequence", {listOfFloats}, floats, {{"axis", Ints{2}}}},
          {listOf({a})}),
      "model: node 'n': expected an axis from -2 to 1, but got 2");

  concat.attributes = {{"axis", Ints{-1}}, {"is_new", Ints{1}}};
  rt::Value stacked = mustCall(concat, {listOf({a, a, a})});
  EXPECT_EQ(stacked.sizes(), (Ints{2, 1, 3}));
  EXPECT_EQ(elementsOf<float>(stacked), (std::vector<float>{1, 1, 1, 2, 2, 2}));

  Call ofTexts = {"ConcatFromSequence",
                  {sequenceOf<INVAR_STRING>},
                  texts,
                  {{"axis", Ints{0}}}};
  EXPECT_EQ(stringsOf(mustCall(ofTexts, {listOf({strings({1}, {"a"}),
                                                 strings({2}, {"b", "c"})})})),
            (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Calls, TensorsAreCutIntoSequences) {
  rt::Value x = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  auto cut = [&](int64_t axis, rt::Value split, int64_t keepsAxis = 1) {
    std::vector<rt::Value> operands = {x};
    if (split)
      operands.push_back(split);
    return mustCall({"SplitToSequence",
                     {floats, ints},
                     listOfFloats,
                     {{"axis", Ints{axis}}, {"drops_axis", Ints{!keepsAxis}}}},
                    operands);
  };
  rt::Value rows = cut(0, {});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].sizes(), (Ints{1, 3}));
  // Contiguous parts are not copied.
  EXPECT_EQ(rows[1].data<float>(), x.data<float>() + 3);
  EXPECT_EQ(cut(0, {}, 0)[1].sizes(), Ints{3});

  rt::Value columns = cut(-1, scalar(2));
  ASSERT_EQ(columns.size(), 2u);
  EXPECT_EQ(elementsOf<float>(columns[0]), (std::vector<float>{1, 2, 4, 5}));
  EXPECT_EQ(columns[1].sizes(), (Ints{2, 1}));
  // By the standard, the attribute is ignored if `split` is given.
  EXPECT_EQ(cut(1, scalar(1), 0)[0].sizes(), (Ints{2, 1}));

  rt::Value parts = cut(1, tensor<int64_t>({3}, {1, 0, 2}));
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[1].sizes(), (Ints{2, 0}));
  EXPECT_EQ(elementsOf<float>(parts[2]), (std::vector<float>{2, 3, 5, 6}));

  Call split = {"SplitToSequence", {floats, ints}, listOfFloats};
  EXPECT_EQ(whyFails(split, {x, tensor<int64_t>({2}, {1, 2})}),
            "model: node 'n': expected parts of 2 in sum, but got 2 where 1 "
            "are left");
  EXPECT_EQ(whyFails(split, {x, tensor<int64_t>({1}, {1})}),
            "model: node 'n': expected parts of 2 in sum, but got 1");
  EXPECT_EQ(whyFails(split, {x, scalar(0)}),
            "model: node 'n': expected parts of at least 1, but got 0");
  EXPECT_EQ(whyFails(split, {tensor<float>({}, {1})}),
            "model: node 'n': expected an axis from 0 to -1, but got 0");
}

// Optionals

TEST(Calls, OptionalsAreMadeAndOpened) {
  rt::Value x = vectorOf({1}), some, none;
  some = mustCall({"Optional", {floats}, maybeFloats}, {x});
  EXPECT_EQ(some.element().get(), x.get());
  none = mustCall({"Optional", {}, maybeFloats}, {});
  EXPECT_FALSE(none.element());

  Call has = {"OptionalHasElement", {maybeFloats}, bools};
  EXPECT_EQ(elementsOf<bool>(mustCall(has, {some}))[0], true);
  EXPECT_EQ(elementsOf<bool>(mustCall(has, {none}))[0], false);
  EXPECT_EQ(elementsOf<bool>(mustCall(has, {}))[0], false);
  EXPECT_EQ(elementsOf<bool>(mustCall(has, {rt::Value()}))[0], false);
  has.operands = {floats};
  EXPECT_EQ(elementsOf<bool>(mustCall(has, {x}))[0], true);

  Call get = {"OptionalGetElement", {maybeFloats}, floats};
  EXPECT_EQ(mustCall(get, {some}).get(), x.get());
  EXPECT_EQ(whyFails(get, {none}),
            "model: node 'n': expected an optional that has a value, but got "
            "none");
  get.operands = {floats};
  EXPECT_EQ(mustCall(get, {x}).get(), x.get());
}

// Checks around a call

TEST(Calls, OperandsAndResultsAreOfTheirKinds) {
  rt::Value x = vectorOf({1});
  EXPECT_EQ(whyFails({"SequenceLength", {floats}, ints}, {x}),
            "model: node 'n': expected a sequence as operand 0 of "
            "SequenceLength, but got tensor(float)[1]");
  EXPECT_EQ(whyFails({"SequenceLength", {floats}, ints}, {rt::Value()}),
            "model: node 'n': expected a sequence as operand 0 of "
            "SequenceLength, but got nothing");
  EXPECT_EQ(whyFails({"SequenceLength", {listOfFloats}, floats}, {listOf({x})}),
            "model: node 'n': expected result 0 of SequenceLength to be "
            "tensor(float), but got tensor(int64)[]");
}

TEST(Calls, AResultMayBeLeftOut) {
  ProgramBuilder b;
  uint32_t x = b.input("x", b.anyTensor(INVAR_FLOAT32));
  b.output("y", b.anyTensor(INVAR_FLOAT32));
  b.call("NonZero", {x}, {INVAR_NONE}, {b.anyTensor(INVAR_INT64)});
  b.emit(INVAR_OP_RETURN, List{x});
  Model model(b);
  rt::Value value = vectorOf({1});
  EXPECT_EQ(mustRun(model.mustLoad(), {value})[0].get(), value.get());
}

// NonZero

TEST(Calls, NonZeroFindsCoordinates) {
  Call call = {"NonZero", {floats}, ints};
  rt::Value found =
      mustCall(call, {tensor<float>({2, 3}, {0, 1, -0.0f, NAN, 0, -2})});
  EXPECT_EQ(found.sizes(), (Ints{2, 3}));
  EXPECT_EQ(elementsOf<int64_t>(found), (Ints{0, 1, 1, 1, 0, 2}));
  EXPECT_EQ(mustCall(call, {tensor<float>({}, {5})}).sizes(), (Ints{1, 1}));
  EXPECT_EQ(mustCall(call, {tensor<float>({}, {0})}).sizes(), (Ints{1, 0}));
  EXPECT_EQ(mustCall(call, {tensor<float>({0, 4}, {})}).sizes(), (Ints{2, 0}));
  EXPECT_EQ(elementsOf<int64_t>(
                mustCall({"NonZero", {bools}, ints},
                         {tensor<bool>({4}, {true, false, true, true})})),
            (Ints{0, 2, 3}));
  EXPECT_EQ(elementsOf<int64_t>(mustCall({"NonZero", {texts}, ints},
                                         {strings({3}, {"a", "", "b"})})),
            (Ints{0, 2}));
}

// NonMaxSuppression

TEST(Calls, NonMaxSuppressionChoosesBoxes) {
  // Two classes; the second box overlaps the first, the third is alone.
  rt::Value boxes =
      tensor<float>({1, 3, 4}, {0, 0, 1, 1, 0, 0.1f, 1, 1.1f, 5, 5, 6, 6});
  rt::Value scores = tensor<float>({1, 2, 3}, {.9f, .8f, .3f, .1f, .7f, .6f});
  for (int threads : {1, 3}) {
    Call call = {"NonMaxSuppression",
                 {floats, floats, ints, floats, floats},
                 ints,
                 {},
                 threads};
    rt::Value most = scalar(5), overlap = tensor<float>({}, {.5f}),
              least = tensor<float>({1}, {.2f});
    rt::Value chosen = mustCall(call, {boxes, scores, most, overlap, least});
    EXPECT_EQ(chosen.sizes(), (Ints{4, 3}));
    EXPECT_EQ(elementsOf<int64_t>(chosen),
              (Ints{0, 0, 0, 0, 0, 2, 0, 1, 1, 0, 1, 2}));
    // Without a number of boxes, the result is empty.
    EXPECT_EQ(mustCall(call, {boxes, scores}).sizes(), (Ints{0, 3}));
    EXPECT_EQ(mustCall(call, {boxes, scores, rt::Value(), overlap}).sizes(),
              (Ints{0, 3}));
    EXPECT_EQ(
        whyFails(call, {boxes, scores, most, tensor<float>({}, {2})}),
        "model: node 'n': expected 'iou_threshold' to be from 0 to 1, but "
        "got 2.000000");
    EXPECT_EQ(whyFails(call, {scores, scores, most}),
              "model: node 'n': expected boxes of tensor(float)[1,3,4], but "
              "got tensor(float)[1,2,3]");
  }
}
