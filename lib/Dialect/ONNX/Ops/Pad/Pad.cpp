// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Pad.h"

#include "invar/Dialect/ONNX/Shapes.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult PadOp::verify() {
  std::optional<int64_t> axes =
      getAxes() ? dimOf(getAxes(), 0) : rankOf(getData());
  Check check(*this);
  check.oneOf("(C1)", "mode", getMode(),
              {"constant", "reflect", "edge", "wrap"});
  // Runtimes also accept a matrix of one row.
  bool isRow = rankOf(getPads()) == 2 && dimOf(getPads(), 0).value_or(1) == 1;
  if (!isRow)
    check.vector("(C2)", "pads", getPads());
  // A scalar counts as a list of one.
  std::optional<int64_t> pads =
      rankOf(getPads()) == 0 ? 1 : dimOf(getPads(), -1);
  if (pads) {
    check.that("(C2)", *pads % 2 == 0,
               "'pads' to have an even number of elements", Twine(*pads));
    if (axes)
      check.length("(C2)", "pads", pads, llvm::checkedMul<int64_t>(2, *axes));
  }
  return check.oneElement("(C3)", "constant_value", getConstantValue())
      .vector("(C4)", "axes", getAxes());
}

//===-- Shapes ----------------------------------------------------------------===//

/// Returns the borders if the axes are known only at run time: for each axis, tests all
/// entries of the list of axes. Empty if no code is emitted.
static std::optional<PadOp::Borders>
putAnyAxes(ShapeHelper &shape, PadOp::Adaptor in, int64_t rank) {
  IndexExprBuilder &builder = shape.getBuilder();
  std::optional<int64_t> count = builder.getArraySize(in.getAxes());
  if (!count || !shape.getScope().canEmit())
    return std::nullopt;
  PadOp::Borders borders{DimsExpr(rank, 0), DimsExpr(rank, 0)};
  for (int64_t axis = 0; axis < rank; ++axis)
    for (int64_t i = 0; i < *count; ++i) {
      IndexExpr entry = builder.getIntFromArrayAsSymbol(in.getAxes(), i);
      IndexExpr isMeant = (entry == axis) | (entry == axis - rank);
      auto put = [&](IndexExpr &size, int64_t place) {
        size = IndexExpr::select(
            isMeant, builder.getIntFromArrayAsSymbol(in.getPads(), place),
            size);
      };
      put(borders.begins[axis], i);
      put(borders.ends[axis], *count + i);
    }
  return borders;
}

FailureOr<std::optional<PadOp::Borders>> PadOp::getBorders(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  std::optional<int64_t> rank = shape.getRank(in.getData());
  if (!rank || !shape.hasShape(in.getPads()))
    return std::optional<Borders>();
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq(*rank));
  if (in.getAxes()) {
    auto given = shape::readAxes(shape, in.getAxes(), *rank, "(C4)");
    if (failed(given))
      return failure();
    if (!*given)
      return putAnyAxes(shape, in, *rank);
    axes = std::move(**given);
  }
  // Symbolic entries exist only for vectors. In a row, only constant numbers are known.
  bool isRow = shape.getRank(in.getPads()) == 2;
  auto read = [&](size_t i) {
    return isRow ? shape.getBuilder().getIntFromArrayAsLiteral(in.getPads(), i)
                 : shape.getBuilder().getIntFromArrayAsSymbol(in.getPads(), i);
  };
  Borders borders{DimsExpr(*rank, 0), DimsExpr(*rank, 0)};
  // If an axis is listed twice, the last pads apply.
  for (auto [i, axis] : llvm::enumerate(axes)) {
    borders.begins[axis] = read(i);
    borders.ends[axis] = read(axes.size() + i);
  }
  return std::optional(std::move(borders));
}

LogicalResult PadOp::computeShape(ShapeHelper &shape) {
  auto borders = getBorders(shape);
  if (failed(borders))
    return failure();
  Value data = shape.operandsOf(*this).getData();
  std::optional<int64_t> rank = shape.getRank(data);
  if (!*borders) {
    if (rank)
      shape.setOutputDims(shape.getQuestionmarks(*rank));
    return success();
  }
  DimsExpr dims = shape.getDims(data);
  Check check(*this);
  for (auto [size, begin, end] :
       llvm::zip_equal(dims, (*borders)->begins, (*borders)->ends)) {
    size = size + begin + end;
    check.that("(C5)", !size.isLiteral() || size.getLiteral() >= 0,
               "a size of at least 0 to remain", Twine(size.getShape()));
  }
  shape.setOutputDims(std::move(dims));
  return check;
}

std::optional<DimsExpr> PadOp::computeEntries(ShapeHelper &shape, unsigned) {
  IndexExprBuilder &builder = shape.getBuilder();
  auto entries = builder.getIntsFromArrayAsSymbols(getData());
  auto count = builder.getArraySize(getOutput());
  auto borders = getBorders(shape);
  if (getMode() != "constant" || !entries || !count || failed(borders) ||
      !*borders || (*borders)->begins.size() != 1 ||
      !(*borders)->begins.front().isLiteral())
    return std::nullopt;
  IndexExpr border = builder.getIntAsSymbol(getConstantValue(), 0);
  int64_t size = entries->size();
  DimsExpr padded;
  for (int64_t i = 0; i < *count; ++i) {
    IndexExpr place = IndexExpr(i) - (*borders)->begins.front();
    bool isInside = place.isLiteral() && place.getLiteral() >= 0 &&
                    place.getLiteral() < size;
    padded.push_back(isInside ? (*entries)[place.getLiteral()] : border);
  }
  return padded;
}
