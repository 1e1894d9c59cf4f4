// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The activation functions of a recurrent layer, for folding and for lowering: the
// named functions, with parameters from lists that all functions share.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_RECURRENT_RECURRENTACTIVATIONS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_RECURRENT_RECURRENTACTIVATIONS_H

#include "invar/Dialect/ONNX/Folding.h"
#include "invar/Dialect/ONNX/Ops/Recurrent.h"
#include "invar/Kernels/Recurrent.h"
#include "llvm/ADT/StringSwitch.h"

namespace invar::onnx {

/// Takes parameters from a list: each function takes as many as it has.
class ActivationParameters {
public:
  explicit ActivationParameters(std::optional<llvm::ArrayRef<float>> list)
      : left(list.value_or(llvm::ArrayRef<float>())) {}

  /// Fails if the list has ended and the function has no default.
  llvm::Error take(double &parameter, std::optional<double> otherwise) {
    if (left.empty() && !otherwise)
      return notFolded("runtimes differ in the defaults of its activations");
    parameter = left.empty() ? *otherwise : left.front();
    left = left.drop_front(left.empty() ? 0 : 1);
    return llvm::Error::success();
  }

private:
  llvm::ArrayRef<float> left;
};

inline llvm::Expected<kernels::ActivationFunction>
parseActivation(llvm::StringRef name, ActivationParameters &alphas,
                ActivationParameters &betas) {
  using kernels::Activation;
  kernels::ActivationFunction function;
  function.kind = llvm::StringSwitch<Activation>(name)
                      .CaseLower("affine", Activation::Affine)
                      .CaseLower("elu", Activation::Elu)
                      .CaseLower("hardsigmoid", Activation::HardSigmoid)
                      .CaseLower("leakyrelu", Activation::LeakyRelu)
                      .CaseLower("relu", Activation::Relu)
                      .CaseLower("scaledtanh", Activation::ScaledTanh)
                      .CaseLower("sigmoid", Activation::Sigmoid)
                      .CaseLower("softplus", Activation::Softplus)
                      .CaseLower("softsign", Activation::Softsign)
                      .CaseLower("thresholdedrelu", Activation::ThresholdedRelu)
                      .Default(Activation::Tanh);
  auto takeBoth = [&](std::optional<double> alpha, std::optional<double> beta) {
    return llvm::joinErrors(alphas.take(function.alpha, alpha),
                            betas.take(function.beta, beta));
  };
  llvm::Error error = llvm::Error::success();
  switch (function.kind) {
  case Activation::Affine:
  case Activation::ScaledTanh:
    error = takeBoth(std::nullopt, std::nullopt);
    break;
  case Activation::HardSigmoid:
    error = takeBoth(double(0.2f), 0.5);
    break;
  case Activation::LeakyRelu:
    error = alphas.take(function.alpha, double(0.01f));
    break;
  case Activation::Elu:
    error = alphas.take(function.alpha, 1.0);
    break;
  case Activation::ThresholdedRelu:
    error = alphas.take(function.alpha, std::nullopt);
    break;
  default:
    break;
  }
  if (error)
    return error;
  return function;
}

/// The functions of the gates, of the new state, and of the memory when it is read.
using ActivationFunctions = std::array<kernels::ActivationFunction, 3>;

/// Returns the functions of each direction: the given names, otherwise `names`.
template <typename Op>
llvm::Expected<llvm::SmallVector<ActivationFunctions, 2>>
readActivations(Op op, llvm::ArrayRef<llvm::StringRef> names) {
  llvm::ArrayRef<mlir::Attribute> given =
      op.getActivations().value_or(llvm::ArrayRef<mlir::Attribute>());
  ActivationParameters alphas(op.getActivationAlpha()),
      betas(op.getActivationBeta());
  llvm::SmallVector<ActivationFunctions, 2> all(
      op.getDirection() == "bidirectional" ? 2 : 1);
  for (auto [direction, functions] : llvm::enumerate(all))
    for (size_t i = 0; i < names.size(); ++i) {
      size_t place = direction * names.size() + i;
      llvm::StringRef name =
          place < given.size()
              ? llvm::cast<mlir::StringAttr>(given[place]).getValue()
              : names[i];
      auto function = parseActivation(name, alphas, betas);
      if (!function)
        return function.takeError();
      functions[i] = *function;
    }
  return all;
}

} // namespace invar::onnx

#endif // INVAR_LIB_DIALECT_ONNX_OPS_RECURRENT_RECURRENTACTIVATIONS_H
