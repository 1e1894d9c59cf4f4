// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Verify.h"

#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Dialect/ONNX/Traits.h"
#include "invar/Elements/IR/DataTypes.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- What is known -----------------------------------------------------------------===//

static RankedTensorType rankedType(Value value) {
  return value ? dyn_cast<RankedTensorType>(value.getType())
               : RankedTensorType();
}

std::optional<int64_t> invar::onnx::rankOf(Value value) {
  auto type = rankedType(value);
  return type ? std::optional<int64_t>(type.getRank()) : std::nullopt;
}

std::optional<int64_t> invar::onnx::dimOf(Value value, int64_t axis) {
  auto type = rankedType(value);
  if (!type)
    return std::nullopt;
  int64_t index = axis < 0 ? axis + type.getRank() : axis;
  if (index < 0 || index >= type.getRank() || type.isDynamicDim(index))
    return std::nullopt;
  return type.getDimSize(index);
}

Type invar::onnx::elementTypeOf(Value value) {
  auto tensor = value ? dyn_cast<TensorType>(value.getType()) : TensorType();
  if (!tensor || isa<UnknownType>(tensor.getElementType()))
    return nullptr;
  return tensor.getElementType();
}

std::optional<int64_t> invar::onnx::spatialRank(Value value) {
  std::optional<int64_t> rank = rankOf(value);
  return rank && *rank >= 2 ? std::optional<int64_t>(*rank - 2) : std::nullopt;
}

//===-- Attributes --------------------------------------------------------------------===//

Check &Check::that(Label label, bool holds, const Twine &expected,
                   const Twine &got) {
  if (succeeded(result) && !holds)
    result = op->emitOpError(label)
             << " expected " << expected << ", but got " << got;
  return *this;
}

Check &Check::oneOf(Label label, StringRef attribute, StringRef value,
                    ArrayRef<StringRef> allowed) {
  if (llvm::is_contained(allowed, value))
    return *this;
  return that(label, false,
              "'" + attribute + "' to be one of '" +
                  llvm::join(allowed, "', '") + "'",
              "'" + value + "'");
}

Check &Check::oneOf(Label label, StringRef attribute, int64_t value,
                    ArrayRef<int64_t> allowed) {
  if (llvm::is_contained(allowed, value))
    return *this;
  auto texts =
      llvm::map_range(allowed, [](int64_t item) { return llvm::itostr(item); });
  return that(label, false,
              "'" + attribute + "' to be one of " + llvm::join(texts, ", "),
              Twine(value));
}

Check &Check::flag(Label label, StringRef attribute, int64_t value) {
  return oneOf(label, attribute, value, {0, 1});
}

Check &Check::atLeast(Label label, StringRef attribute, int64_t value,
                      int64_t minimum) {
  return that(label, value >= minimum,
              "'" + attribute + "' to be at least " + Twine(minimum),
              Twine(value));
}

Check &Check::eachAtLeast(Label label, StringRef attribute,
                          std::optional<ArrayRef<int64_t>> values,
                          int64_t minimum) {
  for (int64_t value : values.value_or(ArrayRef<int64_t>()))
    that(label, value >= minimum,
         "entries of '" + attribute + "' to be at least " + Twine(minimum),
         Twine(value));
  return *this;
}

Check &Check::axis(Label label, StringRef attribute, int64_t axis, Value of) {
  std::optional<int64_t> rank = rankOf(of);
  if (!rank)
    return *this;
  int64_t bound = std::max<int64_t>(*rank, 1);
  return that(label, axis >= -bound && axis < bound,
              "'" + attribute + "' to be in [" + Twine(-bound) + ", " +
                  Twine(bound) + ")",
              Twine(axis));
}

Check &Check::axes(Label label, StringRef attribute,
                   std::optional<ArrayRef<int64_t>> axes, Value of) {
  llvm::SmallSet<int64_t, 8> seen;
  std::optional<int64_t> rank = rankOf(of);
  for (int64_t item : axes.value_or(ArrayRef<int64_t>())) {
    axis(label, attribute, item, of);
    int64_t index =
        item < 0 && rank ? item + std::max<int64_t>(*rank, 1) : item;
    that(label, seen.insert(index).second,
         "the axes of '" + attribute + "' to be distinct",
         Twine(item) + " twice");
  }
  return *this;
}

Check &Check::dataType(Label label, StringRef attribute, int64_t number,
                       Value of) {
  std::optional<DataType> type = dataTypeFromNumber(number);
  that(label, type.has_value(),
       "'" + attribute + "' to be the number of a data type", Twine(number));
  Type element = elementTypeOf(of);
  std::optional<DataType> actual =
      element ? elements::toDataType(element) : std::nullopt;
  if (type && actual)
    that(label, *type == *actual,
         "'" + attribute + "' to be the result's element type " +
             getName(*actual),
         Twine(getName(*type)));
  return *this;
}

Check &Check::floatType(Label label, StringRef attribute, int64_t number) {
  return oneOf(label, attribute, number,
               {int64_t(DataType::Float32), int64_t(DataType::Float16),
                int64_t(DataType::Float64), int64_t(DataType::BFloat16)});
}

Check &Check::length(Label label, StringRef what, std::optional<int64_t> length,
                     std::optional<int64_t> expected) {
  if (!length || !expected)
    return *this;
  return that(label, *length == *expected,
              "'" + what + "' to have " + Twine(*expected) +
                  (*expected == 1 ? " entry" : " entries"),
              Twine(*length));
}

Check &Check::eitherOr(Label label, StringRef first, bool firstGiven,
                       StringRef second, bool secondGiven) {
  return that(label, firstGiven || secondGiven,
              "'" + first + "' or '" + second + "'", "neither")
      .notBoth(label, first, firstGiven, second, secondGiven);
}

Check &Check::notBoth(Label label, StringRef first, bool firstGiven,
                      StringRef second, bool secondGiven) {
  return that(label, !firstGiven || !secondGiven,
              "only one of '" + first + "' and '" + second + "'", "both");
}

Check &Check::window(Label sizes, Label lengths, const Window &window) {
  eachAtLeast(sizes, "kernel_shape", window.kernelShape, 1);
  eachAtLeast(sizes, "strides", window.strides, 1);
  eachAtLeast(sizes, "dilations", window.dilations, 1);
  std::optional<int64_t> pads = lengthOf(window.pads);
  if (pads)
    that(lengths, *pads % 2 == 0, "'pads' to have an even number of entries",
         Twine(*pads));
  // If the rank is unknown, the lists are compared with each other.
  std::optional<int64_t> axes = window.axes;
  for (std::optional<int64_t> known :
       {lengthOf(window.kernelShape), lengthOf(window.strides),
        lengthOf(window.dilations)})
    if (!axes)
      axes = known;
  if (!axes)
    return *this;
  return length(lengths, "kernel_shape", lengthOf(window.kernelShape), axes)
      .length(lengths, "strides", lengthOf(window.strides), axes)
      .length(lengths, "dilations", lengthOf(window.dilations), axes)
      .length(lengths, "pads", pads, llvm::checkedMul<int64_t>(2, *axes));
}

//===-- Types -------------------------------------------------------------------------===//

Check &Check::rank(Label label, StringRef what, Value value, int64_t expected) {
  std::optional<int64_t> rank = rankOf(value);
  if (!rank)
    return *this;
  return that(label, *rank == expected,
              "'" + what + "' to have rank " + Twine(expected), Twine(*rank));
}

Check &Check::rankAtLeast(Label label, StringRef what, Value value,
                          int64_t minimum) {
  std::optional<int64_t> rank = rankOf(value);
  if (!rank)
    return *this;
  return that(label, *rank >= minimum,
              "'" + what + "' to have at least rank " + Twine(minimum),
              Twine(*rank));
}

Check &Check::sameRank(Label label, StringRef what, Value value,
                       StringRef otherWhat, Value other) {
  std::optional<int64_t> rank = rankOf(value), otherRank = rankOf(other);
  if (!rank || !otherRank)
    return *this;
  return that(label, *rank == *otherRank,
              "'" + what + "' to have the rank of '" + otherWhat + "', " +
                  Twine(*otherRank),
              Twine(*rank));
}

Check &Check::vector(Label label, StringRef what, Value value,
                     std::optional<int64_t> expected) {
  std::optional<int64_t> rank = rankOf(value);
  if (!rank)
    return *this;
  that(label, *rank <= 1, "'" + what + "' to be a vector",
       "rank " + Twine(*rank));
  return length(label, what, *rank == 0 ? 1 : dimOf(value, 0), expected);
}

Check &Check::oneElement(Label label, StringRef what, Value value) {
  auto type = rankedType(value);
  if (!type)
    return *this;
  auto isOne = [](int64_t size) {
    return size == 1 || ShapedType::isDynamic(size);
  };
  return that(label, llvm::all_of(type.getShape(), isOne),
              "'" + what + "' to have one element", llvm::to_string(type));
}

Check &Check::dim(Label label, StringRef what, Value value, int64_t axis,
                  std::optional<int64_t> expected) {
  std::optional<int64_t> size = dimOf(value, axis);
  if (!size || !expected)
    return *this;
  return that(label, *size == *expected,
              "axis " + Twine(axis) + " of '" + what + "' to have size " +
                  Twine(*expected),
              Twine(*size));
}

Check &Check::agrees(Label label, StringRef what, Type type, Type expected) {
  if (!type || !expected || agree(type, expected))
    return *this;
  return that(label, false, "'" + what + "' to be " + llvm::to_string(expected),
              llvm::to_string(type));
}

/// Broadcasts `other` into `shape`; returns false if two sizes are known to conflict.
static bool broadcastInto(SmallVectorImpl<int64_t> &shape,
                          ArrayRef<int64_t> other) {
  if (shape.size() < other.size())
    shape.insert(shape.begin(), other.size() - shape.size(), 1);
  MutableArrayRef<int64_t> aligned =
      MutableArrayRef(shape).take_back(other.size());
  for (auto [size, otherSize] : llvm::zip_equal(aligned, other)) {
    bool isFree = size == 1 || (ShapedType::isDynamic(size) && otherSize != 1);
    if (isFree)
      size = otherSize;
    else if (otherSize != 1 && otherSize != size &&
             !ShapedType::isDynamic(otherSize))
      return false;
  }
  return true;
}

Check &Check::broadcast(Label label, ValueRange values) {
  SmallVector<int64_t> shape;
  for (Value value : values)
    if (auto type = rankedType(value);
        type && !broadcastInto(shape, type.getShape()))
      return that(label, false, "shapes that broadcast to one",
                  llvm::to_string(type));
  return *this;
}

/// Returns the axes before those of the matrix or vector.
static ArrayRef<int64_t> batchOf(RankedTensorType type) {
  return type.getShape().drop_back(std::min<int64_t>(type.getRank(), 2));
}

Check &Check::contraction(Label label, Value left, Value right) {
  rankAtLeast(label, "A", left, 1).rankAtLeast(label, "B", right, 1);
  auto leftType = rankedType(left), rightType = rankedType(right);
  if (failed(result) || !leftType || !rightType)
    return *this;
  dim(label, "B", right, rightType.getRank() == 1 ? 0 : -2, dimOf(left, -1));
  SmallVector<int64_t> batch(batchOf(leftType));
  return that(label, broadcastInto(batch, batchOf(rightType)),
              "batches that broadcast to one", llvm::to_string(rightType));
}

//===-- Graphs ------------------------------------------------------------------------===//

Check &Check::graph(Label label, StringRef name, Region &graph,
                    size_t arguments, size_t yields) {
  Block &block = graph.front();
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  that(label, block.getNumArguments() == arguments,
       "'" + name + "' to take " + Twine(arguments) + " arguments",
       Twine(block.getNumArguments()));
  if (!yield)
    return that(label, false, "'" + name + "' to end in 'onnx.Yield'",
                "no such operation");
  return that(label, yield.getNumOperands() == yields,
              "'" + name + "' to yield " + Twine(yields) + " values",
              Twine(yield.getNumOperands()));
}

//===-- Groups of constraints ---------------------------------------------------------===//

LogicalResult invar::onnx::verifyConvolution(Operation *op, Value x, Value w,
                                             Value b, StringRef autoPad,
                                             int64_t group, Window window) {
  window.axes = spatialRank(x) ? spatialRank(x) : spatialRank(w);
  Check check(op);
  check.oneOf("(C1)", "auto_pad", autoPad, autoPads)
      .rankAtLeast("(C3)", "X", x, 2)
      .window("(C2)", "(C3)", window)
      .atLeast("(C4)", "group", group, 1)
      .rankAtLeast("(C5)", "W", w, 2)
      .sameRank("(C5)", "W", w, "X", x);
  if (failed(check))
    return check;
  // Use division, because a product of sizes from a model may overflow.
  std::optional<int64_t> channels = dimOf(x, 1), features = dimOf(w, 0);
  if (channels)
    check
        .that("(C4)", *channels % group == 0,
              "'group' to divide the " + Twine(*channels) + " channels",
              Twine(group))
        .dim("(C5)", "W", w, 1, *channels / group);
  if (features)
    check.that("(C4)", *features % group == 0,
               "'group' to divide the " + Twine(*features) + " features",
               Twine(group));
  return check.vector("(C5)", "B", b, features);
}

LogicalResult invar::onnx::detail::verifyBroadcasting(Operation *op) {
  return Check(op).broadcast("(C1)", op->getOperands());
}
