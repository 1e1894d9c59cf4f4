// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the constants of a module in one place.
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

def CompressConstantsPass : Pass<"invar-compress-constants", "::mlir::ModuleOp"> {
  let summary = "keep constants in fewer bytes, where they have the structure for it";
  let description = [{
    Entries of the `const.store` become encoded ones (Encoding.h), without loss, where that
    saves `least-percent` of their bytes and 1 KiB. Each function decodes once what it refers
    to; tiles are cut from what is decoded. So it comes after `invar-gather-constants`, which
    makes equal constants one entry, and before `invar-fold-constant-tensors`, which lets
    decoding be done once.

    Entries that have a name stay, since others may bring them; and so do strings, complex
    numbers, and what is small. Each constant is read two times or three, in pieces, by
    `threads` threads. Running it again changes nothing.

    ```mlir
    const.store {
      const.entry(dense<1.0> : tensor<768x768xf32>) : tensor<768x768xf32>
    }
    func.func @f() -> tensor<768x768xf32> {
      %0 = const.ref 0 : tensor<768x768xf32>
      return %0 : tensor<768x768xf32>
    }
    // becomes
    const.store {
      const.entry(#elements.lazy<…> : tensor<64xi8>) : tensor<64xi8>
    }
    func.func @f() -> tensor<768x768xf32> {
      %0 = const.ref 0 : tensor<64xi8>
      %1 = const.decode %0 : tensor<64xi8> -> tensor<768x768xf32>
      return %1 : tensor<768x768xf32>
    }
    ```
  }];
  let options = [
    Option<"leastPercent", "least-percent", "unsigned", "10",
           "Percent of its bytes that encoding a constant must save">,
    Option<"threads", "threads", "unsigned", "0", "How many threads may work; 0 is all">,
  ];
  let statistics = [
    Statistic<"numCompressed", "compressed", "Number of entries that were encoded">,
    Statistic<"bytesBefore", "bytes-before", "Bytes that these took">,
    Statistic<"bytesAfter", "bytes-after", "Bytes that these take">,
  ];
  let dependentDialects = ["::invar::constants::ConstDialect", "::mlir::tensor::TensorDialect"];
}

#endif // INVAR_CONSTSTORE_PASSES_TD
