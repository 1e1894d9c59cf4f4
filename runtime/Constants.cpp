// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Constants.h"

#include <cstring>
#include <string_view>

using namespace invar::runtime;

Constants::~Constants() {
  for (Tensor *tensor : tensors)
    release(tensor, nullptr);
}

/// Strings are in the store as their lengths and then their bytes.
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

Status Constants::make(const Program &program, Store &stored, Store *folded) {
  tensors.reserve(program.constants.size());
  for (const auto &[type, kind, offset, size] : program.constants) {
    Store &store = kind == INVAR_CONSTANT_FOLDED ? *folded : stored;
    const char *data = store.getData() + offset;
    Tensor *tensor = nullptr;
    if (type->dataType == INVAR_STRING) {
      tensor = Tensor::create(nullptr, INVAR_STRING, type->sizes);
    } else {
      store.retain();
      tensor = Tensor::createBorrowed(nullptr, type->dataType, type->sizes,
                                      const_cast<char *>(data), &Store::release,
                                      &store);
      if (!tensor)
        Store::release(&store);
    }
    if (!tensor)
      return explainNoTensor(type->dataType, type->sizes);
    tensor->isConstant = true;
    tensors.push_back(tensor);
    if (type->dataType == INVAR_STRING)
      if (Status status = readStrings(*tensor, {data, size}))
        return status;
  }
  return Status::success();
}
