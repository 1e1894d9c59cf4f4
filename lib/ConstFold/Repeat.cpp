// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Repeat.h"

#include "invar/Dialect/Const/Const.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;

//===-- Repeats ---------------------------------------------------------------===//

static std::optional<Repeat> matchSplat(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  ElementsAttr content = constants::getContent(value);
  if (!type.getElementType().isIntOrFloat() ||
      llvm::all_of(type.getShape(), [](int64_t size) { return size == 1; }) ||
      !content || !content.isSplat())
    return std::nullopt;
  Repeat repeat{value, content, {}};
  for (int64_t size : type.getShape())
    repeat.axes.push_back({{size, std::nullopt}});
  return repeat;
}

/// Reads a copy. Each of its axes is one part.
static std::optional<Repeat> matchCopy(Value value) {
  std::optional<Elementwise> copy = Elementwise::match(value);
  if (!copy || !copy->isCopy())
    return std::nullopt;
  const LoopOperand &operand = copy->getOperands()[0];
  Repeat repeat{operand.value, {}, {}};
  for (int64_t size : copy->getType().getShape())
    repeat.axes.push_back({{size, std::nullopt}});
  for (auto [axis, place] : llvm::enumerate(operand.map.getResults())) {
    if (auto loop = dyn_cast<AffineDimExpr>(place)) {
      std::optional<unsigned> &read = repeat.axes[loop.getPosition()][0].axis;
      if (read) // A diagonal.
        return std::nullopt;
      read = unsigned(axis);
    } else if (place != 0) {
      return std::nullopt;
    }
  }
  return repeat;
}

/// Merges axes to those of another shape; fails if an axis crosses a boundary.
static LogicalResult merge(SmallVectorImpl<Repeat::Parts> &axes,
                           ArrayRef<int64_t> shape) {
  SmallVector<Repeat::Parts> merged;
  auto *next = axes.begin();
  for (int64_t size : shape) {
    Repeat::Parts parts;
    for (int64_t total = 1; total != size; parts.push_back((*next++)[0]))
      if (next == axes.end() || ShapedType::isDynamic((*next)[0].size) ||
          llvm::MulOverflow(total, (*next)[0].size, total) || total > size ||
          total == 0)
        return failure();
    if (parts.empty())
      parts.push_back({1, std::nullopt});
    merged.push_back(std::move(parts));
  }
  if (std::any_of(next, axes.end(),
                  [](auto &parts) { return parts[0].size != 1; }))
    return failure();
  axes = std::move(merged);
  return success();
}

std::optional<Repeat> Repeat::match(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return std::nullopt;
  if (auto splat = matchSplat(value))
    return splat;
  Value whole = value;
  if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>())
    whole = collapse.getSrc();
  else if (auto reshape = value.getDefiningOp<tensor::ReshapeOp>())
    whole = reshape.getSource();
  std::optional<Repeat> repeat = matchCopy(whole);
  if (!repeat)
    return std::nullopt;
  bool repeats = llvm::any_of(repeat->axes, [](const Parts &parts) {
    return !parts[0].axis && parts[0].size != 1;
  });
  if (!repeats ||
      (whole != value && failed(merge(repeat->axes, type.getShape()))))
    return std::nullopt;
  return repeat;
}

//===-- Loops -----------------------------------------------------------------===//

Loops::Loops(RankedTensorType type) {
  for (int64_t size : type.getShape())
    sizes.push_back({size});
}

bool Loops::split(unsigned loop, ArrayRef<Repeat::Part> into) {
  auto wanted =
      llvm::map_range(into, [](const Repeat::Part &part) { return part.size; });
  if (isSplit(loop))
    return llvm::equal(sizes[loop], wanted);
  sizes[loop].assign(wanted.begin(), wanted.end());
  return true;
}

unsigned Loops::getFirst(unsigned loop) const {
  unsigned first = 0;
  for (unsigned i = 0; i < loop; ++i)
    first += unsigned(sizes[i].size());
  return first;
}

unsigned Loops::getNumParts() const { return getFirst(unsigned(sizes.size())); }

SmallVector<int64_t> Loops::getSizes() const {
  SmallVector<int64_t> all;
  for (ArrayRef<int64_t> parts : sizes)
    llvm::append_range(all, parts);
  return all;
}

SmallVector<SmallVector<int64_t, 2>> Loops::getGroups() const {
  SmallVector<SmallVector<int64_t, 2>> groups;
  int64_t next = 0;
  for (ArrayRef<int64_t> parts : sizes) {
    groups.emplace_back();
    for (size_t i = 0; i < parts.size(); ++i)
      groups.back().push_back(next++);
  }
  return groups;
}

//===-- Sources ---------------------------------------------------------------===//

LoopOperand Source::build(OpBuilder &builder, unsigned numLoops) const {
  MLIRContext *context = builder.getContext();
  if (!splat)
    return {value, AffineMap::get(numLoops, 0, places, context)};
  return {makeNumber(builder, value.getLoc(), getNumber(value)),
          AffineMap::get(numLoops, 0, context)};
}

/// Converts an expression over loops to one over their parts; none if a loop in it is
/// split.
static std::optional<AffineExpr> toParts(AffineExpr place, const Loops &loops,
                                         unsigned numLoops) {
  SmallVector<AffineExpr> parts;
  for (unsigned loop = 0; loop < numLoops; ++loop) {
    if (loops.isSplit(loop) && place.isFunctionOfDim(loop))
      return std::nullopt;
    parts.push_back(getAffineDimExpr(loops.getFirst(loop), place.getContext()));
  }
  return place.replaceDims(parts);
}

Refusal invar::readThrough(const LoopOperand &operand, const Repeat *repeat,
                           const Loops &loops, Source &source) {
  MLIRContext *context = operand.map.getContext();
  unsigned numLoops = operand.map.getNumDims();
  source.value = repeat ? repeat->source : operand.value;
  source.splat = repeat ? repeat->splat : ElementsAttr();
  auto tensor = dyn_cast<RankedTensorType>(source.value.getType());
  if (tensor && !source.splat)
    source.places.assign(size_t(tensor.getRank()),
                         getAffineConstantExpr(0, context));
  for (auto [axis, place] : llvm::enumerate(operand.map.getResults())) {
    std::optional<AffineExpr> whole = toParts(place, loops, numLoops);
    if (!repeat) {
      if (!whole)
        return Refusal::Differs;
      source.places[axis] = *whole;
      continue;
    }
    ArrayRef<Repeat::Part> parts = repeat->axes[axis];
    bool repeatsOnly = llvm::none_of(
        parts, [](const Repeat::Part &part) { return part.axis.has_value(); });
    auto loop = dyn_cast<AffineDimExpr>(place);
    if (repeatsOnly || place == 0)
      continue;
    if (parts.size() == 1 && whole)
      source.places[*parts[0].axis] = *whole;
    else if (!loop || parts.size() == 1)
      return Refusal::Disagrees;
    else
      for (auto [i, part] : llvm::enumerate(parts))
        if (part.axis)
          source.places[*part.axis] = getAffineDimExpr(
              loops.getFirst(loop.getPosition()) + unsigned(i), context);
  }
  return Refusal::None;
}
