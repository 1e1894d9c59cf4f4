// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers an operator to loops. The lowering of an operator is in F/FToLinalg.cpp of its
// family F. It creates linalg, tensor and arith operations on tensors, and calls of the
// runtime.
//
//   static LogicalResult lower(TransposeOp op, Lowering &to) {
//     Value data = to.get(op.getData());
//     …
//     return to.set(op.getTransposed(), made);
//   }
//   void invar::onnx::addTransposeLowerings(LoweringTable &table) {
//     table.add(+[](TransposeOp op, Lowering &to) { return lower(op, to); });
//   }
//
// Lowerings use the same definitions as inference and folding: shapes come from
// computeShape(), formulas from F/FFormulas.h. In order of preference, a lowering is
//
//   a formula            to.apply(formula::Relu())            elementwise, broadcast
//   a map of indices     to.generate(result, [&](places) {…}) each element by its position
//   linalg.generic       reductions, products, windows
//   other operators      Simplify's decompositions have run before, if enabled
//   a call               to.call("NonMaxSuppression", …)      if no loop nest expresses it
//
// Lowerings need not handle tensors of unknown rank, nor strings and complex numbers in
// operators that only move elements: Variants.h does.
//
// Sizes are values that inference has named. Two axes with one name have one size,
// which is emitted once and known to be the same. Facts that inference could not
// establish are checked at run time (to.check), so no loop accesses elements outside of
// a tensor.
//
// An operator that cannot be lowered is declined with a reason, which becomes the error
// of `invar compile`: `return to.decline("its rank is not known")`.
#ifndef INVAR_CONVERSION_ONNXTOLINALG_LOWERING_H
#define INVAR_CONVERSION_ONNXTOLINALG_LOWERING_H

#include "invar/Conversion/ONNXToLinalg/Number.h"
#include "invar/Dialect/ONNX/Elementwise.h"
#include "invar/Dialect/ONNX/RuntimeCall.h"
#include "invar/IndexExpr/ShapeHelper.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/ScopedHashTable.h"

namespace invar::onnx {

class GraphLowering;
using scalar::Number;

/// The state of lowering one operator.
class Lowering {
public:
  Lowering(mlir::Operation *op, GraphLowering &graph);
  ~Lowering();

  mlir::Operation *getOperation() const { return op; }
  mlir::ImplicitLocOpBuilder &getBuilder() { return builder; }
  GraphLowering &getGraph() { return graph; }

  //===-- Values ------------------------------------------------------------------===//

  /// The lowered form of an operand; null if the operand is omitted.
  mlir::Value get(mlir::Value operand) const;
  llvm::SmallVector<mlir::Value> getAll(mlir::ValueRange operands) const;
  /// The same for an operand that is a vector. Verifiers let a scalar pass as a vector
  /// of one element; it becomes one.
  mlir::Value getVector(mlir::Value operand);
  /// The content of an operand that is a constant.
  mlir::ElementsAttr getConstant(mlir::Value operand) const;
  /// The integers of an operand that is a constant list.
  std::optional<llvm::SmallVector<int64_t>> getInts(mlir::Value operand) const;
  /// Sets the lowered form of a result, cast to the type that inference found.
  llvm::LogicalResult set(mlir::Value result, mlir::Value made);

  /// Reports that the operator cannot be lowered. Only the first reason becomes an
  /// error.
  llvm::LogicalResult decline(const llvm::Twine &reason);
  /// Whether the operator was declined, by its lowering or by a helper.
  bool isDeclined() const { return declined; }

  //===-- Types and sizes ---------------------------------------------------------===//

  /// The lowered type of an operand or result; null if its rank is unknown.
  mlir::RankedTensorType getType(mlir::Value value) const;
  /// Whether the ranks of all tensors are known.
  bool hasRanks() const;
  /// Declines the operator otherwise.
  llvm::LogicalResult expectRanks();
  /// Whether loops can move the elements of all operands and results.
  bool canMoveAll() const;
  /// The sizes of an operand or result. Those of a result come from computeShape().
  llvm::FailureOr<llvm::SmallVector<mlir::OpFoldResult>>
  getSizes(mlir::Value value);
  /// Computes shapes from the lowered operands, for methods such as PadOp::getBorders.
  ShapeHelper &getShapeHelper();
  mlir::Value toValue(mlir::OpFoldResult size);
  mlir::Value makeIndex(int64_t number);
  /// Converts an index expression to a size or position. If it has no value, declines
  /// the operator and returns 0, so that lowerings need no check.
  mlir::OpFoldResult toSize(IndexExpr expression);

  /// Makes the program fail at run time if the condition does not hold.
  void check(mlir::Value condition, const llvm::Twine &message);
  /// The same if sizes are not equal.
  void checkEqual(mlir::OpFoldResult left, mlir::OpFoldResult right,
                  const llvm::Twine &message);

  /// How errors name elements that are positions, and where positions count from.
  struct IndexKind {
    llvm::StringRef what = "index";
    /// Whether negative numbers count from the end.
    bool fromBack = true;
  };
  /// Returns the same integers. The run fails if one is out of range. Elements belong
  /// to axes of these sizes in turn. With unchecked indices (GraphLowering) nothing is
  /// checked, so loops must keep positions within the tensor anyway.
  mlir::Value checkIndices(mlir::Value indices,
                           llvm::ArrayRef<mlir::OpFoldResult> sizes,
                           IndexKind kind);
  mlir::Value checkIndices(mlir::Value indices,
                           llvm::ArrayRef<mlir::OpFoldResult> sizes) {
    return checkIndices(indices, sizes, IndexKind());
  }
  /// The same for lengths, which range from 0 to `most`.
  mlir::Value checkLengths(mlir::Value lengths, mlir::OpFoldResult most);

  //===-- Tensors -----------------------------------------------------------------===//

  /// A tensor without content. Declines the operator if the tensor would not fit into
  /// memory.
  mlir::Value makeEmpty(llvm::ArrayRef<mlir::OpFoldResult> sizes,
                        mlir::Type elementType);
  /// A tensor whose elements are all `element`.
  mlir::Value makeFilled(llvm::ArrayRef<mlir::OpFoldResult> sizes,
                         mlir::Value element);
  mlir::Value makeConstant(mlir::ElementsAttr content);

  /// Builds one element of a result from its positions along the axes.
  using ElementOf = llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &,
                                                   mlir::ValueRange places)>;
  /// A tensor whose elements are computed from their positions.
  mlir::Value generate(llvm::ArrayRef<mlir::OpFoldResult> sizes,
                       mlir::Type elementType, ElementOf element);
  /// The element of a tensor at these positions, which must be inside of it.
  mlir::Value extract(mlir::Value tensor, mlir::ValueRange places);

  /// Computes an element from one element of each operand.
  using Combine = llvm::function_ref<mlir::Value(
      mlir::ImplicitLocOpBuilder &, llvm::ArrayRef<mlir::Value> elements)>;
  /// Combines ONNX or lowered tensors element by element, broadcast to `sizes`.
  llvm::FailureOr<mlir::Value> combine(mlir::ValueRange tensors,
                                       llvm::ArrayRef<mlir::OpFoldResult> sizes,
                                       mlir::Type elementType, Combine combine);
  /// The sizes that lowered tensors broadcast to, checked at run time.
  llvm::FailureOr<llvm::SmallVector<mlir::OpFoldResult>>
  broadcast(mlir::ValueRange tensors);
  /// Prepares a tensor as an operand of loops over `sizes` that it broadcasts to: the
  /// tensor itself or a repetition of it, and the map by which the loops read it.
  llvm::FailureOr<std::pair<mlir::Value, mlir::AffineMap>>
  readTo(mlir::Value tensor, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  /// Repeats a tensor along axes of size 1 to fill `sizes`.
  llvm::FailureOr<mlir::Value>
  expandTo(mlir::Value tensor, llvm::ArrayRef<mlir::OpFoldResult> sizes);

  /// A list of int64, such as sizes that a call needs.
  mlir::Value makeList(llvm::ArrayRef<mlir::OpFoldResult> numbers);
  /// The same elements in another shape.
  mlir::Value reshape(mlir::Value tensor,
                      llvm::ArrayRef<mlir::OpFoldResult> sizes);
  mlir::Value transpose(mlir::Value tensor,
                        llvm::ArrayRef<int64_t> permutation);
  /// Converts elements as the operator Cast does.
  llvm::FailureOr<mlir::Value> cast(mlir::Value tensor, mlir::Type elementType);
  llvm::SmallVector<mlir::OpFoldResult> sizesOf(mlir::Value tensor);

  //===-- Formulas ----------------------------------------------------------------===//

  /// Applies a formula to all operands, for the operator's only result.
  template <typename F> llvm::LogicalResult apply(F formula);
  /// Applies a formula to lowered tensors, which broadcast. Declines the operator and
  /// fails if the formula is not defined on their type.
  template <typename F>
  llvm::FailureOr<mlir::Value> apply(F formula, mlir::ValueRange tensors);

  //===-- Calls -------------------------------------------------------------------===//

  /// Calls a function of the runtime with operands, null for omitted ones, and results
  /// of these types.
  llvm::SmallVector<mlir::Value>
  call(llvm::StringRef name, mlir::ValueRange operands,
       mlir::TypeRange resultTypes,
       llvm::ArrayRef<mlir::NamedAttribute> arguments = {},
       bool isImpure = false);
  /// Calls a function for the results of the operator, as it was described. Declines the
  /// operator if a number of the call has no value.
  llvm::LogicalResult call(const RuntimeCall &call, bool isImpure = false);
  /// The same for a call that needs no description (describePlainCall).
  llvm::LogicalResult callPlain(bool isImpure = false) {
    return call(describePlainCall(op), isImpure);
  }
  /// Calls a function with all results of the operator, but other operands and
  /// arguments.
  llvm::LogicalResult
  callForResults(llvm::StringRef name, mlir::ValueRange operands,
                 llvm::SmallVector<mlir::NamedAttribute> arguments = {},
                 bool isImpure = false);
  mlir::NamedAttribute named(llvm::StringRef name, mlir::Attribute value);

  /// Broadcasts tensors, whose rank may be unknown, and flattens them: returns lists of
  /// one length, and the list of the sizes that they broadcast to.
  std::pair<llvm::SmallVector<mlir::Value>, mlir::Value>
  broadcastToLists(mlir::ValueRange tensors);
  /// A list in the shape that a list of sizes gives.
  mlir::Value unflatten(mlir::Value list, mlir::Value sizes);

private:
  mlir::Operation *op;
  GraphLowering &graph;
  mlir::ImplicitLocOpBuilder builder;
  struct Shapes;
  std::unique_ptr<Shapes> shapes;
  bool declined = false;
};

//===-- Elements and numbers --------------------------------------------------===//

/// Converts an element of a tensor to a number for computations: float16 and bfloat16
/// become float32, and unsigned integers stay unsigned.
Number toNumber(mlir::OpBuilder &builder, mlir::Location loc,
                mlir::Value element);
/// Converts a number to an element of a tensor.
mlir::Value toElement(const Number &number, mlir::Type elementType);

/// Whether loops compute with elements of a type: integers, and floats of 16 bits and more.
bool canCompute(mlir::Type elementType);
/// Whether loops can move elements of a type. The runtime handles strings and complex
/// numbers.
bool canMove(mlir::Type elementType);

//===-- The table -------------------------------------------------------------===//

class LoweringTable {
public:
  using Lower =
      std::function<llvm::LogicalResult(mlir::Operation *, Lowering &)>;

  /// Adds a lowering for an operator by its class. It is called only if the ranks of all
  /// tensors are known; Variants.h handles the others.
  template <typename Op>
  void add(llvm::LogicalResult (*lower)(Op, Lowering &)) {
    addAnyRank<Op>(lower);
    forEachRank(Op::getOperationName());
  }
  /// The same for a lowering that handles unknown ranks itself.
  template <typename Op>
  void addAnyRank(llvm::LogicalResult (*lower)(Op, Lowering &)) {
    lowerings[Op::getOperationName()] = [lower](mlir::Operation *op,
                                                Lowering &to) {
      return lower(llvm::cast<Op>(op), to);
    };
  }
  /// Adds a formula without parameters for an operator.
  template <typename Op, typename F> void add(F formula) {
    lowerings[Op::getOperationName()] = [formula](mlir::Operation *,
                                                  Lowering &to) {
      return to.apply(formula);
    };
  }
  /// Adds a lowering of an operator that only moves elements, for numbers that loops
  /// move. Variants.h handles strings and complex numbers, and unknown ranks unless
  /// `unranked` does.
  template <typename Op>
  void addMovement(llvm::LogicalResult (*lower)(Op, Lowering &),
                   llvm::LogicalResult (*unranked)(Lowering &) = nullptr) {
    addAnyRank<Op>(lower);
    byPositions(Op::getOperationName());
    forEachRank(Op::getOperationName(), unranked);
  }
  /// For operators that a function of the runtime computes: the call that they describe,
  /// or the plain one.
  template <typename Op> void addCall(bool isImpure = false) {
    constexpr bool needsShapes =
        requires(Op op, ShapeHelper &shape) { op.describeCall(shape); };
    lowerings[Op::getOperationName()] = [isImpure](mlir::Operation *op,
                                                   Lowering &to) {
      auto own = llvm::cast<Op>(op);
      if constexpr (needsShapes) {
        auto call = own.describeCall(to.getShapeHelper());
        return mlir::succeeded(call) ? to.call(*call, isImpure)
                                     : mlir::failure();
      } else if constexpr (requires { own.describeCall(); }) {
        return to.call(own.describeCall(), isImpure);
      } else {
        return to.callPlain(isImpure);
      }
    };
    if constexpr (needsShapes)
      forEachRank(Op::getOperationName());
  }
  /// Null if there is none.
  const Lower *find(mlir::OperationName name) const {
    auto found = lowerings.find(name.getStringRef());
    return found == lowerings.end() ? nullptr : &found->second;
  }

private:
  void forEachRank(llvm::StringRef name,
                   llvm::LogicalResult (*unranked)(Lowering &) = nullptr);
  void byPositions(llvm::StringRef name);

  llvm::StringMap<Lower> lowerings;
};

//===-- Implementation --------------------------------------------------------===//

template <typename F>
llvm::FailureOr<mlir::Value> Lowering::apply(F formula,
                                             mlir::ValueRange tensors) {
  auto type = llvm::cast<mlir::TensorType>(tensors.front().getType());
  mlir::Type element = type.getElementType();
  unsigned domain = element.isInteger(1)                  ? OnBools
                    : llvm::isa<mlir::FloatType>(element) ? OnFloats
                                                          : OnInts;
  if (!(F::domain & domain) || (!llvm::isa<mlir::FloatType>(element) &&
                                !llvm::isa<mlir::IntegerType>(element))) {
    (void)decline("it is not defined on elements of this type");
    return mlir::failure();
  }
  if (!llvm::all_of(tensors.getTypes(),
                    llvm::IsaPred<mlir::RankedTensorType>)) {
    auto [lists, sizes] = broadcastToLists(tensors);
    auto made = apply(formula, lists);
    return mlir::succeeded(made) ? unflatten(*made, sizes) : made;
  }
  auto sizes = broadcast(tensors);
  if (mlir::failed(sizes))
    return mlir::failure();
  constexpr size_t arity = detail::arityOf<F, Number>();
  auto compute = [&]<size_t... I>(llvm::ArrayRef<Number> numbers,
                                  std::index_sequence<I...>) {
    return formula(numbers[I]...);
  };
  using All = std::make_index_sequence<arity>;
  constexpr bool isRelation =
      std::is_same_v<decltype(compute(llvm::ArrayRef<Number>(), All())),
                     scalar::Truth>;
  mlir::Type made = isRelation ? builder.getI1Type() : element;
  return combine(
      tensors, *sizes, made,
      [&](mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<mlir::Value> elements) {
        llvm::SmallVector<Number, 3> numbers;
        for (mlir::Value element : elements)
          numbers.push_back(toNumber(b, b.getLoc(), element));
        return toElement(Number(compute(numbers, All())), made);
      });
}

template <typename F> llvm::LogicalResult Lowering::apply(F formula) {
  auto made = apply(std::move(formula), getAll(op->getOperands()));
  return mlir::succeeded(made) ? set(op->getResult(0), *made) : mlir::failure();
}

} // namespace invar::onnx

#endif // INVAR_CONVERSION_ONNXTOLINALG_LOWERING_H
