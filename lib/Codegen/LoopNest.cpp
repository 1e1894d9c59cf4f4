// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopNest.h"

#include "Access.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace invar;

//===----------------------------------------------------------------------===//
// Operands and steps
//===----------------------------------------------------------------------===//

bool NestOperand::dependsOn(unsigned loop) const {
  return llvm::any_of(coordinates, [&](const Coordinate &coordinate) {
    return coordinate.place.isFunctionOfDim(loop);
  });
}

llvm::SmallBitVector NestOperand::getLoops(unsigned count) const {
  llvm::SmallBitVector all(count);
  for (unsigned loop = 0; loop < count; ++loop)
    all[loop] = dependsOn(loop);
  return all;
}

ArrayRef<NestOperand> NestStep::getInputs() const {
  return ArrayRef(operands).drop_back(getOp().getNumDpsInits());
}

ArrayRef<NestOperand> NestStep::getOutputs() const {
  return ArrayRef(operands).take_back(getOp().getNumDpsInits());
}

Block &NestStep::getBody() const { return operation->getRegion(0).front(); }

/// The loop at a position, if the position is only that loop.
static std::optional<unsigned> asLoop(AffineExpr place) {
  if (auto dim = dyn_cast<AffineDimExpr>(place))
    return dim.getPosition();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Reading a kernel
//===----------------------------------------------------------------------===//

Value LoopNest::getSplat(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill ? fill.getInputs()[0] : Value();
}

SmallVector<Value> LoopNest::getTargets(Value tensor) const {
  SmallVector<Value> targets;
  func::FuncOp function = kernel;
  Operation *end = function.front().getTerminator();
  auto results = function.getArguments().take_back(end->getNumOperands());
  for (auto [returned, target] : llvm::zip_equal(end->getOperands(), results))
    if (returned == tensor)
      targets.push_back(target);
  return targets;
}

LogicalResult LoopNest::addSteps() {
  for (Operation &op : kernel.front().without_terminator()) {
    if (isa<linalg::FillOp>(op) && getTargets(op.getResult(0)).empty())
      continue;
    if (isa<linalg::LinalgOp>(op))
      steps.push_back({&op, {}, {}, {}, {}});
    else if (!isView(&op) &&
             !isa<tensor::EmptyOp, tensor::CastOp, tensor::DimOp,
                  tensor::ExtractOp>(op) &&
             !OpTrait::hasElementwiseMappableTraits(&op) &&
             !op.hasTrait<OpTrait::ConstantLike>())
      return op.emitError("expected an operation of kernels, but got '")
             << op.getName() << "'";
  }
  return success();
}

/// Checks that a nest reads only results of steps, arguments, and arguments through one
/// view.
LogicalResult LoopNest::verifyOperands() const {
  for (const NestStep &step : steps)
    for (Value operand : step.operation->getOperands()) {
      if (!isa<RankedTensorType>(operand.getType()) || getProducer(operand))
        continue;
      Value source = operand;
      while (auto cast = source.getDefiningOp<tensor::CastOp>())
        source = cast.getSource();
      Operation *view = source.getDefiningOp();
      if (isa_and_present<tensor::EmptyOp, linalg::FillOp>(view))
        continue;
      if (isView(view))
        source = view->getOperand(0);
      if (!isa<BlockArgument>(source))
        return step.operation->emitError(
                   "expected an operand that is made of an argument of the "
                   "kernel, but got that of '")
               << source.getDefiningOp()->getName() << "'";
    }
  return success();
}

namespace {
/// A step and a loop of its operation, before the nest has numbered the loops.
using OwnLoop = std::pair<unsigned, unsigned>;

/// Finds loops of different operations that are the same loop.
class LoopJoiner {
public:
  explicit LoopJoiner(ArrayRef<NestStep> steps) {
    for (auto [index, step] : llvm::enumerate(steps))
      for (unsigned loop = 0; loop < step.getOp().getNumLoops(); ++loop)
        classes.insert({unsigned(index), loop});
  }

  /// Unites two loops, unless an operation would then have the same loop twice.
  void join(OwnLoop one, OwnLoop other) {
    for (OwnLoop mine : members(one))
      for (OwnLoop yours : members(other))
        if (mine.first == yours.first && mine != yours)
          return;
    classes.unionSets(one, other);
  }

  /// Unites the loops along each axis of a tensor, if both positions are plain loops.
  void join(unsigned step, AffineMap map, unsigned otherStep, AffineMap other) {
    for (auto [place, otherPlace] :
         llvm::zip_equal(map.getResults(), other.getResults()))
      if (auto loop = asLoop(place), otherLoop = asLoop(otherPlace);
          loop && otherLoop)
        join({step, *loop}, {otherStep, *otherLoop});
  }

  OwnLoop getLeader(OwnLoop loop) { return classes.getLeaderValue(loop); }

private:
  llvm::iterator_range<llvm::EquivalenceClasses<OwnLoop>::member_iterator>
  members(OwnLoop loop) {
    return {classes.findLeader(loop), classes.member_end()};
  }

  llvm::EquivalenceClasses<OwnLoop> classes;
};
} // namespace

/// Assigns a number in the nest to every loop of every operation, and expresses the
/// operands in terms of these loops.
void LoopNest::numberLoops() {
  LoopJoiner joiner(steps);
  // Tensors that one step writes and another reads take precedence over arguments that
  // both read.
  llvm::DenseMap<Value, OpOperand *> seen;
  llvm::DenseMap<Operation *, unsigned> numbers;
  for (auto [index, step] : llvm::enumerate(steps))
    numbers[step.operation] = index;
  for (bool isComputed : {true, false})
    for (auto [index, step] : llvm::enumerate(steps))
      for (OpOperand &operand : step.operation->getOpOperands()) {
        Operation *producer = operand.get().getDefiningOp();
        auto isStep = producer && numbers.contains(producer);
        if (isStep != isComputed)
          continue;
        AffineMap map = step.getOp().getMatchingIndexingMap(&operand);
        if (isStep) {
          auto from = cast<linalg::LinalgOp>(producer);
          joiner.join(
              index, map, numbers[producer],
              from.getIndexingMapMatchingResult(cast<OpResult>(operand.get())));
        } else if (isa<RankedTensorType>(operand.get().getType()) &&
                   !step.getOp().isDpsInit(&operand)) {
          auto [first, isNew] = seen.try_emplace(operand.get(), &operand);
          auto owner = cast<linalg::LinalgOp>(first->second->getOwner());
          if (!isNew)
            joiner.join(index, map, numbers[owner],
                        owner.getMatchingIndexingMap(first->second));
        }
      }

  // The order is that of the operation with the most loops; other loops follow.
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(steps.size()));
  llvm::sort(order, [&](unsigned one, unsigned other) {
    return std::pair(steps[other].getOp().getNumLoops(), one) <
           std::pair(steps[one].getOp().getNumLoops(), other);
  });
  std::map<OwnLoop, unsigned> numbered;
  for (unsigned index : order)
    for (unsigned loop = 0; loop < steps[index].getOp().getNumLoops(); ++loop)
      numbered.try_emplace(joiner.getLeader({index, loop}), numbered.size());
  loops.resize(numbered.size());

  for (auto [index, step] : llvm::enumerate(steps)) {
    step.loops.resize(loops.size());
    step.reductions.resize(loops.size());
    SmallVector<AffineExpr> places;
    for (auto [loop, kind] :
         llvm::enumerate(step.getOp().getIteratorTypesArray())) {
      unsigned number =
          numbered[joiner.getLeader({unsigned(index), unsigned(loop)})];
      step.iterators.push_back(number);
      step.loops.set(number);
      if (kind == utils::IteratorType::reduction)
        step.reductions.set(number);
      places.push_back(getAffineDimExpr(number, kernel.getContext()));
    }
    for (OpOperand &operand : step.operation->getOpOperands()) {
      NestOperand &read = step.operands.emplace_back();
      read.value = operand.get();
      if (!read.isTensor())
        continue;
      AffineMap map = step.getOp().getMatchingIndexingMap(&operand);
      for (auto [axis, place] : llvm::enumerate(map.getResults()))
        // If a position is a plain loop, linalg's loop covers the whole axis.
        read.coordinates.push_back({place.replaceDims(places), unsigned(axis),
                                    asLoop(place).has_value()});
    }
  }
}

void LoopNest::takeSizes() {
  // Prefer a static size to one that is read from the numbers.
  for (bool wantStatic : {true, false})
    for (NestStep &step : steps)
      for (NestOperand &operand : step.operands)
        for (const Coordinate &coordinate : operand.coordinates) {
          std::optional<unsigned> loop = asLoop(coordinate.place);
          auto type = cast<RankedTensorType>(operand.value.getType());
          if (loop && loops[*loop].sizes.empty() &&
              (!wantStatic || !type.isDynamicDim(coordinate.axis)))
            loops[*loop].sizes.push_back({operand.value, coordinate.axis});
        }
}

int64_t LoopNest::getStaticSize(unsigned loop) const {
  int64_t size = 1;
  for (auto [tensor, axis] : loops[loop].sizes) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (type.isDynamicDim(axis) ||
        llvm::MulOverflow(size, type.getDimSize(axis), size))
      return ShapedType::kDynamic;
  }
  return size;
}

Value LoopNest::getSize(KernelBuilder &builder, unsigned loop) const {
  Value size = builder.index(1);
  for (auto [tensor, axis] : loops[loop].sizes)
    size = builder.mul(size, builder.getSize(tensor, axis));
  return size;
}

bool LoopNest::haveSameSize(unsigned one, unsigned other) const {
  int64_t size = getStaticSize(one);
  return one == other ||
         (!ShapedType::isDynamic(size) && size == getStaticSize(other)) ||
         loops[one].sizes == loops[other].sizes;
}

const NestStep *LoopNest::getProducer(Value tensor) const {
  for (const NestStep &step : steps)
    if (step.operation == tensor.getDefiningOp())
      return &step;
  return nullptr;
}

const NestOperand &LoopNest::getProducingOperand(Value tensor) const {
  return getProducer(tensor)
      ->getOutputs()[cast<OpResult>(tensor).getResultNumber()];
}

//===----------------------------------------------------------------------===//
// Reducing the number of loops
//===----------------------------------------------------------------------===//

/// Drops coordinates along axes of size 1, and replaces loops of size 1 by index 0.
/// Tensors with a border keep their coordinates: an axis of size 1 may be all border.
void LoopNest::dropUnitLoops() {
  MLIRContext *context = kernel.getContext();
  for (NestStep &step : steps)
    for (NestOperand &operand : step.operands)
      llvm::erase_if(operand.coordinates, [&](const Coordinate &coordinate) {
        return !operand.value.getDefiningOp<tensor::PadOp>() &&
               cast<RankedTensorType>(operand.value.getType())
                       .getDimSize(coordinate.axis) == 1;
      });
  for (unsigned loop = 0; loop < loops.size(); ++loop) {
    if (getStaticSize(loop) != 1)
      continue;
    for (NestStep &step : steps) {
      step.loops.reset(loop);
      step.reductions.reset(loop);
      for (NestOperand &operand : step.operands)
        for (Coordinate &coordinate : operand.coordinates)
          coordinate.place =
              coordinate.place.replace(getAffineDimExpr(loop, context),
                                       getAffineConstantExpr(0, context));
    }
  }
  for (NestStep &step : steps)
    for (NestOperand &operand : step.operands)
      for (Coordinate &coordinate : operand.coordinates)
        if (auto loop = asLoop(coordinate.place); loop && !coordinate.isWhole) {
          int64_t size = cast<RankedTensorType>(operand.value.getType())
                             .getDimSize(coordinate.axis);
          coordinate.isWhole =
              !ShapedType::isDynamic(size) && size == getStaticSize(*loop);
        }
}

void LoopNest::findShared() {
  for (auto [number, loop] : llvm::enumerate(loops)) {
    unsigned index = number;
    loop.isShared = llvm::all_of(steps, [&](const NestStep &step) {
      return step.loops[index] && !step.reductions[index];
    });
    // A tensor that is written along the loop must be read along it, at the same index.
    for (const NestStep &step : steps)
      for (const NestOperand &operand : step.operands)
        if (getProducer(operand.value))
          for (auto [read, written] :
               llvm::zip_equal(operand.coordinates,
                               getProducingOperand(operand.value).coordinates))
            if (read.place != written.place &&
                (read.place.isFunctionOfDim(index) ||
                 written.place.isFunctionOfDim(index)))
              loop.isShared = false;
  }
}

/// Whether only the axis `inner` lies between two consecutive indices along `outer`.
static bool isDense(Value tensor, unsigned outer, unsigned inner) {
  auto type = cast<RankedTensorType>(tensor.getType());
  for (unsigned between = outer + 1; between < inner; ++between)
    if (type.getDimSize(between) != 1)
      return false;
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    return slice.getSourceType().getRank() == type.getRank() &&
           inner == outer + 1 && !type.isDynamicDim(inner) &&
           slice.getSourceType().getDimSize(inner) == type.getDimSize(inner) &&
           isConstantIntValue(slice.getMixedStrides()[outer], 1);
  return !isa_and_present<tensor::PadOp, linalg::UnPackOp>(
      tensor.getDefiningOp());
}

bool LoopNest::canMerge(unsigned outer, unsigned inner) const {
  if (loops[outer].isShared != loops[inner].isShared)
    return false;
  for (const NestStep &step : steps) {
    if (step.loops[outer] != step.loops[inner] ||
        step.reductions[outer] != step.reductions[inner])
      return false;
    for (linalg::IndexOp index : step.getBody().getOps<linalg::IndexOp>()) {
      unsigned loop = step.iterators[index.getDim()];
      if (loop == outer || loop == inner)
        return false;
    }
    for (const NestOperand &operand : step.operands) {
      if (!operand.dependsOn(outer) && !operand.dependsOn(inner))
        continue;
      ArrayRef<Coordinate> axes = operand.coordinates;
      unsigned meet = 0;
      for (unsigned axis = 0; axis < axes.size(); ++axis) {
        if (asLoop(axes[axis].place) == outer && axis + 1 < axes.size() &&
            asLoop(axes[axis + 1].place) == inner && axes[axis + 1].isWhole &&
            isDense(operand.value, axes[axis].axis, axes[axis + 1].axis))
          ++meet;
        else if (axes[axis].place.isFunctionOfDim(outer))
          return false;
        else if (axes[axis].place.isFunctionOfDim(inner) &&
                 !(axis && asLoop(axes[axis - 1].place) == outer))
          return false;
      }
      if (meet != 1)
        return false;
    }
  }
  return true;
}

/// Makes `outer` iterate over both loops. Nothing uses `inner` afterwards.
void LoopNest::merge(unsigned outer, unsigned inner) {
  llvm::append_range(loops[outer].sizes, loops[inner].sizes);
  loops[inner] = Loop();
  for (NestStep &step : steps) {
    step.loops.reset(inner);
    step.reductions.reset(inner);
    for (NestOperand &operand : step.operands)
      for (auto *axis = operand.coordinates.begin();
           axis != operand.coordinates.end(); ++axis)
        if (asLoop(axis->place) == inner) {
          std::prev(axis)->axis = axis->axis;
          operand.coordinates.erase(axis);
          break;
        }
  }
}

void LoopNest::mergeLoops() {
  SmallVector<unsigned> left;
  for (unsigned loop = 0; loop < loops.size(); ++loop)
    if (getStaticSize(loop) != 1)
      left.push_back(loop);
  for (size_t next = 1; next < left.size();) {
    // A merged loop ends at the axis of its inner loop, so it may be adjacent to the next
    // loop.
    if (canMerge(left[next - 1], left[next])) {
      merge(left[next - 1], left[next]);
      left.erase(left.begin() + next);
    } else {
      ++next;
    }
  }
}

FailureOr<LoopNest> LoopNest::get(func::FuncOp kernel) {
  LoopNest nest(kernel);
  if (failed(nest.addSteps()) || failed(nest.verifyOperands()))
    return failure();
  nest.numberLoops();
  nest.takeSizes();
  nest.dropUnitLoops();
  nest.findShared();
  nest.mergeLoops();
  return nest;
}
