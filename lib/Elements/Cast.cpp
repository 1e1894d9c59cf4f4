// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/Cast.h"

#include <cassert>

using namespace invar;

ElementwiseFunction invar::makeCast(DataType from, DataType to,
                                    CastOptions options) {
  assert(isNumeric(from) && isNumeric(to));
  kernels::Cast cast(InvarDataType(from), InvarDataType(to), options);
  auto kernel = [cast](llvm::ArrayRef<const void *> operands, void *result,
                       size_t n) { cast(operands[0], result, n); };
  uint8_t parameters[] = {options.saturate,
                          static_cast<uint8_t>(options.scaleRounding)};
  return ElementwiseFunction("Cast", to, from, kernel, parameters);
}
