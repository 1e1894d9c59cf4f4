// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/Elements.h"

#include "Node.h"
#include "invar/Support/Error.h"
#include "invar/Support/Parallel.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstring>

using namespace invar;

llvm::Error invar::noMemoryFor(uint64_t count, size_t size) {
  return outOfResources("expected memory for " + llvm::Twine(count) +
                        " elements of " + llvm::Twine(uint64_t(size)) +
                        " bytes, but got none");
}

static Evaluation begin(const EvalOptions &options) {
  Evaluation ev{options, {}};
  ev.options.threads = resolveThreads(options.threads);
  return ev;
}

/// Reading cannot report that a kernel has no result. Zeros would be wrong constants, so
/// the process ends, as for any failed allocation. Whoever can report it calls prepare()
/// first.
static void expectComputed(const Evaluation &ev) {
  if (!ev.failure.empty())
    llvm::report_fatal_error(llvm::Twine("cannot compute a constant: ") +
                                 ev.failure,
                             /*gen_crash_diag=*/false);
}

DataType Elements::getType() const { return node->type; }
llvm::ArrayRef<int64_t> Elements::getShape() const { return node->shape; }
int64_t Elements::numElements() const { return node->count; }
bool Elements::isSplat() const { return node->isSplat(); }

uint64_t Elements::sizeInBytes() const {
  // No overflow: larger tensors are never created.
  return *getPackedSize(node->type, static_cast<uint64_t>(node->count));
}

void Elements::read(int64_t begin, int64_t count, void *lanes,
                    const EvalOptions &options) const {
  assert(begin >= 0 && count >= 0 && count <= node->count - begin &&
         "range past the end");
  if (count == 0)
    return;
  Evaluation ev = ::begin(options);
  readParallel(*node, begin, count, static_cast<uint8_t *>(lanes), ev);
  expectComputed(ev);
}

void Elements::readWideNums(int64_t begin,
                            llvm::MutableArrayRef<WideNum> numbers,
                            const EvalOptions &options) const {
  assert(isNumeric(node->type) && "only numbers are wide numbers");
  constexpr size_t step = 1024;
  alignas(8) std::byte lanes[step * sizeof(uint64_t)];
  while (!numbers.empty()) {
    size_t here = std::min(step, numbers.size());
    read(begin, static_cast<int64_t>(here), lanes, options);
    widenLanes(node->type, lanes, numbers.take_front(here));
    begin += static_cast<int64_t>(here);
    numbers = numbers.drop_front(here);
  }
}

/// Reads the raw form of elements from `begin` on. Element `begin` must start at a byte
/// boundary.
static void readRaw(const Elements &elements, int64_t begin, int64_t count,
                    uint8_t *bytes, const EvalOptions &options) {
  DataType type = elements.getType();
  if (!isPacked(type))
    return elements.read(begin, count, bytes, options);
  std::vector<uint8_t> lanes(static_cast<size_t>(count));
  elements.read(begin, count, lanes.data(), options);
  packLanes(type, lanes.data(), lanes.size(), bytes);
}

static std::optional<llvm::ArrayRef<uint8_t>>
rawInPlace(const ElementsNode &node) {
  const auto *view = llvm::dyn_cast<ViewNode>(&node);
  return view ? view->getRawInPlace() : std::nullopt;
}

void Elements::readBytes(uint64_t begin, llvm::MutableArrayRef<uint8_t> bytes,
                         const EvalOptions &options) const {
  assert(node->type != DataType::String && "strings have no raw form");
  assert(begin <= sizeInBytes() && bytes.size() <= sizeInBytes() - begin);
  if (bytes.empty())
    return;
  if (auto raw = rawInPlace(*node)) {
    std::memcpy(bytes.data(), raw->data() + begin, bytes.size());
    return;
  }
  // Read elements in groups that fill whole bytes, and cut off the excess at both ends.
  uint64_t group = getPackingGroup(node->type);
  uint64_t groupBytes = group * getBitWidth(node->type) / 8;
  uint64_t groupsAtOnce =
      std::max<uint64_t>(1, (uint64_t(1) << 20) / groupBytes);
  std::vector<uint64_t> piece; // Words, for the alignment of the lanes.
  while (!bytes.empty()) {
    uint64_t first = begin / groupBytes;
    uint64_t skip = begin % groupBytes;
    uint64_t groups = std::min(
        groupsAtOnce, (skip + bytes.size() + groupBytes - 1) / groupBytes);
    uint64_t elements =
        std::min(groups * group, uint64_t(node->count) - first * group);
    piece.resize(groups * groupBytes / 8 + 1);
    auto *raw = reinterpret_cast<uint8_t *>(piece.data());
    readRaw(*this, int64_t(first * group), int64_t(elements), raw, options);
    size_t here = std::min<uint64_t>(bytes.size(), groups * groupBytes - skip);
    std::memcpy(bytes.data(), raw + skip, here);
    bytes = bytes.drop_front(here);
    begin += here;
  }
}

llvm::Error Elements::streamBytes(
    llvm::function_ref<llvm::Error(llvm::ArrayRef<uint8_t>)> sink,
    const EvalOptions &options) const {
  assert(node->type != DataType::String && "strings have no raw form");
  if (auto raw = rawInPlace(*node))
    return raw->empty() ? llvm::Error::success() : sink(*raw);
  if (llvm::Error error = prepare(options))
    return error;
  // Large enough to share among threads, small enough to need little memory; whole
  // groups.
  constexpr int64_t step = int64_t(1) << 20;
  std::vector<uint64_t> piece; // Words, for the alignment of the lanes.
  for (int64_t begin = 0; begin < node->count; begin += step) {
    int64_t here = std::min(step, node->count - begin);
    size_t bytes = *getPackedSize(node->type, uint64_t(here));
    piece.resize(bytes / 8 + 1);
    auto *raw = reinterpret_cast<uint8_t *>(piece.data());
    readRaw(*this, begin, here, raw, options);
    if (llvm::Error error = sink({raw, bytes}))
      return error;
  }
  return llvm::Error::success();
}

const void *Elements::getLanesInPlace() const {
  return node->inPlace(0, node->count);
}

std::optional<FileRange> Elements::getFileRange() const {
  const auto *view = llvm::dyn_cast<ViewNode>(node.get());
  if (!view || !view->getBuffer() || !view->getBuffer()->getFile())
    return std::nullopt;
  auto raw = view->getRawInPlace();
  if (!raw)
    return std::nullopt;
  const std::shared_ptr<const MappedFile> &file = view->getBuffer()->getFile();
  return FileRange{file, file->getRange(llvm::toStringRef(*raw))};
}

std::optional<WideNum> Elements::getSplatNum() const {
  if (!isSplat() || !isNumeric(node->type))
    return std::nullopt;
  WideNum number;
  readWideNums(0, number);
  return number;
}

bool Elements::detectSplat() const {
  if (isSplat() || node->count == 0)
    return node->count != 0;
  size_t laneSize = getLaneSize(node->type);
  Evaluation ev = ::begin({});
  alignas(8) uint8_t first[16];
  node->read(0, 1, first, ev);
  auto isFirst = [&](const uint8_t *lane) {
    if (node->type == DataType::String)
      return *reinterpret_cast<const llvm::StringRef *>(lane) ==
             *reinterpret_cast<const llvm::StringRef *>(first);
    return std::memcmp(lane, first, laneSize) == 0;
  };
  // Most tensors differ early: begin with few elements and continue with more.
  constexpr int64_t most = 4096;
  Scratch::Frame frame(ev.scratch);
  uint8_t *lanes = frame.take(most * laneSize);
  for (int64_t at = 1, step = 16; at < node->count; at += step, step = most) {
    int64_t here = std::min(step, node->count - at);
    node->read(at, here, lanes, ev);
    expectComputed(ev);
    for (int64_t i = 0; i < here; ++i)
      if (!isFirst(lanes + size_t(i) * laneSize))
        return false;
  }
  return true;
}

bool Elements::isStored() const {
  const auto *view = llvm::dyn_cast<ViewNode>(node.get());
  return view && view->getBuffer();
}

llvm::Expected<Elements>
Elements::materialize(const EvalOptions &options) const {
  if (rawInPlace(*node) ||
      (node->type == DataType::String && getLanesInPlace()))
    return *this;
  if (llvm::Error error = prepare(options))
    return error;
  Evaluation ev = ::begin(options);
  llvm::Expected<BufferRef> buffer = evaluate(*node, ev);
  if (!buffer)
    return buffer.takeError();
  return Elements(std::make_shared<ViewNode>(std::move(*buffer),
                                             *Layout::contiguous(node->shape)));
}

llvm::Error Elements::prepare(const EvalOptions &options) const {
  Evaluation ev = ::begin(options);
  node->prepare(ev);
  if (!ev.failure.empty())
    return outOfResources(ev.failure);
  return llvm::Error::success();
}

Hash128 Elements::getRecipe(const EvalOptions &options) const {
  return node->getRecipe(options);
}

bool invar::sameRecipe(const Elements &a, const Elements &b) {
  return a == b ||
         (a.getType() == b.getType() && a.getShape() == b.getShape() &&
          a.getRecipe() == b.getRecipe());
}

std::optional<llvm::SmallVector<int64_t>>
invar::findTranspose(const Elements &whole, const Elements &view) {
  const auto *from = llvm::dyn_cast<ViewNode>(whole.node.get());
  const auto *to = llvm::dyn_cast<ViewNode>(view.node.get());
  if (!from || !to || !from->isOfSame(*to))
    return std::nullopt;
  return to->getLayout().findTransposeOf(from->getLayout());
}
