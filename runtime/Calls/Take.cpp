// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of tensors by position.
#include "BoxCopy.h"
#include "Calls.h"

#include <algorithm>
#include <cstring>

using namespace invar;
using namespace invar::runtime;

namespace {
/// The elements of several tensors of one type, numbered from 1 on.
class Numbered {
public:
  /// Reads all operands but the first.
  Status read(CallContext &call) {
    int64_t end = 1;
    for (size_t i = 1; i < call.getNumOperands(); ++i) {
      if (Status status = call.expectType(i, call.getTensor(1).getType()))
        return status;
      parts.push_back({&call.getTensor(i), end});
      end += parts.back().tensor->getCount();
    }
    mostPlace = end - 1;
    return Status::success();
  }

  struct Element {
    const Tensor *tensor;
    int64_t index;
  };
  /// The element with this number, from 1 to most().
  Element find(int64_t place) const {
    const Part *part = &parts.back();
    while (part->first > place)
      --part;
    return {part->tensor, place - part->first};
  }
  int64_t most() const { return mostPlace; }

private:
  struct Part {
    const Tensor *tensor;
    int64_t first;
  };
  std::vector<Part> parts;
  int64_t mostPlace = 0;
};
} // namespace

static Status takeStrings(CallContext &call, const Numbered &from,
                          std::span<const int64_t> places, Tensor &result) {
  // All strings are empty at first.
  for (size_t i = 0; i < places.size(); ++i) {
    if (i % 4096 == 4095)
      if (Status status = call.checkStopped())
        return status;
    if (places[i] == 0)
      continue;
    auto [tensor, index] = from.find(places[i]);
    if (!copyElements(*tensor, index, result, int64_t(i), 1))
      return explainNoStrings();
  }
  return Status::success();
}

static Status takeBytes(CallContext &call, const Numbered &from,
                        std::span<const int64_t> places, Tensor &result) {
  size_t size = getElementSize(result.dataType);
  return call.parallelFor(
      int64_t(places.size()), 4096, [&](int64_t first, int64_t last) {
        char *to = result.getData<char>() + size_t(first) * size;
        for (int64_t i = first; i < last; ++i, to += size) {
          if (places[size_t(i)] == 0) {
            std::memset(to, 0, size);
            continue;
          }
          auto [tensor, index] = from.find(places[size_t(i)]);
          std::memcpy(to, tensor->getData<char>() + size_t(index) * size, size);
        }
      });
}

/// Not an ONNX operator. The first operand numbers elements of the others, in turn and
/// from 1 on; 0 stands for a zero or an empty string.
Status runtime::callTake(CallContext &call) {
  if (Status status = call.expectType(0, INVAR_INT64))
    return status;
  Numbered from;
  if (Status status = from.read(call))
    return status;
  const Tensor &numbers = call.getTensor(0);
  auto places = numbers.getElements<const int64_t>();
  for (int64_t place : places)
    if (place < 0 || place > from.most())
      return call.fail("expected places from 0 to ", from.most(), ", but got ",
                       place);
  InvarDataType type = call.getTensor(1).getType();
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, type, numbers.getSizes(), result))
    return status;
  return type == INVAR_STRING ? takeStrings(call, from, places, *result)
                              : takeBytes(call, from, places, *result);
}
