// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Scatter.h"

#include "ScatterCalls.h"
#include "invar/Dialect/ONNX/RuntimeCall.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Checks (C1) and (C2) of the operators that scatter single elements.
template <typename Op> static Check verifyElements(Op op) {
  Check check(op);
  check.axis("(C1)", "axis", op.getAxis(), op.getData())
      .sameRank("(C2)", "indices", op.getIndices(), "data", op.getData())
      .sameRank("(C2)", "updates", op.getUpdates(), "indices", op.getIndices());
  for (int64_t i = 0, rank = rankOf(op.getUpdates()).value_or(0); i < rank; ++i)
    check.dim("(C2)", "updates", op.getUpdates(), i, dimOf(op.getIndices(), i));
  return check;
}

/// The ways to combine an element with its update, in the order of Reduction.
static constexpr StringRef reductions[] = {"none", "add", "mul", "max", "min"};

LogicalResult ScatterOp::verify() { return verifyElements(*this); }

LogicalResult ScatterElementsOp::verify() {
  return verifyElements(*this).oneOf("(C3)", "reduction", getReduction(),
                                     reductions);
}

LogicalResult ScatterNDOp::verify() {
  Check check(*this);
  check.rankAtLeast("(C1)", "data", getData(), 1)
      .rankAtLeast("(C1)", "indices", getIndices(), 1)
      .oneOf("(C3)", "reduction", getReduction(), reductions);
  std::optional<int64_t> rank = rankOf(getData()),
                         tuple = dimOf(getIndices(), -1);
  if (!rank || !tuple)
    return check;
  check.that("(C2)", *tuple <= *rank,
             "indices of at most " + Twine(*rank) + " elements", Twine(*tuple));
  if (std::optional<int64_t> outer = rankOf(getIndices()))
    check.rank("(C2)", "updates", getUpdates(), *outer - 1 + *rank - *tuple);
  return check;
}

LogicalResult TensorScatterOp::verify() {
  Check check(*this);
  check.axis("(C1)", "axis", getAxis(), getPastCache())
      .that("(C1)", getAxis() != 0, "'axis' not to be the batch", "0")
      .sameRank("(C2)", "update", getUpdate(), "past_cache", getPastCache())
      .oneOf("(C3)", "mode", getMode(), {"linear", "circular"})
      .vector("(C4)", "write_indices", getWriteIndices(),
              dimOf(getPastCache(), 0));
  if (std::optional<int64_t> rank = rankOf(getPastCache()))
    check.that("(C1)", getAxis() != -*rank, "'axis' not to be the batch",
               Twine(getAxis()));
  return check;
}

//===-- Entries of shapes -----------------------------------------------------===//

static IndexExpr combine(StringRef reduction, IndexExpr entry,
                         IndexExpr update) {
  return llvm::StringSwitch<IndexExpr>(reduction)
      .Case("add", entry + update)
      .Case("mul", entry * update)
      .Case("max", IndexExpr::max(entry, update))
      .Case("min", IndexExpr::min(entry, update))
      .Default(update);
}

/// Returns a vector with updates at known indices; empty if an index is unknown.
template <typename Op>
static std::optional<DimsExpr> scatter(Op op, ShapeHelper &shape) {
  IndexExprBuilder &builder = shape.getBuilder();
  auto entries = builder.getIntsFromArrayAsSymbols(op.getData());
  auto updates = builder.getIntsFromArrayAsSymbols(op.getUpdates());
  if (!entries || !updates)
    return std::nullopt;
  for (auto [i, update] : llvm::enumerate(*updates)) {
    IndexExpr index = builder.getIntFromArrayAsLiteral(op.getIndices(), i);
    std::optional<int64_t> place =
        index.isLiteral() ? normalizeAxis(index.getLiteral(), entries->size())
                          : std::nullopt;
    if (!place)
      return std::nullopt;
    (*entries)[*place] = combine(op.getReduction(), (*entries)[*place], update);
  }
  return entries;
}

std::optional<DimsExpr> ScatterElementsOp::computeEntries(ShapeHelper &shape,
                                                          unsigned) {
  return scatter(*this, shape);
}

std::optional<DimsExpr> ScatterNDOp::computeEntries(ShapeHelper &shape,
                                                    unsigned) {
  // Tuples without an index replace everything.
  if (dimOf(getIndices(), -1) != 1)
    return std::nullopt;
  return scatter(*this, shape);
}

//===-- Calls -----------------------------------------------------------------===//

template <typename Op>
static RuntimeCall describeScatter(Op op, StringRef function,
                                   StringRef reduction) {
  RuntimeCall call(op, function);
  call.add(op.getData()).add(op.getIndices()).add(op.getUpdates());
  auto place = llvm::find(reductions, reduction) - std::begin(reductions);
  call.set("reduction", int64_t(place));
  return call;
}

RuntimeCall ScatterOp::describeCall() {
  RuntimeCall call = describeScatter(*this, "ScatterElements", "none");
  return call.set("axis", getAxis());
}

RuntimeCall ScatterElementsOp::describeCall() {
  RuntimeCall call = describeScatter(*this, "ScatterElements", getReduction());
  return call.set("axis", getAxis());
}

RuntimeCall ScatterNDOp::describeCall() {
  return describeScatter(*this, "ScatterND", getReduction());
}
