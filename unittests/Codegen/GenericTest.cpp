// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests kernels of one linalg operation without a special form.
#include "KernelTest.h"
#include "KernelText.h"

#include <gtest/gtest.h>

using namespace invar;

using Sizes = std::vector<int64_t>;

static std::string tensor(const Sizes &sizes, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t size : sizes)
    text += (size < 0 ? "?" : std::to_string(size)) + "x";
  return text + element + ">";
}

/// Sizes around the vector sizes, and degenerate ones.
static const std::vector<Sizes> manySizes = {
    {0, 5},   {5, 0},  {1, 1},  {3, 5},   {7, 13},
    {16, 16}, {1, 67}, {33, 1}, {33, 31}, {2, 131}};

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// Tests y = body(x, z) for one element type.
static void expectElementwise(const std::string &type, const std::string &body,
                              const Sizes &sizes = {5, 37},
                              Expectation expectation = {}) {
  std::string matrix = tensor(sizes, type);
  KernelText k;
  k.read("x", matrix).read("z", matrix).write("y", matrix);
  k.step("pp", {{"x", "(i, j) -> (i, j)"}, {"z", "(i, j) -> (i, j)"}},
         {{"y", "(i, j) -> (i, j)"}}, body);
  expectRight(k.get(), {}, expectation);
}

TEST(Generic, ElementwiseOfAnySize) {
  for (const Sizes &sizes : manySizes) {
    expectElementwise("f32",
                      "%s = arith.addf %x_, %z_ : f32\n"
                      "%c = arith.constant 0.0 : f32\n"
                      "%r = arith.maximumf %s, %c : f32",
                      sizes);
    KernelText k;
    k.read("x", "tensor<?x?xf32>")
        .read("z", "tensor<?x?xf32>")
        .write("y", "tensor<?x?xf32>");
    k.step("pp", {{"x", "(i, j) -> (i, j)"}, {"z", "(i, j) -> (i, j)"}},
           {{"y", "(i, j) -> (i, j)"}}, "%r = arith.mulf %x_, %z_ : f32");
    expectRight(k.get(),
                {sizes[0], sizes[1], sizes[0], sizes[1], sizes[0], sizes[1]});
  }
}

TEST(Generic, IntegersOfAnyWidth) {
  for (std::string type : {"i4", "i8", "i16", "i32", "i64", "index"}) {
    for (std::string op :
         {"addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minui"})
      expectElementwise(type, "%r = arith." + op + " %x_, %z_ : " + type);
    expectElementwise(type, "%c = arith.cmpi slt, %x_, %z_ : " + type +
                                "\n%r = arith.select %c, %x_, %z_ : " + type);
  }
}

TEST(Generic, DivisionOfIntegers) {
  // Lanes beyond the end hold zeros, and must not be used as divisors.
  for (std::string type : {"i8", "i32", "i64"})
    for (std::string op : {"divsi", "divui", "remsi", "remui"})
      expectElementwise(type, "%c = arith.constant 1 : " + type +
                                  "\n%d = arith.ori %z_, %c : " + type +
                                  "\n%r = arith." + op + " %x_, %d : " + type);
}

TEST(Generic, Booleans) {
  expectElementwise("i1", "%r = arith.xori %x_, %z_ : i1");
  KernelText k;
  k.read("x", "tensor<77xf32>")
      .read("z", "tensor<77xi1>")
      .write("y", "tensor<77xi1>");
  k.step("p", {{"x", "(i) -> (i)"}, {"z", "(i) -> (i)"}}, {{"y", "(i) -> (i)"}},
         "%c = arith.constant 0.5 : f32\n"
         "%b = arith.cmpf ogt, %x_, %c : f32\n"
         "%r = arith.andi %b, %z_ : i1");
  expectRight(k.get());
}

TEST(Generic, FloatsOfAnyWidth) {
  for (auto [type, tolerance] : std::vector<std::pair<std::string, double>>{
           {"f16", 0}, {"bf16", 0}, {"f32", 0}, {"f64", 0}}) {
    Expectation exact;
    exact.tolerance = tolerance;
    for (std::string op :
         {"addf", "subf", "mulf", "divf", "maximumf", "minnumf"})
      expectElementwise(type, "%r = arith." + op + " %x_, %z_ : " + type,
                        {5, 37}, exact);
  }
}

TEST(Generic, Conversions) {
  auto convert = [](const std::string &from, const std::string &to,
                    const std::string &op) {
    KernelText k;
    k.read("x", "tensor<83x" + from + ">").write("y", "tensor<83x" + to + ">");
    k.step("p", {{"x", "(i) -> (i)"}}, {{"y", "(i) -> (i)"}},
           "%r = arith." + op + " %x_ : " + from + " to " + to);
    Expectation exact;
    exact.tolerance = 0;
    expectRight(k.get(), {}, exact);
  };
  for (std::string half : {"f16", "bf16"}) {
    convert(half, "f32", "extf");
    convert("f32", half, "truncf");
    convert(half, "f64", "extf");
    convert("i8", half, "sitofp");
  }
  convert("f64", "f32", "truncf");
  convert("f32", "f64", "extf");
  for (std::string type : {"i8", "i16", "i32", "i64"}) {
    convert(type, "f32", "sitofp");
    convert(type, "f64", "uitofp");
    convert("f32", type, "fptosi");
  }
  convert("i8", "i32", "extsi");
  convert("i8", "i64", "extui");
  convert("i64", "i8", "trunci");
  convert("i1", "f32", "uitofp");
  convert("i64", "index", "index_cast");
}

TEST(Generic, Broadcasts) {
  for (const Sizes &sizes : manySizes) {
    std::string rows = std::to_string(sizes[0]),
                columns = std::to_string(sizes[1]);
    KernelText k;
    k.read("x", tensor(sizes, "f32"))
        .read("s", "f32")
        .read("q", "tensor<" + rows + "xf32>");
    k.read("c", "tensor<1x" + columns + "xf32>").read("o", "tensor<f32>");
    k.write("y", tensor(sizes, "f32"));
    k.step("pp",
           {{"x", "(i, j) -> (i, j)"},
            {"s", "(i, j) -> ()"},
            {"q", "(i, j) -> (i)"},
            {"c", "(i, j) -> (0, j)"},
            {"o", "(i, j) -> ()"}},
           {{"y", "(i, j) -> (i, j)"}},
           "%1 = arith.addf %x_, %s_ : f32\n"
           "%2 = arith.mulf %q_, %c_ : f32\n"
           "%3 = arith.addf %2, %o_ : f32\n"
           "%r = arith.mulf %1, %3 : f32");
    expectRight(k.get());
  }
}

TEST(Generic, NumbersOfTheKernel) {
  KernelText k;
  k.read("x", "tensor<19xf32>")
      .read("s", "f64")
      .read("n", "i32")
      .read("b", "i1");
  k.read("h", "f16").write("y", "tensor<19xf32>");
  k.line("%t = arith.truncf %s : f64 to f32");
  k.line("%m = arith.sitofp %n : i32 to f32");
  k.line("%g = arith.extf %h : f16 to f32");
  k.line("%u = arith.mulf %t, %g : f32");
  k.step("p", {{"x", "(i) -> (i)"}}, {{"y", "(i) -> (i)"}},
         "%1 = arith.select %b, %u, %m : f32\n"
         "%r = arith.mulf %x_, %1 : f32");
  expectRight(k.get());
}

TEST(Generic, Indices) {
  KernelText k;
  k.read("x", "tensor<1x7x19xi64>").write("y", "tensor<1x7x19xi64>");
  k.step("ppp", {{"x", "(h, i, j) -> (h, i, j)"}},
         {{"y", "(h, i, j) -> (h, i, j)"}},
         "%h = linalg.index 0 : index\n"
         "%i = linalg.index 1 : index\n"
         "%j = linalg.index 2 : index\n"
         "%t = arith.constant 100 : index\n"
         "%1 = arith.muli %i, %t : index\n"
         "%2 = arith.addi %1, %j : index\n"
         "%3 = arith.addi %2, %h : index\n"
         "%4 = arith.index_cast %3 : index to i64\n"
         "%r = arith.addi %4, %x_ : i64");
  expectRight(k.get());
}

TEST(Generic, Fill) {
  KernelText k;
  k.read("s", "f32").write("y", "tensor<5x?xf32>");
  k.line("%f = linalg.fill ins(%s : f32) outs(%y : tensor<5x?xf32>) -> "
         "tensor<5x?xf32>");
  std::string text = k.get();
  text.replace(text.find("return %y"), 9, "return %f");
  expectRight(text, {23});
}

TEST(Generic, SeveralResults) {
  KernelText k;
  k.read("x", "tensor<5x37xf32>")
      .write("y", "tensor<5x37xf32>")
      .write("z", "tensor<37x5xi1>");
  k.step("pp", {{"x", "(i, j) -> (i, j)"}},
         {{"y", "(i, j) -> (i, j)"}, {"z", "(i, j) -> (j, i)"}},
         "%c = arith.constant 0.0 : f32\n"
         "%r0 = arith.maximumf %x_, %c : f32\n"
         "%r1 = arith.cmpf olt, %x_, %c : f32");
  expectRight(k.get());
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Tests y = x reduced over the axes that `iterators` marks.
static void expectReduced(const std::string &iterators, const Sizes &sizes,
                          const std::string &type, const std::string &op,
                          const std::string &init, bool isDynamic = false,
                          Expectation expectation = {}) {
  std::string dims = "d0", kept;
  Sizes left, dynamic;
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    if (axis)
      dims += ", d" + std::to_string(axis);
    if (iterators[axis] == 'p') {
      kept += (kept.empty() ? "d" : ", d") + std::to_string(axis);
      left.push_back(sizes[axis]);
    }
  }
  if (isDynamic) {
    dynamic = sizes;
    dynamic.insert(dynamic.end(), left.begin(), left.end());
  }
  auto shape = [&](Sizes given) {
    return tensor(isDynamic ? Sizes(given.size(), -1) : given, type);
  };
  KernelText k;
  k.read("x", shape(sizes)).write("y", shape(left));
  k.step(iterators, {{"x", "(" + dims + ") -> (" + dims + ")"}},
         {{"y", "(" + dims + ") -> (" + kept + ")"}},
         "%r = arith." + op + " %y_, %x_ : " + type, init);
  expectRight(k.get(), dynamic, expectation);
}

TEST(Generic, SumOverAnyAxes) {
  for (bool isDynamic : {false, true})
    for (std::string iterators : {"prp", "ppr", "rpp", "prr", "rpr", "rrr"})
      for (const Sizes &sizes : std::vector<Sizes>{{3, 5, 7},
                                                   {2, 0, 3},
                                                   {1, 33, 17},
                                                   {4, 3, 64},
                                                   {5, 131, 1},
                                                   {1, 1, 1}})
        expectReduced(iterators, sizes, "f32", "addf", "0.0", isDynamic);
}

TEST(Generic, SumsOfPartialSums) {
  // Sizes around 512, the number of terms after which a partial sum is stored. The
  // interpreter adds sequentially in float32.
  Expectation near;
  near.tolerance = 5e-5;
  for (bool isDynamic : {false, true})
    for (auto [iterators, sizes] :
         std::vector<std::pair<std::string, Sizes>>{{"rp", {511, 3}},
                                                    {"rp", {513, 33}},
                                                    {"rp", {1025, 1}},
                                                    {"pr", {2, 1027}},
                                                    {"rr", {31, 35}},
                                                    {"rpr", {23, 2, 47}},
                                                    {"rrp", {9, 115, 17}},
                                                    {"rrr", {8, 8, 18}}})
      expectReduced(iterators, sizes, "f32", "addf", "0.0", isDynamic, near);
}

TEST(Generic, ReductionsOfAnyKind) {
  for (std::string iterators : {"pr", "rp"}) {
    for (auto [op, init] : std::vector<std::pair<std::string, std::string>>{
             {"maximumf", "0xFF800000"},
             {"minimumf", "0x7F800000"},
             {"mulf", "1.0"}})
      expectReduced(iterators, {3, 41}, "f32", op, init);
    for (auto [op, init] :
         std::vector<std::pair<std::string, std::string>>{{"addi", "0"},
                                                          {"muli", "1"},
                                                          {"maxsi", "-128"},
                                                          {"minui", "-1"},
                                                          {"xori", "0"}})
      for (std::string type : {"i8", "i32", "i64"})
        expectReduced(iterators, {3, 41}, type, op, init);
    expectReduced(iterators, {3, 41}, "i1", "andi", "true");
    expectReduced(iterators, {3, 41}, "i1", "ori", "false");
    expectReduced(iterators, {3, 41}, "f64", "addf", "0.0");
  }
}

TEST(Generic, ReductionOfHalves) {
  // As the lowering emits it: sums are float32.
  for (std::string type : {"f16", "bf16"}) {
    KernelText k;
    k.read("x", "tensor<3x150x" + type + ">").write("y", "tensor<3xf32>");
    k.step("pr", {{"x", "(i, j) -> (i, j)"}}, {{"y", "(i, j) -> (i)"}},
           "%1 = arith.extf %x_ : " + type +
               " to f32\n%r = arith.addf %y_, %1 : f32",
           "0.0");
    expectRight(k.get());
  }
}

TEST(Generic, Mean) {
  // NHWC, reduced over h and w.
  KernelText k;
  k.read("x", "tensor<2x7x7x37xf32>").write("y", "tensor<2x37xf32>");
  k.step("prrp", {{"x", "(n, h, w, c) -> (n, h, w, c)"}},
         {{"y", "(n, h, w, c) -> (n, c)"}},
         "%c = arith.constant 0.0204081628 : f32\n"
         "%1 = arith.mulf %x_, %c : f32\n"
         "%r = arith.addf %1, %y_ : f32",
         "0.0");
  expectRight(k.get());
}

TEST(Generic, LargestAndItsIndex) {
  for (std::string iterators : {"pr", "rp"}) {
    KernelText k;
    std::string kept = iterators == "pr" ? "(i, j) -> (i)" : "(i, j) -> (j)";
    std::string size = iterators == "pr" ? "5" : "37",
                axis = iterators == "pr" ? "1" : "0";
    k.read("x", "tensor<5x37xf32>").write("m", "tensor<" + size + "xf32>");
    k.write("a", "tensor<" + size + "xi64>");
    k.line("%inf = arith.constant 0xFF800000 : f32\n  %zero = arith.constant 0 "
           ": i64");
    k.line("%m0 = linalg.fill ins(%inf : f32) outs(%m : tensor<" + size +
               "xf32>) -> tensor<" + size + "xf32>",
           "m0", "tensor<" + size + "xf32>");
    k.line("%a0 = linalg.fill ins(%zero : i64) outs(%a : tensor<" + size +
               "xi64>) -> tensor<" + size + "xi64>",
           "a0", "tensor<" + size + "xi64>");
    k.step(iterators, {{"x", "(i, j) -> (i, j)"}}, {{"m0", kept}, {"a0", kept}},
           "%j = linalg.index " + axis +
               " : index\n"
               "%k = arith.index_cast %j : index to i64\n"
               "%c = arith.cmpf ogt, %x_, %m0_ : f32\n"
               "%r0 = arith.select %c, %x_, %m0_ : f32\n"
               "%r1 = arith.select %c, %k, %a0_ : i64");
    std::string text = k.get();
    text.replace(text.find("return %m, %a"), 13, "return %s0#0, %s0#1");
    expectRight(text);
  }
}

TEST(Generic, NothingIsNumber) {
  // Sums and maxima propagate NaN and infinities.
  for (std::string op : {"addf", "maximumf", "minimumf"}) {
    KernelText k;
    k.read("x", "tensor<3x40xf32>").write("y", "tensor<3xf32>");
    k.step("pr", {{"x", "(i, j) -> (i, j)"}}, {{"y", "(i, j) -> (i)"}},
           "%i = linalg.index 0 : index\n"
           "%j = linalg.index 1 : index\n"
           "%c = arith.constant 33 : index\n"
           "%o = arith.constant 1 : index\n"
           "%nan = arith.constant 0x7FC00000 : f32\n"
           "%inf = arith.constant 0x7F800000 : f32\n"
           "%b = arith.cmpi eq, %j, %c : index\n"
           "%d = arith.cmpi eq, %i, %o : index\n"
           "%1 = arith.select %d, %nan, %inf : f32\n"
           "%2 = arith.select %b, %1, %x_ : f32\n"
           "%r = arith." +
               op + " %y_, %2 : f32",
           "1.0");
    expectRight(k.get());
  }
}

//===----------------------------------------------------------------------===//
// Memory access patterns
//===----------------------------------------------------------------------===//

TEST(Generic, Transposes) {
  for (std::string type : {"f32", "i8", "f64", "i1", "f16"})
    for (const Sizes &sizes : manySizes) {
      KernelText k;
      k.read("x", tensor(sizes, type))
          .write("y", tensor({sizes[1], sizes[0]}, type));
      k.step("pp", {{"x", "(i, j) -> (j, i)"}}, {{"y", "(i, j) -> (i, j)"}},
             "%r = arith.select %t, %x_, %x_ : " + type);
      std::string text = k.get();
      text.insert(text.find("  %s0"), "  %t = arith.constant true\n");
      expectRight(text);
    }
}

TEST(Generic, PermutedAxes) {
  for (std::string map :
       {"(a, b, c, d) -> (d, a, b, c)", "(a, b, c, d) -> (a, c, b, d)",
        "(a, b, c, d) -> (b, a, d, c)", "(a, b, c, d) -> (c, d, a, b)"})
    for (bool isDynamic : {false, true}) {
      std::string from =
          isDynamic ? "tensor<?x?x?x?xf32>" : "tensor<4x4x4x4xf32>";
      KernelText k;
      k.read("x", from).read("z", from).write("y", from);
      k.step("pppp", {{"x", map}, {"z", "(a, b, c, d) -> (a, b, c, d)"}},
             {{"y", "(a, b, c, d) -> (a, b, c, d)"}},
             "%r = arith.addf %x_, %z_ : f32");
      expectRight(k.get(), isDynamic ? Sizes(12, 5) : Sizes());
    }
}

TEST(Generic, BigTranspose) {
  for (const Sizes &sizes :
       std::vector<Sizes>{{2, 40, 35}, {3, 16, 48}, {1, 100, 7}}) {
    KernelText k;
    k.read("x", tensor(sizes, "f32")).read("b", tensor({sizes[1]}, "f32"));
    k.write("y", tensor({sizes[0], sizes[2], sizes[1]}, "f32"));
    k.step("ppp", {{"x", "(n, i, j) -> (n, j, i)"}, {"b", "(n, i, j) -> (j)"}},
           {{"y", "(n, i, j) -> (n, i, j)"}}, "%r = arith.addf %x_, %b_ : f32");
    expectRight(k.get());
  }
}

TEST(Generic, Windows) {
  for (auto [image, size, out, map] : std::vector<
           std::tuple<std::string, std::string, std::string, std::string>>{
           {"2x9x9x19", "3x3", "2x4x4x19",
            "(n, h, w, c, p, q) -> (n, h * 2 + p, w * 2 + q, c)"},
           {"2x19x9x21", "2x3", "2x8x19x19",
            "(n, h, w, c, p, q) -> (n, c, h + p, w + q)"}}) {
    KernelText k;
    k.read("x", "tensor<" + image + "xf32>")
        .read("w", "tensor<" + size + "xf32>");
    k.write("y", "tensor<" + out + "xf32>");
    k.step("pppprr", {{"x", map}, {"w", "(n, h, w, c, p, q) -> (p, q)"}},
           {{"y", "(n, h, w, c, p, q) -> (n, h, w, c)"}},
           "%1 = arith.mulf %x_, %w_ : f32\n%r = arith.addf %1, %y_ : f32",
           "0.0");
    expectRight(k.get());
  }
}

TEST(Generic, WindowsOverABorder) {
  for (std::string c : {"5", "33"}) {
    KernelText k;
    k.read("x", "tensor<1x6x?x" + c + "xf32>")
        .read("w", "tensor<3x3xf32>")
        .read("n", "index");
    k.write("y", "tensor<1x6x?x" + c + "xf32>");
    k.line("%v = arith.constant -1.5 : f32");
    k.line("%p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {\n"
           "  ^bb0(%a: index, %b: index, %c: index, %d: index):\n    "
           "tensor.yield %v : f32\n"
           "  } : tensor<1x6x?x" +
               c + "xf32> to tensor<1x8x?x" + c + "xf32>",
           "p", "tensor<1x8x?x" + c + "xf32>");
    k.step("pppprr",
           {{"p", "(n, h, w, c, p, q) -> (n, h + p, w + q, c)"},
            {"w", "(n, h, w, c, p, q) -> (p, q)"}},
           {{"y", "(n, h, w, c, p, q) -> (n, h, w, c)"}},
           "%1 = arith.mulf %p_, %w_ : f32\n%r = arith.addf %1, %y_ : f32",
           "0.0");
    expectRight(k.get(), {7, 7});
  }
}

TEST(Generic, BorderAroundRows) {
  KernelText k;
  k.read("x", "tensor<3x?xf32>")
      .read("l", "index")
      .write("y", "tensor<5x?xf32>");
  k.line("%v = arith.constant 9.0 : f32");
  k.line("%d = arith.constant 3 : index");
  k.line("%p = tensor.pad %x low[2, 1] high[0, 3] {\n"
         "  ^bb0(%a: index, %b: index):\n    tensor.yield %v : f32\n"
         "  } : tensor<3x?xf32> to tensor<5x?xf32>",
         "p", "tensor<5x?xf32>");
  k.step("pp", {{"p", "(i, j) -> (i, j)"}}, {{"y", "(i, j) -> (i, j)"}},
         "%r = arith.addf %p_, %p_ : f32");
  expectRight(k.get(), {30, 34});
  expectRight(k.get(), {0, 4});
}

TEST(Generic, Slices) {
  KernelText k;
  k.read("x", "tensor<8x?x20xf32>")
      .read("o", "index")
      .write("y", "tensor<3x?x20xf32>");
  k.line("%c1 = arith.constant 1 : index\n  %n = tensor.dim %y, %c1 : "
         "tensor<3x?x20xf32>");
  k.line("%s = tensor.extract_slice %x[%o, 2, 0] [3, %n, 20] [1, 1, 1] : "
         "tensor<8x?x20xf32> to tensor<3x?x20xf32>",
         "s", "tensor<3x?x20xf32>");
  k.step("ppp", {{"s", "(i, j, l) -> (i, j, l)"}},
         {{"y", "(i, j, l) -> (i, j, l)"}}, "%r = arith.addf %s_, %s_ : f32");
  std::string text = k.get();
  // The number is random below 8; the slice may begin at five rows.
  text.insert(text.find("  %s = tensor"),
              "  %five = arith.constant 5 : index\n  %o5 = arith.remui %o, "
              "%five : index\n");
  text.replace(text.find("x[%o,"), 5, "x[%o5,");
  expectRight(text, {9, 7});
}

TEST(Generic, SlicesWithStrides) {
  for (std::string stride : {"2", "%two"}) {
    KernelText k;
    k.read("x", "tensor<9x40xf32>").write("y", "tensor<4x20xf32>");
    k.line("%one = arith.constant 1 : index\n  %two = arith.addi %one, %one : "
           "index");
    k.line("%s = tensor.extract_slice %x[1, 0] [4, 20] [2, " + stride +
               "] : tensor<9x40xf32> to tensor<4x20xf32>",
           "s", "tensor<4x20xf32>");
    k.step("pp", {{"s", "(i, j) -> (i, j)"}}, {{"y", "(i, j) -> (i, j)"}},
           "%r = arith.addf %s_, %s_ : f32");
    expectRight(k.get());
  }
}

TEST(Generic, SlicesOfLowerRank) {
  KernelText k;
  k.read("x", "tensor<4x9x40xf32>")
      .write("y", "tensor<4x40xf32>")
      .write("z", "tensor<9xf32>");
  k.line("%s = tensor.extract_slice %x[0, 3, 0] [4, 1, 40] [1, 1, 1] : "
         "tensor<4x9x40xf32> to tensor<4x40xf32>",
         "s", "tensor<4x40xf32>");
  k.line("%t = tensor.extract_slice %x[2, 0, 39] [1, 9, 1] [1, 1, 1] : "
         "tensor<4x9x40xf32> to tensor<9xf32>",
         "t", "tensor<9xf32>");
  k.step("pp", {{"s", "(i, j) -> (i, j)"}}, {{"y", "(i, j) -> (i, j)"}},
         "%r = arith.addf %s_, %s_ : f32");
  k.step("p", {{"t", "(i) -> (i)"}}, {{"z", "(i) -> (i)"}},
         "%r = arith.mulf %t_, %t_ : f32");
  expectRight(k.get());
}

TEST(Generic, Reversal) {
  KernelText k;
  k.read("x", "tensor<5x23xf32>").write("y", "tensor<5x23xf32>");
  k.step("pp", {{"x", "(i, j) -> (i, 22 - j)"}}, {{"y", "(i, j) -> (i, j)"}},
         "%r = arith.negf %x_ : f32");
  expectRight(k.get());
}

TEST(Generic, PlacesThatAreNotLinear) {
  // As in a Resize with the nearest element.
  KernelText k;
  k.read("x", "tensor<3x8xf32>").write("y", "tensor<3x16xf32>");
  k.step("pp", {{"x", "(i, j) -> (i, j floordiv 2)"}},
         {{"y", "(i, j) -> (i, j)"}}, "%r = arith.negf %x_ : f32");
  std::string text = k.get();
  // Only y determines the size of j.
  expectRight(text);
  KernelText m;
  m.read("x", "tensor<3x8xf32>").write("y", "tensor<3x33xf32>");
  m.step("pp", {{"x", "(i, j) -> (i, j mod 8)"}}, {{"y", "(i, j) -> (i, j)"}},
         "%r = arith.negf %x_ : f32");
  expectRight(m.get());
}

TEST(Generic, RowsByIndex) {
  // As in Gather: each index selects a row.
  for (std::string size : {"4", "33", "?"}) {
    KernelText k;
    std::string row = size + "xf32>";
    k.read("t", "tensor<11x" + row)
        .read("x", "tensor<7xi64>")
        .write("y", "tensor<7x" + row);
    k.step("pp", {{"x", "(i, j) -> (i)"}}, {{"y", "(i, j) -> (i, j)"}},
           "%n = arith.constant 11 : i64\n"
           "%m = arith.remui %x_, %n : i64\n"
           "%i = arith.index_cast %m : i64 to index\n"
           "%j = linalg.index 1 : index\n"
           "%r = tensor.extract %t[%i, %j] : tensor<11x" +
               row);
    expectRight(k.get(), size == "?" ? Sizes{40, 40} : Sizes());
  }
}

TEST(Generic, ElementsByIndex) {
  // As in GatherElements: each element has a separate index.
  for (std::string type : {"f32", "i8", "i1"}) {
    KernelText k;
    k.read("t", "tensor<11x37x" + type + ">").read("x", "tensor<7x37xi64>");
    k.write("y", "tensor<7x37x" + type + ">");
    k.step("pp", {{"x", "(i, j) -> (i, j)"}}, {{"y", "(i, j) -> (i, j)"}},
           "%n = arith.constant 11 : i64\n"
           "%m = arith.remui %x_, %n : i64\n"
           "%i = arith.index_cast %m : i64 to index\n"
           "%j = linalg.index 1 : index\n"
           "%r = tensor.extract %t[%i, %j] : tensor<11x37x" +
               type + ">");
    expectRight(k.get());
  }
}

TEST(Generic, Products) {
  for (auto [a, b] : std::vector<std::pair<std::string, std::string>>{
           {"(m, n, k) -> (m, k)", "(m, n, k) -> (k, n)"},
           {"(m, n, k) -> (m, k)", "(m, n, k) -> (n, k)"},
           {"(m, n, k) -> (k, m)", "(m, n, k) -> (k, n)"}}) {
    auto shape = [](const std::string &map, bool isLeft) {
      bool isFirst = map.find(isLeft ? "(m," : "(n,", 5) != std::string::npos;
      std::string own = isLeft ? "5" : "37";
      return "tensor<" + (isFirst ? own + "x19" : "19x" + own) + "xi8>";
    };
    KernelText k;
    k.read("a", shape(a, true))
        .read("b", shape(b, false))
        .write("y", "tensor<5x37xi32>");
    k.step("ppr", {{"a", a}, {"b", b}}, {{"y", "(m, n, k) -> (m, n)"}},
           "%1 = arith.extsi %a_ : i8 to i32\n"
           "%2 = arith.extsi %b_ : i8 to i32\n"
           "%3 = arith.muli %1, %2 : i32\n"
           "%r = arith.addi %y_, %3 : i32",
           "0");
    expectRight(k.get());
  }
}

TEST(Generic, ProductWithWhatLiesInTiles) {
  KernelText k;
  k.read("a", "tensor<5x19xf64>")
      .read("b", "tensor<3x19x16xf64>")
      .write("y", "tensor<5x37xf64>");
  k.keep("e", "tensor<19x37xf64>");
  k.line("%u = linalg.unpack %b outer_dims_perm = [1, 0] inner_dims_pos = [1] "
         "inner_tiles = "
         "[16] into %e : tensor<3x19x16xf64> -> tensor<19x37xf64>",
         "u", "tensor<19x37xf64>");
  k.step("ppr", {{"a", "(m, n, k) -> (m, k)"}, {"u", "(m, n, k) -> (k, n)"}},
         {{"y", "(m, n, k) -> (m, n)"}},
         "%1 = arith.mulf %a_, %u_ : f64\n%r = arith.addf %y_, %1 : f64",
         "0.0");
  expectRight(k.get());
}
