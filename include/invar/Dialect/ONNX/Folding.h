// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operator makes of constants. Each operator says it once, in its family's
// F/FFold.cpp, and everybody who needs values asks there: constant propagation, MLIR's own
// folders, the evaluation of loops.
//
//   FoldResult TransposeOp::computeValues(Folding &fold) {
//     const Elements &data = fold.get(getData());
//     return fold.getBuilder().transpose(data, getPermutation(data.getRank()));
//   }
//
// It is called when all operands are constants, and when the types of the results have
// been inferred from them; so shapes, axes, pads and the like are not computed again:
//
//   fold.getShape()             the result's shape
//   fold.getShapeHelper()       for methods such as PadOp::getBorders
//
// Values should cost nothing until they are read. In order of preference:
//
//   views and concatenations    fold.getBuilder().slice(…), .concat(…)
//   formulas                    fold.apply(formula, operands), see Elementwise.h
//   kernels that run later      fold.compute<double>(shape, [=](auto out) { … })
//   kernels that run now        fold.make<int64_t>(shape, numbers), for what is small or
//                               whose shape depends on the data
//
// What cannot be computed is left to run time: `return notFolded("its axis is 7, …")`.
// Operands are the content of a hostile file: an index in them is checked before it is
// used, a size before it is allocated. Nothing traps, and nothing asserts on them.
//
// Numerics: what comes out has the type of the result, rounded once from the operator's
// exact operands; kernels work in double (or wider integers) and round at the end.
#ifndef INVAR_DIALECT_ONNX_FOLDING_H
#define INVAR_DIALECT_ONNX_FOLDING_H

#include "invar/Dialect/ONNX/FoldValue.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Elements/ElementsBuilder.h"

namespace invar::onnx {

/// How much a constant may lose on the way through several operators.
enum class Numerics : uint8_t {
  /// Each operator rounds its result, as the model would when it runs.
  Exact,
  /// Floats stay doubles through a chain of operators and round at its end.
  Wide,
};

struct FoldOptions {
  Numerics numerics = Numerics::Exact;
  /// Leave what engines round differently: sums, products of matrices, transcendental
  /// functions.
  bool exactOnly = false;
  EvalOptions evaluation;
  /// The most elements that a kernel may take or make. More is left to run time.
  int64_t maxElements = int64_t(1) << 29;
};

/// The reason for which an operator is left to run time: lower case, no period.
llvm::Error notFolded(const llvm::Twine &reason);

/// Fails where there are more elements than a kernel may take or make.
llvm::Error checkWork(llvm::ArrayRef<int64_t> shape,
                      const FoldOptions &options);

/// The data type whose lanes are of the C++ type T.
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

/// The operands of one operator and the means to make its results.
class Folding {
public:
  /// Gives the constant that a value is.
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
  /// The value of an operand that is a tensor.
  const Elements &get(mlir::Value operand) const {
    return lookup(operand).getTensor();
  }
  /// The same where the operand may be left out.
  std::optional<Elements> getOptional(mlir::Value operand) const;
  llvm::SmallVector<Elements> getAll(mlir::ValueRange operands) const;

  /// All elements as numbers of type T, converted as Cast does it.
  template <typename T>
  llvm::Expected<ElementsArray<T>> read(const Elements &tensor) const;
  template <typename T>
  llvm::Expected<ElementsArray<T>> read(mlir::Value operand) const {
    return read<T>(get(operand));
  }
  /// The one element of a scalar, or `otherwise` where the operand is left out.
  template <typename T>
  llvm::Expected<T> readScalar(mlir::Value operand, T otherwise = T()) const;

  //===-- Results -----------------------------------------------------------------===//

  /// The element type of a result.
  DataType getType(unsigned result = 0) const;
  /// The shape of a result as it was inferred; fails where it depends on data.
  llvm::Expected<Shape> getShape(unsigned result = 0) const;
  /// For the operator's own methods that settle pads, axes and the like.
  ShapeHelper getShapeHelper() const { return ShapeHelper(op, shapes); }

  /// A tensor of `shape` that `kernel` computes when it is first read. The kernel gets
  /// memory for all elements as numbers of type T, which are then converted to the type of
  /// `result` as Cast does it. It may capture Elements, but nothing that dies with *this;
  /// what it reads of them it reads with the options that it may take as well:
  ///
  ///   [x](MutableArrayRef<T> out, const EvalOptions &options) { … }
  template <typename T, typename Kernel>
  llvm::Expected<Elements> compute(llvm::ArrayRef<int64_t> shape, Kernel kernel,
                                   unsigned result = 0) const;
  /// A tensor of `shape` with these elements, converted to the type of `result`.
  template <typename T>
  llvm::Expected<Elements> make(llvm::ArrayRef<int64_t> shape,
                                llvm::ArrayRef<T> elements,
                                unsigned result = 0) const;

  /// A formula of each element, or of those that broadcasting brings together; see
  /// Elementwise.h, which defines it.
  template <typename Formula>
  llvm::Expected<Elements> apply(Formula formula,
                                 llvm::ArrayRef<Elements> operands) const;

  /// The same of all operands.
  template <typename Formula>
  llvm::Expected<Elements> apply(Formula formula) const;

  /// Whether a result so far was computed in double and rounded, which other engines may do
  /// otherwise.
  bool mayRound() const { return rounds || builder.hasComputedDoubles(); }

  /// What stands for a result of the operator in recipes: its name and attributes, without
  /// those that cannot matter to the value, such as names.
  Hash128 getKey(unsigned result = 0) const;

  /// Fails where there are more elements than a kernel may take or make.
  llvm::Error checkWork(llvm::ArrayRef<int64_t> shape) const {
    return onnx::checkWork(shape, options);
  }

private:
  llvm::Expected<Elements> computeLanes(DataType type,
                                        llvm::ArrayRef<int64_t> shape,
                                        ComputeKernel kernel,
                                        unsigned result) const;

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
  llvm::Expected<Elements> computed =
      computeLanes(work, shape, std::move(run), result);
  if (!computed || work == type)
    return computed;
  return builder.cast(*computed, type);
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
