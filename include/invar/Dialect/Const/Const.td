// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants by reference: they represent weights below the ONNX level.
#ifndef INVAR_DIALECT_CONST_CONST_TD
#define INVAR_DIALECT_CONST_CONST_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Const_Dialect : Dialect {
  let name = "const";
  let cppNamespace = "::invar::constants";
  let summary = "non-scalar constants as references";
  let description = [{
    A weight is never a literal of the code that uses it: `const.ref` says which constant is
    meant, and only when a library is written is it decided where its bytes lie.

    A function on its own brings its constants along: they stand in its references. When it
    joins a module, they move to the module's `const.store`, and references have numbers.
  }];
  // Passes that run in parallel create lazy constants, so this dialect must be loaded.
  let dependentDialects = ["::invar::elements::ElementsDialect"];
}

def Const_StoreOp
    : Op<Const_Dialect, "store",
         [HasParent<"::mlir::ModuleOp">, IsolatedFromAbove, NoRegionArguments, NoTerminator,
          SingleBlock]> {
  let summary = "the constants of a module";
  let description = [{
    A table of entries, whose numbers are their places. A module has one at most.

    ```mlir
    const.store {
      const.entry #elements.lazy<dense<[1.0, 2.0]>> : tensor<2xf32>
      const.entry "encoder.weight" : tensor<768x768xf32>
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The store of a module; null where it has none.
    static StoreOp find(::mlir::ModuleOp module);
    /// The same, which is made where there is none.
    static StoreOp getOrCreate(::mlir::ModuleOp module);
    /// The entry with a number; null where there are not as many. Takes time in the number.
    EntryOp getEntry(int64_t index);
  }];
}

def Const_EntryOp : Op<Const_Dialect, "entry", [HasParent<"StoreOp">]> {
  let summary = "a constant of a module";
  let description = [{
    It has content, which is read when it is written to a file; or a name, under which
    whoever runs the model brings it. One that has both can be replaced then. So what has a
    name is known at the first run and not before, whether or not it has content.
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$name, OptionalAttr<ElementsAttr>:$value,
                   TypeAttrOf<AnyRankedTensor>:$type);
  let assemblyFormat = "($name^)? (`(` $value^ `)`)? `:` $type attr-dict";
  let hasVerifier = 1;
}

def Const_RefOp : Op<Const_Dialect, "ref", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a constant tensor";
  let description = [{
    Either has its content, an attribute that is read when it is written to a file, tile by
    tile, so that nothing is copied while code is generated; or the number of an entry of the
    module's store. Of an entry it may stand for a part: a tile of a weight.

    ```mlir
    %w = const.ref #elements.lazy<dense<[1.0, 2.0]>> : tensor<2xf32>
    %v = const.ref 3 : tensor<768x768xf32>
    %t = const.ref 3 [64, 0] : tensor<64x768xf32>
    ```
  }];
  let arguments = (ins OptionalAttr<ElementsAttr>:$value, OptionalAttr<I64Attr>:$index,
                   OptionalAttr<DenseI64ArrayAttr>:$offsets);
  let results = (outs AnyRankedTensor:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::ElementsAttr":$value)>,
    OpBuilder<(ins "::mlir::Type":$type, "int64_t":$index,
                   CArg<"::llvm::ArrayRef<int64_t>", "{}">:$offsets)>,
  ];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Const_DecodeOp : Op<Const_Dialect, "decode", [Pure]> {
  let summary = "a constant from its encoded form";
  let description = [{
    Of bytes as `invar-c/Encoding.h` has them. It is an operation like others: what computes
    constants once does so too with this, and the first run with all that hangs on it.

    ```mlir
    %0 = const.ref 3 : tensor<73828xi8>
    %w = const.decode %0 : tensor<73828xi8> -> tensor<768x768xf32>
    ```
  }];
  let arguments = (ins 1DTensorOf<[I8]>:$bytes);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "$bytes attr-dict `:` type($bytes) `->` type($result)";
  let hasVerifier = 1;
}

#endif // INVAR_DIALECT_CONST_CONST_TD
