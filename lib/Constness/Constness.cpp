// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Constness/Constness.h"

#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/Const/Reads.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace invar;

StringRef invar::toString(Constness constness) {
  switch (constness) {
  case Constness::Unknown:
    return "unknown";
  case Constness::Literal:
    return "literal";
  case Constness::CompileTime:
    return "compile-time";
  case Constness::RunOnce:
    return "run-once";
  case Constness::Variable:
    return "variable";
  }
  llvm_unreachable("all are there");
}

using Values = llvm::DenseMap<Value, Constness>;

/// Values that were not visited are variable.
static Constness getConstness(const Values &values, Value value) {
  auto found = values.find(value);
  return found == values.end() ? Constness::Variable : found->second;
}

namespace {
/// The numbers that an attribute lists; none if it is no such list.
std::optional<SmallVector<int64_t>> getNumbers(Attribute list) {
  SmallVector<int64_t> numbers;
  if (auto words = dyn_cast<DenseI64ArrayAttr>(list)) {
    llvm::append_range(numbers, words.asArrayRef());
  } else if (auto words = dyn_cast<DenseI32ArrayAttr>(list)) {
    llvm::append_range(numbers, words.asArrayRef());
  } else if (auto each = dyn_cast<ArrayAttr>(list)) {
    for (Attribute element : each) {
      auto number = dyn_cast<IntegerAttr>(element);
      if (!number || number.getValue().getSignificantBits() > 64)
        return std::nullopt;
      numbers.push_back(number.getValue().getSExtValue());
    }
  } else {
    return std::nullopt;
  }
  return numbers;
}

LogicalResult verifyLists(FunctionOpInterface function) {
  llvm::SmallDenseSet<int64_t> listed;
  for (StringRef name : {compileTimeArguments, runOnceArguments}) {
    Attribute list = function->getAttr(name);
    if (!list)
      continue;
    auto numbers = getNumbers(list);
    if (!numbers)
      return function.emitError("expected '")
             << name << "' to list numbers of arguments, but got " << list;
    for (int64_t number : *numbers) {
      if (number < 0 || number >= int64_t(function.getNumArguments()))
        return function.emitError("expected '")
               << name << "' to list arguments of '" << function.getName()
               << "', which has " << function.getNumArguments() << ", but got "
               << number;
      if (!listed.insert(number).second)
        return function.emitError("expected argument ")
               << number << " to be listed once, but got it again in '" << name
               << "'";
    }
  }
  return success();
}

/// The stated constness of an argument of a function that can be called from anywhere.
Constness getStated(BlockArgument argument) {
  Operation *function = argument.getOwner()->getParentOp();
  if (!isa<FunctionOpInterface>(function) ||
      !argument.getOwner()->isEntryBlock())
    return Constness::Variable;
  auto isListed = [&](StringRef name) {
    Attribute list = function->getAttr(name);
    auto numbers = list ? getNumbers(list) : std::nullopt;
    return numbers &&
           llvm::is_contained(*numbers, int64_t(argument.getArgNumber()));
  };
  if (isListed(compileTimeArguments))
    return Constness::CompileTime;
  return isListed(runOnceArguments) ? Constness::RunOnce : Constness::Variable;
}

/// Finds the constness of all values. A block is visited from its beginning, so the
/// values that an operation reads are final, and one visit of a function suffices unless
/// functions call each other.
class Finder {
public:
  Finder(Operation *root, llvm::DenseSet<Operation *> parameters,
         Values &values)
      : root(root), parameters(std::move(parameters)), values(values) {}

  void run() {
    root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
      if (!function.isExternal())
        open.insert(function);
      return WalkResult::skip();
    });
    findCallees();
    for (FunctionOpInterface function : open)
      for (BlockArgument argument : function.getArguments())
        join(argument, callees.contains(function) ? Constness::Unknown
                                                  : getStated(argument));
    while (!open.empty())
      visit(open.pop_back_val().getFunctionBody());
  }

private:
  /// The constness of an operation, apart from the values that it reads.
  Constness getOwn(Operation *op) const {
    if (!isMemoryEffectFree(op))
      return Constness::Variable;
    return parameters.contains(op) ? Constness::RunOnce : Constness::Literal;
  }

  Constness get(Value value) const { return getConstness(values, value); }

  /// Returns whether this changes the constness of the value.
  bool join(Value value, Constness constness) {
    Constness &known = values[value];
    return std::exchange(known, std::max(known, constness)) < constness;
  }

  /// Finds the functions of which everything that calls them is in the root.
  void findCallees() {
    for (FunctionOpInterface function : open)
      if (auto symbol = dyn_cast<SymbolOpInterface>(function.getOperation()))
        if (symbol.isPrivate() && function != root)
          callees.insert(function);
    auto uses =
        callees.empty() ? std::nullopt : SymbolTable::getSymbolUses(root);
    if (!uses)
      return callees.clear();
    for (SymbolTable::SymbolUse use : *uses)
      if (!isa<CallOpInterface>(use.getUser()))
        callees.erase(
            symbols.lookupNearestSymbolFrom(use.getUser(), use.getSymbolRef()));
  }

  void visit(Region &region) {
    for (Block &block : region)
      for (Operation &op : block)
        visit(&op);
  }

  void visit(Operation *op) {
    if (auto call = dyn_cast<CallOpInterface>(op))
      return visitCall(call);
    if (op->hasTrait<OpTrait::ReturnLike>())
      if (auto function = dyn_cast<FunctionOpInterface>(op->getParentOp()))
        return visitReturn(function, op->getOperands());
    Constness constness = getOwn(op);
    for (Value value : getRead(op))
      constness = std::max(constness, get(value));
    for (Value result : op->getResults())
      join(result, constness);
    // What flows around in regions depends on all that the operation reads. Values in
    // other regions, as in bodies of loops over elements, are variable.
    if (!isa<RegionBranchOpInterface>(op))
      return;
    for (Region &region : op->getRegions()) {
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          join(argument, constness);
      visit(region);
    }
  }

  /// A result is as constant as what the function returns to all its callers.
  void visitCall(CallOpInterface call) {
    auto function = dyn_cast_or_null<FunctionOpInterface>(
        call.resolveCallableInTable(&symbols));
    bool isKnown = function && callees.contains(function);
    for (Value result : call->getResults())
      join(result, isKnown ? Constness::Unknown : Constness::Variable);
    if (!isKnown)
      return;
    bool hasChanged = false;
    for (auto [argument, operand] :
         llvm::zip(function.getArguments(), call.getArgOperands()))
      hasChanged |= join(argument, get(operand));
    if (hasChanged)
      open.insert(function);
    callers[function].insert(call->getParentOfType<FunctionOpInterface>());
    for (auto [result, constness] :
         llvm::zip(call->getResults(), returned[function]))
      join(result, constness);
  }

  void visitReturn(FunctionOpInterface function, OperandRange operands) {
    SmallVector<Constness> &known = returned[function];
    known.resize(operands.size(), Constness::Unknown);
    bool hasChanged = false;
    for (auto [constness, operand] : llvm::zip(known, operands))
      hasChanged |=
          std::exchange(constness, std::max(constness, get(operand))) <
          get(operand);
    if (hasChanged)
      open.insert_range(callers[function]);
  }

  Operation *root;
  llvm::DenseSet<Operation *> parameters;
  Values &values;
  SymbolTableCollection symbols;
  llvm::DenseSet<Operation *> callees;
  /// Functions that must be visited, again if they were before.
  llvm::SetVector<FunctionOpInterface> open;
  llvm::DenseMap<Operation *, SmallVector<Constness>> returned;
  llvm::DenseMap<Operation *, llvm::SetVector<FunctionOpInterface>> callers;
};
} // namespace

llvm::DenseSet<Operation *> invar::findParameters(Operation *root) {
  llvm::DenseSet<Operation *> parameters;
  auto module = dyn_cast<ModuleOp>(root);
  if (!module)
    module = root->getParentOfType<ModuleOp>();
  auto store = module ? constants::StoreOp::find(module) : constants::StoreOp();
  if (!store)
    return parameters;
  llvm::BitVector isNamed;
  for (auto entry : store.getBody().getOps<constants::EntryOp>())
    isNamed.push_back(bool(entry.getNameAttr()));
  if (isNamed.any())
    root->walk([&](constants::RefOp ref) {
      std::optional<uint64_t> index = ref.getIndex();
      if (index && *index < isNamed.size() && isNamed[unsigned(*index)])
        parameters.insert(ref);
    });
  return parameters;
}

void invar::eraseArguments(FunctionOpInterface function,
                           const llvm::BitVector &gone) {
  // The new number of each argument.
  SmallVector<int64_t> left;
  for (unsigned number = 0, next = 0; number < gone.size(); ++number)
    left.push_back(gone[number] ? -1 : int64_t(next++));
  for (StringRef name : {compileTimeArguments, runOnceArguments}) {
    Attribute list = function->getAttr(name);
    auto numbers = list ? getNumbers(list) : std::nullopt;
    if (!numbers)
      continue;
    for (int64_t &number : *numbers)
      number = left[size_t(number)];
    llvm::erase(*numbers, -1);
    if (numbers->empty())
      function->removeAttr(name);
    else
      function->setAttr(
          name, Builder(function.getContext()).getDenseI64ArrayAttr(*numbers));
  }
  (void)function.eraseArguments(gone);
}

std::unique_ptr<ConstnessAnalysis> ConstnessAnalysis::run(Operation *root) {
  WalkResult listed = root->walk([](FunctionOpInterface function) {
    return failed(verifyLists(function)) ? WalkResult::interrupt()
                                         : WalkResult::advance();
  });
  if (listed.wasInterrupted())
    return nullptr;
  std::unique_ptr<ConstnessAnalysis> analysis(new ConstnessAnalysis);
  Finder(root, findParameters(root), analysis->values).run();
  return analysis;
}

Constness ConstnessAnalysis::get(Value value) const {
  return getConstness(values, value);
}
