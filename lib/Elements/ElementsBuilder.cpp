// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/ElementsBuilder.h"

#include "Node.h"
#include "invar/Support/Error.h"
#include "invar/Support/Parallel.h"
#include "llvm/ADT/STLExtras.h"

using namespace invar;
using llvm::ArrayRef;
using llvm::Expected;

/// Returns the number of elements. Checks that later counts cannot overflow: neither
/// elements nor their bytes, packed or as lanes.
static Expected<int64_t> checkShape(DataType type, ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = countElements(shape);
  if (!count || *count > INT64_MAX / int64_t(getLaneSize(type)) ||
      !getPackedSize(type, uint64_t(*count)))
    return badInput("expected a shape whose bytes can be counted, but got " +
                    printShape(shape));
  return *count;
}

static Expected<Elements> makeEmpty(DataType type, ArrayRef<int64_t> shape) {
  if (type == DataType::String)
    return Elements(std::make_shared<ViewNode>(Buffer::copyStrings({}),
                                               *Layout::contiguous(shape)));
  Expected<BufferRef> buffer = Buffer::unowned(type, 0, {});
  if (!buffer)
    return buffer.takeError();
  return Elements(std::make_shared<ViewNode>(std::move(*buffer),
                                             *Layout::contiguous(shape)));
}

/// Bounds an expression that has become too expensive (it is kept when it is read) or
/// too deep (it is computed now). In both cases it must be small enough to keep in
/// memory.
static Expected<Elements> bound(NodeRef node, const EvalOptions &options) {
  bool isTooDear = node->cost > ElementsNode::maxCost;
  bool isTooDeep = node->depth + isTooDear > ElementsNode::maxDepth;
  if (!isTooDear && !isTooDeep)
    return Elements(std::move(node));
  if (uint64_t(node->count) > options.keepLimit / getLaneSize(node->type))
    return outOfResources(
        "expected a long expression to be small enough to keep, but got " +
        printShape(node->shape) + " elements of type " + getName(node->type));
  if (isTooDeep)
    return Elements(std::move(node)).materialize(options);
  return Elements(makeDeferred(node, node->shape, /*alwaysKeep=*/true));
}

static Expected<Elements> applyView(const Elements &x, const ViewOp &op,
                                    const EvalOptions &options) {
  if (ArrayRef<int64_t>(op.shape) == x.getShape() &&
      (op.kind == ViewOp::Expand || op.kind == ViewOp::Reshape))
    return x;
  Expected<int64_t> count = checkShape(x.getType(), op.shape);
  if (!count)
    return count.takeError();
  if (*count == 0 || x.numElements() == 0)
    return makeEmpty(x.getType(), op.shape);
  return bound(x.getNode()->view(op), options);
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

Expected<Elements> ElementsBuilder::fromBuffer(BufferRef buffer,
                                               ArrayRef<int64_t> shape) const {
  Expected<int64_t> count = checkShape(buffer->getType(), shape);
  if (!count)
    return count.takeError();
  if (*count != buffer->numElements())
    return badInput("expected " + llvm::Twine(*count) + " elements for shape " +
                    printShape(shape) + ", but got " +
                    llvm::Twine(buffer->numElements()));
  return Elements(std::make_shared<ViewNode>(std::move(buffer),
                                             *Layout::contiguous(shape)));
}

Expected<Elements> ElementsBuilder::fromRaw(DataType type,
                                            ArrayRef<int64_t> shape,
                                            ArrayRef<uint8_t> bytes) const {
  Expected<int64_t> count = checkShape(type, shape);
  if (!count)
    return count.takeError();
  std::optional<uint64_t> size = getPackedSize(type, uint64_t(*count));
  if (!size || *size != bytes.size())
    return badInput("expected raw data of " + printShape(shape) +
                    " elements of type " + getName(type) + ", but got " +
                    llvm::Twine(uint64_t(bytes.size())) + " bytes");
  Expected<BufferRef> buffer = Buffer::copy(type, *count, bytes);
  return buffer ? fromBuffer(std::move(*buffer), shape) : buffer.takeError();
}

Expected<Elements> ElementsBuilder::fromLanes(DataType type,
                                              ArrayRef<int64_t> shape,
                                              const void *lanes,
                                              size_t count) const {
  if (type == DataType::String)
    return fromStrings(shape,
                       {static_cast<const llvm::StringRef *>(lanes), count});
  Expected<BufferRef> buffer = Buffer::create(
      type, int64_t(count), [&](llvm::MutableArrayRef<uint8_t> bytes) {
        if (isPacked(type))
          packLanes(type, lanes, count, bytes.data());
        else if (count != 0)
          std::memcpy(bytes.data(), lanes, bytes.size());
      });
  return buffer ? fromBuffer(std::move(*buffer), shape) : buffer.takeError();
}

Expected<Elements>
ElementsBuilder::fromWideNums(DataType type, ArrayRef<int64_t> shape,
                              ArrayRef<WideNum> numbers) const {
  if (!isNumeric(type))
    return badInput("expected a numeric type, but got " + getName(type));
  std::vector<uint64_t> lanes(numbers.size()); // No numeric lane is wider.
  narrowLanes(type, numbers, lanes.data());
  return fromLanes(type, shape, lanes.data(), numbers.size());
}

Expected<Elements>
ElementsBuilder::fromStrings(ArrayRef<int64_t> shape,
                             ArrayRef<llvm::StringRef> strings) const {
  return fromBuffer(Buffer::copyStrings(strings), shape);
}

Expected<Elements> ElementsBuilder::splat(DataType type,
                                          ArrayRef<int64_t> shape,
                                          WideNum value) const {
  Expected<Elements> scalar = fromWideNums(type, {}, value);
  return scalar ? expand(*scalar, shape) : std::move(scalar);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

Expected<Elements>
ElementsBuilder::transpose(const Elements &x,
                           ArrayRef<int64_t> permutation) const {
  ArrayRef<int64_t> shape = x.getShape();
  if (!isPermutation(permutation, shape.size()))
    return badInput("expected a permutation of " + llvm::Twine(x.getRank()) +
                    " axes, but got " + printShape(permutation));
  Shape newShape;
  for (int64_t axis : permutation)
    newShape.push_back(shape[axis]);
  return applyView(x, {ViewOp::Transpose, newShape, permutation}, options);
}

Expected<Elements> ElementsBuilder::slice(const Elements &x,
                                          ArrayRef<int64_t> starts,
                                          ArrayRef<int64_t> sizes,
                                          ArrayRef<int64_t> steps) const {
  if (!isValidSlice(x.getShape(), starts, sizes, steps))
    return badInput("expected a slice that lies within " +
                    printShape(x.getShape()) + ", but got starts " +
                    printShape(starts) + ", sizes " + printShape(sizes) +
                    ", steps " + printShape(steps));
  return applyView(x, {ViewOp::Slice, sizes, {}, starts, steps}, options);
}

Expected<Elements> ElementsBuilder::reverse(const Elements &x,
                                            ArrayRef<int64_t> axes) const {
  Shape starts(x.getRank(), 0), sizes(x.getShape()), steps(x.getRank(), 1);
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= x.getRank())
      return badInput("expected an axis below " + llvm::Twine(x.getRank()) +
                      ", but got " + llvm::Twine(axis));
    starts[axis] = sizes[axis] - 1;
    steps[axis] = -1;
  }
  return slice(x, starts, sizes, steps);
}

Expected<Elements> ElementsBuilder::expand(const Elements &x,
                                           ArrayRef<int64_t> shape) const {
  if (!isExpandable(x.getShape(), shape))
    return badInput("expected a shape that " + printShape(x.getShape()) +
                    " broadcasts to, but got " + printShape(shape));
  return applyView(x, {ViewOp::Expand, shape}, options);
}

Expected<Elements> ElementsBuilder::reshape(const Elements &x,
                                            ArrayRef<int64_t> shape) const {
  std::optional<int64_t> count = countElements(shape);
  if (!count || *count != x.numElements())
    return badInput("expected a shape of " + llvm::Twine(x.numElements()) +
                    " elements, but got " + printShape(shape));
  return applyView(x, {ViewOp::Reshape, shape}, options);
}

Expected<Elements> ElementsBuilder::concat(ArrayRef<Elements> parts,
                                           int64_t axis) const {
  if (parts.empty())
    return badInput("expected parts to concatenate, but got none");
  DataType type = parts.front().getType();
  Shape shape(parts.front().getShape());
  if (axis < 0 || axis >= int64_t(shape.size()))
    return badInput("expected an axis below " +
                    llvm::Twine(uint64_t(shape.size())) + ", but got " +
                    llvm::Twine(axis));
  int64_t total = 0;
  std::vector<NodeRef> filled;
  for (const Elements &part : parts) {
    shape[axis] =
        part.getRank() == int64_t(shape.size()) ? part.getShape()[axis] : 0;
    if (part.getType() != type || part.getShape() != ArrayRef<int64_t>(shape))
      return badInput(
          "expected parts like " + printShape(parts.front().getShape()) +
          " of type " + getName(type) + ", but got " +
          printShape(part.getShape()) + " of type " + getName(part.getType()));
    if (__builtin_add_overflow(total, shape[axis], &total))
      return badInput("expected parts whose sizes can be added, but got more");
    if (part.numElements() != 0)
      filled.push_back(part.getNode());
  }
  shape[axis] = total;
  Expected<int64_t> count = checkShape(type, shape);
  if (!count)
    return count.takeError();
  if (filled.empty())
    return makeEmpty(type, shape);
  if (filled.size() == 1)
    return Elements(filled.front());
  return bound(std::make_shared<ConcatNode>(std::move(filled), size_t(axis)),
               options);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Applies a function to operands that are all splats.
static Expected<Elements> combineSplats(const ElementsBuilder &builder,
                                        const ElementwiseFunction &f,
                                        ArrayRef<Elements> operands,
                                        ArrayRef<int64_t> shape) {
  struct alignas(16) Lane {
    uint8_t bytes[16];
  };
  llvm::SmallVector<Lane, 4> lanes(operands.size());
  llvm::SmallVector<const void *, 4> pointers;
  for (auto [operand, lane] : llvm::zip_equal(operands, lanes)) {
    operand.read(0, 1, &lane);
    pointers.push_back(&lane);
  }
  Lane result;
  f(pointers, &result, 1);
  Expected<Elements> scalar =
      builder.fromLanes(f.getResultType(), {}, &result, 1);
  return scalar ? builder.expand(*scalar, shape) : std::move(scalar);
}

Expected<Elements> ElementsBuilder::combine(const ElementwiseFunction &f,
                                            ArrayRef<Elements> operands) const {
  ArrayRef<DataType> types = f.getOperandTypes();
  if (operands.size() != types.size() || operands.empty())
    return badInput("expected " + llvm::Twine(uint64_t(types.size())) +
                    " operands of '" + f.getName() + "', but got " +
                    llvm::Twine(uint64_t(operands.size())));
  llvm::SmallVector<ArrayRef<int64_t>, 4> shapes;
  for (auto [operand, type] : llvm::zip_equal(operands, types)) {
    if (operand.getType() != type)
      return badInput("expected an operand of '" + f.getName() + "' of type " +
                      getName(type) + ", but got " +
                      getName(operand.getType()));
    shapes.push_back(operand.getShape());
  }
  Expected<Shape> shape = broadcastShapes(shapes);
  if (!shape)
    return shape.takeError();
  Expected<int64_t> count = checkShape(f.getResultType(), *shape);
  if (!count)
    return count.takeError();
  if (*count == 0)
    return makeEmpty(f.getResultType(), *shape);
  if (llvm::all_of(operands, [](const Elements &x) { return x.isSplat(); }))
    return combineSplats(*this, f, operands, *shape);
  llvm::SmallVector<NodeRef, 4> nodes;
  for (const Elements &operand : operands) {
    Expected<Elements> expanded = expand(operand, *shape);
    if (!expanded)
      return expanded.takeError();
    nodes.push_back(expanded->getNode());
  }
  return bound(makeFused(f, nodes), options);
}

Expected<Elements> ElementsBuilder::transform(const ElementwiseFunction &f,
                                              const Elements &x) const {
  return combine(f, x);
}

Expected<Elements> ElementsBuilder::cast(const Elements &x, DataType to,
                                         CastOptions castOptions) const {
  if (!isNumeric(x.getType()) || !isNumeric(to))
    return badInput("expected a cast between numeric types, but got " +
                    getName(x.getType()) + " to " + getName(to));
  return x.getType() == to
             ? x
             : transform(makeCast(x.getType(), to, castOptions), x);
}

Expected<Elements> ElementsBuilder::compute(DataType type,
                                            ArrayRef<int64_t> shape,
                                            const Hash128 &key,
                                            ArrayRef<Elements> inputs,
                                            ComputeKernel kernel) const {
  Expected<int64_t> count = checkShape(type, shape);
  if (!count)
    return count.takeError();
  if (*count == 0)
    return makeEmpty(type, shape);
  if (type == DataType::Float64)
    computedDoubles = true;
  std::vector<NodeRef> nodes;
  for (const Elements &input : inputs)
    nodes.push_back(input.getNode());
  auto node = std::make_shared<ComputedNode>(type, shape, key, std::move(nodes),
                                             std::move(kernel));
  return bound(makeDeferred(std::move(node), shape, /*alwaysKeep=*/true),
               options);
}

Elements ElementsBuilder::intern(const Elements &x) {
  Hash128 recipe = x.getRecipe(options);
  std::lock_guard<std::mutex> lock(mutex);
  std::weak_ptr<const ElementsNode> &entry = interned[recipe];
  if (NodeRef known = entry.lock())
    return Elements(std::move(known));
  entry = x.getNode();
  // Remove the entries of dead tensors when they may be the majority.
  if (interned.size() >= sweepAt) {
    for (auto it = interned.begin(), end = interned.end(); it != end; ++it)
      if (it->second.expired())
        interned.erase(it);
    sweepAt = std::max<size_t>(64, 2 * interned.size());
  }
  return x;
}
