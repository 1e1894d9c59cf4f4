// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the standard says of an operator, at run time. The tables are derived from the
// records (OpBase.td), so nothing is said twice; the importer, the exporter, the printer
// and the verifier handle all operators through them, without knowing any by name.
//
// Worked example: the node Clip(x, "", max) has three formal operands, of which the
// second is left out. MLIR stores the two that exist and remembers the gap in segment
// sizes; getOperandSlots() gives back three values, the second null, as the node had it.
#ifndef INVAR_DIALECT_ONNX_SCHEMA_H
#define INVAR_DIALECT_ONNX_SCHEMA_H

#include "invar/Elements/AttributeKind.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/ArrayRef.h"

namespace invar::onnx {

/// How many values a formal operand or result stands for.
enum class FormalKind : uint8_t { Single, Optional, Variadic, Heterogeneous };

struct Formal {
  llvm::StringLiteral name = "";
  FormalKind kind = FormalKind::Single;
  /// The type variable, empty where the type is fixed.
  llvm::StringLiteral var = "";
  /// Element types that it may have if it can only be a tensor, else 0.
  uint32_t tensors = 0;

  bool isVariadic() const { return kind >= FormalKind::Variadic; }
};

struct AttributeFormal {
  llvm::StringLiteral name = "";
  AttributeKind kind = AttributeKind::Undefined;
  bool required = false;
};

struct OpSchema {
  llvm::StringLiteral domain;
  llvm::StringLiteral name;
  int sinceVersion;
  bool deprecated;
  llvm::ArrayRef<Formal> operands;
  llvm::ArrayRef<Formal> results;
  llvm::ArrayRef<AttributeFormal> attributes;
  /// Attributes that hold graphs: the operator's regions, in order.
  llvm::ArrayRef<AttributeFormal> graphs;

  const AttributeFormal *findAttribute(llvm::StringRef name) const;
};

/// A table without the empty row that ends it: C++ has no empty arrays.
template <typename T, size_t N>
llvm::ArrayRef<T> withoutLast(const T (&table)[N]) {
  return llvm::ArrayRef<T>(table, N - 1);
}

/// The name of the operator `domain::type` in the dialect, e.g. "onnx.ml.Scaler"; empty
/// for a domain that the dialect has no operators of.
std::string getOperationName(llvm::StringRef domain, llvm::StringRef type);

/// "" and "ai.onnx" name the same domain.
inline llvm::StringRef normalizeDomain(llvm::StringRef domain) {
  return domain == "ai.onnx" ? llvm::StringRef() : domain;
}

/// The operands as the node lists them: one entry for each single or optional formal
/// (null where left out), then one for each variadic value. Trailing gaps are dropped.
llvm::SmallVector<mlir::Value> getOperandSlots(mlir::Operation *op);
llvm::SmallVector<mlir::Value> getResultSlots(mlir::Operation *op);

/// How many values each formal takes when a node lists `present`: the inverse of the
/// above. Fails, saying why, when a required one is missing or there are too many.
mlir::FailureOr<llvm::SmallVector<int32_t>>
getSegmentSizes(llvm::ArrayRef<Formal> formals, llvm::ArrayRef<bool> present,
                llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                llvm::StringRef what);

/// The types of results as far as the type variables tell them: without shapes.
llvm::SmallVector<mlir::Type>
inferResultTypes(mlir::MLIRContext *context, const OpSchema &schema,
                 llvm::ArrayRef<int32_t> operandSizes,
                 mlir::ValueRange operands,
                 llvm::ArrayRef<int32_t> resultSizes);
/// The same of an operation that is there.
llvm::SmallVector<mlir::Type> inferResultTypes(mlir::Operation *op);

/// The masks of TypeSet in OpBase.td: element types, by their numbers, of tensors,
/// sequences of tensors, optional tensors, optional sequences; and whether maps are in.
struct TypeSetMasks {
  uint32_t tensors, sequences, optionals, optionalSequences;
  bool others;
};
bool isInTypeSet(mlir::Type type, const TypeSetMasks &set);
bool isStringList(mlir::Attribute attribute);

namespace detail {
/// Checks that what shares a type variable shares its type.
mlir::LogicalResult verifySchema(mlir::Operation *op);
/// Names results in printed IR after their values' names in the model.
void nameResults(mlir::Operation *op, mlir::OpAsmSetValueNameFn setName);
} // namespace detail

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_SCHEMA_H
