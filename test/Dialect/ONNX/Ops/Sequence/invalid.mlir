// RUN: invar-opt %s --split-input-file --verify-diagnostics

func.func @concatfromsequence_c1(%input_sequence: !onnx.seq<tensor<2xf32>>) {
  // expected-error @+1 {{(C1) expected 'new_axis' to be one of 0, 1, but got 2}}
  %0 = onnx.ConcatFromSequence(%input_sequence) {axis = 0 : i64, new_axis = 2 : i64}
      : (!onnx.seq<tensor<2xf32>>) -> !onnx.unknown
  return
}

// -----

func.func @concatfromsequence_c2(%input_sequence: !onnx.seq<tensor<2xf32>>) {
  // expected-error @+1 {{(C2) expected 'concat_result' to be tensor<2xf32>, but got tensor<?xi64>}}
  %0 = onnx.ConcatFromSequence(%input_sequence) {axis = 0 : i64}
      : (!onnx.seq<tensor<2xf32>>) -> tensor<?xi64>
  return
}

// -----

func.func @concatfromsequence_c3(%input_sequence: !onnx.seq<tensor<2x3xf32>>) {
  // expected-error @+1 {{(C3) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.ConcatFromSequence(%input_sequence) {axis = 2 : i64}
      : (!onnx.seq<tensor<2x3xf32>>) -> !onnx.unknown
  return
}

// -----

func.func @optional_c1() {
  // expected-error @+1 {{(C1) expected 'input' or 'type', but got neither}}
  %0 = onnx.Optional() : () -> !onnx.unknown
  return
}

// -----

func.func @optional_c2(%input: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected 'output' to be tensor<2xf32>, but got tensor<2xi64>}}
  %0 = onnx.Optional(%input) : (tensor<2xf32>) -> !onnx.opt<tensor<2xi64>>
  return
}

// -----

func.func @optional_c2_b() {
  // expected-error @+1 {{(C2) expected 'output' to be tensor<2xf32>, but got !onnx.seq<tensor<2xf32>>}}
  %0 = onnx.Optional() {type = tensor<2xf32>} : () -> !onnx.opt<!onnx.seq<tensor<2xf32>>>
  return
}

// -----

func.func @optionalgetelement_c1(%input: !onnx.opt<tensor<2xf32>>) {
  // expected-error @+1 {{(C1) expected 'output' to be tensor<2xf32>, but got tensor<2xi64>}}
  %0 = onnx.OptionalGetElement(%input) : (!onnx.opt<tensor<2xf32>>) -> tensor<2xi64>
  return
}

// -----

func.func @sequenceat_c1(%input_sequence: !onnx.seq<tensor<2xf32>>,
                         %position: tensor<i64>) {
  // expected-error @+1 {{(C1) expected 'tensor' to be tensor<2xf32>, but got tensor<2xi64>}}
  %0 = onnx.SequenceAt(%input_sequence, %position)
      : (!onnx.seq<tensor<2xf32>>, tensor<i64>) -> tensor<2xi64>
  return
}

// -----

func.func @sequenceat_c2(%input_sequence: !onnx.seq<tensor<2xf32>>,
                         %position: tensor<2xi64>) {
  // expected-error @+1 {{(C2) expected 'position' to have one element, but got tensor<2xi64>}}
  %0 = onnx.SequenceAt(%input_sequence, %position)
      : (!onnx.seq<tensor<2xf32>>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @sequenceconstruct_c1() {
  // expected-error @+1 {{(C1) expected an operand, but got none}}
  %0 = onnx.SequenceConstruct() : () -> !onnx.unknown
  return
}

// -----

func.func @sequenceconstruct_c2(%a: tensor<2xf32>) {
  // expected-error @+1 {{(C2) expected 'output_sequence' to be tensor<2xf32>, but got tensor<2xi64>}}
  %0 = onnx.SequenceConstruct(%a) : (tensor<2xf32>) -> !onnx.seq<tensor<2xi64>>
  return
}

// -----

func.func @sequenceempty_c1() {
  // expected-error @+1 {{(C1) expected 'output' to be tensor<*xf32>, but got tensor<*xi64>}}
  %0 = onnx.SequenceEmpty() : () -> !onnx.seq<tensor<*xi64>>
  return
}

// -----

func.func @sequenceerase_c1(%input_sequence: !onnx.seq<tensor<2xf32>>,
                            %position: tensor<2xi64>) {
  // expected-error @+1 {{(C1) expected 'position' to have one element, but got tensor<2xi64>}}
  %0 = onnx.SequenceErase(%input_sequence, %position)
      : (!onnx.seq<tensor<2xf32>>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @sequenceinsert_c1(%input_sequence: !onnx.seq<tensor<2xf32>>,
                             %tensor: tensor<2xi64>) {
  // expected-error @+1 {{(C1) expected 'tensor' to be tensor<2xf32>, but got tensor<2xi64>}}
  %0 = onnx.SequenceInsert(%input_sequence, %tensor)
      : (!onnx.seq<tensor<2xf32>>, tensor<2xi64>) -> !onnx.unknown
  return
}

// -----

func.func @sequenceinsert_c2(%input_sequence: !onnx.seq<tensor<2xf32>>,
                             %tensor: tensor<2xf32>, %position: tensor<3xi64>) {
  // expected-error @+1 {{(C2) expected 'position' to have one element, but got tensor<3xi64>}}
  %0 = onnx.SequenceInsert(%input_sequence, %tensor, %position)
      : (!onnx.seq<tensor<2xf32>>, tensor<2xf32>, tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

func.func @splittosequence_c1(%input: tensor<2x6xf32>) {
  // expected-error @+1 {{(C1) expected 'axis' to be in [-2, 2), but got 2}}
  %0 = onnx.SplitToSequence(%input) {axis = 2 : i64} : (tensor<2x6xf32>) -> !onnx.unknown
  return
}

// -----

func.func @splittosequence_c2(%input: tensor<2x6xf32>) {
  // expected-error @+1 {{(C2) expected 'keepdims' to be one of 0, 1, but got 2}}
  %0 = onnx.SplitToSequence(%input) {keepdims = 2 : i64}
      : (tensor<2x6xf32>) -> !onnx.unknown
  return
}

// -----

func.func @splittosequence_c3(%input: tensor<2x6xf32>) {
  // expected-error @+1 {{(C3) expected 'output_sequence' to be tensor<2x6xf32>, but got tensor<6xi64>}}
  %0 = onnx.SplitToSequence(%input) : (tensor<2x6xf32>) -> !onnx.seq<tensor<6xi64>>
  return
}
