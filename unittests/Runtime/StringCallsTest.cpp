// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallTesting.h"

#include <cmath>

using namespace invar;
using namespace invar::testing;

using Bools = std::vector<uint8_t>;

static Bools boolsOf(const rt::Value &tensor) {
  EXPECT_EQ(tensor.dataType(), INVAR_BOOL);
  return patternsOf<uint8_t>(tensor);
}

TEST(StringCalls, EqualBroadcasts) {
  Call equal = {"Equal", {INVAR_BOOL}};
  rt::Value column = strings({2, 1}, {"a", "b"});
  rt::Value found = equal({column, vectorOf(Strings{"b", "", "a"})});
  EXPECT_EQ(found.sizes(), (Ints{2, 3}));
  EXPECT_EQ(boolsOf(found), (Bools{0, 0, 1, 1, 0, 0}));
  EXPECT_EQ(equal.whyFails({vectorOf(Strings{"a", "b"}),
                            vectorOf(Strings{"a", "b", "c"})}),
            "expected tensors that broadcast, but got tensor(string)[2] and "
            "tensor(string)[3]");
  EXPECT_EQ(boolsOf(equal({vectorOf<float>({NAN, 0, 1}),
                           vectorOf<float>({NAN, -0.0f, 2})})),
            (Bools{0, 1, 0}));
  EXPECT_EQ(boolsOf(equal({vectorOf<int64_t>({INT64_MAX, 3}),
                           vectorOf<int64_t>({INT64_MAX - 1, 3})})),
            (Bools{0, 1}));
}

TEST(StringCalls, ConcatJoinsPairs) {
  Call concat = {"StringConcat", {INVAR_STRING}};
  EXPECT_EQ(stringsOf(concat(
                {vectorOf(Strings{"a", ""}), strings({}, {"\xc3\xbc"})})),
            (Strings{"a\xc3\xbc", "\xc3\xbc"}));
  EXPECT_EQ(concat({strings({0}, {}), strings({1}, {"x"})}).count(), 0);
}

// Splitting

static Call split(std::vector<ProgramBuilder::Attribute> attributes) {
  return {"StringSplit", {INVAR_STRING, INVAR_INT64}, std::move(attributes)};
}

TEST(StringCalls, SplitIsByDelimiters) {
  auto found = split({{"delimiter", Strings{"-"}}, {"max_splits", Ints{-1}}})
                   .mustRun({vectorOf(Strings{"a--b", "", "-"})});
  EXPECT_EQ(found[0].sizes(), (Ints{3, 3}));
  EXPECT_EQ(stringsOf(found[0]),
            (Strings{"a", "", "b", "", "", "", "", "", ""}));
  EXPECT_EQ(elementsOf<int64_t>(found[1]), (Ints{3, 1, 2}));
}

TEST(StringCalls, SplitIsByRunsOfSpace) {
  auto found = split({{"max_splits", Ints{-1}}})
                   .mustRun({vectorOf(Strings{" a\t b  ", "  ", "c"})});
  EXPECT_EQ(stringsOf(found[0]), (Strings{"a", "b", "", "", "c", ""}));
  EXPECT_EQ(elementsOf<int64_t>(found[1]), (Ints{2, 0, 1}));
  // The remainder keeps its trailing spaces.
  auto rest = split({{"max_splits", Ints{1}}})
                  .mustRun({vectorOf(Strings{"a  b c ", " a "})});
  EXPECT_EQ(stringsOf(rest[0]), (Strings{"a", "b c ", "a", ""}));
  EXPECT_EQ(elementsOf<int64_t>(rest[1]), (Ints{2, 1}));
}

// Normalizing

static Call normalize(std::string_view action, bool isCaseSensitive,
                      Strings stops) {
  return {"StringNormalizer",
          {INVAR_STRING},
          {{"locale", Strings{"en_US"}},
           {"changes_case", Ints{action != "NONE"}},
           {"to_upper", Ints{action == "UPPER"}},
           {"ignores_case", Ints{!isCaseSensitive}},
           {"stopwords", std::move(stops)}}};
}

TEST(StringCalls, WordsChangeTheirCase) {
  rt::Value x = vectorOf(Strings{"Stra\xc3\x9f"
                                 "e",
                                 "\xc3\x84pfel", "b\xff"});
  EXPECT_EQ(stringsOf(normalize("UPPER", 1, {})({x})),
            (Strings{"STRA\xc3\x9f"
                     "E",
                     "\xc3\x84PFEL", "B\xff"}));
  EXPECT_EQ(stringsOf(normalize("LOWER", 1, {})({x})),
            (Strings{"stra\xc3\x9f"
                     "e",
                     "\xc3\xa4pfel", "b\xff"}));
  // Letters of three and four bytes, and invalid ones.
  rt::Value others = vectorOf(
      Strings{"\xe1\xb8\x80", "\xf0\x90\x90\x80", "\xe1\xb8", "\xc0\x80"});
  EXPECT_EQ(
      stringsOf(normalize("LOWER", 1, {})({others})),
      (Strings{"\xe1\xb8\x81", "\xf0\x90\x90\xa8", "\xe1\xb8", "\xc0\x80"}));
}

TEST(StringCalls, StopWordsAreLeftOut) {
  rt::Value x = strings({1, 3}, {"The", "cat", "the"});
  rt::Value exact = normalize("NONE", 1, {"the"})({x});
  EXPECT_EQ(exact.sizes(), (Ints{1, 2}));
  EXPECT_EQ(stringsOf(exact), (Strings{"The", "cat"}));
  EXPECT_EQ(stringsOf(normalize("UPPER", 0, {"tHe"})({x})), (Strings{"CAT"}));
  EXPECT_EQ(stringsOf(normalize("NONE", 0, {"the", "cat"})({x})),
            (Strings{""}));
  EXPECT_EQ(normalize("NONE", 0, {}).whyFails({strings({2, 1}, {"a", "b"})}),
            "expected a row of strings, but got tensor(string)[2,1]");
}

// Patterns

TEST(StringCalls, PatternsMatchAll) {
  Call match = {"RegexFullMatch",
                {INVAR_BOOL},
                {{"pattern", Strings{R"(\w+@[a-z]+\.com)"}}}};
  EXPECT_EQ(boolsOf(match(
                {vectorOf(Strings{"a@b.com", "a@b.com!", "", "x@mail.com"})})),
            (Bools{1, 0, 0, 1}));
  Call wrong = {"RegexFullMatch", {INVAR_BOOL}, {{"pattern", Strings{"(a"}}}};
  EXPECT_EQ(wrong.whyFails({vectorOf(Strings{"a"})}),
            "expected a pattern of RE2, but got '(a': missing ): (a");
}

// N-grams

TEST(StringCalls, NGramsAreCounted) {
  std::vector<ProgramBuilder::Attribute> attributes = {
      {"mode", Ints{0}},
      {"min_gram_length", Ints{1}},
      {"max_gram_length", Ints{2}},
      {"max_skip_count", Ints{1}},
      {"ngram_counts", Ints{0, 2}},
      {"ngram_indexes", Ints{0, 1, 3}},
      {"pool", Strings{"a", "b", "a", "b"}}};
  Call count = {"TfIdfVectorizer", {INVAR_FLOAT32}, attributes};
  rt::Value x = strings({2, 4}, {"a", "x", "b", "b", "c", "c", "c", "c"});
  rt::Value found = count({x});
  EXPECT_EQ(found.sizes(), (Ints{2, 4}));
  EXPECT_EQ(elementsOf<float>(found), (Floats{1, 2, 0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(count({vectorOf(Strings{"b"})}).sizes(), (Ints{4}));

  attributes[0].values = Ints{2};
  attributes.push_back({"weights", Doubles{2, 3, 4}});
  Call weigh = {"TfIdfVectorizer", {INVAR_FLOAT32}, attributes};
  EXPECT_EQ(elementsOf<float>(weigh({x})), (Floats{2, 6, 0, 4, 0, 0, 0, 0}));

  EXPECT_EQ(weigh.whyFails({vectorOf<int64_t>({0})}),
            "expected a pool of words like those of the texts, but got others");

  attributes[5].values = Ints{0, 1, -3};
  Call wrong = {"TfIdfVectorizer", {INVAR_FLOAT32}, attributes};
  EXPECT_EQ(wrong.whyFails({x}),
            "expected 'ngram_indexes' of at least 0, but got -3");
}
