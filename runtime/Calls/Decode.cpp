// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes constants: const.decode of the compiler.
#include "../EncodedConstant.h"
#include "Calls.h"

#include <mutex>

using namespace invar::runtime;

Status invar::runtime::callDecode(CallContext &call) {
  const Tensor &bytes = call.getTensor(0);
  if (Status status = call.expectType(0, INVAR_INT8))
    return status;
  const Type &type = call.getResultType(0);
  auto count = type.isRanked
                   ? countElements(type.sizes.data(), type.sizes.size())
                   : std::nullopt;
  if (!count || type.dataType == INVAR_STRING)
    return call.fail("expected to decode numbers of known sizes, but got ",
                     describe(type));
  EncodedConstant constant;
  if (Status status = EncodedConstant::read(
          {bytes.getData<uint8_t>(), bytes.getBytes()},
          getElementSize(type.dataType), uint64_t(*count), constant))
    return status;
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, type.dataType, type.sizes, result))
    return status;

  std::mutex lock;
  Status failure;
  Status stopped = call.parallelFor(
      int64_t(constant.countPieces()), 1, [&](int64_t from, int64_t to) {
        DecodingScratch scratch;
        for (int64_t piece = from; piece < to; ++piece)
          if (Status status = constant.decode(uint64_t(piece), scratch,
                                              result->getData())) {
            std::lock_guard guard(lock);
            failure = std::move(status);
            return;
          }
      });
  return failure ? std::move(failure) : std::move(stopped);
}
