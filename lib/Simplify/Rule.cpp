// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Simplify/Rule.h"

#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

bool RuleOptions::isOn(const Rule &rule) const {
  if (disabled.contains(rule.name))
    return false;
  if (enabled.contains(rule.name))
    return true;
  switch (rule.group) {
  case RuleGroup::Exact:
    return true;
  case RuleGroup::Fuse:
    return fuse;
  case RuleGroup::Wide:
    return wide;
  case RuleGroup::Asked:
    return false;
  }
  llvm_unreachable("covered switch");
}

//===-- What rules change a graph with ----------------------------------------===//

const Elements *Rewriting::getConstant(Value value) const {
  const FoldValue *content = value ? inference.getConstant(value) : nullptr;
  return content && content->isTensor() ? &content->getTensor() : nullptr;
}

std::optional<double> Rewriting::getSplat(Value value) const {
  const Elements *tensor = getConstant(value);
  if (!tensor || !isNumeric(tensor->getType()) || !tensor->numElements())
    return std::nullopt;
  // What is stored can be looked at, until two elements differ; what must be computed is
  // computed in its time.
  if (!tensor->isSplat() && !(tensor->isStored() && tensor->detectSplat()))
    return std::nullopt;
  WideNum number;
  tensor->readWideNums(0, number);
  return number.toDouble(tensor->getType());
}

/// Longer lists are data.
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

bool Rewriting::finish(Operation *op) {
  erased.erase(op); // It may lie where another has been.
  // A rule that does not fit is no error of the model's.
  ScopedDiagnosticHandler ignore(op->getContext(), [](Diagnostic &) {});
  if (succeeded(inference.visit(op)))
    return true;
  erase(op);
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
  finish(op);
  return op.getOutput();
}

Value Rewriting::makeInts(ArrayRef<int64_t> numbers) {
  // A short vector of numbers always fits.
  return makeConstant(
      llvm::cantFail(ElementsBuilder().fromArray<DataType::Int64>(
          int64_t(numbers.size()), numbers)));
}

void Rewriting::erase(Operation *op) {
  // What it used may die with it, and so on up; a chain may be too long for recursion.
  SmallVector<Operation *> dead = {op};
  while (!dead.empty()) {
    Operation *next = dead.pop_back_val();
    if (!erased.insert(next).second)
      continue; // An operand may be there twice.
    SmallVector<Operation *> producers;
    for (Value operand : next->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        producers.push_back(producer);
    if (next == before)
      before = next->getPrevNode();
    inference.forget(next);
    next->erase();
    llvm::copy_if(
        producers, std::back_inserter(dead),
        [&](Operation *producer) { return isOpTriviallyDead(producer); });
  }
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
  // A name belongs to a graph; inside of another it may mean something else.
  if (!result || name.empty() || value.getParentBlock() != old.getParentBlock())
    return;
  auto isEnd = [](Value end) {
    return llvm::any_of(end.getUsers(), [](Operation *user) {
      return user->hasTrait<OpTrait::IsTerminator>();
    });
  };
  // What a graph gives back is known by its name; inside, the older name stays.
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
  for (Operation *user : result.getUsers())
    changed.push_back(user);
  result.replaceAllUsesWith(value);
  if (Operation *op = result.getOwner(); op->use_empty())
    erase(op);
}

void Rewriting::replace(Operation *op, Value value) {
  // The node's name goes along with its result.
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
    argument.replaceAllUsesWith(value);
  SmallVector<Value> yields(body.back().getOperands());
  body.back().erase();
  op->getBlock()->getOperations().splice(Block::iterator(op),
                                         body.getOperations());
  for (auto [result, value] : llvm::zip_equal(op->getResults(), yields)) {
    passName(result, value);
    llvm::append_range(changed, result.getUsers());
    result.replaceAllUsesWith(value);
  }
  erase(op);
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
    // A name belongs to one value alone.
    copy->removeAttr(attr::outputs);
    copy->removeAttr(attr::name);
    if (!finish(copy))
      return std::nullopt;
  }
  return llvm::map_to_vector(body.back().getOperands(), [&](Value yielded) {
    return copies.lookupOrDefault(yielded);
  });
}

//===-- The sweep -------------------------------------------------------------===//

namespace {
class Sweep {
public:
  Sweep(MLIRContext *context, TypeInference &inference,
        const RuleOptions &options, RuleCounts &counts);

  void visit(Block &block);

private:
  /// Applies the first rule that fits. Returns what to go on after, if one does.
  std::optional<Operation *> apply(Operation *op);
  void inferAgain(Operation *op);

  TypeInference &inference;
  RuleCounts &counts;
  llvm::DenseMap<OperationName, SmallVector<const Rule *>> rules;
  /// Operators whose operands have changed since they were inferred.
  llvm::DenseSet<Operation *> changed;
};
} // namespace

Sweep::Sweep(MLIRContext *context, TypeInference &inference,
             const RuleOptions &options, RuleCounts &counts)
    : inference(inference), counts(counts) {
  for (const Rule &rule : getRules())
    if (options.isOn(rule))
      for (StringRef anchor : rule.anchors)
        rules[OperationName(anchor, context)].push_back(&rule);
}

std::optional<Operation *> Sweep::apply(Operation *op) {
  auto found = rules.find(op->getName());
  if (found == rules.end())
    return std::nullopt;
  for (const Rule *rule : found->second) {
    Rewriting rewriting(inference, op);
    bool applied = succeeded(rule->apply(op, rewriting));
    if (!applied)
      rewriting.discard();
    for (Operation *user : rewriting.takeChanged())
      if (!rewriting.isErased(user))
        changed.insert(user);
    if (!applied)
      continue;
    ++counts[rule->name];
    if (!rewriting.isErased(op))
      changed.insert(op);
    return rewriting.getPlaceBefore();
  }
  return std::nullopt;
}

/// Infers an operator whose operands have changed; if it changes too, so do its users.
void Sweep::inferAgain(Operation *op) {
  SmallVector<Type> before(op->getResultTypes());
  auto countConstants = [&] {
    return llvm::count_if(op->getResults(), [&](Value result) {
      return inference.getConstant(result) != nullptr;
    });
  };
  auto constants = countConstants();
  ScopedDiagnosticHandler ignore(op->getContext(), [](Diagnostic &) {});
  if (failed(inference.visit(op)))
    return;
  if (constants != countConstants() ||
      SmallVector<Type>(op->getResultTypes()) != before)
    changed.insert_range(op->getUsers());
}

void Sweep::visit(Block &block) {
  for (Operation *op = block.empty() ? nullptr : &block.front(); op;) {
    if (changed.erase(op) && !op->hasTrait<OpTrait::IsTerminator>())
      inferAgain(op);
    // Constants fold by themselves; rules are for what stays. But a constant under two
    // names would be stored twice.
    bool isConstant = inference.isConstant(op) && !isa<IdentityOp>(op);
    if (auto before = isConstant ? std::nullopt : apply(op)) {
      // What the rule has made stands before what it was made for.
      op = *before ? (*before)->getNextNode() : &block.front();
      continue;
    }
    for (Region &region : op->getRegions())
      for (Block &inner : region)
        visit(inner);
    op = op->getNextNode();
  }
}

void invar::applyRules(func::FuncOp graph, TypeInference &inference,
                       const RuleOptions &options, RuleCounts &counts) {
  Sweep(graph.getContext(), inference, options, counts)
      .visit(graph.getBody().front());
}
