// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of no special form.
#include "KernelTest.h"

#include <gtest/gtest.h>

using namespace invar;

namespace {
/// Text with words replaced, e.g. types.
std::string with(std::string text,
                 std::vector<std::pair<std::string, std::string>> words) {
  for (auto &[from, to] : words)
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
         at += to.size())
      text.replace(at, from.size(), to);
  return text;
}
} // namespace

static const char *const elementwise = R"mlir(
#id = affine_map<(i, j) -> (i, j)>
func.func private @k(%x: tensor<SHAPE>, %z: tensor<SHAPE>, %y: tensor<SHAPE>)
    -> tensor<SHAPE> attributes {invar.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %z : tensor<SHAPE>, tensor<SHAPE>) outs(%y : tensor<SHAPE>) {
  ^bb0(%a: TYPE, %b: TYPE, %o: TYPE):
    BODY
    linalg.yield %r : TYPE
  } -> tensor<SHAPE>
  return %0 : tensor<SHAPE>
}
)mlir";

TEST(Generic, ElementwiseOfAnySize) {
  for (auto [rows, columns] : std::vector<std::pair<int, int>>{
           {0, 5}, {1, 1}, {3, 5}, {7, 13}, {16, 16}, {1, 67}, {33, 31}}) {
    std::string shape =
        std::to_string(rows) + "x" + std::to_string(columns) + "xf32";
    expectRight(
        with(elementwise, {{"SHAPE", shape},
                           {"TYPE", "f32"},
                           {"BODY", "%s = arith.addf %a, %b : f32\n"
                                    "%c = arith.constant 0.0 : f32\n"
                                    "%r = arith.maximumf %s, %c : f32"}}));
    expectRight(with(elementwise, {{"SHAPE", "?x?xf32"},
                                   {"TYPE", "f32"},
                                   {"BODY", "%r = arith.mulf %a, %b : f32"}}),
                {rows, columns, rows, columns, rows, columns});
  }
}
