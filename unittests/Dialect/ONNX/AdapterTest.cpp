// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the conversion of nodes from older opsets to the newest form, and back.
#include "NodeText.h"
#include "gtest/gtest.h"

using namespace invar;
using namespace invar::onnx;

namespace {

struct Older {
  int64_t version;
  NodeText node;
  llvm::StringRef newest;
  /// The node after converting back to its version, if it differs from the original.
  llvm::StringRef back = "";
};

constexpr llvm::StringLiteral x4 = "tensor<2x3x4x5xf32>";

const Older olderNodes[] = {
    // Activation
    {6, {"PRelu", {x4, "tensor<3xf32>"}}, "PRelu(%0, Unsqueeze(%1, [1, 2]))"},
    {6, {"PRelu", {x4, "tensor<1xf32>"}}, "PRelu(%0, %1)"},
    {6, {"PRelu", {"tensor<2x3xf32>", "tensor<3xf32>"}}, "PRelu(%0, %1)"},
    {1, {"Selu", {x4}}, "Selu(%0) {alpha=1.6732, gamma=1.0507}"},
    {5,
     {"Selu", {x4}, "{alpha = 2.0 : f32, gamma = 3.0 : f32}"},
     "Selu(%0) {alpha=2, gamma=3}"},
    // Arithmetic, Compare, Logic
    {6, {"Add", {x4, x4}}, "Add(%0, %1)"},
    {6, {"Add", {x4, "tensor<4x5xf32>"}, "{broadcast = 1}"}, "Add(%0, %1)"},
    {6, {"Mul", {x4, "tensor<f32>"}, "{broadcast = 1}"}, "Mul(%0, %1)"},
    {6,
     {"Add", {x4, "tensor<3x4xf32>"}, "{axis = 1, broadcast = 1}"},
     "Add(%0, Unsqueeze(%1, [2]))"},
    {6,
     {"Pow", {x4, "tensor<2xf32>"}, "{axis = 0, broadcast = 1}"},
     "Pow(%0, Unsqueeze(%1, [1, 2, 3]))"},
    {1,
     {"And", {"tensor<2x3xi1>", "tensor<2xi1>"}, "{axis = 0, broadcast = 1}"},
     "And(%0, Unsqueeze(%1, [1]))"},
    {1,
     {"Less",
      {"tensor<?x3x4xf32>", "tensor<3xf32>"},
      "{axis = 1, broadcast = 1}"},
     "Less(%0, Unsqueeze(%1, [1]))"},
    {6,
     {"Sub", {x4, x4}, "{axis = 1, broadcast = 0}"},
     "Sub(%0, %1)",
     "Sub(%0, %1)"},
    {6,
     {"Add", {"tensor<*xf32>", "tensor<3xf32>"}, "{axis = 1, broadcast = 1}"},
     "Add(%0, Reshape(%1, Concat(Shape(%1), "
     "ConstantOfShape(Sub(Sub(Shape(Shape(%0)), "
     "[1]), Shape(Shape(%1)))) {value=[1]}) {axis=0}))",
     "-"},
    {5, {"Clip", {x4}, "{min = -1.0 : f32}"}, "Clip(%0, -1)"},
    {5, {"Clip", {x4}}, "Clip(%0)"},
    {6, {"Clip", {x4}, "{max = 6.0 : f32, min = 0.0 : f32}"}, "Clip(%0, 0, 6)"},
    {10, {"Clip", {x4}, "{min = 0.0 : f32}"}, "Clip(%0, 0, 3.40282e+38)"},
    {6,
     {"Clip", {"tensor<?xf16>"}, "{max = 6.0 : f32, min = 0.0 : f32}"},
     "Clip(%0, 0:float16, 6:float16)"},
    // Cast
    {5, {"Cast", {x4}, "{to = \"INT64\"}"}, "Cast(%0) {to=7}"},
    {1, {"Cast", {x4}, "{to = \"DOUBLE\"}"}, "Cast(%0) {to=11}"},
    // Concat
    {3,
     {"Concat", {x4, x4}},
     "Concat(%0, %1) {axis=1}",
     "Concat(%0, %1) {axis=1}"},
    {3, {"Concat", {x4, x4}, "{axis = 0}"}, "Concat(%0, %1) {axis=0}"},
    // Constant
    {12,
     {"Constant", {}, "{value_int = 3}"},
     "Constant() {value=3}",
     "Constant() {value=3}"},
    {28,
     {"Constant", {}, "{value_ints = array<i64: 1, 2>}"},
     "Constant() {value=[1, 2]}",
     "Constant() {value=[1, 2]}"},
    {13,
     {"Constant", {}, "{value_floats = array<f32: 1.5>}"},
     "Constant() {value=[1.5]}",
     "Constant() {value=[1.5]}"},
    {13,
     {"Constant", {}, "{value_float = 2.0 : f32}"},
     "Constant() {value=2}",
     "Constant() {value=2}"},
    // Expand
    {5,
     {"Tile", {x4, "dense<3.0> : tensor<f32>", "dense<1.0> : tensor<f32>"}},
     "Tile(%0, [1, 3, 1, 1])"},
    // MatMul
    {6,
     {"Gemm",
      {"tensor<2x3xf32>", "tensor<3x4xf32>", "tensor<4xf32>"},
      "{broadcast = 1}"},
     "Gemm(%0, %1, %2)"},
    {6,
     {"Gemm", {"tensor<2x3xf32>", "tensor<3x4xf32>", "tensor<2x4xf32>"}},
     "Gemm(%0, %1, %2)"},
    // Normalize
    {1,
     {"BatchNormalization",
      {x4, "tensor<3xf32>", "tensor<3xf32>", "tensor<3xf32>", "tensor<3xf32>"},
      "{consumed_inputs = array<i64: 0, 0, 0, 1, 1>, is_test = 1}"},
     "BatchNormalization(%0, %1, %2, %3, %4)"},
    {6,
     {"BatchNormalization",
      {x4, "tensor<3xf32>", "tensor<3xf32>", "tensor<3xf32>", "tensor<3xf32>"}},
     "BatchNormalization(%0, %1, %2, %3, %4) {training_mode=1}"},
    {8,
     {"BatchNormalization",
      {x4, "tensor<3xf32>", "tensor<3xf32>", "tensor<3xf32>", "tensor<3xf32>"},
      "{spatial = 1}"},
     "BatchNormalization(%0, %1, %2, %3, %4)",
     "BatchNormalization(%0, %1, %2, %3, %4)"},
    {6,
     {"Dropout", {x4}, "{is_test = 1, ratio = 0.25 : f32}"},
     "Dropout(%0, 0.25)"},
    {6, {"Dropout", {x4}}, "Dropout(%0, _, 1:bool)"},
    {7, {"Dropout", {x4}, "{ratio = 0.25 : f32}"}, "Dropout(%0, 0.25)"},
    {10, {"Dropout", {x4}, "{ratio = 0.25 : f32}", 2}, "Dropout(%0, 0.25)"},
    {18,
     {"GroupNormalization",
      {"tensor<2x4x5xf32>", "tensor<2xf32>", "tensor<2xf32>"},
      "{num_groups = 2}"},
     "GroupNormalization(%0, Reshape(Expand(Unsqueeze(%1, [1]), [2, 2]), "
     "[-1]), "
     "Reshape(Expand(Unsqueeze(%2, [1]), [2, 2]), [-1])) {num_groups=2}"},
    {18,
     {"GroupNormalization",
      {"tensor<*xf32>", "tensor<2xf32>"},
      "{num_groups = 2}"},
     "GroupNormalization(%0, Reshape(Expand(Unsqueeze(%1, [1]), "
     "Concat([2], Div(Shape(%0) {end=2, start=1}, [2])) {axis=0}), [-1])) "
     "{num_groups=2}"},
    // Pad
    {1,
     {"Pad", {x4}, "{paddings = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>}"},
     "Pad(%0, [0, 0, 1, 1, 0, 0, 1, 1])"},
    {2,
     {"Pad",
      {"tensor<2xf32>"},
      "{mode = \"constant\", pads = array<i64: 1, 0>, value = 2.0 : f32}"},
     "Pad(%0, [1, 0], 2) {mode=\"constant\"}"},
    // Pool
    {1, {"GlobalLpPool", {x4}, "{p = 3.0 : f32}"}, "GlobalLpPool(%0) {p=3}"},
    {1,
     {"LpPool", {x4}, "{kernel_shape = array<i64: 2, 2>, p = 1.0 : f32}"},
     "LpPool(%0) {kernel_shape=[2, 2], p=1}"},
    {10,
     {"RoiAlign", {x4, "tensor<1x4xf32>", "tensor<1xi64>"}},
     "RoiAlign(%0, %1, %2) "
     "{coordinate_transformation_mode=\"output_half_pixel\"}"},
    // Recurrent
    {1,
     {"GRU", {x4, x4, x4}, "{direction = \"foward\", output_sequence = 1}", 2},
     "GRU(%0, %1, %2) {direction=\"forward\"}",
     "GRU(%0, %1, %2) {direction=\"forward\", output_sequence=1}"},
    {6, {"LSTM", {x4, x4, x4}, "{output_sequence = 1}"}, "LSTM(%0, %1, %2)"},
    {6, {"RNN", {x4, x4, x4}, "{output_sequence = 1}"}, "RNN(%0, %1, %2)"},
    // Reduce
    {11, {"ReduceSum", {x4}, "{axes = array<i64: -1>}"}, "ReduceSum(%0, [-1])"},
    {17,
     {"ReduceMean", {x4}, "{axes = array<i64: 2, 3>, keepdims = 0}"},
     "ReduceMean(%0, [2, 3]) {keepdims=0}"},
    {1, {"ReduceMax", {x4}}, "ReduceMax(%0)"},
    {1, {"TopK", {x4}, "{axis = 1, k = 2}", 2}, "TopK(%0, [2]) {axis=1}"},
    // Reshape
    {1,
     {"Reshape", {x4}, "{shape = array<i64: 2, -1>}"},
     "Reshape(%0, [2, -1])"},
    {1, {"Squeeze", {x4}, "{axes = array<i64: 0>}"}, "Squeeze(%0, [0])"},
    {1, {"Squeeze", {x4}}, "Squeeze(%0)"},
    {11, {"Unsqueeze", {x4}, "{axes = array<i64: -1>}"}, "Unsqueeze(%0, [-1])"},
    // Resize
    {1,
     {"Upsample",
      {x4},
      "{height_scale = 2.0 : f32, mode = \"bilinear\", width_scale = 3.0 : "
      "f32}"},
     "Resize(%0, _, [1, 1, 2, 3]) "
     "{coordinate_transformation_mode=\"asymmetric\", mode=\"linear\"}"},
    {7,
     {"Upsample", {x4}, "{scales = array<f32: 1.0, 1.0, 2.0, 2.0>}"},
     "Resize(%0, _, [1, 1, 2, 2]) "
     "{coordinate_transformation_mode=\"asymmetric\", nearest_mode=\"floor\"}"},
    {9,
     {"Upsample", {x4, "tensor<4xf32>"}, "{mode = \"linear\"}"},
     "Resize(%0, _, %1) {coordinate_transformation_mode=\"asymmetric\", "
     "mode=\"linear\"}"},
    {10, {"Upsample", {x4, "tensor<4xf32>"}}, "Upsample(%0, %1)"},
    {10,
     {"Resize", {x4, "dense<[1.0, 1.0, 0.5, 0.5]> : tensor<4xf32>"}},
     "Resize(%0, _, [1, 1, 0.5, 0.5]) "
     "{coordinate_transformation_mode=\"asymmetric\", nearest_mode=\"floor\"}"},
    {11,
     {"Resize",
      {x4, "dense<> : tensor<0xf32>", "dense<> : tensor<0xf32>",
       "tensor<4xi64>"}},
     "Resize(%0, _, _, %1)"},
    {16,
     {"GridSample", {x4, "tensor<2x4x5x2xf32>"}, "{mode = \"bicubic\"}"},
     "GridSample(%0, %1) {mode=\"cubic\"}"},
    {16,
     {"GridSample", {x4, "tensor<2x4x5x2xf32>"}, "{mode = \"nearest\"}"},
     "GridSample(%0, %1) {mode=\"nearest\"}"},
    {16,
     {"GridSample", {x4, "tensor<2x4x5x2xf32>"}},
     "GridSample(%0, %1) {mode=\"linear\"}",
     "GridSample(%0, %1) {mode=\"bilinear\"}"},
    // Scatter
    {9,
     {"Scatter",
      {x4, "tensor<1x1x1x1xi64>", "tensor<1x1x1x1xf32>"},
      "{axis = 1}"},
     "ScatterElements(%0, %1, %2) {axis=1}"},
    // Signal
    {17, {"DFT", {"tensor<1x8x1xf32>"}}, "DFT(%0, _, 1)"},
    {17, {"DFT", {"tensor<1x8x1xf32>"}, "{axis = 0}"}, "DFT(%0, _, 0)"},
    {17, {"DFT", {"tensor<1x8x1xf32>"}, "{axis = -2}"}, "DFT(%0)"},
    // Slice
    {1,
     {"Slice",
      {x4},
      "{axes = array<i64: 1>, ends = array<i64: 2>, starts = array<i64: 0>}"},
     "Slice(%0, [0], [2], [1])"},
    {9,
     {"Slice", {x4}, "{ends = array<i64: 2>, starts = array<i64: 0>}"},
     "Slice(%0, [0], [2])"},
    {2, {"Split", {x4}, "{axis = 3}", 5}, "Split(%0) {axis=3, num_outputs=5}"},
    {11,
     {"Split", {x4}, "{axis = 3, split = array<i64: 2, 3>}", 2},
     "Split(%0, [2, 3]) {axis=3}"},
    {13,
     {"Split", {x4, "tensor<2xi64>"}, "{axis = 3}", 2},
     "Split(%0, %1) {axis=3}"},
    // Softmax
    {12,
     {"Softmax", {"tensor<2x3xf32>"}},
     "Softmax(%0) {axis=-1}",
     "Softmax(%0) {axis=1}"},
    {12,
     {"Softmax", {"tensor<*xf32>"}, "{axis = -1}"},
     "Softmax(%0) {axis=-1}"},
    {1,
     {"LogSoftmax", {x4}},
     "LogSoftmax.rows(%0) {axis=1}",
     "LogSoftmax(%0) {axis=1}"},
    {11,
     {"Hardmax", {"tensor<*xf32>"}, "{axis = 2}"},
     "Hardmax.rows(%0) {axis=2}"},
    // Scan
    {8,
     {"Scan",
      {"", x4, x4},
      "{directions = array<i64: 1>, num_scan_inputs = 1}"},
     "Scan(%0, %1) {num_scan_inputs=1, scan_input_directions=[1]}",
     "Scan(_, Unsqueeze(%0, [0]), Unsqueeze(%1, [0])) {directions=[1], "
     "num_scan_inputs=1}"},
    // ML
    {1,
     {"LabelEncoder",
      {"tensor<2x!elements.string>"},
      "{classes_strings = [\"a\", \"b\"], default_int64 = -1}",
      1,
      "ai.onnx.ml"},
     "LabelEncoder(%0) {default_int64=-1, keys_strings=[\"a\", \"b\"], "
     "values_int64s=[0, 1]}"},
    {1,
     {"LabelEncoder",
      {"!onnx.unknown"},
      "{classes_strings = [\"a\", \"b\"], default_string = \"?\"}",
      1,
      "ai.onnx.ml"},
     "LabelEncoder(%0) {default_string=\"?\", keys_int64s=[0, 1], "
     "values_strings=[\"a\", "
     "\"b\"]}"},
    // Operators that never changed
    {1,
     {"Relu", {x4}, "{consumed_inputs = array<i64: 0>}"},
     "Relu(%0)",
     "Relu(%0)"},
};

TEST(Adapter, BringsOlderNodesUpAndBack) {
  for (const Older &older : olderNodes) {
    NodeBench bench;
    NodeForm node = bench.make(older.node);
    std::string original = bench.print(node);
    SCOPED_TRACE(original + " of version " + std::to_string(older.version));
    Refusal refusal = bench.upgrade(node, older.version);
    ASSERT_EQ(refusal, std::nullopt);
    EXPECT_EQ(bench.print(node), older.newest);
    if (older.back == "-")
      continue;
    refusal = bench.downgrade(node, older.version);
    ASSERT_EQ(refusal, std::nullopt);
    EXPECT_EQ(bench.print(node),
              older.back.empty() ? original : older.back.str());
  }
}

/// A node that cannot be converted up, and a part of the reason.
struct Refused {
  int64_t version;
  NodeText node;
  llvm::StringRef reason;
};

const Refused refusedUp[] = {
    {6,
     {"Add", {x4, "tensor<3xf32>"}, "{axis = 4, broadcast = 1}"},
     "out of range"},
    {6, {"PRelu", {x4, "!onnx.unknown"}}, "slope"},
    {6, {"Clip", {"!onnx.unknown"}, "{min = 0.0 : f32}"}, "element type"},
    {5, {"Cast", {x4}, "{to = \"FLOAT3\"}"}, "'FLOAT3'"},
    {5, {"Tile", {x4, "tensor<f32>", "dense<1.0> : tensor<f32>"}}, "constant"},
    {5,
     {"Tile", {x4, "dense<2.0> : tensor<f32>", "dense<9.0> : tensor<f32>"}},
     "range"},
    {7,
     {"BatchNormalization", {x4, x4, x4, x4, x4}, "{spatial = 0}"},
     "'spatial'"},
    {9, {"BatchNormalization", {x4, x4, x4, x4, x4}, "{}", 5}, "outputs"},
    {7, {"Dropout", {x4}, "{}", 2}, "mask"},
    {18, {"GroupNormalization", {x4, x4, x4}}, "num_groups"},
    {2,
     {"Pad", {"!onnx.unknown"}, "{pads = array<i64: 1, 1>, value = 1.0 : f32}"},
     "type"},
    {1, {"LpPool", {x4}, "{p = 1.5 : f32}"}, "1.5"},
    {11,
     {"Resize",
      {x4, x4, x4},
      "{coordinate_transformation_mode = \"tf_half_pixel_for_nn\"}"},
     "tf_half_pixel_for_nn"},
    {8,
     {"Scan", {"tensor<2xi64>", x4}, "{num_scan_inputs = 1}"},
     "lengths of sequences"},
    {8, {"Scan", {"", x4}, "{num_scan_inputs = 2}"}, "fewer inputs"},
    {1, {"Split", {x4, "tensor<2xf32>"}, "{}", 2}, "version 1"},
    {12, {"Softmax", {"tensor<3xf32>"}, "{axis = 5}"}, "expected an axis"},
    {1,
     {"LabelEncoder",
      {"!onnx.unknown"},
      "{classes_strings = [\"a\"]}",
      1,
      "ai.onnx.ml"},
     "classes"},
};

TEST(Adapter, RefusesWhatTheNewestFormCannotSay) {
  for (const Refused &row : refusedUp) {
    NodeBench bench;
    NodeForm node = bench.make(row.node);
    SCOPED_TRACE(bench.print(node) + " of version " +
                 std::to_string(row.version));
    Refusal refusal = bench.upgrade(node, row.version);
    ASSERT_NE(refusal, std::nullopt);
    EXPECT_NE(refusal->find(row.reason.str()), std::string::npos) << *refusal;
  }
}

} // namespace
