// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/NGrams.h"
#include "invar/Kernels/Scores.h"
#include "invar/Kernels/SupportVectors.h"
#include "invar/Kernels/Trees.h"

#include "gtest/gtest.h"
#include <cmath>
#include <numeric>
#include <vector>

using namespace invar::kernels;

TEST(ScoresTest, stayFiniteFarFromZero) {
  EXPECT_EQ(logistic(-800.0), 0.0);
  EXPECT_EQ(logistic(800.0), 1.0);
  std::vector<double> scores = {1000, 0, 1000};
  transformScores<double>(ScoreTransform::Softmax, scores);
  EXPECT_EQ(scores, (std::vector<double>{0.5, 0, 0.5}));
}

TEST(ScoresTest, keepZerosWhereTheyAreAsked) {
  std::vector<double> scores = {0, 1, 1};
  transformScores<double>(ScoreTransform::SoftmaxZero, scores);
  EXPECT_EQ(scores, (std::vector<double>{0, 0.5, 0.5}));
}

TEST(SupportVectorsTest, findTheProbabilitiesThatPairsComeFrom) {
  std::vector<double> wanted = {0.5, 0.3, 0.15, 0.05}, pairs;
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = i + 1; j < 4; ++j)
      pairs.push_back(wanted[i] / (wanted[i] + wanted[j]));
  std::vector<double> matrix(16), row(4), classes(4);
  combinePairs<double>(pairs, matrix, row, classes);
  EXPECT_NEAR(std::accumulate(classes.begin(), classes.end(), 0.0), 1, 1e-12);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(classes[i], wanted[i], 0.01);
}

TEST(TreesTest, endWhereTheyGoRoundInACircle) {
  std::vector<TreeNode<float>> nodes(2);
  nodes[0] = {Branch::Less, false, 0, 1.0f, 1, 1};
  nodes[1] = {Branch::Less, false, 0, 1.0f, 0, 0};
  std::vector<int64_t> roots = {0};
  TreeEnsemble<float> trees{nodes, {}, {}, roots};
  std::vector<float> features = {0}, targets(1);
  std::vector<uint8_t> isVoted(1);
  EXPECT_FALSE(trees.evaluate(features, targets, isVoted));
}

TEST(TreesTest, takeMissingFeaturesWhereTheyAreTold) {
  std::vector<TreeNode<double>> nodes(3);
  nodes[0] = {Branch::Greater, true, 0, 5.0, 1, 2};
  nodes[1] = {Branch::Leaf, false, 0, 0, 0, 1};
  nodes[2] = {Branch::Leaf, false, 0, 0, 1, 2};
  std::vector<TreeVote<double>> votes = {{0, 10}, {0, 20}};
  std::vector<int64_t> roots = {0, 0};
  TreeEnsemble<double> trees{nodes, votes, {}, roots, TreeAggregate::Average};
  std::vector<double> targets(1);
  std::vector<uint8_t> isVoted(1);
  ASSERT_TRUE(trees.evaluate(std::vector<double>{NAN}, targets, isVoted));
  EXPECT_EQ(targets[0], 10);
  ASSERT_TRUE(trees.evaluate(std::vector<double>{4}, targets, isVoted));
  EXPECT_EQ(targets[0], 20);
}

TEST(TreesTest, sumFloatsAsFloats) {
  // A leaf that adds 0.05 in each of 10 trees: summed in float32 a little more than 0.5,
  // but exactly 0.5 if rounded once.
  std::vector<TreeNode<double>> nodes(1);
  nodes[0] = {Branch::Leaf, false, 0, 0, 0, 1};
  std::vector<TreeVote<double>> votes = {{0, double(0.05f)}};
  std::vector<int64_t> roots(10, 0);
  std::vector<double> targets(1);
  std::vector<uint8_t> isVoted(1);
  for (bool inFloat : {false, true}) {
    TreeEnsemble<double> trees{nodes,  votes, {}, roots, TreeAggregate::Sum,
                               inFloat};
    ASSERT_TRUE(trees.evaluate({}, targets, isVoted));
    EXPECT_EQ(float(targets[0]), inFloat ? 0.50000006f : 0.5f);
    EXPECT_EQ(targets[0] == double(float(targets[0])), inFloat);
  }
}

TEST(NGramsTest, countWordsOnceWhateverTheDistance) {
  NGramPool pool;
  EXPECT_TRUE(pool.add(std::vector<int64_t>{7}, 0));
  EXPECT_TRUE(pool.add(std::vector<int64_t>{7, 8}, 1));
  EXPECT_FALSE(pool.add(std::vector<int64_t>{7, 8}, 2));
  std::vector<double> counts(2);
  // 7 8 adjacent, and with one or more words between them.
  pool.count<double>(std::vector<int64_t>{7, 8, 7, 9, 8}, {1, 2, INT64_MAX},
                     counts);
  EXPECT_EQ(counts, (std::vector<double>{2, 3}));
}
