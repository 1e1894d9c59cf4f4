// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Layout/Passes.h"

#include "Transposes.h"
#include "Unused.h"
#include "invar/Constness/Constness.h"
#include "invar/Dialect/Const/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_CHANNELSLASTPASS
#include "invar/Layout/Passes.h.inc"
} // namespace invar

/// The permutation from NCHW to NHWC, for any number of spatial axes.
static SmallVector<int64_t> getTurn(int64_t rank) {
  SmallVector<int64_t> turn = {0};
  for (int64_t axis = 2; axis < rank; ++axis)
    turn.push_back(axis);
  turn.push_back(1);
  return turn;
}

template <typename T>
static SmallVector<T> permute(ArrayRef<T> list, ArrayRef<int64_t> order) {
  SmallVector<T> permuted;
  for (int64_t i : order)
    permuted.push_back(list[i]);
  return permuted;
}

/// Whether an operation reads an image of shape NCHW… through a window and has a
/// result of the same form.
static bool isWindow(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || op->getNumResults() != 1 ||
      op.getNumDpsInputs() == 0)
    return false;
  AffineMap image = op.getIndexingMapsArray()[0];
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  unsigned rank = image.getNumResults();
  if (rank < 3 || result.getNumResults() != rank ||
      !result.isProjectedPermutation() ||
      !isa<AffineDimExpr>(image.getResult(0)) ||
      !isa<AffineDimExpr>(image.getResult(1)))
    return false;
  // Along each spatial axis: a sum of the position and a tap. A window of one tap has
  // the position alone, and a loop over the tap that the image does not have.
  unsigned axes = rank - 2, sums = 0, positions = 0, ownTaps = 0;
  for (unsigned axis = 2; axis < rank; ++axis) {
    AffineExpr expr = image.getResult(axis);
    if (expr == result.getResult(axis))
      ++positions;
    else if (!isa<AffineDimExpr, AffineConstantExpr>(expr))
      ++sums;
  }
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (unsigned loop : reductions)
    ownTaps += !image.isFunctionOfDim(loop);
  return sums + positions == axes && ownTaps == positions;
}

namespace {
/// Rebuilds operations with channels last, from the top down, and keeps the
/// channels-last form of their results.
class Turner {
public:
  Turner(MLIRContext *context, const ConstnessAnalysis &constness)
      : builder(context), constness(constness) {}

  void visit(Operation *op) {
    builder.setInsertionPoint(op);
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      if (isWindow(generic))
        turnWindow(generic);
      else if (isElementwise(generic))
        turnElementwise(generic);
      else if (hasTurned(generic))
        readTurned(generic);
    } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
      turnConcat(concat);
    }
  }

private:
  /// Whether there is a channels-last form that costs nothing: that of a constant is
  /// computed once.
  bool isTurned(Value tensor) const {
    return turned.contains(tensor) || constness.isConstant(tensor);
  }

  Value turn(Value tensor) {
    Value &form = turned[tensor];
    if (form)
      return form;
    SmallVector<int64_t> order =
        getTurn(cast<RankedTensorType>(tensor.getType()).getRank());
    if (auto ref = tensor.getDefiningOp<constants::RefOp>())
      if (Value constant = transposeConstant(builder, ref, order))
        return turned[tensor] = constant;
    Value made = makeTranspose(builder, tensor.getLoc(), tensor, order);
    return turned[tensor] = made;
  }

  /// Replaces the original result by one that is transposed back from the channels-last
  /// form. It may be unused.
  void setTurned(Value result, Value form) {
    SmallVector<int64_t> back = invertPermutationVector(
        getTurn(cast<RankedTensorType>(form.getType()).getRank()));
    Value plain = makeTranspose(builder, result.getLoc(), form, back);
    if (plain.getType() != result.getType())
      plain = tensor::CastOp::create(builder, result.getLoc(), result.getType(),
                                     plain);
    result.replaceAllUsesWith(plain);
    turned[plain] = form;
  }

  Value makeEmpty(Value like, ArrayRef<int64_t> order) {
    auto type = cast<RankedTensorType>(like.getType());
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(builder, like.getLoc(), like);
    if (auto empty = like.getDefiningOp<tensor::EmptyOp>())
      sizes = empty.getMixedSizes();
    return tensor::EmptyOp::create(builder, like.getLoc(),
                                   permute<OpFoldResult>(sizes, order),
                                   type.getElementType());
  }

  /// The initial value of an operation's result, for its channels-last form.
  Value turnInit(Value init, ArrayRef<int64_t> order) {
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      return linalg::FillOp::create(builder, init.getLoc(), fill.getInputs()[0],
                                    makeEmpty(fill.getOutputs()[0], order))
          .getResult(0);
    if (init.getDefiningOp<tensor::EmptyOp>())
      return makeEmpty(init, order);
    return turn(init);
  }

  //===-- Windows -----------------------------------------------------------------===//

  void turnWindow(linalg::GenericOp op) {
    Value image = op.getDpsInputs()[0];
    int64_t rank = cast<RankedTensorType>(image.getType()).getRank();
    SmallVector<int64_t> order = getTurn(rank);
    // Padding stays with its reader: around the channels-last image.
    Value read;
    if (auto pad = image.getDefiningOp<tensor::PadOp>();
        pad && pad.getConstantPaddingValue()) {
      Value source = turn(pad.getSource());
      auto type = cast<RankedTensorType>(pad.getType());
      read = tensor::PadOp::create(
          builder, pad.getLoc(),
          RankedTensorType::get(permute<int64_t>(type.getShape(), order),
                                type.getElementType()),
          source, permute<OpFoldResult>(pad.getMixedLowPad(), order),
          permute<OpFoldResult>(pad.getMixedHighPad(), order),
          pad.getConstantPaddingValue());
    } else {
      read = turn(image);
    }
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    auto turnMap = [&](AffineMap map) {
      return AffineMap::get(map.getNumDims(), 0,
                            permute<AffineExpr>(map.getResults(), order),
                            op.getContext());
    };
    maps.front() = turnMap(maps.front());
    maps.back() = turnMap(maps.back());
    SmallVector<Value> operands(op.getDpsInputs());
    operands[0] = read;
    Value init = turnInit(op.getDpsInits()[0], order);
    setTurned(op.getResult(0), remake(op, operands, init, maps));
  }

  /// The same operation with other operands and maps.
  Value remake(linalg::GenericOp op, ValueRange operands, Value init,
               ArrayRef<AffineMap> maps) {
    auto made = linalg::GenericOp::create(builder, op.getLoc(), init.getType(),
                                          operands, init, maps,
                                          op.getIteratorTypesArray());
    op.getRegion().cloneInto(&made.getRegion(), mapping);
    return made.getResult(0);
  }

  //===-- What follows ------------------------------------------------------------===//

  /// Reads of tensors at computed positions in a body.
  static SmallVector<tensor::ExtractOp> getReads(linalg::GenericOp op) {
    SmallVector<tensor::ExtractOp> reads;
    op.getRegion().walk([&](tensor::ExtractOp read) { reads.push_back(read); });
    return reads;
  }

  void turnElementwise(linalg::GenericOp op) {
    int64_t rank = op.getNumLoops();
    if (rank < 3 || getPermutation(op))
      return;
    // Rebuild only if no more operands must be transposed than are available
    // channels-last.
    int there = 0, missing = 0;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      if (!op.getMatchingIndexingMap(operand).isIdentity())
        continue;
      if (turned.contains(operand->get()))
        ++there;
      else if (!isTurned(operand->get()))
        ++missing;
    }
    SmallVector<tensor::ExtractOp> reads = getReads(op);
    for (tensor::ExtractOp read : reads)
      there += turned.contains(read.getTensor());
    if (there == 0 || missing > there)
      return;
    // The loops take the order of the channels-last result.
    SmallVector<int64_t> order = getTurn(rank),
                         back = invertPermutationVector(order);
    SmallVector<AffineExpr> loops;
    for (int64_t loop = 0; loop < rank; ++loop)
      loops.push_back(builder.getAffineDimExpr(unsigned(back[loop])));
    SmallVector<Value> operands;
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (map.isIdentity()) {
        operands.push_back(turn(operand->get()));
        maps.push_back(map);
      } else {
        operands.push_back(operand->get());
        maps.push_back(map.replaceDimsAndSymbols(loops, {}, unsigned(rank), 0));
      }
    }
    maps.push_back(builder.getMultiDimIdentityMap(unsigned(rank)));
    Value init = turnInit(op.getDpsInits()[0], order);
    Value made = remake(op, operands, init, maps);
    auto generic = made.getDefiningOp<linalg::GenericOp>();
    generic.getRegion().walk([&](linalg::IndexOp index) {
      index.setDim(uint64_t(back[index.getDim()]));
    });
    for (tensor::ExtractOp read : getReads(generic)) {
      auto form = turned.find(read.getTensor());
      if (form == turned.end())
        continue;
      SmallVector<Value> places(read.getIndices());
      SmallVector<Value> permuted =
          permute<Value>(places, getTurn(int64_t(places.size())));
      read.getTensorMutable().assign(form->second);
      read.getIndicesMutable().assign(permuted);
    }
    setTurned(op.getResult(0), made);
  }

  /// Whether an operation, such as a reduction, reads a value that has a channels-last
  /// form.
  bool hasTurned(linalg::GenericOp op) const {
    return llvm::any_of(op.getDpsInputs(), [&](Value operand) {
      return turned.contains(operand);
    });
  }

  /// Reads the channels-last form by another map. The result does not change.
  void readTurned(linalg::GenericOp op) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (auto [i, operand] : llvm::enumerate(op.getDpsInputOperands())) {
      auto form = turned.find(operand->get());
      if (form == turned.end() || !maps[i].isProjectedPermutation(true))
        continue;
      int64_t rank = maps[i].getNumResults();
      maps[i] = AffineMap::get(
          maps[i].getNumDims(), 0,
          permute<AffineExpr>(maps[i].getResults(), getTurn(rank)),
          op.getContext());
      operand->set(form->second);
    }
    op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  }

  void turnConcat(tensor::ConcatOp op) {
    int64_t rank = op.getRank();
    int there = 0, missing = 0;
    for (Value input : op.getInputs())
      ++(isTurned(input) ? there : missing);
    if (rank < 3 || there == 0 || missing > there ||
        llvm::none_of(op.getInputs(),
                      [&](Value input) { return turned.contains(input); }))
      return;
    SmallVector<Value> inputs;
    for (Value input : op.getInputs())
      inputs.push_back(turn(input));
    SmallVector<int64_t> order = getTurn(rank);
    auto type =
        RankedTensorType::get(permute<int64_t>(op.getType().getShape(), order),
                              op.getType().getElementType());
    setTurned(op.getResult(),
              tensor::ConcatOp::create(
                  builder, op.getLoc(), type,
                  uint64_t(invertPermutationVector(order)[op.getDim()]),
                  inputs));
  }

  OpBuilder builder;
  const ConstnessAnalysis &constness;
  /// The channels-last form of each value.
  llvm::DenseMap<Value, Value> turned;
  IRMapping mapping;
};

struct ChannelsLastPass : invar::impl::ChannelsLastPassBase<ChannelsLastPass> {
  void runOnOperation() override {
    // Only windows are turned, and what follows them.
    WalkResult hasWindow = getOperation().walk([](linalg::GenericOp op) {
      return isWindow(op) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!hasWindow.wasInterrupted())
      return;
    std::unique_ptr<ConstnessAnalysis> constness =
        ConstnessAnalysis::run(getOperation());
    if (!constness)
      return signalPassFailure();
    getOperation().walk<WalkOrder::PreOrder>([&](Block *block) {
      // A form made in one block is not available in other blocks.
      if (isa<linalg::LinalgOp, tensor::PadOp>(block->getParentOp()))
        return;
      Turner turner(&getContext(), *constness);
      for (Operation &op : llvm::make_early_inc_range(*block))
        turner.visit(&op);
    });
    eraseUnused(getOperation());
  }
};
} // namespace
