// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_CONVERSION_ONNXTOLINALG_PASSES_TD
#define INVAR_CONVERSION_ONNXTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ONNXToLinalgPass : Pass<"invar-onnx-to-linalg", "::mlir::ModuleOp"> {
  let summary = "express operators by loops over tensors";
  let description = [{
    Replaces every operator by linalg, tensor, arith and scf on tensors, constants by
    `const.ref`, and what no loop expresses by `rt.call`. It needs the types that
    `invar-simplify` (or `invar-infer-shapes`) found: ranks must be known. Sizes that are
    not are computed by the program, and what must hold of them is checked there.

    Its time is linear in the number of operators. It fails, naming the node and the reason,
    where one has no code.
  }];
  let options = [
    Option<"uncheckedIndices", "unchecked-indices", "bool", "false",
           "take the nearest place where an index is outside, and do not fail">,
  ];
  let dependentDialects = [
    "::invar::constants::ConstDialect", "::invar::rt::RuntimeDialect",
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // INVAR_CONVERSION_ONNXTOLINALG_PASSES_TD
