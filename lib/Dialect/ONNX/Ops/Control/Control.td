// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_IfOp : ONNX_Op<"If", 25, [RecursiveMemoryEffects]> {
  let summary = "one of two graphs, by a condition";
  let arguments = (ins Var<"B", TensorIn<[Bool]>>:$cond);
  let results = (outs
      Heterogeneous<Var<"V", TypeSet<AllTypes25, AllTypes25, AllTypes25, PlainTypes>>>:$outputs);
  let regions = (region Graph:$else_branch, Graph:$then_branch);
}

def ONNX_LoopOp : ONNX_Op<"Loop", 25, [RecursiveMemoryEffects]> {
  let summary = "a graph run a number of times or while a condition holds";
  defvar V = Var<"V", TypeSet<AllTypes25, AllTypes25, AllTypes25, PlainTypes>>;
  let arguments = (ins
      Optional<Var<"I", TensorIn<[Int64]>>>:$M,
      Optional<Var<"B", TensorIn<[Bool]>>>:$cond, Heterogeneous<V>:$v_initial);
  let results = (outs Heterogeneous<V>:$v_final_and_scan_outputs);
  let regions = (region Graph:$body);
}

def ONNX_ScanOp : ONNX_Op<"Scan", 25, [RecursiveMemoryEffects]> {
  let summary = "a graph run over slices, carrying a state along";
  defvar V = Var<"V", TensorIn<AllTypes25>>;
  let arguments = (ins
      Heterogeneous<V>:$initial_state_and_scan_inputs, Int:$num_scan_inputs,
      OptIntList:$scan_input_axes, OptIntList:$scan_input_directions,
      OptIntList:$scan_output_axes, OptIntList:$scan_output_directions);
  let results = (outs Heterogeneous<V>:$final_state_and_scan_outputs);
  let regions = (region Graph:$body);
}

def ONNX_SequenceMapOp : ONNX_Op<"SequenceMap", 17, [RecursiveMemoryEffects]> {
  let summary = "a graph run on each element of a sequence";
  defvar S = Var<"S", SequenceIn<ClassicTypes>>;
  let arguments = (ins
      S:$input_sequence,
      Heterogeneous<Var<"V", TypeSet<ClassicTypes, ClassicTypes>>>:$additional_inputs);
  let results = (outs Heterogeneous<S>:$out_sequence);
  let regions = (region Graph:$body);
}
