// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of a model that are not operators of the standard: the ends of graphs,
// functions and their calls, and nodes that Invar does not know.
include "invar/Dialect/ONNX/OpBase.td"

class ONNX_GraphOp<string name, list<Trait> traits = []>
    : Op<ONNX_Dialect, name, traits>;

def ONNX_YieldOp : ONNX_GraphOp<"Yield", [Pure, ReturnLike, Terminator]> {
  let summary = "the end of a graph: its outputs";
  let arguments = (ins Variadic<AnyType>:$outputs);
  let assemblyFormat = "(`(` $outputs^ `)`)? attr-dict (`:` type($outputs)^)?";
}

/// A node whose operator has no record: operands and attributes are unchanged.
class ONNX_OpenOp<string name, list<Trait> traits = []>
    : ONNX_GraphOp<name, !listconcat(traits, [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>])> {
  let results = (outs Variadic<AnyType>:$outputs);
  let extraClassDefinition = [{
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn setName) {
      ::invar::onnx::detail::nameResults(getOperation(), setName);
    }
  }];
}

def ONNX_CustomOp : ONNX_OpenOp<"Custom"> {
  let summary = "a node that passes through unharmed";
  let description = [{
    Stands for a node of an operator, domain or version that the dialect has no record of,
    or whose older form cannot be adapted (`reason` says why). It has whatever effects it
    likes, so nothing is done to it; on export it is the node that it was.

    `given` says which inputs are there, when some are left out. Graphs among the
    attributes are regions, named by `graph_names`; those of a list stand together, and
    the list itself is #onnx.list among the attributes.

    Example:

    ```mlir
    %y = onnx.Custom "com.example" "Fancy"(%x) {node_attributes = {alpha = 1.0 : f32}}
        : (tensor<4xf32>) -> !onnx.unknown
    ```

    - (C1) `given` has as many true entries as there are operands.
    - (C2) `graph_names` has a name for each region.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$domain, StrAttr:$op_type,
                   DefaultValuedAttr<DictionaryAttr, "{}">:$node_attributes,
                   OptionalAttr<DenseBoolArrayAttr>:$given,
                   OptionalAttr<StrArrayAttr>:$graph_names,
                   OptionalAttr<I64Attr>:$version, OptionalAttr<StrAttr>:$reason);
  let regions = (region VariadicRegion<AnyRegion>:$graphs);
  let assemblyFormat = [{
    $domain $op_type `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) $graphs
  }];
  let hasVerifier = 1;
}

def ONNX_CallOp : ONNX_OpenOp<"Call", [DeclareOpInterfaceMethods<ONNX_TypesInterface>,
                                       DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a node that calls a function of the model";
  let description = [{
    - (C1) `given` has as many true entries as there are operands.
    - (C2) `callee` is an onnx.Function with at least as many inputs and outputs.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, FlatSymbolRefAttr:$callee,
                   DefaultValuedAttr<DictionaryAttr, "{}">:$node_attributes,
                   OptionalAttr<DenseBoolArrayAttr>:$given);
  let assemblyFormat = [{
    $callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)
  }];
  let hasVerifier = 1;
}

def ONNX_FunctionOp : ONNX_GraphOp<"Function", [IsolatedFromAbove, Symbol]> {
  let summary = "a function of the model";
  let description = [{
    A subgraph with parameters: values by the block's arguments, attributes by name. A node
    of the body whose attribute is a parameter is an onnx.Custom with #onnx.parameter.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$domain, StrAttr:$name,
                   StrAttr:$overload, DictionaryAttr:$opset_imports,
                   StrArrayAttr:$parameters, DictionaryAttr:$defaults);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
}
