// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @argmax_c1(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.ArgMax(%data) {axis = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @argmin_c1(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.ArgMin(%data) {axis = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @argmax_c2(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'select_last_index' to be one of 0, 1, but got 2}}
  %0 = onnx.ArgMax(%data) {select_last_index = 2 : i64}
      : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @argmin_c2(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'select_last_index' to be one of 0, 1, but got 2}}
  %0 = onnx.ArgMin(%data) {select_last_index = 2 : i64}
      : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @cumprod_c1(%x: tensor<2x3xf32>, %axis: tensor<2xi32>) {
  // expected-error @+1 {{(C1) expected 'axis' to have one element, but got tensor<2xi32>}}
  %0 = onnx.CumProd(%x, %axis) : (tensor<2x3xf32>, tensor<2xi32>) -> !onnx.unknown
  return
}

// -----

func.func @cumsum_c1(%x: tensor<2x3xf32>, %axis: tensor<2xi32>) {
  // expected-error @+1 {{(C1) expected 'axis' to have one element, but got tensor<2xi32>}}
  %0 = onnx.CumSum(%x, %axis) : (tensor<2x3xf32>, tensor<2xi32>) -> !onnx.unknown
  return
}

// -----

func.func @cumprod_c2(%x: tensor<2x3xf32>, %axis: tensor<i32>) {
  // expected-error @+1 {{(C2) expected 'reverse' to be one of 0, 1, but got -1}}
  %0 = onnx.CumProd(%x, %axis) {reverse = -1 : i64}
      : (tensor<2x3xf32>, tensor<i32>) -> !onnx.unknown
  return
}

// -----

func.func @cumsum_c2(%x: tensor<2x3xf32>, %axis: tensor<i32>) {
  // expected-error @+1 {{(C2) expected 'reverse' to be one of 0, 1, but got -1}}
  %0 = onnx.CumSum(%x, %axis) {reverse = -1 : i64}
      : (tensor<2x3xf32>, tensor<i32>) -> !onnx.unknown
  return
}

// -----

func.func @reducel1_c1(%data: tensor<2x3xf32>, %axes: tensor<1x1xi64>) {
  // expected-error @+1 {{(C1) expected 'axes' to be a vector, but got rank 2}}
  %0 = onnx.ReduceL1(%data, %axes) : (tensor<2x3xf32>, tensor<1x1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reducel2_c1(%data: tensor<2x3xf32>, %axes: tensor<1x1xi64>) {
  // expected-error @+1 {{(C1) expected 'axes' to be a vector, but got rank 2}}
  %0 = onnx.ReduceL2(%data, %axes) : (tensor<2x3xf32>, tensor<1x1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reducelogsum_c1(%data: tensor<2x3xf32>, %axes: tensor<1x1xi64>) {
  // expected-error @+1 {{(C1) expected 'axes' to be a vector, but got rank 2}}
  %0 = onnx.ReduceLogSum(%data, %axes)
      : (tensor<2x3xf32>, tensor<1x1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reducelogsumexp_c1(%data: tensor<2x3xf32>, %axes: tensor<1x1xi64>) {
  // expected-error @+1 {{(C1) expected 'axes' to be a vector, but got rank 2}}
  %0 = onnx.ReduceLogSumExp(%data, %axes)
      : (tensor<2x3xf32>, tensor<1x1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reducemax_c1(%data: tensor<2x3xf32>, %axes: tensor<1x1xi64>) {
  // expected-error @+1 {{(C1) expected 'axes' to be a vector, but got rank 2}}
  %0 = onnx.ReduceMax(%data, %axes) : (tensor<2x3xf32>, tensor<1x1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reducemean_c1(%data: tensor<2x3xf32>, %axes: tensor<1x1xi64>) {
  // expected-error @+1 {{(C1) expected 'axes' to be a vector, but got rank 2}}
  %0 = onnx.ReduceMean(%data, %axes) : (tensor<2x3xf32>, tensor<1x1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reducemin_c1(%data: tensor<2x3xf32>, %axes: tensor<1x1xi64>) {
  // expected-error @+1 {{(C1) expected 'axes' to be a vector, but got rank 2}}
  %0 = onnx.ReduceMin(%data, %axes) : (tensor<2x3xf32>, tensor<1x1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reduceprod_c1(%data: tensor<2x3xf32>, %axes: tensor<1x1xi64>) {
  // expected-error @+1 {{(C1) expected 'axes' to be a vector, but got rank 2}}
  %0 = onnx.ReduceProd(%data, %axes) : (tensor<2x3xf32>, tensor<1x1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reducesum_c1(%data: tensor<2x3xf32>, %axes: tensor<1x1xi64>) {
  // expected-error @+1 {{(C1) expected 'axes' to be a vector, but got rank 2}}
  %0 = onnx.ReduceSum(%data, %axes) : (tensor<2x3xf32>, tensor<1x1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reducesumsquare_c1(%data: tensor<2x3xf32>, %axes: tensor<1x1xi64>) {
  // expected-error @+1 {{(C1) expected 'axes' to be a vector, but got rank 2}}
  %0 = onnx.ReduceSumSquare(%data, %axes)
      : (tensor<2x3xf32>, tensor<1x1xi64>) -> !onnx.unknown
  return
}

// -----

func.func @reducel1_c2(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'keepdims' to be one of 0, 1, but got 2}}
  %0 = onnx.ReduceL1(%data) {keepdims = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @reducel2_c2(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'keepdims' to be one of 0, 1, but got 2}}
  %0 = onnx.ReduceL2(%data) {keepdims = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @reducelogsum_c2(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'keepdims' to be one of 0, 1, but got 2}}
  %0 = onnx.ReduceLogSum(%data) {keepdims = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @reducelogsumexp_c2(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'keepdims' to be one of 0, 1, but got 2}}
  %0 = onnx.ReduceLogSumExp(%data) {keepdims = 2 : i64}
      : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @reducemax_c2(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'keepdims' to be one of 0, 1, but got 2}}
  %0 = onnx.ReduceMax(%data) {keepdims = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @reducemean_c2(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'keepdims' to be one of 0, 1, but got 2}}
  %0 = onnx.ReduceMean(%data) {keepdims = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @reducemin_c2(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'keepdims' to be one of 0, 1, but got 2}}
  %0 = onnx.ReduceMin(%data) {keepdims = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @reduceprod_c2(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'keepdims' to be one of 0, 1, but got 2}}
  %0 = onnx.ReduceProd(%data) {keepdims = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @reducesum_c2(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'keepdims' to be one of 0, 1, but got 2}}
  %0 = onnx.ReduceSum(%data) {keepdims = 2 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @reducesumsquare_c2(%data: tensor<2x3xf32>) {
  // expected-error @+1 {{(C2) expected 'keepdims' to be one of 0, 1, but got 2}}
  %0 = onnx.ReduceSumSquare(%data) {keepdims = 2 : i64}
      : (tensor<2x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @topk_c1(%X: tensor<5x3xf32>, %K: tensor<1xi64>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got -3}}
  %0:2 = onnx.TopK(%X, %K) {axis = -3 : i64}
      : (tensor<5x3xf32>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @topk_c2(%X: tensor<5x3xf32>, %K: tensor<2xi64>) {
  // expected-error @+1 {{(C2) expected 'K' to have one element, but got tensor<2xi64>}}
  %0:2 = onnx.TopK(%X, %K)
      : (tensor<5x3xf32>, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

func.func @topk_c3(%X: tensor<5x3xf32>, %K: tensor<1xi64>) {
  // expected-error @+1 {{(C3) expected 'largest' to be one of 0, 1, but got 3}}
  %0:2 = onnx.TopK(%X, %K) {largest = 3 : i64}
      : (tensor<5x3xf32>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
  return
}
