// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FoldCandidates.h"

#include "Repeat.h"
#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/Const/Reads.h"
#include "invar/Dialect/Const/TensorBytes.h"
#include "invar/Winograd/Winograd.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace invar;

/// The attribute with the bytes that may still be spent on a function's constants.
static constexpr llvm::StringLiteral leftAttribute = "const.bytes_left";

/// Bytes that may always be spent.
static constexpr uint64_t smallGrowth = 64 << 10;

/// Whether a value only repeats, pads or restores another one, or has no content: loops
/// can read through it.
static bool isReadThrough(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  return isa<tensor::EmptyOp, tensor::PadOp, linalg::FillOp, linalg::UnPackOp,
             tensor::CastOp>(op) ||
         op->hasAttr(restoredFilterAttribute) ||
         (op->getNumOperands() && isa<RankedTensorType>(value.getType()) &&
          Repeat::match(value));
}

/// The filter that is restored from a packed, transformed one; null if `packed` is no
/// such value.
static Value getRestored(Value packed) {
  for (Operation *unpack : packed.getUsers())
    if (isa<linalg::UnPackOp>(unpack))
      for (Operation *user : unpack->getUsers())
        if (user->hasAttr(restoredFilterAttribute))
          return user->getResult(0);
  return nullptr;
}

/// The tensor that encoded bytes are decoded to; null if the value is not encoded.
static Value getDecoded(Value encoded) {
  for (Operation *user : encoded.getUsers())
    if (auto decode = dyn_cast<constants::DecodeOp>(user))
      return decode;
  return nullptr;
}

/// The cost of keeping a value. A value that cannot be kept is computed in each run.
static uint64_t getCost(Value value) {
  if (isReadThrough(value))
    return ConstantGraph::never;
  // The transformed filter may be larger. The pass that transformed it has decided
  // that.
  if (Value restored = getRestored(value))
    value = restored;
  // At run time, encoded bytes are as large as the decoded tensor, so that is kept.
  else if (Value decoded = getDecoded(value))
    value = decoded;
  return getTensorBytes(value.getType()).value_or(ConstantGraph::never);
}

FoldCandidates::FoldCandidates(func::FuncOp function,
                               const ConstnessAnalysis &constness,
                               bool onlyDecoding)
    : function(function), constness(constness), onlyDecoding(onlyDecoding) {
  for (BlockArgument argument : function.getArguments())
    if (constness.isConstant(argument))
      add(argument, getTensorBytes(argument.getType()).value_or(0), {});
  visit(function.getBody().front());
  // An operation that stays because its result cannot be kept needs its operands. The
  // same may hold for their producers, so go backwards.
  for (Operation *op : llvm::reverse(operations))
    if (llvm::any_of(op->getResults(), [&](Value result) {
          return needed.contains(result) &&
                 getCost(result) == ConstantGraph::never;
        }))
      needed.insert_range(getRead(op));
  for (auto [number, value] : llvm::enumerate(values))
    if (needed.contains(value) && getCost(value) != ConstantGraph::never)
      graph.need(unsigned(number));
}

void FoldCandidates::add(Value value, uint64_t bytes,
                         ArrayRef<unsigned> operands) {
  numbers[value] = graph.add(bytes, operands);
  values.push_back(value);
  if (operands.empty())
    sourceBytes += bytes;
}

void FoldCandidates::add(Operation *op, ArrayRef<unsigned> operands) {
  operations.insert(op);
  for (Value result : op->getResults()) {
    // A source exists already. One that has no elements itself takes no memory.
    uint64_t bytes = getCost(result);
    if (operands.empty() && bytes == ConstantGraph::never)
      bytes = 0;
    add(result, bytes, operands);
  }
}

void FoldCandidates::visit(Block &block) {
  for (Operation &op : block) {
    SetVector<Value> read = getRead(&op);
    // A value that a loop passes to its body is constant for one iteration only. It has
    // no number here.
    bool mayMove =
        !onlyDecoding || isa<constants::RefOp, constants::DecodeOp>(op);
    bool isCandidate = mayMove && op.getNumResults() &&
                       llvm::all_of(op.getResults(),
                                    [&](Value result) {
                                      return constness.isConstant(result);
                                    }) &&
                       llvm::all_of(read, [&](Value value) {
                         return numbers.contains(value);
                       });
    if (isCandidate) {
      add(&op, llvm::map_to_vector(
                   read, [&](Value value) { return numbers.lookup(value); }));
    } else if (isa<RegionBranchOpInterface>(op)) {
      needed.insert_range(op.getOperands());
      for (Region &region : op.getRegions())
        llvm::for_each(region, [&](Block &inner) { visit(inner); });
    } else {
      needed.insert_range(read);
    }
  }
}

SmallVector<Value> FoldCandidates::choose(uint64_t maxGrowth) {
  auto known = function->getAttrOfType<IntegerAttr>(leftAttribute);
  uint64_t allowance =
      known ? known.getValue().getZExtValue()
            : smallGrowth +
                  llvm::SaturatingMultiply(sourceBytes, maxGrowth) / 100;
  llvm::BitVector stored = graph.choose(allowance);
  uint64_t spent =
      getBytes(stored) - std::min(getBytes(stored), getBytes(graph.choose(0)));
  SmallVector<Value> folded;
  for (unsigned number : stored.set_bits())
    if (!graph.isSource(number))
      folded.push_back(values[number]);
  if (!folded.empty()) {
    uint64_t left = allowance - std::min(allowance, spent);
    function->setAttr(
        leftAttribute,
        Builder(function.getContext()).getI64IntegerAttr(int64_t(left)));
  }
  return folded;
}

uint64_t FoldCandidates::getBytes(const llvm::BitVector &stored) const {
  uint64_t bytes = 0;
  for (unsigned number : stored.set_bits())
    bytes += getTensorBytes(values[number].getType()).value_or(0);
  return bytes;
}
