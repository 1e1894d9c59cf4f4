// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/Const/TensorBytes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

std::optional<uint64_t> invar::getTensorBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  Type element = tensor.getElementType();
  uint64_t bytes = 8;
  if (element.isIntOrFloat())
    bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  else if (!element.isIndex())
    return std::nullopt;
  bool overflows = false;
  for (int64_t size : tensor.getShape())
    if (bytes = llvm::SaturatingMultiply(bytes, uint64_t(size), &overflows);
        overflows)
      return std::nullopt;
  return bytes;
}
