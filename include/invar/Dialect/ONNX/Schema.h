// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The standard's schema of an operator, for use in C++. The tables are derived from the
// records (OpBase.td), so each fact is written once. The importer, the exporter, the
// printer and the verifier handle all operators through them, without knowing any by
// name.
//
// Worked example: the node Clip(x, "", max) has three formal operands, and the second
// is left out. MLIR stores the two that exist, and the gap in segment sizes;
// getOperandSlots() returns three values, the second null, as in the node.
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
  /// The type variable, empty if the type is fixed.
  llvm::StringLiteral var = "";
  /// The allowed element types if it can only be a tensor, otherwise 0.
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

/// A table without the empty last row, which exists because C++ has no empty arrays.
template <typename T, size_t N>
llvm::ArrayRef<T> withoutLast(const T (&table)[N]) {
  return llvm::ArrayRef<T>(table, N - 1);
}

/// Returns the name of the operator `domain::type` in the dialect, e.g.
/// "onnx.ml.Scaler"; empty if the dialect has no operators of the domain.
std::string getOperationName(llvm::StringRef domain, llvm::StringRef type);

/// "" and "ai.onnx" name the same domain.
inline llvm::StringRef normalizeDomain(llvm::StringRef domain) {
  return domain == "ai.onnx" ? llvm::StringRef() : domain;
}

/// Returns the operands as the node lists them: one entry for each single or optional
/// formal (null if left out), then one for each variadic value. Trailing gaps are
/// dropped.
llvm::SmallVector<mlir::Value> getOperandSlots(mlir::Operation *op);
llvm::SmallVector<mlir::Value> getResultSlots(mlir::Operation *op);

/// The inverse: returns how many values each formal takes if a node lists `present`.
/// Fails with an error if a required value is missing or there are too many.
mlir::FailureOr<llvm::SmallVector<int32_t>>
getSegmentSizes(llvm::ArrayRef<Formal> formals, llvm::ArrayRef<bool> present,
                llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                llvm::StringRef what);

/// Returns the types of results as far as the type variables determine them, without
/// shapes.
llvm::SmallVector<mlir::Type>
inferResultTypes(mlir::MLIRContext *context, const OpSchema &schema,
                 llvm::ArrayRef<int32_t> operandSizes,
                 mlir::ValueRange operands,
                 llvm::ArrayRef<int32_t> resultSizes);
/// The same for an existing operation.
llvm::SmallVector<mlir::Type> inferResultTypes(mlir::Operation *op);

/// The masks of TypeSet in OpBase.td: sets of element types, by number, for tensors,
/// sequences of tensors, optional tensors and optional sequences; and whether maps are
/// included.
struct TypeSetMasks {
  uint32_t tensors, sequences, optionals, optionalSequences;
  bool others;
};
bool isInTypeSet(mlir::Type type, const TypeSetMasks &set);
bool isStringList(mlir::Attribute attribute);

namespace detail {
/// Checks that all values of a type variable have the same type.
mlir::LogicalResult verifySchema(mlir::Operation *op);
/// Names results in printed IR after their values' names in the model.
void nameResults(mlir::Operation *op, mlir::OpAsmSetValueNameFn setName);
} // namespace detail

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_SCHEMA_H
