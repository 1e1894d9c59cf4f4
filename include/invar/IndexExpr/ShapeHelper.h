// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the shapes of an operator's results, with one function for all uses.
//
// In one function, an operator defines how the shapes of its results follow from its
// operands, with index expressions:
//
//   LogicalResult TransposeOp::computeShape(ShapeHelper &shape) {
//     auto in = shape.operandsOf(*this);
//     if (!shape.hasShape(in.getData()))
//       return success();                        // not known yet
//     DimsExpr dims;
//     for (int64_t axis : getPermutation(…))
//       dims.push_back(shape.getDim(in.getData(), axis));
//     shape.setOutputDims(std::move(dims));
//     return success();
//   }
//
// The builder determines the kind of the expressions. Inference uses a builder that
// knows names, and writes the dims into types. Lowering uses a builder that emits code,
// and passes converted operands; the dims become the sizes of the tensors that it
// allocates:
//
//   IndexExprScope scope(context, rewriter, loc);
//   IndexExprBuilderForLinalg builder(scope);
//   ShapeHelper shape(op, adaptor.getOperands(), builder);
//   if (failed(shape.computeShape())) …
//   tensor::EmptyOp::create(rewriter, loc, shape.getOutputSizes(), elementType);
//
// Further results that a lowering needs (pads as numbers, axes counted from the front)
// are methods of the operator that take the helper and return a struct. computeShape()
// uses them too.
#ifndef INVAR_INDEXEXPR_SHAPEHELPER_H
#define INVAR_INDEXEXPR_SHAPEHELPER_H

#include "invar/IndexExpr/Builder.h"
#include "mlir/IR/Operation.h"

namespace invar {

class ShapeHelper {
public:
  /// For the operands of `op`, or for values that replace them.
  ShapeHelper(mlir::Operation *op, mlir::ValueRange operands,
              IndexExprBuilder &builder);
  ShapeHelper(mlir::Operation *op, IndexExprBuilder &builder)
      : ShapeHelper(op, op->getOperands(), builder) {}

  /// Calls the operator, which must implement ShapeOpInterface. Emits an error and
  /// fails, also if a result would have an impossible size: a negative one, one beyond
  /// 64 bits, or more elements than can be counted.
  llvm::LogicalResult computeShape();

  //===-- Results -----------------------------------------------------------------===//

  /// False if the shape is unknown.
  bool hasOutputDims(unsigned result = 0) const {
    return results[result].dims.has_value();
  }
  const DimsExpr &getOutputDims(unsigned result = 0) const {
    return *results[result].dims;
  }
  /// The same, for builders of operations.
  llvm::SmallVector<mlir::OpFoldResult> getOutputSizes(unsigned result = 0);
  /// Null if not set: then it is that of an operand or of the existing type.
  mlir::Type getElementType(unsigned result) const {
    return results[result].elementType;
  }

  //===-- For operators -----------------------------------------------------------===//

  mlir::Operation *getOperation() const { return op; }
  IndexExprBuilder &getBuilder() { return builder; }
  IndexExprScope &getScope() { return builder.getScope(); }
  mlir::ValueRange getOperands() const { return operands; }
  /// The operands by their names in the operator's record.
  template <typename Op> typename Op::Adaptor operandsOf(Op op) {
    return typename Op::Adaptor(operands, op);
  }

  void setOutputDims(DimsExpr dims, unsigned result = 0) {
    results[result].dims = std::move(dims);
  }
  void setElementType(mlir::Type type, unsigned result = 0) {
    results[result].elementType = type;
  }
  /// For operators with optional results: sets the dims of `result`, unless it is null.
  void setDimsOf(mlir::Value result, DimsExpr dims);
  void setElementTypeOf(mlir::Value result, mlir::Type type);

  bool hasShape(mlir::Value value) { return builder.hasShape(value); }
  std::optional<int64_t> getRank(mlir::Value value) {
    return builder.getRank(value);
  }
  /// The size of an axis. A negative axis counts from the back.
  IndexExpr getDim(mlir::Value value, int64_t axis);
  DimsExpr getDims(mlir::Value value) { return builder.getShapeAsDims(value); }
  /// A size that depends on data.
  IndexExpr getQuestionmark() { return builder.getQuestionmark(); }
  DimsExpr getQuestionmarks(int64_t rank);

  /// The shape that all shapes broadcast to. Emits an error and fails if they do not.
  llvm::FailureOr<DimsExpr> broadcast(llvm::ArrayRef<DimsExpr> shapes);
  /// The same for values; none if a rank is unknown.
  llvm::FailureOr<std::optional<DimsExpr>> broadcast(mlir::ValueRange values);
  /// States that two sizes are equal, as the operator requires. If they are not, emits
  /// an error that names `what` and both sizes.
  llvm::LogicalResult expectEqual(IndexExpr left, IndexExpr right,
                                  const llvm::Twine &what);

private:
  struct Result {
    std::optional<DimsExpr> dims;
    mlir::Type elementType;
  };

  mlir::Operation *op;
  mlir::ValueRange operands;
  IndexExprBuilder &builder;
  llvm::SmallVector<Result, 1> results;
};

/// The size that two sizes broadcast to; undefined if they do not.
IndexExpr broadcastSizes(IndexExpr left, IndexExpr right);

/// The axis counted from the front; none if it is not one of `rank` axes.
std::optional<int64_t> normalizeAxis(int64_t axis, int64_t rank);

} // namespace invar

#include "invar/IndexExpr/ShapeInterfaces.h.inc"

#endif // INVAR_INDEXEXPR_SHAPEHELPER_H
