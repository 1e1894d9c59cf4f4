// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests kernels at all sizes of a small range, and at sizes around the units that they
// are split into: vectors, strips, tiles, and lines of images.
#include "HotKernels.h"
#include "KernelTest.h"
#include "KernelText.h"

#include <gtest/gtest.h>

using namespace invar;

static void expectRight(const KernelCase &kernel) {
  SCOPED_TRACE(kernel.text);
  invar::expectRight(kernel.text, kernel.sizes);
}

/// Calls `body` with all small images that the window fits into.
static void forEachSmallImage(llvm::function_ref<void(const Image &)> body) {
  for (int64_t size : {1, 2, 3, 4, 5})
    for (int64_t window : {1, 2, 3})
      for (int64_t stride : {1, 2, 3})
        for (int64_t border : {0, 1}) {
          Image image{1, size, size, 5, window, window};
          image.stride = stride;
          image.border = border;
          if (image.isValid())
            body(image);
        }
}

// A window whose result has size 1 may skip a part of its image: the memory between its
// lines must not be read as input.
TEST(Sweep, Pools) {
  forEachSmallImage([](const Image &image) {
    expectRight(image.getPool("%r = arith.maximumf %y_, %x_ : f32",
                              "0xFF800000", "0xFF800000"));
  });
}

TEST(Sweep, Convolutions) {
  forEachSmallImage(
      [](const Image &image) { expectRight(image.getConvolution(18, 32)); });
}

TEST(Sweep, DepthwiseConvolutions) {
  forEachSmallImage(
      [](const Image &image) { expectRight(image.getDepthwise()); });
}

// A tile of rows may extend from one image into the next, and rows in between may be on
// any line.
TEST(Sweep, ConvolutionsOfManySmallImages) {
  for (int64_t height : {1, 2, 3})
    for (int64_t width : {2, 5})
      for (int64_t stride : {1, 2}) {
        Image image{7, height, width, 3, 3, 3};
        image.stride = stride;
        image.border = 1;
        // Strips of one to four vectors have tiles of different heights.
        for (int64_t results : {16, 33, 64})
          expectRight(image.getConvolution(results, 32));
      }
}

/// x(64, a, b) reduced along one of its last axes, and then along the other.
static std::string reduceTwice(int64_t rows, int64_t a, int64_t b, bool isInner,
                               const std::string &first,
                               const std::string &second, bool isKept) {
  auto tensor = [](std::vector<int64_t> sizes) {
    std::string type = "tensor<";
    for (int64_t size : sizes)
      type += std::to_string(size) + "x";
    return type + "f32>";
  };
  KernelText k;
  k.read("x", tensor({rows, a, b})).write("y", tensor({rows}));
  std::string half = tensor({rows, isInner ? a : b});
  isKept ? k.write("h", half) : k.keep("h", half);
  k.step("ppr",
         {{"x", isInner ? "(r, i, j) -> (r, i, j)" : "(r, i, j) -> (r, j, i)"}},
         {{"h", "(r, i, j) -> (r, i)"}}, "%r = " + first + " %h_, %x_ : f32",
         first == "arith.addf" ? "0.0" : "0xFF800000");
  k.step("pr", {{"h", "(r, i) -> (r, i)"}}, {{"y", "(r, i) -> (r)"}},
         "%r = " + second + " %y_, %h_ : f32",
         second == "arith.addf" ? "0.0" : "0xFF800000");
  return k.get();
}

// Scratch memory holds the results between two reductions, for all vectors that are
// computed at once.
TEST(Sweep, ReductionsInARow) {
  for (int64_t rows : {15, 33, 64, 65})
    for (auto [a, b] : {std::pair(2, 2), {3, 2}, {7, 9}, {33, 3}})
      for (bool isInner : {false, true}) {
        invar::expectRight(reduceTwice(rows, a, b, isInner, "arith.maximumf",
                                       "arith.addf", /*isKept=*/false));
        invar::expectRight(reduceTwice(rows, a, b, isInner, "arith.addf",
                                       "arith.maximumf",
                                       /*isKept=*/rows == 65));
      }
}

// Each row ends with a partial vector, directly before the next row.
TEST(Sweep, PartsOfVectorsOfAllWidths) {
  struct Conversion {
    const char *from, *to, *body;
  };
  static constexpr Conversion conversions[] = {
      {"f32", "i8", "%r = arith.fptosi %a_ : f32 to i8"},
      {"f32", "i16", "%r = arith.fptosi %a_ : f32 to i16"},
      {"f32", "f16", "%r = arith.truncf %a_ : f32 to f16"},
      {"f32", "bf16", "%r = arith.truncf %a_ : f32 to bf16"},
      {"f32", "f64", "%r = arith.extf %a_ : f32 to f64"},
      {"f64", "i8", "%r = arith.fptosi %a_ : f64 to i8"},
      {"f64", "f32", "%r = arith.truncf %a_ : f64 to f32"},
      {"i32", "i8", "%r = arith.trunci %a_ : i32 to i8"},
      {"i64", "i16", "%r = arith.trunci %a_ : i64 to i16"},
      {"i8", "i32", "%r = arith.extsi %a_ : i8 to i32"},
      {"i8", "i64", "%r = arith.extui %a_ : i8 to i64"},
      {"f16", "f32", "%r = arith.extf %a_ : f16 to f32"},
      {"i32", "i1",
       "%z = arith.constant 0 : i32\n%r = arith.cmpi sgt, %a_, %z : i32"},
  };
  for (const Conversion &conversion : conversions)
    for (int64_t columns : {1, 2, 3, 5, 9, 15, 17, 33, 65, 97}) {
      // The rows are not contiguous in the input, so that loops do not merge.
      std::string from =
          "tensor<" + std::to_string(columns) + "x5x" + conversion.from + ">";
      std::string to =
          "tensor<5x" + std::to_string(columns) + "x" + conversion.to + ">";
      KernelText k;
      k.read("a", from).write("y", to);
      k.step("pp", {{"a", "(m, n) -> (n, m)"}}, {{"y", "(m, n) -> (m, n)"}},
             conversion.body);
      SCOPED_TRACE(k.get());
      invar::expectRight(k.get());
    }
}

// The same after a product with a static number of columns.
TEST(Sweep, ProductsThatEndInNarrowTypes) {
  for (const char *to : {"i8", "i16"})
    for (int64_t columns : {1, 2, 17, 33, 63, 64, 65, 66, 97, 193}) {
      std::string n = std::to_string(columns);
      KernelText k;
      k.read("a", "tensor<5x16xf32>")
          .read("b", "tensor<16x" + n + "xf32>")
          .keep("s", "tensor<5x" + n + "xf32>")
          .write("y", "tensor<5x" + n + "x" + to + ">")
          .step("ppr",
                {{"a", "(m, n, k) -> (m, k)"}, {"b", "(m, n, k) -> (k, n)"}},
                {{"s", "(m, n, k) -> (m, n)"}},
                "%p = arith.mulf %a_, %b_ : f32\n"
                "%r = arith.addf %s_, %p : f32",
                "0.0")
          .step("pp", {{"s", "(m, n) -> (m, n)"}}, {{"y", "(m, n) -> (m, n)"}},
                std::string("%c = arith.constant 0.25 : f32\n"
                            "%1 = arith.mulf %s_, %c : f32\n"
                            "%2 = math.round %1 : f32\n"
                            "%r = arith.fptosi %2 : f32 to ") +
                    to);
      SCOPED_TRACE(k.get());
      // Sums of integers are exact, so that no value is at the edge of rounding.
      Expectation exact;
      exact.prepare = [](llvm::MutableArrayRef<TestValue> arguments) {
        for (TestValue &argument : arguments)
          for (mlir::TypedAttr &element : argument.elements)
            if (auto number = mlir::dyn_cast<mlir::FloatAttr>(element))
              element = mlir::FloatAttr::get(
                  argument.element, std::floor(number.getValueAsDouble()));
      };
      invar::expectRight(k.get(), {}, exact);
    }
}
