// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_PROGRAM_PASSES_TD
#define INVAR_PROGRAM_PASSES_TD

include "mlir/Pass/PassBase.td"

def HoistChecksPass : Pass<"invar-hoist-checks", "::mlir::func::FuncOp"> {
  let summary = "move checks before kernels";
  let description = [{
    Moves every check (`cf.assert`, `rt.check_indices`), with the numbers that it is computed from,
    before each kernel and call of its block whose results it does not depend on. A rejected
    operand has then not been read by a kernel, and nothing has been written. So lowerings may emit
    checks in any order. `encodeProgram` rejects a function in which a check comes too late. Needs
    outlined kernels; takes time linear in the number of operations.

    ```mlir
    func.func private @kernel(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> attributes {invar.kernel}
    func.func @main(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
      %e = tensor.empty(%n) : tensor<?xf32>
      %y = call @kernel(%x, %e) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %zero = arith.constant 0 : index
      %size = tensor.dim %x, %zero : tensor<?xf32>
      %same = arith.cmpi eq, %n, %size : index
      cf.assert %same, "expected the size of x"
      return %y : tensor<?xf32>
    }
    // becomes, in part
    %same = arith.cmpi eq, %n, %size : index
    cf.assert %same, "expected the size of x"
    %y = call @kernel(%x, %e) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    ```
  }];
}

#endif // INVAR_PROGRAM_PASSES_TD
