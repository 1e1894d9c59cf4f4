// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EqualOperations.h"

#include "Rules.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Generate.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Constants -------------------------------------------------------------===//

static std::optional<Elements> getContent(Operation *op) {
  auto constant = dyn_cast<ConstantOp>(op);
  auto value = constant ? dyn_cast_or_null<ElementsAttr>(constant.getValue())
                        : ElementsAttr();
  FailureOr<Elements> content =
      value ? elements::toElements(value) : FailureOr<Elements>();
  if (failed(content) || content->getType() == DataType::String)
    return std::nullopt;
  return *content;
}

/// Hashes some bytes from the beginning, the middle and the end.
static llvm::hash_code hashSample(const Elements &content) {
  constexpr uint64_t length = 64;
  uint64_t size = content.sizeInBytes(), taken = std::min(size, length);
  llvm::hash_code sum =
      llvm::hash_combine(unsigned(content.getType()),
                         llvm::hash_combine_range(content.getShape()));
  uint8_t bytes[length];
  for (uint64_t begin : {uint64_t(0), (size - taken) / 2, size - taken}) {
    MutableArrayRef<uint8_t> place(bytes, taken);
    content.readBytes(begin, place);
    sum = llvm::hash_combine(sum, llvm::hash_combine_range(place));
  }
  return sum;
}

/// Hashes the whole constant.
static Hash128 hashAll(const Elements &content) {
  SmallVector<Hash128> blocks;
  std::vector<uint8_t> block;
  uint64_t size = content.sizeInBytes();
  for (uint64_t begin = 0; begin < size; begin += hashBlockSize) {
    block.resize(std::min(hashBlockSize, size - begin));
    content.readBytes(begin, block);
    blocks.push_back(hashBlock(block));
  }
  return hashTree(size, blocks);
}

bool invar::haveSameContent(const Elements &a, const Elements &b) {
  if (a.getType() != b.getType() || a.getShape() != b.getShape() ||
      a.getType() == DataType::String)
    return false;
  constexpr uint64_t length = 1 << 16;
  std::vector<uint8_t> first, second;
  uint64_t size = a.sizeInBytes();
  for (uint64_t begin = 0; begin < size; begin += length) {
    first.resize(std::min(length, size - begin));
    second.resize(first.size());
    a.readBytes(begin, first);
    b.readBytes(begin, second);
    if (first != second)
      return false;
  }
  return true;
}

//===-- Operators -------------------------------------------------------------===//

bool invar::isFewIntegers(const Elements &content) {
  constexpr int64_t most = 16; // Enough for the pads of eight axes.
  return getKind(content.getType()) == NumberKind::Signed &&
         content.numElements() <= most;
}

/// The numbers of a short list of integers, such as axes, whether stored or computed;
/// none for other values. Such lists are compared by their numbers, not by how they are
/// computed.
static std::optional<SmallVector<WideNum>>
getNumbers(const TypeInference &inference, Value value) {
  const FoldValue *content = inference.getConstant(value);
  if (!content || !content->isTensor() || !isFewIntegers(content->getTensor()))
    return std::nullopt;
  const Elements &tensor = content->getTensor();
  SmallVector<WideNum> numbers(tensor.numElements());
  tensor.readWideNums(0, numbers);
  return numbers;
}

llvm::hash_code EqualOperations::hashOperand(Value operand) const {
  std::optional<SmallVector<WideNum>> numbers = getNumbers(inference, operand);
  if (!numbers)
    return hash_value(operand);
  llvm::hash_code sum = hash_value(operand.getType());
  for (WideNum number : *numbers)
    sum = llvm::hash_combine(sum, number.i);
  return sum;
}

bool EqualOperations::areEqualOperands(Value a, Value b) const {
  if (a == b)
    return true;
  if (a.getType() != b.getType())
    return false;
  auto first = getNumbers(inference, a), second = getNumbers(inference, b);
  return first && second &&
         llvm::equal(*first, *second,
                     [](WideNum a, WideNum b) { return a.i == b.i; });
}

/// The entries of a computed list if all of them are known; otherwise empty.
ArrayRef<Symbolic> EqualOperations::getList(Operation *op) const {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return {};
  ArrayRef<Symbolic> entries = inference.getEntries(op->getResult(0));
  bool isKnown = llvm::none_of(entries, [](Symbolic entry) {
    return entry->isUndefined() || entry->hasUnknown();
  });
  // A list of known numbers is a constant.
  bool isComputed = !llvm::all_of(
      entries, [](Symbolic entry) { return entry->isConstant(); });
  return isKnown && isComputed ? entries : ArrayRef<Symbolic>();
}

/// The type and number that an operator fills its result with. The attribute that holds
/// them never compares equal to another one.
static std::optional<std::pair<DataType, uint64_t>> getFill(Operation *op) {
  auto filled = dyn_cast<ConstantOfShapeOp>(op);
  auto value = filled ? dyn_cast_or_null<ElementsAttr>(filled.getValueAttr())
                      : ElementsAttr();
  FailureOr<Elements> content =
      value ? elements::toElements(value) : FailureOr<Elements>();
  if (failed(content) || content->numElements() != 1 ||
      content->getType() == DataType::String)
    return std::nullopt;
  WideNum number;
  content->readWideNums(0, number);
  return std::pair(content->getType(), number.u);
}

std::optional<llvm::hash_code> EqualOperations::hash(Operation *op) {
  if (auto content = getContent(op)) {
    llvm::hash_code sum = hashSample(*content);
    return isFewIntegers(*content) ? llvm::hash_combine(sum, op->getBlock())
                                   : sum;
  }
  if (ArrayRef<Symbolic> list = getList(op); !list.empty())
    return llvm::hash_combine(op->getResult(0).getType(),
                              llvm::hash_combine_range(list));
  if (!isFunction(op) || isa<ConstantOp>(op))
    return std::nullopt;
  auto fill = getFill(op);
  llvm::hash_code sum = llvm::hash_combine(
      op->getName(),
      fill ? llvm::hash_combine(unsigned(fill->first), fill->second)
           : op->hashProperties(),
      op->getNumResults());
  for (Value operand : op->getOperands())
    sum = llvm::hash_combine(sum, hashOperand(operand));
  return sum;
}

bool EqualOperations::areEqual(Operation *a, Operation *b) {
  if (ArrayRef<Symbolic> list = getList(a); !list.empty())
    return list == getList(b) &&
           a->getResult(0).getType() == b->getResult(0).getType();
  if (a->getName() != b->getName())
    return false;
  if (auto content = getContent(a)) {
    auto other = getContent(b);
    if (!other || content->getType() != other->getType() ||
        content->getShape() != other->getShape())
      return false;
    auto read = [&](Operation *op, const Elements &its) {
      auto [it, isNew] = contents.try_emplace(op);
      if (isNew)
        it->second = hashAll(its);
      return it->second;
    };
    Hash128 first = read(a, *content);
    // Compare the content too: hashes can be made to collide, and model files are not
    // trusted.
    return first == read(b, *other) && haveSameContent(*content, *other);
  }
  if (a->getNumResults() != b->getNumResults() ||
      !llvm::equal(a->getOperands(), b->getOperands(),
                   [&](Value x, Value y) { return areEqualOperands(x, y); }))
    return false;
  auto fill = getFill(a);
  return fill ? fill == getFill(b)
              : a->getName().compareOpProperties(a->getPropertiesStorage(),
                                                 b->getPropertiesStorage());
}

/// Whether `a` is computed before `b` whenever `b` is, or can be moved there.
bool EqualOperations::canStandFor(Operation *a, Operation *b) {
  if (isa<ConstantOp>(a)) {
    auto content = getContent(a);
    return a->getBlock() == b->getBlock() || !content ||
           !isFewIntegers(*content);
  }
  Operation *around = a->getBlock()->findAncestorOpInBlock(*b);
  return around && around != a && places.isBefore(a, around);
}

Operation *EqualOperations::findOrAdd(Operation *op) {
  forget(op);
  std::optional<llvm::hash_code> key = hash(op);
  if (!key)
    return nullptr;
  SmallVector<Operation *, 1> &candidates = byHash[*key];
  for (Operation *other : candidates)
    if (canStandFor(other, op) && areEqual(other, op)) {
      contents.erase(op);
      return other;
    }
  candidates.push_back(op);
  hashes[op] = *key;
  return nullptr;
}

void EqualOperations::putBefore(Operation *a, Operation *b) {
  auto move = [&](Operation *place) {
    places.forget(a);
    a->moveBefore(place);
  };
  // Move `a` out of graphs that are not around `b`. Its name belongs to its graph.
  Operation *around = a;
  while (!around->getBlock()->findAncestorOpInBlock(*b))
    around = around->getParentOp();
  if (around != a) {
    a->removeAttr(attr::outputs);
    move(around);
  }
  Operation *user = a->getBlock()->findAncestorOpInBlock(*b);
  if (!places.isBefore(a, user))
    move(user);
}

void EqualOperations::forget(Operation *op) {
  places.forget(op);
  contents.erase(op);
  auto found = hashes.find(op);
  if (found == hashes.end())
    return;
  auto &candidates = byHash[found->second];
  llvm::erase(candidates, op);
  if (candidates.empty())
    byHash.erase(found->second);
  hashes.erase(found);
}
