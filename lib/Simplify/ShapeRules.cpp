// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computations with shapes. Inference knows each entry of such a list as an expression
// over the names of sizes (TypeInference.h). These rules shorten the computation of the
// same entries. The sweep merges lists with the same entries (EqualOperations.h), so
// that all layers of a model share the computation of the first layer.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Cast.h"
#include "invar/Dialect/ONNX/Ops/Compare.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "invar/Dialect/ONNX/Ops/Gather.h"
#include "invar/Dialect/ONNX/Ops/Logic.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Scatter.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The number of entries of a list; none if it is not a vector of known length.
static std::optional<int64_t> getLength(Value list) {
  auto type = dyn_cast<RankedTensorType>(list.getType());
  if (!type || type.getRank() != 1 || type.isDynamicDim(0))
    return std::nullopt;
  return type.getDimSize(0);
}

/// The number in a constant of one element.
static std::optional<int64_t> getInt(Value value, const Rewriting &rewriting) {
  std::optional<SmallVector<int64_t>> numbers = rewriting.getInts(value);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front())
                                         : std::nullopt;
}

static Value makeScalar(int64_t number, Rewriting &rewriting) {
  return rewriting.makeConstant(llvm::cantFail(
      ElementsBuilder().fromArray<DataType::Int64>({}, {number})));
}

//===-- All entries -----------------------------------------------------------===//

static constexpr StringLiteral multiplySizesPattern =
    "ReduceProd(Shape(x)) -> Size(x) [of the whole shape, used once; one less]";
static LogicalResult multiplySizes(ReduceProdOp op, Rewriting &rewriting) {
  auto shape = op.getData().getDefiningOp<ShapeOp>();
  if (!shape || !op.getData().hasOneUse() || getRank(op.getReduced()) != 0)
    return failure();
  std::optional<int64_t> rank = getRank(shape.getData());
  if (!rank || getLength(shape.getShape()) != rank)
    return failure();
  return rewriting.tryReplace(op, rewriting.make<SizeOp>(shape.getData()));
}

//===-- A part of a shape -----------------------------------------------------===//

/// The first opset in which Shape can return a part of a shape.
static constexpr int64_t opsetOfParts = 15;

/// A Shape of the axes in [begin, end).
static Value makeShape(Value x, int64_t begin, int64_t end,
                       Rewriting &rewriting) {
  Builder &builder = rewriting.getBuilder();
  return rewriting.make<ShapeOp>(x, builder.getI64IntegerAttr(end),
                                 builder.getI64IntegerAttr(begin));
}

static constexpr StringLiteral partOfShapePattern =
    "Slice(Shape(x), [i], [j]) -> Shape(x) {start = i, end = j} [an operator "
    "on the way less]";
static LogicalResult takePartOfShape(Operation *op, Rewriting &rewriting) {
  auto shape = op->getOperand(0).getDefiningOp<ShapeOp>();
  std::optional<int64_t> count = getLength(op->getResult(0));
  if (!shape || !count || *count == 0 || rewriting.getOpset() < opsetOfParts)
    return failure();
  std::optional<int64_t> length = getLength(shape.getShape());
  std::optional<int64_t> rank = getRank(shape.getData());
  auto begins = rewriting.getInts(op->getOperand(1));
  if (!length || !rank || !begins || begins->empty())
    return failure();
  auto slice = dyn_cast<SliceOp>(op);
  if (slice && slice.getSteps() && getInt(slice.getSteps(), rewriting) != 1)
    return failure();
  int64_t begin = begins->front();
  if (begin < -*length || begin >= *length)
    return failure();
  begin += begin < 0 ? *length : 0;
  // Gathered entries must be adjacent, as in the shape.
  if (!slice)
    for (auto [i, index] : llvm::enumerate(*begins))
      if ((index < 0 ? index + *length : index) != begin + int64_t(i))
        return failure();
  int64_t skipped = std::clamp<int64_t>(
      shape.getStart() < 0 ? shape.getStart() + *rank : shape.getStart(), 0,
      *rank);
  return rewriting.tryReplace(op,
                              makeShape(shape.getData(), skipped + begin,
                                        skipped + begin + *count, rewriting));
}

//===-- Shapes of inputs ------------------------------------------------------===//

/// The inputs of the model, which are available everywhere. At most `most` of them are
/// inspected.
static ArrayRef<BlockArgument> getModelInputs(Operation *op) {
  static constexpr size_t most = 64;
  auto main = op->getParentOfType<func::FuncOp>();
  return main ? ArrayRef<BlockArgument>(main.getArguments()).take_front(most)
              : ArrayRef<BlockArgument>();
}

/// The axes of an input that have these sizes.
static std::optional<SmallVector<int64_t>>
findAxes(ArrayRef<IndexExpr> sizes, Value input, const Rewriting &rewriting) {
  auto dims = rewriting.getDims(input);
  if (!dims)
    return std::nullopt;
  SmallVector<int64_t> axes;
  for (IndexExpr size : sizes) {
    auto *found = llvm::find_if(
        *dims, [&](IndexExpr dim) { return dim.isKnownEqual(size); });
    if (found == dims->end() || size.isLiteral())
      return std::nullopt;
    axes.push_back(found - dims->begin());
  }
  return axes;
}

static constexpr StringLiteral sizeOfInputPattern =
    "Gather(Shape(y), [i]) -> Gather(Shape(x), [j]) [x an input that has the "
    "size, the shape used once; a source is earlier]";
static LogicalResult readInput(GatherOp op, Rewriting &rewriting) {
  auto shape = op.getData().getDefiningOp<ShapeOp>();
  auto sizes = rewriting.getEntries(op.getOutput());
  if (!shape || !op.getData().hasOneUse() || !sizes || sizes->empty() ||
      isa<BlockArgument>(shape.getData()))
    return failure();
  for (Value input : getModelInputs(op)) {
    auto axes = findAxes(*sizes, input, rewriting);
    if (!axes)
      continue;
    Value places = getRank(op.getOutput()) == 0
                       ? makeScalar(axes->front(), rewriting)
                       : rewriting.makeInts(*axes);
    Value whole = rewriting.make<ShapeOp>(input, IntegerAttr(), IntegerAttr());
    return rewriting.tryReplace(
        op, rewriting.make<GatherOp>(whole, places, IntegerAttr()));
  }
  return failure();
}

static constexpr StringLiteral shapeOfInputPattern =
    "Shape(y) -> Shape(x) [x an input that has the sizes; a source is earlier]";
static LogicalResult readInputs(ShapeOp op, Rewriting &rewriting) {
  auto sizes = rewriting.getEntries(op.getShape());
  if (!sizes || sizes->empty() || isa<BlockArgument>(op.getData()))
    return failure();
  for (Value input : getModelInputs(op)) {
    auto axes = findAxes(*sizes, input, rewriting);
    if (!axes ||
        !llvm::equal(*axes, llvm::seq(axes->front(),
                                      axes->front() + int64_t(axes->size()))))
      continue;
    if (getRank(input) == int64_t(axes->size()))
      return rewriting.tryReplace(
          op, rewriting.make<ShapeOp>(input, IntegerAttr(), IntegerAttr()));
    if (rewriting.getOpset() >= opsetOfParts)
      return rewriting.tryReplace(
          op, makeShape(input, axes->front(), axes->back() + 1, rewriting));
  }
  return failure();
}

//===-- Whole lists -----------------------------------------------------------===//

namespace {
/// The operators that compute a list, upwards as long as values are lists of integers
/// with known entries.
class Cone {
public:
  Cone(Operation *op, const Rewriting &rewriting);

  /// The number of operators, including `op`; none if there are too many to inspect.
  std::optional<unsigned> countAll() const {
    return reached.size() <= most ? std::optional<unsigned>(reached.size())
                                  : std::nullopt;
  }
  /// The number of operators that nothing else needs.
  unsigned countDying() const { return dying.size(); }
  bool isDying(Operation *op) const { return dying.contains(op); }
  ArrayRef<Value> getShapes() const { return shapes; }
  /// Vectors that something else also uses.
  ArrayRef<Value> getShared() const { return shared; }

private:
  /// Larger computations are not inspected, because the rule is tried often.
  static constexpr size_t most = 32;

  llvm::SmallSetVector<Operation *, 16> reached, dying;
  SmallVector<Value> shapes;
  SmallVector<Value> shared;
};

/// A part of a list to create: numbers, another list, or the entries of that list at
/// these positions.
struct Part {
  Value list;
  SmallVector<int64_t> numbers;

  bool isPicked() const { return list && !numbers.empty(); }
};
} // namespace

Cone::Cone(Operation *op, const Rewriting &rewriting) {
  reached.insert(op);
  dying.insert(op);
  for (size_t i = 0; i < reached.size() && i < most; ++i) {
    Operation *next = reached[i];
    for (Value operand : next->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || rewriting.isConstant(operand) ||
          !rewriting.getEntries(operand))
        continue;
      if (!reached.insert(producer))
        continue;
      bool isOnlyHere = isDying(next) && operand.hasOneUse();
      if (isOnlyHere)
        dying.insert(producer);
      else if (getLength(operand))
        shared.push_back(operand);
      if (isa<ShapeOp>(producer))
        shapes.push_back(operand);
    }
  }
}

/// The longest part at the beginning of `entries`, which have the element type `type`,
/// and the number of entries that it covers.
static std::optional<std::pair<Part, size_t>>
findPart(ArrayRef<IndexExpr> entries, Type type, const Cone &cone,
         const Rewriting &rewriting) {
  Part part;
  for (IndexExpr entry : entries) {
    if (!entry.isLiteral())
      break;
    part.numbers.push_back(entry.getLiteral());
  }
  if (!part.numbers.empty())
    return std::pair(part, part.numbers.size());
  size_t length = 0;
  for (Value list : cone.getShared()) {
    if (getElementTypeOrSelf(list.getType()) != type)
      continue;
    DimsExpr there = *rewriting.getEntries(list);
    if (there.size() > length && there.size() <= entries.size() &&
        llvm::all_of(llvm::zip(there, entries), [](auto both) {
          return std::get<0>(both).isKnownEqual(std::get<1>(both));
        })) {
      part.list = list;
      length = there.size();
    }
  }
  for (Value shape : cone.getShapes()) {
    DimsExpr sizes = *rewriting.getEntries(shape);
    SmallVector<int64_t> places;
    for (IndexExpr entry : entries) {
      auto *found = llvm::find_if(
          sizes, [&](IndexExpr size) { return size.isKnownEqual(entry); });
      if (found == sizes.end() || entry.isLiteral())
        break;
      places.push_back(found - sizes.begin());
    }
    if (places.size() <= length)
      continue;
    length = places.size();
    bool isWhole = length == sizes.size() &&
                   llvm::equal(places, llvm::seq<int64_t>(length));
    part = {shape, isWhole ? SmallVector<int64_t>() : places};
  }
  return length ? std::optional(std::pair(part, length)) : std::nullopt;
}

/// Whether a list of these parts needs no more operators than become unused, and
/// depends on fewer operators in total.
static bool isShorter(ArrayRef<Part> parts, const Cone &cone,
                      const Rewriting &rewriting) {
  llvm::SmallPtrSet<Operation *, 4> kept;
  unsigned made = parts.size() > 1;
  for (const Part &part : parts) {
    made += part.isPicked();
    if (part.list)
      kept.insert(part.list.getDefiningOp());
  }
  unsigned saved =
      llvm::count_if(kept, [&](Operation *op) { return cone.isDying(op); });
  unsigned all = made;
  for (Operation *op : kept)
    all += Cone(op, rewriting).countAll().value_or(UINT16_MAX);
  return made + saved <= cone.countDying() && all < cone.countAll();
}

static Value makePart(const Part &part, Rewriting &rewriting) {
  if (!part.isPicked())
    return part.list ? part.list : rewriting.makeInts(part.numbers);
  return rewriting.make<GatherOp>(part.list, rewriting.makeInts(part.numbers),
                                  IntegerAttr());
}

static constexpr StringLiteral shortenListPattern =
    "Where(c, d, Concat(Unsqueeze(Gather(Shape(x), 0)), 8)) -> "
    "Concat(Gather(Shape(x), [0]), 8) [the same entries; fewer on the way]";
static LogicalResult shortenList(Operation *op, Rewriting &rewriting) {
  Value result = op->getResult(0);
  Type type = getElementTypeOrSelf(result.getType());
  if (!getLength(result) || !type.isSignlessInteger(64))
    return failure();
  std::optional<DimsExpr> entries = rewriting.getEntries(result);
  if (!entries || entries->empty())
    return failure();
  Cone cone(op, rewriting);
  if (!cone.countAll() || *cone.countAll() < 2)
    return failure();
  SmallVector<Part> parts;
  for (ArrayRef<IndexExpr> rest = *entries; !rest.empty();) {
    auto found = findPart(rest, type, cone, rewriting);
    if (!found)
      return failure();
    parts.push_back(found->first);
    rest = rest.drop_front(found->second);
  }
  if (!isShorter(parts, cone, rewriting))
    return failure();
  SmallVector<Value> lists;
  for (const Part &part : parts) {
    lists.push_back(makePart(part, rewriting));
    if (!lists.back())
      return failure();
  }
  if (lists.size() == 1)
    return rewriting.tryReplace(op, lists.front());
  return rewriting.tryReplace(
      op, rewriting.make<ConcatOp>(
              lists, rewriting.getBuilder().getI64IntegerAttr(0)));
}

void invar::addShapeRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<multiplySizes>::get("multiply-sizes", Exact,
                                              multiplySizesPattern));
  rules.push_back(makeRuleFor<SliceOp, GatherOp>(
      "part-of-shape", Exact, partOfShapePattern, takePartOfShape));
  rules.push_back(
      RuleFor<readInput>::get("size-of-input", Exact, sizeOfInputPattern));
  rules.push_back(
      RuleFor<readInputs>::get("shape-of-input", Exact, shapeOfInputPattern));
  rules.push_back(
      makeRuleFor<AddOp, CastOp, ConcatOp, DivOp, ExpandOp, GatherOp, MaxOp,
                  MinOp, MulOp, ReshapeOp, ScatterNDOp, SliceOp, SubOp,
                  UnsqueezeOp, WhereOp>("shorten-list", Exact,
                                        shortenListPattern, shortenList));
}
