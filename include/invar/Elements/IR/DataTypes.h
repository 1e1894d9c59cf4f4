// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that says how ONNX's element types are spelled in MLIR: signed integers
// are signless (int64 is i64), unsigned ones are ui8 …, bool is i1, strings are
// !elements.string. Both functions agree: toDataType(toType(t)) is t for every t.
#ifndef INVAR_ELEMENTS_IR_DATATYPES_H
#define INVAR_ELEMENTS_IR_DATATYPES_H

#include "invar/Elements/DataType.h"
#include "mlir/IR/Types.h"

namespace invar::elements {

mlir::Type toType(mlir::MLIRContext *context, DataType type);

/// None for a type that ONNX does not have, such as index or i3.
std::optional<DataType> toDataType(mlir::Type elementType);

} // namespace invar::elements

#endif // INVAR_ELEMENTS_IR_DATATYPES_H
