// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Epilogue.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

//===----------------------------------------------------------------------===//
// Finding the steps
//===----------------------------------------------------------------------===//

/// The loop of each result of a map that only selects and orders loops.
static std::optional<SmallVector<unsigned>> getLoops(AffineMap map) {
  SmallVector<unsigned> loops;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || llvm::is_contained(loops, dim.getPosition()))
      return std::nullopt;
    loops.push_back(dim.getPosition());
  }
  return loops;
}

AffineMap Epilogue::inLoopsOfRoot(AffineMap map,
                                  ArrayRef<unsigned> loops) const {
  SmallVector<AffineExpr> dims;
  for (unsigned loop : loops)
    dims.push_back(getAffineDimExpr(loop, map.getContext()));
  return map.replaceDimsAndSymbols(dims, {}, loopSizes.size(), 0);
}

/// Adds a tensor that is read elementwise: one that is computed here, a constant, or an
/// argument.
LogicalResult Epilogue::addRead(OpOperand &operand, const Step &step) {
  auto op = step.op;
  BlockArgument argument = op.getMatchingBlockArgument(&operand);
  if (argument.use_empty())
    return success();
  AffineMap map =
      inLoopsOfRoot(op.getMatchingIndexingMap(&operand), step.loops);
  Value value = operand.get();
  if (auto found = axes.find(value); found != axes.end())
    return success(getLoops(map) == found->second);
  if (value.getDefiningOp<linalg::FillOp>())
    return success();
  FailureOr<Access> access = Access::get(value, map, loopSizes);
  if (failed(access) || access->getBorder() || access->isTiled())
    return failure();
  reads.insert({&operand, {*access, {}}});
  return success();
}

LogicalResult Epilogue::add(linalg::GenericOp op, ArrayRef<unsigned> loops) {
  Step step{op, llvm::to_vector(loops)};
  bool isPlain = op.getNumParallelLoops() == op.getNumLoops() &&
                 op.getBody()->getOps<tensor::ExtractOp>().empty();
  if (!isPlain)
    return failure();
  for (OpOperand &operand : op->getOpOperands())
    if (failed(addRead(operand, step)))
      return failure();
  for (OpResult result : op->getResults()) {
    auto order =
        getLoops(inLoopsOfRoot(op.getIndexingMapMatchingResult(result), loops));
    if (!order || order->size() != loops.size())
      return failure();
    axes[result] = *order;
  }
  steps.insert({op, step});
  return success();
}

/// Adds a step after the root. Its loops follow from a computed tensor that it reads.
LogicalResult Epilogue::addAfter(linalg::GenericOp op) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto known = axes.find(operand->get());
    if (known == axes.end())
      continue;
    auto own = getLoops(op.getMatchingIndexingMap(operand));
    if (!own || own->size() != op.getNumLoops())
      return failure();
    SmallVector<unsigned> loops(own->size());
    for (auto [axis, loop] : llvm::enumerate(*own))
      loops[loop] = known->second[axis];
    return add(op, loops);
  }
  return failure();
}

/// Adds the computation of the sums' initial value. Its loops follow from its result.
LogicalResult Epilogue::addBefore(Value value) {
  AffineMap map = root.getMatchingIndexingMap(root.getDpsInitOperand(0));
  auto order = getLoops(map);
  if (!order || order->size() != root.getNumParallelLoops())
    return failure();
  axes[root->getResult(0)] = *order;
  if (value.getDefiningOp<linalg::FillOp>())
    return success();
  if (auto op = value.getDefiningOp<linalg::GenericOp>()) {
    auto own = getLoops(op.getIndexingMapMatchingResult(cast<OpResult>(value)));
    if (!own || own->size() != op.getNumLoops())
      return failure();
    SmallVector<unsigned> loops(own->size());
    for (auto [axis, loop] : llvm::enumerate(*own))
      loops[loop] = (*order)[axis];
    return add(op, loops);
  }
  auto kernel = root->getParentOfType<func::FuncOp>();
  auto argument = dyn_cast<BlockArgument>(value);
  unsigned results = kernel.getNumResults();
  if (!argument ||
      argument.getArgNumber() + results >= kernel.getNumArguments())
    return failure();
  FailureOr<Access> access = Access::get(value, map, loopSizes);
  if (failed(access))
    return failure();
  init = Operand{*access, {}};
  return success();
}

LogicalResult Epilogue::addResults(func::FuncOp kernel) {
  auto targets = kernel.getArguments().take_back(kernel.getNumResults());
  Operation *end = kernel.front().getTerminator();
  for (auto [value, target] : llvm::zip_equal(end->getOperands(), targets)) {
    auto known = axes.find(value);
    if (known == axes.end())
      return failure();
    AffineMap map = AffineMap::getMultiDimIdentityMap(known->second.size(),
                                                      kernel.getContext());
    FailureOr<Access> access =
        Access::get(target, inLoopsOfRoot(map, known->second), loopSizes);
    if (failed(access))
      return failure();
    results.push_back({value, {*access, {}}});
  }
  return success();
}

FailureOr<Epilogue> Epilogue::get(linalg::GenericOp root) {
  Epilogue epilogue;
  epilogue.root = root;
  epilogue.loopSizes = root.getStaticLoopRanges();
  if (root->getNumResults() != 1 ||
      failed(epilogue.addBefore(root.getDpsInitOperand(0)->get())))
    return failure();
  auto kernel = root->getParentOfType<func::FuncOp>();
  for (Operation &op : kernel.front().without_terminator()) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (generic) {
      bool isKnown =
          generic == root || epilogue.steps.contains(generic) ||
          llvm::is_contained(root.getDpsInputs(), generic->getResult(0));
      if (!isKnown && failed(epilogue.addAfter(generic)))
        return failure();
    } else if (isa<linalg::LinalgOp>(op) && !isa<linalg::FillOp>(op)) {
      return failure();
    }
  }
  if (failed(epilogue.addResults(kernel)))
    return failure();
  return epilogue;
}

unsigned Epilogue::getCost() const {
  // Most operations of the dialect math are computed by a polynomial.
  constexpr unsigned polynomial = 16;
  unsigned cost = 0;
  for (auto [op, step] : steps)
    for (Operation &inner : step.op.getBody()->without_terminator())
      cost += isa<math::MathDialect>(inner.getDialect()) ? polynomial : 1;
  return cost;
}

SmallVector<const Access *> Epilogue::getAccesses() const {
  SmallVector<const Access *> accesses;
  for (auto &[operand, read] : reads)
    accesses.push_back(&read.access);
  if (init)
    accesses.push_back(&init->access);
  for (const Result &result : results)
    accesses.push_back(&result.target.access);
  return accesses;
}

std::optional<unsigned> Epilogue::findVectorLoop() const {
  for (unsigned loop : axes.find(root->getResult(0))->second) {
    auto isVector = [&](const Access &access) {
      return access.isContiguous(loop);
    };
    bool canStore = llvm::all_of(results, [&](const Result &result) {
      return isVector(result.target.access);
    });
    bool canLoad = llvm::all_of(getAccesses(), [&](const Access *access) {
      return isVector(*access) || !access->moves(loop);
    });
    if (loopSizes[loop] != 1 && canStore && canLoad)
      return loop;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Writing the steps
//===----------------------------------------------------------------------===//

SmallVector<const Walk *> Epilogue::enter(KernelBuilder &builder) {
  SmallVector<const Walk *> walks;
  auto take = [&](Operand &operand) {
    operand.walk = operand.access.getWalk(builder);
    operand.walk.number = walks.size();
    walks.push_back(&operand.walk);
  };
  for (auto &[operand, read] : reads)
    take(read);
  if (init)
    take(*init);
  for (Result &result : results)
    take(result.target);
  return walks;
}

Value Epilogue::read(KernelBuilder &builder, const Point &point,
                     const Operand &operand, Type element) const {
  Value offset = point.offset(operand.access, operand.walk);
  if (!operand.access.moves(point.vectorLoop))
    return builder.load(operand.walk.buffer, offset, element);
  return builder.loadVector(operand.walk.buffer, offset, element, point.lanes,
                            point.mask);
}

Value Epilogue::evaluate(KernelBuilder &builder, const Point &point,
                         Value value, Known &known) const {
  if (Value found = known.lookup(value))
    return found;
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return known[value] = builder.getScalar(fill.value());
  const Step &step = steps.find(value.getDefiningOp())->second;
  auto op = step.op;
  Values arguments;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    auto found = reads.find(&operand);
    if (argument.use_empty())
      arguments.push_back(Value());
    else if (found != reads.end())
      arguments.push_back(
          read(builder, point, found->second, argument.getType()));
    else
      arguments.push_back(evaluate(builder, point, operand.get(), known));
  }
  BodyHooks hooks;
  auto index = [&](int64_t dim) { return point.index(step.loops[dim]); };
  hooks.index = index;
  Values yielded = cloneBody(builder, *op.getBody(), arguments, hooks);
  for (auto [result, scalar] : llvm::zip_equal(op->getResults(), yielded))
    known[result] = scalar;
  return known.lookup(value);
}

Value Epilogue::emitInit(KernelBuilder &builder, const Point &point) const {
  Known known;
  auto op = root;
  Value given = op.getDpsInitOperand(0)->get();
  Type element = getElementTypeOrSelf(given);
  Value value = init ? read(builder, point, *init, element)
                     : evaluate(builder, point, given, known);
  return builder.splat(value, point.lanes);
}

void Epilogue::emit(KernelBuilder &builder, const Point &point,
                    Value sum) const {
  Known known;
  known[root->getResult(0)] = sum;
  for (const Result &result : results) {
    Value value = evaluate(builder, point, result.value, known);
    builder.storeVector(
        builder.splat(value, point.lanes), result.target.walk.buffer,
        point.offset(result.target.access, result.target.walk), point.mask);
  }
}
