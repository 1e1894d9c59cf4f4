// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An attribute over an Elements: a constant in the IR that MLIR neither copies nor
// hashes nor keeps alive. For MLIR it is an ElementsAttr like dense<…>:
//
//   LazyElementsAttr weight = LazyElementsAttr::get(context, elements);
//   matchPattern(value, m_Constant(&attribute));            // finds it
//   for (float f : cast<ElementsAttr>(weight).getValues<float>()) …
//   Elements content = weight.getElements();                // tiles, views, streams
//
// MLIR's attributes live as long as their context. The identity of this attribute does
// too (a few hundred bytes), but its content is freed when the pool (Pool.h) disposes
// it. After that, the attribute may only be compared. Two attributes are equal only if
// they are the same one: contents are never compared. Equal constants are merged by
// their recipes instead.
//
// An onnx.Constant prints it exactly like dense<…>; elsewhere it is
// #elements.lazy<dense<…>>. Both are parsed as dense attributes.
#ifndef INVAR_ELEMENTS_IR_LAZYELEMENTSATTR_H
#define INVAR_ELEMENTS_IR_LAZYELEMENTSATTR_H

#include "invar/Elements/Elements.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir {
class AsmPrinter;
class DenseElementsAttr;
} // namespace mlir

namespace invar::elements {

namespace detail {
struct LazyElementsStorage;
} // namespace detail

// TypedAttr must come before ElementsAttr, whose concept refers to it.
class LazyElementsAttr
    : public mlir::Attribute::AttrBase<
          LazyElementsAttr, mlir::Attribute, detail::LazyElementsStorage,
          mlir::TypedAttr::Trait, mlir::ElementsAttr::Trait> {
public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "elements.lazy";

  /// Creates an attribute and registers it in the pool of `context`.
  static LazyElementsAttr get(mlir::MLIRContext *context, Elements elements);

  mlir::RankedTensorType getType() const;
  mlir::ShapedType getShapedType() const { return getType(); }
  mlir::Type getElementType() const { return getType().getElementType(); }
  bool isSplat() const;

  /// The content; it must not have been disposed.
  const Elements &getElements() const;
  bool isDisposed() const;

  /// Frees the content. Only the pool may call this, because it knows that the content
  /// is no longer in use.
  void dispose() const;

  /// For ElementsAttr. Supported types: the element's C++ type (as a lane), APInt,
  /// APFloat, complex numbers of these, StringRef, and Attribute.
  mlir::FailureOr<mlir::detail::ElementsAttrIndexer>
  getValuesImpl(mlir::TypeID type) const;
};

/// Any constant as an Elements: the content of a lazy one, or a view of the storage of
/// a dense one, which lives as long as the context. Fails for element types that ONNX
/// does not have and for missing resources.
mlir::FailureOr<Elements> toElements(mlir::ElementsAttr attribute);

/// A dense attribute with the same content. It stays in memory as long as the context:
/// for small constants, and for tools that support only dense attributes.
mlir::DenseElementsAttr toDense(LazyElementsAttr attribute);

/// Prints `dense<…>`, or `dense_resource<__elided__>` beyond the limit of MLIR's flag,
/// without the type and without creating a dense attribute.
void printAsDense(mlir::AsmPrinter &printer, LazyElementsAttr attribute);

} // namespace invar::elements

MLIR_DECLARE_EXPLICIT_TYPE_ID(invar::elements::LazyElementsAttr)

#endif // INVAR_ELEMENTS_IR_LAZYELEMENTSATTR_H
