// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_ConcatOp : ONNX_Op<"Concat", 13, [Pure, Folds, Entries]> {
  let summary = "tensors joined along an axis";
  let description = [{
    - (C1) there is an operand.
    - (C2) `axis` is an axis of the operands.
    - (C3) the operands have one rank and agree in the sizes of all other axes. Operands
      without elements that add nothing to the result are exempt (`getParts`).
  }];
  defvar T = Var<"T", TensorIn<PlainTypes>>;
  let arguments = (ins Variadic<T>:$inputs, Int:$axis);
  let results = (outs T:$concat_result);
  let hasVerifier = 1;
  let extraClassDeclaration = schemaDeclaration # [{
    /// Returns the operands that determine the result. Runtimes also accept operands
    /// that add nothing: those whose size along the axis is 0, and those without
    /// elements that have another rank. They may have any shape and are left out. If all
    /// operands are left out, the first one is returned.
    static ::llvm::SmallVector<::mlir::Value> getParts(::mlir::ValueRange operands,
                                                       int64_t axis);
  }];
}
