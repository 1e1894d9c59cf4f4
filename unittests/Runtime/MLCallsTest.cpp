// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime functions of classic models, together with the reference kernels.
#include "CallTesting.h"
#include "invar/Kernels/Scores.h"
#include "invar/Kernels/Trees.h"

#include <cmath>

using namespace invar;
using namespace invar::testing;

using kernels::ScoreTransform;
using Attributes = std::vector<ProgramBuilder::Attribute>;

/// The number of a setting that is an enum.
template <typename Enum> static int64_t toInt(Enum value) {
  return int64_t(value);
}

static void expectNear(const rt::Value &tensor, const Floats &expected) {
  Floats numbers = elementsOf<float>(tensor);
  ASSERT_EQ(numbers.size(), expected.size());
  for (size_t i = 0; i < numbers.size(); ++i)
    EXPECT_NEAR(numbers[i], expected[i], 1e-5) << i;
}

// Features

TEST(MLCalls, FeaturesArePickedAndJoined) {
  Call pick = {"ArrayFeatureExtractor", {INVAR_STRING}};
  rt::Value names = strings({2, 2}, {"a", "b", "c", "d"});
  EXPECT_EQ(stringsOf(pick({names, vectorOf<int64_t>({1, 1})})),
            (Strings{"b", "b", "d", "d"}));
  EXPECT_EQ(pick({strings({2}, {"a", "b"}), vectorOf<int64_t>({0})}).sizes(),
            (Ints{1, 1}));
  EXPECT_EQ(pick.whyFails({names, vectorOf<int64_t>({2})}),
            "expected an index from 0 to 1, but got 2");
  EXPECT_EQ(pick.whyFails({names, vectorOf<int64_t>({-1})}),
            "expected an index from 0 to 1, but got -1");

  Call join = {"FeatureVectorizer", {INVAR_FLOAT32}, {{"columns", Ints{1, 3}}}};
  EXPECT_EQ(elementsOf<float>(
                join({countUp<float>({2, 2}), countUp<int64_t>({2, 2})})),
            (Floats{0, 0, 1, 0, 2, 2, 3, 0}));
  EXPECT_EQ(join.whyFails({countUp<float>({2, 2}), countUp<float>({3, 2})}),
            "expected 2 rows, but got tensor(float)[3,2]");
}

TEST(MLCalls, RowsAreNormalized) {
  auto normalize = [](kernels::Norm norm) {
    return Call{"Normalizer", {INVAR_FLOAT32}, {{"norm", Ints{int64_t(norm)}}}}(
        {tensor<float>({2, 2}, {3, -4, 0, 0})});
  };
  expectNear(normalize(kernels::Norm::L2), {0.6f, -0.8f, 0, 0});
  expectNear(normalize(kernels::Norm::L1), {3.0f / 7, -4.0f / 7, 0, 0});
  expectNear(normalize(kernels::Norm::Max), {1, -4.0f / 3, 0, 0});
}

// Tables

TEST(MLCalls, LabelsAreLookedUp) {
  Call encode = {"LabelEncoder",
                 {INVAR_INT64},
                 {{"keys", Strings{"a", "b", "a"}},
                  {"values", Ints{1, 2, 3}},
                  {"otherwise", Ints{9}}}};
  EXPECT_EQ(elementsOf<int64_t>(encode({vectorOf(Strings{"b", "x", "a"})})),
            (Ints{2, 9, 1}));
  Call decode = {"LabelEncoder",
                 {INVAR_STRING},
                 {{"keys", Doubles{0, NAN}},
                  {"values", Strings{"zero", "none"}},
                  {"otherwise", Strings{"?"}}}};
  EXPECT_EQ(stringsOf(decode({vectorOf<float>({-0.0f, -NAN, 1})})),
            (Strings{"zero", "none", "?"}));
  Call widen = {"LabelEncoder",
                {INVAR_FLOAT64},
                {{"keys", Ints{5}},
                 {"values", Doubles{0.1}},
                 {"otherwise", Doubles{0.2}}}};
  EXPECT_EQ(elementsOf<double>(widen({vectorOf<int32_t>({5, 6})})),
            (Doubles{0.1, 0.2}));
  // Integers are compared with keys that are floats as numbers, not as bits.
  Call mixed = {"LabelEncoder",
                {INVAR_INT64},
                {{"keys", Doubles{5, 0.5}},
                 {"values", Ints{1, 2}},
                 {"otherwise", Ints{0}}}};
  EXPECT_EQ(elementsOf<int64_t>(
                mixed({vectorOf<int64_t>({5, 0, 0x3fe0000000000000})})),
            (Ints{1, 0, 0}));
  Call wrong = {
      "LabelEncoder",
      {INVAR_INT64},
      {{"keys", Strings{"a"}}, {"values", Ints{1, 2}}, {"otherwise", Ints{0}}}};
  EXPECT_EQ(wrong.whyFails({vectorOf(Strings{"a"})}),
            "expected a value for each of 1 keys and one other, but got 2 and "
            "1");
}

TEST(MLCalls, KeysMustDifferWhereRuntimesMustAgree) {
  auto whyFails = [](auto keys, const rt::Value &x) {
    Call encode = {"LabelEncoder",
                   {INVAR_INT64},
                   {{"keys", keys},
                    {"values", Ints{1, 2}},
                    {"otherwise", Ints{9}},
                    {"expects_agreement", Ints{1}}}};
    return encode.whyFails({x});
  };
  EXPECT_EQ(whyFails(Ints{4, 5}, vectorOf<int64_t>({4})), "");
  const char *why = "expected keys of the elements' kind that differ";
  EXPECT_EQ(whyFails(Ints{4, 4}, vectorOf<int64_t>({4})), why);
  EXPECT_EQ(whyFails(Ints{4, 5}, vectorOf(Strings{"4"})), why);
  EXPECT_EQ(whyFails(Doubles{0, NAN}, vectorOf<float>({4})), why);
}

TEST(MLCalls, CategoriesAreOneHot) {
  Attributes attributes = {{"keys", Ints{7, 8}}, {"zeros", Ints{1}}};
  Call encode = {"OneHotEncoder", {INVAR_FLOAT32}, attributes};
  rt::Value hot = encode({vectorOf<float>({8, 7.5f})});
  EXPECT_EQ(hot.sizes(), (Ints{2, 2}));
  EXPECT_EQ(elementsOf<float>(hot), (Floats{0, 1, 0, 0}));
  attributes[1].values = Ints{0};
  Call strict = {"OneHotEncoder", {INVAR_FLOAT32}, attributes};
  EXPECT_EQ(strict.whyFails({vectorOf<int64_t>({7, 9})}),
            "expected elements that are categories, but element 1 is none");
}

// Linear models and support vectors

TEST(MLCalls, LinearModelsScore) {
  rt::Value x = tensor<float>({2, 2}, {1, 2, -3, 0});
  Call regress = {"LinearRegressor",
                  {INVAR_FLOAT32},
                  {{"coefficients", Doubles{1, 2, 3, 4}},
                   {"intercepts", Doubles{0, 10}},
                   {"targets", Ints{2}}}};
  expectNear(regress({x}), {5, 21, -3, 1});
  EXPECT_EQ(regress.whyFails({countUp<float>({2, 3})}),
            "expected 6 entries of 'coefficients', but got 4");

  // One score for two classes.
  Call classify = {"LinearClassifier",
                   {INVAR_STRING, INVAR_FLOAT32},
                   {{"coefficients", Doubles{1, 0}},
                    {"intercepts", Doubles{0}},
                    {"labels", Strings{"no", "yes"}},
                    {"transform", Ints{toInt(ScoreTransform::Logistic)}}}};
  auto found = classify.mustRun({x});
  EXPECT_EQ(stringsOf(found[0]), (Strings{"yes", "no"}));
  expectNear(found[1], {0.268941f, 0.731059f, 0.952574f, 0.047426f});
}

TEST(MLCalls, ScoresAreNumbersWhereRuntimesMustAgree) {
  Call classify = {"LinearClassifier",
                   {INVAR_INT64, INVAR_FLOAT32},
                   {{"coefficients", Doubles{1, 2, 3}},
                    {"labels", Ints{1, 2, 3}},
                    {"expects_agreement", Ints{1}}}};
  EXPECT_EQ(elementsOf<int64_t>(classify({tensor<float>({1, 1}, {2})})),
            Ints{3});
  EXPECT_EQ(classify.whyFails({tensor<float>({1, 1}, {NAN})}),
            "one of its scores is no number");
}

TEST(MLCalls, SupportVectorsVote) {
  Attributes attributes = {{"kernel", Ints{0}},
                           {"coefficients", Doubles{1, -1}},
                           {"support_vectors", Doubles{1, 0, 0, 1}},
                           {"rho", Doubles{0.5}},
                           {"n_supports", Ints{2}}};
  rt::Value x = tensor<float>({2, 2}, {3, 1, 0, 4});
  Call regress = {"SVMRegressor", {INVAR_FLOAT32}, attributes};
  expectNear(regress({x}), {2.5f, -3.5f});

  attributes[4] = {"vectors_per_class", Ints{1, 1}};
  attributes.push_back({"labels", Ints{4, 5}});
  Call classify = {"SVMClassifier", {INVAR_INT64, INVAR_FLOAT32}, attributes};
  auto found = classify.mustRun({x});
  EXPECT_EQ(elementsOf<int64_t>(found[0]), (Ints{4, 5}));
  expectNear(found[1], {-2.5f, 2.5f, 3.5f, -3.5f});
  attributes[4].values = Ints{1, 2};
  Call wrong = {"SVMClassifier", {INVAR_INT64, INVAR_FLOAT32}, attributes};
  EXPECT_EQ(wrong.whyFails({x}),
            "expected 6 entries of 'support_vectors', but got 4");
}

// Trees

/// x[0] <= 0.5 ? leaf 1 : leaf 2, in an older form.
static Attributes oneTree() {
  return {{"nodes_treeids", Ints{0, 0, 0}},
          {"nodes_nodeids", Ints{0, 1, 2}},
          {"nodes_featureids", Ints{0, 0, 0}},
          {"nodes_modes", Ints{0, 7, 7}},
          {"nodes_values", Doubles{0.5, 0, 0}},
          {"nodes_truenodeids", Ints{1, 0, 0}},
          {"nodes_falsenodeids", Ints{2, 0, 0}},
          {"aggregate", Ints{toInt(kernels::TreeAggregate::Sum)}}};
}

TEST(MLCalls, OlderTreesRegressAndClassify) {
  rt::Value x = tensor<float>({2, 1}, {0, 1});
  Attributes targets = oneTree();
  for (ProgramBuilder::Attribute attribute :
       Attributes{{"votes_treeids", Ints{0, 0}},
                  {"votes_nodeids", Ints{1, 2}},
                  {"votes_targets", Ints{0, 0}},
                  {"votes_weights", Doubles{3, 7}},
                  {"base_values", Doubles{0.5}},
                  {"n_targets", Ints{1}}})
    targets.push_back(attribute);
  Call regress = {"TreeEnsembleRegressor", {INVAR_FLOAT32}, targets};
  expectNear(regress({x}), {3.5f, 7.5f});
  EXPECT_EQ(regress.whyFails({countUp<float>({2, 0})}),
            "expected more than 0 features, but got 0");

  Attributes classes = oneTree();
  for (ProgramBuilder::Attribute attribute :
       Attributes{{"votes_treeids", Ints{0, 0}},
                  {"votes_nodeids", Ints{1, 2}},
                  {"votes_targets", Ints{0, 0}},
                  {"votes_weights", Doubles{0.25, 0.75}},
                  {"labels", Strings{"no", "yes"}}})
    classes.push_back(attribute);
  Call classify = {
      "TreeEnsembleClassifier", {INVAR_STRING, INVAR_FLOAT32}, classes};
  auto found = classify.mustRun({x});
  EXPECT_EQ(stringsOf(found[0]), (Strings{"no", "yes"}));
  expectNear(found[1], {0.75f, 0.25f, 0.25f, 0.75f});

  targets[5].values = Ints{0, 0, 0};
  Call endless = {"TreeEnsembleRegressor", {INVAR_FLOAT32}, targets};
  EXPECT_EQ(endless.whyFails({x}),
            "expected trees, but got one that goes round in a circle");
  targets[5].values = Ints{9, 0, 0};
  Call open = {"TreeEnsembleRegressor", {INVAR_FLOAT32}, targets};
  EXPECT_EQ(open.whyFails({x}), "expected nodes that are there");
}

// Trees that vote for one of two classes: what onnxruntime computes.
TEST(MLCalls, TreesForOneOfTwoClasses) {
  auto logistic = [](float x) { return 1 / (1 + std::exp(-x)); };
  struct Case {
    int64_t voted;
    ScoreTransform transform;
    double weight; ///< of the example; the other leaf's is `other`
    double other;
    int64_t label;
    Floats scores;
  };
  const Case cases[] = {
      {0, ScoreTransform::None, 0.3, 0.1, 0, {0.7f, 0.3f}},
      {0, ScoreTransform::None, 0.7, 0.1, 1, {0.3f, 0.7f}},
      {0, ScoreTransform::None, 0.3, -0.1, 1, {-0.3f, 0.3f}},
      {0,
       ScoreTransform::Logistic,
       0.3,
       0.1,
       0,
       {logistic(-0.3f), logistic(0.3f)}},
      {0,
       ScoreTransform::Logistic,
       0.7,
       0.1,
       1,
       {logistic(-0.7f), logistic(0.7f)}},
      {0,
       ScoreTransform::Logistic,
       0.3,
       -0.1,
       1,
       {logistic(-0.3f), logistic(0.3f)}},
      {0,
       ScoreTransform::Logistic,
       -0.3,
       0.1,
       0,
       {logistic(0.3f), logistic(-0.3f)}},
      {1, ScoreTransform::None, 0.3, 0.1, 0, {0, 0.3f}},
      {1, ScoreTransform::None, 0.7, 0.1, 1, {0, 0.7f}},
      {1, ScoreTransform::None, 0.3, -0.1, 1, {0, 0.3f}},
      {1, ScoreTransform::Logistic, 0.3, 0.1, 0, {0.5f, logistic(0.3f)}},
      {1, ScoreTransform::Logistic, 0.3, -0.1, 1, {0.5f, logistic(0.3f)}},
      {1, ScoreTransform::Logistic, -0.3, 0.1, 0, {0.5f, logistic(-0.3f)}},
  };
  for (const Case &each : cases) {
    Call call = {"TreeEnsembleClassifier",
                 {INVAR_INT64, INVAR_FLOAT32},
                 {{"nodes_treeids", Ints{0, 0, 0}},
                  {"nodes_nodeids", Ints{0, 1, 2}},
                  {"nodes_featureids", Ints{0, 0, 0}},
                  {"nodes_modes", Ints{0, 7, 7}},
                  {"nodes_values", Doubles{0.5, 0, 0}},
                  {"nodes_truenodeids", Ints{1, 0, 0}},
                  {"nodes_falsenodeids", Ints{2, 0, 0}},
                  {"votes_treeids", Ints{0, 0}},
                  {"votes_nodeids", Ints{1, 2}},
                  {"votes_targets", Ints{each.voted, each.voted}},
                  {"votes_weights", Doubles{each.weight, each.other}},
                  {"labels", Ints{0, 1}},
                  {"aggregate", Ints{toInt(kernels::TreeAggregate::Sum)}},
                  {"transform", Ints{toInt(each.transform)}}}};
    auto found = call.mustRun({tensor<float>({1, 1}, {0})});
    EXPECT_EQ(elementsOf<int64_t>(found[0]), Ints{each.label})
        << each.voted << toInt(each.transform) << each.weight << each.other;
    auto scores = elementsOf<float>(found[1]);
    ASSERT_EQ(scores.size(), 2u);
    for (size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(scores[i], each.scores[i], 1e-6)
          << each.voted << toInt(each.transform) << each.weight << each.other;
  }
}

TEST(MLCalls, EvenVotesAreSummedAsFloats) {
  // 20 trees of one node and two leaves; each votes 0.05 for the second class if its
  // feature is above 0.5. The float32 sum of 10 such votes is above 0.5.
  constexpr int64_t count = 20;
  Ints trees, ids, features, yes, no, voteTrees, voteIds, voteClasses;
  Ints modes;
  Doubles splits, weights;
  for (int64_t tree = 0; tree < count; ++tree)
    for (int64_t node = 0; node < 3; ++node) {
      trees.push_back(tree);
      ids.push_back(node);
      features.push_back(tree);
      modes.push_back(node ? 7 : 0);
      splits.push_back(0.5);
      yes.push_back(node ? 0 : 1);
      no.push_back(node ? 0 : 2);
      if (!node)
        continue;
      voteTrees.push_back(tree);
      voteIds.push_back(node);
      voteClasses.push_back(0);
      weights.push_back(node == 2 ? double(0.05f) : 0);
    }
  Attributes attributes = {
      {"nodes_treeids", trees},       {"nodes_nodeids", ids},
      {"nodes_featureids", features}, {"nodes_modes", modes},
      {"nodes_values", splits},       {"nodes_truenodeids", yes},
      {"nodes_falsenodeids", no},     {"votes_treeids", voteTrees},
      {"votes_nodeids", voteIds},     {"votes_targets", voteClasses},
      {"votes_weights", weights},     {"labels", Ints{0, 1}},
      {"aggregate", Ints{1}},         {"sums_in_float", Ints{1}}};
  Floats half(count);
  std::fill_n(half.begin(), count / 2, 1.0f);
  rt::Value x = tensor<float>({1, count}, half);
  Call inFloats = {
      "TreeEnsembleClassifier", {INVAR_INT64, INVAR_FLOAT32}, attributes};
  auto found = inFloats.mustRun({x});
  EXPECT_EQ(elementsOf<int64_t>(found[0]), Ints{1});
  EXPECT_EQ(elementsOf<float>(found[1])[1], 0.50000006f);
  // Double weights are summed as doubles: to a little less than 0.5.
  attributes[10] = {"votes_weights", Doubles(weights.size())};
  attributes.back().values = Ints{0};
  for (size_t i = 1; i < weights.size(); i += 2)
    std::get<Doubles>(attributes[10].values)[i] = 0.05;
  Call inDoubles = {
      "TreeEnsembleClassifier", {INVAR_INT64, INVAR_FLOAT32}, attributes};
  found = inDoubles.mustRun({x});
  EXPECT_EQ(elementsOf<int64_t>(found[0]), Ints{0});
  EXPECT_EQ(elementsOf<float>(found[1])[1], 0.5f);
}

TEST(MLCalls, NewerTreesAskForMembership) {
  Attributes attributes = {{"nodes_modes", Ints{6}},
                           {"nodes_featureids", Ints{1}},
                           {"nodes_splits", Doubles{0}},
                           {"nodes_truenodeids", Ints{0}},
                           {"nodes_trueleafs", Ints{1}},
                           {"nodes_falsenodeids", Ints{1}},
                           {"nodes_falseleafs", Ints{1}},
                           {"leaf_targetids", Ints{0, 1}},
                           {"leaf_weights", Doubles{5, 6}},
                           {"tree_roots", Ints{0}},
                           {"membership_values", Doubles{2, 4}},
                           {"n_targets", Ints{2}},
                           {"aggregate", Ints{1}}};
  Call trees = {"TreeEnsemble", {INVAR_FLOAT64}, attributes};
  rt::Value x = tensor<double>({2, 2}, {0, 4, 0, 3});
  EXPECT_EQ(elementsOf<double>(trees({x})), (Doubles{5, 0, 0, 6}));
  attributes[3].values = Ints{2};
  Call wrong = {"TreeEnsemble", {INVAR_FLOAT64}, attributes};
  EXPECT_EQ(wrong.whyFails({x}), "expected nodes that are there");
  attributes[3].values = Ints{0, 0};
  Call uneven = {"TreeEnsemble", {INVAR_FLOAT64}, attributes};
  EXPECT_EQ(uneven.whyFails({x}),
            "expected lists of 1 entries, but got one of 2");
}
