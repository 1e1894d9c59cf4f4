// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks for operators' verifiers, as a chain that stops at the first broken constraint:
//
//   LogicalResult GatherOp::verify() {
//     return Check(*this).axis("(C1)", "axis", getAxis(), getData());
//   }
//
// Each step names the constraint of the record that it checks, and the error contains
// the label: `(C1) expected 'axis' to be in [-2, 2), but got 5`.
//
// Invariant: only known facts are checked. Inference finds types later, so a value may
// be left out, unknown, unranked or of dynamic size; each of these passes. If runtimes
// accept more than the standard promises (an empty list for one that is not given, a
// vector of one element for a scalar), the checks accept it too.
#ifndef INVAR_DIALECT_ONNX_VERIFY_H
#define INVAR_DIALECT_ONNX_VERIFY_H

#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Elements/DataType.h"
#include "llvm/ADT/Twine.h"

namespace invar::onnx {

/// Returns the rank of a tensor, empty if it is unknown.
std::optional<int64_t> rankOf(mlir::Value value);

/// Returns the size of an axis (counted from the end if negative) if it is static.
std::optional<int64_t> dimOf(mlir::Value value, int64_t axis);

/// Returns the element type of a tensor, null if it is unknown.
mlir::Type elementTypeOf(mlir::Value value);

/// Returns the number of entries of a list attribute, empty if it has none or is not
/// given.
template <typename T>
std::optional<int64_t> lengthOf(std::optional<llvm::ArrayRef<T>> list) {
  if (!list || list->empty())
    return std::nullopt;
  return int64_t(list->size());
}

/// Returns the number of elements of a tensor attribute, empty if it is not given.
inline std::optional<int64_t> lengthOf(mlir::ElementsAttr tensor) {
  return tensor ? std::optional<int64_t>(tensor.getNumElements())
                : std::nullopt;
}

/// Returns an entry of a list attribute, 0 if it is not given.
inline int64_t entryOf(std::optional<llvm::ArrayRef<int64_t>> list, size_t i) {
  return list && i < list->size() ? (*list)[i] : 0;
}

/// A window that moves over the spatial axes, as in Conv and the pools.
struct Window {
  using List = std::optional<llvm::ArrayRef<int64_t>>;
  List kernelShape, strides, dilations, pads;
  /// The number of spatial axes, if it is known from an operand.
  std::optional<int64_t> axes;
};

/// Returns the number of spatial axes of a tensor in the layout N x C x D1 x D2 …
std::optional<int64_t> spatialRank(mlir::Value value);

class Check {
public:
  using Label = llvm::StringLiteral;

  explicit Check(mlir::Operation *op) : op(op) {}
  operator mlir::LogicalResult() const { return result; }

  /// Any condition: `expected <expected>, but got <got>`.
  Check &that(Label label, bool holds, const llvm::Twine &expected,
              const llvm::Twine &got);

  //===-- Attributes --------------------------------------------------------------===//

  Check &oneOf(Label label, llvm::StringRef attribute, llvm::StringRef value,
               llvm::ArrayRef<llvm::StringRef> allowed);
  Check &oneOf(Label label, llvm::StringRef attribute, int64_t value,
               llvm::ArrayRef<int64_t> allowed);
  /// 0 or 1.
  Check &flag(Label label, llvm::StringRef attribute, int64_t value);
  Check &atLeast(Label label, llvm::StringRef attribute, int64_t value,
                 int64_t minimum);
  Check &eachAtLeast(Label label, llvm::StringRef attribute,
                     std::optional<llvm::ArrayRef<int64_t>> values,
                     int64_t minimum);
  /// In [-r, r) for a tensor of rank r. A scalar counts as a vector of one element.
  Check &axis(Label label, llvm::StringRef attribute, int64_t axis,
              mlir::Value of);
  /// In [-r, r) each, and none twice.
  Check &axes(Label label, llvm::StringRef attribute,
              std::optional<llvm::ArrayRef<int64_t>> axes, mlir::Value of);
  /// The number of an element type; it must be that of `of` if both are known.
  Check &dataType(Label label, llvm::StringRef attribute, int64_t number,
                  mlir::Value of = nullptr);
  /// The number of one of float, float16, double and bfloat16.
  Check &floatType(Label label, llvm::StringRef attribute, int64_t number);
  /// Exactly one of two alternatives must be given.
  Check &eitherOr(Label label, llvm::StringRef first, bool firstGiven,
                  llvm::StringRef second, bool secondGiven);
  Check &notBoth(Label label, llvm::StringRef first, bool firstGiven,
                 llvm::StringRef second, bool secondGiven);
  /// The length of a list; a list that is empty or not given passes.
  Check &length(Label label, llvm::StringRef what,
                std::optional<int64_t> length, std::optional<int64_t> expected);
  /// Sizes, strides and dilations are at least one; all lists have an entry (pads: two)
  /// for each spatial axis.
  Check &window(Label sizes, Label lengths, const Window &window);

  //===-- Types -------------------------------------------------------------------===//

  Check &rank(Label label, llvm::StringRef what, mlir::Value value,
              int64_t expected);
  Check &rankAtLeast(Label label, llvm::StringRef what, mlir::Value value,
                     int64_t minimum);
  Check &sameRank(Label label, llvm::StringRef what, mlir::Value value,
                  llvm::StringRef otherWhat, mlir::Value other);
  /// A vector, with this length if one is given; a scalar passes as a vector of one
  /// element.
  Check &vector(Label label, llvm::StringRef what, mlir::Value value,
                std::optional<int64_t> length = std::nullopt);
  Check &oneElement(Label label, llvm::StringRef what, mlir::Value value);
  Check &dim(Label label, llvm::StringRef what, mlir::Value value, int64_t axis,
             std::optional<int64_t> expected);
  Check &agrees(Label label, llvm::StringRef what, mlir::Type type,
                mlir::Type expected);
  /// The shapes must broadcast together.
  Check &broadcast(Label label, mlir::ValueRange values);
  /// Both must have an axis to multiply over, of the same size; the axes before must
  /// broadcast.
  Check &contraction(Label label, mlir::Value left, mlir::Value right);

  //===-- Graphs ------------------------------------------------------------------===//

  /// The graph must take `arguments` values and end in an onnx.Yield of `yields` values.
  Check &graph(Label label, llvm::StringRef name, mlir::Region &graph,
               size_t arguments, size_t yields);

private:
  mlir::Operation *op;
  mlir::LogicalResult result = mlir::success();
};

/// Checks (C1) to (C5) of Conv, ConvInteger and QLinearConv.
mlir::LogicalResult verifyConvolution(mlir::Operation *op, mlir::Value x,
                                      mlir::Value w, mlir::Value b,
                                      llvm::StringRef autoPad, int64_t group,
                                      Window window);

/// Values of `auto_pad`.
inline constexpr llvm::StringRef autoPads[] = {"NOTSET", "SAME_UPPER",
                                               "SAME_LOWER", "VALID"};

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_VERIFY_H
