// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that compute each element of the result from one element of each operand.
// Such an operator is one formula, written once as a template over the number type:
//
//   struct LeakyRelu : Formula<OnFloats> {
//     float alpha;
//     template <typename T> T operator()(T x) const {
//       return select(x < T(0), T(alpha) * x, x);
//     }
//   };
//
//   FoldResult LeakyReluOp::computeValues(Folding &fold) {
//     return fold.apply(LeakyRelu{{}, getAlpha()});
//   }
//
// Applied to numbers, the formula computes: apply() makes typed loops of it, which fuse
// with the expressions of the operands (Elements.h). The same template can be applied
// to values of a program; then +, <, select() and the functions below emit code. A
// formula must therefore use only operators and the functions of this header: no `if`,
// no std::exp.
//
// A formula's base states on which types it is defined and in which type it computes:
//
//   Formula<OnFloats>                float16 and bfloat16 as floats, others as they are
//   Formula<OnFloats, InDouble>      all floats as doubles, rounded once at the end: for
//                                    functions that are no IEEE operation, such as exp
//   Formula<OnFloats | OnInts>       integers in their own type; they wrap
//
// A formula that returns a truth value is a relation; its result has type bool. It must
// return `auto`, because the truth value of program values is not a C++ bool. A
// formula's parameters are hashed as bytes, so its members must have one size, without
// padding between them.
#ifndef INVAR_DIALECT_ONNX_ELEMENTWISE_H
#define INVAR_DIALECT_ONNX_ELEMENTWISE_H

#include "invar/Dialect/ONNX/Folding.h"
#include "llvm/Support/TypeName.h"
#include <array>
#include <cmath>

namespace invar::onnx {

enum FormulaDomain : unsigned { OnFloats = 1, OnInts = 2, OnBools = 4 };
enum FormulaWidth : bool { InOwnType = false, InDouble = true };

template <unsigned Domain, FormulaWidth Width = InOwnType> struct Formula {
  static constexpr unsigned domain = Domain;
  static constexpr FormulaWidth width = Width;
};

//===-- The functions that formulas are made of -------------------------------===//

namespace scalar {

template <typename T> T select(bool condition, T yes, T no) {
  return condition ? yes : no;
}
template <typename T> bool isNaN(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return x != x;
  else
    return false;
}
// The maximum and minimum; NaN if either operand is NaN, as in onnxruntime.
template <typename T> T maximum(T a, T b) {
  return select(isNaN(a), a, select(isNaN(b), b, select(a > b, a, b)));
}
template <typename T> T minimum(T a, T b) {
  return select(isNaN(a), a, select(isNaN(b), b, select(a < b, a, b)));
}
/// Division. Integers truncate, and nothing traps: n / 0 is 0, the lowest integer / -1
/// wraps.
template <typename T> T divide(T x, T y) {
  if constexpr (std::is_floating_point_v<T>)
    return x / y;
  else if constexpr (std::is_signed_v<T>)
    return y == T(-1) ? T(T(0) - x) : y == 0 ? T(0) : T(x / y);
  else
    return y == 0 ? T(0) : T(x / y);
}
/// The remainder of a truncating division; it has the sign of x.
template <typename T> T remainder(T x, T y) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fmod(x, y);
  else
    return T(x - divide(x, y) * y);
}
/// The absolute value; the lowest integer stays unchanged.
template <typename T> T absolute(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return std::copysign(x, T(1));
  else
    return select(x < T(0), T(T(0) - x), x);
}
/// Shifts. If y is negative or at least the type's width, the result is 0; a right
/// shift then returns -1 for negative x.
template <typename T> T shiftLeft(T x, T y) {
  return y < 0 || y >= T(8 * sizeof(T)) ? T(0) : T(x << y);
}
template <typename T> T shiftRight(T x, T y) {
  return y < 0 || y >= T(8 * sizeof(T)) ? T(x < 0 ? -1 : 0) : T(x >> y);
}
/// The integer power; it wraps. For negative y, the result is 0 unless x is 1 or -1.
template <typename T>
  requires std::is_integral_v<T>
T pow(T x, T y) {
  if (y < 0)
    return x == 1 || x == T(-1) ? (y % 2 ? x : T(1)) : T(0);
  T result = 1;
  for (; y > 0; y = T(y / 2), x = T(x * x))
    if (y % 2)
      result = T(result * x);
  return result;
}
#define INVAR_SCALAR(NAME)                                                     \
  inline float NAME(float x) { return std::NAME(x); }                          \
  inline double NAME(double x) { return std::NAME(x); }
INVAR_SCALAR(floor)
INVAR_SCALAR(ceil)
INVAR_SCALAR(sqrt)
INVAR_SCALAR(exp)
INVAR_SCALAR(expm1)
INVAR_SCALAR(log)
INVAR_SCALAR(log1p)
INVAR_SCALAR(erf)
INVAR_SCALAR(sin)
INVAR_SCALAR(cos)
INVAR_SCALAR(tan)
INVAR_SCALAR(asin)
INVAR_SCALAR(acos)
INVAR_SCALAR(atan)
INVAR_SCALAR(sinh)
INVAR_SCALAR(cosh)
INVAR_SCALAR(tanh)
INVAR_SCALAR(asinh)
INVAR_SCALAR(acosh)
INVAR_SCALAR(atanh)
#undef INVAR_SCALAR
/// Rounds to the nearest integer, ties to even.
inline float roundEven(float x) { return std::nearbyint(x); }
inline double roundEven(double x) { return std::nearbyint(x); }
inline float pow(float x, float y) { return std::pow(x, y); }
inline double pow(double x, double y) { return std::pow(x, y); }
/// The magnitude of x with the sign of y.
inline float copySign(float x, float y) { return std::copysign(x, y); }
inline double copySign(double x, double y) { return std::copysign(x, y); }

} // namespace scalar

//===-- Applying a formula to lanes -------------------------------------------===//

namespace detail {
/// The type in which formula F computes on lanes of a type. `isDefined` is false if F is
/// not defined on them.
template <typename F, typename Tag> struct WorkType {
  using Lane = typename Tag::Lane;
  static constexpr bool isFloat =
      isMiniFloat<Lane> || std::is_floating_point_v<Lane>;
  static constexpr bool isBool = std::is_same_v<Lane, bool>;
  static constexpr bool isInt = std::is_integral_v<Lane> && !isBool;
  static constexpr bool isDefined = (isFloat && (F::domain & OnFloats)) ||
                                    (isInt && (F::domain & OnInts)) ||
                                    (isBool && (F::domain & OnBools));
  using Float =
      std::conditional_t<F::width == InDouble || std::is_same_v<Lane, double>,
                         double, float>;
  using type = std::conditional_t<isFloat, Float, Lane>;
};

template <typename Work, typename Lane> Work toWork(Lane lane) {
  if constexpr (isMiniFloat<Lane>)
    return static_cast<Work>(lane.toFloat());
  else
    return static_cast<Work>(lane);
}

template <typename Tag, typename Work> typename Tag::Lane fromWork(Work x) {
  using Lane = typename Tag::Lane;
  if constexpr (isMiniFloat<Lane> && std::is_same_v<Work, float>)
    return Lane::fromFloat(x);
  else if constexpr (isMiniFloat<Lane>)
    return Lane::fromDouble(static_cast<double>(x));
  else
    return wrapLane<Tag::type>(static_cast<Lane>(x));
}

/// The number of operands of a formula.
template <typename F, typename T> constexpr size_t arityOf() {
  if constexpr (std::is_invocable_v<const F &, T>)
    return 1;
  else if constexpr (std::is_invocable_v<const F &, T, T>)
    return 2;
  else
    return 3;
}
} // namespace detail

/// Returns the loop over lanes of `type` that computes `formula`; empty if the formula
/// is not defined on that type.
template <typename F>
std::optional<ElementwiseFunction> makeElementwise(llvm::StringRef name,
                                                   DataType type, F formula) {
  using Result = std::optional<ElementwiseFunction>;
  return dispatch(type, [&](auto tag) -> Result {
    using Tag = decltype(tag);
    using Lane = typename Tag::Lane;
    if constexpr (!detail::WorkType<F, Tag>::isDefined) {
      return std::nullopt;
    } else {
      using Work = typename detail::WorkType<F, Tag>::type;
      constexpr size_t arity = detail::arityOf<F, Work>();
      using All = std::make_index_sequence<arity>;
      auto kernel = [formula](llvm::ArrayRef<const void *> operands,
                              void *result, size_t n) {
        // Separate typed pointers let the compiler vectorize the loop.
        std::array<const Lane *, arity> in;
        for (size_t k = 0; k < arity; ++k)
          in[k] = static_cast<const Lane *>(operands[k]);
        auto apply = [&]<size_t... I>(size_t i, std::index_sequence<I...>) {
          return formula(detail::toWork<Work>(in[I][i])...);
        };
        using Value = decltype(apply(0, All()));
        using ResultTag = std::conditional_t<std::is_same_v<Value, bool>,
                                             TypeTag<DataType::Bool>, Tag>;
        auto *__restrict out = static_cast<typename ResultTag::Lane *>(result);
        for (size_t i = 0; i < n; ++i)
          out[i] = detail::fromWork<ResultTag>(apply(i, All()));
      };
      auto probe = []<size_t... I>(std::index_sequence<I...>) {
        return decltype(std::declval<const F &>()(((void)I, Work())...))();
      };
      constexpr bool isRelation =
          std::is_same_v<decltype(probe(All())), bool> &&
          !std::is_same_v<Lane, bool>;
      llvm::SmallVector<DataType, 3> operandTypes(arity, type);
      llvm::ArrayRef<uint8_t> parameters;
      if constexpr (!std::is_empty_v<F>)
        parameters = {reinterpret_cast<const uint8_t *>(&formula), sizeof(F)};
      return ElementwiseFunction(name, isRelation ? DataType::Bool : type,
                                 operandTypes, kernel, parameters);
    }
  });
}

template <typename F>
llvm::Expected<Elements>
Folding::apply(F formula, llvm::ArrayRef<Elements> operands) const {
  DataType type = operands.front().getType();
  rounds |= F::width == InDouble && getKind(type) == NumberKind::Float;
  // Use the formula's name, not the operator's: an operator may apply several formulas.
  std::optional<ElementwiseFunction> function =
      makeElementwise(llvm::getTypeName<F>(), type, std::move(formula));
  if (!function)
    return notFolded("it is not defined on elements of type " + getName(type));
  return builder.combine(*function, operands);
}

template <typename F> llvm::Expected<Elements> Folding::apply(F formula) const {
  return apply(std::move(formula), getAll(op->getOperands()));
}

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_ELEMENTWISE_H
