// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_GatherOp : ONNX_Op<"Gather", 13, [Pure]> {
  let summary = "slices of a tensor picked by index along an axis";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$data, Var<"Tind", TensorIn<IndexTypes>>:$indices, IntOr<0>:$axis);
  let results = (outs T:$output);
}

def ONNX_GatherElementsOp : ONNX_Op<"GatherElements", 13, [Pure]> {
  let summary = "elements of a tensor picked by index along an axis";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$data, Var<"Tind", TensorIn<IndexTypes>>:$indices, IntOr<0>:$axis);
  let results = (outs T:$output);
}

def ONNX_GatherNDOp : ONNX_Op<"GatherND", 13, [Pure]> {
  let summary = "slices of a tensor picked by tuples of indices";
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$data, TensorIn<[Int64]>:$indices, IntOr<0>:$batch_dims);
  let results = (outs T:$output);
}

def ONNX_NonMaxSuppressionOp : ONNX_Op<"NonMaxSuppression", 11, [Pure]> {
  let summary = "boxes that overlap no better one too much";
  defvar FixedFloat = TensorIn<[Float]>;
  defvar FixedInt64 = TensorIn<[Int64]>;
  let arguments = (ins
      FixedFloat:$boxes, FixedFloat:$scores,
      Optional<FixedInt64>:$max_output_boxes_per_class,
      Optional<FixedFloat>:$iou_threshold, Optional<FixedFloat>:$score_threshold,
      IntOr<0>:$center_point_box);
  let results = (outs FixedInt64:$selected_indices);
}
