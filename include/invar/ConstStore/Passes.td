// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the constants of a module in one place.
#ifndef INVAR_CONSTSTORE_PASSES_TD
#define INVAR_CONSTSTORE_PASSES_TD

include "mlir/Pass/PassBase.td"

def GatherConstantsPass : Pass<"invar-gather-constants", "::mlir::ModuleOp"> {
  let summary = "move constants to the store of the module";
  let description = [{
    Makes the content of each `const.ref` an entry of the `const.store`, and gives the reference
    the number of its entry. Equal constants share an entry: those with the same expression, and
    those with the same elements. If a constant is part of another one in the same file, as some of
    its rows, the reference becomes a tile of that entry. Content is read only if types and a sample
    of the elements agree. Needs nothing; a second run changes nothing.

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
  let dependentDialects = ["::invar::constants::ConstDialect"];
}

def CompressConstantsPass : Pass<"invar-compress-constants", "::mlir::ModuleOp"> {
  let summary = "compress constants without loss";
  let description = [{
    Encodes entries of the `const.store` (Encoding.h) if this saves `least-percent` of their bytes
    and at least 1 KiB. Each function decodes an entry once; tiles are cut from the decoded
    constant. Needs `invar-gather-constants`, which merges equal constants, and comes before
    `invar-fold-constant-tensors`, which lets decoding happen once. Named entries are not encoded,
    because users may replace them, and neither are strings, complex numbers and small constants.
    Each constant is read two or three times, in pieces, by `threads` threads. A second run changes
    nothing.

    ```mlir
    const.store {
      const.entry(dense<1.0> : tensor<768x768xf32>) : tensor<768x768xf32>
    }
    func.func @f() -> tensor<768x768xf32> {
      %0 = const.ref 0 : tensor<768x768xf32>
      return %0 : tensor<768x768xf32>
    }
    // becomes, in part
    const.entry(… : tensor<64xi8>) : tensor<64xi8>
    %0 = const.ref 0 : tensor<64xi8>
    %1 = const.decode %0 : tensor<64xi8> -> tensor<768x768xf32>
    return %1 : tensor<768x768xf32>
    ```
  }];
  let options = [
    Option<"leastPercent", "least-percent", "unsigned", "10",
           "Least percent of bytes that encoding must save">,
    Option<"threads", "threads", "unsigned", "0", "Number of threads; 0 is all cores">,
  ];
  let dependentDialects = ["::invar::constants::ConstDialect", "::mlir::tensor::TensorDialect"];
}

#endif // INVAR_CONSTSTORE_PASSES_TD
