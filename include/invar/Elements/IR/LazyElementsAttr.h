// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An attribute over an Elements: a constant in the IR that MLIR neither copies, hashes
// nor keeps alive. To MLIR it is an ElementsAttr as dense<…> is:
//
//   LazyElementsAttr weight = LazyElementsAttr::get(context, elements);
//   matchPattern(value, m_Constant(&attribute));            // finds it
//   for (float f : cast<ElementsAttr>(weight).getValues<float>()) …
//   Elements content = weight.getElements();                // tiles, views, streams
//
// MLIR's attributes live as long as their context. This one's identity does too (some
// hundred bytes), but its content goes when the pool (Pool.h) disposes it, after which
// the attribute may only be compared. Two attributes are equal only if they are the same
// one: contents are never compared, equal constants are made one by recipe instead.
//
// An onnx.Constant prints it exactly as dense<…>; elsewhere it is #elements.lazy<dense<…>>.
// Both read back, as dense attributes.
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

  /// A new attribute, known to the pool of `context`.
  static LazyElementsAttr get(mlir::MLIRContext *context, Elements elements);

  mlir::RankedTensorType getType() const;
  mlir::ShapedType getShapedType() const { return getType(); }
  mlir::Type getElementType() const { return getType().getElementType(); }
  bool isSplat() const;

  /// The content; it must not have been disposed.
  const Elements &getElements() const;
  bool isDisposed() const;

  /// Lets go of the content. Only the pool knows that nothing reads it any more.
  void dispose() const;

  /// For ElementsAttr: the element's C++ type (as a lane), APInt, APFloat, complex ones,
  /// StringRef, or Attribute.
  mlir::FailureOr<mlir::detail::ElementsAttrIndexer>
  getValuesImpl(mlir::TypeID type) const;
};

/// Any constant as an Elements: a lazy one's own content; a dense one's as a view of its
/// storage, which lives as long as the context. Fails for what has no ONNX element type
/// and for resources that are not there.
mlir::FailureOr<Elements> toElements(mlir::ElementsAttr attribute);

/// A dense attribute with the same content. It stays in memory as long as the context:
/// for small constants, and for tools that know no others.
mlir::DenseElementsAttr toDense(LazyElementsAttr attribute);

/// Prints `dense<…>`, or `dense_resource<__elided__>` past the usual flag, without the
/// type and without making a dense attribute.
void printAsDense(mlir::AsmPrinter &printer, LazyElementsAttr attribute);

} // namespace invar::elements

MLIR_DECLARE_EXPLICIT_TYPE_ID(invar::elements::LazyElementsAttr)

#endif // INVAR_ELEMENTS_IR_LAZYELEMENTSATTR_H
