// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_PadOp : ONNX_Op<"Pad", 25, [Pure]> {
  let summary = "a tensor with a border put around it";
  let description = [{
    `pads` lists all beginnings, then all ends; negative ones crop.

    - (C1) `mode` is "constant", "reflect", "edge" or "wrap".
    - (C2) `pads` has two elements for each of the `axes`, or of all axes when they are
      not given.
    - (C3) `constant_value` has one element.
  }];
  defvar T = Var<"T", TensorIn<AllTypes25>>;
  let arguments = (ins
      T:$data, TensorIn<[Int64]>:$pads, Optional<T>:$constant_value,
      Optional<Var<"Tind", TensorIn<IndexTypes>>>:$axes, StrOr<"constant">:$mode);
  let results = (outs T:$output);
  let hasVerifier = 1;
}
