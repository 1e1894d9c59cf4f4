// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ActivationFormulas.h"
#include "invar/Dialect/ONNX/Ops/Activation.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

FoldResult CeluOp::computeValues(Folding &fold) {
  return fold.apply(formula::Celu{{}, getAlpha()});
}
FoldResult EluOp::computeValues(Folding &fold) {
  return fold.apply(formula::Elu{{}, getAlpha()});
}
FoldResult GeluOp::computeValues(Folding &fold) {
  if (getApproximate() == "tanh")
    return fold.apply(formula::GeluByTanh());
  return fold.apply(formula::Gelu());
}
FoldResult HardSigmoidOp::computeValues(Folding &fold) {
  return fold.apply(formula::HardSigmoid{{}, getAlpha(), getBeta()});
}
FoldResult HardSwishOp::computeValues(Folding &fold) {
  return fold.apply(formula::HardSwish());
}
FoldResult LeakyReluOp::computeValues(Folding &fold) {
  return fold.apply(formula::LeakyRelu{{}, getAlpha()});
}
FoldResult MishOp::computeValues(Folding &fold) {
  return fold.apply(formula::Mish());
}
FoldResult PReluOp::computeValues(Folding &fold) {
  return fold.apply(formula::PRelu());
}
FoldResult ReluOp::computeValues(Folding &fold) {
  return fold.apply(formula::Relu());
}
FoldResult SeluOp::computeValues(Folding &fold) {
  return fold.apply(formula::Selu{{}, getAlpha(), getGamma()});
}
FoldResult ShrinkOp::computeValues(Folding &fold) {
  const ElementsBuilder &builder = fold.getBuilder();
  const Elements &input = fold.get(getInput());
  formula::Shrink shrink{{}, getBias(), getLambd()};
  if (getKind(input.getType()) == NumberKind::Float)
    return fold.apply(shrink, input);
  llvm::Expected<Elements> numbers = builder.cast(input, DataType::Float64);
  if (!numbers)
    return numbers;
  llvm::Expected<Elements> shrunk = fold.apply(shrink, *numbers);
  return shrunk ? builder.cast(*shrunk, input.getType()) : std::move(shrunk);
}
FoldResult SigmoidOp::computeValues(Folding &fold) {
  return fold.apply(formula::Sigmoid());
}
FoldResult SoftplusOp::computeValues(Folding &fold) {
  return fold.apply(formula::Softplus());
}
FoldResult SoftsignOp::computeValues(Folding &fold) {
  return fold.apply(formula::Softsign());
}
FoldResult SwiGLUOp::computeValues(Folding &fold) {
  return fold.apply(formula::SwiGLU{{}, getAlpha()});
}
FoldResult SwishOp::computeValues(Folding &fold) {
  return fold.apply(formula::Swish{{}, getAlpha()});
}
FoldResult ThresholdedReluOp::computeValues(Folding &fold) {
  return fold.apply(formula::ThresholdedRelu{{}, getAlpha()});
}
