// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes for operator records. A record reads like the standard's own table, so a test
// can compare the two:
//
//   def ONNX_GatherOp : ONNX_Op<"Gather", 13, [Pure]> {
//     let summary = "picks slices of a tensor along an axis";
//     defvar T = Var<"T", TensorIn<PlainTypes>>;
//     let arguments = (ins T:$data, Var<"Tind", TensorIn<[Int32, Int64]>>:$indices,
//                      IntOr<0>:$axis);
//     let results = (outs T:$output);
//   }
//
// The class derives the parts that C++ needs: segment traits and the static schema.
//
// Constraints beyond types are in the description, with a label: `- (C1) …`. The
// verifier (Verify.h) reports the label, and a negative test has it in its name;
// utils/check-labels compares them.
#ifndef INVAR_DIALECT_ONNX_OPBASE_TD
#define INVAR_DIALECT_ONNX_OPBASE_TD

include "invar/Dialect/ONNX/ONNXDialect.td"
include "invar/IndexExpr/ShapeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// For operators with which models calculate shapes.
def Entries : DeclareOpInterfaceMethods<EntriesOpInterface>;

/// For operators whose values are computed when their operands are constants: all
/// operators that are deterministic.
def Folds : DeclareOpInterfaceMethods<ONNX_FoldInterface>;

//===-- Element types -------------------------------------------------------------------===//

/// An element type with the standard's name and number (TensorProto.DataType).
class ScalarType<string n, int i> {
  string onnxName = n;
  int number = i;
}
def Float : ScalarType<"float", 1>;
def UInt8 : ScalarType<"uint8", 2>;
def Int8 : ScalarType<"int8", 3>;
def UInt16 : ScalarType<"uint16", 4>;
def Int16 : ScalarType<"int16", 5>;
def Int32 : ScalarType<"int32", 6>;
def Int64 : ScalarType<"int64", 7>;
def String : ScalarType<"string", 8>;
def Bool : ScalarType<"bool", 9>;
def Float16 : ScalarType<"float16", 10>;
def Double : ScalarType<"double", 11>;
def UInt32 : ScalarType<"uint32", 12>;
def UInt64 : ScalarType<"uint64", 13>;
def Complex64 : ScalarType<"complex64", 14>;
def Complex128 : ScalarType<"complex128", 15>;
def BFloat16 : ScalarType<"bfloat16", 16>;
def Float8E4M3FN : ScalarType<"float8e4m3fn", 17>;
def Float8E4M3FNUZ : ScalarType<"float8e4m3fnuz", 18>;
def Float8E5M2 : ScalarType<"float8e5m2", 19>;
def Float8E5M2FNUZ : ScalarType<"float8e5m2fnuz", 20>;
def UInt4 : ScalarType<"uint4", 21>;
def Int4 : ScalarType<"int4", 22>;
def Float4E2M1 : ScalarType<"float4e2m1", 23>;
def Float8E8M0 : ScalarType<"float8e8m0", 24>;
def UInt2 : ScalarType<"uint2", 25>;
def Int2 : ScalarType<"int2", 26>;
def Float6E2M3 : ScalarType<"float6e2m3", 27>;
def Float6E3M2 : ScalarType<"float6e3m2", 28>;

defvar Floats = [Float16, BFloat16, Float, Double];
defvar SignedInts = [Int8, Int16, Int32, Int64];
defvar UnsignedInts = [UInt8, UInt16, UInt32, UInt64];
defvar Ints = !listconcat(SignedInts, UnsignedInts);
defvar Numbers = !listconcat(Ints, Floats);
/// The types on which arithmetic was first defined: no 8- and 16-bit integers.
defvar WideNumbers = !listconcat([Int32, Int64, UInt32, UInt64], Floats);
/// All types of the first opsets; with bfloat16, all types except the low-precision ones.
defvar ClassicTypes = !listconcat(Ints, [Float16, Float, Double, Bool, Complex64, Complex128, String]);
defvar PlainTypes = !listconcat(ClassicTypes, [BFloat16]);
defvar Float8s = [Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ];
defvar Float6s = [Float6E2M3, Float6E3M2];
/// All types of opset 25, and those of opset 28.
defvar LowTypes25 = !listconcat(Float8s, [Float8E8M0, Float4E2M1, Int4, UInt4, Int2, UInt2]);
defvar AllTypes25 = !listconcat(PlainTypes, LowTypes25);
defvar AllTypes = !listconcat(AllTypes25, Float6s);
defvar IndexTypes = [Int32, Int64];

/// A set of element types as a bit mask, the form in which C++ checks it.
class Mask<list<ScalarType> types> {
  int value = !foldl(0, types, mask, type, !or(mask, !shl(1, type.number)));
}

//===-- Types of operands and results ---------------------------------------------------===//

/// A set of value types. The masks contain the element types of tensors, sequences of
/// tensors, optionals of tensors and optionals of sequences in the set; `others` lists
/// the remaining types by the standard's names.
class TypeSet<list<ScalarType> tensors_, list<ScalarType> sequences_ = [],
              list<ScalarType> optionals_ = [], list<ScalarType> optionalSequences_ = [],
              list<string> others_ = []>
    : Type<CPred<"::invar::onnx::isInTypeSet($_self, {"
                 # Mask<tensors_>.value # "u, " # Mask<sequences_>.value # "u, "
                 # Mask<optionals_>.value # "u, " # Mask<optionalSequences_>.value # "u, "
                 # !if(!empty(others_), "false", "true") # "})">,
           !interleave(!listconcat(
             !foreach(t, tensors_, "tensor(" # t.onnxName # ")"),
             !foreach(t, sequences_, "seq(tensor(" # t.onnxName # "))"),
             !foreach(t, optionals_, "optional(tensor(" # t.onnxName # "))"),
             !foreach(t, optionalSequences_, "optional(seq(tensor(" # t.onnxName # ")))"),
             others_), " or ")> {
  string var = "";
  list<ScalarType> tensors = tensors_;
  list<ScalarType> sequences = sequences_;
  list<ScalarType> optionals = optionals_;
  list<ScalarType> optionalSequences = optionalSequences_;
  list<string> others = others_;
}

class TensorIn<list<ScalarType> types> : TypeSet<types>;
class SequenceIn<list<ScalarType> types> : TypeSet<[], types>;

/// A type variable of the operator: all formals with the same variable have the same
/// type.
class Var<string name, TypeSet set>
    : TypeSet<set.tensors, set.sequences, set.optionals, set.optionalSequences, set.others> {
  let var = name;
}

/// A variadic whose values may differ in type, but all come from one set.
class Heterogeneous<TypeSet set> : Variadic<set>;

//===-- Attributes ----------------------------------------------------------------------===//
// `X` is required, `OptX` is optional. `XOr<d>` has the default d: its accessor returns
// d if the attribute is not given, but the attribute itself stays absent, because older
// opsets may have another default and an exporter must know what was written.

/// Fields that every attribute of a record has in addition to those of ODS.
class AttrFacts<string attributeKind> {
  string kind = attributeKind;
  string default = "";
}

class IntBase : TypedSignlessIntegerAttrBase<I64, "int64_t", "an int">, AttrFacts<"Int">;
def Int : IntBase;
def OptInt : IntBase {
  let isOptional = 1;
  let returnType = "::std::optional<int64_t>";
  let convertFromStorage = "($_self ? ::std::optional<int64_t>($_self.getInt()) : ::std::nullopt)";
  let constBuilderCall = "";
}
class IntOr<int value> : IntBase {
  let isOptional = 1;
  let convertFromStorage = "($_self ? $_self.getInt() : " # value # ")";
  let constBuilderCall = "";
  let default = !cast<string>(value);
}

class FloatBase : FloatAttrBase<F32, "a float">, AttrFacts<"Float"> {
  let returnType = "float";
  let convertFromStorage = "$_self.getValue().convertToFloat()";
  let constBuilderCall = "$_builder.getF32FloatAttr($0)";
}
def Real : FloatBase;
def OptReal : FloatBase {
  let isOptional = 1;
  let returnType = "::std::optional<float>";
  let convertFromStorage = "($_self ? ::std::optional<float>($_self.getValue().convertToFloat()) : ::std::nullopt)";
  let constBuilderCall = "";
}
class RealOr<string value> : FloatBase {
  let isOptional = 1;
  let convertFromStorage = "($_self ? $_self.getValue().convertToFloat() : float(" # value # "))";
  let constBuilderCall = "";
  let default = value;
}

class StrBase : StringBasedAttr<CPred<"::llvm::isa<::mlir::StringAttr>($_self)">, "a string">,
                AttrFacts<"String">;
def Str : StrBase;
def OptStr : StrBase {
  let isOptional = 1;
  let returnType = "::std::optional<::llvm::StringRef>";
  let convertFromStorage = "($_self ? ::std::optional<::llvm::StringRef>($_self.getValue()) : ::std::nullopt)";
  let constBuilderCall = "";
}
class StrOr<string value> : StrBase {
  let isOptional = 1;
  let convertFromStorage = "($_self ? $_self.getValue() : ::llvm::StringRef(\"" # value # "\"))";
  let constBuilderCall = "";
  let default = value;
}

class ListBase<string storage, string element, string k, string what>
    : Attr<CPred<"::llvm::isa<" # storage # ">($_self)">, what>, AttrFacts<k> {
  let storageType = storage;
  let returnType = "::llvm::ArrayRef<" # element # ">";
  let convertFromStorage = "::llvm::ArrayRef<" # element # ">($_self)";
  let constBuilderCall = "$_builder.getAttr<" # storage # ">($0)";
}
class OptListBase<string storage, string element, string k, string what>
    : ListBase<storage, element, k, what> {
  let isOptional = 1;
  let returnType = "::std::optional<::llvm::ArrayRef<" # element # ">>";
  let convertFromStorage = "($_self ? ::std::optional<::llvm::ArrayRef<" # element
                           # ">>($_self) : ::std::nullopt)";
  let constBuilderCall = "";
}
def IntList : ListBase<"::mlir::DenseI64ArrayAttr", "int64_t", "Ints", "a list of ints">;
def OptIntList : OptListBase<"::mlir::DenseI64ArrayAttr", "int64_t", "Ints", "a list of ints">;
def RealList : ListBase<"::mlir::DenseF32ArrayAttr", "float", "Floats", "a list of floats">;
def OptRealList : OptListBase<"::mlir::DenseF32ArrayAttr", "float", "Floats", "a list of floats">;
def OptStrList : OptListBase<"::mlir::ArrayAttr", "::mlir::Attribute", "Strings", "a list of strings"> {
  let predicate = CPred<"::invar::onnx::isStringList($_self)">;
  let convertFromStorage = "($_self ? ::std::optional<::llvm::ArrayRef<::mlir::Attribute>>($_self.getValue()) : ::std::nullopt)";
}
def StrList : ListBase<"::mlir::ArrayAttr", "::mlir::Attribute", "Strings", "a list of strings"> {
  let predicate = CPred<"::invar::onnx::isStringList($_self)">;
  let convertFromStorage = "$_self.getValue()";
}
class IntListOr<list<int> values> : OptListBase<"::mlir::DenseI64ArrayAttr", "int64_t", "Ints", "a list of ints"> {
  let default = !interleave(values, " ");
}
class StrListOr<list<string> values> : OptListBase<"::mlir::ArrayAttr", "::mlir::Attribute", "Strings", "a list of strings"> {
  let predicate = CPred<"::invar::onnx::isStringList($_self)">;
  let convertFromStorage = "($_self ? ::std::optional<::llvm::ArrayRef<::mlir::Attribute>>($_self.getValue()) : ::std::nullopt)";
  let default = !interleave(values, " ");
}

/// Attributes whose accessor returns the attribute itself, null if it is not given.
class PlainAttr<string storage, string k, string what, bit optional>
    : Attr<CPred<"::llvm::isa<" # storage # ">($_self)">, what>, AttrFacts<k> {
  let storageType = storage;
  let returnType = storage;
  let convertFromStorage = "$_self";
  let isOptional = optional;
}
def Tensor : PlainAttr<"::mlir::ElementsAttr", "Tensor", "a tensor", 0>;
def OptTensor : PlainAttr<"::mlir::ElementsAttr", "Tensor", "a tensor", 1>;
def OptSparseTensor : PlainAttr<"::invar::onnx::SparseAttr", "SparseTensor", "a sparse tensor", 1>;
def OptTypeProto : PlainAttr<"::mlir::TypeAttr", "TypeProto", "a type", 1>;

/// The graph of a region operator: one block that ends in onnx.Yield, or no block if
/// the standard allows the graph to be left out.
def Graph : Region<CPred<"::llvm::hasSingleElement($_self)">, "a graph">;
def OptGraph : Region<CPred<"$_self.empty() || ::llvm::hasSingleElement($_self)">, "a graph or nothing">;

//===-- Operators -----------------------------------------------------------------------===//

/// The type set of one formal operand or result, without Optional or Variadic.
class SetOf<dag formals, int i> {
  TypeSet set = !if(!initialized(!getdagarg<TypeSet>(formals, i)), !getdagarg<TypeSet>(formals, i),
                !if(!initialized(!getdagarg<Variadic>(formals, i)),
                    !cast<TypeSet>(!getdagarg<Variadic>(formals, i).baseType),
                    !cast<TypeSet>(!getdagarg<Optional>(formals, i).baseType)));
  bit onlyTensors = !and(!empty(set.sequences), !empty(set.optionals),
                         !empty(set.optionalSequences), !empty(set.others));
}

/// C++ initializers of the formal parameters in a dag of operands or results.
class FormalTable<dag formals> {
  list<int> indices = !filter(i, !range(!size(formals)),
                              !initialized(!getdagarg<TypeConstraint>(formals, i)));
  list<string> rows = !foreach(i, indices,
    "{\"" # !getdagname(formals, i) # "\", "
    # !if(!initialized(!getdagarg<Heterogeneous>(formals, i)), "FormalKind::Heterogeneous",
      !if(!initialized(!getdagarg<Variadic>(formals, i)), "FormalKind::Variadic",
      !if(!initialized(!getdagarg<Optional>(formals, i)), "FormalKind::Optional",
          "FormalKind::Single")))
    # ", \"" # SetOf<formals, i>.set.var # "\", "
    # !if(SetOf<formals, i>.onlyTensors, Mask<SetOf<formals, i>.set.tensors>.value, 0) # "u}, ");
  int flexible = !size(!filter(i, indices,
    !or(!initialized(!getdagarg<Variadic>(formals, i)), !initialized(!getdagarg<Optional>(formals, i)))));
  string text = !interleave(rows, "");
}

/// C++ initializers of the attributes among an operator's arguments.
class AttributeTable<dag formals> {
  list<int> indices = !filter(i, !range(!size(formals)),
                              !initialized(!getdagarg<AttrFacts>(formals, i)));
  string text = !interleave(!foreach(i, indices,
    "{\"" # !getdagname(formals, i) # "\", AttributeKind::" # !getdagarg<AttrFacts>(formals, i).kind
    # ", " # !if(!getdagarg<Attr>(formals, i).isOptional, "false", "true") # "}, "), "");
}

class GraphTable<dag graphs> {
  string text = !interleave(!foreach(i, !range(!size(graphs)),
    "{\"" # !getdagname(graphs, i) # "\", AttributeKind::Graph, true}, "), "");
}

/// Operators of the other domains have a prefix in the dialect: onnx.ml.Scaler.
class MnemonicPrefix<string domain> {
  string text = !cond(!eq(domain, ""): "",
                      !eq(domain, "ai.onnx.ml"): "ml.",
                      !eq(domain, "ai.onnx.preview"): "preview.",
                      !eq(domain, "ai.onnx.preview.training"): "training.",
                      !eq(domain, "com.microsoft"): "ms.");
}

/// An operator of `domain` (empty: the standard's own), in its form since `version`.
class ONNX_Op<string name, int version, list<Trait> ownTraits = [], string onnxDomain = "">
    : Op<ONNX_Dialect, MnemonicPrefix<onnxDomain>.text # name> {
  string domain = onnxDomain;
  string onnxName = name;
  int sinceVersion = version;
  bit deprecated = 0;
  /// How the shapes of the results are computed: empty for the operator's own
  /// computeShape(), the name of a rule of Shapes.h, or "types" for the operator's
  /// inferTypes().
  string shape = "";

  let traits = !listconcat(ownTraits,
    !if(!eq(shape, "types"), [DeclareOpInterfaceMethods<ONNX_TypesInterface>],
        [DeclareOpInterfaceMethods<ShapeOpInterface>]),
    [ONNX_SchemaInterface, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>],
    !if(!gt(FormalTable<arguments>.flexible, 1), [AttrSizedOperandSegments], []<Trait>),
    !if(!gt(FormalTable<results>.flexible, 1), [AttrSizedResultSegments], []<Trait>));

  /// For records with additional declarations: `schemaDeclaration # [{ … }]`.
  code schemaDeclaration = "static const ::invar::onnx::OpSchema &getSchema();";
  let extraClassDeclaration = schemaDeclaration;
  /// For operators that slide a window (SlidingWindow.h). Ranks must be known.
  code windowDeclaration = schemaDeclaration
    # "::llvm::FailureOr<::invar::onnx::SlidingWindow> computeWindow(::invar::ShapeHelper &shape);";
  /// For operators that describe the function of the runtime that computes them
  /// (RuntimeCall.h), whatever the ranks of their operands are.
  code anyRankCallDeclaration = schemaDeclaration
    # "::invar::onnx::RuntimeCall describeCall();";
  /// The same if the call has numbers that follow from shapes. Ranks must be known.
  code callDeclaration = schemaDeclaration
    # "::llvm::FailureOr<::invar::onnx::RuntimeCall> describeCall(::invar::ShapeHelper &shape);";
  /// The same with a window.
  code windowCallDeclaration = windowDeclaration
    # "::llvm::FailureOr<::invar::onnx::RuntimeCall> describeCall(::invar::ShapeHelper &shape);";
  code schemaDefinition = "const ::invar::onnx::OpSchema &$cppClass::getSchema() {"
    # " using namespace ::invar::onnx;"
    # " static const Formal operands[] = {" # FormalTable<arguments>.text # "{}};"
    # " static const Formal results[] = {" # FormalTable<results>.text # "{}};"
    # " static const AttributeFormal attributes[] = {" # AttributeTable<arguments>.text # "{}};"
    # " static const AttributeFormal graphs[] = {" # GraphTable<regions>.text # "{}};"
    # " static const OpSchema schema = {\"" # domain # "\", \"" # onnxName # "\", " # sinceVersion # ", "
    # deprecated # ", withoutLast(operands), withoutLast(results), withoutLast(attributes),"
    # " withoutLast(graphs)};"
    # " return schema; }"
    # " void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn setName) {"
    # " ::invar::onnx::detail::nameResults(getOperation(), setName); }"
    # !if(!or(!empty(shape), !eq(shape, "types")), "",
          " ::llvm::LogicalResult $cppClass::computeShape(::invar::ShapeHelper &shape) {"
          # " return ::invar::onnx::shape::" # shape # "(shape); }");
  let extraClassDefinition = schemaDefinition;
}

/// An operator that onnxruntime adds to the standard, in a domain that has one version.
/// Its record is named ONNX_MS…Op, because some have the name of a standard operator.
/// An operator that resembles a standard one is in that operator's family folder; the
/// others are in Ops/Microsoft. All other operators of the domain pass through
/// (onnx.Custom).
class ONNX_MicrosoftOp<string name, list<Trait> traits = [Pure, Folds]>
    : ONNX_Op<name, 1, traits, "com.microsoft">;

//===-- Shapes that many operators have -------------------------------------------------===//

/// Operands whose shapes broadcast together; the constraint (C1) of these operators.
def Broadcasting : NativeOpTrait<"Broadcasting"> {
  let cppNamespace = "::invar::onnx";
}

/// One tensor in, one of the same type out, element by element.
class ONNX_UnaryOp<string name, int version, list<ScalarType> types,
                   list<string> names = ["X", "Y"], dag attributes = (ins),
                   list<Trait> traits = []>
    : ONNX_Op<name, version, !listconcat([Pure, Folds], traits)> {
  let shape = "sameAsFirst";
  defvar T = Var<"T", TensorIn<types>>;
  let arguments = !con(!dag(ins, [T], [names[0]]), attributes);
  let results = !dag(outs, [T], [names[1]]);
}

/// Two tensors in, broadcast, one of their type out, element by element.
class ONNX_BinaryOp<string name, int version, list<ScalarType> types,
                    list<string> names = ["A", "B", "C"], dag attributes = (ins),
                    list<Trait> traits = []>
    : ONNX_Op<name, version, !listconcat([Pure, Broadcasting, Folds], traits)> {
  let shape = "broadcastAll";
  let description = "- (C1) the operands' shapes broadcast to one.";
  defvar T = Var<"T", TensorIn<types>>;
  let arguments = !con(!dag(ins, [T, T], [names[0], names[1]]), attributes);
  let results = !dag(outs, [T], [names[2]]);
}

/// Two tensors in, broadcast, the truth value of a relation out, element by element.
class ONNX_RelationOp<string name, int version, list<ScalarType> types,
                      list<Trait> traits = []>
    : ONNX_BinaryOp<name, version, types, ["A", "B", "C"], (ins), traits> {
  let results = (outs Var<"T1", TensorIn<[Bool]>>:$C);
}

#endif // INVAR_DIALECT_ONNX_OPBASE_TD
