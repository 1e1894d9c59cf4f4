// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classic models are the runtime's, but for those over maps, which nothing below ONNX has.
#include "invar/Conversion/ONNXToLinalg/Lowerings.h"
#include "invar/Dialect/ONNX/Ops/ML.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

template <typename Op> static LogicalResult lower(Op, Lowering &to) {
  return to.decline("maps are not compiled");
}

void invar::onnx::addMLLowerings(LoweringTable &table) {
  table.addCall<ArrayFeatureExtractorOp>();
  table.addCall<BinarizerOp>();
  table.add<CastMapOp>(lower);
  table.addCall<CategoryMapperOp>();
  table.add<DictVectorizerOp>(lower);
  table.addCall<FeatureVectorizerOp>();
  table.addCall<ImputerOp>();
  table.addCall<LabelEncoderOp>();
  table.addCall<LinearClassifierOp>();
  table.addCall<LinearRegressorOp>();
  table.addCall<NormalizerOp>();
  table.addCall<OneHotEncoderOp>();
  table.addCall<SVMClassifierOp>();
  table.addCall<SVMRegressorOp>();
  table.addCall<ScalerOp>();
  table.addCall<TreeEnsembleOp>();
  table.addCall<TreeEnsembleClassifierOp>();
  table.addCall<TreeEnsembleRegressorOp>();
  table.add<ZipMapOp>(lower);
}
