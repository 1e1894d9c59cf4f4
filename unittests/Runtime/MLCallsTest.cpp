// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime functions of classic models, together with the reference kernels.
#include "CallTesting.h"

#include <cmath>

using namespace invar;
using namespace invar::testing;

using Attributes = std::vector<ProgramBuilder::Attribute>;

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

  Call join = {
      "FeatureVectorizer", {INVAR_FLOAT32}, {{"inputdimensions", Ints{1, 3}}}};
  EXPECT_EQ(elementsOf<float>(
                join({countUp<float>({2, 2}), countUp<int64_t>({2, 2})})),
            (Floats{0, 0, 1, 0, 2, 2, 3, 0}));
  EXPECT_EQ(join.whyFails({countUp<float>({2, 2}), countUp<float>({3, 2})}),
            "expected 2 rows, but got tensor(float)[3,2]");
}

TEST(MLCalls, RowsAreNormalized) {
  auto normalize = [](const char *norm) {
    return Call{"Normalizer", {INVAR_FLOAT32}, {{"norm", Strings{norm}}}}(
        {tensor<float>({2, 2}, {3, -4, 0, 0})});
  };
  expectNear(normalize("L2"), {0.6f, -0.8f, 0, 0});
  expectNear(normalize("L1"), {3.0f / 7, -4.0f / 7, 0, 0});
  expectNear(normalize("MAX"), {1, -4.0f / 3, 0, 0});
}

// Tables

TEST(MLCalls, LabelsAreLookedUp) {
  Call encode = {"LabelEncoder",
                 {INVAR_INT64},
                 {{"keys_strings", Strings{"a", "b", "a"}},
                  {"values_int64s", Ints{1, 2, 3}},
                  {"default_int64", Ints{9}}}};
  EXPECT_EQ(elementsOf<int64_t>(encode({vectorOf(Strings{"b", "x", "a"})})),
            (Ints{2, 9, 1}));
  Call decode = {"LabelEncoder",
                 {INVAR_STRING},
                 {{"keys_floats", Doubles{0, NAN}},
                  {"values_strings", Strings{"zero", "none"}}}};
  EXPECT_EQ(stringsOf(decode({vectorOf<float>({-0.0f, -NAN, 1})})),
            (Strings{"zero", "none", "_Unused"}));
  // Keys and values as tensors, in the type of the result.
  Call widen = {"LabelEncoder",
                {INVAR_FLOAT64},
                {{"keys_tensor", Ints{5}},
                 {"values_tensor", Doubles{0.1}},
                 {"default_tensor", Doubles{0.2}}}};
  EXPECT_EQ(elementsOf<double>(widen({vectorOf<int32_t>({5, 6})})),
            (Doubles{0.1, 0.2}));
  // If a list has several forms, the first counts, whatever the length of the others.
  Call twice = {"LabelEncoder",
                {INVAR_FLOAT32},
                {{"keys_strings", Strings{"a", "b"}},
                 {"values_floats", Doubles{0.5}},
                 {"values_int64s", Ints{1, 2}}}};
  EXPECT_EQ(twice.whyFails({vectorOf(Strings{"b"})}),
            "expected a value for each of 2 keys and one other, but got 1 and "
            "1");
  Call wrong = {
      "LabelEncoder",
      {INVAR_INT64},
      {{"keys_strings", Strings{"a"}}, {"values_int64s", Ints{1, 2}}}};
  EXPECT_EQ(wrong.whyFails({vectorOf(Strings{"a"})}),
            "expected a value for each of 1 keys and one other, but got 2 and "
            "1");
}

TEST(MLCalls, CategoriesGoBothWays) {
  Attributes attributes = {{"cats_strings", Strings{"a", "b"}},
                           {"cats_int64s", Ints{10, 20}}};
  Call toInts = {"CategoryMapper", {INVAR_INT64}, attributes};
  EXPECT_EQ(elementsOf<int64_t>(toInts({vectorOf(Strings{"b", "c"})})),
            (Ints{20, -1}));
  Call toStrings = {"CategoryMapper", {INVAR_STRING}, attributes};
  EXPECT_EQ(stringsOf(toStrings({vectorOf<int64_t>({10, 30})})),
            (Strings{"a", "_Unused"}));
}

TEST(MLCalls, CategoriesAreOneHot) {
  Attributes attributes = {{"cats_int64s", Ints{7, 8}}, {"zeros", Ints{1}}};
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
                    {"classlabels_strings", Strings{"no", "yes"}},
                    {"post_transform", Strings{"LOGISTIC"}}}};
  auto found = classify.mustRun({x});
  EXPECT_EQ(stringsOf(found[0]), (Strings{"yes", "no"}));
  expectNear(found[1], {0.268941f, 0.731059f, 0.952574f, 0.047426f});
}

TEST(MLCalls, LabelsThatAreStringsCount) {
  Call classify = {"LinearClassifier",
                   {INVAR_STRING, INVAR_FLOAT32},
                   {{"coefficients", Doubles{1, 2, 3}},
                    {"classlabels_ints", Ints{1, 2, 3}},
                    {"classlabels_strings", Strings{"no", "yes"}}}};
  EXPECT_EQ(classify.whyFails({tensor<float>({1, 1}, {1})}),
            "expected 2 entries of 'coefficients', but got 3");
}

TEST(MLCalls, SupportVectorsVote) {
  Attributes attributes = {{"kernel_type", Strings{"LINEAR"}},
                           {"coefficients", Doubles{1, -1}},
                           {"support_vectors", Doubles{1, 0, 0, 1}},
                           {"rho", Doubles{0.5}},
                           {"n_supports", Ints{2}}};
  rt::Value x = tensor<float>({2, 2}, {3, 1, 0, 4});
  Call regress = {"SVMRegressor", {INVAR_FLOAT32}, attributes};
  expectNear(regress({x}), {2.5f, -3.5f});

  attributes[4] = {"vectors_per_class", Ints{1, 1}};
  attributes.push_back({"classlabels_ints", Ints{4, 5}});
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
          {"nodes_modes", Strings{"BRANCH_LEQ", "LEAF", "LEAF"}},
          {"nodes_values", Doubles{0.5, 0, 0}},
          {"nodes_truenodeids", Ints{1, 0, 0}},
          {"nodes_falsenodeids", Ints{2, 0, 0}}};
}

TEST(MLCalls, OlderTreesRegressAndClassify) {
  rt::Value x = tensor<float>({2, 1}, {0, 1});
  Attributes targets = oneTree();
  for (ProgramBuilder::Attribute attribute :
       Attributes{{"target_treeids", Ints{0, 0}},
                  {"target_nodeids", Ints{1, 2}},
                  {"target_ids", Ints{0, 0}},
                  {"target_weights_as_tensor", Doubles{3, 7}},
                  {"base_values", Doubles{0.5}},
                  {"n_targets", Ints{1}}})
    targets.push_back(attribute);
  Call regress = {"TreeEnsembleRegressor", {INVAR_FLOAT32}, targets};
  expectNear(regress({x}), {3.5f, 7.5f});
  EXPECT_EQ(regress.whyFails({countUp<float>({2, 0})}),
            "expected more than 0 features, but got 0");

  Attributes classes = oneTree();
  for (ProgramBuilder::Attribute attribute :
       Attributes{{"class_treeids", Ints{0, 0}},
                  {"class_nodeids", Ints{1, 2}},
                  {"class_ids", Ints{0, 0}},
                  {"class_weights", Doubles{0.25, 0.75}},
                  {"classlabels_strings", Strings{"no", "yes"}}})
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
    const char *transform;
    double weight; ///< of the example; the other leaf's is `other`
    double other;
    int64_t label;
    Floats scores;
  };
  const Case cases[] = {
      {0, "NONE", 0.3, 0.1, 0, {0.7f, 0.3f}},
      {0, "NONE", 0.7, 0.1, 1, {0.3f, 0.7f}},
      {0, "NONE", 0.3, -0.1, 1, {-0.3f, 0.3f}},
      {0, "LOGISTIC", 0.3, 0.1, 0, {logistic(-0.3f), logistic(0.3f)}},
      {0, "LOGISTIC", 0.7, 0.1, 1, {logistic(-0.7f), logistic(0.7f)}},
      {0, "LOGISTIC", 0.3, -0.1, 1, {logistic(-0.3f), logistic(0.3f)}},
      {0, "LOGISTIC", -0.3, 0.1, 0, {logistic(0.3f), logistic(-0.3f)}},
      {1, "NONE", 0.3, 0.1, 0, {0, 0.3f}},
      {1, "NONE", 0.7, 0.1, 1, {0, 0.7f}},
      {1, "NONE", 0.3, -0.1, 1, {0, 0.3f}},
      {1, "LOGISTIC", 0.3, 0.1, 0, {0.5f, logistic(0.3f)}},
      {1, "LOGISTIC", 0.3, -0.1, 1, {0.5f, logistic(0.3f)}},
      {1, "LOGISTIC", -0.3, 0.1, 0, {0.5f, logistic(-0.3f)}},
  };
  for (const Case &each : cases) {
    Call call = {"TreeEnsembleClassifier",
                 {INVAR_INT64, INVAR_FLOAT32},
                 {{"nodes_treeids", Ints{0, 0, 0}},
                  {"nodes_nodeids", Ints{0, 1, 2}},
                  {"nodes_featureids", Ints{0, 0, 0}},
                  {"nodes_modes", Strings{"BRANCH_LEQ", "LEAF", "LEAF"}},
                  {"nodes_values", Doubles{0.5, 0, 0}},
                  {"nodes_truenodeids", Ints{1, 0, 0}},
                  {"nodes_falsenodeids", Ints{2, 0, 0}},
                  {"class_treeids", Ints{0, 0}},
                  {"class_nodeids", Ints{1, 2}},
                  {"class_ids", Ints{each.voted, each.voted}},
                  {"class_weights", Doubles{each.weight, each.other}},
                  {"classlabels_int64s", Ints{0, 1}},
                  {"post_transform", Strings{each.transform}}}};
    auto found = call.mustRun({tensor<float>({1, 1}, {0})});
    EXPECT_EQ(elementsOf<int64_t>(found[0]), Ints{each.label})
        << each.voted << each.transform << each.weight << each.other;
    auto scores = elementsOf<float>(found[1]);
    ASSERT_EQ(scores.size(), 2u);
    for (size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(scores[i], each.scores[i], 1e-6)
          << each.voted << each.transform << each.weight << each.other;
  }
}

TEST(MLCalls, EvenVotesAreSummedAsFloats) {
  // 20 trees of one node and two leaves; each votes 0.05 for the second class if its
  // feature is above 0.5. The float32 sum of 10 such votes is above 0.5.
  constexpr int64_t count = 20;
  Ints trees, ids, features, yes, no, voteTrees, voteIds, voteClasses;
  Strings modes;
  Doubles splits, weights;
  for (int64_t tree = 0; tree < count; ++tree)
    for (int64_t node = 0; node < 3; ++node) {
      trees.push_back(tree);
      ids.push_back(node);
      features.push_back(tree);
      modes.push_back(node ? "LEAF" : "BRANCH_LEQ");
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
      {"nodes_falsenodeids", no},     {"class_treeids", voteTrees},
      {"class_nodeids", voteIds},     {"class_ids", voteClasses},
      {"class_weights", weights},     {"classlabels_int64s", Ints{0, 1}}};
  Floats half(count);
  std::fill_n(half.begin(), count / 2, 1.0f);
  rt::Value x = tensor<float>({1, count}, half);
  Call inFloats = {
      "TreeEnsembleClassifier", {INVAR_INT64, INVAR_FLOAT32}, attributes};
  auto found = inFloats.mustRun({x});
  EXPECT_EQ(elementsOf<int64_t>(found[0]), Ints{1});
  EXPECT_EQ(elementsOf<float>(found[1])[1], 0.50000006f);
  // Double weights are summed as doubles: to a little less than 0.5.
  attributes[10] = {"class_weights_as_tensor", Doubles(weights.size())};
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
                           {"n_targets", Ints{2}}};
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
