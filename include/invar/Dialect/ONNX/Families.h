// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the build generates from the list of families
// (cmake/InvarFamilies.cmake).
#ifndef INVAR_DIALECT_ONNX_FAMILIES_H
#define INVAR_DIALECT_ONNX_FAMILIES_H

namespace invar::onnx {

class ONNXDialect;
class AdapterTable;

/// Adds the operators of all families to the dialect.
void addAllFamilies(ONNXDialect &dialect);

/// Adds the opset adapters of all families that have any.
void addAllAdapters(AdapterTable &table);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_FAMILIES_H
