// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_PROGRAM_PASSES_TD
#define INVAR_PROGRAM_PASSES_TD

include "mlir/Pass/PassBase.td"

def HoistChecksPass : Pass<"invar-hoist-checks", "::mlir::func::FuncOp"> {
  let summary = "check operands before kernels run";
  let description = [{
    Moves every check (`cf.assert`, `rt.check_indices`), with the numbers that it is
    computed from, before each kernel and call of its block whose results it does not
    depend on. So an operand that is refused has not been read by a kernel, and nothing
    has been written. Lowerings may emit checks in any order.

    `encodeProgram` refuses a function in which a check stands too late. It needs outlined
    kernels; its time is linear in the number of operations.
  }];
  let statistics = [
    Statistic<"numMoved", "moved", "Number of checks that stood behind a kernel">,
  ];
}

#endif // INVAR_PROGRAM_PASSES_TD
