// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/ConstFold/Passes.h"

#include "FoldCandidates.h"
#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/Const/Reads.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_FOLDCONSTANTTENSORSPASS
#include "invar/ConstFold/Passes.h.inc"
} // namespace invar

using constants::defaultAttribute;
using constants::foldAttribute;
using constants::idAttribute;

namespace {
/// One entry function, and the fold functions that compute its constants.
class Folding {
public:
  Folding(func::FuncOp entry, FoldCandidates &candidates,
          const ConstnessAnalysis &constness, SymbolTable &symbols,
          int64_t firstId)
      : entry(entry), candidates(candidates), constness(constness),
        symbols(symbols), nextId(firstId) {}

  /// Returns the number of values that are computed once now.
  unsigned fold(uint64_t maxGrowth, bool split);

private:
  /// When a folded value is computed.
  Constness getTime(Value value) const {
    return splits && constness.get(value) <= Constness::CompileTime
               ? Constness::CompileTime
               : Constness::RunOnce;
  }
  /// The candidate operations that compute `wanted` at `time`. Adds values of another
  /// time, and arguments, to `read`.
  SetVector<Operation *> findSlice(ArrayRef<Value> wanted, Constness time,
                                   SetVector<Value> &read);
  DictionaryAttr makeIdAttributes(int64_t id) {
    Builder builder(entry.getContext());
    return builder.getDictionaryAttr(
        builder.getNamedAttr(idAttribute, builder.getI64IntegerAttr(id)));
  }
  void addEarlierValues();
  void writeFunction(Constness time, StringRef name);
  void rewriteEntry();

  func::FuncOp entry;
  FoldCandidates &candidates;
  const ConstnessAnalysis &constness;
  SymbolTable &symbols;
  int64_t nextId;
  bool splits = false;
  /// Values that are computed once, with their ids.
  llvm::MapVector<Value, int64_t> folded;
  /// Arguments of the entry function that a fold function takes.
  llvm::DenseSet<Value> taken;
};
} // namespace

SetVector<Operation *> Folding::findSlice(ArrayRef<Value> wanted,
                                          Constness time,
                                          SetVector<Value> &read) {
  SetVector<Operation *> slice;
  SmallVector<Value> open(wanted);
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *op = value.getDefiningOp();
    // Operations without operands are cloned where they are needed.
    bool isEarlier = op && op->getNumOperands() && getTime(value) != time;
    if (!op || isEarlier) {
      read.insert(value);
      continue;
    }
    if (!slice.insert(op))
      continue;
    llvm::append_range(open, getRead(op));
  }
  return slice;
}

/// Keeps values that are computed at compile time and read at the first run.
void Folding::addEarlierValues() {
  SmallVector<Value> later;
  for (auto [value, id] : folded)
    if (getTime(value) == Constness::RunOnce)
      later.push_back(value);
  SetVector<Value> read;
  findSlice(later, Constness::RunOnce, read);
  for (Operation *op : candidates.getOperations())
    for (Value result : op->getResults())
      if (read.contains(result) && folded.insert({result, nextId}).second)
        ++nextId;
}

unsigned Folding::fold(uint64_t maxGrowth, bool split) {
  splits = split;
  for (Value value : candidates.choose(maxGrowth))
    folded.insert({value, nextId++});
  if (folded.empty())
    return 0;
  if (split) {
    addEarlierValues();
    writeFunction(Constness::CompileTime, "compiletime_fold");
  }
  writeFunction(Constness::RunOnce, "runtime_fold");
  rewriteEntry();
  return unsigned(folded.size());
}

/// Writes the function that computes all values of `time`, if there are any.
void Folding::writeFunction(Constness time, StringRef name) {
  SmallVector<Value> results;
  for (auto [value, id] : folded)
    if (getTime(value) == time)
      results.push_back(value);
  if (results.empty())
    return;
  SetVector<Value> read;
  SetVector<Operation *> slice = findSlice(results, time, read);
  // In the order of the entry function.
  SmallVector<Value> arguments;
  for (BlockArgument argument : entry.getArguments())
    if (read.contains(argument))
      arguments.push_back(argument);
  for (auto [value, id] : folded)
    if (read.contains(value))
      arguments.push_back(value);

  OpBuilder builder(entry.getContext());
  auto type = builder.getFunctionType(TypeRange(arguments), TypeRange(results));
  auto function = func::FuncOp::create(entry.getLoc(), name, type);
  symbols.insert(function);
  function->setAttr(foldAttribute, builder.getStringAttr(toString(time)));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping mapping;
  SmallVector<int64_t> early, late;
  SmallVector<DictionaryAttr> argumentAttributes, resultAttributes;
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    mapping.map(argument, body->getArgument(number));
    (constness.get(argument) <= Constness::CompileTime ? early : late)
        .push_back(int64_t(number));
    if (auto own = dyn_cast<BlockArgument>(argument)) {
      NamedAttrList its(
          function_interface_impl::getArgAttrs(entry, own.getArgNumber()));
      // A session adds default values before anything is computed.
      its.erase(defaultAttribute);
      argumentAttributes.push_back(its.getDictionary(entry.getContext()));
      taken.insert(argument);
    } else {
      argumentAttributes.push_back(makeIdAttributes(folded.lookup(argument)));
    }
  }
  function.setAllArgAttrs(argumentAttributes);
  if (!early.empty())
    function->setAttr(compileTimeArguments,
                      builder.getDenseI64ArrayAttr(early));
  if (!late.empty())
    function->setAttr(runOnceArguments, builder.getDenseI64ArrayAttr(late));
  for (Operation *op : candidates.getOperations())
    if (slice.contains(op))
      builder.clone(*op, mapping);
  func::ReturnOp::create(builder, entry.getLoc(),
                         llvm::map_to_vector(results, [&](Value value) {
                           return mapping.lookup(value);
                         }));
  for (Value value : results)
    resultAttributes.push_back(makeIdAttributes(folded.lookup(value)));
  function.setAllResultAttrs(resultAttributes);
}

/// Replaces values that fold functions compute by arguments.
void Folding::rewriteEntry() {
  Builder builder(entry.getContext());
  SmallVector<Constness> kinds =
      llvm::map_to_vector(entry.getArguments(), [&](Value argument) {
        return constness.get(argument);
      });
  // Insert all arguments at once: each insertion rebuilds the lists of all arguments.
  unsigned before = entry.getNumArguments();
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  SmallVector<Location> places;
  for (auto [value, id] : folded) {
    types.push_back(value.getType());
    attributes.push_back(makeIdAttributes(id));
    places.push_back(value.getLoc());
    kinds.push_back(getTime(value));
  }
  (void)entry.insertArguments(SmallVector<unsigned>(folded.size(), before),
                              types, attributes, places);
  for (auto [i, value] : llvm::enumerate(llvm::make_first_range(folded)))
    value.replaceAllUsesWith(entry.getArgument(before + unsigned(i)));
  for (Operation *op : llvm::reverse(candidates.getOperations()))
    if (op->use_empty())
      op->erase();
  // Erase arguments that were only used for folding.
  llvm::BitVector gone(entry.getNumArguments());
  SmallVector<Constness> left;
  for (auto [number, argument] : llvm::enumerate(entry.getArguments())) {
    bool isFolded = bool(entry.getArgAttr(unsigned(number), idAttribute));
    if (argument.use_empty() && (taken.contains(argument) || isFolded))
      gone.set(unsigned(number));
    else
      left.push_back(kinds[number]);
  }
  (void)entry.eraseArguments(gone);
  auto list = [&](StringRef attribute, Constness kind) {
    SmallVector<int64_t> numbers;
    for (auto [number, each] : llvm::enumerate(left))
      if (each == kind)
        numbers.push_back(int64_t(number));
    if (numbers.empty())
      entry->removeAttr(attribute);
    else
      entry->setAttr(attribute, builder.getDenseI64ArrayAttr(numbers));
  };
  list(compileTimeArguments, Constness::CompileTime);
  list(runOnceArguments, Constness::RunOnce);
}

namespace {
struct FoldConstantTensorsPass
    : invar::impl::FoldConstantTensorsPassBase<FoldConstantTensorsPass> {
  using FoldConstantTensorsPassBase::FoldConstantTensorsPassBase;

  void runOnOperation() override {
    std::unique_ptr<ConstnessAnalysis> constness =
        ConstnessAnalysis::run(getOperation());
    if (!constness)
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    int64_t nextId = 0;
    SmallVector<func::FuncOp> entries;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (auto id = function.getArgAttrOfType<IntegerAttr>(i, idAttribute))
          nextId = std::max(nextId, id.getInt() + 1);
      // A caller inside of the module would not pass the folded values.
      if (function.isPublic() && !function.isExternal() &&
          !function->hasAttr(foldAttribute) &&
          SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        entries.push_back(function);
    }
    // The ids count the values that are folded.
    int64_t firstId = nextId;
    for (func::FuncOp entry : entries) {
      FoldCandidates candidates(entry, *constness, onlyDecoding);
      nextId += Folding(entry, candidates, *constness, symbols, nextId)
                    .fold(maxGrowth, split);
    }
    if (nextId == firstId)
      markAllAnalysesPreserved();
  }
};
} // namespace
