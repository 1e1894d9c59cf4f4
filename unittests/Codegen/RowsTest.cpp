// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests kernels of several operations that share loops.
#include "KernelTest.h"
#include "KernelText.h"

#include <gtest/gtest.h>

using namespace invar;

using Sizes = std::vector<int64_t>;

/// Softmax of x along its last axes; `row` is the map of the reduced tensor.
static std::string makeSoftmax(const std::string &tensor,
                               const std::string &reduced,
                               const std::string &iterators,
                               const std::string &all, const std::string &row,
                               const std::string &sizes = "",
                               const std::string &rowSizes = "") {
  std::string parallel(iterators.size(), 'p');
  KernelText k;
  k.read("x", tensor).write("y", tensor);
  if (!sizes.empty())
    k.line("%z0 = arith.constant 0 : index\n  %z1 = arith.constant 1 : index\n"
           "  %n = tensor.dim %x, %z0 : " +
           tensor + "\n  %m = tensor.dim %x, %z1 : " + tensor);
  k.keep("a", reduced, rowSizes)
      .keep("e", tensor, sizes)
      .keep("s", reduced, rowSizes);
  k.step(iterators, {{"x", all}}, {{"a", row}},
         "%r = arith.maximumf %a_, %x_ : f32", "0xFF800000");
  k.step(parallel, {{"x", all}, {"a", row}}, {{"e", all}},
         "%1 = arith.subf %x_, %a_ : f32\n%r = math.exp %1 : f32");
  k.step(iterators, {{"e", all}}, {{"s", row}},
         "%r = arith.addf %s_, %e_ : f32", "0.0");
  k.step(parallel, {{"e", all}, {"s", row}}, {{"y", all}},
         "%r = arith.divf %e_, %s_ : f32");
  return k.get();
}

TEST(Rows, Softmax) {
  for (const Sizes &sizes : std::vector<Sizes>{
           {1, 1}, {3, 5}, {17, 16}, {5, 67}, {2, 300}, {0, 4}}) {
    std::string rows = std::to_string(sizes[0]),
                columns = std::to_string(sizes[1]);
    expectRight(makeSoftmax("tensor<" + rows + "x" + columns + "xf32>",
                            "tensor<" + rows + "xf32>", "pr",
                            "(i, j) -> (i, j)", "(i, j) -> (i)"));
    expectRight(makeSoftmax("tensor<?x?xf32>", "tensor<?xf32>", "pr",
                            "(i, j) -> (i, j)", "(i, j) -> (i)", "%n, %m",
                            "%n"),
                {sizes[0], sizes[1], sizes[0], sizes[1]});
  }
}

TEST(Rows, SoftmaxAlongOuterAxes) {
  // Vectors are along the axis that is not reduced.
  for (std::string last : {"5", "40"}) {
    std::string all = "(i, j, k) -> (i, j, k)";
    expectRight(makeSoftmax("tensor<3x7x" + last + "xf32>",
                            "tensor<3x" + last + "xf32>", "prp", all,
                            "(i, j, k) -> (i, k)"));
    expectRight(makeSoftmax("tensor<3x7x" + last + "xf32>",
                            "tensor<3x1x" + last + "xf32>", "prp", all,
                            "(i, j, k) -> (i, 0, k)"));
    expectRight(makeSoftmax("tensor<3x7x" + last + "xf32>", "tensor<7xf32>",
                            "rpr", all, "(i, j, k) -> (j)"));
    expectRight(makeSoftmax("tensor<3x7x" + last + "xf32>", "tensor<f32>",
                            "rrr", all, "(i, j, k) -> ()"));
  }
}

/// Layer normalization of x over the axes from `axis` on.
TEST(Rows, LayerNormalization) {
  for (auto [tensor, scale, row, rowMap, scaleMap] :
       std::vector<std::tuple<std::string, std::string, std::string,
                              std::string, std::string>>{
           {"4x3x50", "50", "4x3", "(a, b, c) -> (a, b)", "(a, b, c) -> (c)"},
           {"4x3x50", "3x50", "4", "(a, b, c) -> (a)", "(a, b, c) -> (b, c)"},
           {"4x3x50", "4x3x50", "", "(a, b, c) -> ()",
            "(a, b, c) -> (a, b, c)"}}) {
    std::string x = "tensor<" + tensor + "xf32>",
                g = "tensor<" + scale + "xf32>",
                r = row.empty() ? "tensor<f32>" : "tensor<" + row + "xf32>",
                all = "(a, b, c) -> (a, b, c)";
    size_t kept = row.empty() ? 0 : std::count(row.begin(), row.end(), 'x') + 1;
    std::string iterators = std::string(kept, 'p') + std::string(3 - kept, 'r');
    std::string few(kept, 'p'), fewMap = rowMap.substr(rowMap.find("-> ") + 3);
    fewMap = fewMap + " -> " + fewMap;
    KernelText k;
    k.read("x", x)
        .read("g", g)
        .read("h", g)
        .read("n", "f32")
        .write("y", x)
        .write("m", r);
    k.keep("d", x).keep("v", r).keep("w", r);
    k.step(iterators, {{"x", all}, {"n", "(a, b, c) -> ()"}}, {{"m", rowMap}},
           "%1 = arith.mulf %x_, %n_ : f32\n%r = arith.addf %1, %m_ : f32",
           "0.0");
    k.step("ppp", {{"x", all}, {"m", rowMap}}, {{"d", all}},
           "%r = arith.subf %x_, %m_ : f32");
    k.step(iterators, {{"d", all}}, {{"v", rowMap}},
           "%1 = arith.mulf %d_, %d_ : f32\n%r = arith.addf %1, %v_ : f32",
           "0.0");
    k.step(few, {{"v", fewMap}}, {{"w", fewMap}},
           "%c = arith.constant 1.0 : f32\n%1 = arith.addf %v_, %c : f32\n"
           "%2 = math.sqrt %1 : f32\n%r = arith.divf %c, %2 : f32");
    k.step("ppp", {{"d", all}, {"w", rowMap}, {"g", scaleMap}, {"h", scaleMap}},
           {{"y", all}},
           "%1 = arith.mulf %d_, %w_ : f32\n%2 = arith.mulf %1, %g_ : f32\n"
           "%r = arith.addf %2, %h_ : f32");
    expectRight(k.get());
  }
}

TEST(Rows, ChainOfElementwise) {
  // Everything is in registers, and one intermediate result is also a result of the
  // kernel.
  KernelText k;
  k.read("x", "tensor<5x?xf32>").read("b", "tensor<?xf32>");
  k.write("y", "tensor<5x?xf32>").write("z", "tensor<5x?xf32>");
  std::string all = "(i, j) -> (i, j)";
  k.step("pp", {{"x", all}, {"b", "(i, j) -> (j)"}}, {{"z", all}},
         "%r = arith.addf %x_, %b_ : f32");
  k.step("pp", {{"z", all}, {"x", all}}, {{"y", all}},
         "%1 = math.tanh %z_ : f32\n%r = arith.mulf %1, %x_ : f32");
  expectRight(k.get(), {37, 37, 37, 37});
}

TEST(Rows, ResultGoesOn) {
  // The second operation reads the result of the first.
  KernelText k;
  k.read("x", "tensor<6x33xf32>").write("y", "tensor<6xf32>");
  k.step("pr", {{"x", "(i, j) -> (i, j)"}}, {{"y", "(i, j) -> (i)"}},
         "%r = arith.addf %x_, %y_ : f32", "0.0");
  k.step("p", {}, {{"y", "(i) -> (i)"}},
         "%1 = math.absf %y_ : f32\n%r = math.sqrt %1 : f32");
  std::string text = k.get();
  expectRight(text, {}, {.tolerance = 1e-5});
}

TEST(Rows, StepsThatShareNothing) {
  KernelText k;
  k.read("x", "tensor<6x33xf32>")
      .write("y", "tensor<6xf32>")
      .write("z", "tensor<33xf32>");
  k.step("pr", {{"x", "(i, j) -> (i, j)"}}, {{"y", "(i, j) -> (i)"}},
         "%r = arith.addf %x_, %y_ : f32", "0.0");
  k.step("rp", {{"x", "(i, j) -> (i, j)"}}, {{"z", "(i, j) -> (j)"}},
         "%r = arith.maximumf %x_, %z_ : f32", "0xFF800000");
  expectRight(k.get());
}

TEST(Rows, TransposedInBetween) {
  // One step writes row by row, the next one reads column by column.
  KernelText k;
  k.read("x", "tensor<6x33xf32>")
      .write("y", "tensor<33x6xf32>")
      .keep("t", "tensor<6x33xf32>");
  k.step("pp", {{"x", "(i, j) -> (i, j)"}}, {{"t", "(i, j) -> (i, j)"}},
         "%r = arith.addf %x_, %x_ : f32");
  k.step("pp", {{"t", "(i, j) -> (j, i)"}}, {{"y", "(i, j) -> (i, j)"}},
         "%r = arith.negf %t_ : f32");
  expectRight(k.get());
}

TEST(Rows, GroupNormalizationOfChannels) {
  // NHWC in groups of channels: the shared axes are around the reduced ones.
  KernelText k;
  std::string x = "tensor<2x12x3x8xf32>", row = "tensor<2x3xf32>",
              all = "(n, p, g, c) -> (n, p, g, c)",
              kept = "(n, p, g, c) -> (n, g)";
  k.read("x", x).write("y", x).keep("s", row).keep("d", x).keep("v", row);
  k.step("prpr", {{"x", all}}, {{"s", kept}},
         "%c = arith.constant 0.01 : f32\n%1 = arith.mulf %x_, %c : f32\n"
         "%r = arith.addf %s_, %1 : f32",
         "0.0");
  k.step("pppp", {{"x", all}, {"s", kept}}, {{"d", all}},
         "%r = arith.subf %x_, %s_ : f32");
  k.step("prpr", {{"d", all}}, {{"v", kept}},
         "%1 = arith.mulf %d_, %d_ : f32\n%r = arith.addf %v_, %1 : f32",
         "0.0");
  k.step("pppp", {{"d", all}, {"v", kept}}, {{"y", all}},
         "%r = arith.divf %d_, %v_ : f32");
  expectRight(k.get());
}

TEST(Rows, HalvesAndIntegersTogether) {
  KernelText k;
  k.read("x", "tensor<7x45xbf16>")
      .write("y", "tensor<7x45xi8>")
      .keep("m", "tensor<7xf32>");
  std::string all = "(i, j) -> (i, j)", row = "(i, j) -> (i)";
  k.step("pr", {{"x", all}}, {{"m", row}},
         "%1 = arith.extf %x_ : bf16 to f32\n%2 = math.absf %1 : f32\n"
         "%r = arith.maximumf %m_, %2 : f32",
         "0.001");
  k.step("pp", {{"x", all}, {"m", row}}, {{"y", all}},
         "%1 = arith.extf %x_ : bf16 to f32\n%2 = arith.divf %1, %m_ : f32\n"
         "%c = arith.constant 127.0 : f32\n%3 = arith.mulf %2, %c : f32\n"
         "%4 = math.roundeven %3 : f32\n%r = arith.fptosi %4 : f32 to i8");
  expectRight(k.get());
}
