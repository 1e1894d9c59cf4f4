// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators whose graphs run conditionally or several times. The type of a state may
// change from run to run, so a state has the type of the body's argument. Slices are
// added to a stack (Stack.h).
#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Conversion/ONNXToLinalg/Stack.h"
#include "invar/Dialect/ONNX/Ops/Control.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Dialect/Runtime/Runtime.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Values in and out of graphs -------------------------------------------===//

/// Converts a value to a more or less specific type.
static FailureOr<Value> convert(Lowering &to, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (tensor::CastOp::areCastCompatible(value.getType(), type))
    return Value(tensor::CastOp::create(to.getBuilder(), type, value));
  // A value may be optional in one place and always present in another.
  if (isa<rt::OptionalType>(type))
    return to.call("Optional", value, type).front();
  if (isa<rt::OptionalType>(value.getType()))
    return to.call("OptionalGetElement", value, type).front();
  return to.decline("its graphs yield values of different types");
}

static LogicalResult convertAll(Lowering &to, MutableArrayRef<Value> values,
                                TypeRange types) {
  for (auto [value, type] : llvm::zip_equal(values, types)) {
    FailureOr<Value> converted = convert(to, value, type);
    if (failed(converted))
      return failure();
    value = *converted;
  }
  return success();
}

/// Converts types to those below ONNX. Declines if a type is unknown.
static FailureOr<SmallVector<Type>> convertTypes(Lowering &to,
                                                 TypeRange types) {
  SmallVector<Type> converted;
  for (Type type : types) {
    converted.push_back(to.getGraph().convertType(type));
    if (!converted.back())
      return to.decline("the type of a value is not known");
  }
  return converted;
}

/// Lowers the operators of a graph at the builder's position.
static FailureOr<SmallVector<Value>> lowerGraph(Lowering &to, Region &graph,
                                                ValueRange arguments) {
  OpBuilder &outer = to.getGraph().getBuilder();
  outer.restoreInsertionPoint(to.getBuilder().saveInsertionPoint());
  auto yields = to.getGraph().lowerRegion(graph, arguments);
  to.getBuilder().restoreInsertionPoint(outer.saveInsertionPoint());
  return yields;
}

/// Returns a number as a tensor of one element, with the rank of `like`.
static Value makeTensor(Lowering &to, Value number, Type like = nullptr) {
  auto tensor = dyn_cast_or_null<RankedTensorType>(like);
  SmallVector<int64_t> shape(tensor ? tensor.getRank() : 0, 1);
  return tensor::FromElementsOp::create(
      to.getBuilder(), RankedTensorType::get(shape, number.getType()), number);
}

static Value toInt64(Lowering &to, Value place) {
  return arith::IndexCastOp::create(to.getBuilder(),
                                    to.getBuilder().getI64Type(), place);
}

//===-- Slices ----------------------------------------------------------------===//

/// Creates the result of no slices; unknown sizes are 0.
static Value makeOfNone(Lowering &to, RankedTensorType type, Value result,
                        int64_t axis) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  SmallVector<OpFoldResult> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    StringAttr name = getDimName(result.getType(), i);
    Value known = name && i != axis ? to.getGraph().findSize(name) : Value();
    sizes.push_back(known ? OpFoldResult(known)
                          : builder.getIndexAttr(
                                type.isDynamicDim(i) ? 0 : type.getDimSize(i)));
  }
  return to.makeEmpty(sizes, type.getElementType());
}

/// Sets a result to `count` slices, stacked along an axis.
static LogicalResult stack(Lowering &to, Value result, Value slices,
                           Value count, int64_t axis) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  RankedTensorType type = to.getType(result);
  std::optional<int64_t> place =
      type ? normalizeAxis(axis, type.getRank()) : std::nullopt;
  if (!place)
    return to.decline("the rank of a result is not known");
  if (!type.isDynamicDim(*place) && type.getDimSize(*place) != 0)
    return to.set(result, finishStack(to, slices, type, *place));
  Value isEmpty = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                        count, to.makeIndex(0));
  auto choice = scf::IfOp::create(builder, type, isEmpty,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(choice.thenBlock());
    FailureOr<Value> none =
        convert(to, makeOfNone(to, type, result, *place), type);
    if (failed(none))
      return failure();
    scf::YieldOp::create(builder, *none);
    builder.setInsertionPointToEnd(choice.elseBlock());
    scf::YieldOp::create(builder, finishStack(to, slices, type, *place));
  }
  return to.set(result, choice.getResult(0));
}

//===-- If --------------------------------------------------------------------===//

static LogicalResult lower(IfOp op, Lowering &to) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  auto types = convertTypes(to, op.getResultTypes());
  if (failed(types))
    return failure();
  Value condition = getElement(to, op.getCond());
  auto choice = scf::IfOp::create(builder, *types, condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  std::pair<Region *, Block *> branches[] = {
      {&op.getThenBranch(), choice.thenBlock()},
      {&op.getElseBranch(), choice.elseBlock()}};
  for (auto [graph, block] : branches) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    auto yields = lowerGraph(to, *graph, {});
    if (failed(yields) || failed(convertAll(to, *yields, *types)))
      return failure();
    scf::YieldOp::create(builder, *yields);
  }
  for (auto [result, made] :
       llvm::zip_equal(op.getResults(), choice.getResults()))
    if (failed(to.set(result, made)))
      return failure();
  return success();
}

//===-- Loop ------------------------------------------------------------------===//

/// Returns the values that are carried from run to run: states in the body's types,
/// then a stack for each result that is made of slices. `count` is the number of runs, or
/// null.
static FailureOr<SmallVector<Value>> startLoop(Lowering &to, ValueRange initial,
                                               ValueRange states,
                                               ValueRange slices,
                                               OpFoldResult count) {
  SmallVector<Value> values = to.getAll(initial);
  auto types = convertTypes(to, states.getTypes());
  if (failed(types) || failed(convertAll(to, values, *types)))
    return failure();
  for (Value slice : slices)
    values.push_back(
        startStack(to, getElementTypeOrSelf(slice.getType()), count));
  return values;
}

/// Returns these values after a run that yielded `yields`.
static FailureOr<SmallVector<Value>>
continueLoop(Lowering &to, ValueRange current, ArrayRef<Value> yields,
             size_t states, function_ref<bool(size_t)> isReversed = nullptr) {
  SmallVector<Value> next(yields.take_front(states));
  if (failed(convertAll(to, next, current.take_front(states).getTypes())))
    return failure();
  for (size_t i = states; i < yields.size(); ++i)
    next.push_back(addToStack(to, current[i], yields[i],
                              isReversed && isReversed(i - states)));
  return next;
}

/// Sets results to the last states and to the stacks of `count` slices.
static LogicalResult endLoop(Lowering &to, ValueRange results, ValueRange last,
                             size_t states, Value count,
                             function_ref<int64_t(size_t)> axisOf) {
  for (auto [i, result, made] : llvm::enumerate(results, last)) {
    if (i >= states) {
      if (failed(stack(to, result, made, count, axisOf(i - states))))
        return failure();
      continue;
    }
    auto type = convertTypes(to, result.getType());
    if (failed(type))
      return failure();
    FailureOr<Value> state = convert(to, made, type->front());
    if (failed(state) || failed(to.set(result, *state)))
      return failure();
  }
  return success();
}

/// Emits the condition for the next run: the loop's condition holds and `count`, if
/// given, is not reached.
static void buildCondition(Lowering &to, Block *before, Value count) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value isNext = before->getArgument(1);
  if (count) {
    Value isBelow =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::slt,
                              toInt64(to, before->getArgument(0)), count);
    isNext = arith::AndIOp::create(builder, isNext, isBelow);
  }
  scf::ConditionOp::create(builder, isNext, before->getArguments());
}

static LogicalResult buildRun(LoopOp op, Lowering &to, Block *after) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Region &body = op.getBody();
  size_t states = op.getVInitial().size();
  Value place = after->getArgument(0), goesOn = after->getArgument(1);
  ValueRange current = ValueRange(after->getArguments()).drop_front(2);
  SmallVector<Value> arguments = {
      makeTensor(to, toInt64(to, place), body.getArgument(0).getType()),
      makeTensor(to, goesOn, body.getArgument(1).getType())};
  llvm::append_range(arguments, current.take_front(states));
  auto yields = lowerGraph(to, body, arguments);
  if (failed(yields))
    return failure();
  if (!isa<RankedTensorType>(yields->front().getType()))
    return to.decline("the rank of its condition is not known");
  SmallVector<Value> next = {
      arith::AddIOp::create(builder, place, to.makeIndex(1)),
      to.extract(toScalar(to, yields->front()), {})};
  auto carried =
      continueLoop(to, current, ArrayRef(*yields).drop_front(), states);
  if (failed(carried))
    return failure();
  llvm::append_range(next, *carried);
  scf::YieldOp::create(builder, next);
  return success();
}

static LogicalResult lower(LoopOp op, Lowering &to) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Region &body = op.getBody();
  size_t states = op.getVInitial().size();
  ValueRange yielded = body.front().getTerminator()->getOperands();
  auto values = startLoop(to, op.getVInitial(),
                          ValueRange(body.getArguments()).drop_front(2),
                          yielded.drop_front(1 + states), nullptr);
  if (failed(values))
    return failure();
  Value count = op.getM() ? getElement(to, op.getM()) : Value();
  Value goesOn = op.getCond() ? getElement(to, op.getCond())
                              : Value(arith::ConstantOp::create(
                                    builder, builder.getBoolAttr(true)));
  // The first values are the iteration and the condition to continue.
  values->insert(values->begin(), {to.makeIndex(0), goesOn});
  SmallVector<Type> types(ValueRange(*values).getTypes());
  SmallVector<Location> locs(types.size(), builder.getLoc());
  auto loop = scf::WhileOp::create(builder, types, *values);
  {
    OpBuilder::InsertionGuard guard(builder);
    buildCondition(to, builder.createBlock(&loop.getBefore(), {}, types, locs),
                   count);
    if (failed(buildRun(
            op, to, builder.createBlock(&loop.getAfter(), {}, types, locs))))
      return failure();
  }
  return endLoop(to, op.getResults(), loop.getResults().drop_front(2), states,
                 loop.getResult(0), [](size_t) { return 0; });
}

//===-- Scan ------------------------------------------------------------------===//

/// Creates a loop over positions that carries values; `run` computes the next values
/// from the current ones.
static FailureOr<scf::ForOp> makeLoop(
    Lowering &to, Value count, ValueRange values,
    function_ref<FailureOr<SmallVector<Value>>(Value place, ValueRange)> run) {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  auto loop = scf::ForOp::create(builder, to.makeIndex(0), count,
                                 to.makeIndex(1), values);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  auto next = run(loop.getInductionVar(), loop.getRegionIterArgs());
  if (failed(next))
    return failure();
  scf::YieldOp::create(builder, *next);
  return loop;
}

static LogicalResult lower(ScanOp op, Lowering &to) {
  if (op.getNumResults() == 0)
    return success();
  ImplicitLocOpBuilder &builder = to.getBuilder();
  size_t scans = op.getNumScanInputs(), states = op.getNumOperands() - scans;
  SmallVector<Value> inputs = to.getAll(op.getOperands().take_back(scans));
  SmallVector<int64_t> axes;
  OpFoldResult count;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    std::optional<int64_t> axis =
        type ? normalizeAxis(entryOf(op.getScanInputAxes(), i), type.getRank())
             : std::nullopt;
    if (!axis)
      return to.decline("the rank of a scan input is not known");
    OpFoldResult length = to.sizesOf(input)[*axis];
    if (i == 0)
      count = length;
    to.checkEqual(count, length, "expected scan inputs of one length");
    axes.push_back(*axis);
  }
  Region &body = op.getBody();
  ValueRange yielded = body.front().getTerminator()->getOperands();
  auto values = startLoop(to, op.getOperands().drop_back(scans),
                          ValueRange(body.getArguments()).take_front(states),
                          yielded.drop_front(states), count);
  if (failed(values))
    return failure();
  auto loop = makeLoop(
      to, to.toValue(count), *values,
      [&](Value place, ValueRange current) -> FailureOr<SmallVector<Value>> {
        SmallVector<Value> arguments(current.take_front(states));
        for (auto [i, input] : llvm::enumerate(inputs)) {
          Value at = place;
          if (entryOf(op.getScanInputDirections(), i)) {
            Value left =
                arith::SubIOp::create(builder, to.toValue(count), place);
            at = arith::SubIOp::create(builder, left, to.makeIndex(1));
          }
          arguments.push_back(takeAt(to, input, axes[i], at));
        }
        auto types = convertTypes(to, body.getArgumentTypes());
        if (failed(types) || failed(convertAll(to, arguments, *types)))
          return failure();
        auto yields = lowerGraph(to, body, arguments);
        if (failed(yields))
          return failure();
        return continueLoop(to, current, *yields, states, [&](size_t i) {
          return entryOf(op.getScanOutputDirections(), i) != 0;
        });
      });
  if (failed(loop))
    return failure();
  return endLoop(to, op.getResults(), loop->getResults(), states,
                 to.toValue(count),
                 [&](size_t i) { return entryOf(op.getScanOutputAxes(), i); });
}

//===-- SequenceMap -----------------------------------------------------------===//

static LogicalResult lower(SequenceMapOp op, Lowering &to) {
  if (op.getNumResults() == 0)
    return success();
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Region &body = op.getBody();
  auto types = convertTypes(to, body.getArgumentTypes());
  if (failed(types))
    return failure();
  Type length = RankedTensorType::get({}, builder.getI64Type());
  Value count = to.extract(
      to.call("SequenceLength", to.get(op.getInputSequence()), length).front(),
      {});
  count = arith::IndexCastOp::create(builder, builder.getIndexType(), count);
  SmallVector<Value> values;
  for (Value item : body.front().getTerminator()->getOperands()) {
    auto type = rt::SequenceType::get(
        builder.getContext(),
        UnrankedTensorType::get(getElementTypeOrSelf(item.getType())));
    values.push_back(to.call("SequenceEmpty", {}, type).front());
  }
  auto loop = makeLoop(
      to, count, values,
      [&](Value place, ValueRange current) -> FailureOr<SmallVector<Value>> {
        SmallVector<Value> arguments = to.getAll(op.getOperands());
        Value at = makeTensor(to, toInt64(to, place));
        for (auto [argument, type] : llvm::zip_equal(arguments, *types))
          if (isa<rt::SequenceType>(argument.getType()))
            argument = to.call("SequenceAt", {argument, at}, type).front();
        auto yields = lowerGraph(to, body, arguments);
        if (failed(yields))
          return failure();
        SmallVector<Value> next;
        for (auto [items, item] : llvm::zip_equal(current, *yields))
          next.push_back(
              to.call("SequenceInsert", {items, item}, items.getType())
                  .front());
        return next;
      });
  if (failed(loop))
    return failure();
  for (auto [result, made] :
       llvm::zip_equal(op.getResults(), loop->getResults()))
    if (failed(to.set(result, made)))
      return failure();
  return success();
}

void invar::onnx::addControlLowerings(LoweringTable &table) {
  table.addAnyRank<IfOp>(lower);
  table.addAnyRank<LoopOp>(lower);
  table.addAnyRank<ScanOp>(lower);
  table.addAnyRank<SequenceMapOp>(lower);
}
