// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime functions over signals and matrices, together with the reference kernels.
#include "CallTesting.h"

#include <cmath>

using namespace invar;
using namespace invar::testing;

static void expectNear(const rt::Value &tensor, const Floats &expected) {
  Floats numbers = elementsOf<float>(tensor);
  ASSERT_EQ(numbers.size(), expected.size());
  for (size_t i = 0; i < numbers.size(); ++i)
    EXPECT_NEAR(numbers[i], expected[i], 1e-5) << i;
}

TEST(SignalCalls, TransformsGoAlongAnyAxis) {
  Call dft = {"DFT", {INVAR_FLOAT32}};
  // Two signals side by side: 1 2 and 3 4.
  rt::Value x = tensor<float>({2, 2, 1}, {1, 3, 2, 4});
  rt::Value none;
  rt::Value found = dft({x, none, scalar(int64_t(0))});
  EXPECT_EQ(found.sizes(), (Ints{2, 2, 2}));
  expectNear(found, {3, 0, 7, 0, -1, 0, -1, 0});
  rt::Value longer = dft({x, scalar(int64_t(4)), scalar(int64_t(1))});
  EXPECT_EQ(longer.sizes(), (Ints{2, 4, 2}));
  expectNear(longer, {4, 0, 1, -3, -2, 0, 1, 3, 6, 0, 2, -4, -2, 0, 2, 4});
  EXPECT_EQ(dft.whyFails({x, none, scalar(int64_t(2))}),
            "expected an axis before the last, but got 2");
  EXPECT_EQ(dft.whyFails({x, scalar(int64_t(1) << 60)}),
            "expected a length from 1 to 67108864, but got "
            "1152921504606846976");
  EXPECT_EQ(dft.whyFails({countUp<float>({2, 3})}),
            "expected real or complex numbers, but got tensor(float)[2,3]");
}

TEST(SignalCalls, HalfASpectrumIsEnough) {
  Call half = {"DFT", {INVAR_FLOAT32}, {{"onesided", Ints{1}}}};
  Call back = {
      "DFT", {INVAR_FLOAT32}, {{"onesided", Ints{1}}, {"inverse", Ints{1}}}};
  rt::Value x = tensor<float>({1, 5, 1}, {1, 4, -2, 0, 3});
  rt::Value spectrum = half({x});
  EXPECT_EQ(spectrum.sizes(), (Ints{1, 3, 2}));
  rt::Value again = back({spectrum, scalar(int64_t(5))});
  EXPECT_EQ(again.sizes(), (Ints{1, 5, 1}));
  expectNear(again, elementsOf<float>(x));
}

TEST(SignalCalls, FramesAreTransformed) {
  Call stft = {"STFT", {INVAR_FLOAT32}, {{"onesided", Ints{1}}}};
  rt::Value x = tensor<float>({1, 6}, {1, 2, 3, 4, 5, 6});
  rt::Value window = vectorOf<float>({1, 1, 0, 0});
  rt::Value found = stft({x, scalar(int64_t(2)), window});
  EXPECT_EQ(found.sizes(), (Ints{1, 2, 3, 2}));
  expectNear(found, {3, 0, 1, -2, -1, 0, 7, 0, 3, -4, -1, 0});
  EXPECT_EQ(stft.whyFails({x, scalar(int64_t(0)), window}),
            "expected frames within the signal, but got some of 4 elements, 0 "
            "apart, of tensor(float)[1,6]");
}

TEST(SignalCalls, MelBandsAreTriangles) {
  Call mel = {"MelWeightMatrix", {INVAR_FLOAT32}};
  auto run = [&](float high) {
    return std::vector<rt::Value>{scalar(int64_t(2)), scalar(int64_t(16)),
                                  scalar(int64_t(8192)), scalar(0.0f),
                                  scalar(high)};
  };
  rt::Value weights = mel(run(4096));
  EXPECT_EQ(weights.sizes(), (Ints{9, 2}));
  for (float weight : elementsOf<float>(weights)) {
    EXPECT_GE(weight, 0);
    EXPECT_LE(weight, 1);
  }
  EXPECT_EQ(mel.whyFails(run(1e6)),
            "expected edges that ascend within the spectrum, but got 0.000000 "
            "and 1000000.000000 hertz");
}

TEST(SignalCalls, DeterminantsOfBatches) {
  Call det = {"Det", {INVAR_FLOAT32}};
  rt::Value found = det({tensor<float>({2, 2, 2}, {1, 2, 3, 4, 2, 0, 0, 5})});
  EXPECT_EQ(found.sizes(), (Ints{2}));
  expectNear(found, {-2, 10});
  expectNear(det({countUp<float>({3, 0, 0})}), {1, 1, 1});
  EXPECT_EQ(det.whyFails({countUp<float>({2, 3})}),
            "expected square matrices, but got tensor(float)[2,3]");
}

TEST(SignalCalls, LinearAttentionRemembers) {
  Call attend = {"LinearAttention",
                 {INVAR_FLOAT32, INVAR_FLOAT32},
                 {{"heads", Ints{1}},
                  {"query_heads", Ints{1}},
                  {"decays", Ints{0}},
                  {"corrects", Ints{0}},
                  {"scale", Doubles{1}}}};
  rt::Value q = tensor<float>({1, 2, 2}, {1, 0, 1, 1}),
            k = tensor<float>({1, 2, 2}, {1, 0, 0, 1}),
            v = tensor<float>({1, 2, 1}, {5, 7});
  auto found = attend.mustRun({q, k, v});
  expectNear(found[0], {5, 12});
  expectNear(found[1], {5, 7});
  auto more = attend.mustRun({q, k, v, found[1]});
  expectNear(more[0], {10, 24});
  EXPECT_EQ(attend.whyFails({q, k, v, rt::Value(), v}),
            "expected 'decay' and 'beta' as the update rule needs them, but "
            "got others");
  EXPECT_EQ(attend.whyFails({q, countUp<float>({1, 3, 2}), v}),
            "expected operands whose sizes agree, but got tensor(float)[1,2,2] "
            "and tensor(float)[1,3,2]");

  // Heads without elements are as many as anybody likes.
  Call most = attend;
  most.attributes[1] = {"query_heads", Ints{int64_t(1) << 62}};
  auto empty = [](int64_t size) {
    return tensor<float>({1, 2, size}, Floats(size_t(2 * size)));
  };
  EXPECT_EQ(most.whyFails({empty(0), empty(0), empty(4)}),
            "expected a result that can be counted, but got "
            "4611686018427387904 heads of 4");
  EXPECT_EQ(most.mustRun({empty(0), empty(0), empty(0)})[0].count(), 0);
}
