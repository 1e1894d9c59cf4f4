// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Services that a program needs from the runtime besides running kernels.
#ifndef INVAR_DIALECT_RUNTIME_RUNTIME_TD
#define INVAR_DIALECT_RUNTIME_RUNTIME_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Runtime_Dialect : Dialect {
  let name = "rt";
  let cppNamespace = "::invar::rt";
  let summary = "functions of the runtime, and the objects that only it looks into";
  let useDefaultTypePrinterParser = 1;
}

//===-- Types ---------------------------------------------------------------------------===//

class Runtime_Type<string name, string typeMnemonic> : TypeDef<Runtime_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Runtime_SequenceType : Runtime_Type<"Sequence", "seq"> {
  let summary = "a sequence of values of one type";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def Runtime_OptionalType : Runtime_Type<"Optional", "opt"> {
  let summary = "a value that may be absent";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def Runtime_MapType : Runtime_Type<"Map", "map"> {
  let summary = "keys, and a scalar for each";
  let parameters = (ins "::mlir::Type":$keyType, "::mlir::Type":$valueType);
  let assemblyFormat = "`<` $keyType `,` $valueType `>`";
}

def Runtime_NoneType : Runtime_Type<"None", "none"> {
  let summary = "an operand that is left out";
}

//===-- Operations ----------------------------------------------------------------------===//

def Runtime_NoneOp : Op<Runtime_Dialect, "none", [Pure]> {
  let summary = "stands for an operand that is left out";
  let results = (outs Runtime_NoneType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Runtime_CallOp
    : Op<Runtime_Dialect, "call",
         [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "calls a function of the runtime";
  let description = [{
    The function makes its results itself: their sizes may depend on the content of its
    operands. `arguments` are what does not change from run to run: integers, floats and
    strings, and lists of them.

    ```mlir
    %places = rt.call "NonZero"(%x) {} : (tensor<4x4xf32>) -> tensor<2x?xi64>
    ```

    It gives the same for the same operands unless it is `impure`.
  }];
  let arguments = (ins StrAttr:$callee, Variadic<AnyType>:$operands,
                   DictionaryAttr:$arguments, UnitAttr:$impure);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    (`impure` $impure^)? $callee `(` $operands `)` $arguments attr-dict `:`
    functional-type($operands, $results)
  }];
}

def Runtime_CheckIndicesOp
    : Op<Runtime_Dialect, "check_indices",
         [NoMemoryEffect, AllTypesMatch<["indices", "result"]>]> {
  let summary = "indices that name places of axes, or the run fails";
  let description = [{
    The result is the operand, seen under another name: who reads it can rely on the check,
    since nobody can read it before. `sizes` are those of the axes that elements belong to
    in turn; indices count from 0, with `from_back` also from the end, if they are negative.

    ```mlir
    %checked = rt.check_indices "index" %indices of (%rows) from_back : tensor<?xi64>
    ```
  }];
  let arguments = (ins StrAttr:$what, AnyRankedTensor:$indices, Variadic<Index>:$sizes,
                   UnitAttr:$from_back);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $what $indices `of` `(` $sizes `)` (`from_back` $from_back^)? attr-dict `:` type($indices)
  }];
}

#endif // INVAR_DIALECT_RUNTIME_RUNTIME_TD
