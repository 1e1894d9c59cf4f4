// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants by reference: what stands for a weight below ONNX.
#ifndef INVAR_DIALECT_CONST_CONST_TD
#define INVAR_DIALECT_CONST_CONST_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Const_Dialect : Dialect {
  let name = "const";
  let cppNamespace = "::invar::constants";
  let summary = "non-scalar constants as references";
  let description = [{
    A weight is never a literal of the code that uses it: `const.ref` says which constant is
    meant, and only when a library is written is it decided where its bytes lie.
  }];
  let hasConstantMaterializer = 1;
}

def Const_RefOp
    : Op<Const_Dialect, "ref", [Pure, ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant tensor";
  let description = [{
    The content is an attribute that is read when it is written to a file, tile by tile:
    nothing is copied while code is generated.

    ```mlir
    %w = const.ref #elements.lazy<dense<[1.0, 2.0]>> : tensor<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

#endif // INVAR_DIALECT_CONST_CONST_TD
