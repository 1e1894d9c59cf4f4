// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_PadOp : ONNX_Op<"Pad", 25, [Pure, Folds, Entries]> {
  let summary = "a tensor with a border put around it";
  let description = [{
    `pads` lists all beginnings, then all ends; negative ones crop.

    - (C1) `mode` is "constant", "reflect", "edge" or "wrap".
    - (C2) `pads` has two elements for each of the `axes`, or of all axes when they are
      not given.
    - (C3) `constant_value` has one element.
    - (C4) `axes` are axes of `data`.
    - (C5) no more is cropped than there is.
  }];
  defvar T = Var<"T", TensorIn<AllTypes25>>;
  let arguments = (ins
      T:$data, TensorIn<[Int64]>:$pads, Optional<T>:$constant_value,
      Optional<Var<"Tind", TensorIn<IndexTypes>>>:$axes, StrOr<"constant">:$mode);
  let results = (outs T:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = schemaDeclaration # [{
    /// How much comes before and after each axis of `data`, counted from the front.
    struct Borders {
      ::invar::DimsExpr begins, ends;
    };
    /// None where the rank, `axes` or the number of pads are not known. Fails, with an
    /// error, where one of the `axes` is none.
    ::llvm::FailureOr<::std::optional<Borders>> getBorders(::invar::ShapeHelper &shape);
  }];
}
