// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the results of an operator whose operands are constants. Each operator
// implements this once, in its family's F/FFold.cpp. All users of values call it:
// constant propagation, MLIR's own folders, the evaluation of loops.
//
//   FoldResult TransposeOp::computeValues(Folding &fold) {
//     const Elements &data = fold.get(getData());
//     return fold.getBuilder().transpose(data, getPermutation(data.getRank()));
//   }
//
// It is called when all operands are constants and the types of the results have been
// inferred from them. So it need not compute shapes, axes, pads and the like again:
//
//   fold.getShape()             the result's shape
//   fold.getShapeHelper()       for methods such as PadOp::getBorders
//
// Results should cost nothing until they are read. In order of preference:
//
//   views and concatenations    fold.getBuilder().slice(…), .concat(…)
//   formulas                    fold.apply(formula, operands), see Elementwise.h
//   kernels that run later      fold.compute<double>(shape, [=](auto out) { … })
//   kernels that run now        fold.make<int64_t>(shape, numbers), for small results and
//                               for results whose shape depends on the data
//
// An operator that cannot be computed is left to run time: `return notFolded("its axis
// is 7, …")`. Operands are the content of a hostile file: check an index before using
// it, and a size before allocating it. Nothing may trap or assert on them.
//
// Numerics: a result has the result's type and is rounded once from the operator's
// exact operands. Kernels compute in double (or wider integers) and round at the end.
#ifndef INVAR_DIALECT_ONNX_FOLDING_H
#define INVAR_DIALECT_ONNX_FOLDING_H

#include "invar/Dialect/ONNX/FoldValue.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Elements/ElementsBuilder.h"

namespace invar::onnx {

/// How constants are rounded in a chain of several operators.
enum class Numerics : uint8_t {
  /// Each operator rounds its result, as it would at run time.
  Exact,
  /// Floats stay doubles through a chain of operators and round at its end.
  Wide,
};

struct FoldOptions {
  Numerics numerics = Numerics::Exact;
  /// Do not fold operators that engines round differently: sums, products of matrices,
  /// transcendental functions.
  bool exactOnly = false;
  EvalOptions evaluation;
  /// The maximum number of elements that a kernel may read or write. Larger operators
  /// are left to run time.
  int64_t maxElements = int64_t(1) << 29;
};

/// Returns the reason why an operator is left to run time: lower case, no period.
llvm::Error notFolded(const llvm::Twine &reason);

/// Fails if there are more elements than a kernel may read or write.
llvm::Error checkWork(llvm::ArrayRef<int64_t> shape,
                      const FoldOptions &options);

/// The data type whose lanes have the C++ type T.
template <typename T> inline constexpr DataType dataTypeOf = DataType::Float32;
template <> inline constexpr DataType dataTypeOf<double> = DataType::Float64;
template <> inline constexpr DataType dataTypeOf<bool> = DataType::Bool;
template <> inline constexpr DataType dataTypeOf<int8_t> = DataType::Int8;
template <> inline constexpr DataType dataTypeOf<uint8_t> = DataType::UInt8;
template <> inline constexpr DataType dataTypeOf<int16_t> = DataType::Int16;
template <> inline constexpr DataType dataTypeOf<uint16_t> = DataType::UInt16;
template <> inline constexpr DataType dataTypeOf<int32_t> = DataType::Int32;
template <> inline constexpr DataType dataTypeOf<uint32_t> = DataType::UInt32;
template <> inline constexpr DataType dataTypeOf<int64_t> = DataType::Int64;
template <> inline constexpr DataType dataTypeOf<uint64_t> = DataType::UInt64;
template <>
inline constexpr DataType dataTypeOf<std::complex<float>> = DataType::Complex64;
template <>
inline constexpr DataType dataTypeOf<std::complex<double>> =
    DataType::Complex128;

/// The operands of one operator, and functions to create its results.
class Folding {
public:
  /// Returns the constant value of an operand.
  using Lookup = llvm::function_ref<const FoldValue &(mlir::Value)>;

  Folding(mlir::Operation *op, IndexExprBuilder &shapes,
          const FoldOptions &options, Lookup lookup)
      : op(op), shapes(shapes), options(options), builder(options.evaluation),
        lookup(lookup) {}

  mlir::Operation *getOperation() const { return op; }
  const FoldOptions &getOptions() const { return options; }
  const ElementsBuilder &getBuilder() const { return builder; }

  //===-- Operands ----------------------------------------------------------------===//

  const FoldValue &getValue(mlir::Value operand) const {
    return lookup(operand);
  }
  /// Returns the value of an operand that is a tensor.
  const Elements &get(mlir::Value operand) const {
    return lookup(operand).getTensor();
  }
  /// The same if the operand may be left out.
  std::optional<Elements> getOptional(mlir::Value operand) const;
  llvm::SmallVector<Elements> getAll(mlir::ValueRange operands) const;

  /// Returns all elements as numbers of type T, converted as Cast does it.
  template <typename T>
  llvm::Expected<ElementsArray<T>> read(const Elements &tensor) const;
  template <typename T>
  llvm::Expected<ElementsArray<T>> read(mlir::Value operand) const {
    return read<T>(get(operand));
  }
  /// Returns the element of a scalar, or `otherwise` if the operand is left out.
  template <typename T>
  llvm::Expected<T> readScalar(mlir::Value operand, T otherwise = T()) const;

  //===-- Results -----------------------------------------------------------------===//

  /// The element type of a result.
  DataType getType(unsigned result = 0) const;
  /// The inferred shape of a result; fails if it depends on data.
  llvm::Expected<Shape> getShape(unsigned result = 0) const;
  /// For the operator's own methods that compute pads, axes and the like.
  ShapeHelper getShapeHelper() const { return ShapeHelper(op, shapes); }

  /// Returns a tensor of `shape` that `kernel` computes when it is first read. The
  /// kernel gets memory for all elements as numbers of type T; these are then converted
  /// to the type of `result` as Cast does it. It may capture Elements, but nothing that
  /// is destroyed with *this. It may take the evaluation options as a second parameter,
  /// and must read captured Elements with them:
  ///
  ///   [x](MutableArrayRef<T> out, const EvalOptions &options) { … }
  template <typename T, typename Kernel>
  llvm::Expected<Elements> compute(llvm::ArrayRef<int64_t> shape, Kernel kernel,
                                   unsigned result = 0) const;
  /// The same for a kernel that writes lanes of `type`.
  llvm::Expected<Elements> computeLater(DataType type,
                                        llvm::ArrayRef<int64_t> shape,
                                        ComputeKernel kernel,
                                        unsigned result = 0) const;
  /// Returns a tensor of `shape` with these elements, converted to the type of `result`.
  template <typename T>
  llvm::Expected<Elements> make(llvm::ArrayRef<int64_t> shape,
                                llvm::ArrayRef<T> elements,
                                unsigned result = 0) const;

  /// Applies a formula to each element, or to elements that broadcasting aligns.
  /// Defined in Elementwise.h.
  template <typename Formula>
  llvm::Expected<Elements> apply(Formula formula,
                                 llvm::ArrayRef<Elements> operands) const;

  /// The same for all operands of the operator.
  template <typename Formula>
  llvm::Expected<Elements> apply(Formula formula) const;

  /// Whether a result so far was computed in double and rounded. Other engines may
  /// round differently.
  bool mayRound() const { return rounds || builder.hasComputedDoubles(); }
  void noteRounding() const { rounds = true; }

  /// Returns the key of a result of the operator in recipes: a hash of its name and
  /// attributes, without attributes that cannot affect the value, such as names.
  Hash128 getKey(unsigned result = 0) const;

  /// Fails if there are more elements than a kernel may read or write.
  llvm::Error checkWork(llvm::ArrayRef<int64_t> shape) const {
    return onnx::checkWork(shape, options);
  }

private:
  mlir::Operation *op;
  IndexExprBuilder &shapes;
  const FoldOptions &options;
  ElementsBuilder builder;
  Lookup lookup;
  mutable bool rounds = false;
};

template <typename T>
llvm::Expected<ElementsArray<T>> Folding::read(const Elements &tensor) const {
  if (llvm::Error error = checkWork(tensor.getShape()))
    return error;
  if (hasLane<T>(tensor.getType()))
    return tensor.getArray<T>(options.evaluation);
  llvm::Expected<Elements> converted = builder.cast(tensor, dataTypeOf<T>);
  if (!converted)
    return converted.takeError();
  return converted->template getArray<T>(options.evaluation);
}

template <typename T>
llvm::Expected<T> Folding::readScalar(mlir::Value operand, T otherwise) const {
  if (!operand)
    return otherwise;
  const Elements &tensor = get(operand);
  if (tensor.numElements() != 1)
    return notFolded("expected one element, but got " +
                     llvm::Twine(tensor.numElements()));
  llvm::Expected<ElementsArray<T>> elements = read<T>(tensor);
  if (!elements)
    return elements.takeError();
  return (*elements)[0];
}

template <typename T, typename Kernel>
llvm::Expected<Elements> Folding::compute(llvm::ArrayRef<int64_t> shape,
                                          Kernel kernel,
                                          unsigned result) const {
  std::optional<int64_t> count = countElements(shape);
  DataType type = getType(result);
  DataType work = hasLane<T>(type) ? type : dataTypeOf<T>;
  auto run = [kernel = std::move(kernel), count](void *lanes,
                                                 const EvalOptions &options) {
    llvm::MutableArrayRef<T> out(static_cast<T *>(lanes),
                                 static_cast<size_t>(*count));
    if constexpr (std::is_invocable_v<Kernel, llvm::MutableArrayRef<T>,
                                      const EvalOptions &>)
      kernel(out, options);
    else
      kernel(out);
  };
  return computeLater(work, shape, std::move(run), result);
}

template <typename T>
llvm::Expected<Elements> Folding::make(llvm::ArrayRef<int64_t> shape,
                                       llvm::ArrayRef<T> elements,
                                       unsigned result) const {
  DataType type = getType(result);
  DataType work = hasLane<T>(type) ? type : dataTypeOf<T>;
  llvm::Expected<Elements> made =
      builder.fromLanes(work, shape, elements.data(), elements.size());
  if (!made || work == type)
    return made;
  return builder.cast(*made, type);
}

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_FOLDING_H
