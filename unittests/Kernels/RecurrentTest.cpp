// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Recurrent.h"
#include "invar/Kernels/LinearAttention.h"

#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace invar::kernels;

namespace {

TEST(RecurrentTest, ActivationsAreThoseOfTheStandard) {
  auto at = [](Activation kind, float x) {
    return ActivationFunction{kind, 0.5, 0.25}(x);
  };
  EXPECT_FLOAT_EQ(at(Activation::Affine, 2), 1.25f);
  EXPECT_FLOAT_EQ(at(Activation::Elu, -1), 0.5f * (std::exp(-1.0f) - 1));
  EXPECT_FLOAT_EQ(at(Activation::HardSigmoid, 1), 0.75f);
  EXPECT_FLOAT_EQ(at(Activation::HardSigmoid, 9), 1);
  EXPECT_FLOAT_EQ(at(Activation::LeakyRelu, -2), -1);
  EXPECT_FLOAT_EQ(at(Activation::Relu, -2), 0);
  EXPECT_FLOAT_EQ(at(Activation::ScaledTanh, 2), 0.5f * std::tanh(0.5f));
  EXPECT_FLOAT_EQ(at(Activation::Sigmoid, 0), 0.5f);
  EXPECT_FLOAT_EQ(at(Activation::Softplus, 200), 200);
  EXPECT_FLOAT_EQ(at(Activation::Softsign, -3), -0.75f);
  EXPECT_FLOAT_EQ(at(Activation::Tanh, 1), std::tanh(1.0f));
  EXPECT_FLOAT_EQ(at(Activation::ThresholdedRelu, 0.4f), 0);
}

TEST(RecurrentTest, GoesBothWays) {
  RecurrentLayer<float> layer{};
  layer.cell = Cell::Plain;
  layer.hidden = 2;
  layer.f.kind = Activation::Relu;
  layer.clip = 100;
  // Each unit reads the state of the other.
  float weights[] = {0, 1, 1, 0}, inputs[] = {1, 10, 2, 20};
  layer.weights = weights;
  auto run = [&](bool reverse) {
    float state[] = {0, 0};
    std::vector<float> results(4);
    layer.run(inputs, 2, reverse, state, nullptr, results.data());
    return results;
  };
  EXPECT_EQ(run(false), (std::vector<float>{1, 10, 12, 21}));
  EXPECT_EQ(run(true), (std::vector<float>{21, 12, 2, 20}));
}

TEST(LinearAttentionTest, QueryHeadsShareKeyHeads) {
  float queries[] = {1, 2}, keys[] = {3}, values[] = {5, 7};
  float decay[] = {std::log(0.5f)}, results[4];
  float states[] = {2, 4};
  LinearAttention<float> attention{};
  attention.length = 1;
  attention.queryHeads = 2;
  attention.keyHeads = attention.keySize = 1;
  attention.valueSize = 2;
  attention.decaySize = attention.betaHeads = 1;
  attention.queries = queries;
  attention.keys = keys;
  attention.values = values;
  attention.decay = decay;
  attention.scale = 1;
  attention.results = results;
  attention.states = states;
  attention.run(0, 0);
  // Half of the previous state plus 3 times the value; the second query reads it twice.
  EXPECT_FLOAT_EQ(states[0], 16);
  EXPECT_FLOAT_EQ(states[1], 23);
  EXPECT_FLOAT_EQ(results[1], 23);
  EXPECT_FLOAT_EQ(results[2], 32);
}

} // namespace
