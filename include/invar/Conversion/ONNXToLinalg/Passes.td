// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_CONVERSION_ONNXTOLINALG_PASSES_TD
#define INVAR_CONVERSION_ONNXTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ONNXToLinalgPass : Pass<"invar-onnx-to-linalg", "::mlir::ModuleOp"> {
  let summary = "lower operators to loops over tensors";
  let description = [{
    Replaces every operator by linalg, tensor, arith and scf operations on tensors, constants by
    `const.ref`, and operators that no loop nest expresses by `rt.call`. Needs the types that
    `invar-prepare` (or `invar-infer-shapes`) finds: ranks must be known. The program computes
    sizes that are open, and checks what the operators require of them. Takes time linear in the
    number of operators. Fails if an operator has no lowering, and names the node and the reason.

    ```mlir
    func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %0 = onnx.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    }
    // becomes, in part
    %e = tensor.empty() : tensor<2x3xf32>
    %0 = linalg.generic … ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) {
    %1 = arith.maximumf %in, %zero : f32
    ```
  }];
  let options = [
    Option<"uncheckedIndices", "unchecked-indices", "bool", "false",
           "Clamp indices that are out of bounds instead of failing">,
  ];
  let dependentDialects = [
    "::invar::constants::ConstDialect", "::invar::rt::RuntimeDialect",
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // INVAR_CONVERSION_ONNXTOLINALG_PASSES_TD
