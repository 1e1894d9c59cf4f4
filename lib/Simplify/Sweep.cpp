// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sweep.h"

#include "Rules.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Stop/Scope.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <chrono>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- What is done at every operator ----------------------------------------===//

static constexpr StringLiteral dropDead = "drop-dead";
static constexpr StringLiteral foldKnown = "fold-known";
static constexpr StringLiteral mergeEqual = "merge-equal";
static constexpr StringLiteral mergeEqualConstants = "merge-equal-constants";

static constexpr StringLiteral dropDeadPattern =
    "f(x) -> nothing [unused; an operator less]";
static constexpr StringLiteral foldKnownPattern =
    "Shape(x) -> c [known though x is not; a user of x less]";
static constexpr StringLiteral mergeEqualPattern =
    "f(x), f(x) -> f(x) [an operator less]";
static constexpr StringLiteral mergeEqualConstantsPattern =
    "c, c -> c [in one graph, or more than a few integers; a constant less]";
void invar::addSweepRules(std::vector<Rule> &rules) {
  using enum RuleGroup;
  rules.push_back({dropDead, Exact, dropDeadPattern, {}, nullptr});
  rules.push_back({foldKnown, Exact, foldKnownPattern, {}, nullptr});
  rules.push_back({mergeEqual, Exact, mergeEqualPattern, {}, nullptr});
  rules.push_back(
      {mergeEqualConstants, Exact, mergeEqualConstantsPattern, {}, nullptr});
}

/// Whether all results of an operator are constants although an operand is not.
static bool isKnownAnyway(Operation *op, const TypeInference &inference) {
  return inference.isConstant(op) &&
         llvm::all_of(op->getResults(),
                      [&](Value result) {
                        return inference.getConstant(result)->isTensor();
                      }) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return !inference.getConstant(operand);
         });
}

/// Whether a graph yields a value. The value then needs its own name, and another value
/// in its place would need an Identity.
static bool isYielded(Operation *op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>();
  });
}

LogicalResult Sweep::applyBuiltIn(const Rule &rule, Operation *op,
                                  Rewriting &rewriting) {
  if (rule.name == dropDead) {
    if (!isOpTriviallyDead(op))
      return failure();
    rewriting.erase(op);
    return success();
  }
  if (rule.name == foldKnown) {
    if (!isKnownAnyway(op, inference))
      return failure();
    replaceAll(
        op,
        llvm::map_to_vector(op->getResults(),
                            [&](Value result) {
                              return rewriting.makeConstant(
                                  inference.getConstant(result)->getTensor());
                            }),
        rewriting);
    return success();
  }
  bool ofConstants = rule.name == mergeEqualConstants;
  if (ofConstants != isa<ConstantOp>(op) || isYielded(op))
    return failure();
  Operation *equal = equals.findOrAdd(op);
  if (!equal)
    return failure();
  // A constant that its graph yields cannot be moved out of that graph.
  if (!equal->getBlock()->findAncestorOpInBlock(*op) && isYielded(equal))
    return failure();
  if (ofConstants)
    equals.putBefore(equal, op);
  replaceAll(op, SmallVector<Value>(equal->getResults()), rewriting);
  return success();
}

//===-- Rules -----------------------------------------------------------------===//

Sweep::Sweep(TypeInference &inference, const SimplifyOptions &options,
             int64_t opset, const AdapterTable &adapters,
             SimplifyResult &result, ChangeLog *log)
    : inference(inference), options(options), opset(opset), adapters(adapters),
      result(result), log(log) {}

void Sweep::startPhase(bool recompose) {
  rules.clear();
  everywhere.clear();
  MLIRContext *context = inference.getContext();
  for (const Rule &rule : getRules()) {
    if (!options.rules.isOn(rule) || rule.isLate != recompose)
      continue;
    if (!rule.apply && rule.anchors.empty())
      everywhere.push_back(&rule);
    for (StringRef anchor : rule.anchors)
      rules[OperationName(anchor, context)].push_back(&rule);
  }
}

void Sweep::forget(Operation *op, StringRef cause) {
  if (log)
    log->willErase(op, cause);
  equals.forget(op);
  stale.erase(op);
  visited.erase(op);
  if (auto found = queued.find(op); found != queued.end()) {
    worklist[found->second] = nullptr;
    queued.erase(found);
  }
}

void Sweep::queue(Operation *op) {
  if (queued.try_emplace(op, worklist.size()).second)
    worklist.push_back(op);
}

/// Marks changed operators as stale and queues those that were visited before.
/// Operators ahead of the sweep are visited anyway.
void Sweep::note(const Rewriting &rewriting) {
  for (Operation *op : rewriting.getChanged())
    if (!rewriting.isErased(op)) {
      stale.insert(op);
      if (visited.contains(op))
        queue(op);
    }
  for (Operation *op : rewriting.getFreed())
    if (!rewriting.isErased(op) && visited.contains(op))
      queue(op);
}

std::optional<Operation *> Sweep::apply(const Rule &rule, Operation *op) {
  using Clock = std::chrono::steady_clock;
  RuleStatistics &statistics = result.rules[rule.name];
  Clock::time_point begin;
  if (options.record)
    begin = Clock::now();
  current = &rule;
  Block &block = *op->getBlock();
  Operation *after = op->getNextNode();
  Rewriting rewriting(inference, op, opset, adapters, this);
  bool applied = succeeded(rule.apply ? rule.apply(op, rewriting)
                                      : applyBuiltIn(rule, op, rewriting));
  // Undo everything that a failed rule has created.
  if (applied)
    note(rewriting);
  else
    rewriting.discard();
  ++statistics.tried;
  statistics.applied += applied;
  numApplied += applied;
  if (options.record)
    statistics.microseconds +=
        std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  if (!applied)
    return std::nullopt;
  if (log)
    log->noteMade(block, rewriting.getPlaceBefore(), after, rule.name);
  if (!rewriting.isErased(op))
    stale.insert(op);
  return rewriting.getPlaceBefore();
}

std::optional<Operation *> Sweep::apply(Operation *op) {
  // Constants are folded, so rules apply to other operators only. Constant and Identity
  // are exceptions: a constant under two names would be stored twice.
  bool isFolded = inference.isConstant(op) && !isa<ConstantOp, IdentityOp>(op);
  if (!isFolded)
    if (auto found = rules.find(op->getName()); found != rules.end())
      for (const Rule *rule : found->second)
        if (auto before = apply(*rule, op))
          return before;
  for (const Rule *rule : everywhere)
    if (auto before = apply(*rule, op))
      return before;
  return std::nullopt;
}

//===-- The way ---------------------------------------------------------------===//

namespace {
/// Everything that inference knows about a value, to detect whether it learns more.
struct Knowledge {
  Type type;
  bool isConstant;
  /// Null for unknown entries.
  SmallVector<Symbolic> entries;

  Knowledge(Value value, const TypeInference &inference)
      : type(value.getType()),
        isConstant(inference.getConstant(value) != nullptr) {
    for (Symbolic entry : inference.getEntries(value))
      entries.push_back(entry->hasUnknown() ? nullptr : entry);
  }
  bool operator==(const Knowledge &) const = default;
};
} // namespace

/// Infers an operator again after its operands have changed. If its results change too,
/// marks its users as stale.
void Sweep::inferAgain(Operation *op) {
  auto knowOf = [&](Value result) { return Knowledge(result, inference); };
  SmallVector<Knowledge> before = llvm::map_to_vector(op->getResults(), knowOf);
  equals.forget(op);
  ScopedDiagnosticHandler ignore(op->getContext(), [](Diagnostic &) {});
  if (failed(inference.visit(op)) ||
      before == llvm::map_to_vector(op->getResults(), knowOf))
    return;
  for (Operation *user : op->getUsers()) {
    stale.insert(user);
    if (visited.contains(user))
      queue(user);
  }
}

/// Infers an operator that was not visited before. Adapters may replace it by others.
LogicalResult Sweep::visitNew(Block &block, Operation *&op) {
  next = op->getNextNode();
  if (op->hasTrait<OpTrait::IsTerminator>())
    return success();
  Operation *before = op->getPrevNode();
  equals.forget(op);
  if (failed(inference.visit(op)))
    return failure();
  op = before ? before->getNextNode() : &block.front();
  return success();
}

/// Visits the graphs of an operator, which were inferred together with it.
void Sweep::visitGraphs(Operation *op) {
  bool isStale = false;
  for (Region &region : op->getRegions())
    for (Block &inner : region) {
      TypeInference::InGraph inGraph(inference);
      (void)visit(inner, &inner.front(),
                  nullptr); // Only new operators report errors.
      isStale |= stale.erase(inner.getTerminator());
    }
  if (isStale)
    inferAgain(op);
}

LogicalResult Sweep::visit(Block &block, Operation *op, Operation *end) {
  while (op != end) {
    if (StopScope::isDue())
      return failure();
    bool isEnd = op->hasTrait<OpTrait::IsTerminator>();
    if (op == next) {
      if (failed(visitNew(block, op)))
        return failure();
    } else if (!isEnd && stale.erase(op)) {
      inferAgain(op);
    }
    if (auto before = isEnd ? std::nullopt : apply(op)) {
      op = *before ? (*before)->getNextNode() : &block.front();
      continue;
    }
    if (op->getNumRegions()) {
      unsigned before = numApplied;
      visitGraphs(op);
      // The rules of `op` inspect its graphs, which have changed.
      if (numApplied != before)
        if (auto place = apply(op)) {
          op = *place ? (*place)->getNextNode() : &block.front();
          continue;
        }
    }
    visited.insert(op);
    op = op->getNextNode();
  }
  return success();
}

/// Visits queued operators until the worklist is empty.
void Sweep::visitAll() {
  while (!worklist.empty() && !StopScope::isDue()) {
    Operation *op = worklist.back();
    worklist.pop_back();
    if (!op)
      continue;
    queued.erase(op);
    std::optional<TypeInference::InGraph> inGraph;
    if (op->getParentRegion() != graph)
      inGraph.emplace(inference);
    // New facts about a graph's yields affect the operator around the graph.
    if (op->hasTrait<OpTrait::IsTerminator>()) {
      if (op->getParentRegion() != graph && stale.erase(op)) {
        stale.insert(op->getParentOp());
        queue(op->getParentOp());
      }
      continue;
    }
    Operation *around =
        op->getParentRegion() != graph ? op->getParentOp() : nullptr;
    unsigned before = numApplied;
    (void)visit(*op->getBlock(), op, op->getNextNode());
    if (around && numApplied != before)
      queue(around);
  }
}

/// Visits queued operators, then applies new equalities of sizes to all types, until
/// nothing changes. An operator's requirements on sizes also affect the operators above
/// it.
void Sweep::visitQueued() {
  auto revisit = [&](Operation *op) {
    stale.insert(op);
    queue(op);
  };
  while (true) {
    visitAll();
    if (!main || inference.getNumEqualities() == numEqualities ||
        StopScope::isDue())
      return;
    numEqualities = inference.getNumEqualities();
    inference.finish(main, [&](Value value) {
      if (Operation *op = value.getDefiningOp())
        revisit(op);
      llvm::for_each(value.getUsers(), revisit);
    });
  }
}

void Sweep::settle() {
  Block &body = graph->front();
  visitQueued();
  for (unsigned before = ~0u; numApplied != before;) {
    before = numApplied;
    startPhase(/*recompose=*/true);
    (void)visit(body, &body.front(), nullptr);
    startPhase(/*recompose=*/false);
    // Some rules inspect operators that are farther away than queueing covers. This
    // sweep lets them see the changes.
    (void)visit(body, &body.front(), nullptr);
    visitQueued();
  }
  if (main)
    inference.finish(main);
}

LogicalResult Sweep::run(func::FuncOp function, const ShapeFacts &facts) {
  main = function;
  graph = &main.getBody();
  Block &body = graph->front();
  TypeInference::NotedErrors notes(inference);
  startPhase(/*recompose=*/false);
  if (failed(inference.begin(main, facts)))
    return failure();
  next = &body.front();
  if (failed(visit(body, &body.front(), nullptr)))
    return failure();
  settle();
  return success();
}

LogicalResult Sweep::run(FunctionOp function) {
  graph = &function.getBody();
  Block &body = graph->front();
  ScopedDiagnosticHandler ignore(function.getContext(), [](Diagnostic &) {});
  SmallVector<Type> types(body.getNumArguments(),
                          UnknownType::get(function.getContext()));
  // A contradiction in a function is reported where the function is called.
  if (failed(inference.inferGraph(*graph, types)))
    return success();
  startPhase(/*recompose=*/false);
  (void)visit(body, &body.front(), nullptr);
  settle();
  return success();
}

void Sweep::release(Operation *op, StringRef cause) {
  forget(op, cause);
  for (Value operand : op->getOperands())
    if (llvm::hasNItems(operand.getUses(), 2))
      for (Operation *user : operand.getUsers())
        if (user != op && visited.contains(user))
          queue(user);
}

void Sweep::noteStored(Value constant) {
  for (Operation *user : constant.getUsers())
    if (visited.contains(user))
      queue(user);
}

bool Sweep::resume() {
  unsigned before = numApplied;
  for (const Rule &rule : getRules())
    if (rule.name == mergeEqualConstants && options.rules.isOn(rule))
      graph->walk([&](ConstantOp op) { apply(rule, op); });
  if (!worklist.empty())
    settle();
  return numApplied != before;
}
