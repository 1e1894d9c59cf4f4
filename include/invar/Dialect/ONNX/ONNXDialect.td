// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ONNX dialect: its types, the attributes that builtin ones cannot express, and the
// interface that every operator has. Operators are in lib/Dialect/ONNX/Ops, one folder
// per family; OpBase.td defines the classes for their records.
#ifndef INVAR_DIALECT_ONNX_ONNXDIALECT_TD
#define INVAR_DIALECT_ONNX_ONNXDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def ONNX_Dialect : Dialect {
  let name = "onnx";
  let cppNamespace = "::invar::onnx";
  let summary = "the operators of ONNX in the form of their newest opset";
  let description = [{
    A model is a module. Its main graph is the function `@main`; subgraphs are regions of
    the operators that own them and may use values of the graphs around them. Names and
    other facts that only an exporter needs are discardable attributes:

    | on | attribute | holds |
    | --- | --- | --- |
    | module | `onnx.model` | IR version, opset imports, producer, metadata … |
    | operator | `onnx.name`, `onnx.outputs` | the node's name, its results' names |
    | operator | `onnx.node` | doc string, metadata, overload: what a node rarely has |
    | operator | `onnx.initializer` | on a constant: an initializer, not a Constant node |
    | argument, result of `@main` | `onnx.name` | the input's or output's name |
    | argument of `@main` | `onnx.default` | the initializer that a caller may override |
    | terminator | `onnx.graph` | the graph's name, doc string, value infos … |

    Every operator prints as `%y = onnx.Op(%a, _, %b) {attributes} : (types) -> type`,
    where `_` stands for an optional operand that is left out.
  }];
  let dependentDialects = ["::invar::elements::ElementsDialect",
                           "::mlir::func::FuncDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Adds the operators of each family; a family's own file defines its part.
    template <typename Family> void addFamily();

    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;
    ::llvm::unique_function<void(::mlir::Operation *, ::mlir::OpAsmPrinter &)>
    getOperationPrinter(::mlir::Operation *op) const override;
  }];
}

//===-- Types ---------------------------------------------------------------------------===//

class ONNX_Type<string name, string typeMnemonic> : TypeDef<ONNX_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def ONNX_UnknownType : ONNX_Type<"Unknown", "unknown"> {
  let summary = "the type of a value that nothing has said yet";
  let description = [{
    A node's results have no types in the wire format. Inference replaces this one; no
    constraint is checked on it meanwhile.
  }];
}

def ONNX_SequenceType : ONNX_Type<"Sequence", "seq"> {
  let summary = "a sequence of values of one type";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def ONNX_OptionalType : ONNX_Type<"Optional", "opt"> {
  let summary = "a value that may be absent";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def ONNX_MapType : ONNX_Type<"Map", "map"> {
  let summary = "a map from integers or strings to values of one type";
  let parameters = (ins "::mlir::Type":$keyType, "::mlir::Type":$valueType);
  let assemblyFormat = "`<` $keyType `,` $valueType `>`";
}

def ONNX_SparseTensorType : ONNX_Type<"SparseTensor", "sparse"> {
  let summary = "a tensor stored as its non-zero elements";
  let parameters = (ins "::mlir::Type":$denseType);
  let assemblyFormat = "`<` $denseType `>`";
}

def ONNX_OpaqueType : ONNX_Type<"Opaque", "opaque"> {
  let summary = "a type that only its domain knows";
  let parameters = (ins StringRefParameter<>:$domain, StringRefParameter<>:$name);
  let assemblyFormat = "`<` $domain `,` $name `>`";
}

//===-- Attributes ----------------------------------------------------------------------===//

class ONNX_Attribute<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<ONNX_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def ONNX_DimsAttr : ONNX_Attribute<"Dims", "dims"> {
  let summary = "names of a tensor's dynamic dimensions";
  let description = [{
    The encoding of a ranked tensor type some of whose dynamic dimensions have names, one
    string a dimension, empty where there is no name:

    ```mlir
    tensor<?x128x?xf32, #onnx.dims<"batch", "", "2*seq">>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names);
  let assemblyFormat = "`<` $names `>`";
}

def ONNX_SparseAttr : ONNX_Attribute<"Sparse", "sparse"> {
  let summary = "a constant given by its non-zero elements";
  let parameters = (ins "::mlir::ElementsAttr":$values, "::mlir::ElementsAttr":$indices,
                    "::mlir::RankedTensorType":$type);
  let assemblyFormat = "`<` $values `at` $indices `in` $type `>`";
}

def ONNX_ParameterAttr : ONNX_Attribute<"Parameter", "parameter"> {
  let summary = "the attribute of the calling node that a function's node refers to";
  let parameters = (ins StringRefParameter<>:$name, "::invar::AttributeKind":$kind);
  let hasCustomAssemblyFormat = 1;
}

def ONNX_ListAttr : ONNX_Attribute<"List", "list"> {
  let summary = "a list that has no elements to tell its kind by";
  let description = [{
    Stands among the attributes of an onnx.Custom for a list of graphs, whose elements are
    regions, or for an empty list of tensors or types. `kind` is the standard's number:

    ```mlir
    {branches = #onnx.list<10>}
    ```
  }];
  let parameters = (ins "::invar::AttributeKind":$kind);
  let hasCustomAssemblyFormat = 1;
}

//===-- The interface of every operator -------------------------------------------------===//

def ONNX_SchemaInterface : OpInterface<"SchemaOpInterface"> {
  let cppNamespace = "::invar::onnx";
  let description = [{
    What the standard says of an operator, as its record has it: domain, version, formal
    operands, results and attributes. Verification checks the type variables by it.
  }];
  let methods = [StaticInterfaceMethod<"the operator's schema", "const ::invar::onnx::OpSchema &",
                                       "getSchema">];
  let verify = [{ return ::invar::onnx::detail::verifySchema($_op); }];
}

def ONNX_TypesInterface : OpInterface<"TypesOpInterface"> {
  let cppNamespace = "::invar::onnx";
  let description = [{
    An operator whose results' types do not follow from shapes of tensors alone: it has
    graphs, or takes or gives sequences, optionals or maps. The others say their shapes
    (ShapeOpInterface), and their element types by type variables.
  }];
  let methods = [
    InterfaceMethod<[{
      Sets the types of the results as far as they are known (TypeInference.h). Fails,
      having emitted an error, on a contradiction.
    }], "::llvm::LogicalResult", "inferTypes",
        (ins "::invar::onnx::TypeInference &":$inference)>
  ];
}

def ONNX_FoldInterface : OpInterface<"FoldOpInterface"> {
  let cppNamespace = "::invar::onnx";
  let description = [{
    An operator whose results can be computed when its operands are constants: every one
    that is a function of them.
  }];
  let methods = [
    InterfaceMethod<[{
      The values of all results, or the reason why the operator is left to run time
      (Folding.h). All operands are constants, and the results have their inferred types.
    }], "::invar::onnx::FoldResult", "computeValues", (ins "::invar::onnx::Folding &":$fold)>
  ];
}

//===-- Kinds of operators --------------------------------------------------------------===//

def Reduction : OpInterface<"ReductionOpInterface"> {
  let cppNamespace = "::invar::onnx";
  let description = [{
    An operator that reduces axes of its first operand, `data`, to one element each: those
    that its second, `axes`, lists. The record's accessors are the methods.
  }];
  let methods = [
    InterfaceMethod<"whether reduced axes stay, with size one", "int64_t", "getKeepdims">,
    InterfaceMethod<"whether no axes means none instead of all", "int64_t",
                    "getNoopWithEmptyAxes">,
    InterfaceMethod<[{
      The axes that are reduced, each once, in order and counted from the front; none
      where they are not known.
    }], "::llvm::FailureOr<::std::optional<::llvm::SmallVector<int64_t>>>", "getReducedAxes",
        (ins "::invar::ShapeHelper &":$shape), "",
        [{ return ::invar::onnx::detail::findReducedAxes($_op, shape); }]>
  ];
  let verify = [{ return ::invar::onnx::detail::verifyReduction($_op); }];
}

#endif // INVAR_DIALECT_ONNX_ONNXDIALECT_TD
