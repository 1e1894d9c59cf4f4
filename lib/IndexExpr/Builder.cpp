// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The getters that all builders share, and the builder for analysis.
#include "invar/IndexExpr/Builder.h"

#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace invar;

IndexExprBuilder::~IndexExprBuilder() = default;

//===-- Shapes ----------------------------------------------------------------===//

bool IndexExprBuilder::hasShape(Value value) {
  return getRank(value).has_value();
}

std::optional<int64_t> IndexExprBuilder::getRank(Value value) {
  auto type = value ? dyn_cast<ShapedType>(value.getType()) : nullptr;
  if (!type || !type.hasRank())
    return std::nullopt;
  return type.getRank();
}

IndexExpr IndexExprBuilder::getShapeAsLiteral(Value value, int64_t axis) {
  auto type = cast<ShapedType>(value.getType());
  return type.isDynamicDim(axis) ? IndexExpr() : type.getDimSize(axis);
}

IndexExpr IndexExprBuilder::getShapeAsDim(Value value, int64_t axis) {
  IndexExpr literal = getShapeAsLiteral(value, axis);
  return literal.isLiteral() ? literal : scope.getAsDim(getShape(value, axis));
}

IndexExpr IndexExprBuilder::getShapeAsSymbol(Value value, int64_t axis) {
  IndexExpr literal = getShapeAsLiteral(value, axis);
  return literal.isLiteral() ? literal
                             : scope.getAsSymbol(getShape(value, axis));
}

DimsExpr IndexExprBuilder::getShapeAsDims(Value value) {
  DimsExpr dims;
  for (int64_t axis = 0, rank = *getRank(value); axis < rank; ++axis)
    dims.push_back(getShapeAsDim(value, axis));
  return dims;
}

DimsExpr IndexExprBuilder::getShapeAsSymbols(Value value) {
  DimsExpr dims;
  for (int64_t axis = 0, rank = *getRank(value); axis < rank; ++axis)
    dims.push_back(getShapeAsSymbol(value, axis));
  return dims;
}

IndexExpr IndexExprBuilder::getNumElements(Value value) {
  IndexExpr product = 1;
  for (IndexExpr size : getShapeAsDims(value))
    product = product * size;
  return product;
}

//===-- Integers --------------------------------------------------------------===//

ElementsAttr IndexExprBuilder::getConst(Value value) {
  ElementsAttr attribute;
  matchPattern(value, m_Constant(&attribute));
  return attribute;
}

/// A tensor that contains a shape has few entries. The limit bounds the cost of a
/// hostile one.
static constexpr int64_t mostEntries = 4096;

std::optional<int64_t> IndexExprBuilder::getArraySize(Value array) {
  auto type = array ? dyn_cast<ShapedType>(array.getType()) : nullptr;
  if (!type || !type.hasStaticShape() || type.getRank() > 1 ||
      type.getNumElements() > mostEntries)
    return std::nullopt;
  return type.getNumElements();
}

std::optional<int64_t> invar::readInt(ElementsAttr elements, uint64_t i) {
  auto type = dyn_cast<IntegerType>(elements.getElementType());
  auto values = elements.tryGetValues<APInt>();
  if (!type || !values)
    return std::nullopt;
  APInt value = (*values)[i];
  // In ONNX, signless is signed; a bool is 0 or 1.
  if (type.isUnsigned() || type.getWidth() == 1)
    return value.isIntN(63) ? std::optional(int64_t(value.getZExtValue()))
                            : std::nullopt;
  return value.trySExtValue();
}

Symbolic IndexExprBuilder::getEntry(Value array, uint64_t i) {
  if (ElementsAttr elements = getConst(array)) {
    std::optional<int64_t> entry;
    if (i < uint64_t(elements.getNumElements()))
      entry = readInt(elements, i);
    return entry ? scope.getContext().getConstant(*entry)
                 : scope.getContext().getUndefined();
  }
  return getValue(array, i);
}

/// Whether an entry is known to be missing.
static bool isOutOfBounds(IndexExprBuilder &builder, Value array, uint64_t i) {
  std::optional<int64_t> size = builder.getArraySize(array);
  return !array || (size && i >= uint64_t(*size));
}

IndexExpr IndexExprBuilder::getIntFromArrayAsLiteral(
    std::optional<ArrayRef<int64_t>> array, uint64_t i, IndexExpr outOfBounds) {
  return array && i < array->size() ? IndexExpr((*array)[i]) : outOfBounds;
}

IndexExpr IndexExprBuilder::getIntFromArrayAsLiteral(Value array, uint64_t i,
                                                     IndexExpr outOfBounds) {
  if (isOutOfBounds(*this, array, i))
    return outOfBounds;
  // Code that reads an entry is not a literal, so only constants are considered.
  if (scope.canEmit() && !getConst(array))
    return IndexExpr();
  IndexExpr entry(getEntry(array, i), scope);
  return entry.isLiteral() ? entry : IndexExpr();
}

IndexExpr IndexExprBuilder::getIntFromArrayAsSymbol(Value array, uint64_t i,
                                                    IndexExpr outOfBounds) {
  if (isOutOfBounds(*this, array, i))
    return outOfBounds;
  return scope.getAsSymbol(getEntry(array, i));
}

IndexExpr IndexExprBuilder::getIntFromArrayAsDim(Value array, uint64_t i,
                                                 IndexExpr outOfBounds) {
  if (isOutOfBounds(*this, array, i))
    return outOfBounds;
  return scope.getAsDim(getEntry(array, i));
}

IndexExpr IndexExprBuilder::getIntAsSymbol(Value scalar,
                                           IndexExpr outOfBounds) {
  return getIntFromArrayAsSymbol(scalar, 0, outOfBounds);
}

std::optional<DimsExpr>
IndexExprBuilder::getIntsFromArrayAsSymbols(Value array,
                                            std::optional<int64_t> count) {
  if (!count)
    count = getArraySize(array);
  if (!count || *count > mostEntries)
    return std::nullopt;
  DimsExpr entries;
  for (int64_t i = 0; i < *count; ++i)
    entries.push_back(getIntFromArrayAsSymbol(array, i));
  return entries;
}

std::optional<SmallVector<int64_t>>
IndexExprBuilder::getIntsFromArrayAsLiterals(Value array) {
  std::optional<int64_t> count = getArraySize(array);
  if (!count)
    return std::nullopt;
  SmallVector<int64_t> numbers;
  for (int64_t i = 0; i < *count; ++i) {
    IndexExpr entry = getIntFromArrayAsLiteral(array, i);
    if (!entry.isLiteral())
      return std::nullopt;
    numbers.push_back(entry.getLiteral());
  }
  return numbers;
}

std::optional<double> IndexExprBuilder::getFloatFromArrayAsLiteral(Value array,
                                                                   uint64_t i) {
  ElementsAttr elements = array ? getConst(array) : nullptr;
  if (!elements || i >= uint64_t(elements.getNumElements()))
    return std::nullopt;
  auto values = elements.tryGetValues<APFloat>();
  if (!values)
    return std::nullopt;
  APFloat value = (*values)[i];
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

bool IndexExprBuilder::assumeEqual(IndexExpr left, IndexExpr right) {
  return !left.isKnownDifferent(right);
}

//===-- Analysis --------------------------------------------------------------===//

Symbolic IndexExprBuilderForAnalysis::getValue(Value, uint64_t) {
  return scope.getContext().makeUnknown(Bounds());
}

Symbolic IndexExprBuilderForAnalysis::getShape(Value, uint64_t) {
  return scope.getContext().makeUnknown();
}

/// A number as a 64-bit integer; impossible if it does not fit.
static IndexExpr toLiteral(double number) {
  if (!(number >= -0x1p63 && number < 0x1p63))
    return IndexExpr::makeImpossible();
  return int64_t(number);
}

IndexExpr IndexExprBuilderForAnalysis::getScaled(IndexExpr size, Value scales,
                                                 uint64_t i) {
  std::optional<double> scale = getFloatFromArrayAsLiteral(scales, i);
  if (!scale)
    return getQuestionmark();
  // Runtimes multiply in float32.
  if (size.isLiteral())
    return toLiteral(std::floor(float(*scale) * float(size.getLiteral())));
  // A float is an integer times a power of two. Small integers can be expressed
  // exactly.
  int exponent;
  double mantissa = std::frexp(*scale, &exponent);
  double numerator = std::ldexp(mantissa, 24);
  exponent -= 24;
  while (numerator && std::fmod(numerator, 2) == 0) {
    numerator /= 2;
    ++exponent;
  }
  if (!(*scale > 0) || numerator > 64 || exponent < -16 || exponent > 16)
    return getQuestionmark();
  IndexExpr product =
      size * int64_t(numerator) * (exponent > 0 ? int64_t(1) << exponent : 1);
  return exponent < 0 ? product.floorDiv(int64_t(1) << -exponent) : product;
}

IndexExpr IndexExprBuilderForAnalysis::getStepCount(Value start, Value limit,
                                                    Value delta) {
  std::optional<double> first = getFloatFromArrayAsLiteral(start, 0),
                        last = getFloatFromArrayAsLiteral(limit, 0),
                        step = getFloatFromArrayAsLiteral(delta, 0);
  if (!first || !last || !step || *step == 0)
    return getQuestionmark();
  return toLiteral(std::max(std::ceil((*last - *first) / *step), 0.0));
}
