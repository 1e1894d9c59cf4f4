// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_GatherOp : ONNX_Op<"Gather", 13, [Pure, Folds, Entries]> {
  let summary = "slices of a tensor picked by index along an axis";
  let description = [{
    The result has the axes of `indices` in place of `axis`. Negative indices count from
    the end.

    - (C1) `axis` is an axis of `data`.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$data, Var<"Tind", TensorIn<IndexTypes>>:$indices, IntOr<0>:$axis);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_GatherElementsOp : ONNX_Op<"GatherElements", 13, [Pure, Folds, Entries]> {
  let summary = "elements of a tensor picked by index along an axis";
  let description = [{
    The result has the shape of `indices`.

    - (C1) `axis` is an axis of `data`.
    - (C2) `indices` has the rank of `data`.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$data, Var<"Tind", TensorIn<IndexTypes>>:$indices, IntOr<0>:$axis);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_GatherNDOp : ONNX_Op<"GatherND", 13, [Pure, Folds, Entries]> {
  let summary = "slices of a tensor picked by tuples of indices";
  let description = [{
    The last axis of `indices` holds tuples; the first `batch_dims` axes are gone through
    together.

    - (C1) `data` and `indices` have at least rank 1.
    - (C2) `batch_dims` is at least 0 and less than both ranks.
    - (C3) the tuples of `indices` are no longer than `data` has axes past the batch.
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins T:$data, TensorIn<[Int64]>:$indices, IntOr<0>:$batch_dims);
  let results = (outs T:$output);
  let hasVerifier = 1;
}

def ONNX_NonMaxSuppressionOp : ONNX_Op<"NonMaxSuppression", 11, [Pure, Folds]> {
  let summary = "boxes that overlap no better one too much";
  let description = [{
    Boxes are two corners, or with `center_point_box` a centre and sizes. A row of the
    result is a batch, a class and a box.

    - (C1) `center_point_box` is 0 or 1.
    - (C2) `boxes` and `scores` have rank 3, and a box has 4 elements.
  }];
  defvar FixedFloat = TensorIn<[Float]>;
  defvar FixedInt64 = TensorIn<[Int64]>;
  let arguments = (ins
      FixedFloat:$boxes, FixedFloat:$scores,
      Optional<FixedInt64>:$max_output_boxes_per_class,
      Optional<FixedFloat>:$iou_threshold, Optional<FixedFloat>:$score_threshold,
      IntOr<0>:$center_point_box);
  let results = (outs FixedInt64:$selected_indices);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}
