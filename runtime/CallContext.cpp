// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallContext.h"

#include <algorithm>

using namespace invar::runtime;

CallContext::~CallContext() {
  for (Value *value : frame.results)
    if (value)
      release(value, getArena());
  for (Value *value : frame.temporaries)
    release(value, getArena());
  frame.results.clear();
  frame.temporaries.clear();
}

static const char *describeLetter(char letter) {
  switch (letter) {
  case 'T':
  case 't':
    return "a tensor";
  case 'S':
  case 's':
    return "a sequence";
  case 'O':
  case 'o':
    return "an optional";
  case 'M':
  case 'm':
    return "a map";
  default:
    return "a value";
  }
}

bool Signature::accepts(size_t i, const Value *value) const {
  char letter = this->letter(i);
  if (!value)
    return isOptional(letter);
  switch (letter) {
  case 'T':
  case 't':
    return value->kind == INVAR_TYPE_TENSOR;
  case 'S':
  case 's':
    return value->kind == INVAR_TYPE_SEQUENCE;
  case 'O':
  case 'o':
    return value->kind == INVAR_TYPE_OPTIONAL;
  case 'M':
  case 'm':
    return value->kind == INVAR_TYPE_MAP;
  default:
    return true;
  }
}

Status CallContext::checkOperands() const {
  const Signature &signature = site.function->operands;
  for (size_t i = 0; i < operands.size(); ++i)
    if (!signature.accepts(i, getOperand(i)))
      return fail("expected ", describeLetter(signature.letter(i)),
                  " as operand ", i, " of ", *site.name, ", but got ",
                  describe(getOperand(i)));
  return Status::success();
}

/// Checks a result against its type, but not the items of a sequence. Each item is
/// checked when it is taken out; checking all of them here would make a loop that fills
/// a sequence quadratic.
static bool fitsType(const Value &value, const Type &type) {
  bool hasItems =
      value.kind == INVAR_TYPE_SEQUENCE || value.kind == INVAR_TYPE_OPTIONAL;
  return value.kind == type.kind && (hasItems || matches(&value, type));
}

Status CallContext::storeResults() {
  for (size_t i = 0; i < resultRegisters.size(); ++i) {
    if (!isWanted(i))
      continue;
    Value *value = frame.results[i];
    if (!value || !fitsType(*value, getResultType(i)))
      return fail("expected result ", i, " of ", *site.name, " to be ",
                  describe(getResultType(i)), ", but got ", describe(value));
  }
  for (size_t i = 0; i < resultRegisters.size(); ++i)
    if (isWanted(i))
      frame.objects[resultRegisters[i]].own(
          std::exchange(frame.results[i], nullptr), getArena());
  return Status::success();
}

Status CallContext::run() {
  if (Status status = checkOperands())
    return status;
  if (Status status = site.function->run(*this))
    return status;
  return storeResults();
}

// Operands

Status CallContext::expectType(size_t i, InvarDataType type) const {
  if (getTensor(i).getType() == type)
    return Status::success();
  return fail("expected operand ", i, " of ", *site.name, " to be of type ",
              getName(type), ", but got ", describe(getOperand(i)));
}

Status CallContext::expectRank(size_t i, size_t rank) const {
  if (getTensor(i).rank == rank)
    return Status::success();
  return fail("expected operand ", i, " of ", *site.name, " to have rank ",
              rank, ", but got ", describe(getOperand(i)));
}

Status CallContext::expectCount(size_t i, int64_t count) const {
  if (getTensor(i).getCount() == count)
    return Status::success();
  return fail("expected operand ", i, " of ", *site.name, " to have ", count,
              " elements, but got ", describe(getOperand(i)));
}

Status CallContext::readInteger(size_t i, int64_t &number) const {
  if (Status status = expectCount(i, 1))
    return status;
  const Tensor &tensor = getTensor(i);
  if (tensor.getType() != INVAR_INT64 && tensor.getType() != INVAR_INT32)
    return expectType(i, INVAR_INT64);
  number = *loadNumber(tensor.getType(), tensor.getData(), 0);
  return Status::success();
}

Status CallContext::normalizeAxis(int64_t &axis, int64_t rank) const {
  if (axis < -rank || axis >= rank)
    return fail("expected an axis from ", -rank, " to ", rank - 1, ", but got ",
                axis);
  axis += axis < 0 ? rank : 0;
  return Status::success();
}

// Attributes

const Attribute *CallContext::findAttribute(std::string_view name) const {
  auto found = std::find_if(
      site.attributes->begin(), site.attributes->end(),
      [&](const Attribute &attribute) { return *attribute.name == name; });
  return found == site.attributes->end() ? nullptr : &*found;
}

/// The values of the attribute; empty if it is missing or of another kind.
template <typename T>
static std::span<const T> getList(const CallContext &call,
                                  std::string_view name,
                                  std::vector<T> Attribute::*list) {
  const Attribute *attribute = call.findAttribute(name);
  return attribute ? std::span<const T>(attribute->*list)
                   : std::span<const T>();
}

std::span<const int64_t> CallContext::getInts(std::string_view name) const {
  return getList(*this, name, &Attribute::ints);
}
std::span<const double> CallContext::getFloats(std::string_view name) const {
  return getList(*this, name, &Attribute::floats);
}
std::span<const std::string_view>
CallContext::getStrings(std::string_view name) const {
  return getList(*this, name, &Attribute::strings);
}

int64_t CallContext::getInt(std::string_view name) const {
  auto list = getInts(name);
  return list.empty() ? 0 : list.front();
}
double CallContext::getFloat(std::string_view name) const {
  auto list = getFloats(name);
  return list.empty() ? 0 : list.front();
}
std::string_view CallContext::getString(std::string_view name) const {
  auto list = getStrings(name);
  return list.empty() ? std::string_view() : list.front();
}

// Results and memory

size_t CallContext::findResult(size_t output) const {
  if (!findAttribute("results"))
    return output;
  auto places = getInts("results");
  auto found = std::find(places.begin(), places.end(), int64_t(output));
  return found == places.end() ? getNumResults()
                               : size_t(found - places.begin());
}

void CallContext::adoptResult(size_t i, Value *value) {
  assert(i < frame.results.size() && !frame.results[i]);
  frame.results[i] = value;
}

/// The tensor to write a result into. Null if there is none, or if its type or sizes
/// differ.
Tensor *CallContext::findPlace(size_t i, InvarDataType type,
                               Sizes sizes) const {
  Tensor *place = nullptr;
  if (i < site.outputs.size() && site.outputs[i] != INVAR_NONE) {
    if (!frame.places.empty())
      place = frame.places[site.outputs[i]];
  } else if (i < site.hasPlace.size() && site.hasPlace[i]) {
    place = asTensor(frame.objects[resultRegisters[i]].get());
    if (place && !frame.isInBlock(*place))
      place = nullptr;
  }
  return place && place->getType() == type &&
                 std::ranges::equal(place->getSizes(), sizes)
             ? place
             : nullptr;
}

Status CallContext::allocate(size_t i, InvarDataType type, Sizes sizes,
                             Tensor *&tensor) {
  if ((tensor = findPlace(i, type, sizes))) {
    setResult(i, tensor);
    return Status::success();
  }
  tensor = Tensor::create(getArena(), type, sizes);
  if (!tensor)
    return explainNoTensor(type, sizes);
  // A result that is left out at the end is still computed, and released after the
  // call.
  if (i < frame.results.size())
    adoptResult(i, tensor);
  else
    frame.temporaries.push_back(tensor);
  return Status::success();
}

Status CallContext::getScratchBytes(int64_t count, size_t size, void *&memory) {
  int64_t sizes[] = {count, int64_t(size)};
  Tensor *tensor = Tensor::create(getArena(), INVAR_UINT8, sizes);
  if (!tensor)
    return explainNoTensor(INVAR_UINT8, sizes);
  frame.temporaries.push_back(tensor);
  memory = tensor->getData();
  return Status::success();
}
