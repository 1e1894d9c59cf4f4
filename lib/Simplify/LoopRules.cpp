// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop and Scan: the number of iterations, and the states that they carry.
#include "Rules.h"

#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Control.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static Value skipIdentities(Value value) {
  while (auto identity = value.getDefiningOp<IdentityOp>())
    value = identity.getInput();
  return value;
}

//===-- How often a loop runs -------------------------------------------------===//

/// The maximum number of iterations; none if it is unknown, or if only the condition
/// ends the loop.
static std::optional<double> getLimit(LoopOp op, Rewriting &rewriting) {
  return op.getM() ? rewriting.getSplat(op.getM()) : std::nullopt;
}

/// The initial condition; none if it is unknown.
static std::optional<bool> getStart(LoopOp op, Rewriting &rewriting) {
  if (!op.getCond())
    return true;
  std::optional<double> known = rewriting.getSplat(op.getCond());
  return known ? std::optional(*known != 0) : std::nullopt;
}

/// Whether an iteration yields a true condition; none if that is unknown. The body's
/// own condition argument is always true, because the body runs only then.
static std::optional<bool> goesOn(LoopOp op, Rewriting &rewriting) {
  Value told = skipIdentities(op.getBody().front().back().getOperand(0));
  if (told == op.getBody().getArgument(1))
    return true;
  std::optional<double> known = rewriting.getSplat(told);
  return known ? std::optional(*known != 0) : std::nullopt;
}

/// The number of iterations, if it is known.
static std::optional<double> getCount(LoopOp op, Rewriting &rewriting) {
  std::optional<double> limit = getLimit(op, rewriting);
  std::optional<bool> starts = getStart(op, rewriting);
  if ((limit && *limit <= 0) || starts == false)
    return 0;
  if (!starts)
    return std::nullopt;
  std::optional<bool> on = goesOn(op, rewriting);
  if (limit == 1 || (on == false && (limit || !op.getM())))
    return 1;
  return on == true ? limit : std::nullopt;
}

bool invar::hasBatch(Operation *op, const Rewriting &rewriting) {
  constexpr int64_t hasNoBatch = 9;
  return isa<ScanOp>(op) && rewriting.getOpset() < hasNoBatch;
}

bool invar::runsAtLeastOnce(Operation *op, Rewriting &rewriting) {
  if (auto loop = dyn_cast<LoopOp>(op)) {
    auto isPositive = [&](Value count) {
      std::optional<DimsExpr> known = rewriting.getEntries(count);
      return known && known->size() == 1 && known->front().isAtLeast(1);
    };
    return getStart(loop, rewriting) == true &&
           (!loop.getM() || isPositive(loop.getM()));
  }
  auto scan = cast<ScanOp>(op);
  size_t states = scan.getNumOperands() - scan.getNumScanInputs();
  Value first = scan.getOperand(states);
  std::optional<DimsExpr> dims = rewriting.getDims(first);
  int64_t axis = entryOf(scan.getScanInputAxes(), 0);
  std::optional<int64_t> place =
      dims ? normalizeAxis(axis, dims->size()) : std::nullopt;
  return place && (*dims)[*place].isAtLeast(1);
}

/// A constant of one element for an argument that is a scalar, or a vector in some
/// bodies.
template <DataType T>
static Value makeCounter(Value argument, LaneOf<T> value,
                         Rewriting &rewriting) {
  Shape shape(getRank(argument).value_or(0), 1);
  return rewriting.makeConstant(
      llvm::cantFail(ElementsBuilder().fromArray<T>(shape, value)));
}

static constexpr StringLiteral dropLoopPattern =
    "Loop(0, c, s) {a} -> s [or c false; a loop less]";
static LogicalResult dropLoop(LoopOp op, Rewriting &rewriting) {
  if (getCount(op, rewriting) != 0)
    return failure();
  SmallVector<Value> values(op.getVInitial());
  for (auto [result, initial] : llvm::zip(op.getResults(), values))
    if (!agree(result.getType(), initial.getType()))
      return failure();
  // Results made of slices are empty, but their shapes must be known.
  for (Value result : op.getResults().drop_front(values.size())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    std::optional<DataType> element =
        type ? elements::toDataType(type.getElementType()) : std::nullopt;
    if (result.use_empty()) {
      values.push_back(Value());
      continue;
    }
    if (!element || !type.hasStaticShape() || type.getNumElements() != 0)
      return failure();
    values.push_back(
        rewriting.makeConstant(llvm::cantFail(ElementsBuilder().fromLanes(
            *element, Shape(type.getShape().begin(), type.getShape().end()),
            nullptr, 0))));
  }
  replaceAll(op, values, rewriting);
  return success();
}

static constexpr StringLiteral unrollLoopPattern =
    "Loop(n, true, s) {a} -> a ... a [n small and known; a loop less]";
static LogicalResult unrollLoop(LoopOp op, Rewriting &rewriting) {
  // More operators than this are no gain over a loop. A single iteration adds no
  // operators.
  constexpr double mostOperators = 64;
  Region &body = op.getBody();
  std::optional<double> count = getCount(op, rewriting);
  auto operators = std::distance(body.front().begin(), body.front().end());
  size_t states = op.getVInitial().size();
  if (!count || *count < 1 ||
      (*count > 1 && *count * double(operators) > mostOperators))
    return failure();

  Value on = makeCounter<DataType::Bool>(body.getArgument(1), true, rewriting);
  SmallVector<Value> values(op.getVInitial());
  SmallVector<SmallVector<Value>> slices(op->getNumResults() - states);
  for (int64_t i = 0; i < int64_t(*count); ++i) {
    SmallVector<Value> arguments = {
        makeCounter<DataType::Int64>(body.getArgument(0), i, rewriting), on};
    arguments.append(values);
    auto yields = rewriting.copyGraph(body, arguments);
    if (!yields)
      return failure();
    values.assign(yields->begin() + 1, yields->begin() + 1 + states);
    for (auto [slice, yielded] :
         llvm::zip_equal(slices, llvm::drop_begin(*yields, states + 1))) {
      slice.push_back(
          rewriting.make<UnsqueezeOp>(yielded, rewriting.makeInts(int64_t(0))));
      if (!slice.back())
        return failure();
    }
  }
  for (SmallVector<Value> &slice : slices) {
    values.push_back(
        slice.size() == 1
            ? slice.front()
            : rewriting.make<ConcatOp>(
                  slice, rewriting.getBuilder().getI64IntegerAttr(0)));
    if (!values.back())
      return failure();
  }
  replaceAll(op, values, rewriting);
  return success();
}

static constexpr StringLiteral inlineScanPattern =
    "Scan(s, x) {a} -> a [x of length 1; a loop less]";
static LogicalResult inlineScan(ScanOp op, Rewriting &rewriting) {
  if (hasBatch(op, rewriting))
    return failure();
  size_t scans = op.getNumScanInputs(), states = op->getNumOperands() - scans;
  SmallVector<Value> arguments(op->getOperands().take_front(states));
  for (auto [i, input] :
       llvm::enumerate(op->getOperands().drop_front(states))) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    std::optional<int64_t> axis =
        type ? normalizeAxis(entryOf(op.getScanInputAxes(), i), type.getRank())
             : std::nullopt;
    if (!axis || type.getDimSize(*axis) != 1)
      return failure();
    arguments.push_back(
        rewriting.make<SqueezeOp>(input, rewriting.makeInts(*axis)));
    if (!arguments.back())
      return failure();
  }
  auto values = rewriting.copyGraph(op.getBody(), arguments);
  if (!values)
    return failure();
  for (size_t i = states; i < values->size(); ++i) {
    int64_t axis = entryOf(op.getScanOutputAxes(), i - states);
    (*values)[i] =
        rewriting.make<UnsqueezeOp>((*values)[i], rewriting.makeInts(axis));
    if (!(*values)[i])
      return failure();
  }
  replaceAll(op, *values, rewriting);
  return success();
}

//===-- What a loop carries along ---------------------------------------------===//

namespace {
/// The positions of the states of a Loop or a Scan among its operands, its results, and
/// the arguments and yields of its body. The slices follow the states.
class Carried {
public:
  explicit Carried(Operation *op) : op(op), body(op->getRegion(0).front()) {
    if (auto loop = dyn_cast<LoopOp>(op)) {
      states = loop.getVInitial().size();
      operands = op->getNumOperands() - states;
      arguments = 2;
      yields = 1;
    } else {
      states = op->getNumOperands() - cast<ScanOp>(op).getNumScanInputs();
    }
  }

  Value getInitial(size_t i) const { return op->getOperand(operands + i); }
  BlockArgument getArgument(size_t i) const {
    return body.getArgument(arguments + i);
  }
  /// The yields of states, then of slices.
  Value getYield(size_t i) const {
    return body.getTerminator()->getOperand(yields + i);
  }

  /// Returns for each state and each slice whether it affects anything else.
  llvm::BitVector findLive() const;

  Operation *op;
  Block &body;
  size_t states, operands = 0, arguments = 0, yields = 0;
};
} // namespace

llvm::BitVector Carried::findLive() const {
  llvm::BitVector live(op->getNumResults());
  SmallVector<Operation *> left;
  llvm::DenseSet<Operation *> seen;
  auto addOp = [&](Operation *user) {
    if (seen.insert(user).second)
      left.push_back(user);
  };
  auto addValue = [&](Value value) {
    if (Operation *producer = value.getDefiningOp())
      return producer->getBlock() == &body ? addOp(producer) : void();
    auto argument = cast<BlockArgument>(value);
    if (argument.getOwner() == &body && argument.getArgNumber() >= arguments &&
        argument.getArgNumber() < arguments + states)
      live.set(argument.getArgNumber() - arguments);
  };
  for (size_t i = 0; i < yields; ++i)
    addValue(body.getTerminator()->getOperand(i));
  for (Operation &inner : body.without_terminator())
    if (!wouldOpBeTriviallyDead(&inner))
      addOp(&inner);
  for (OpResult result : op->getResults())
    if (!result.use_empty())
      live.set(result.getResultNumber());
  // A live state needs the value that it becomes, which may need other states.
  llvm::BitVector done(op->getNumResults());
  while (true) {
    while (!left.empty())
      left.pop_back_val()->walk([&](Operation *inner) {
        llvm::for_each(inner->getOperands(), addValue);
      });
    llvm::BitVector next = live;
    next.reset(done);
    if (next.none())
      return live;
    for (unsigned i : next.set_bits())
      addValue(getYield(i));
    done |= next;
  }
}

static constexpr StringLiteral captureStatePattern =
    "Loop(s) {a(s), s} -> Loop() {a(s)}, s [a state less]";
static LogicalResult captureState(Operation *op, Rewriting &rewriting) {
  if (hasBatch(op, rewriting))
    return failure();
  Carried carried(op);
  bool isAny = false;
  for (size_t i = 0; i < carried.states; ++i) {
    Value initial = carried.getInitial(i);
    BlockArgument argument = carried.getArgument(i);
    OpResult result = op->getResult(i);
    Value next = skipIdentities(carried.getYield(i));
    bool isUsed = !argument.use_empty() || !result.use_empty();
    bool stays = next == argument || next == initial ||
                 areSameConstants(next, initial, rewriting);
    if (!stays || !isUsed || !agree(argument.getType(), initial.getType()) ||
        !agree(result.getType(), initial.getType()))
      continue;
    // Being yielded is no use: dropState() removes such a state.
    if (result.use_empty() && argument.hasOneUse() &&
        (*argument.user_begin())->hasTrait<OpTrait::IsTerminator>())
      continue;
    isAny = true;
    rewriting.replaceUses(argument, initial);
    Rewriting::passName(result, initial);
    rewriting.replaceUses(result, initial);
  }
  return success(isAny);
}

/// The entries of an optional list that are not gone.
static DenseI64ArrayAttr withoutGone(std::optional<ArrayRef<int64_t>> list,
                                     const llvm::BitVector &gone,
                                     Rewriting &rewriting) {
  SmallVector<int64_t> kept;
  for (auto [i, entry] : llvm::enumerate(*list))
    if (!gone[i])
      kept.push_back(entry);
  return rewriting.getBuilder().getDenseI64ArrayAttr(kept);
}

/// The attributes of a Loop or a Scan that has fewer states, inputs and slices.
static SmallVector<NamedAttribute>
getAttributes(const Carried &carried, const llvm::BitVector &operands,
              const llvm::BitVector &results, Rewriting &rewriting) {
  OpBuilder &builder = rewriting.getBuilder();
  SmallVector<NamedAttribute> changed;
  auto set = [&](StringRef name, Attribute value) {
    changed.push_back(builder.getNamedAttr(name, value));
  };
  if (auto loop = dyn_cast<LoopOp>(carried.op)) {
    int32_t states = carried.states - operands.count();
    set("operandSegmentSizes",
        builder.getDenseI32ArrayAttr(
            {loop.getM() ? 1 : 0, loop.getCond() ? 1 : 0, states}));
    return changed;
  }
  auto scan = cast<ScanOp>(carried.op);
  llvm::BitVector inputs(scan.getNumScanInputs());
  for (unsigned i : operands.set_bits())
    if (i >= carried.states)
      inputs.set(i - carried.states);
  llvm::BitVector slices(scan->getNumResults() - carried.states);
  for (unsigned i : results.set_bits())
    if (i >= carried.states)
      slices.set(i - carried.states);
  set("num_scan_inputs", builder.getI64IntegerAttr(scan.getNumScanInputs() -
                                                   int64_t(inputs.count())));
  if (auto list = scan.getScanInputAxes())
    set("scan_input_axes", withoutGone(list, inputs, rewriting));
  if (auto list = scan.getScanInputDirections())
    set("scan_input_directions", withoutGone(list, inputs, rewriting));
  if (auto list = scan.getScanOutputAxes())
    set("scan_output_axes", withoutGone(list, slices, rewriting));
  if (auto list = scan.getScanOutputDirections())
    set("scan_output_directions", withoutGone(list, slices, rewriting));
  return changed;
}

static constexpr StringLiteral dropStatePattern =
    "Loop(s, t) {a(s), b(t)} -> Loop(s) {a(s)} [t and its result used by "
    "nothing else; a state less]";
static LogicalResult dropState(Operation *op, Rewriting &rewriting) {
  if (hasBatch(op, rewriting))
    return failure();
  Carried carried(op);
  llvm::BitVector results = carried.findLive().flip();
  // Before opset 11, a Loop has at least one state.
  constexpr int64_t mayHaveNoState = 11;
  if (isa<LoopOp>(op) && carried.states &&
      rewriting.getOpset() < mayHaveNoState &&
      results.find_first_unset_in(0, carried.states) < 0)
    return failure();
  llvm::BitVector operands(op->getNumOperands()),
      arguments(carried.body.getNumArguments()),
      yields(carried.yields + op->getNumResults());
  for (unsigned i : results.set_bits()) {
    yields.set(carried.yields + i);
    if (i < carried.states) {
      operands.set(carried.operands + i);
      arguments.set(carried.arguments + i);
    }
  }
  // A Scan has at least one input.
  if (isa<ScanOp>(op)) {
    size_t left = op->getNumOperands() - carried.states;
    for (size_t i = op->getNumOperands(); i-- > carried.states && left > 1;)
      if (carried.body.getArgument(i).use_empty()) {
        operands.set(i);
        arguments.set(i);
        --left;
      }
  }
  if (results.none() && operands.none())
    return failure();
  rewriting.eraseYields(carried.body, yields);
  // Operators that were dead before may still use the arguments.
  SmallVector<Operation *> inner;
  for (Operation &op : llvm::reverse(carried.body.without_terminator()))
    inner.push_back(&op);
  for (Operation *op : inner)
    if (!rewriting.isErased(op) && isOpTriviallyDead(op))
      rewriting.erase(op);
  rewriting.eraseArguments(carried.body, arguments);
  SmallVector<NamedAttribute> attributes =
      getAttributes(carried, operands, results, rewriting);
  SmallVector<Value> kept;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (!operands[i])
      kept.push_back(operand);
  rewriting.rebuild(op, kept, results, attributes);
  return success();
}

void invar::addLoopRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back(RuleFor<dropLoop>::get("drop-loop", Exact, dropLoopPattern));
  rules.push_back(
      RuleFor<unrollLoop>::get("unroll-loop", Exact, unrollLoopPattern));
  rules.push_back(
      RuleFor<inlineScan>::get("inline-scan", Exact, inlineScanPattern));
  rules.push_back(makeRuleFor<LoopOp, ScanOp>(
      "capture-state", Exact, captureStatePattern, captureState));
  rules.push_back(makeRuleFor<LoopOp, ScanOp>("drop-state", Exact,
                                              dropStatePattern, dropState));
}
