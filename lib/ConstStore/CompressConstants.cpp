// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/ConstStore/Passes.h"

#include "invar/Dialect/Const/Const.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Encoding/Encode.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_COMPRESSCONSTANTSPASS
#include "invar/ConstStore/Passes.h.inc"
} // namespace invar

using Refs = SmallVector<constants::RefOp>;

/// Whether an operation other than a decoder reads an entry; a decoder means that it is
/// encoded already.
static bool areRead(const Refs &refs) {
  return llvm::any_of(refs, [](constants::RefOp ref) {
    return llvm::any_of(ref->getUsers(), [](Operation *user) {
      return !isa<constants::DecodeOp>(user);
    });
  });
}

/// Inserts before all uses of the references, in the function's own block.
static void setInsertionPoint(OpBuilder &builder, func::FuncOp function,
                              constants::RefOp first) {
  Block &body = function.getBody().front();
  if (Operation *op = body.findAncestorOpInBlock(*first))
    builder.setInsertionPoint(op);
  else
    builder.setInsertionPointToStart(&body);
}

/// The replacement of a reference to an entry, given the decoded content of the entry.
static Value cutPart(constants::RefOp ref, Value decoded) {
  if (!ref.getOffsetsAttr())
    return decoded;
  OpBuilder builder(ref);
  ArrayRef<int64_t> sizes = ref.getType().getShape();
  auto toAttrs = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(builder.getContext(), numbers);
  };
  return tensor::ExtractSliceOp::create(
      builder, ref.getLoc(), ref.getType(), decoded, toAttrs(*ref.getOffsets()),
      toAttrs(sizes), toAttrs(SmallVector<int64_t>(sizes.size(), 1)));
}

/// Lets each function decode an entry once. The type of the entry is now that of bytes.
static void decode(const Refs &refs, RankedTensorType whole,
                   RankedTensorType bytes) {
  llvm::DenseMap<func::FuncOp, Value> decoded;
  for (constants::RefOp ref : refs) {
    auto function = ref->getParentOfType<func::FuncOp>();
    Value &own = decoded[function];
    if (!own) {
      OpBuilder builder(ref);
      setInsertionPoint(builder, function, ref);
      Value encoded = constants::RefOp::create(builder, ref.getLoc(), bytes,
                                               int64_t(*ref.getIndex()));
      own = constants::DecodeOp::create(builder, ref.getLoc(), whole, encoded);
    }
    ref.getResult().replaceAllUsesWith(cutPart(ref, own));
    ref.erase();
  }
}

namespace {
struct CompressConstantsPass
    : invar::impl::CompressConstantsPassBase<CompressConstantsPass> {
  using CompressConstantsPassBase::CompressConstantsPassBase;

  void runOnOperation() override {
    hasCompressed = false;
    auto store = constants::StoreOp::find(getOperation());
    if (!store)
      return markAllAnalysesPreserved();
    llvm::DenseMap<int64_t, Refs> refs;
    getOperation().walk([&](constants::RefOp ref) {
      if (ref.getIndexAttr() && ref->getParentOfType<func::FuncOp>())
        refs[int64_t(*ref.getIndex())].push_back(ref);
    });
    for (auto [index, entry] :
         llvm::enumerate(store.getBody().getOps<constants::EntryOp>())) {
      auto found = refs.find(int64_t(index));
      if (found != refs.end() && areRead(found->second) &&
          failed(compress(entry, found->second)))
        return signalPassFailure();
    }
    if (!hasCompressed)
      markAllAnalysesPreserved();
  }

private:
  LogicalResult compress(constants::EntryOp entry, const Refs &refs) {
    auto whole = cast<RankedTensorType>(entry.getType());
    if (entry.getNameAttr() || !whole.getElementType().isIntOrFloat())
      return success();
    FailureOr<Elements> content = elements::toElements(entry.getValueAttr());
    if (failed(content))
      return success();
    EncodingOptions options;
    options.evaluation.threads = threads;
    options.leastPercent = leastPercent;
    auto encoded = encode(*content, options);
    if (!encoded)
      return entry.emitError(llvm::toString(encoded.takeError()));
    if (!*encoded)
      return success();
    auto bytes =
        elements::LazyElementsAttr::get(&getContext(), std::move(**encoded));
    auto type = cast<RankedTensorType>(bytes.getType());
    hasCompressed = true;
    entry.setValueAttr(bytes);
    entry.setType(type);
    decode(refs, whole, type);
    return success();
  }

  bool hasCompressed = false;
};
} // namespace
