// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Resample.h"
#include "invar/Kernels/GridSample.h"

#include "gtest/gtest.h"
#include <numeric>

using namespace invar::kernels;

namespace {

constexpr Filter linear{Interpolation::Linear, 0, false, false};

TEST(ResampleTest, NearestGoesEitherWayFromTheMiddle) {
  // Positions 0.5, 2.5 and 4.5.
  ResizedAxis axis{6, 3, 0.5, Coordinates::HalfPixel, 0, 1};
  using Places = std::vector<int64_t>;
  EXPECT_EQ(findNearest(axis, Nearest::HalfDown), (Places{0, 2, 4}));
  EXPECT_EQ(findNearest(axis, Nearest::HalfUp), (Places{1, 3, 5}));
  EXPECT_EQ(findNearest(axis, Nearest::Floor), (Places{0, 2, 4}));
  EXPECT_EQ(findNearest(axis, Nearest::Ceil), (Places{1, 3, 5}));
}

TEST(ResampleTest, CropsFromOutside) {
  ResizedAxis axis{3, 3, 1, Coordinates::TfCropAndResize, -0.5, 0.5};
  EXPECT_EQ(findNearest(axis, Nearest::Floor),
            (std::vector<int64_t>{-1, 0, 1}));
  Taps taps = findTaps(axis, linear);
  float data[] = {1, 2, 4}, result[3];
  resample<float>(data, 3, 1, taps, 9, 0, 3, result);
  EXPECT_EQ(std::vector<float>(result, result + 3),
            (std::vector<float>{9, 1, 2}));
}

TEST(ResampleTest, WeightsSumToOne) {
  for (Interpolation interpolation :
       {Interpolation::Linear, Interpolation::Cubic})
    for (bool antialias : {false, true})
      for (bool excludeOutside : {false, true})
        for (double scale : {0.1, 0.3, 0.9, 1.0, 1.7, 4.0}) {
          ResizedAxis axis{
              10, int64_t(10 * scale), scale, Coordinates::HalfPixel, 0, 1};
          Taps taps =
              findTaps(axis, {interpolation, -0.75, antialias, excludeOutside});
          for (size_t i = 0, begin = 0; i < taps.ends.size(); ++i) {
            auto end = size_t(taps.ends[i]);
            double sum = std::accumulate(taps.weights.begin() + begin,
                                         taps.weights.begin() + end, 0.0);
            EXPECT_NEAR(sum, 1, 1e-12);
            EXPECT_GE(taps.firsts[i], 0);
            EXPECT_LE(taps.firsts[i] + int64_t(end - begin), 10);
            begin = end;
          }
        }
}

TEST(ResampleTest, ResizesAnInnerAxis) {
  ResizedAxis axis{2, 4, 2, Coordinates::HalfPixel, 0, 1};
  float data[] = {0, 10, 4, 50}, result[8];
  resample<float>(data, 2, 2, findTaps(axis, linear), 0, 0, 4, result);
  EXPECT_EQ(std::vector<float>(result, result + 8),
            (std::vector<float>{0, 10, 1, 20, 3, 40, 4, 50}));
}

TEST(GridSampleTest, PadsAsItIsTold) {
  int64_t sizes[] = {3};
  float data[] = {1, 2, 4};
  // In pixels -1, 0.5 and 3.5.
  float positions[] = {-2, -0.5, 2.5};
  auto sample = [&](Outside outside) {
    std::vector<float> result(3);
    sampleGrid<float>({true, outside, false}, sizes, 1, data, positions, 3, 3,
                      result.data());
    return result;
  };
  EXPECT_EQ(sample(Outside::Zeros), (std::vector<float>{0, 1.5, 0}));
  EXPECT_EQ(sample(Outside::Border), (std::vector<float>{1, 1.5, 4}));
  // -1 is reflected to 1, and 3.5 to 0.5.
  EXPECT_EQ(sample(Outside::Reflection), (std::vector<float>{2, 1.5, 1.5}));
}

TEST(GridSampleTest, FindsPixelsFromTheLastAxisOn) {
  int64_t sizes[] = {2, 3};
  float position[] = {1, -1};
  GridSampling sampling{true, Outside::Zeros, false};
  EXPECT_EQ(findNearestPixel<float>(sampling, sizes, position), 2);
  position[1] = 4;
  EXPECT_EQ(findNearestPixel<float>(sampling, sizes, position), -1);
}

} // namespace
