// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests kernels of depthwise convolutions and pools.
#include "HotKernels.h"
#include "KernelTest.h"
#include "KernelText.h"

#include <gtest/gtest.h>
#include <random>

using namespace invar;

static void expectRight(const KernelCase &kernel) {
  SCOPED_TRACE(kernel.text);
  invar::expectRight(kernel.text, kernel.sizes);
}

/// Calls `body` with images of many kinds.
static void forEachImage(unsigned seed, int rounds,
                         llvm::function_ref<void(const Image &)> body) {
  std::mt19937 engine(seed);
  auto below = [&](int64_t end) { return int64_t(engine() % end); };
  static constexpr int64_t channels[] = {1, 3, 8, 16, 17, 24, 33};
  for (int round = 0; round < rounds; ++round) {
    Image image{1 + below(2),       1 + below(9), 2 + below(20),
                channels[below(7)], 1 + below(4), 1 + below(4)};
    image.stride = 1 + below(2);
    image.dilation = 1 + below(2);
    image.border = below(3);
    image.isDynamic = below(2);
    if (image.isValid())
      body(image);
  }
}

TEST(Window, DepthwiseConvolutions) {
  int round = 0;
  forEachImage(1, 24, [&](const Image &given) {
    Image image = given;
    if (round % 4 == 0)
      image.borderValue = "-0.5";
    expectRight(image.getDepthwise(Finish(round++ % 5)));
  });
}

TEST(Window, Pools) {
  forEachImage(2, 12, [](const Image &image) {
    expectRight(image.getPool("%r = arith.maximumf %y_, %x_ : f32",
                              "0xFF800000", "0xFF800000"));
    expectRight(image.getPool("%r = arith.addf %y_, %x_ : f32", "0.0", "0.0"));
  });
}

TEST(Window, BordersThatCount) {
  forEachImage(3, 6, [](const Image &image) {
    expectRight(image.getPool("%r = arith.maximumf %y_, %x_ : f32",
                              "0xFF800000", "0.25"));
    expectRight(image.getPool("%r = arith.addf %y_, %x_ : f32", "0.0", "1.0"));
  });
}

TEST(Window, PoolsOfIntegers) {
  forEachImage(4, 6, [](const Image &given) {
    Image image = given;
    image.type = "i8";
    expectRight(
        image.getPool("%r = arith.maxsi %y_, %x_ : i8", "-128", "-128"));
    expectRight(image.getPool("%r = arith.maxui %y_, %x_ : i8", "0", "0"));
  });
}

TEST(Window, LinesAndVolumes) {
  KernelText line;
  line.read("x", "tensor<2x19x20xf32>")
      .write("y", "tensor<2x9x20xf32>")
      .keep("window", "tensor<3xf32>")
      .step("pppr",
            {{"x", "(n, a, c, i) -> (n, a * 2 + i, c)"},
             {"window", "(n, a, c, i) -> (i)"}},
            {{"y", "(n, a, c, i) -> (n, a, c)"}},
            "%r = arith.maximumf %y_, %x_ : f32", "0xFF800000");
  invar::expectRight(line.get());
  KernelText volume;
  volume.read("x", "tensor<1x4x5x7x18xf32>")
      .read("w", "tensor<2x3x2x18xf32>")
      .write("y", "tensor<1x3x3x6x18xf32>")
      .step("ppppprrr",
            {{"x", "(n, a, b, d, c, i, j, k) -> (n, a + i, b + j, d + k, c)"},
             {"w", "(n, a, b, d, c, i, j, k) -> (i, j, k, c)"}},
            {{"y", "(n, a, b, d, c, i, j, k) -> (n, a, b, d, c)"}},
            "%p = arith.mulf %x_, %w_ : f32\n%r = arith.addf %y_, %p : f32",
            "0.0");
  invar::expectRight(volume.get());
}
