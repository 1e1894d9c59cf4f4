// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings of a call: attributes that the runtime takes as a list of integers,
// floats or strings.
#ifndef INVAR_DIALECT_RUNTIME_SETTING_H
#define INVAR_DIALECT_RUNTIME_SETTING_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace invar::rt {

/// Calls one of the functions of `values` for each value of a setting:
///
///   void beginFloats();             for a list of floats, which may be empty
///   void addInt(int64_t number);
///   void addFloat(double number);
///   void addString(llvm::StringRef text);
///   bool addType(mlir::Type type);  false if the type has no number
///
/// Returns false if the runtime does not take such an attribute.
template <typename Values>
bool visitSetting(mlir::Attribute setting, Values &values) {
  if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(setting)) {
    mlir::Type type = integer.getType();
    values.addInt(type.isUnsignedInteger() || type.isInteger(1)
                      ? int64_t(integer.getValue().getZExtValue())
                      : integer.getValue().getSExtValue());
    return true;
  }
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(setting)) {
    values.addFloat(number.getValueAsDouble());
    return true;
  }
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(setting)) {
    values.addString(text.getValue());
    return true;
  }
  if (auto type = llvm::dyn_cast<mlir::TypeAttr>(setting))
    return values.addType(type.getValue());
  if (auto ints = llvm::dyn_cast<mlir::DenseI64ArrayAttr>(setting)) {
    llvm::for_each(ints.asArrayRef(), [&](int64_t n) { values.addInt(n); });
    return true;
  }
  if (auto floats = llvm::dyn_cast<mlir::DenseF32ArrayAttr>(setting)) {
    values.beginFloats();
    llvm::for_each(floats.asArrayRef(), [&](float x) { values.addFloat(x); });
    return true;
  }
  auto visitEntry = [&](mlir::Attribute entry) {
    return visitSetting(entry, values);
  };
  // For a tensor, functions of the runtime need the elements, if they are there.
  if (auto tensor = llvm::dyn_cast<mlir::ElementsAttr>(setting)) {
    auto elements = tensor.tryGetValues<mlir::Attribute>();
    return elements && llvm::all_of(*elements, visitEntry);
  }
  auto list = llvm::dyn_cast<mlir::ArrayAttr>(setting);
  return list && llvm::all_of(list, visitEntry);
}

} // namespace invar::rt

#endif // INVAR_DIALECT_RUNTIME_SETTING_H
