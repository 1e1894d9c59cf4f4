// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps ONNX's element types to MLIR types and back: signed integers are signless (int64
// is i64), unsigned ones are ui8 …, bool is i1, strings are !elements.string. For every
// t, toDataType(toType(t)) is t.
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
