// RUN: invar-opt --invar-decompose --split-input-file %s | FileCheck %s

// CHECK-LABEL: @decompose_attention(
// CHECK-SAME: %[[Q:[^:]*]]:{{.*}} %[[K:[^:]*]]:{{.*}} %[[V:[^:]*]]:
func.func @decompose_attention(%q: tensor<2x3x4x8xf32>, %k: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x8xf32>) -> tensor<2x3x4x8xf32> {
  // CHECK: %[[TRANSPOSE:.*]] = onnx.Transpose(%[[K]]) {perm = array<i64: 0, 1, 3, 2>}
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<0.594603539>
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[Q]], %[[NUMBER]])
  // CHECK: %[[NUMBER2:.*]] = onnx.Constant {{.*}}dense<0.594603539>
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[TRANSPOSE]], %[[NUMBER2]])
  // CHECK: %[[MAT_MUL:.*]] = onnx.MatMul(%[[MUL]], %[[MUL2]])
  // CHECK: %[[SOFTMAX:.*]] = onnx.Softmax(%[[MAT_MUL]]) {axis = -1 : i64}
  // CHECK: %[[MAT_MUL2:.*]] = onnx.MatMul(%[[SOFTMAX]], %[[V]])
  // CHECK: return %[[MAT_MUL2]]
  %0 = onnx.Attention(%q, %k, %v) : (tensor<2x3x4x8xf32>, tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32>) -> tensor<2x3x4x8xf32>
  return %0 : tensor<2x3x4x8xf32>
}

// -----

// A query that sees no key gets nothing.
// CHECK-LABEL: @decompose_attention_with_mask(
// CHECK-SAME: %[[Q:[^:]*]]:{{.*}} %[[K:[^:]*]]:{{.*}} %[[V:[^:]*]]:{{.*}} %[[MASK:[^:]*]]:
func.func @decompose_attention_with_mask(%q: tensor<2x3x4x8xf32>, %k: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x8xf32>, %mask: tensor<4x6xi1>) -> tensor<2x3x4x8xf32> {
  // CHECK: %[[TRANSPOSE:.*]] = onnx.Transpose(%[[K]]) {perm = array<i64: 0, 1, 3, 2>}
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<0.594603539>
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[Q]], %[[NUMBER]])
  // CHECK: %[[NUMBER2:.*]] = onnx.Constant {{.*}}dense<0.594603539>
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[TRANSPOSE]], %[[NUMBER2]])
  // CHECK: %[[MAT_MUL:.*]] = onnx.MatMul(%[[MUL]], %[[MUL2]])
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[NUMBER3:.*]] = onnx.Constant {{.*}}dense<0xFF800000>
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[MASK]], %[[ZERO]], %[[NUMBER3]])
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[MAT_MUL]], %[[WHERE]])
  // CHECK: %[[SOFTMAX:.*]] = onnx.Softmax(%[[ADD]]) {axis = -1 : i64}
  // CHECK: %[[REDUCE_MAX:.*]] = onnx.ReduceMax(%[[ADD]], %{{.*}})
  // CHECK: %[[NUMBER4:.*]] = onnx.Constant {{.*}}dense<0xFF800000>
  // CHECK: %[[EQUAL:.*]] = onnx.Equal(%[[REDUCE_MAX]], %[[NUMBER4]])
  // CHECK: %[[ZERO2:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[WHERE2:.*]] = onnx.Where(%[[EQUAL]], %[[ZERO2]], %[[SOFTMAX]])
  // CHECK: %[[MAT_MUL2:.*]] = onnx.MatMul(%[[WHERE2]], %[[V]])
  // CHECK: return %[[MAT_MUL2]]
  %0 = onnx.Attention(%q, %k, %v, %mask) : (tensor<2x3x4x8xf32>, tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32>, tensor<4x6xi1>) -> tensor<2x3x4x8xf32>
  return %0 : tensor<2x3x4x8xf32>
}

// -----

// A query sees the first key at least.
// CHECK-LABEL: @decompose_attention_causal(
// CHECK-SAME: %[[Q:[^:]*]]:{{.*}} %[[K:[^:]*]]:{{.*}} %[[V:[^:]*]]:
func.func @decompose_attention_causal(%q: tensor<2x3x4x8xf32>, %k: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x8xf32>) -> tensor<2x3x4x8xf32> {
  // CHECK: %[[TRANSPOSE:.*]] = onnx.Transpose(%[[K]]) {perm = array<i64: 0, 1, 3, 2>}
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<0.594603539>
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[Q]], %[[NUMBER]])
  // CHECK: %[[NUMBER2:.*]] = onnx.Constant {{.*}}dense<0.594603539>
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[TRANSPOSE]], %[[NUMBER2]])
  // CHECK: %[[MAT_MUL:.*]] = onnx.MatMul(%[[MUL]], %[[MUL2]])
  // CHECK: %[[RANGE:.*]] = onnx.Range(%{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: %[[RANGE2:.*]] = onnx.Range(%{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: %[[UNSQUEEZE:.*]] = onnx.Unsqueeze(%[[RANGE2]], %{{.*}})
  // CHECK: %[[LESS:.*]] = onnx.Less(%[[UNSQUEEZE]], %[[RANGE]])
  // CHECK: %[[NUMBER3:.*]] = onnx.Constant {{.*}}dense<0xFF800000>
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[LESS]], %[[NUMBER3]], %[[ZERO]])
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[MAT_MUL]], %[[WHERE]])
  // CHECK: %[[SOFTMAX:.*]] = onnx.Softmax(%[[ADD]]) {axis = -1 : i64}
  // CHECK: %[[MAT_MUL2:.*]] = onnx.MatMul(%[[SOFTMAX]], %[[V]])
  // CHECK: return %[[MAT_MUL2]]
  %0 = onnx.Attention(%q, %k, %v) {is_causal = 1 : i64} : (tensor<2x3x4x8xf32>, tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32>) -> tensor<2x3x4x8xf32>
  return %0 : tensor<2x3x4x8xf32>
}

// -----

// CHECK-LABEL: @decompose_attention_with_shared_heads(
// CHECK-SAME: %[[Q:[^:]*]]:{{.*}} %[[K:[^:]*]]:{{.*}} %[[V:[^:]*]]:
func.func @decompose_attention_with_shared_heads(%q: tensor<2x4x48xf32>, %k: tensor<2x6x16xf32>, %v: tensor<2x6x16xf32>) -> tensor<2x4x48xf32> {
  // CHECK: %[[SIZES:.*]] = onnx.Constant {{.*}}dense<[0, 0, 6, 8]>
  // CHECK: %[[RESHAPE:.*]] = onnx.Reshape(%[[Q]], %[[SIZES]])
  // CHECK: %[[TRANSPOSE:.*]] = onnx.Transpose(%[[RESHAPE]]) {perm = array<i64: 0, 2, 1, 3>}
  // CHECK: %[[SIZES2:.*]] = onnx.Constant {{.*}}dense<[0, 0, 2, 8]>
  // CHECK: %[[RESHAPE2:.*]] = onnx.Reshape(%[[K]], %[[SIZES2]])
  // CHECK: %[[TRANSPOSE2:.*]] = onnx.Transpose(%[[RESHAPE2]]) {perm = array<i64: 0, 2, 1, 3>}
  // CHECK: %[[SIZES3:.*]] = onnx.Constant {{.*}}dense<[0, 0, 2, 8]>
  // CHECK: %[[RESHAPE3:.*]] = onnx.Reshape(%[[V]], %[[SIZES3]])
  // CHECK: %[[TRANSPOSE3:.*]] = onnx.Transpose(%[[RESHAPE3]]) {perm = array<i64: 0, 2, 1, 3>}
  // CHECK: %[[UNSQUEEZE:.*]] = onnx.Unsqueeze(%[[TRANSPOSE2]], %{{.*}})
  // CHECK: %[[SIZES4:.*]] = onnx.Constant {{.*}}dense<[1, 1, 3, 1, 1]>
  // CHECK: %[[EXPAND:.*]] = onnx.Expand(%[[UNSQUEEZE]], %[[SIZES4]])
  // CHECK: %[[SIZES5:.*]] = onnx.Constant {{.*}}dense<[0, 6, 6, 8]>
  // CHECK: %[[RESHAPE4:.*]] = onnx.Reshape(%[[EXPAND]], %[[SIZES5]])
  // CHECK: %[[TRANSPOSE4:.*]] = onnx.Transpose(%[[RESHAPE4]]) {perm = array<i64: 0, 1, 3, 2>}
  // CHECK: %[[TWO:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[TRANSPOSE]], %[[TWO]])
  // CHECK: %[[TWO2:.*]] = onnx.Constant {{.*}}dense<2.000000e+00>
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[TRANSPOSE4]], %[[TWO2]])
  // CHECK: %[[MAT_MUL:.*]] = onnx.MatMul(%[[MUL]], %[[MUL2]])
  // CHECK: %[[SOFTMAX:.*]] = onnx.Softmax(%[[MAT_MUL]]) {axis = -1 : i64}
  // CHECK: %[[UNSQUEEZE2:.*]] = onnx.Unsqueeze(%[[TRANSPOSE3]], %{{.*}})
  // CHECK: %[[SIZES6:.*]] = onnx.Constant {{.*}}dense<[1, 1, 3, 1, 1]>
  // CHECK: %[[EXPAND2:.*]] = onnx.Expand(%[[UNSQUEEZE2]], %[[SIZES6]])
  // CHECK: %[[SIZES7:.*]] = onnx.Constant {{.*}}dense<[0, 6, 6, 8]>
  // CHECK: %[[RESHAPE5:.*]] = onnx.Reshape(%[[EXPAND2]], %[[SIZES7]])
  // CHECK: %[[MAT_MUL2:.*]] = onnx.MatMul(%[[SOFTMAX]], %[[RESHAPE5]])
  // CHECK: %[[TRANSPOSE5:.*]] = onnx.Transpose(%[[MAT_MUL2]]) {perm = array<i64: 0, 2, 1, 3>}
  // CHECK: %[[SIZES8:.*]] = onnx.Constant {{.*}}dense<[0, 0, 48]>
  // CHECK: %[[RESHAPE6:.*]] = onnx.Reshape(%[[TRANSPOSE5]], %[[SIZES8]])
  // CHECK: return %[[RESHAPE6]]
  %0 = onnx.Attention(%q, %k, %v) {kv_num_heads = 2 : i64, q_num_heads = 6 : i64, scale = 4.0 : f32} : (tensor<2x4x48xf32>, tensor<2x6x16xf32>, tensor<2x6x16xf32>) -> tensor<2x4x48xf32>
  return %0 : tensor<2x4x48xf32>
}

// -----

// Heads may share keys: how many do is computed.
// CHECK-LABEL: @decompose_attention_open_heads(
func.func @decompose_attention_open_heads(%q: tensor<2x?x4x8xf32>, %k: tensor<2x?x6x8xf32>, %v: tensor<2x?x6x8xf32>) -> tensor<2x?x4x8xf32> {
  // CHECK: %[[TIMES:.*]] = onnx.Div(
  // CHECK: onnx.Concat(%{{.*}}, %[[TIMES]], %{{.*}})
  // CHECK: onnx.Expand(
  // CHECK-NOT: onnx.Attention(
  %0 = onnx.Attention(%q, %k, %v) : (tensor<2x?x4x8xf32>, tensor<2x?x6x8xf32>, tensor<2x?x6x8xf32>) -> tensor<2x?x4x8xf32>
  return %0 : tensor<2x?x4x8xf32>
}

// -----

// Values of another type.
// CHECK-LABEL: @decompose_attention_refused(
func.func @decompose_attention_refused(%q: tensor<2x3x4x8xf32>, %k: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x8xf16>) -> tensor<2x3x4x8xf32> {
  // CHECK: onnx.Attention(
  %0 = onnx.Attention(%q, %k, %v) : (tensor<2x3x4x8xf32>, tensor<2x3x6x8xf32>, tensor<2x3x6x8xf16>) -> tensor<2x3x4x8xf32>
  return %0 : tensor<2x3x4x8xf32>
}

// -----

// CHECK-LABEL: @decompose_rotary_embedding(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[COSINES:[^:]*]]:{{.*}} %[[SINES:[^:]*]]:{{.*}} %[[POSITIONS:[^:]*]]:
func.func @decompose_rotary_embedding(%x: tensor<?x3x?x8xf32>, %cosines: tensor<50x4xf32>, %sines: tensor<50x4xf32>, %positions: tensor<?x?xi64>) -> tensor<?x3x?x8xf32> {
  // CHECK: %[[GATHER:.*]] = onnx.Gather(%[[COSINES]], %[[POSITIONS]]) {axis = 0 : i64}
  // CHECK: %[[UNSQUEEZE:.*]] = onnx.Unsqueeze(%[[GATHER]], %{{.*}})
  // CHECK: %[[GATHER2:.*]] = onnx.Gather(%[[SINES]], %[[POSITIONS]]) {axis = 0 : i64}
  // CHECK: %[[UNSQUEEZE2:.*]] = onnx.Unsqueeze(%[[GATHER2]], %{{.*}})
  // CHECK: %[[SLICE:.*]] = onnx.Slice(%[[X]], %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: %[[SLICE2:.*]] = onnx.Slice(%[[X]], %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[UNSQUEEZE]], %[[SLICE]])
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[UNSQUEEZE2]], %[[SLICE2]])
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[MUL]], %[[MUL2]])
  // CHECK: %[[MUL3:.*]] = onnx.Mul(%[[UNSQUEEZE2]], %[[SLICE]])
  // CHECK: %[[MUL4:.*]] = onnx.Mul(%[[UNSQUEEZE]], %[[SLICE2]])
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[MUL3]], %[[MUL4]])
  // CHECK: %[[CONCAT:.*]] = onnx.Concat(%[[SUB]], %[[ADD]]) {axis = 3 : i64}
  // CHECK: return %[[CONCAT]]
  %0 = onnx.RotaryEmbedding(%x, %cosines, %sines, %positions) : (tensor<?x3x?x8xf32>, tensor<50x4xf32>, tensor<50x4xf32>, tensor<?x?xi64>) -> tensor<?x3x?x8xf32>
  return %0 : tensor<?x3x?x8xf32>
}

// -----

// CHECK-LABEL: @decompose_rotary_embedding_of_pairs(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[COSINES:[^:]*]]:{{.*}} %[[SINES:[^:]*]]:
func.func @decompose_rotary_embedding_of_pairs(%x: tensor<2x4x24xf32>, %cosines: tensor<2x4x2xf32>, %sines: tensor<2x4x2xf32>) -> tensor<2x4x24xf32> {
  // CHECK: %[[SIZES:.*]] = onnx.Constant {{.*}}dense<[0, 0, 3, 8]>
  // CHECK: %[[RESHAPE:.*]] = onnx.Reshape(%[[X]], %[[SIZES]])
  // CHECK: %[[UNSQUEEZE:.*]] = onnx.Unsqueeze(%[[COSINES]], %{{.*}})
  // CHECK: %[[UNSQUEEZE2:.*]] = onnx.Unsqueeze(%[[SINES]], %{{.*}})
  // CHECK: %[[SLICE:.*]] = onnx.Slice(%[[RESHAPE]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: %[[SLICE2:.*]] = onnx.Slice(%[[RESHAPE]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[UNSQUEEZE]], %[[SLICE]])
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[UNSQUEEZE2]], %[[SLICE2]])
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[MUL]], %[[MUL2]])
  // CHECK: %[[MUL3:.*]] = onnx.Mul(%[[UNSQUEEZE2]], %[[SLICE]])
  // CHECK: %[[MUL4:.*]] = onnx.Mul(%[[UNSQUEEZE]], %[[SLICE2]])
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[MUL3]], %[[MUL4]])
  // CHECK: %[[UNSQUEEZE3:.*]] = onnx.Unsqueeze(%[[SUB]], %{{.*}})
  // CHECK: %[[UNSQUEEZE4:.*]] = onnx.Unsqueeze(%[[ADD]], %{{.*}})
  // CHECK: %[[CONCAT:.*]] = onnx.Concat(%[[UNSQUEEZE3]], %[[UNSQUEEZE4]]) {axis = 4 : i64}
  // CHECK: %[[SIZES2:.*]] = onnx.Constant {{.*}}dense<[0, 0, 0, 4]>
  // CHECK: %[[RESHAPE2:.*]] = onnx.Reshape(%[[CONCAT]], %[[SIZES2]])
  // CHECK: %[[SLICE3:.*]] = onnx.Slice(%[[RESHAPE]], %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: %[[CONCAT2:.*]] = onnx.Concat(%[[RESHAPE2]], %[[SLICE3]]) {axis = 3 : i64}
  // CHECK: %[[SIZES3:.*]] = onnx.Constant {{.*}}dense<[0, 0, 24]>
  // CHECK: %[[RESHAPE3:.*]] = onnx.Reshape(%[[CONCAT2]], %[[SIZES3]])
  // CHECK: return %[[RESHAPE3]]
  %0 = onnx.RotaryEmbedding(%x, %cosines, %sines) {interleaved = 1 : i64, num_heads = 3 : i64, rotary_embedding_dim = 4 : i64} : (tensor<2x4x24xf32>, tensor<2x4x2xf32>, tensor<2x4x2xf32>) -> tensor<2x4x24xf32>
  return %0 : tensor<2x4x24xf32>
}

// -----

// Where the second half begins is not known.
// CHECK-LABEL: @decompose_rotary_embedding_refused(
func.func @decompose_rotary_embedding_refused(%x: tensor<?x3x?x?xf32>, %cosines: tensor<50x4xf32>, %sines: tensor<50x4xf32>, %positions: tensor<?x?xi64>) -> tensor<?x3x?x?xf32> {
  // CHECK: onnx.RotaryEmbedding(
  %0 = onnx.RotaryEmbedding(%x, %cosines, %sines, %positions) : (tensor<?x3x?x?xf32>, tensor<50x4xf32>, tensor<50x4xf32>, tensor<?x?xi64>) -> tensor<?x3x?x?xf32>
  return %0 : tensor<?x3x?x?xf32>
}

// -----

// CHECK-LABEL: @decompose_causal_conv(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[WEIGHT:[^:]*]]:{{.*}} %[[PAST:[^:]*]]:
func.func @decompose_causal_conv(%x: tensor<2x3x?xf32>, %weight: tensor<3x1x4xf32>, %past: tensor<2x3x3xf32>) -> (tensor<2x3x?xf32>, tensor<2x3x3xf32>) {
  // CHECK: %[[CONCAT:.*]] = onnx.Concat(%[[PAST]], %[[X]]) {axis = 2 : i64}
  // CHECK: %[[CONV:.*]] = onnx.Conv(%[[CONCAT]], %[[WEIGHT]]) {group = 3 : i64}
  // CHECK: %[[SIGMOID:.*]] = onnx.Sigmoid(%[[CONV]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[CONV]], %[[SIGMOID]])
  // CHECK: %[[SLICE:.*]] = onnx.Slice(%[[CONCAT]], %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: return %[[MUL]], %[[SLICE]]
  %0:2 = onnx.CausalConvWithState(%x, %weight, _, %past) {activation = "silu"} : (tensor<2x3x?xf32>, tensor<3x1x4xf32>, tensor<2x3x3xf32>) -> (tensor<2x3x?xf32>, tensor<2x3x3xf32>)
  return %0#0, %0#1 : tensor<2x3x?xf32>, tensor<2x3x3xf32>
}

// -----

// Of how many groups the convolution is, is not known.
// CHECK-LABEL: @decompose_causal_conv_refused(
func.func @decompose_causal_conv_refused(%x: tensor<2x?x?xf32>, %weight: tensor<?x1x4xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x3xf32>) {
  // CHECK: onnx.CausalConvWithState(
  %0:2 = onnx.CausalConvWithState(%x, %weight) : (tensor<2x?x?xf32>, tensor<?x1x4xf32>) -> (tensor<2x?x?xf32>, tensor<2x?x3xf32>)
  return %0#0, %0#1 : tensor<2x?x?xf32>, tensor<2x?x3xf32>
}
