// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Convolution.h"

#include "gtest/gtest.h"
#include <cmath>
#include <random>
#include <vector>

using namespace invar::kernels;

namespace {

/// Draws one or two axes of random sizes.
std::vector<WindowAxis> randomWindow(bool transposed, std::mt19937 &random) {
  auto below = [&](int64_t limit) { return int64_t(random() % limit); };
  std::vector<WindowAxis> window;
  for (int64_t axes = 1 + below(2); axes > 0; --axes) {
    WindowAxis axis;
    axis.kernel = 1 + below(4);
    axis.stride = 1 + below(3);
    axis.dilation = 1 + below(3);
    axis.padBegin = below(3);
    axis.padEnd = below(3);
    axis.image = 1 + below(30);
    int64_t extent = (axis.kernel - 1) * axis.dilation + 1;
    int64_t pads = axis.padBegin + axis.padEnd;
    axis.output = transposed ? (axis.image - 1) * axis.stride + extent - pads
                             : (axis.image + pads - extent) / axis.stride + 1;
    if (axis.output < 1 || (!transposed && axis.image + pads < extent))
      return randomWindow(transposed, random);
    window.push_back(axis);
  }
  return window;
}

struct Data {
  std::vector<float> x, w, bias;
};

/// Computes by the definition: every element is combined with every tap.
std::vector<double> convolveByDefinition(const Convolution &c,
                                         const Data &data) {
  // If there is no second axis, use one of size 1.
  WindowAxis one = {.image = 1,
                    .kernel = 1,
                    .output = 1,
                    .stride = 1,
                    .dilation = 1,
                    .padBegin = 0,
                    .padEnd = 0};
  WindowAxis p = c.window[0], q = c.window.size() > 1 ? c.window[1] : one;
  int64_t taps = p.kernel * q.kernel;
  std::vector<double> y(
      size_t(c.batch * c.groups * c.features * p.output * q.output));
  auto meet = [&](int64_t n, int64_t g, int64_t f, int64_t ch, int64_t tap,
                  int64_t i, int64_t j, int64_t a, int64_t b) {
    if (a < 0 || a >= p.image || b < 0 || b >= q.image || i < 0 ||
        i >= p.output || j < 0 || j >= q.output)
      return;
    size_t at = size_t(
        (((n * c.groups + g) * c.features + f) * p.output + i) * q.output + j);
    size_t in = size_t(
        (((n * c.groups + g) * c.channels + ch) * p.image + a) * q.image + b);
    size_t weight = size_t(
        c.transposed ? ((g * c.channels + ch) * c.features + f) * taps + tap
                     : ((g * c.features + f) * c.channels + ch) * taps + tap);
    y[at] += double(data.x[in]) * double(data.w[weight]);
  };
  for (int64_t n = 0; n < c.batch; ++n)
    for (int64_t g = 0; g < c.groups; ++g)
      for (int64_t f = 0; f < c.features; ++f)
        for (int64_t ch = 0; ch < c.channels; ++ch)
          for (int64_t tap = 0; tap < taps; ++tap) {
            int64_t k = tap / q.kernel, l = tap % q.kernel;
            if (c.transposed)
              for (int64_t a = 0; a < p.image; ++a)
                for (int64_t b = 0; b < q.image; ++b)
                  meet(n, g, f, ch, tap, p.locate(a, k), q.locate(b, l), a, b);
            else
              for (int64_t i = 0; i < p.output; ++i)
                for (int64_t j = 0; j < q.output; ++j)
                  meet(n, g, f, ch, tap, i, j, p.locate(i, k), q.locate(j, l));
          }
  int64_t places = p.output * q.output;
  for (size_t i = 0; i < y.size(); ++i)
    y[i] += double(data.bias[i / size_t(places) % data.bias.size()]);
  return y;
}

TEST(Convolution, IsItsDefinition) {
  std::mt19937 random(3);
  auto fill = [&](int64_t count) {
    std::vector<float> numbers(static_cast<size_t>(count));
    for (float &number : numbers)
      number = float(int64_t(random() % 19) - 9);
    return numbers;
  };
  for (int round = 0; round < 60; ++round) {
    bool transposed = round % 2;
    std::vector<WindowAxis> window = randomWindow(transposed, random);
    Convolution c{.window = window,
                  .batch = 1 + int64_t(random() % 2),
                  .groups = 1 + int64_t(random() % 3),
                  .channels = 1 + int64_t(random() % 5),
                  // Sometimes more than the rows of a block.
                  .features = 1 + int64_t(random() % (round % 10 ? 9 : 200)),
                  .transposed = transposed};
    int64_t taps = countOver(c.window, &WindowAxis::kernel);
    Data data{fill(c.batch * c.groups * c.channels *
                   countOver(c.window, &WindowAxis::image)),
              fill(c.groups * c.features * c.channels * taps),
              fill(c.groups * c.features)};
    std::vector<double> expected = convolveByDefinition(c, data);
    std::vector<double> y(expected.size(), NAN);
    int64_t blocks = countConvolutionBlocks(c);
    convolve(c, data.x.data(), data.w.data(), data.bias.data(), 0, blocks / 2,
             y.data());
    convolve(c, data.x.data(), data.w.data(), data.bias.data(), blocks / 2,
             blocks, y.data());
    ASSERT_EQ(y, expected) << "round " << round;
  }
}

} // namespace
