// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an operator becomes loops. Each says it in its family's F/FToLinalg.cpp, in terms of
// what stands below ONNX: linalg, tensor and arith on tensors, and calls of the runtime.
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
// The same facts serve as for inference and folding: shapes come from computeShape(),
// formulas from F/FFormulas.h. In order of preference a lowering is
//
//   a formula            to.apply(formula::Relu())            elementwise, broadcast
//   a map of indices     to.generate(result, [&](places) {…}) each element by its place
//   linalg.generic       reductions, products, windows
//   other operators      Simplify's decompositions have run before, where asked for
//   a call               to.call("NonMaxSuppression", …)      what no loop expresses
//
// Sizes are values that inference gave names: two axes of one name have one size, which is
// emitted once and known to be the same. What inference could not know is checked when the
// program runs (to.check), so that no loop ever leaves a tensor.
//
// What cannot be lowered is declined with a reason, which becomes the error of `invar
// compile`: `return to.decline("its rank is not known")`.
#ifndef INVAR_CONVERSION_ONNXTOLINALG_LOWERING_H
#define INVAR_CONVERSION_ONNXTOLINALG_LOWERING_H

#include "invar/Conversion/ONNXToLinalg/Number.h"
#include "invar/Dialect/ONNX/Elementwise.h"
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

/// One operator on its way down.
class Lowering {
public:
  Lowering(mlir::Operation *op, GraphLowering &graph);
  ~Lowering();

  mlir::Operation *getOperation() const { return op; }
  mlir::ImplicitLocOpBuilder &getBuilder() { return builder; }
  GraphLowering &getGraph() { return graph; }

  //===-- Values ------------------------------------------------------------------===//

  /// What an operand has become; null where it is left out.
  mlir::Value get(mlir::Value operand) const;
  llvm::SmallVector<mlir::Value> getAll(mlir::ValueRange operands) const;
  /// The content of an operand that is a constant.
  mlir::ElementsAttr getConstant(mlir::Value operand) const;
  /// Integers of an operand that is a constant list.
  std::optional<llvm::SmallVector<int64_t>> getInts(mlir::Value operand) const;
  /// Says what a result has become; its type is refined to what inference knows.
  llvm::LogicalResult set(mlir::Value result, mlir::Value made);

  /// The operator cannot be lowered: the error of its first reason.
  llvm::LogicalResult decline(const llvm::Twine &reason);
  /// Whether it was declined, by the lowering or by what it asked for.
  bool isDeclined() const { return declined; }

  //===-- Types and sizes ---------------------------------------------------------===//

  /// What the type of an operand or result becomes; its rank is known, or null.
  mlir::RankedTensorType getType(mlir::Value value) const;
  /// Declines unless the ranks of all tensors are known.
  llvm::LogicalResult expectRanks();
  /// Whether loops can move the elements of all operands and results.
  bool canMoveAll() const;
  /// The sizes of an operand or result. Those of a result come from computeShape().
  llvm::FailureOr<llvm::SmallVector<mlir::OpFoldResult>>
  getSizes(mlir::Value value);
  /// For methods such as PadOp::getBorders, over what the operands have become.
  ShapeHelper &getShapeHelper();
  mlir::Value toValue(mlir::OpFoldResult size);
  mlir::Value makeIndex(int64_t number);
  /// An index expression as a size or place. Declines one that has no value, so that no
  /// lowering need ask, and gives 0.
  mlir::OpFoldResult toSize(IndexExpr expression);

  /// Fails when the program runs and the condition does not hold.
  void check(mlir::Value condition, const llvm::Twine &message);
  /// The same where sizes are not equal.
  void checkEqual(mlir::OpFoldResult left, mlir::OpFoldResult right,
                  const llvm::Twine &message);

  /// What elements that name places are called in errors, and where they count from.
  struct IndexKind {
    llvm::StringRef what = "index";
    /// Whether negative ones count from the end.
    bool fromBack = true;
  };
  /// The same integers; the run fails where one is no place of its axis. Elements belong to
  /// axes of these sizes in turn. With unchecked indices (GraphLowering) nothing is looked
  /// at, so loops keep places within the tensor all the same.
  mlir::Value checkIndices(mlir::Value indices,
                           llvm::ArrayRef<mlir::OpFoldResult> sizes,
                           IndexKind kind);
  mlir::Value checkIndices(mlir::Value indices,
                           llvm::ArrayRef<mlir::OpFoldResult> sizes) {
    return checkIndices(indices, sizes, IndexKind());
  }
  /// The same of lengths: from 0 to `most`.
  mlir::Value checkLengths(mlir::Value lengths, mlir::OpFoldResult most);

  //===-- Tensors -----------------------------------------------------------------===//

  /// A tensor without content. Declines sizes that no tensor has.
  mlir::Value makeEmpty(llvm::ArrayRef<mlir::OpFoldResult> sizes,
                        mlir::Type elementType);
  /// A tensor of one element everywhere.
  mlir::Value makeFilled(llvm::ArrayRef<mlir::OpFoldResult> sizes,
                         mlir::Value element);
  mlir::Value makeConstant(mlir::ElementsAttr content);

  /// Builds one element of a result from the places along each axis.
  using ElementOf = llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &,
                                                   mlir::ValueRange places)>;
  /// A tensor whose elements are computed from their places.
  mlir::Value generate(llvm::ArrayRef<mlir::OpFoldResult> sizes,
                       mlir::Type elementType, ElementOf element);
  /// The element of a tensor at these places, which are inside.
  mlir::Value extract(mlir::Value tensor, mlir::ValueRange places);

  /// Computes an element from one of each operand.
  using Combine = llvm::function_ref<mlir::Value(
      mlir::ImplicitLocOpBuilder &, llvm::ArrayRef<mlir::Value> elements)>;
  /// Elementwise over tensors of ONNX or below, broadcast to `sizes`.
  llvm::FailureOr<mlir::Value> combine(mlir::ValueRange tensors,
                                       llvm::ArrayRef<mlir::OpFoldResult> sizes,
                                       mlir::Type elementType, Combine combine);
  /// The sizes that tensors below ONNX broadcast to, checked when the program runs.
  llvm::FailureOr<llvm::SmallVector<mlir::OpFoldResult>>
  broadcast(mlir::ValueRange tensors);
  /// A tensor as an operand of loops over `sizes` that it broadcasts to: itself, or what
  /// repeats it, and where the loops read it.
  llvm::FailureOr<std::pair<mlir::Value, mlir::AffineMap>>
  readTo(mlir::Value tensor, llvm::ArrayRef<mlir::OpFoldResult> sizes);
  /// A tensor repeated along axes where its size is 1, to fill `sizes`.
  llvm::FailureOr<mlir::Value>
  expandTo(mlir::Value tensor, llvm::ArrayRef<mlir::OpFoldResult> sizes);

  /// The same elements in another shape.
  mlir::Value reshape(mlir::Value tensor,
                      llvm::ArrayRef<mlir::OpFoldResult> sizes);
  mlir::Value transpose(mlir::Value tensor,
                        llvm::ArrayRef<int64_t> permutation);
  /// Elements converted as Cast does it.
  llvm::FailureOr<mlir::Value> cast(mlir::Value tensor, mlir::Type elementType);
  llvm::SmallVector<mlir::OpFoldResult> sizesOf(mlir::Value tensor);

  //===-- Formulas ----------------------------------------------------------------===//

  /// The formula of all operands, as the operator's only result.
  template <typename F> llvm::LogicalResult apply(F formula);
  /// The formula of tensors below ONNX, broadcast; null where it is not defined on them.
  template <typename F>
  llvm::FailureOr<mlir::Value> apply(F formula, mlir::ValueRange tensors);

  //===-- Calls -------------------------------------------------------------------===//

  /// Calls a function of the runtime with operands (null where left out), for results of
  /// these types.
  llvm::SmallVector<mlir::Value>
  call(llvm::StringRef name, mlir::ValueRange operands,
       mlir::TypeRange resultTypes,
       llvm::ArrayRef<mlir::NamedAttribute> arguments = {},
       bool isImpure = false);
  /// The same for all operands and results of the operator, with its attributes as
  /// arguments: what is not given is not there.
  llvm::LogicalResult call(llvm::StringRef name, bool isImpure = false);
  mlir::NamedAttribute named(llvm::StringRef name, mlir::Attribute value);

private:
  /// What `compute` makes of tensors that broadcast, and whose ranks are not known: it gets
  /// them as lists of one length, and its result is seen in the shape of all.
  llvm::FailureOr<mlir::Value>
  inList(mlir::ValueRange tensors,
         llvm::function_ref<llvm::FailureOr<mlir::Value>(mlir::ValueRange)>
             compute);

  mlir::Operation *op;
  GraphLowering &graph;
  mlir::ImplicitLocOpBuilder builder;
  struct Shapes;
  std::unique_ptr<Shapes> shapes;
  bool declined = false;
};

//===-- Elements and numbers --------------------------------------------------===//

/// An element as it is in a tensor, as a number to compute with: float16 and bfloat16 as
/// float32, unsigned integers as such.
Number toNumber(mlir::OpBuilder &builder, mlir::Location loc,
                mlir::Value element);
/// A number as an element of a tensor.
mlir::Value toElement(const Number &number, mlir::Type elementType);

/// Whether loops compute with elements of a type: integers, and floats of 16 bits and more.
bool canCompute(mlir::Type elementType);
/// Whether loops can move them at least. Strings and complex numbers are the runtime's.
bool canMove(mlir::Type elementType);

//===-- The table -------------------------------------------------------------===//

class LoweringTable {
public:
  using Lower =
      std::function<llvm::LogicalResult(mlir::Operation *, Lowering &)>;

  /// For an operator by its class.
  template <typename Op>
  void add(llvm::LogicalResult (*lower)(Op, Lowering &)) {
    lowerings[Op::getOperationName()] = [lower](mlir::Operation *op,
                                                Lowering &to) {
      return lower(llvm::cast<Op>(op), to);
    };
  }
  /// For an operator that is one formula without parameters.
  template <typename Op, typename F> void add(F formula) {
    lowerings[Op::getOperationName()] = [formula](mlir::Operation *,
                                                  Lowering &to) {
      return to.apply(formula);
    };
  }
  /// For an operator that also takes elements that loops cannot move: of those the
  /// runtime's function of its name takes care.
  template <typename Op>
  void addOrCall(llvm::LogicalResult (*lower)(Op, Lowering &)) {
    add<Op>(lower);
    orCall(Op::getOperationName());
  }
  template <typename Op, typename F> void addOrCall(F formula) {
    add<Op>(std::move(formula));
    orCall(Op::getOperationName());
  }
  /// For an operator that is the runtime's function of its name.
  template <typename Op> void addCall(bool isImpure = false) {
    lowerings[Op::getOperationName()] = [isImpure](mlir::Operation *op,
                                                   Lowering &to) {
      return to.call(getOwnName(op), isImpure);
    };
  }
  /// Null where there is none.
  const Lower *find(mlir::OperationName name) const {
    auto found = lowerings.find(name.getStringRef());
    return found == lowerings.end() ? nullptr : &found->second;
  }

private:
  /// Without that of the domain, e.g. "Scaler" of onnx.ml.Scaler.
  static llvm::StringRef getOwnName(mlir::Operation *op) {
    return op->getName().getStringRef().rsplit('.').second;
  }
  void orCall(llvm::StringRef name) {
    Lower &entry = lowerings[name];
    entry = [inLoops = std::move(entry)](mlir::Operation *op, Lowering &to) {
      return to.canMoveAll() ? inLoops(op, to) : to.call(getOwnName(op));
    };
  }

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
  if (!llvm::all_of(tensors.getTypes(), llvm::IsaPred<mlir::RankedTensorType>))
    return inList(
        tensors, [&](mlir::ValueRange lists) { return apply(formula, lists); });
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
