// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests kernels of matrix products and convolutions.
#include "HotKernels.h"
#include "KernelTest.h"
#include "KernelText.h"
#include "invar/Codegen/Compile.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <random>

using namespace invar;

static void expectRight(const KernelCase &kernel) {
  SCOPED_TRACE(kernel.text);
  invar::expectRight(kernel.text, kernel.sizes);
}

namespace {
/// Sizes with a preference for those around the sizes of vectors and tiles.
class Sizes {
public:
  explicit Sizes(unsigned seed) : engine(seed) {}

  int64_t below(int64_t end) { return int64_t(engine() % end); }
  bool maybe() { return below(2); }
  int64_t any() {
    static constexpr int64_t sizes[] = {1,  2,  3,  5,  6,  7,  8,  11, 13,
                                        15, 16, 17, 24, 31, 32, 33, 48, 67};
    return sizes[below(std::size(sizes))];
  }
  Finish finish() { return Finish(below(5)); }

private:
  std::mt19937 engine;
};
} // namespace

static void expectRandomProducts(Product::Right right,
                                 bool sumsSquares = false) {
  Sizes sizes(1 + right);
  for (int round = 0; round < 24; ++round) {
    Product product{1, sizes.any(), sizes.any(), 1 + sizes.any()};
    product.right = right;
    product.panel = 8 << sizes.below(4);
    product.batch = right != Product::Packed && sizes.maybe() ? 3 : 1;
    product.isLeftTransposed = sizes.maybe();
    product.hasDynamicRows = sizes.maybe();
    product.hasDynamicReduced = sizes.maybe();
    product.hasDynamicColumns = right != Product::Packed && sizes.maybe();
    product.finish = sizes.finish();
    if (sizes.below(4) == 0)
      product.type = "f64";
    product.sumsSquares = sumsSquares;
    expectRight(product.get());
  }
}

TEST(Contraction, ProductsOfPanels) { expectRandomProducts(Product::Packed); }
TEST(Contraction, ProductsOfRows) { expectRandomProducts(Product::Rows); }
TEST(Contraction, ProductsOfColumns) { expectRandomProducts(Product::Columns); }

/// Returns the name of the emitter that generates the kernel's code.
static std::string getEmitter(const std::string &text) {
  auto context = makeContext();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  auto objects =
      compileKernels(*module, {.target = llvm::cantFail(CpuTarget::getHost())});
  return succeeded(objects) ? objects->front().emitter : "none";
}

TEST(Contraction, SquaresOfDifferences) {
  Product product{1, 9, 5, 18};
  product.sumsSquares = true;
  EXPECT_EQ(getEmitter(product.get().text), "contraction");
  for (Product::Right right :
       {Product::Packed, Product::Rows, Product::Columns})
    expectRandomProducts(right, /*sumsSquares=*/true);
}

static const char *const addSquare =
    "%d = arith.subf %b_, %a_ : f32\n%p = arith.mulf %d, %d : f32\n"
    "%r = arith.addf %p, %y_ : f32";

// Padding with zeros contributes nothing to products, but it does to these sums.
TEST(Contraction, SquaresOfDifferencesToABorder) {
  KernelText text;
  text.read("x", "tensor<7x3xf32>")
      .read("b", "tensor<5x18xf32>")
      .write("y", "tensor<9x18xf32>")
      .line("%zero = arith.constant 0.0 : f32")
      .line("%a = tensor.pad %x low[1, 1] high[1, 1] {\n"
            "  ^bb0(%i: index, %j: index):\n"
            "    tensor.yield %zero : f32\n  } : tensor<7x3xf32> to "
            "tensor<9x5xf32>",
            "a", "tensor<9x5xf32>")
      .step("ppr", {{"a", "(m, n, k) -> (m, k)"}, {"b", "(m, n, k) -> (k, n)"}},
            {{"y", "(m, n, k) -> (m, n)"}}, addSquare, "0.0");
  EXPECT_EQ(getEmitter(text.get()), "loop nest");
  invar::expectRight(text.get());
}

// As in a variance: the same number is subtracted in all terms of a sum.
TEST(Contraction, SquaresOfDifferencesToOneNumber) {
  KernelText text;
  text.read("a", "tensor<1xf32>")
      .read("b", "tensor<5x18xf32>")
      .write("y", "tensor<18xf32>")
      .step("pr", {{"a", "(n, k) -> (0)"}, {"b", "(n, k) -> (k, n)"}},
            {{"y", "(n, k) -> (n)"}}, addSquare, "0.0");
  EXPECT_EQ(getEmitter(text.get()), "loop nest");
  invar::expectRight(text.get());
}

TEST(Contraction, ReductionInBlocks) {
  Product product{1, 3, 1500, 34};
  product.finish = Finish::BiasRelu;
  expectRight(product.get());
  product.panel = 16;
  product.hasDynamicRows = true;
  expectRight(product.get());
  // Several strips share a block of the left operand.
  Product wide{1, 7, 516, 260};
  wide.type = "f64";
  wide.panel = 16;
  expectRight(wide.get());
}

// So many columns that the last strip, which extends beyond the last panel, has no
// specialized code.
TEST(Contraction, StripsBehindTheLastPanel) {
  for (int64_t panel : {8, 16, 32}) {
    Product product{1, 3, 5, 1024 + 3};
    product.panel = panel;
    expectRight(product.get());
  }
}

TEST(Contraction, NothingToReduceOrToCompute) {
  for (auto [rows, reduced, columns] :
       std::vector<std::array<int64_t, 3>>{{4, 0, 20}, {0, 4, 20}, {4, 4, 0}}) {
    Product product{1, rows, reduced, columns};
    product.right = Product::Rows;
    product.finish = Finish::Relu;
    product.hasDynamicRows = product.hasDynamicReduced =
        product.hasDynamicColumns = true;
    expectRight(product.get());
  }
}

static const char *const multiplyAdd =
    "%p = arith.mulf %a_, %b_ : f32\n%r = arith.addf %y_, %p : f32";

TEST(Contraction, BatchesThatOneSideHas) {
  // A batch that only B has is like columns that are not contiguous with the others.
  KernelText ofRight;
  ofRight.read("a", "tensor<7x5xf32>")
      .read("b", "tensor<3x5x18xf32>")
      .write("y", "tensor<3x7x18xf32>")
      .step(
          "pppr",
          {{"a", "(b, m, n, k) -> (m, k)"}, {"b", "(b, m, n, k) -> (b, k, n)"}},
          {{"y", "(b, m, n, k) -> (b, m, n)"}}, multiplyAdd, "0.0");
  invar::expectRight(ofRight.get());
  KernelText ofLeft;
  ofLeft.read("a", "tensor<3x7x5xf32>")
      .read("b", "tensor<5x18xf32>")
      .write("y", "tensor<3x7x18xf32>")
      .step(
          "pppr",
          {{"a", "(b, m, n, k) -> (b, m, k)"}, {"b", "(b, m, n, k) -> (k, n)"}},
          {{"y", "(b, m, n, k) -> (b, m, n)"}}, multiplyAdd, "0.0");
  invar::expectRight(ofLeft.get());
}

TEST(Contraction, OperandsInOtherOrders) {
  // As in attention, heads are between rows and columns; and the operands are swapped.
  KernelText text;
  text.read("a", "tensor<2x9x3x17xf32>")
      .read("b", "tensor<2x9x3x13xf32>")
      .write("y", "tensor<2x13x3x17xf32>")
      .step("ppppr",
            {{"a", "(b, h, m, n, k) -> (b, k, h, n)"},
             {"b", "(b, h, m, n, k) -> (b, k, h, m)"}},
            {{"y", "(b, h, m, n, k) -> (b, m, h, n)"}}, multiplyAdd, "0.0");
  invar::expectRight(text.get());
}

TEST(Contraction, SeveralLoopsOfOneRole) {
  KernelText text;
  text.read("a", "tensor<2x5x3x4xf32>")
      .read("b", "tensor<3x4x2x8xf32>")
      .write("y", "tensor<2x5x2x8xf32>")
      .step("pppprr",
            {{"a", "(b, m, g, n, h, k) -> (b, m, h, k)"},
             {"b", "(b, m, g, n, h, k) -> (h, k, g, n)"}},
            {{"y", "(b, m, g, n, h, k) -> (b, m, g, n)"}}, multiplyAdd, "0.0");
  invar::expectRight(text.get());
}

TEST(Contraction, PartsOfArguments) {
  KernelText text;
  text.read("all", "tensor<6x30xf32>")
      .read("rest", "tensor<5x40xf32>")
      .write("y", "tensor<6x19xf32>")
      .line("%a = tensor.extract_slice %all[0, 10] [6, 5] [1, 2] : "
            "tensor<6x30xf32> to tensor<6x5xf32>",
            "a", "tensor<6x5xf32>")
      .line("%b = tensor.extract_slice %rest[0, 3] [5, 19] [1, 1] : "
            "tensor<5x40xf32> to tensor<5x19xf32>",
            "b", "tensor<5x19xf32>")
      .step("ppr", {{"a", "(m, n, k) -> (m, k)"}, {"b", "(m, n, k) -> (k, n)"}},
            {{"y", "(m, n, k) -> (m, n)"}}, multiplyAdd, "0.0");
  invar::expectRight(text.get());
}

TEST(Contraction, SumsThatBeginWithATensor) {
  KernelText text;
  text.read("a", "tensor<9x5xf32>")
      .read("b", "tensor<5x21xf32>")
      .read("c", "tensor<9x21xf32>")
      .write("z", "tensor<9x21xf32>")
      .keep("y", "tensor<9x21xf32>")
      .step("pp", {{"c", "(m, n) -> (m, n)"}}, {{"y", "(m, n) -> (m, n)"}},
            "%r = arith.negf %c_ : f32")
      .step("ppr", {{"a", "(m, n, k) -> (m, k)"}, {"b", "(m, n, k) -> (k, n)"}},
            {{"y", "(m, n, k) -> (m, n)"}}, multiplyAdd)
      .step("pp", {{"y", "(m, n) -> (m, n)"}}, {{"z", "(m, n) -> (m, n)"}},
            "%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n"
            "%isUpper = arith.cmpi ult, %i, %j : index\n"
            "%three = arith.constant 3.0 : f32\n"
            "%r = arith.select %isUpper, %three, %y_ : f32");
  invar::expectRight(text.get());
}

/// The body of a sum of products of bytes, minus their zero points.
static std::string multiplyBytes(bool isLeftSigned, bool isRightSigned) {
  auto extend = [](std::string to, std::string from, bool isSigned) {
    return "%" + to + (isSigned ? " = arith.extsi %" : " = arith.extui %") +
           from + " : i8 to i32\n";
  };
  return extend("ea", "a_", isLeftSigned) + extend("za", "p_", isLeftSigned) +
         extend("eb", "b_", isRightSigned) + extend("zb", "q_", isRightSigned) +
         "%da = arith.subi %ea, %za : i32\n%db = arith.subi %eb, %zb : i32\n"
         "%m = arith.muli %da, %db : i32\n%r = arith.addi %y_, %m : i32";
}

TEST(Contraction, ProductsOfBytes) {
  Sizes sizes(7);
  for (int round = 0; round < 12; ++round) {
    std::string m = std::to_string(sizes.any()),
                k = std::to_string(sizes.any()),
                n = std::to_string(1 + sizes.any());
    bool isTransposed = sizes.maybe(), hasOnePoint = sizes.maybe();
    KernelText text;
    text.read("a", "tensor<" + m + "x" + k + "xi8>")
        .read("b",
              "tensor<" + (isTransposed ? n + "x" + k : k + "x" + n) + "xi8>")
        .read("p", "tensor<i8>")
        .read("q", hasOnePoint ? "tensor<i8>" : "tensor<" + n + "xi8>")
        .write("y", "tensor<" + m + "x" + n + "xi32>")
        .step("ppr",
              {{"a", "(m, n, k) -> (m, k)"},
               {"b",
                isTransposed ? "(m, n, k) -> (n, k)" : "(m, n, k) -> (k, n)"},
               {"p", "(m, n, k) -> ()"},
               {"q", hasOnePoint ? "(m, n, k) -> ()" : "(m, n, k) -> (n)"}},
              {{"y", "(m, n, k) -> (m, n)"}},
              multiplyBytes(sizes.maybe(), sizes.maybe()), "0");
    SCOPED_TRACE(text.get());
    invar::expectRight(text.get());
  }
}

// What instructions of x86-64 compute has the same value if other instructions compute
// it.
TEST(Contraction, WithoutSpecialInstructions) {
  auto adapt = [](CpuFacts &facts) {
    facts.getPairProduct = nullptr;
    facts.hasFusedMultiplyAdd = false;
    facts.leastMaskedBits = 64;
  };
  KernelCase bytes = getByteProduct(13, 31, 37);
  SCOPED_TRACE(bytes.text);
  invar::expectRight(bytes.text, bytes.sizes, {.adapt = adapt});
  KernelCase floats = Product{1, 13, 31, 37}.get();
  invar::expectRight(floats.text, floats.sizes, {.adapt = adapt});
}

// Fewer registers, shorter lines and smaller caches only split the work differently.
TEST(Contraction, OnOtherProcessors) {
  static constexpr unsigned rows[] = {5, 3};
  auto adapt = [](CpuFacts &facts) {
    facts.vectorBits = 128;
    facts.tileRows = rows;
    facts.tileVectors = 1;
    facts.windowTile = 3;
    facts.lineBytes = 128;
    facts.cacheBytes = 16 << 10;
  };
  for (Product::Right right :
       {Product::Packed, Product::Rows, Product::Columns}) {
    Product product{1, 29, 70, 83};
    product.right = right;
    product.panel = 32;
    KernelCase kernel = product.get();
    SCOPED_TRACE(kernel.text);
    invar::expectRight(kernel.text, kernel.sizes, {.adapt = adapt});
  }
}

TEST(Contraction, ConvolutionsOfBytes) {
  for (auto [channels, map] : std::vector<std::pair<int, std::string>>{
           {1, "(o, c, i, j)"}, {5, "(o, c, i, j)"}, {6, "(i, j, c, o)"}}) {
    std::string c = std::to_string(channels);
    bool isPlain = map == "(o, c, i, j)";
    KernelText text;
    text.read("x", "tensor<2x7x6x" + c + "xi8>")
        .read("b", isPlain ? "tensor<18x" + c + "x3x2xi8>"
                           : "tensor<3x2x" + c + "x18xi8>")
        .read("p", "tensor<i8>")
        .read("q", "tensor<18xi8>")
        .read("border", "i8")
        .write("y", "tensor<2x4x6x18xi32>")
        .line("%a = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 0, 0] {\n"
              "  ^bb0(%i: index, %j: index, %k: index, %l: index):\n"
              "    tensor.yield %border : i8\n  } : tensor<2x7x6x" +
                  c + "xi8> to tensor<2x9x7x" + c + "xi8>",
              "a", "tensor<2x9x7x" + c + "xi8>")
        .step("pppprrr",
              {{"a", "(n, h, w, o, i, j, c) -> (n, h * 2 + i, w + j, c)"},
               {"b", "(n, h, w, o, i, j, c) -> " + map},
               {"p", "(n, h, w, o, i, j, c) -> ()"},
               {"q", "(n, h, w, o, i, j, c) -> (o)"}},
              {{"y", "(n, h, w, o, i, j, c) -> (n, h, w, o)"}},
              multiplyBytes(false, true), "0");
    SCOPED_TRACE(text.get());
    invar::expectRight(text.get());
  }
}

TEST(Contraction, Convolutions) {
  Sizes sizes(5);
  for (int round = 0; round < 24; ++round) {
    int64_t groups = sizes.below(4) ? 1 : 2;
    Image image{1 + sizes.below(2),  1 + sizes.below(9),
                1 + sizes.below(12), groups * (1 + sizes.below(6)),
                1 + sizes.below(4),  1 + sizes.below(4)};
    image.stride = 1 + sizes.below(2);
    image.dilation = 1 + sizes.below(2);
    image.border = sizes.below(3);
    image.isDynamic = sizes.maybe();
    if (sizes.below(3) == 0)
      image.borderValue = "0.5";
    if (image.isValid())
      expectRight(image.getConvolution(groups * (2 + sizes.below(40)), 32,
                                       groups, sizes.finish()));
  }
}

TEST(Contraction, BordersAroundWindowsOfOnePlace) {
  for (bool isDynamic : {false, true}) {
    Image image{2, 4, 5, 3, 1, 1};
    image.border = 1;
    image.isDynamic = isDynamic;
    expectRight(image.getConvolution(27, 32));
  }
}

TEST(Contraction, ConvolutionsOfLinesAndVolumes) {
  KernelText line;
  line.read("a", "tensor<2x19x5xf32>")
      .read("b", "tensor<3x5x20xf32>")
      .write("y", "tensor<2x9x20xf32>")
      .step("pppr"
            "r",
            {{"a", "(n, x, o, i, c) -> (n, x * 2 + i, c)"},
             {"b", "(n, x, o, i, c) -> (i, c, o)"}},
            {{"y", "(n, x, o, i, c) -> (n, x, o)"}}, multiplyAdd, "0.0");
  invar::expectRight(line.get());
  KernelText volume;
  volume.read("a", "tensor<1x4x5x6x2xf32>")
      .read("b", "tensor<2x3x2x2x17xf32>")
      .write("y", "tensor<1x3x3x5x17xf32>")
      .step(
          "ppppprrrr",
          {{"a", "(n, x, y, z, o, i, j, k, c) -> (n, x + i, y + j, z + k, c)"},
           {"b", "(n, x, y, z, o, i, j, k, c) -> (i, j, k, c, o)"}},
          {{"y", "(n, x, y, z, o, i, j, k, c) -> (n, x, y, z, o)"}},
          multiplyAdd, "0.0");
  invar::expectRight(volume.get());
}
