// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over kernels.
#ifndef INVAR_CODEGEN_PASSES_TD
#define INVAR_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitKernelsPass : Pass<"invar-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "write the loops of kernels";
  let description = [{
    Writes two functions for each kernel, that is, for each function with the attribute
    `invar.kernel`: one that computes a range of work units, and one that returns their number.
    Other functions do not change. Needs kernels as docs/Rationale/Compile.md describes them;
    guarantees that the code allocates nothing; takes time linear in the code that it writes.

    ```mlir
    // with cpu=x86-64-v3
    func.func private @fill(%x: f32, %y: tensor<64xf32>) -> tensor<64xf32>
        attributes {invar.kernel, invar.results = 1 : i64} {
      %0 = linalg.fill ins(%x : f32) outs(%y : tensor<64xf32>) -> tensor<64xf32>
      return %0 : tensor<64xf32>
    }
    // becomes, in part
    func.func @fill(%y: memref<?xf32>, %x: f32, %from: index, %to: index, %scratch: memref<?xi8>) {
    scf.for %unit = %from to %to step %one {
    %v = vector.broadcast %x : f32 to vector<8xf32>
    vector.store %v, %y[%i] : memref<?xf32>, vector<8xf32>
    func.func @fill.plan(%x: f32) -> (index, index, index) {
    ```
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", "\"host\"",
           "The processor to compile for, by its LLVM name">,
    Option<"plain", "plain", "bool", "false",
           "Write plain loops over elements instead of fast code">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect",
  ];
}

def OutlineKernelsPass : Pass<"invar-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "move groups of operations into kernels";
  let description = [{
    Takes groups of linalg operations out of every function, with the operations that only
    prepare their operands (`tensor.empty`, `linalg.fill`, `tensor.pad`, `tensor.extract_slice`,
    `linalg.unpack`), and calls a kernel instead. The caller gives a kernel the tensors that it
    writes its results to. Kernels with the same text become one. Needs `linalg.generic`
    operations; guarantees that the functions contain no linalg operations afterwards; takes time
    linear in the number of operations and their users.

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = math.exp %in : f32
        linalg.yield %1 : f32
      } -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes, in part
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %0 = call @kernel_0(%x, %e) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    func.func private @kernel_0(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {invar.in_place = array<i64: 0>, invar.kernel, invar.results = 1 : i64} {
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
  ];
}

#endif // INVAR_CODEGEN_PASSES_TD
