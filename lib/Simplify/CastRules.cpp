// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drops casts that change nothing, and the first of two casts if it loses nothing.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Cast.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The type of a value if casts from and to it are plain conversions of numbers.
static std::optional<DataType> getPlainType(Value value) {
  std::optional<DataType> type =
      elements::toDataType(getElementTypeOrSelf(value.getType()));
  if (!type)
    return std::nullopt;
  NumberKind kind = getKind(*type);
  bool isPlain = kind == NumberKind::Bool ||
                 (kind <= NumberKind::Float && getBitWidth(*type) >= 8 &&
                  (kind != NumberKind::Float || getBitWidth(*type) >= 16));
  return isPlain ? type : std::nullopt;
}

/// The number of significant binary digits of a float type.
static unsigned getPrecision(DataType type) {
  switch (type) {
  case DataType::BFloat16:
    return 8;
  case DataType::Float16:
    return 11;
  case DataType::Float32:
    return 24;
  default:
    return 53;
  }
}

/// Whether the type `to` has every value of the plain type `from`.
static bool isExactCast(DataType from, DataType to) {
  if (from == to)
    return true;
  NumberKind source = getKind(from), target = getKind(to);
  if (target == NumberKind::Bool)
    return false;
  if (source == NumberKind::Bool)
    return true;
  if (source == NumberKind::Float) {
    // Neither of the two 16-bit types has all values of the other.
    return target == NumberKind::Float && getBitWidth(to) > getBitWidth(from);
  }
  unsigned digits = getBitWidth(from) - (source == NumberKind::Signed);
  if (target == NumberKind::Float)
    return digits <= getPrecision(to);
  if (source == NumberKind::Signed && target == NumberKind::Unsigned)
    return false;
  return digits <= getBitWidth(to) - (target == NumberKind::Signed);
}

static constexpr StringLiteral dropCastPattern =
    "Cast(x) -> x [to its own type; an operator less]";
static LogicalResult dropCast(Operation *op, Rewriting &rewriting) {
  Value x = op->getOperand(0);
  Type type = getElementTypeOrSelf(x.getType());
  if (!elements::toDataType(type) ||
      type != getElementTypeOrSelf(op->getResult(0).getType()))
    return failure();
  rewriting.replace(op, x);
  return success();
}

static constexpr StringLiteral mergeCastsPattern =
    "Cast(Cast(x)) -> Cast(x) [the first one exact; a cast of a cast less]";
static LogicalResult mergeCasts(CastOp op, Rewriting &rewriting) {
  auto inner = op.getInput().getDefiningOp<CastOp>();
  if (!inner)
    return failure();
  auto from = getPlainType(inner.getInput());
  auto between = getPlainType(inner.getOutput());
  auto to = getPlainType(op.getOutput());
  if (!from || !between || !to || !isExactCast(*from, *between))
    return failure();
  // A number that does not fit into an integer converts differently from a float than
  // from an integer.
  bool isInteger = getKind(*from) != NumberKind::Float &&
                   getKind(*to) != NumberKind::Float &&
                   getKind(*to) != NumberKind::Bool;
  if (isInteger && getKind(*between) == NumberKind::Float &&
      !isExactCast(*from, *to))
    return failure();
  Value merged = rewriting.makeLike(op, inner.getInput());
  return rewriting.tryReplace(op, merged);
}

static constexpr StringLiteral castLikeToCastPattern =
    "CastLike(x, y) -> Cast(x) [an operand less]";
static LogicalResult fixCast(CastLikeOp op, Rewriting &rewriting) {
  auto to =
      elements::toDataType(getElementTypeOrSelf(op.getOutput().getType()));
  if (!to ||
      !elements::toDataType(getElementTypeOrSelf(op.getInput().getType())))
    return failure();
  Value cast = rewriting.make<CastOp>(
      op.getInput(), op.getRoundModeAttr(), op.getSaturateAttr(),
      rewriting.getBuilder().getI64IntegerAttr(int64_t(*to)));
  return rewriting.tryReplace(op, cast);
}

void invar::addCastRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(makeRuleFor<CastOp, CastLikeOp>("drop-cast", Exact,
                                                  dropCastPattern, dropCast));
  rules.push_back(
      RuleFor<mergeCasts>::get("merge-casts", Exact, mergeCastsPattern));
  rules.push_back(
      RuleFor<fixCast>::get("cast-like-to-cast", Exact, castLikeToCastPattern));
}
