// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/ConstFold/Constness.h"

#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/Const/Reads.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

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

namespace {
/// Constness as a lattice for the data flow framework.
struct State {
  Constness constness = Constness::Unknown;

  static State join(const State &lhs, const State &rhs) {
    return {std::max(lhs.constness, rhs.constness)};
  }
  bool operator==(const State &other) const = default;
  void print(raw_ostream &os) const { os << toString(constness); }
};

using StateLattice = dataflow::Lattice<State>;

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

/// Handles operations without control flow.
class Values : public dataflow::SparseForwardDataFlowAnalysis<StateLattice> {
public:
  Values(DataFlowSolver &solver, llvm::DenseSet<Operation *> parameters)
      : SparseForwardDataFlowAnalysis(solver),
        parameters(std::move(parameters)) {}

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const StateLattice *> operands,
                               ArrayRef<StateLattice *> results) override {
    State joined{getOwn(op)};
    for (const StateLattice *operand : operands)
      joined = State::join(joined, operand->getValue());
    // A body may read values from outside.
    SetVector<Value> read;
    getUsedValuesDefinedAbove(op->getRegions(), read);
    for (Value value : read)
      joined = State::join(
          joined,
          getLatticeElementFor(getProgramPointAfter(op), value)->getValue());
    for (StateLattice *result : results)
      propagateIfChanged(result, result->join(joined));
    return success();
  }

  /// An induction variable is as constant as the bounds of its loop: see Decisions.
  void visitNonControlFlowArguments(Operation *op, const RegionSuccessor &,
                                    ArrayRef<StateLattice *> arguments,
                                    unsigned) override {
    State begin{isa<RegionBranchOpInterface>(op) ? Constness::Literal
                                                 : Constness::Variable};
    for (StateLattice *argument : arguments)
      propagateIfChanged(argument, argument->join(begin));
  }

  void setToEntryState(StateLattice *lattice) override {
    auto argument = dyn_cast<BlockArgument>(cast<Value>(lattice->getAnchor()));
    State stated{argument ? getStated(argument) : Constness::Variable};
    propagateIfChanged(lattice, lattice->join(stated));
  }

private:
  /// The constness of an operation, apart from its operands.
  Constness getOwn(Operation *op) const {
    if (!isMemoryEffectFree(op))
      return Constness::Variable;
    return parameters.contains(op) ? Constness::RunOnce : Constness::Literal;
  }

  llvm::DenseSet<Operation *> parameters;
};

/// Handles operations with regions that control enters and leaves. The framework joins
/// the values that flow along. This class adds the values that control the flow, and
/// everything that the regions read.
class Decisions : public DataFlowAnalysis {
public:
  using DataFlowAnalysis::DataFlowAnalysis;

  LogicalResult initialize(Operation *top) override {
    top->walk([&](RegionBranchOpInterface op) {
      (void)visit(getProgramPointAfter(op));
    });
    return success();
  }

  LogicalResult visit(ProgramPoint *point) override {
    Operation *op = point->getPrevOp();
    State joined{isMemoryEffectFree(op) ? Constness::Unknown
                                        : Constness::Variable};
    for (Value value : getRead(op))
      joined = State::join(
          joined, getOrCreateFor<StateLattice>(point, value)->getValue());
    auto propagate = [&](Value value) {
      auto *lattice = getOrCreate<StateLattice>(value);
      propagateIfChanged(lattice, lattice->join(joined));
    };
    llvm::for_each(op->getResults(), propagate);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), propagate);
    return success();
  }
};
} // namespace

llvm::DenseSet<Operation *> invar::findParameters(ModuleOp module) {
  llvm::DenseSet<Operation *> parameters;
  auto store = constants::StoreOp::find(module);
  if (!store)
    return parameters;
  llvm::BitVector isNamed;
  for (auto entry : store.getBody().getOps<constants::EntryOp>())
    isNamed.push_back(bool(entry.getNameAttr()));
  if (isNamed.any())
    module.walk([&](constants::RefOp ref) {
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
  DataFlowSolver &solver = analysis->solver;
  dataflow::loadBaselineAnalyses(solver);
  auto module = dyn_cast<ModuleOp>(root);
  if (!module)
    module = root->getParentOfType<ModuleOp>();
  solver.load<Values>(module ? findParameters(module)
                             : llvm::DenseSet<Operation *>());
  solver.load<Decisions>();
  // The analyses do not fail. Without states, all values are variable.
  if (failed(solver.initializeAndRun(root)))
    solver.eraseAllStates();
  return analysis;
}

Constness ConstnessAnalysis::get(Value value) const {
  const auto *found = solver.lookupState<StateLattice>(value);
  return found ? found->getValue().constness : Constness::Variable;
}
