// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Window.h"

#include "Border.h"
#include "Contraction.h"

using namespace mlir;
using namespace invar;

/// Whether two loops move the access along one axis.
static bool shareAxis(const Access &access, unsigned lhs, unsigned rhs) {
  return llvm::any_of(access.getAxes(), [&](const Access::Axis &axis) {
    return axis.steps[lhs] && axis.steps[rhs];
  });
}

FailureOr<Window> Window::get(func::FuncOp kernel) {
  auto root = findRoot(kernel);
  if (!root)
    return failure();
  Block *body = root.getBody();
  if (!body->getOps<linalg::IndexOp>().empty() ||
      !body->getOps<tensor::ExtractOp>().empty())
    return failure();
  FailureOr<Epilogue> epilogue = Epilogue::get(root);
  if (failed(epilogue))
    return failure();
  std::optional<unsigned> vectorLoop = epilogue->findVectorLoop();
  if (!vectorLoop)
    return failure();

  Window found{root, *epilogue};
  SmallVector<int64_t> sizes = root.getStaticLoopRanges();
  found.vectorLoop = *vectorLoop;
  for (OpOperand *operand : root.getDpsInputOperands()) {
    BlockArgument element = root.getMatchingBlockArgument(operand);
    if (element.use_empty())
      continue;
    FailureOr<Access> access = Access::get(
        operand->get(), root.getMatchingIndexingMap(operand), sizes);
    if (failed(access) || access->isTiled() ||
        (access->moves(*vectorLoop) && !access->isContiguous(*vectorLoop)) ||
        access->movesAlongBorder(*vectorLoop))
      return failure();
    Value border = access->getBorder();
    found.inputs.push_back(
        {*access, element, border && isNeutral(border, element)});
  }

  auto order = root.getMatchingIndexingMap(root.getDpsInitOperand(0));
  for (AffineExpr expr : order.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (sizes[loop] != 1 && loop != *vectorLoop)
      found.outer.push_back(loop);
  }
  if (found.outer.empty())
    return failure();
  found.tileLoop = found.outer.pop_back_val();

  bool hasWindow = false;
  SmallVector<unsigned> parallel, reduced;
  root.getParallelDims(parallel);
  root.getReductionDims(reduced);
  constexpr int64_t mostUnrolled = 9;
  for (unsigned loop : reduced) {
    bool isUnrolled = false;
    for (const Input &input : found.inputs) {
      for (unsigned other : parallel)
        hasWindow |= shareAxis(input.access, loop, other);
      isUnrolled |= shareAxis(input.access, loop, found.tileLoop);
    }
    if (sizes[loop] == 1)
      continue;
    if (isUnrolled && !found.unrolledTap &&
        !ShapedType::isDynamic(sizes[loop]) && sizes[loop] <= mostUnrolled)
      found.unrolledTap = loop;
    else
      found.taps.push_back(loop);
  }
  if (!hasWindow)
    return failure();
  return found;
}
