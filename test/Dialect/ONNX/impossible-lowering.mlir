// RUN: invar-opt --invar-onnx-to-linalg --verify-diagnostics --split-input-file %s

// What no inference has looked at: a lowering that meets a size without a value declines.

func.func @window(%x: tensor<1x1x9xf32>, %w: tensor<1x1x3xf32>) -> tensor<1x1x9xf32> {
  // expected-error @+1 {{'Conv' cannot be compiled: expected sizes and places within 64 bits, but got one beyond}}
  %0 = onnx.Conv(%x, %w) {pads = array<i64: 9223372036854775807, 9223372036854775807>}
      : (tensor<1x1x9xf32>, tensor<1x1x3xf32>) -> tensor<1x1x9xf32>
  return %0 : tensor<1x1x9xf32>
}

// -----

// No tensor of a run has as many axes.
// expected-error @+1 {{expected a tensor of at most 64 axes, but got 65}}
func.func @rank(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32> {
  %0 = onnx.Relu(%x) : (tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  return %0 : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
}

// -----

// Nothing says which type the elements have.
// expected-error @+1 {{expected input 0 to be a tensor, sequence, optional or map to scalars, but got}}
func.func @untyped(%x: tensor<2x!onnx.unknown>) -> tensor<2x!onnx.unknown> {
  %0 = onnx.Identity(%x) : (tensor<2x!onnx.unknown>) -> tensor<2x!onnx.unknown>
  return %0 : tensor<2x!onnx.unknown>
}
