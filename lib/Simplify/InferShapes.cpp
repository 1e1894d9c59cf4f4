// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Simplify/Passes.h"

#include "invar/Dialect/ONNX/TypeInference.h"
#include "invar/Simplify/ShapeFacts.h"
#include "llvm/Support/Error.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_INFERSHAPESPASS
#include "invar/Simplify/Passes.h.inc"
} // namespace invar

namespace {
class InferShapesPass
    : public invar::impl::InferShapesPassBase<InferShapesPass> {
public:
  using InferShapesPassBase::InferShapesPassBase;

  void runOnOperation() override {
    onnx::ShapeFacts facts;
    using Reader = llvm::Error (*)(StringRef, onnx::ShapeFacts &);
    auto read = [&](ArrayRef<std::string> texts, Reader reader) {
      for (StringRef text : texts)
        if (llvm::Error error = reader(text, facts)) {
          getOperation().emitError(llvm::toString(std::move(error)));
          return failure();
        }
      return success();
    };
    if (failed(read(shapes, addShapeFact)) || failed(read(dims, addDimFact)) ||
        failed(read(ranges, addRangeFact)))
      return signalPassFailure();
    if (failed(onnx::inferTypes(getOperation(), facts)))
      signalPassFailure();
  }
};
} // namespace
