// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes registers, blocks and control flow.
#include "CheckOrder.h"
#include "Encoder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace invar;

Value invar::getWritten(func::CallOp call, unsigned result) {
  return call.getOperand(call.getNumOperands() - call.getNumResults() + result);
}

bool invar::isNumber(Type type) { return type.isIntOrIndexOrFloat(); }

KernelNumbers invar::numberKernels(ModuleOp module) {
  KernelNumbers kernels;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr("invar.kernel"))
      kernels.try_emplace(function.getName(), uint32_t(kernels.size()),
                          function);
  return kernels;
}

Encoder::Encoder(const KernelNumbers &kernels, ConstantPlaces &places)
    : kernels(kernels), assembler(places) {}

//===-- Registers -------------------------------------------------------------===//

uint32_t Encoder::makeRegister(Type type) {
  return isNumber(type) ? assembler.makeNumber() : assembler.makeObject();
}

uint32_t Encoder::define(Value value) {
  return registers[value] = makeRegister(value.getType());
}

uint32_t Encoder::get(Value value) {
  auto found = registers.find(value);
  assert(found != registers.end() && "a value is used before it is encoded");
  return found->second;
}

uint32_t Encoder::getLiteral(int64_t number) {
  std::pair<int64_t, int> key(number, 0);
  if (literals.count(key))
    return literals.lookup(key);
  uint32_t to = assembler.makeNumber();
  assembler.emitNumber(to, uint64_t(number));
  literals.insert(key, to);
  return to;
}

uint32_t Encoder::getNumber(OpFoldResult number) {
  if (auto value = dyn_cast<Value>(number))
    return get(value);
  return getLiteral(cast<IntegerAttr>(cast<Attribute>(number)).getInt());
}

SmallVector<uint32_t> Encoder::getNumbers(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return get(value); });
}

/// The tensor.empty that a value is, possibly after kernels have written to it. Null for
/// other values: tensors that a value was made from may have been dropped.
static tensor::EmptyOp findEmpty(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (auto call = dyn_cast<func::CallOp>(op))
      tensor = getWritten(call, cast<OpResult>(tensor).getResultNumber());
    else if (isa<tensor::CastOp>(op))
      tensor = op->getOperand(0);
    else
      return dyn_cast<tensor::EmptyOp>(op);
  }
  return nullptr;
}

uint32_t Encoder::getSize(Value tensor, int64_t axis) {
  // MLIR reads the sizes of a cast from its operand, whose rank may be unknown. In a
  // branch that never runs, it may even be too low; the runtime checks that.
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (type && axis < type.getRank() && !type.isDynamicDim(axis))
    return getLiteral(type.getDimSize(axis));
  // The sizes that it was created with are known already.
  if (tensor::EmptyOp empty = findEmpty(tensor);
      empty && axis < empty.getType().getRank())
    return getNumber(empty.getMixedSizes()[axis]);
  std::pair<Value, int64_t> key(tensor, axis);
  if (sizes.count(key))
    return sizes.lookup(key);
  uint32_t to = assembler.makeNumber();
  assembler.emit(INVAR_OP_SIZE, {to, get(tensor), uint32_t(axis)});
  sizes.insert(key, to);
  return to;
}

void Encoder::copy(uint32_t to, uint32_t from, Type type) {
  assembler.emit(isNumber(type) ? INVAR_OP_COPY_NUMBER : INVAR_OP_COPY_OBJECT,
                 {to, from});
}
void Encoder::copy(uint32_t to, Value from) {
  copy(to, get(from), from.getType());
}

Assembler::Words Encoder::finish(ArrayRef<ParameterPlace> parameters,
                                 StringRef source) {
  for (const ParameterPlace &parameter : parameters)
    assembler.addParameter(parameter);
  if (!source.empty())
    assembler.setSource(source);
  return assembler.finish();
}

//===-- Blocks ----------------------------------------------------------------===//

LogicalResult Encoder::encode(func::FuncOp main, const MemoryLayout *given) {
  if (failed(verifyCheckOrder(main)))
    return failure();
  beginMemory(given);
  Block &body = main.getBody().front();
  SmallVector<std::pair<Value, uint32_t>> folded;
  for (auto [i, argument] : llvm::enumerate(body.getArguments())) {
    if (auto id =
            main.getArgAttrOfType<IntegerAttr>(i, constants::idAttribute)) {
      FailureOr<uint32_t> constant =
          assembler.getFolded(id.getInt(), argument.getType());
      if (failed(constant))
        return main.emitError("expected a folded constant of known size, but "
                              "got ")
               << argument.getType();
      folded.push_back({argument, *constant});
      continue;
    }
    auto name = main.getArgAttrOfType<StringAttr>(i, "invar.name");
    auto dims = main.getArgAttrOfType<ArrayAttr>(i, "invar.dims");
    uint32_t type = assembler.getType(argument.getType(), dims);
    if (!name || type == INVAR_NONE)
      return main.emitError("expected inputs that the runtime knows, but got ")
             << argument.getType();
    define(argument);
    auto content =
        main.getArgAttrOfType<ElementsAttr>(i, constants::defaultAttribute);
    FailureOr<uint32_t> constant =
        content ? assembler.getConstant(content) : INVAR_NONE;
    if (failed(constant))
      return main.emitError("expected a default that can be stored for input '")
             << name.getValue() << "'";
    assembler.addInput(name, type, *constant);
  }
  // The first registers are for the inputs.
  for (auto [argument, constant] : folded)
    takeLater(argument, constant);
  auto result = cast<func::ReturnOp>(body.getTerminator());
  for (auto [i, value] : llvm::enumerate(result.getOperands())) {
    auto name = main.getResultAttrOfType<StringAttr>(i, "invar.name");
    if (auto id =
            main.getResultAttrOfType<IntegerAttr>(i, constants::idAttribute))
      name = StringAttr::get(main.getContext(), "#" + Twine(id.getInt()));
    auto dims = main.getResultAttrOfType<ArrayAttr>(i, "invar.dims");
    uint32_t type = assembler.getType(value.getType(), dims);
    if (!name || type == INVAR_NONE)
      return main.emitError("expected outputs that the runtime knows, but got ")
             << value.getType();
    assembler.addOutput(name, type);
  }
  return encodeBlock(body, [&] {
    SmallVector<uint32_t> operands = {result.getNumOperands()};
    llvm::append_range(operands, getNumbers(result.getOperands()));
    assembler.emit(INVAR_OP_RETURN, operands);
  });
}

/// The name of the node that an operation comes from.
static StringRef getNode(Operation *op) {
  auto name = dyn_cast<NameLoc>(op->getLoc());
  return name ? name.getName().getValue() : StringRef();
}

LogicalResult Encoder::encodeBlock(Block &block,
                                   llvm::function_ref<void()> end) {
  llvm::ScopedHashTableScope<std::pair<int64_t, int>, uint32_t> literalScope(
      literals);
  llvm::ScopedHashTableScope<std::pair<Value, int64_t>, uint32_t> sizeScope(
      sizes);
  llvm::ScopedHashTableScope<std::pair<uint32_t, uint32_t>, bool> equalScope(
      equalSizes);
  // Records the last user of each value that this block defines.
  auto note = [&](Value value) {
    if (isNumber(value.getType()))
      return;
    Operation *last = nullptr;
    for (Operation *user : value.getUsers()) {
      Operation *here = block.findAncestorOpInBlock(*user);
      if (!last || last->isBeforeInBlock(here))
        last = here;
    }
    if (!last)
      last = value.getDefiningOp() ? value.getDefiningOp() : &block.front();
    lastUses[last].push_back(value);
  };
  llvm::for_each(block.getArguments(), note);
  for (Operation &op : block)
    llvm::for_each(op.getResults(), note);
  for (Operation &op : block.without_terminator()) {
    if (StringRef node = getNode(&op); !node.empty())
      assembler.beginNode(node);
    takeConstants(&op);
    if (failed(encode(&op)))
      return failure();
    dropUnused(&op);
  }
  takeConstants(block.getTerminator());
  end();
  return success();
}

/// Loads a constant right before its first use: the runtime then checks whether its bytes
/// are intact, and the user finds them in the cache.
void Encoder::takeLater(Value constant, uint32_t number) {
  Block *block = constant.getParentBlock();
  Operation *first = nullptr;
  for (Operation *user : constant.getUsers()) {
    Operation *here = block->findAncestorOpInBlock(*user);
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  uint32_t to = define(constant);
  if (first)
    firstUses[first].push_back({to, number});
}

void Encoder::takeConstants(Operation *op) {
  for (auto [to, number] : firstUses.lookup(op))
    assembler.emit(INVAR_OP_CONSTANT, {to, number});
}

void Encoder::dropUnused(Operation *op) {
  auto found = lastUses.find(op);
  if (found == lastUses.end())
    return;
  for (Value value : found->second)
    assembler.emit(INVAR_OP_DROP, get(value));
}

LogicalResult Encoder::encode(Operation *op) {
  if (auto encoded = encodeNumbers(op))
    return *encoded;
  if (auto encoded = encodeTensors(op))
    return *encoded;
  if (isa<scf::IfOp>(op))
    return encodeIf(op);
  if (isa<arith::SelectOp>(op))
    return encodeChoice(op);
  if (isa<scf::ForOp>(op))
    return encodeFor(op);
  if (isa<scf::WhileOp>(op))
    return encodeWhile(op);
  if (auto check = dyn_cast<cf::AssertOp>(op)) {
    assembler.emit(INVAR_OP_CHECK,
                   {get(check.getArg()), assembler.getString(check.getMsg())});
    return success();
  }
  return op->emitError("expected what a program can do, but got '")
         << op->getName() << "'";
}

//===-- Control ---------------------------------------------------------------===//

void Encoder::yield(ValueRange values, ArrayRef<uint32_t> to) {
  // A later value may be read from one of these registers: read all before writing any.
  SmallVector<uint32_t> middle;
  for (Value value : values) {
    middle.push_back(makeRegister(value.getType()));
    copy(middle.back(), value);
  }
  for (auto [value, from, target] : llvm::zip_equal(values, middle, to)) {
    copy(target, from, value.getType());
    if (!isNumber(value.getType()))
      assembler.emit(INVAR_OP_DROP, from);
  }
}

LogicalResult Encoder::encodeIf(Operation *op) {
  auto choice = cast<scf::IfOp>(op);
  SmallVector<uint32_t> to;
  for (Value result : choice.getResults())
    to.push_back(define(result));
  auto branch = [&](Region &region) -> LogicalResult {
    if (region.empty())
      return success();
    Block &block = region.front();
    return encodeBlock(block, [&] {
      yield(block.getTerminator()->getOperands(), to);
      dropUnused(block.getTerminator());
    });
  };
  uint32_t otherwise =
      assembler.emitJump(INVAR_OP_JUMP_UNLESS, get(choice.getCondition()));
  if (failed(branch(choice.getThenRegion())))
    return failure();
  uint32_t end = assembler.emitJump(INVAR_OP_JUMP);
  assembler.place(otherwise);
  if (failed(branch(choice.getElseRegion())))
    return failure();
  assembler.place(end);
  return success();
}

/// Selects one of two objects: such an operation remains of branches that do nothing.
LogicalResult Encoder::encodeChoice(Operation *op) {
  auto choice = cast<arith::SelectOp>(op);
  uint32_t to = define(choice);
  uint32_t otherwise =
      assembler.emitJump(INVAR_OP_JUMP_UNLESS, get(choice.getCondition()));
  copy(to, choice.getTrueValue());
  uint32_t end = assembler.emitJump(INVAR_OP_JUMP);
  assembler.place(otherwise);
  copy(to, choice.getFalseValue());
  assembler.place(end);
  return success();
}

LogicalResult Encoder::encodeFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  SmallVector<uint32_t> states;
  for (auto [init, argument] :
       llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs())) {
    states.push_back(makeRegister(argument.getType()));
    copy(states.back(), init);
  }
  uint32_t place = assembler.makeNumber(), inside = assembler.makeNumber();
  copy(place, loop.getLowerBound());
  uint32_t begin = assembler.getPosition();
  assembler.emit(INVAR_OP_LESS, {inside, place, get(loop.getUpperBound())});
  uint32_t end = assembler.emitJump(INVAR_OP_JUMP_UNLESS, inside);
  copy(define(loop.getInductionVar()), place, loop.getInductionVar().getType());
  for (auto [argument, state] :
       llvm::zip_equal(loop.getRegionIterArgs(), states)) {
    copy(define(argument), state, argument.getType());
    if (!isNumber(argument.getType()))
      assembler.emit(INVAR_OP_DROP, state);
  }
  Block &body = *loop.getBody();
  if (failed(encodeBlock(body, [&] {
        yield(body.getTerminator()->getOperands(), states);
        dropUnused(body.getTerminator());
      })))
    return failure();
  assembler.emit(INVAR_OP_ADD_SATURATED, {place, place, get(loop.getStep())});
  assembler.emitJumpTo(begin);
  assembler.place(end);
  for (auto [result, state] : llvm::zip_equal(loop.getResults(), states)) {
    copy(define(result), state, result.getType());
    if (!isNumber(result.getType()))
      assembler.emit(INVAR_OP_DROP, state);
  }
  return success();
}

LogicalResult Encoder::encodeWhile(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  SmallVector<uint32_t> states, results;
  for (Value init : loop.getInits()) {
    states.push_back(makeRegister(init.getType()));
    copy(states.back(), init);
  }
  for (Value result : loop.getResults())
    results.push_back(define(result));
  auto take = [&](Block &block, ArrayRef<uint32_t> from) {
    for (auto [argument, state] : llvm::zip_equal(block.getArguments(), from)) {
      copy(define(argument), state, argument.getType());
      if (!isNumber(argument.getType()))
        assembler.emit(INVAR_OP_DROP, state);
    }
  };
  uint32_t begin = assembler.getPosition();
  Block &before = *loop.getBeforeBody(), &after = *loop.getAfterBody();
  take(before, states);
  scf::ConditionOp condition = loop.getConditionOp();
  if (failed(encodeBlock(before, [&] {
        yield(condition.getArgs(), results);
        dropUnused(condition);
      })))
    return failure();
  uint32_t end =
      assembler.emitJump(INVAR_OP_JUMP_UNLESS, get(condition.getCondition()));
  take(after, results);
  if (failed(encodeBlock(after, [&] {
        yield(after.getTerminator()->getOperands(), states);
        dropUnused(after.getTerminator());
      })))
    return failure();
  assembler.emitJumpTo(begin);
  assembler.place(end);
  return success();
}
