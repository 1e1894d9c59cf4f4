// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/Random.h"

using namespace invar;
using namespace invar::onnx;

void invar::onnx::addRandomLowerings(LoweringTable &table) {
  table.addCall<BernoulliOp>(/*isImpure=*/true);
  table.addCall<MultinomialOp>(/*isImpure=*/true);
  table.addCall<RandomNormalLikeOp>(/*isImpure=*/true);
  table.addCall<RandomNormalOp>(/*isImpure=*/true);
  table.addCall<RandomUniformLikeOp>(/*isImpure=*/true);
  table.addCall<RandomUniformOp>(/*isImpure=*/true);
}
