// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the dialect math.
#include "KernelLowering.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"

using namespace mlir;
using namespace invar;

void invar::populateMathPatterns(RewritePatternSet &patterns) {
  populateMathPolynomialApproximationPatterns(patterns);
  populateMathToLibmConversionPatterns(patterns, PatternBenefit(0));
}
