// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Statistics.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

llvm::Expected<SmallVector<Elements>>
onnx::detail::splitParts(const Folding &fold, const Elements &all, size_t parts,
                         ArrayRef<int64_t> shape) {
  const ElementsBuilder &builder = fold.getBuilder();
  SmallVector<Elements> result;
  for (size_t part = 0; part < parts; ++part) {
    Shape starts(all.getRank(), 0), sizes(all.getShape()),
        steps(all.getRank(), 1);
    starts[0] = int64_t(part);
    sizes[0] = 1;
    llvm::Expected<Elements> own = builder.slice(all, starts, sizes, steps);
    if (!own)
      return own.takeError();
    llvm::Expected<Elements> seen = builder.reshape(*own, shape);
    if (!seen)
      return seen.takeError();
    result.push_back(std::move(*seen));
  }
  return result;
}
