// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/ConstStore/Passes.h"

#include "invar/Dialect/Const/Const.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Encoding/Encode.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_COMPRESSCONSTANTSPASS
#include "invar/ConstStore/Passes.h.inc"
} // namespace invar

using Refs = SmallVector<constants::RefOp>;

/// Whether an entry's bytes are encoded ones already.
static bool isEncoded(const Refs &refs) {
  return llvm::any_of(refs, [](constants::RefOp ref) {
    return llvm::any_of(ref->getUsers(), llvm::IsaPred<constants::DecodeOp>);
  });
}

/// What stands for the reference to an entry whose content is encoded now.
static Value decode(constants::RefOp ref, RankedTensorType whole,
                    RankedTensorType bytes) {
  OpBuilder builder(ref);
  Location loc = ref.getLoc();
  Value encoded =
      constants::RefOp::create(builder, loc, bytes, int64_t(*ref.getIndex()));
  Value decoded = constants::DecodeOp::create(builder, loc, whole, encoded);
  if (!ref.getOffsetsAttr())
    return decoded;
  ArrayRef<int64_t> sizes = ref.getType().getShape();
  auto toAttrs = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(builder.getContext(), numbers);
  };
  return tensor::ExtractSliceOp::create(
      builder, loc, ref.getType(), decoded, toAttrs(*ref.getOffsets()),
      toAttrs(sizes), toAttrs(SmallVector<int64_t>(sizes.size(), 1)));
}

namespace {
struct CompressConstantsPass
    : invar::impl::CompressConstantsPassBase<CompressConstantsPass> {
  using CompressConstantsPassBase::CompressConstantsPassBase;

  void runOnOperation() override {
    auto store = constants::StoreOp::find(getOperation());
    if (!store)
      return markAllAnalysesPreserved();
    llvm::DenseMap<int64_t, Refs> refs;
    getOperation().walk([&](constants::RefOp ref) {
      if (ref.getIndexAttr())
        refs[int64_t(*ref.getIndex())].push_back(ref);
    });
    for (auto [index, entry] :
         llvm::enumerate(store.getBody().getOps<constants::EntryOp>())) {
      auto found = refs.find(int64_t(index));
      if (found != refs.end() && !isEncoded(found->second) &&
          failed(compress(entry, found->second)))
        return signalPassFailure();
    }
    if (numCompressed == 0)
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
    ++numCompressed;
    bytesBefore +=
        uint64_t(content->numElements()) * getLaneSize(content->getType());
    bytesAfter += uint64_t(type.getNumElements());
    entry.setValueAttr(bytes);
    entry.setType(type);
    for (constants::RefOp ref : refs) {
      ref.getResult().replaceAllUsesWith(decode(ref, whole, type));
      ref.erase();
    }
    return success();
  }
};
} // namespace
