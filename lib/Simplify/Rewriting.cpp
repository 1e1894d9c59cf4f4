// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Simplify/Rule.h"

#include "invar/Dialect/ONNX/CreateOperation.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

const Elements *Rewriting::getConstant(Value value) const {
  const FoldValue *content = value ? inference.getConstant(value) : nullptr;
  return content && content->isTensor() ? &content->getTensor() : nullptr;
}

std::optional<double> Rewriting::getSplat(Value value) const {
  const Elements *tensor = getConstant(value);
  if (!tensor || !isNumeric(tensor->getType()) || !tensor->numElements())
    return std::nullopt;
  // Stored elements, or elements that will be stored, are scanned until two differ.
  // Computed elements are computed later, and so are the zeros of a sparse tensor.
  auto constant = value.getDefiningOp<ConstantOp>();
  bool isStored =
      tensor->isStored() || (constant && !constant.getSparseValueAttr());
  if (!tensor->isSplat() && !(isStored && tensor->detectSplat()))
    return std::nullopt;
  WideNum number;
  tensor->readWideNums(0, number);
  return number.toDouble(tensor->getType());
}

/// Longer lists are considered data.
static constexpr int64_t maxListed = 256;

std::optional<SmallVector<int64_t>> Rewriting::getInts(Value value) const {
  const Elements *tensor = getConstant(value);
  if (!tensor || tensor->getRank() > 1 || tensor->numElements() > maxListed ||
      getKind(tensor->getType()) != NumberKind::Signed)
    return std::nullopt;
  SmallVector<WideNum> numbers(tensor->numElements());
  tensor->readWideNums(0, numbers);
  return llvm::map_to_vector(numbers, [](WideNum number) { return number.i; });
}

std::optional<DimsExpr> Rewriting::getEntries(Value list) const {
  IndexExprBuilder &reader = inference.getBuilder();
  std::optional<int64_t> count =
      list ? reader.getArraySize(list) : std::nullopt;
  if (!count || *count > maxListed)
    return std::nullopt;
  DimsExpr entries;
  for (int64_t i = 0; i < *count; ++i)
    entries.push_back(reader.getIntFromArrayAsSymbol(list, i));
  return entries;
}

std::optional<DimsExpr> Rewriting::getDims(Value tensor) const {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type)
    return std::nullopt;
  return inference.getBuilder().getShapeAsDims(tensor);
}

/// Whether the target opset can express an operator. This applies to operators of
/// constants too: their results may be too large to be stored.
bool Rewriting::isWritable(Operation *op) const {
  auto node = dyn_cast<SchemaOpInterface>(op);
  if (!node || !node.getSchema().domain.empty() || opset >= newestOpset ||
      isa<ConstantOp>(op))
    return true;
  return !checkWritable(
      op, adapters, opset, [&](Value value) -> std::optional<Elements> {
        const Elements *content = getConstant(value);
        return content ? std::optional(*content) : std::nullopt;
      });
}

/// Whether a constant only computes other constants, by operators other than `op`.
static bool isInner(Value constant, Operation *op,
                    const TypeInference &inference) {
  bool isUsed = false;
  for (Operation *user : constant.getUsers()) {
    if (user == op)
      continue;
    if (user->hasTrait<OpTrait::IsTerminator>() || !inference.isConstant(user))
      return false;
    isUsed = true;
  }
  return isUsed;
}

bool Rewriting::computesConstants(Operation *op) const {
  return !inference.isConstant(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           Operation *producer = operand.getDefiningOp();
           return inference.getConstant(operand) && !made.contains(producer) &&
                  isInner(operand, op, inference);
         });
}

bool Rewriting::finish(Operation *op) {
  // The allocator may reuse the address of an erased operator.
  erased.erase(op);
  // A rule that does not fit is no error of the model.
  ScopedDiagnosticHandler ignore(op->getContext(), [](Diagnostic &) {});
  if (succeeded(inference.visit(op)) && isWritable(op) &&
      !computesConstants(op)) {
    made.insert(op);
    return true;
  }
  eraseAlone(op); // Keep its operands: the rule may still look at them.
  return false;
}

Value Rewriting::makeLike(Operation *op, ValueRange operands,
                          ArrayRef<NamedAttribute> changed) {
  OperationState state(loc, op->getName());
  state.addOperands(operands);
  state.addTypes(UnknownType::get(op->getContext()));
  NamedAttrList attributes(op->getAttrs());
  for (NamedAttribute attribute : changed)
    attributes.set(attribute.getName(), attribute.getValue());
  state.addAttributes(attributes);
  Operation *made = builder.create(state);
  made->removeAttr(attr::outputs);
  return finish(made) ? made->getResult(0) : Value();
}

Value Rewriting::makeConstant(Elements content) {
  auto attribute =
      elements::LazyElementsAttr::get(builder.getContext(), std::move(content));
  auto op = ConstantOp::create(builder, loc, attribute);
  op->setAttr(attr::initializer, builder.getUnitAttr());
  // The allocator may reuse the address of an erased operator.
  erased.erase(op);
  made.insert(op);
  // A constant cannot contradict anything.
  (void)inference.visit(op);
  return op.getOutput();
}

Value Rewriting::makeInts(ArrayRef<int64_t> numbers) {
  // A short vector of numbers always fits.
  return makeConstant(
      llvm::cantFail(ElementsBuilder().fromArray<DataType::Int64>(
          int64_t(numbers.size()), numbers)));
}

/// All values that an operator and its graphs use.
static SmallVector<Value> getAllOperands(Operation *op) {
  SmallVector<Value> operands;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (inner == op ||
          !op->isAncestor(operand.getParentBlock()->getParentOp()))
        operands.push_back(operand);
  });
  return operands;
}

void Rewriting::erase(Operation *op) {
  SmallVector<Value> operands = getAllOperands(op);
  eraseAlone(op);
  release(operands);
}

void Rewriting::eraseAlone(Operation *op) {
  erased.insert(op);
  made.erase(op);
  if (op == before)
    before = op->getPrevNode();
  if (observer)
    op->walk([&](Operation *inner) { observer->willErase(inner); });
  inference.forget(op);
  op->erase();
}

void Rewriting::release(ArrayRef<Value> values) {
  // Erasing an unused operator may make its producers unused, and so on. A chain may be
  // too long for recursion. A value is erased with its producer and may be listed
  // twice.
  SmallVector<std::pair<Operation *, Value>> left;
  llvm::DenseSet<Operation *> gone;
  auto add = [&](ArrayRef<Value> released) {
    for (Value value : released)
      left.emplace_back(value.getDefiningOp(), value);
  };
  add(values);
  while (!left.empty()) {
    auto [producer, value] = left.pop_back_val();
    if (producer && gone.contains(producer))
      continue;
    if (producer && isOpTriviallyDead(producer)) {
      gone.insert(producer);
      add(getAllOperands(producer));
      eraseAlone(producer);
    } else if (producer && value.use_empty()) {
      freed.push_back(producer);
    } else if (value.hasOneUse()) {
      freed.push_back(*value.user_begin());
    }
  }
}

void Rewriting::setOperand(Operation *op, unsigned number, Value value) {
  Value old = op->getOperand(number);
  op->setOperand(number, value);
  changed.push_back(op);
  release(old);
}

void Rewriting::eraseOperands(Operation *op, const llvm::BitVector &gone) {
  SmallVector<Value> old;
  for (unsigned number : gone.set_bits())
    old.push_back(op->getOperand(number));
  op->eraseOperands(gone);
  changed.push_back(op);
  release(old);
}

void Rewriting::replaceUses(Value old, Value value) {
  llvm::append_range(changed, old.getUsers());
  old.replaceAllUsesWith(value);
}

/// The elements of a list whose bit in `gone` is not set.
template <typename T>
static SmallVector<T> withoutGone(ArrayRef<T> list,
                                  const llvm::BitVector &gone) {
  SmallVector<T> kept;
  for (auto [i, element] : llvm::enumerate(list))
    if (i >= gone.size() || !gone[i])
      kept.push_back(element);
  return kept;
}

Operation *Rewriting::rebuild(Operation *op, ValueRange operands,
                              const llvm::BitVector &goneResults,
                              ArrayRef<NamedAttribute> newAttributes) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  SmallVector<Value> results(op->getResults());
  SmallVector<Value> kept = withoutGone<Value>(results, goneResults);
  state.addTypes(ValueRange(kept).getTypes());
  NamedAttrList attributes(op->getAttrs());
  for (NamedAttribute attribute : newAttributes)
    attributes.set(attribute.getName(), attribute.getValue());
  if (auto names = op->getAttrOfType<ArrayAttr>(attr::outputs);
      names && names.size() == results.size())
    attributes.set(attr::outputs, builder.getArrayAttr(withoutGone<Attribute>(
                                      names.getValue(), goneResults)));
  state.addAttributes(attributes);
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *made = builder.create(state);
  // The allocator may reuse the address of an erased operator.
  erased.erase(made);
  for (auto [old, result] : llvm::zip_equal(kept, made->getResults()))
    replaceUses(old, result);
  erase(op);
  ScopedDiagnosticHandler ignore(made->getContext(), [](Diagnostic &) {});
  (void)inference.visit(made);
  return made;
}

void Rewriting::eraseGraphEnds(Block &graph, StringRef key,
                               const llvm::BitVector &gone) {
  Operation *end = graph.getTerminator();
  auto facts = end->getAttrOfType<DictionaryAttr>(attr::graph);
  auto names = facts ? facts.getAs<ArrayAttr>(key) : ArrayAttr();
  if (!names)
    return;
  NamedAttrList changedFacts(facts);
  changedFacts.set(key, builder.getArrayAttr(
                            withoutGone<Attribute>(names.getValue(), gone)));
  end->setAttr(attr::graph, changedFacts.getDictionary(end->getContext()));
}

void Rewriting::eraseArguments(Block &graph, const llvm::BitVector &gone) {
  eraseGraphEnds(graph, "inputs", gone);
  for (unsigned number : gone.set_bits())
    inference.forget(graph.getArgument(number));
  graph.eraseArguments(gone);
}

void Rewriting::eraseYields(Block &graph, const llvm::BitVector &gone) {
  eraseGraphEnds(graph, "outputs", gone);
  eraseOperands(graph.getTerminator(), gone);
}

void Rewriting::discard() {
  while (true) {
    Operation *last = anchor->getPrevNode();
    if (last == before || !last->use_empty())
      return;
    erase(last);
  }
}

void Rewriting::passName(Value old, Value value) {
  auto result = dyn_cast<OpResult>(value);
  StringRef name = getValueName(old);
  // A name belongs to one graph; in another graph it may mean something else.
  if (!result || name.empty() || value.getParentBlock() != old.getParentBlock())
    return;
  auto isEnd = [](Value end) {
    return llvm::any_of(end.getUsers(), [](Operation *user) {
      return user->hasTrait<OpTrait::IsTerminator>();
    });
  };
  // Graph outputs must keep their names. For other values, the older name stays.
  if (!getValueName(value).empty() && (!isEnd(old) || isEnd(value)))
    return;
  Operation *op = result.getOwner();
  Builder builder(op->getContext());
  SmallVector<Attribute> names(op->getNumResults(), builder.getStringAttr(""));
  if (auto known = op->getAttrOfType<ArrayAttr>(attr::outputs))
    llvm::copy(known, names.begin());
  names[result.getResultNumber()] = builder.getStringAttr(name);
  op->setAttr(attr::outputs, builder.getArrayAttr(names));
}

void Rewriting::replace(OpResult result, Value value) {
  passName(result, value);
  replaceUses(result, value);
  if (Operation *op = result.getOwner(); op->use_empty())
    erase(op);
}

void Rewriting::replace(Operation *op, Value value) {
  // The node's name moves along with its result.
  if (Operation *made = value.getDefiningOp();
      made && !made->hasAttr(attr::name) && op->hasAttr(attr::name) &&
      !isa<ConstantOp>(made))
    made->setAttr(attr::name, op->getAttr(attr::name));
  replace(op->getResult(0), value);
}

void Rewriting::replaceByGraph(Operation *op, Region &graph,
                               ValueRange arguments) {
  Block &body = graph.front();
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments))
    replaceUses(argument, value);
  SmallVector<Value> yields(body.back().getOperands());
  eraseAlone(&body.back());
  op->getBlock()->getOperations().splice(Block::iterator(op),
                                         body.getOperations());
  for (auto [result, value] : llvm::zip_equal(op->getResults(), yields)) {
    passName(result, value);
    replaceUses(result, value);
  }
  erase(op);
}

void Rewriting::hoist(Operation *op) {
  // A name belongs to one graph; in the graph around it, it may mean something else.
  op->removeAttr(attr::outputs);
  op->moveBefore(anchor);
  changed.push_back(op);
}

LogicalResult Rewriting::tryReplace(Operation *op, Value value) {
  if (!value)
    return failure();
  replace(op, value);
  return success();
}

std::optional<SmallVector<Value>> Rewriting::copyGraph(Region &graph,
                                                       ValueRange arguments) {
  Block &body = graph.front();
  IRMapping copies;
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments))
    copies.map(argument, value);
  for (Operation &op : body.without_terminator()) {
    Operation *copy = builder.clone(op, copies);
    // A name belongs to a single value.
    copy->removeAttr(attr::outputs);
    copy->removeAttr(attr::name);
    if (!finish(copy))
      return std::nullopt;
  }
  return llvm::map_to_vector(body.back().getOperands(), [&](Value yielded) {
    return copies.lookupOrDefault(yielded);
  });
}
