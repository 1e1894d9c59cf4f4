// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests maps: how callers make and read them, and the functions that return and take
// them.
#include "CallTesting.h"

#include <cmath>

using namespace invar;
using namespace invar::testing;

namespace {
rt::Value mapOf(const rt::Value &keys, const rt::Value &values) {
  rt::Value map;
  rt::Error error = rt::Value::map(keys, values).moveInto(map);
  EXPECT_STREQ(error.text(), "");
  return map;
}

/// Runs a program of one call; `make` returns the types of its operand and result.
template <typename Make>
rt::Result<std::vector<rt::Value>>
callWith(const char *name, const rt::Value &operand,
         const std::vector<ProgramBuilder::Attribute> &attributes, Make make) {
  ProgramBuilder b;
  auto [from, to] = make(b);
  uint32_t x = b.input("x", from), y = b.object();
  b.output("y", to);
  b.node("n");
  b.call(name, List{x}, List{y}, List{to}, b.attributes(attributes));
  b.emit(INVAR_OP_RETURN, List{y});
  Model model(b);
  return model.mustLoad().run({operand});
}

rt::Result<std::vector<rt::Value>>
zip(const rt::Value &x, const ProgramBuilder::Attribute &labels) {
  bool areStrings = labels.values.index() == 2;
  return callWith("ZipMap", x, {labels}, [&](ProgramBuilder &b) {
    return std::pair(b.anyTensor(x.dataType()),
                     b.sequence(b.map(areStrings ? INVAR_STRING : INVAR_INT64,
                                      INVAR_FLOAT32)));
  });
}

rt::Result<std::vector<rt::Value>>
take(const char *name, const rt::Value &map, InvarDataType type,
     const std::vector<ProgramBuilder::Attribute> &attributes) {
  return callWith(name, map, attributes, [&](ProgramBuilder &b) {
    return std::pair(b.map(map.keys().dataType(), map.values().dataType()),
                     b.anyTensor(type));
  });
}
} // namespace

TEST(Maps, KeysAreSortedAndThereOnce) {
  rt::Value map = mapOf(vectorOf<int64_t>({7, -1, 3}),
                        vectorOf(Strings{"seven", "less", "three"}));
  EXPECT_EQ(map.kind(), INVAR_TYPE_MAP);
  EXPECT_EQ(elementsOf<int64_t>(map.keys()), (Ints{-1, 3, 7}));
  EXPECT_EQ(stringsOf(map.values()), (Strings{"less", "three", "seven"}));
  EXPECT_EQ(stringsOf(mapOf(vectorOf(Strings{"b", "", "a"}),
                            vectorOf<float>({1, 2, 3}))
                          .keys()),
            (Strings{"", "a", "b"}));
  EXPECT_EQ(mapOf(vectorOf<int64_t>({}), vectorOf<float>({})).keys().count(),
            0);
  auto why = [](const rt::Value &keys, const rt::Value &values) {
    return std::string(rt::Value::map(keys, values).error().text());
  };
  EXPECT_EQ(why(vectorOf<int64_t>({1, 2, 1}), vectorOf<float>({1, 2, 3})),
            "expected each key of a map once, but got one twice");
  EXPECT_EQ(why(vectorOf<float>({1}), vectorOf<float>({1})),
            "expected int64 or strings as keys of a map, and as many values, "
            "but got tensor(float)[1] and tensor(float)[1]");
  EXPECT_EQ(why(vectorOf<int64_t>({1, 2}), vectorOf<float>({1})),
            "expected int64 or strings as keys of a map, and as many values, "
            "but got tensor(int64)[2] and tensor(float)[1]");
  EXPECT_NE(why(scalar(int64_t(1)), vectorOf<float>({1})), "");
  EXPECT_NE(why(map, map), "");
}

TEST(Maps, RowsAreZippedWithLabels) {
  rt::Value x = tensor<float>({2, 3}, {0, 1, 2, 3, 4, 5});
  auto rows = zip(x, {"labels", Ints{3, 1, 2}});
  ASSERT_TRUE(rows) << rows.error().text();
  rt::Value list = rows->front();
  *rows = {};
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(elementsOf<int64_t>(list[1].keys()), (Ints{1, 2, 3}));
  EXPECT_EQ(elementsOf<float>(list[0].values()), (Floats{1, 2, 0}));
  EXPECT_EQ(elementsOf<float>(list[1].values()), (Floats{4, 5, 3}));
  EXPECT_EQ(list[0].keys().get(), list[1].keys().get());
  // A map outlives the others, and the session that made it.
  rt::Value last = list[1];
  list = rt::Value();
  EXPECT_EQ(elementsOf<float>(last.values()), (Floats{4, 5, 3}));

  rows = zip(vectorOf<float>({1, 2}), {"labels", Strings{"yes", "no"}});
  ASSERT_TRUE(rows) << rows.error().text();
  ASSERT_EQ(rows->front().size(), 1u);
  EXPECT_EQ(stringsOf(rows->front()[0].keys()), (Strings{"no", "yes"}));
  EXPECT_EQ(elementsOf<float>(rows->front()[0].values()), (Floats{2, 1}));

  // If two columns have the same label, the last one counts.
  rows = zip(x, {"labels", Ints{3, 1, 3}});
  ASSERT_TRUE(rows) << rows.error().text();
  EXPECT_EQ(elementsOf<float>(rows->front()[1].values()), (Floats{4, 5}));
  rows = zip(tensor<float>({0, 2}, {}), {"labels", Ints{0, 1}});
  ASSERT_TRUE(rows) << rows.error().text();
  EXPECT_EQ(rows->front().size(), 0u);

  EXPECT_STREQ(zip(x, {"labels", Ints{0, 1}}).error().text(),
               "model: node 'n': expected a score for each of 2 classes, but "
               "got tensor(float)[2,3]");
  EXPECT_STREQ(
      zip(countUp<float>({1, 2, 3}), {"labels", Ints{0, 1, 2}}).error().text(),
      "model: node 'n': expected a row or a matrix, but got "
      "tensor(float)[1,2,3]");
}

TEST(Maps, AreVectorsByAVocabulary) {
  rt::Value words = mapOf(vectorOf(Strings{"a", "z"}), vectorOf<float>({1, 3}));
  auto made = take("DictVectorizer", words, INVAR_FLOAT32,
                   {{"vocabulary", Strings{"z", "q", "a"}}});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->front().sizes(), (Ints{1, 3}));
  EXPECT_EQ(elementsOf<float>(made->front()), (Floats{3, 0, 1}));
  made = take("DictVectorizer",
              mapOf(vectorOf<int64_t>({5}), vectorOf(Strings{"five"})),
              INVAR_STRING, {{"vocabulary", Ints{4, 5}}});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(stringsOf(made->front()), (Strings{"", "five"}));
  EXPECT_STREQ(
      take("DictVectorizer", words, INVAR_FLOAT32, {{"vocabulary", Ints{1}}})
          .error()
          .text(),
      "model: node 'n': expected a vocabulary of keys of map(string, "
      "tensor(float)), but got another");
}

TEST(Maps, AreCastToTensors) {
  rt::Value numbers =
      mapOf(vectorOf<int64_t>({3, 0, 9}), vectorOf<float>({1.5f, -2.7f, 0.1f}));
  auto cast = [](const rt::Value &map, InvarDataType type,
                 bool isSparse = false, int64_t columns = 0) {
    return take("CastMap", map, type,
                {{"is_sparse", Ints{isSparse}}, {"columns", Ints{columns}}});
  };
  auto made = cast(numbers, INVAR_FLOAT32);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->front().sizes(), (Ints{1, 3}));
  EXPECT_EQ(elementsOf<float>(made->front()), (Floats{-2.7f, 1.5f, 0.1f}));
  made = cast(numbers, INVAR_INT64, true, 5);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(elementsOf<int64_t>(made->front()), (Ints{-2, 0, 0, 1, 0}));
  made = cast(numbers, INVAR_STRING, true, 4);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(stringsOf(made->front()),
            (Strings{"-2.700000", "0.f", "0.f", "1.500000"}));
  rt::Value texts =
      mapOf(vectorOf<int64_t>({1, 2}), vectorOf(Strings{"12", "-3"}));
  made = cast(texts, INVAR_INT64);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(elementsOf<int64_t>(made->front()), (Ints{12, -3}));
  EXPECT_STREQ(cast(mapOf(vectorOf<int64_t>({-1}), vectorOf<float>({1})),
                    INVAR_FLOAT32, true, 3)
                   .error()
                   .text(),
               "model: node 'n': expected keys of at least 0, but got -1");
  EXPECT_STREQ(cast(mapOf(vectorOf<int64_t>({1}), vectorOf(Strings{"no"})),
                    INVAR_FLOAT32)
                   .error()
                   .text(),
               "model: node 'n': expected a number in the map, but got 'no'");
}

TEST(Maps, AreCheckedAgainstTheirType) {
  rt::Value map = mapOf(vectorOf<int64_t>({1}), vectorOf<float>({1}));
  auto why = [&](auto type) {
    auto made =
        callWith("DictVectorizer", map, {{"vocabulary", Ints{1}}},
                 [&](ProgramBuilder &b) {
                   return std::pair(type(b), b.anyTensor(INVAR_FLOAT32));
                 });
    return std::string(made.error().text());
  };
  EXPECT_EQ(
      why([](ProgramBuilder &b) { return b.map(INVAR_STRING, INVAR_FLOAT32); }),
      "model: expected input 'x' to be map(string, tensor(float)), but got "
      "map(int64, tensor(float))");
  EXPECT_EQ(why([](ProgramBuilder &b) { return b.anyTensor(INVAR_FLOAT32); }),
            "model: expected input 'x' to be tensor(float), but got map(int64, "
            "tensor(float))");
  EXPECT_EQ(
      why([](ProgramBuilder &b) { return b.map(INVAR_INT64, INVAR_FLOAT32); }),
      "");
}
