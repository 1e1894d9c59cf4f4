// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Node.h"
#include "StridedCopy.h"

#include <algorithm>
#include <cstring>

using namespace invar;

ViewNode::ViewNode(BufferRef from, Layout view)
    : ElementsNode(Kind::View, from->getType(), view.getShape(), 1, 1, 1),
      buffer(std::move(from)), layout(std::move(view)), runs(layout.coalesce()),
      isInOrder(layout.isContiguous()) {}

// Reading elements that are certainly kept costs the same as reading a buffer.
static unsigned costOf(const Deferred &deferred) {
  const ElementsNode &source = *deferred.source;
  uint64_t limit = EvalOptions().keepLimit / getLaneSize(source.type);
  bool isKept = deferred.alwaysKeep && uint64_t(source.count) <= limit;
  return isKept ? 1 : source.cost + 1;
}

ViewNode::ViewNode(std::shared_ptr<const Deferred> from, Layout view)
    : ElementsNode(Kind::View, from->source->type, view.getShape(),
                   from->source->depth + 1, costOf(*from), 1),
      deferred(std::move(from)), layout(std::move(view)),
      runs(layout.coalesce()), isInOrder(layout.isContiguous()) {}

NodeRef invar::makeDeferred(NodeRef source, llvm::ArrayRef<int64_t> shape,
                            bool alwaysKeep) {
  return std::make_shared<ViewNode>(
      std::make_shared<const Deferred>(std::move(source), alwaysKeep),
      *Layout::contiguous(shape));
}

/// In a file, any byte except 0 is true; as a C++ bool that would be undefined
/// behaviour.
static void normalizeBools(uint8_t *lanes, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    lanes[i] = lanes[i] != 0;
}

void ViewNode::readBuffer(const Buffer &from, int64_t begin, int64_t n,
                          uint8_t *lanes) const {
  if (isPacked(type))
    return copyPacked(runs, from.getData(), type, begin, n, lanes);
  copyLanes(runs, from.getData(), getLaneSize(type), begin, n, lanes);
  if (type == DataType::Bool)
    normalizeBools(lanes, n);
}

void ViewNode::read(int64_t begin, int64_t n, uint8_t *lanes,
                    Evaluation &ev) const {
  if (n == 0)
    return;
  if (buffer)
    return readBuffer(*buffer, begin, n, lanes);
  if (const Buffer *kept = deferred->getKept())
    return readBuffer(*kept, begin, n, lanes);
  const ElementsNode &source = *deferred->source;
  if (streams())
    return source.read(layout.getOffset() + begin, n, lanes, ev);
  if (isSplat() && !deferred->alwaysKeep)
    return readRepeated(layout.getOffset(), n, lanes, ev);
  if (BufferRef kept = deferred->keep(ev))
    return readBuffer(*kept, begin, n, lanes);

  // Too big to keep: slow, but in bounded memory.
  size_t laneSize = getLaneSize(type);
  forEachRun(runs, begin, n,
             [&](int64_t first, int64_t stride, int64_t length) {
               if (stride == 1)
                 source.read(first, length, lanes, ev);
               else if (stride == 0)
                 readRepeated(first, length, lanes, ev);
               else
                 for (int64_t i = 0; i < length; ++i)
                   source.read(first + i * stride, 1,
                               lanes + size_t(i) * laneSize, ev);
               lanes += size_t(length) * laneSize;
             });
}

void ViewNode::readRepeated(int64_t number, int64_t n, uint8_t *lanes,
                            Evaluation &ev) const {
  deferred->source->read(number, 1, lanes, ev);
  size_t laneSize = getLaneSize(type);
  // Double the copied range until it is complete.
  for (size_t done = laneSize, all = size_t(n) * laneSize; done < all;
       done *= 2)
    std::memcpy(lanes + done, lanes, std::min(done, all - done));
}

const uint8_t *ViewNode::inPlace(int64_t begin, int64_t n) const {
  const Buffer *from = buffer ? buffer.get() : deferred->getKept();
  if (!from || !isInOrder || isPacked(type))
    return nullptr;
  size_t laneSize = getLaneSize(type);
  const uint8_t *lanes =
      from->getData() + size_t(layout.getOffset() + begin) * laneSize;
  if (reinterpret_cast<uintptr_t>(lanes) % std::min<size_t>(laneSize, 8) != 0)
    return nullptr;
  if (type == DataType::Bool &&
      std::any_of(lanes, lanes + n, [](uint8_t b) { return b > 1; }))
    return nullptr;
  return lanes;
}

int64_t ViewNode::preferredRead() const {
  if (streams())
    return deferred->source->preferredRead();
  return preferredCopy(runs, getLaneSize(type));
}

void ViewNode::prepareInputs(Evaluation &ev) const {
  if (!deferred || deferred->getKept())
    return;
  if (streams() || (isSplat() && !deferred->alwaysKeep))
    deferred->source->prepare(ev);
  else
    deferred->keep(ev);
}

NodeRef ViewNode::withLayout(Layout newLayout) const {
  if (buffer)
    return std::make_shared<ViewNode>(buffer, std::move(newLayout));
  return std::make_shared<ViewNode>(deferred, std::move(newLayout));
}

NodeRef ViewNode::view(const ViewOp &op) const {
  switch (op.kind) {
  case ViewOp::Transpose:
    return withLayout(layout.transpose(op.permutation));
  case ViewOp::Slice:
    return withLayout(layout.slice(op.starts, op.shape, op.steps));
  case ViewOp::Expand:
    return withLayout(layout.expand(op.shape));
  case ViewOp::Reshape:
    if (std::optional<Layout> reshaped = layout.reshape(op.shape))
      return withLayout(std::move(*reshaped));
    return makeDeferred(shared_from_this(), op.shape, /*alwaysKeep=*/false);
  }
  llvm_unreachable("covered switch");
}

std::optional<llvm::ArrayRef<uint8_t>>
ViewNode::getRawInPlace(uint64_t *offset) const {
  if (!buffer || !isInOrder || type == DataType::String)
    return std::nullopt;
  uint64_t width = getBitWidth(type);
  uint64_t first = uint64_t(layout.getOffset());
  uint64_t last = first + uint64_t(count);
  // The last byte of packed data must not contain bits of other elements of the buffer.
  if (first * width % 8 != 0 ||
      (last * width % 8 != 0 && last != uint64_t(buffer->numElements())))
    return std::nullopt;
  if (offset)
    *offset = first * width / 8;
  return buffer->getBytes().slice(first * width / 8,
                                  *getPackedSize(type, uint64_t(count)));
}

Hash128 ViewNode::computeRecipe(const EvalOptions &options) const {
  Hasher hasher;
  if (count == 0)
    return hasher.add("empty").finish();
  if (buffer && isSplat()) {
    // The hash must not depend on the elements around this one.
    Evaluation ev{options, {}};
    alignas(llvm::StringRef) uint8_t lane[16];
    read(0, 1, lane, ev);
    hasher.add("splat");
    if (type == DataType::String)
      return hasher.add(*reinterpret_cast<llvm::StringRef *>(lane)).finish();
    return hasher.add(llvm::ArrayRef(lane, getLaneSize(type))).finish();
  }
  hasher.add("view").add(uint64_t(layout.getOffset())).add(layout.getStrides());
  hasher.add(buffer ? buffer->getContentHash(options.threads)
                    : deferred->source->getRecipe(options));
  return hasher.finish();
}
