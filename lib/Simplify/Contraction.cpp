// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Contraction.h"

#include "invar/Dialect/ONNX/Equation.h"
#include "invar/Dialect/ONNX/Ops/Reduce.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

namespace {
using Axis = EinsumAxis;
using Axes = EinsumAxes;

struct NamedTerm {
  Expression x;
  Axes axes;

  bool has(Axis axis) const { return llvm::is_contained(axes, axis); }
  int64_t find(Axis axis) const {
    return llvm::find(axes, axis) - axes.begin();
  }
};

/// The axes of two operands, by their roles in the product.
struct Roles {
  Axes batch, summed, ofLeft, ofRight;
};

/// Axes of a term that together form one axis of a product.
using Group = std::pair<const NamedTerm *, Axes>;

class Contraction {
public:
  /// With `usesGemm`, one operator may transpose and multiply.
  Contraction(EinsumOp op, bool usesGemm, Rewriting &rewriting)
      : op(op), usesGemm(usesGemm), rewriting(rewriting) {}

  /// Null if too little is known about shapes.
  Expression compute();

private:
  bool readEquation();
  /// Whether an axis is still needed after operand `number` has been joined.
  bool isNeeded(Axis axis, size_t number) const;
  /// The axes of the result in its order, then the others.
  Axes inOrderOfResult(const Axes &axes) const;

  void takeDiagonals(NamedTerm &term);
  void dropRepeated();
  void sumOver(NamedTerm &term, const Axes &axes);
  /// The term with its axes in this order. A missing axis has size one; leading missing
  /// axes are left out.
  Expression arrange(const NamedTerm &term, const Axes &order);
  /// The term with the axes `kept`, then one axis for each group. An empty group has
  /// size one.
  Expression merge(const NamedTerm &term, const Axes &kept,
                   ArrayRef<Axes> groups);
  /// The inverse of merge(): splits the axes after `kept` into the groups that they
  /// came from.
  Expression split(Expression product, const Axes &kept,
                   ArrayRef<Group> groups);
  Size countAlong(const NamedTerm &term, const Axes &axes);

  /// Multiplies `left` by operand `number`.
  NamedTerm join(NamedTerm left, NamedTerm right, size_t number);
  NamedTerm multiply(const NamedTerm &left, const NamedTerm &right);
  NamedTerm multiplyMatrices(const NamedTerm &left, const NamedTerm &right,
                             const Roles &roles);
  Expression multiplyByGemm(const NamedTerm &left, const NamedTerm &right,
                            const Roles &roles);

  EinsumOp op;
  bool usesGemm;
  Rewriting &rewriting;
  SmallVector<NamedTerm> terms;
  Axes result;
};
} // namespace

/// Whether products and sums of matrices support a type.
static bool isMultiplied(std::optional<DataType> type) {
  if (!type)
    return false;
  NumberKind kind = getKind(*type);
  return (kind == NumberKind::Float && getBitWidth(*type) >= 16) ||
         ((kind == NumberKind::Signed || kind == NumberKind::Unsigned) &&
          getBitWidth(*type) >= 32);
}

bool Contraction::readEquation() {
  auto equation = op.parseEquation();
  if (failed(equation))
    return false;
  int64_t most = 0;
  for (auto [term, operand] :
       llvm::zip_equal(equation->operands, op.getInputs())) {
    Expression x(operand, rewriting);
    std::optional<int64_t> rank = x.getRank();
    int64_t others = rank.value_or(0) - int64_t(term.letters.size());
    if (!rank || others < 0 || (others > 0 && !term.ellipsis) ||
        !isMultiplied(x.getType()))
      return false;
    most = std::max(most, others);
    terms.push_back({x, nameAxes(term, others)});
  }
  result = nameAxes(equation->result, most);
  return true;
}

bool Contraction::isNeeded(Axis axis, size_t number) const {
  return llvm::is_contained(result, axis) ||
         llvm::any_of(ArrayRef(terms).drop_front(number + 1),
                      [&](const NamedTerm &term) { return term.has(axis); });
}

Axes Contraction::inOrderOfResult(const Axes &axes) const {
  Axes ordered;
  for (Axis axis : result)
    if (llvm::is_contained(axes, axis))
      ordered.push_back(axis);
  for (Axis axis : axes)
    if (!llvm::is_contained(result, axis))
      ordered.push_back(axis);
  return ordered;
}

/// Replaces an axis that is named twice by the diagonal: in a square of n x n elements,
/// every (n+1)th element.
void Contraction::takeDiagonals(NamedTerm &term) {
  for (size_t i = 0; i < term.axes.size(); ++i) {
    Axis axis = term.axes[i];
    auto *second = std::find(term.axes.begin() + i + 1, term.axes.end(), axis);
    if (second == term.axes.end())
      continue;
    int64_t k = second - term.axes.begin();
    SmallVector<int64_t> order;
    for (int64_t place = 0; place < int64_t(term.axes.size()); ++place)
      if (place != int64_t(i) && place != k)
        order.push_back(place);
    int64_t others = int64_t(order.size());
    order.append({int64_t(i), k});
    Size n(term.x, int64_t(i));
    SmallVector<Size> sizes(others, Size::copied());
    sizes.push_back(n * n);
    Expression flat = reshapeTo(transpose(term.x, order), sizes);
    term.x = Expression::make<SliceOp>(
        &rewriting, flat, ints(0, rewriting),
        ints(std::numeric_limits<int64_t>::max(), rewriting),
        ints(others, rewriting), (n + 1).get(rewriting));
    // The slice alone does not show that this size is n again.
    sizes.back() = n;
    if (!n.getNumber())
      term.x = reshapeTo(term.x, sizes);
    term.axes.erase(second);
    term.axes.erase(term.axes.begin() + i);
    term.axes.push_back(axis);
    --i; // Another axis is at this index now.
  }
}

/// Drops axes of size 1 that another term broadcasts.
void Contraction::dropRepeated() {
  for (NamedTerm &term : terms) {
    SmallVector<int64_t> ones;
    Axes kept;
    for (auto [place, axis] : llvm::enumerate(term.axes)) {
      bool isRepeated = llvm::any_of(terms, [&](const NamedTerm &other) {
        return other.has(axis) && other.x.getSize(other.find(axis)) != 1;
      });
      if (isRepeated && term.x.getSize(int64_t(place)) == 1)
        ones.push_back(int64_t(place));
      else
        kept.push_back(axis);
    }
    term.x = squeeze(term.x, ones);
    term.axes = std::move(kept);
  }
}

void Contraction::sumOver(NamedTerm &term, const Axes &axes) {
  if (axes.empty())
    return;
  SmallVector<int64_t> places;
  for (Axis axis : axes)
    places.push_back(term.find(axis));
  llvm::sort(places);
  term.x = reduce<ReduceSumOp>(term.x, places, /*keepsAxes=*/false);
  llvm::erase_if(term.axes,
                 [&](Axis axis) { return llvm::is_contained(axes, axis); });
}

Expression Contraction::arrange(const NamedTerm &term, const Axes &order) {
  SmallVector<int64_t> permutation, missing;
  for (auto [place, axis] : llvm::enumerate(order)) {
    if (term.has(axis))
      permutation.push_back(term.find(axis));
    else if (!permutation.empty()) // Broadcasting adds leading axes.
      missing.push_back(int64_t(place));
  }
  int64_t leading = int64_t(order.size() - permutation.size() - missing.size());
  for (int64_t &place : missing)
    place -= leading;
  return unsqueeze(transpose(term.x, permutation), missing);
}

Size Contraction::countAlong(const NamedTerm &term, const Axes &axes) {
  Size count = 1;
  for (Axis axis : axes)
    count = count * Size(term.x, term.find(axis));
  return count;
}

Expression Contraction::merge(const NamedTerm &term, const Axes &kept,
                              ArrayRef<Axes> groups) {
  Axes order = kept;
  SmallVector<int64_t> ones;
  for (auto [i, group] : llvm::enumerate(groups)) {
    llvm::append_range(order, group);
    if (group.empty())
      ones.push_back(int64_t(kept.size() + i));
  }
  Expression x = arrange(term, order);
  if (llvm::all_of(groups, [](const Axes &group) { return group.size() < 2; }))
    return unsqueeze(x, ones);
  SmallVector<Size> sizes(kept.size(), Size::copied());
  for (const Axes &group : groups)
    sizes.push_back(countAlong(term, group));
  return reshapeTo(x, sizes);
}

Expression Contraction::split(Expression product, const Axes &kept,
                              ArrayRef<Group> groups) {
  SmallVector<int64_t> ones;
  for (auto [i, group] : llvm::enumerate(groups))
    if (group.second.empty())
      ones.push_back(int64_t(kept.size() + i));
  if (llvm::all_of(groups,
                   [](const Group &group) { return group.second.size() < 2; }))
    return squeeze(product, ones);
  SmallVector<Size> sizes(kept.size(), Size::copied());
  for (const auto &[term, axes] : groups)
    for (Axis axis : axes)
      sizes.push_back(Size(term->x, term->find(axis)));
  return reshapeTo(product, sizes);
}

/// Without a sum, each element of the result is a product.
NamedTerm Contraction::multiply(const NamedTerm &left, const NamedTerm &right) {
  Axes order = left.axes;
  for (Axis axis : right.axes)
    if (!left.has(axis))
      order.push_back(axis);
  order = inOrderOfResult(order);
  return {arrange(left, order) * arrange(right, order), order};
}

/// Multiplies two matrices by a Gemm that transposes at least one of them; null in
/// other cases.
Expression Contraction::multiplyByGemm(const NamedTerm &left,
                                       const NamedTerm &right,
                                       const Roles &roles) {
  std::optional<DataType> type = left.x.getType();
  if (!usesGemm || left.axes.size() != 2 || right.axes.size() != 2 || !type ||
      getKind(*type) != NumberKind::Float || roles.ofLeft.size() != 1 ||
      roles.ofRight.size() != 1)
    return {};
  bool turnsLeft = left.axes[0] == roles.summed[0];
  bool turnsRight = right.axes[1] == roles.summed[0];
  if (!turnsLeft && !turnsRight)
    return {};
  auto flag = [&](bool isSet) {
    return isSet ? rewriting.getBuilder().getI64IntegerAttr(1) : IntegerAttr();
  };
  return Expression::make<GemmOp>(&rewriting, left.x, right.x, Value(),
                                  FloatAttr(), FloatAttr(), flag(turnsLeft),
                                  flag(turnsRight));
}

NamedTerm Contraction::multiplyMatrices(const NamedTerm &left,
                                        const NamedTerm &right,
                                        const Roles &roles) {
  const auto &[batch, summed, ofLeft, ofRight] = roles;
  Axes axes = chain({batch, ofLeft, ofRight});
  if (Expression product = multiplyByGemm(left, right, roles))
    return {product, axes};
  // Without batches, the rows may have any number of axes, and MatMul accepts vectors
  // as rows or columns.
  Axes kept = batch.empty() ? ofLeft : batch;
  SmallVector<Axes> rows = {summed}, columns = {summed};
  SmallVector<Group> groups;
  if (!batch.empty()) {
    rows.insert(rows.begin(), ofLeft);
    groups.push_back({&left, ofLeft});
  }
  if (!batch.empty() || !ofRight.empty()) {
    columns.push_back(ofRight);
    groups.push_back({&right, ofRight});
  }
  Expression product = Expression::make<MatMulOp>(merge(left, kept, rows),
                                                  merge(right, batch, columns));
  return {split(product, kept, groups), axes};
}

/// Whether an axis has the same size on both sides in every run.
static bool hasOneSize(Axis axis, const NamedTerm &left, const NamedTerm &right,
                       Rewriting &rewriting) {
  auto a = rewriting.getDims(left.x), b = rewriting.getDims(right.x);
  return a && b && (*a)[left.find(axis)].isKnownEqual((*b)[right.find(axis)]);
}

NamedTerm Contraction::join(NamedTerm left, NamedTerm right, size_t number) {
  Roles roles;
  Axes leftSums, rightSums;
  for (Axis axis : left.axes) {
    bool isCommon = right.has(axis), isKept = isNeeded(axis, number);
    (isCommon ? isKept ? roles.batch : roles.summed
     : isKept ? roles.ofLeft
              : leftSums)
        .push_back(axis);
  }
  for (Axis axis : right.axes)
    if (!left.has(axis))
      (isNeeded(axis, number) ? roles.ofRight : rightSums).push_back(axis);
  sumOver(left, leftSums);
  sumOver(right, rightSums);
  if (!left.x || !right.x)
    return {};
  bool isMatrix = !roles.ofLeft.empty() || !roles.ofRight.empty();
  if (roles.summed.empty() || (!isMatrix && !roles.batch.empty())) {
    NamedTerm product = multiply(left, right);
    sumOver(product, roles.summed);
    return product;
  }
  for (Axis axis : roles.summed)
    if (!hasOneSize(axis, left, right, rewriting))
      return {};
  for (Axes *axes : {&roles.batch, &roles.ofLeft, &roles.ofRight})
    *axes = inOrderOfResult(*axes);
  // Swap rows and columns if the result has them in that order.
  if (chain({roles.batch, roles.ofRight, roles.ofLeft}) == result) {
    std::swap(left, right);
    std::swap(roles.ofLeft, roles.ofRight);
  }
  return multiplyMatrices(left, right, roles);
}

Expression Contraction::compute() {
  if (!readEquation())
    return {};
  for (NamedTerm &term : terms)
    takeDiagonals(term);
  dropRepeated();
  NamedTerm total = terms.front();
  for (size_t number = 1; number < terms.size() && total.x; ++number)
    total = join(std::move(total), terms[number], number);
  if (!total.x)
    return {};
  Axes rest;
  llvm::copy_if(total.axes, std::back_inserter(rest),
                [&](Axis axis) { return !llvm::is_contained(result, axis); });
  sumOver(total, rest);
  return total.x ? arrange(total, result) : Expression();
}

Expression invar::contract(EinsumOp op, bool usesGemm, Rewriting &rewriting) {
  return Contraction(op, usesGemm, rewriting).compute();
}
