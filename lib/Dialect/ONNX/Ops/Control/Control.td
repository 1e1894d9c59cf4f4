// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

/// All types that a graph can take and yield.
defvar AnyValue = TypeSet<AllTypes25, AllTypes25, AllTypes25, PlainTypes>;

def ONNX_IfOp : ONNX_Op<"If", 25, [RecursiveMemoryEffects]> {
  let shape = "types";
  let summary = "one of two graphs, by a condition";
  let description = [{
    A graph has no parameters: it uses the values around it.

    - (C1) each branch takes no argument and yields as many values as there are results.
    - (C2) a branch yields values of the results' types.
    - (C3) `cond` has one element.
  }];
  let arguments = (ins Var<"B", TensorIn<[Bool]>>:$cond);
  let results = (outs Heterogeneous<Var<"V", AnyValue>>:$outputs);
  let regions = (region Graph:$else_branch, Graph:$then_branch);
  let hasVerifier = 1;
}

def ONNX_LoopOp : ONNX_Op<"Loop", 25, [RecursiveMemoryEffects]> {
  let shape = "types";
  let summary = "a graph run a number of times or while a condition holds";
  let description = [{
    The body takes the iteration, the condition and the states, and yields the condition,
    the states and one slice of each scan output. The loop ends after `M` iterations or
    when the condition is false, whatever is given and comes first.

    - (C1) `body` takes the iteration, the condition and each state.
    - (C2) `body` yields the condition and as many values as there are results, the states
      among them.
    - (C3) the iteration is an int64, the condition a bool, and a state keeps its type,
      but for being optional.
    - (C4) `M` and `cond` have one element.
  }];
  defvar V = Var<"V", AnyValue>;
  let arguments = (ins
      Optional<Var<"I", TensorIn<[Int64]>>>:$M,
      Optional<Var<"B", TensorIn<[Bool]>>>:$cond, Heterogeneous<V>:$v_initial);
  let results = (outs Heterogeneous<V>:$v_final_and_scan_outputs);
  let regions = (region Graph:$body);
  let hasVerifier = 1;
}

def ONNX_ScanOp : ONNX_Op<"Scan", 25, [RecursiveMemoryEffects]> {
  let shape = "types";
  let summary = "a graph run over slices, carrying a state along";
  let description = [{
    The operands are the states, then the tensors to take slices of; the results are the
    states, then the stacked slices. A direction of 1 goes through an axis backwards.

    - (C1) `num_scan_inputs` is at least 1 and no more than there are operands.
    - (C2) `body` takes as many arguments as there are operands and yields as many values
      as there are results, the states among them.
    - (C3) the lists of axes and directions have an entry for each scan input or output.
    - (C4) directions are 0 or 1.
    - (C5) `scan_input_axes` are axes of the scan inputs.
    - (C6) a state keeps its type.
  }];
  defvar V = Var<"V", TensorIn<AllTypes25>>;
  let arguments = (ins
      Heterogeneous<V>:$initial_state_and_scan_inputs, Int:$num_scan_inputs,
      OptIntList:$scan_input_axes, OptIntList:$scan_input_directions,
      OptIntList:$scan_output_axes, OptIntList:$scan_output_directions);
  let results = (outs Heterogeneous<V>:$final_state_and_scan_outputs);
  let regions = (region Graph:$body);
  let hasVerifier = 1;
}

def ONNX_SequenceMapOp : ONNX_Op<"SequenceMap", 17, [RecursiveMemoryEffects]> {
  let shape = "types";
  let summary = "a graph run on each element of a sequence";
  let description = [{
    Operands that are tensors are the same for every element.

    - (C1) `body` takes as many arguments as there are operands and yields as many values
      as there are results.
  }];
  defvar S = Var<"S", SequenceIn<ClassicTypes>>;
  let arguments = (ins
      S:$input_sequence,
      Heterogeneous<Var<"V", TypeSet<ClassicTypes, ClassicTypes>>>:$additional_inputs);
  let results = (outs Heterogeneous<S>:$out_sequence);
  let regions = (region Graph:$body);
  let hasVerifier = 1;
}
