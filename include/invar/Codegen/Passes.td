// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over kernels.
#ifndef INVAR_CODEGEN_PASSES_TD
#define INVAR_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitKernelsPass : Pass<"invar-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "turn kernels on tensors into loops over buffers";
  let description = [{
    Writes two functions for each kernel, that is, for each function with the attribute
    `invar.kernel`: one that computes a range of work units, and one that says how many
    there are. All other functions stay. Needs kernels as docs/Rationale/Compile.md has
    them; guarantees that nothing is allocated; takes time linear in the code that it
    writes.

    ```mlir
    func.func private @fill(%x: f32, %y: tensor<64xf32>) -> tensor<64xf32>
        attributes {invar.kernel, invar.results = 1 : i64} {
      %0 = linalg.fill ins(%x : f32) outs(%y : tensor<64xf32>) -> tensor<64xf32>
      return %0 : tensor<64xf32>
    }
    // becomes
    func.func @fill(%y: memref<?xf32>, %x: f32, %from: index, %to: index,
                    %scratch: memref<?xi8>)
    func.func @fill.plan(%x: f32) -> (index, index, index)
    ```
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", "\"host\"",
           "The processor to write for, by LLVM's name for it">,
    Option<"plain", "plain", "bool", "false",
           "Write what kernels mean, element by element, instead of fast code">,
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Number of kernels written">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect",
  ];
}

def OutlineKernelsPass : Pass<"invar-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "make functions of what becomes a kernel";
  let description = [{
    Takes the linalg operations out of every function, in groups, each with what only
    prepares its operands (`tensor.empty`, `linalg.fill`, `tensor.pad`,
    `tensor.extract_slice`, `linalg.unpack`), and calls a kernel in their place, which is
    given tensors to write its results to. Kernels with the same text are one.
  }];
  let statistics = [
    Statistic<"numGroups", "groups", "Number of groups taken out">,
    Statistic<"numKernels", "kernels", "Number of kernels that differ">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
  ];
}

#endif // INVAR_CODEGEN_PASSES_TD
