// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @cdist_c1_rank(%A: tensor<3xf32>, %B: tensor<5x3xf32>) {
  // expected-error @+1 {{(C1) expected 'A' to have rank 2, but got 1}}
  %0 = onnx.ms.CDist(%A, %B) : (tensor<3xf32>, tensor<5x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @cdist_c1_columns(%A: tensor<2x4xf32>, %B: tensor<5x3xf32>) {
  // expected-error @+1 {{(C1) expected axis 1 of 'B' to have size 4, but got 3}}
  %0 = onnx.ms.CDist(%A, %B) : (tensor<2x4xf32>, tensor<5x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @cdist_c2(%A: tensor<2x3xf32>, %B: tensor<5x3xf32>) {
  // expected-error @+1 {{(C2) expected 'metric' to be one of 'braycurtis', }}
  %0 = onnx.ms.CDist(%A, %B) {metric = "manhattan"} : (tensor<2x3xf32>, tensor<5x3xf32>) -> !onnx.unknown
  return
}

// -----

func.func @tokenizer_c1(%X: tensor<1x2x3x!elements.string>) {
  // expected-error @+1 {{(C1) expected 'X' to have rank 1 or 2, but got rank 3}}
  %0 = onnx.ms.Tokenizer(%X) {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "", separators = [" "]}
      : (tensor<1x2x3x!elements.string>) -> !onnx.unknown
  return
}

// -----

func.func @tokenizer_c2(%X: tensor<3x!elements.string>) {
  // expected-error @+1 {{(C2) expected 'mincharnum' to be at least 1, but got 0}}
  %0 = onnx.ms.Tokenizer(%X) {mark = 0 : i64, mincharnum = 0 : i64, pad_value = "", separators = [" "]}
      : (tensor<3x!elements.string>) -> !onnx.unknown
  return
}

// -----

func.func @tokenizer_c2_characters(%X: tensor<3x!elements.string>) {
  // expected-error @+1 {{(C2) expected 'mincharnum' to be 1 where tokens are characters, but got 2}}
  %0 = onnx.ms.Tokenizer(%X) {mark = 0 : i64, mincharnum = 2 : i64, pad_value = "", tokenexp = "."}
      : (tensor<3x!elements.string>) -> !onnx.unknown
  return
}

// -----

func.func @tokenizer_c3(%X: tensor<3x!elements.string>) {
  // expected-error @+1 {{(C3) expected 'separators' or 'tokenexp', but got neither}}
  %0 = onnx.ms.Tokenizer(%X) {mark = 0 : i64, mincharnum = 1 : i64, pad_value = "", tokenexp = ""}
      : (tensor<3x!elements.string>) -> !onnx.unknown
  return
}

// -----

func.func @types(%X: tensor<3xi8>) {
  // expected-error @+1 {{operand #0 must be}}
  %0 = onnx.ms.MurmurHash3(%X) : (tensor<3xi8>) -> !onnx.unknown
  return
}
