// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constants of a module, in one place.
#ifndef INVAR_CONSTSTORE_PASSES_TD
#define INVAR_CONSTSTORE_PASSES_TD

include "mlir/Pass/PassBase.td"

def GatherConstantsPass : Pass<"invar-gather-constants", "::mlir::ModuleOp"> {
  let summary = "move the constants of functions to the module's store";
  let description = [{
    Content of a `const.ref` becomes an entry of the `const.store`, and the reference gets
    its number. Equal constants are one entry: those that are the same expression, and those
    whose elements are found to be the same; and of a constant that lies in a file within
    another one, as some of its rows, a tile of that one's entry is taken. Content is read
    only where type and a sample of elements agree already. Running it again changes
    nothing.

    ```mlir
    func.func @f() -> tensor<2xf32> {
      %0 = const.ref dense<[1.0, 2.0]> : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    // becomes
    const.store {
      const.entry(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
    }
    func.func @f() -> tensor<2xf32> {
      %0 = const.ref 0 : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numMoved", "moved", "Number of references that got a number">,
    Statistic<"numShared", "shared", "Number of those that share an entry with another">,
  ];
  let dependentDialects = ["::invar::constants::ConstDialect"];
}

#endif // INVAR_CONSTSTORE_PASSES_TD
