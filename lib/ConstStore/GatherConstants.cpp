// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/ConstStore/Passes.h"

#include "invar/Dialect/Const/Const.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Support/Hash.h"
#include <map>

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_GATHERCONSTANTSPASS
#include "invar/ConstStore/Passes.h.inc"
} // namespace invar

namespace {
/// The place of a constant in the store: an entry, or rows of one from an offset on.
struct Place {
  int64_t index;
  int64_t firstRow = 0;
  bool isPart = false;
};

/// The growing store, with indices to find constants in it.
class Table {
public:
  explicit Table(constants::StoreOp store) : store(store) {
    // Named entries may be replaced later, so they are equal to no other constant.
    for (auto entry : store.getBody().getOps<constants::EntryOp>())
      note(entry.getNameAttr() ? ElementsAttr() : entry.getValueAttr());
  }

  /// The place of a constant. Adds the constant if it is not in the store.
  Place get(Location loc, ElementsAttr content);

private:
  struct Entry {
    ElementsAttr content;
    std::optional<Elements> elements;
    std::optional<FileRange> range;
  };

  void note(ElementsAttr content);
  std::optional<int64_t> findEqual(ElementsAttr content,
                                   const Elements &elements);
  std::optional<Place> findAround(ElementsAttr content,
                                  const Elements &elements) const;

  constants::StoreOp store;
  std::vector<Entry> entries;
  llvm::DenseMap<Attribute, int64_t> byContent;
  /// Entries with the same type and samples.
  llvm::DenseMap<Hash128, SmallVector<int64_t, 1>> bySample;
  /// Entries that are ranges of files, by row type and file, then by offset. If ranges
  /// overlap, which is rare for tensors, the last one before an offset counts.
  using Rows = std::pair<Type, const void *>;
  llvm::DenseMap<Rows, std::map<uint64_t, int64_t>> byRow;
};
} // namespace

/// A hash of a few elements. Constants with different hashes differ.
static Hash128 getSample(ElementsAttr content, const Elements &elements) {
  Hasher hasher;
  hasher.add(uint64_t(
      reinterpret_cast<uintptr_t>(content.getType().getAsOpaquePointer())));
  constexpr int64_t some = 16;
  int64_t count = elements.numElements();
  if (elements.getType() == DataType::String || count == 0)
    return hasher.finish();
  int64_t each = std::min(count, some);
  SmallVector<uint8_t> lanes(size_t(each) * getLaneSize(elements.getType()));
  for (int64_t begin : {int64_t(0), (count - each) / 2, count - each}) {
    elements.read(begin, each, lanes.data());
    hasher.add(ArrayRef<uint8_t>(lanes));
  }
  return hasher.finish();
}

/// The type of a row, which is everything at one index of the first axis; null for a
/// scalar.
static Type getRowType(ShapedType type) {
  if (type.getRank() == 0)
    return nullptr;
  return RankedTensorType::get(type.getShape().drop_front(),
                               type.getElementType());
}

void Table::note(ElementsAttr content) {
  int64_t index = int64_t(entries.size());
  entries.push_back({content, std::nullopt, std::nullopt});
  FailureOr<Elements> elements = failure();
  if (content)
    elements = elements::toElements(content);
  if (failed(elements))
    return;
  entries.back().elements = *elements;
  byContent.try_emplace(content, index);
  bySample[getSample(content, *elements)].push_back(index);
  entries.back().range = elements->getFileRange();
  if (Type row = getRowType(content.getShapedType());
      row && entries.back().range) {
    const auto &[file, range] = *entries.back().range;
    auto [known, isNew] =
        byRow[{row, file.get()}].try_emplace(range.offset, index);
    if (!isNew && entries[known->second].range->range.size < range.size)
      known->second = index;
  }
}

std::optional<int64_t> Table::findEqual(ElementsAttr content,
                                        const Elements &elements) {
  auto known = byContent.find(content);
  if (known != byContent.end())
    return known->second;
  for (int64_t index : bySample.lookup(getSample(content, elements)))
    if (entries[index].content.getType() == content.getType() &&
        sameRecipe(*entries[index].elements, elements)) {
      byContent.try_emplace(content, index);
      return index;
    }
  return std::nullopt;
}

/// An entry that contains the constant as some of its rows, in the same file.
std::optional<Place> Table::findAround(ElementsAttr content,
                                       const Elements &elements) const {
  std::optional<FileRange> own = elements.getFileRange();
  ShapedType type = content.getShapedType();
  Type row = getRowType(type);
  if (!own || !row || own->range.size == 0)
    return std::nullopt;
  auto rows = byRow.find({row, own->file.get()});
  if (rows == byRow.end())
    return std::nullopt;
  auto behind = rows->second.upper_bound(own->range.offset);
  if (behind == rows->second.begin())
    return std::nullopt;
  int64_t index = std::prev(behind)->second;
  const FileRange &whole = *entries[index].range;
  uint64_t rowBytes = own->range.size / uint64_t(type.getDimSize(0));
  uint64_t before = own->range.offset - whole.range.offset;
  if (own->range.end() > whole.range.end() || before % rowBytes != 0)
    return std::nullopt;
  return Place{index, int64_t(before / rowBytes), true};
}

Place Table::get(Location loc, ElementsAttr content) {
  FailureOr<Elements> elements = elements::toElements(content);
  if (succeeded(elements)) {
    if (std::optional<int64_t> equal = findEqual(content, *elements))
      return {*equal};
    if (std::optional<Place> around = findAround(content, *elements))
      return *around;
  }
  OpBuilder builder = OpBuilder::atBlockEnd(&store.getBody().front());
  constants::EntryOp::create(builder, loc, StringAttr(), content,
                             TypeAttr::get(content.getType()));
  note(content);
  return {int64_t(entries.size()) - 1};
}

namespace {
struct GatherConstantsPass
    : invar::impl::GatherConstantsPassBase<GatherConstantsPass> {
  using GatherConstantsPassBase::GatherConstantsPassBase;

  void runOnOperation() override {
    SmallVector<constants::RefOp> refs;
    getOperation().walk([&](constants::RefOp ref) {
      if (ref.getValueAttr())
        refs.push_back(ref);
    });
    if (refs.empty())
      return;
    // Constants that may contain others come first. Otherwise the order of use stays.
    llvm::stable_sort(refs, [](constants::RefOp a, constants::RefOp b) {
      return a.getValueAttr().getNumElements() >
             b.getValueAttr().getNumElements();
    });
    auto store = constants::StoreOp::getOrCreate(getOperation());
    Table table(store);
    for (constants::RefOp ref : refs) {
      Place place = table.get(ref.getLoc(), ref.getValueAttr());
      OpBuilder builder(ref);
      SmallVector<int64_t> offsets;
      if (place.isPart) {
        offsets.assign(cast<RankedTensorType>(ref.getType()).getRank(), 0);
        offsets[0] = place.firstRow;
      }
      auto made = constants::RefOp::create(builder, ref.getLoc(), ref.getType(),
                                           place.index, offsets);
      ref.getResult().replaceAllUsesWith(made.getResult());
      ref.erase();
    }
  }
};
} // namespace
