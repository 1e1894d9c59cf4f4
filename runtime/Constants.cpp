// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Constants.h"

#include <cstring>
#include <string_view>

using namespace invar::runtime;

Constants::~Constants() {
  for (Tensor *tensor : tensors)
    release(tensor, nullptr);
}

/// The store has the lengths of all strings, then their bytes.
static Status readStrings(Tensor &tensor, std::string_view bytes) {
  int64_t count = tensor.getCount();
  std::string_view rest = bytes.substr(size_t(count) * sizeof(uint64_t));
  for (int64_t i = 0; i < count; ++i) {
    uint64_t length;
    std::memcpy(&length, bytes.data() + i * sizeof(length), sizeof(length));
    if (length > rest.size())
      return fail(INVAR_BAD_MODEL, "expected a constant string of ", length,
                  " bytes, but got ", rest.size());
    if (!tensor.setString(i, rest.substr(0, length)))
      return fail(INVAR_OUT_OF_MEMORY, "expected ", length,
                  " bytes of memory for a string, but there are not as many");
    rest.remove_prefix(length);
  }
  return Status::success();
}

Place ConstantPlaces::get(const Constant &constant) const {
  switch (constant.kind) {
  case INVAR_CONSTANT_STORED:
    break;
  case INVAR_CONSTANT_FOLDED:
    return folded.find(constant.offset)->second;
  case INVAR_CONSTANT_PARAMETER:
    return parameters[constant.offset];
  }
  return {stored, constant.offset};
}

/// Creates a tensor of the elements at a place. The tensor keeps the store alive.
static Tensor *makeTensor(const Type &type, const Place &place) {
  auto *data = const_cast<char *>(place.getData());
  if (reinterpret_cast<uintptr_t>(data) % getElementSize(type.dataType)) {
    Tensor *copy = Tensor::create(nullptr, type.dataType, type.sizes);
    if (copy)
      std::memcpy(copy->getData(), data, copy->getBytes());
    return copy;
  }
  Store *store = place.store.get();
  store->retain();
  Tensor *tensor = Tensor::createBorrowed(nullptr, type.dataType, type.sizes,
                                          data, &Store::release, store);
  if (!tensor)
    Store::release(store);
  return tensor;
}

Status Constants::verify(uint32_t number, InvarThreads *threads,
                         Stop *stop) const {
  const auto &[place, size] = places[number];
  if (Status status = place.store->verify(place.offset, size, threads, stop))
    return std::move(status).in("constant " + std::to_string(number) + " (" +
                                describe(tensors[number]) + ")");
  verified[number].store(true, std::memory_order_release);
  return Status::success();
}

Status Constants::make(const Program &program, const ConstantPlaces &all) {
  tensors.reserve(program.constants.size());
  verified = std::make_unique<std::atomic<bool>[]>(program.constants.size());
  for (const Constant &constant : program.constants) {
    const Type &type = *constant.type;
    bool areStrings = type.dataType == INVAR_STRING;
    Place place = all.get(constant);
    places.emplace_back(place, constant.size);
    Tensor *tensor = areStrings
                         ? Tensor::create(nullptr, INVAR_STRING, type.sizes)
                         : makeTensor(type, place);
    if (!tensor)
      return explainNoTensor(type.dataType, type.sizes);
    tensor->isConstant = true;
    tensors.push_back(tensor);
    if (!areStrings)
      continue;
    // Strings are copied now, so they must be verified now.
    if (Status status = verify(uint32_t(tensors.size() - 1), nullptr))
      return status;
    if (Status status = readStrings(*tensor, {place.getData(), constant.size}))
      return status;
  }
  return Status::success();
}
